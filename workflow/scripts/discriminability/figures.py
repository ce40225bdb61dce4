"""Draw the figures of the discriminability study, each as PNG, PDF and SVG."""

from saturation.files.tables import load_table
from studies import style
from studies.discriminability import figures
from studies.files import stages
from studies.files.stages import Paths
from studies.style import write_figures


def main(inputs: Paths, output: Paths) -> None:
    tables = {name: load_table(path) for name, path in inputs.items()}
    with style.style():
        write_figures(figures.draw_all(**tables), output.each("files"))


stages.run(main, globals())
