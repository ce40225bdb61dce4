"""Draw the figures of the boards, each as PNG, PDF and SVG."""

from typing import Any

from saturation.boards import figures
from saturation.boards.schemas import BY_INPUT_NAME
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_figures
from saturation.pages import style


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    tables = stages.read_all(inputs, BY_INPUT_NAME)
    with style.style():
        write_figures(figures.figures(tables, figures.Settings(**options)), output.each("files"))


stages.run(main, globals())
