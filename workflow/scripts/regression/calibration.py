"""Simulation-based calibration of the reference model: ranks and their uniformity."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import write_csv
from studies.files.stages import Paths, read, run
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS
from studies.regression import posterior, validation
from studies.regression.priors import Effort
from studies.regression.study import Settings, designs


def main(
    inputs: Paths,
    output: Paths,
    *,
    settings: Mapping[str, Any],
    simulations: int,
    ranked: int,
    **effort: int,
) -> None:
    settled = Settings.parse(settings)
    tables = read(inputs["benchmarks"], PREPARED_BENCHMARKS), read(inputs["index"], INDEX)
    design = designs(*tables, settled)[settled.reference_model]
    specification = settled.specifications[settled.reference_model]
    ranks = validation.calibrated(
        posterior.sampler(design, specification),
        design,
        specification.priors,
        Effort(**effort),
        simulations=simulations,
        ranked=ranked,
        seed=settled.seed,
    )
    write_csv(ranks, output["ranks"])
    write_csv(validation.rank_uniformity(ranks, ranked), output["uniformity"])


run(main, globals())
