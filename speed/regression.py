"""Effective draws a second: nutpie on our density against PyMC's default sampler, on one model.

    python speed/regression.py results/regression/main/design.csv benchmark.json

Both sample the main model with the priors of config/config.yaml, the same draws, tuning steps and
chains, in one run; PyMC's chains on two cores, ours on one. The ratio is given with and without
compiling. PyMC's default compiles C and needs a compiler.
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pymc as pm
import yaml

from saturation.files.stages import read
from saturation.files.tables import write_json
from saturation.regression import gate, kernel, model, posterior
from saturation.regression.convergence import convergence
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, Specification

ROOT = Path(__file__).parents[1]
CORES = 2


def main(table: Path, output: Path) -> None:
    """Time both samplers and write the comparison."""
    settings = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())["regression"]
    specification = Specification.of(settings["models"]["main"])
    design = Design.from_table(read(table, DESIGN))
    effort = Effort(**settings["sampling"])
    ours = _nutpie(design, specification, effort)
    default = _pymc(design, specification.likelihood, specification.priors, effort)
    ratios = {
        key: ours["least_ess"] / ours[key] / (default["least_ess"] / default[key])
        for key in ("seconds_sampling", "seconds_with_compiling")
    }
    result = {"nutpie": ours, "pymc": default, "ess_per_second_ratio": ratios, "cores": CORES}
    write_json(result, output)
    print(json.dumps(result, indent=2))


def _nutpie(design: Design, specification: Specification, effort: Effort) -> dict[str, float]:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as empty:
        vars(numba.config)["CACHE_DIR"] = empty
        kernel.compiled()
    compiled = time.perf_counter()
    posterior.draw(design, specification, replace(effort, draws=20, tune=20), seed=1)
    ready = time.perf_counter()
    draws = posterior.draw(design, specification, effort, seed=1)
    sampling = time.perf_counter() - ready
    ess = float(gate.diagnostics(draws)["ess_bulk"].min())
    return _timed(ess, sampling, compiled - start + sampling)


def _pymc(design: Design, likelihood: str, priors: Priors, effort: Effort) -> dict[str, float]:
    rotation = posterior.basis(design.matrix, priors)
    start = time.perf_counter()
    shrinks = np.ones(len(design.columns))
    with model.model(
        design.matrix @ rotation, design.outcome, likelihood, shrinks=shrinks, spread=priors.spread
    ):
        trace = pm.sample(
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=CORES,
            random_seed=1,
            progressbar=False,
            compute_convergence_checks=False,
        )
    end = time.perf_counter()
    coefficient = trace.posterior["rotated"].to_numpy() @ rotation.T
    draws = np.concatenate([coefficient, trace.posterior["spread"].to_numpy()[..., None]], axis=-1)
    ess = convergence(np.moveaxis(draws, -1, 0)).ess_bulk
    return _timed(float(ess.min()), trace.posterior.attrs["sampling_time"], end - start)


def _timed(ess: float, sampling: float, whole: float) -> dict[str, float]:
    return {
        "least_ess": ess,
        "seconds_sampling": sampling,
        "seconds_with_compiling": whole,
        "ess_per_second_sampling": ess / sampling,
        "ess_per_second_with_compiling": ess / whole,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
