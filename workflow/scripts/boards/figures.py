"""Draw the figures of the boards, each as PNG, PDF and SVG."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import load_table
from studies import style
from studies.boards import figures
from studies.boards.ranked import Settings
from studies.files import stages
from studies.files.stages import Paths
from studies.style import write_figures


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    tables = {name: load_table(path) for name, path in inputs.items()}
    with style.style():
        write_figures(figures.figures(tables, Settings(**settings)), output.each("files"))


stages.run(main, globals())
