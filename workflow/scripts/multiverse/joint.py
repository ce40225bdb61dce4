"""The multiverse of one size: its specifications, their curve and the joint tests."""

from typing import Any

from saturation.files.tables import write_csv
from studies.files.stages import Paths, read, run
from studies.multiverse.joint import Settings, study
from studies.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(inputs: Paths, output: Paths, **settings: Any) -> None:
    tables = study(
        read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        read(inputs["top_scores"], PREPARED_SCORES),
        Settings(**settings),
    )
    for name, table in tables.items():
        write_csv(table, output[name])


run(main, globals())
