"""Simulation-based calibration of the reference model: ranks and their uniformity."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.files.tables import logged, read_table, write_csv
from saturation.regression import calibration, gate
from saturation.regression import sampler as regression_sampler
from saturation.regression.design import Design
from saturation.regression.priors import Priors


def main(
    design: Path,
    outputs: Mapping[str, Path],
    *,
    specification: Mapping[str, Any],
    simulations: int,
    ranked: int,
    effort: Mapping[str, int],
    seed: int,
    cores: int,
) -> None:
    built = Design.from_table(read_table(design))
    priors = Priors(**specification["priors"])
    sampler = regression_sampler.Sampler(specification["likelihood"], len(built.columns), cores)
    tables = []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "regression", "calibration", simulation)
        truth, outcome = calibration.simulated(built.matrix, priors, rng)
        posterior = sampler.draw(
            replace(built, outcome=outcome),
            priors,
            regression_sampler.Effort(**effort),
            int(rng.integers(2**31)),
        )
        draws, names = gate.parameters(posterior)
        ranks = calibration.ranks(truth, draws.reshape(len(names), -1), ranked)
        tables.append(pd.DataFrame({"simulation": simulation, "parameter": names, "rank": ranks}))
    table = pd.concat(tables, ignore_index=True)
    write_csv(table, outputs["ranks"])
    write_csv(calibration.uniformity(table, ranked), outputs["uniformity"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            {name: Path(path) for name, path in snakemake.output.items()},
            specification=snakemake.params.specification,
            simulations=snakemake.params.simulations,
            ranked=snakemake.params.ranked,
            effort=snakemake.params.effort,
            seed=snakemake.params.seed,
            cores=snakemake.threads,
        )
