"""Saturation index of every benchmark at one k and alpha."""

from pathlib import Path
from typing import Any

from saturation import index
from saturation.files.stages import read
from saturation.files.tables import logged, write_csv
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(benchmarks: Path, top_scores: Path, output: Path, **options: Any) -> None:
    table = index.index_table(
        read(benchmarks, PREPARED_BENCHMARKS), read(top_scores, PREPARED_SCORES), **options
    )
    write_csv(table, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.output[0]),
            k=int(snakemake.params.k),
            alpha=float(snakemake.params.alpha),
            z=snakemake.params.z,
            epsilon=snakemake.params.epsilon,
            edges=snakemake.params.edges,
            ceiling=snakemake.params.ceiling,
        )
