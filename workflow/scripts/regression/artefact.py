"""Permutation controls: the coefficients of log n and age when n, or age, is dealt at random."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.plateau.schemas import INDEX
from saturation.regression import artefact
from saturation.regression.design import Design
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Specification


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    alpha: float,
    epsilon: float,
    permutations: int,
    seed: int,
) -> None:
    tables = artefact.controls(
        Design.from_table(read(inputs["design"], DESIGN)),
        read(inputs["index"], INDEX),
        Specification.of(specification).priors,
        alpha=alpha,
        epsilon=epsilon,
        permutations=permutations,
        seed=seed,
    )
    for name, table in tables.items():
        write_csv(table, output[name])


run(main, globals())
