"""Design table of one model, checked before anything is sampled."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation import files, regression_design


def main(
    benchmarks: Path,
    index: Path,
    output: Path,
    *,
    name: str,
    specification: Mapping[str, Any],
    missing: Mapping[str, str],
    threshold: float,
    minimum_rows: int,
) -> None:
    table = regression_design.predictors(
        files.read_table(benchmarks), files.read_table(index), missing, threshold
    )
    if specification["rows"] == "tags":
        table = regression_design.exploded(table)
    built = regression_design.design(
        table,
        specification["formula"],
        specification["outcome"],
        minimum_rows=minimum_rows,
        shrinks=specification["priors"]["coefficient"] is not None,
        name=name,
    )
    files.write_csv(built.to_table(), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.index),
            Path(snakemake.output[0]),
            name=snakemake.wildcards.model,
            specification=snakemake.params.specification,
            missing=snakemake.params.missing,
            threshold=snakemake.params.threshold,
            minimum_rows=snakemake.params.minimum_rows,
        )
