"""Figures of the joint regression over all models of the default run."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, read_each, run
from saturation.files.tables import read_netcdf, write_figures
from saturation.pages import style
from saturation.regression import figures, schemas
from saturation.regression.design import Design
from saturation.regression.specification import specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    saturated_from: float,
) -> None:
    specified = specifications(models)
    coefficients, checks, diagnostics, designs = (
        dict(zip(specified, read_each(inputs.each(name), schema), strict=True))
        for name, schema in (
            ("coefficients", schemas.COEFFICIENTS),
            ("checks", schemas.CHECKS),
            ("diagnostics", schemas.DIAGNOSTICS),
            ("designs", schemas.DESIGN),
        )
    )
    fitted = figures.Fitted(
        coefficients,
        checks,
        diagnostics,
        {name: Design.from_table(table) for name, table in designs.items()},
        dict(zip(specified, map(read_netcdf, inputs.each("posteriors")), strict=True)),
    )
    with style.style():
        drawn = figures.all_figures(
            specified,
            fitted,
            read(inputs["fit"], schemas.FIT),
            read(inputs["permutations"], schemas.PERMUTATIONS),
            read(inputs["located"], schemas.LOCATED),
            saturated_from,
        )
        write_figures(drawn, output.each("files"))


run(main, globals())
