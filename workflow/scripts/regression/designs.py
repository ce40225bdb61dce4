"""Design table of every model of the run, checked before anything is sampled."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_csv
from saturation.regression import design
from saturation.regression.design import Design


def main(
    benchmarks: Path,
    index: Path,
    outputs: Mapping[str, Path],
    *,
    specifications: Mapping[str, Mapping[str, Any]],
    missing: Mapping[str, str],
    threshold: float,
    minimum_rows: int,
) -> None:
    table = design.predictors(read_table(benchmarks), read_table(index), missing, threshold)
    designs, violations = {}, []
    for name, specification in specifications.items():
        try:
            designs[name] = _design(name, table, specification, minimum_rows)
        except InputError as error:
            violations += error.violations
    if violations:
        raise InputError(violations)
    for name, built in designs.items():
        write_csv(built.to_table(), outputs[name])


def _design(
    name: str, table: pd.DataFrame, specification: Mapping[str, Any], minimum_rows: int
) -> Design:
    return design.design(
        design.exploded(table) if specification["rows"] == "tags" else table,
        specification["formula"],
        specification["outcome"],
        minimum_rows=minimum_rows,
        shrinks=specification["priors"]["coefficient"] is not None,
        name=name,
    )


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.index),
            dict(zip(snakemake.params.specifications, map(Path, snakemake.output), strict=True)),
            specifications=snakemake.params.specifications,
            missing=snakemake.params.missing,
            threshold=snakemake.params.threshold,
            minimum_rows=snakemake.params.minimum_rows,
        )
