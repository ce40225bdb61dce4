"""Draw the figures of the plateau study, each as PNG, PDF and SVG."""

from studies import style
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import figures
from studies.plateau.schemas import schema_of
from studies.style import write_figures


def main(inputs: Paths, output: Paths, *, k: int, alpha: float, saturated_from: float) -> None:
    study = {name: stages.read(path, schema_of(name)) for name, path in inputs.items()}
    with style.style():
        drawn = figures.figures(study, k, alpha, saturated_from)
        write_figures(drawn, output.each("files"))


stages.run(main, globals())
