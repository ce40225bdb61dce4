"""Permutation controls: the coefficients of log n and age when n, or age, is dealt at random."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.files.tables import logged, read_table, write_csv
from saturation.regression import artefact
from saturation.regression.design import Design
from saturation.regression.priors import Priors


def main(
    design: Path,
    index: Path,
    permutations_out: Path,
    located_out: Path,
    *,
    specification: Mapping[str, Any],
    alpha: float,
    epsilon: float,
    permutations: int,
    seed: int,
) -> None:
    built = Design.from_table(read_table(design))
    priors = Priors(**specification["priors"])
    by_size, by_age = (seeds.generator(seed, "regression", name) for name in ("n_test", "age"))
    sizes = artefact.permuted_sizes(
        built,
        read_table(index),
        priors,
        alpha=alpha,
        epsilon=epsilon,
        permutations=permutations,
        rng=by_size,
    )
    ages = artefact.permuted_ages(built, priors, permutations, by_age)
    null = pd.concat([sizes, ages], ignore_index=True)
    write_csv(null, permutations_out)
    write_csv(artefact.located(null, built, priors), located_out)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            Path(snakemake.input.index),
            Path(snakemake.output.permutations),
            Path(snakemake.output.located),
            specification=snakemake.params.specification,
            alpha=snakemake.params.alpha,
            epsilon=snakemake.params.epsilon,
            permutations=snakemake.params.permutations,
            seed=snakemake.params.seed,
        )
