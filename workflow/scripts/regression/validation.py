"""Fit in and out of sample, coefficients and predictive checks of every model of the run."""

from collections.abc import Mapping, Sequence
from typing import Any

from saturation import seeds
from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import read_netcdf, write_csv
from saturation.regression import validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws
from saturation.regression.schemas import DESIGN, MEASURES, PREDICTIONS, REFITS
from saturation.regression.specification import specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    saturated_from: float,
    bootstrap: int,
    schemes: Mapping[str, Sequence[str]],
    seed: int,
) -> None:
    designs = read_each(inputs.each("designs"), DESIGN)
    # Model after model, each in all ways in which benchmarks leave it.
    held_out = zip(
        read_each(inputs.each("predictions"), PREDICTIONS),
        read_each(inputs.each("measures"), MEASURES),
        read_each(inputs.each("refits"), REFITS),
        strict=True,
    )
    for place, (name, specification) in enumerate(specifications(models).items()):
        tables = validation.tables(
            Design.from_table(designs[place]),
            Draws.of(read_netcdf(inputs.each("posteriors")[place])),
            {scheme: validation.HeldOut(*next(held_out)) for scheme in schemes[name]},
            specification,
            saturated_from=saturated_from,
            bootstrap=bootstrap,
            # The seed keeps the name that it had before the rule was renamed.
            seed=seeds.derive(seed, "regression", "fit", name),
        )
        for kind, table in tables.items():
            write_csv(table, output.each(kind)[place])


run(main, globals())
