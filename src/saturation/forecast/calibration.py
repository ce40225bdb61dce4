"""Simulation-based calibration of the sampled model of records.

Shared numbers from their prior, benchmarks and records from them, and the posterior of these: the
ranks of the true numbers are uniform if the sampler returns what the model implies
(:mod:`saturation.statistics.simulation_ranks`).
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.forecast import full, records
from saturation.statistics import simulation_ranks

Floats = NDArray[np.float64]

BENCHMARKS, MONTHS = 30, 24
SIMULATIONS, RANKED = 300, 99
EFFORT = full.Effort(chains=2, tune=500, draws=500)


def simulated(rng: np.random.Generator) -> tuple[Floats, records.Evidence]:
    """Logarithms of the shared numbers from their prior, and the evidence of benchmarks of theirs.

    Parameters
    ----------
    rng
        Random numbers.
    """
    truth = rng.normal(records.PRIOR_MEAN, records.PRIOR_SD)
    a, rate, b, step, shape = np.exp(truth)
    often = rng.gamma(a, rate / a, BENCHMARKS)
    count = rng.poisson(often * MONTHS)
    steepness = rng.gamma(b, shape / (b * step), BENCHMARKS)
    each = [rng.gamma(shape, 1 / rho, n) for n, rho in zip(count, steepness, strict=True)]
    # A gamma of a small shape may be too small for a number.
    logs = [np.log(np.maximum(steps, 1e-300)).sum() for steps in each]
    found = records.Evidence(
        count.astype(float), np.full(BENCHMARKS, float(MONTHS)),
        np.array([steps.sum() for steps in each]), np.array(logs),
    )  # fmt: skip
    return truth, found


def calibrated(simulations: int, seed: int) -> pd.DataFrame:
    """Ranks of the shared numbers over data sets simulated from the prior.

    Parameters
    ----------
    simulations
        Number of data sets.
    seed
        The config's seed.

    Returns
    -------
    pandas.DataFrame
        ``simulation, parameter, rank``; a rank is among `RANKED` thinned draws.
    """
    model = full.compiled(BENCHMARKS)
    tables = []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "forecast", "calibration", simulation)
        truth, found = simulated(rng)
        draws, _ = full.sampled(model, found, EFFORT, int(rng.integers(2**31)))
        rank = simulation_ranks.ranks(truth, draws.reshape(-1, len(truth)).T, RANKED)
        tables.append(
            pd.DataFrame({"simulation": simulation, "parameter": records.SHARED, "rank": rank})
        )
    return pd.concat(tables, ignore_index=True)
