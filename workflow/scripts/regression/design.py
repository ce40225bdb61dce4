"""Design table of every model of the run, checked before anything is sampled."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS
from saturation.regression import design
from saturation.regression.specification import specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    missing: Mapping[str, str],
    saturated_from: float,
    minimum_rows: int,
) -> None:
    table = design.predictors(
        read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        read(inputs["index"], INDEX),
        missing,
        saturated_from,
    )
    designs = design.designs(table, specifications(models), minimum_rows)
    for built, path in zip(designs.values(), output.each("files"), strict=True):
        write_csv(built.to_table(), path)


run(main, globals())
