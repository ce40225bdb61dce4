"""Effective draws a second of one model: nutpie against PyMC's default sampler.

    python speed/regression.py results/plateau benchmark.json

Both sample the main model of config/config.yaml, the same draws, tuning steps and chains, in one
run; PyMC's chains on two cores, nutpie's on one. The ratio is given with and without compiling.
PyMC's default compiles C and needs a compiler.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pymc as pm
import xarray as xr
import yaml

from saturation.files.stages import read
from saturation.files.tables import write_json
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS
from studies.regression import posterior
from studies.regression.design import Design
from studies.regression.model import model
from studies.regression.priors import Effort, Specification
from studies.regression.study import Settings, designs

ROOT = Path(__file__).parents[1]
CORES = 2


def main(folder: Path, output: Path) -> None:
    """Time both samplers and write the comparison."""
    section = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())["regression"]
    specification = Specification.parse(section["models"]["main"])
    settings = Settings({"main": specification}, "main", section["missing"])
    benchmarks = read(folder / "inputs" / "benchmarks.csv", PREPARED_BENCHMARKS)
    design = designs(benchmarks, read(folder / "index.csv", INDEX), settings)["main"]
    effort = Effort(**section["sampling"])
    ours, default = _nutpie(design, specification, effort), _pymc(design, specification, effort)
    ratios = {
        key: ours["least_ess"] / ours[key] / (default["least_ess"] / default[key])
        for key in ("seconds_sampling", "seconds_with_compiling")
    }
    result = {"nutpie": ours, "pymc": default, "ess_per_second_ratio": ratios, "cores": CORES}
    write_json(result, output)
    print(json.dumps(result, indent=2))


def _nutpie(design: Design, specification: Specification, effort: Effort) -> dict[str, float]:
    start = time.perf_counter()
    draw = posterior.sampler(design, specification)
    ready = time.perf_counter()
    draws = draw(design, 1, effort)
    end = time.perf_counter()
    return _timed(draws, end - ready, end - start)


def _pymc(design: Design, specification: Specification, effort: Effort) -> dict[str, float]:
    start = time.perf_counter()
    with model(design, specification):
        trace: Any = pm.sample(
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=CORES,
            random_seed=1,
            progressbar=False,
            compute_convergence_checks=False,
        )
    end = time.perf_counter()
    groups = {"posterior": trace.posterior, "sample_stats": trace.sample_stats}
    draws = xr.DataTree.from_dict(groups)
    return _timed(draws, trace.posterior.attrs["sampling_time"], end - start)


def _timed(draws: xr.DataTree, sampling: float, whole: float) -> dict[str, float]:
    ess = float(posterior.diagnostics(draws)["ess_bulk"].min())
    return {
        "least_ess": ess,
        "seconds_sampling": sampling,
        "seconds_with_compiling": whole,
        "ess_per_second_sampling": ess / sampling,
        "ess_per_second_with_compiling": ess / whole,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
