"""The gap at the top of every benchmark beside that of models that are all equal."""

from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau import equal_top
from saturation.plateau.schemas import INDEX, PREPARED_SCORES


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    table = equal_top.equal_top(
        stages.read(inputs["index"], INDEX),
        stages.read(inputs["top_scores"], PREPARED_SCORES),
        **options,
    )
    write_csv(table, output["files"])


stages.run(main, globals())
