"""Simulation-based calibration of the reference model: ranks and their uniformity."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import calibration, files, regression, regression_gate, seeds
from saturation.regression_design import Design
from saturation.regression_priors import Priors


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
    built = Design.from_table(files.read_table(design))
    priors = Priors(**specification["priors"])
    sampler = regression.Sampler(specification["likelihood"], len(built.columns), cores)
    tables = []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "regression", "calibration", simulation)
        truth, outcome = calibration.simulated(built.matrix, priors, rng)
        posterior = sampler.draw(
            replace(built, outcome=outcome),
            priors,
            regression.Effort(**effort),
            int(rng.integers(2**31)),
        )
        draws, names = regression_gate.parameters(posterior)
        ranks = calibration.ranks(truth, draws.reshape(len(names), -1), ranked)
        tables.append(pd.DataFrame({"simulation": simulation, "parameter": names, "rank": ranks}))
    table = pd.concat(tables, ignore_index=True)
    files.write_csv(table, outputs["ranks"])
    files.write_csv(calibration.uniformity(table, ranked), outputs["uniformity"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
