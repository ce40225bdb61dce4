"""Saturation index of each dataset against its mean robustness."""

from pathlib import Path

import pandas as pd

from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv
from saturation.robustness import saturation, schemas


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
    pairs = read_table(consistency)
    identified = validate(read_table(known), schemas.DATASETS, str(known))
    table = saturation.link(
        pairs,
        read_table(datasets),
        read_table(index),
        identified.set_index("dataset")["benchmark_id"],
        k,
        alpha,
    )
    found = pd.DataFrame(
        [
            {"index": name} | saturation.rank_correlation(table[name], table["output_consistency"])
            for name in ("s_index", "s_index_own", "performance")
        ]
    )
    write_csv(table, output)
    write_csv(found.assign(synthetic=bool(pairs["synthetic"].any())), correlations)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
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
