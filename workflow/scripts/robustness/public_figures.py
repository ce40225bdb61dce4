"""Draw the figures of the public answers, each as PNG, PDF and SVG."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_figures
from saturation.pages import style
from saturation.robustness import figures
from saturation.robustness.schemas import BY_INPUT_NAME


def main(inputs: Paths, output: Paths) -> None:
    tables = stages.read_all(inputs, BY_INPUT_NAME)
    with style.style():
        write_figures(figures.public_figures_drawn(tables), output.each("files"))


stages.run(main, globals())
