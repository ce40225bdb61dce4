"""Draw figures of the robustness study, each as PNG, PDF and SVG."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_figures
from saturation.pages import style
from saturation.robustness import figures, schemas


def main(inputs: Paths, output: Paths, *, own: bool) -> None:
    tables = {name: read_table(path, **schemas.NAMES_AS_TEXT) for name, path in inputs.items()}
    with style.style():
        drawn = figures.of_own(tables) if own else figures.of_public(tables)
        write_figures(drawn, output.each("files"))


stages.run(main, globals())
