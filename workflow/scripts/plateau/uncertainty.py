"""Interval and P(saturated) of every benchmark, and the permuted-n control."""

from pathlib import Path

from saturation import seeds
from saturation.files.stages import read
from saturation.files.tables import logged, write_csv
from saturation.plateau import uncertainty
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    benchmarks: Path,
    top_scores: Path,
    index: Path,
    output: dict[str, Path],
    *,
    seed: int,
    resamples: int,
    permutations: int,
    saturated_from: float,
    epsilon: float,
) -> None:
    table = read(index, INDEX)
    intervals = uncertainty.uncertainty_table(
        read(benchmarks, PREPARED_BENCHMARKS),
        read(top_scores, PREPARED_SCORES),
        k=int(table["k"].iloc[0]),
        alpha=float(table["alpha"].iloc[0]),
        resamples=resamples,
        rng=seeds.generator(seed, "plateau", "uncertainty"),
        saturated_from=saturated_from,
        epsilon=epsilon,
    )
    control = uncertainty.permuted_n_control(
        table, permutations, seeds.generator(seed, "plateau", "permuted_n"), epsilon
    )
    write_csv(intervals, output["intervals"])
    write_csv(control, output["permuted_n"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.input.index),
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
