"""The shared numbers of the model of records, sampled: what Laplace's approximation is checked by.

The same density as in :mod:`saturation.forecast.models`, written in PyMC and drawn with NUTS; the
rates and steps of single benchmarks are integrated out there too.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.errors import InputError
from saturation.forecast import models
from saturation.forecast.models import PRIOR_MEAN, PRIOR_SD, SHARED, Evidence, shared_posterior
from saturation.statistics import intervals

Floats = NDArray[np.float64]
CHECK = [
    "parameter", "laplace_mean", "laplace_sd", "sampled_mean", "sampled_sd", "rhat", "ess",
    "divergences",
]  # fmt: skip
BENCHMARKS, MONTHS = 30, 24
SIMULATIONS, RANKED = 300, 99


@dataclass(frozen=True)
class Effort:
    """How much is drawn, and what is demanded of it."""

    chains: int = 4
    tune: int = 1000
    draws: int = 1000
    rhat: float = 1.01
    ess: float = 400


def compiled(benchmarks: int) -> Any:
    """The model of as many benchmarks, ready for the sampler; their evidence is put in later."""
    import nutpie
    import pymc as pm
    from pytensor.tensor import gammaln

    with pm.Model() as model:
        log_a, log_rate, log_b, log_step, log_shape = (
            pm.Normal(name, mean, sd)
            for name, mean, sd in zip(SHARED, PRIOR_MEAN, PRIOR_SD, strict=True)
        )
        a, b, shape = (pm.math.exp(value) for value in (log_a, log_b, log_shape))
        by_rate, by_step = pm.math.exp(log_a - log_rate), pm.math.exp(log_b + log_step - log_shape)
        count, months, rise, log_rise = (
            pm.Data(name, np.ones(benchmarks)) for name in Evidence._fields
        )
        # A negative binomial count of records in the months that were watched ...
        counts = (
            gammaln(a + count) - gammaln(a) + a * pm.math.log(by_rate)
            - (a + count) * pm.math.log(by_rate + months)
        )  # fmt: skip
        # ... and a rise that is beta prime, given the count.
        total = b + shape * count
        steps = (
            (shape - 1) * log_rise - count * gammaln(shape) + gammaln(total)
            - gammaln(b) + b * pm.math.log(by_step) - total * pm.math.log(by_step + rise)
        )  # fmt: skip
        pm.Potential("evidence", counts.sum() + steps.sum())
    return nutpie.compile_pymc_model(model)


def sampled(model: Any, found: Evidence, effort: Effort, seed: int) -> tuple[Floats, int]:
    """Draws of the logarithms of the shared numbers."""
    import nutpie

    trace = nutpie.sample(
        model.with_data(**found._asdict()),
        chains=effort.chains, tune=effort.tune, draws=effort.draws, cores=1, seed=seed,
        save_warmup=False, progress_bar=False,
    )  # fmt: skip
    draws = np.stack([trace.posterior[name].to_numpy() for name in SHARED], axis=-1)
    return draws, int(trace.sample_stats["diverging"].sum())


def check(model: Any, found: Evidence, effort: Effort, seed: int) -> pd.DataFrame:
    """Laplace's approximation beside the sampled posterior."""
    import arviz_stats.base

    array_stats: Any = arviz_stats.base.array_stats
    draws, divergences = sampled(model, found, effort, seed)
    mode, covariance = shared_posterior(found)
    flat = draws.reshape(-1, len(SHARED))
    table = pd.DataFrame(
        {
            "parameter": SHARED,
            "laplace_mean": mode,
            "laplace_sd": np.sqrt(np.diag(covariance)),
            "sampled_mean": flat.mean(axis=0),
            "sampled_sd": flat.std(axis=0, ddof=1),
            "rhat": [float(array_stats.rhat(draws[:, :, j])) for j in range(len(SHARED))],
            "ess": [float(array_stats.ess(draws[:, :, j])) for j in range(len(SHARED))],
            "divergences": divergences,
        }
    )[CHECK]
    short = (table["rhat"] > effort.rhat) | (table["ess"] < effort.ess)
    if divergences or short.any():
        raise InputError(
            f"forecast: the sampler is not to be trusted: {divergences} divergences, R-hat up to "
            f"{table['rhat'].max():.3f}, effective draws from {table['ess'].min():.0f}; sample more"
        )
    return table


EFFORT = Effort(chains=2, tune=500, draws=500)


def simulated(rng: np.random.Generator) -> tuple[Floats, models.Evidence]:
    """Log shared numbers drawn from their prior, and evidence drawn from them."""
    truth = rng.normal(models.PRIOR_MEAN, models.PRIOR_SD)
    a, rate, b, step, shape = np.exp(truth)
    often = rng.gamma(a, rate / a, BENCHMARKS)
    count = rng.poisson(often * MONTHS)
    steepness = rng.gamma(b, shape / (b * step), BENCHMARKS)
    each = [rng.gamma(shape, 1 / rho, n) for n, rho in zip(count, steepness, strict=True)]
    # A gamma of a small shape may be too small for a number.
    logs = [np.log(np.maximum(steps, 1e-300)).sum() for steps in each]
    found = models.Evidence(
        count.astype(float), np.full(BENCHMARKS, float(MONTHS)),
        np.array([steps.sum() for steps in each]), np.array(logs),
    )  # fmt: skip
    return truth, found


def calibrated(simulations: int, seed: int) -> pd.DataFrame:
    """Ranks of the shared numbers over data sets simulated from the prior.

    ``simulation, parameter, rank``; a rank is among `RANKED` thinned draws.
    """
    model = compiled(BENCHMARKS)
    tables = []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "forecast", "calibration", simulation)
        truth, found = simulated(rng)
        draws, _ = sampled(model, found, EFFORT, int(rng.integers(2**31)))
        rank = intervals.simulation_ranks(truth, draws.reshape(-1, len(truth)).T, RANKED)
        tables.append(
            pd.DataFrame({"simulation": simulation, "parameter": models.SHARED, "rank": rank})
        )
    return pd.concat(tables, ignore_index=True)
