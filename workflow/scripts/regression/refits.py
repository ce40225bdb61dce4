"""Held-out predictions of one model by exact refits: in folds, or one benchmark at a time."""

from collections.abc import Mapping
from typing import Any

from saturation import seeds
from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.regression import refits as exact
from saturation.regression.design import Design
from saturation.regression.gate import Gate
from saturation.regression.posterior import draw
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, Specification


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
    model: str,
    scheme: str,
) -> None:
    design = Design.from_table(read(inputs["design"], DESIGN))
    held = exact.held_out(
        design,
        Specification.of(specification),
        exact.fold_of_rows(design.benchmark, scheme, refits["folds"], seed),
        draw,
        effort=Effort(refits["draws"], refits["tune"], refits["chains"]),
        limits=Gate(refits["rhat"], refits["ess"], divergences),
        seed=seeds.derive(seed, "regression", "refits", model, scheme),
    )
    for name, table in vars(held).items():
        write_csv(table, output[name])


run(main, globals())
