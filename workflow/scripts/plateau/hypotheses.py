"""Groups, tests and trends of H1-H6 and quality issues, with the family's corrected p-values."""

from pathlib import Path

import pandas as pd

from saturation import seeds
from saturation.files.stages import read
from saturation.files.tables import logged, write_csv
from saturation.plateau import groupings, hypotheses, trends
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS


def main(
    benchmarks: Path,
    index: Path,
    output: dict[str, Path],
    *,
    seed: int,
    permutations: int,
    saturated_from: float,
) -> None:
    table = read(benchmarks, PREPARED_BENCHMARKS)
    data = table.merge(read(index, INDEX).drop(columns="n_test"), on="benchmark_id", validate="1:1")
    compared = groupings.comparisons(table)
    groups = [hypotheses.group_summary(data, one, saturated_from) for one in compared]
    tests = [
        hypotheses.group_tests(
            data,
            one,
            saturated_from,
            permutations,
            seeds.generator(seed, "plateau", "hypotheses", one.hypothesis, one.grouping),
        )
        for one in compared
    ]
    tested = pd.concat(tests, ignore_index=True)
    trend_table = trends.trends(data)
    write_csv(pd.concat(groups), output["groups"])
    write_csv(tested, output["tests"])
    write_csv(trend_table, output["trends"])
    write_csv(trends.bins(data, saturated_from), output["bins"])
    write_csv(hypotheses.family(tested, trend_table), output["family"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.index),
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
