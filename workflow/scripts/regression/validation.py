"""Fit in and out of sample, coefficients and predictive checks of one model."""

from collections.abc import Mapping
from typing import Any

from saturation import seeds
from saturation.files.stages import Paths, read, read_each, run
from saturation.files.tables import read_netcdf, write_csv
from saturation.regression import validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws
from saturation.regression.schemas import DESIGN, LEFT_OUT, REFITS
from saturation.regression.specification import Specification


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    saturated_from: float,
    bootstrap: int,
    pareto_k: float,
    seed: int,
    model: str,
) -> None:
    refits = read_each(inputs.each("refits"), REFITS)
    tables = validation.tables(
        Design.from_table(read(inputs["design"], DESIGN)),
        Draws.of(read_netcdf(inputs["posterior"])),
        validation.with_refits(read(inputs["loo"], LEFT_OUT), refits, pareto_k),
        Specification.of(specification),
        saturated_from=saturated_from,
        bootstrap=bootstrap,
        # The seed keeps the name that it had before the rule was renamed.
        seed=seeds.derive(seed, "regression", "fit", model),
    )
    for name, table in tables.items():
        write_csv(table, output[name])


run(main, globals())
