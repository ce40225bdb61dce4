"""Validate the monthly summary and form the configured windows from it."""

from pathlib import Path

import pandas as pd

from saturation.discriminability import leaderboards, schemas, summaries
from saturation.errors import InputError
from saturation.files import checks
from saturation.files.tables import logged, read_table, write_csv


def main(
    tables: dict[str, Path],
    dropped: Path,
    benchmarks: Path,
    window: summaries.WindowKind,
    rolling_months: int,
    min_models: int,
    outputs: dict[str, Path],
) -> None:
    known = checks.validate(read_table(benchmarks), schemas.BENCHMARKS, str(benchmarks))
    summary = {
        name: checks.validate(read_table(path), schemas.SUMMARY[name], str(path))
        for name, path in tables.items()
        if name != "population"
    }
    # A leaderboard in which no model and no family comes back has an empty population table.
    summary["population"] = read_table(tables["population"])
    if len(summary["population"]):
        checks.validate(summary["population"], schemas.POPULATION, str(tables["population"]))
    unknown = sorted(set(summary["moments"]["benchmark"]) - set(known["benchmark"]))
    if unknown:
        raise InputError(
            [f"{benchmarks}: no row for benchmark '{name}'; add one" for name in unknown]
        )
    windowed, short = summaries.windowed(summary, window, rolling_months, min_models)
    for name, table in windowed.items():
        write_csv(table, outputs[name])
    write_csv(known, outputs["benchmarks"])
    listed = pd.concat([read_table(dropped), short], ignore_index=True)
    write_csv(listed.reindex(columns=leaderboards.DROPPED), outputs["dropped"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={name: Path(snakemake.input[name]) for name in summaries.TABLES},
            dropped=Path(snakemake.input.dropped),
            benchmarks=Path(snakemake.input.benchmarks),
            window=snakemake.params.window,
            rolling_months=snakemake.params.rolling_months,
            min_models=snakemake.params.min_models,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
