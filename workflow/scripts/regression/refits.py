"""Held-out predictions of models by exact refits, one benchmark left out at a time."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import write_csv
from saturation.regression import refits as exact
from saturation.regression.design import Design
from saturation.regression.posterior import draw
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
    **_wildcards: str,
) -> None:
    designs = map(Design.from_table, read_each(inputs.each("designs"), DESIGN))
    held = exact.of_models(
        dict(zip(models, designs, strict=True)),
        specifications(models),
        exact.SINGLY,
        draw,
        refits=refits,
        divergences=divergences,
        seed=seed,
    )
    for place, tables in enumerate(held.values()):
        for kind, table in vars(tables).items():
            write_csv(table, output.each(kind)[place])


run(main, globals())
