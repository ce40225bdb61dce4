"""Draw the figures of the boards, each as PNG, PDF and SVG."""

from collections.abc import Mapping
from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import load_table, write_figures
from saturation.pages import style
from studies.boards import figures
from studies.boards.ranked import Settings


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    tables = {name: load_table(path) for name, path in inputs.items()}
    with style.style():
        write_figures(figures.figures(tables, Settings(**settings)), output.each("files"))


stages.run(main, globals())
