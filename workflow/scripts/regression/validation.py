"""Fit in and out of sample, coefficients and predictive checks of one model."""

from collections.abc import Mapping, Sequence
from typing import Any

from saturation import seeds
from saturation.files.stages import Paths, read, read_each, run
from saturation.files.tables import read_netcdf, write_csv
from saturation.regression import validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws
from saturation.regression.schemas import DESIGN, MEASURES, PREDICTIONS, REFITS
from saturation.regression.specification import Specification


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    saturated_from: float,
    bootstrap: int,
    schemes: Sequence[str],
    seed: int,
    model: str,
) -> None:
    each = zip(
        schemes,
        read_each(inputs.each("predictions"), PREDICTIONS),
        read_each(inputs.each("measures"), MEASURES),
        read_each(inputs.each("refits"), REFITS),
        strict=True,
    )
    tables = validation.tables(
        Design.from_table(read(inputs["design"], DESIGN)),
        Draws.of(read_netcdf(inputs["posterior"])),
        {scheme: validation.HeldOut(*held) for scheme, *held in each},
        Specification.of(specification),
        saturated_from=saturated_from,
        bootstrap=bootstrap,
        # The seed keeps the name that it had before the rule was renamed.
        seed=seeds.derive(seed, "regression", "fit", model),
    )
    for name, table in tables.items():
        write_csv(table, output[name])


run(main, globals())
