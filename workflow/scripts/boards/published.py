"""What the published benchmarks come to at the measured alpha."""

from typing import Any

from saturation.boards import study
from saturation.boards.schemas import ALPHA, POOLED
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau.schemas import INDEX


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    table = study.published(
        stages.read(inputs["index"], INDEX),
        stages.read(inputs["alpha"], ALPHA),
        stages.read(inputs["pooled"], POOLED),
        study.PublishedSettings(**options),
    )
    write_csv(table, output["files"])


stages.run(main, globals())
