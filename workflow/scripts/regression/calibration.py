"""Simulation-based calibration of the reference model: ranks and their uniformity."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.regression import calibration
from saturation.regression.design import Design
from saturation.regression.posterior import draw
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, Specification
from saturation.statistics.simulation_ranks import uniformity


def main(
    inputs: Paths,
    output: Paths,
    *,
    specification: Mapping[str, Any],
    simulations: int,
    ranked: int,
    effort: Mapping[str, int],
    seed: int,
) -> None:
    design = Design.from_table(read(inputs["design"], DESIGN))
    ranks = calibration.calibrated(
        design,
        Specification.of(specification),
        draw,
        Effort(**effort),
        simulations=simulations,
        ranked=ranked,
        seed=seed,
    )
    write_csv(ranks, output["ranks"])
    write_csv(uniformity(ranks, ranked), output["uniformity"])


run(main, globals())
