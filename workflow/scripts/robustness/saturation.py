"""Saturation index of each dataset against its mean robustness."""

from pathlib import Path

import pandas as pd

from saturation import files, robustness_saturation
from saturation.tables import robustness
from saturation.tables.checks import validate


def main(
    consistency: Path,
    datasets: Path,
    known: Path,
    index: Path,
    output: Path,
    correlations: Path,
    k: int,
    alpha: float,
) -> None:
    pairs = files.read_table(consistency)
    identified = validate(files.read_table(known), robustness.DATASETS, str(known))
    table = robustness_saturation.link(
        pairs,
        files.read_table(datasets),
        files.read_table(index),
        identified.set_index("dataset")["benchmark_id"],
        k,
        alpha,
    )
    found = pd.DataFrame(
        [
            {"index": name}
            | robustness_saturation.rank_correlation(table[name], table["output_consistency"])
            for name in ("s_index", "s_index_own", "performance")
        ]
    )
    files.write_csv(table, output)
    files.write_csv(found.assign(synthetic=bool(pairs["synthetic"].any())), correlations)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.consistency),
            Path(snakemake.input.datasets),
            Path(snakemake.input.known),
            Path(snakemake.input.index),
            Path(snakemake.output.csv),
            Path(snakemake.output.correlations),
            k=snakemake.params.k,
            alpha=snakemake.params.alpha,
        )
