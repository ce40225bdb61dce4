"""Held-out predictions of models by exact refits: in folds, or one benchmark at a time."""

from collections.abc import Mapping
from typing import Any

from saturation import seeds
from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import write_csv
from saturation.regression import refits as exact
from saturation.regression.design import Design
from saturation.regression.gate import Gate
from saturation.regression.posterior import draw
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
    scheme: str,
    **_wildcards: str,
) -> None:
    tables = read_each(inputs.each("designs"), DESIGN)
    for place, (name, specification) in enumerate(specifications(models).items()):
        design = Design.from_table(tables[place])
        held = exact.held_out(
            design,
            specification,
            exact.fold_of_rows(design.benchmark, scheme, refits["folds"], seed),
            draw,
            effort=Effort(refits["draws"], refits["tune"], refits["chains"]),
            limits=Gate(refits["rhat"], refits["ess"], divergences),
            seed=seeds.derive(seed, "regression", "refits", name, scheme),
        )
        for kind, table in vars(held).items():
            write_csv(table, output.each(kind)[place])


run(main, globals())
