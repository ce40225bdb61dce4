"""Collect the boards' headline numbers."""

from typing import Any

from saturation.boards import study
from saturation.boards.schemas import BY_INPUT_NAME
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    tables = stages.read_all(inputs, BY_INPUT_NAME)
    write_csv(study.quantities(tables, **options), output["files"])


stages.run(main, globals())
