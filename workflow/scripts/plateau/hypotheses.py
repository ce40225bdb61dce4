"""Groups, tests and trends of H1-H6 and quality issues, with the family's corrected p-values."""

from pathlib import Path

import pandas as pd

from saturation import files, groupings, hypotheses, seeds, trends
from saturation.tables.plateau import INDEX, PREPARED_BENCHMARKS
from saturation.tables.reading import read


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
    files.write_csv(pd.concat(groups), output["groups"])
    files.write_csv(tested, output["tests"])
    files.write_csv(trend_table, output["trends"])
    files.write_csv(trends.bins(data, saturated_from), output["bins"])
    files.write_csv(hypotheses.family(tested, trend_table), output["family"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.index),
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
