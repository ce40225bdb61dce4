"""Exact refits of a model without the benchmarks whose importance sampling cannot be trusted."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from saturation import seeds
from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.regression import refits as exact
from saturation.regression.design import Design
from saturation.regression.gate import Gate
from saturation.regression.schemas import DESIGN, LEFT_OUT
from saturation.regression.specification import Effort, Specification

if TYPE_CHECKING:
    from saturation.regression.posterior import Sampler


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
    model: str,
    chunk: str,
) -> None:
    specified = Specification.of(specification)
    design = Design.from_table(read(inputs["design"], DESIGN))
    loo = read(inputs["loo"], LEFT_OUT)

    def sampler() -> "Sampler":
        # PyMC is only loaded by the chunks that refit.
        from saturation.regression.posterior import Sampler

        return Sampler(specified.likelihood, len(design.columns))

    table = exact.refits(
        design,
        specified,
        exact.left_out(loo, refits["pareto_k"], int(chunk), refits["chunks"]),
        sampler,
        effort=Effort(refits["draws"], refits["tune"], refits["chains"]),
        limits=Gate(refits["rhat"], refits["ess"], divergences),
        seed=seeds.derive(seed, "regression", "refits", model),
    )
    write_csv(table, output["files"])


run(main, globals())
