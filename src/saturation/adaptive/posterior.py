"""Full posterior of the 2PL model by NUTS, with diagnostics; for small banks.

The priors are hierarchical after Natesan et al. (2016): ability standard normal, log slope and
difficulty normal with means, standard deviations and a correlation of their own.
"""

import numpy as np
import pandas as pd
import pymc as pm
from arviz_stats.base import array_stats

from saturation.adaptive.model import MISSING, Floats, Responses

Draws = dict[str, Floats]

# Above the usual 0.8: the spreads' funnels want shorter steps.
TARGET_ACCEPT = 0.95


def sample(
    responses: Responses, *, draws: int, tune: int, chains: int, seed: int
) -> tuple[Draws, int]:
    """Draw from the posterior with nutpie.

    Returns
    -------
    tuple
        Draws by parameter (chains, draws, parameter) on a scale on which the abilities of every
        draw have mean 0 and standard deviation 1, and the number of divergent transitions.
    """
    persons, items = np.nonzero(responses != MISSING)
    with pm.Model():
        slope_mean = pm.Normal("slope_mean", 0.0, 1.0)
        slope_sd = pm.HalfNormal("slope_sd", 0.5)
        difficulty_mean = pm.Normal("difficulty_mean", 0.0, 2.0)
        difficulty_sd = pm.HalfNormal("difficulty_sd", 2.0)
        # Away from -1 and 1, where the geometry is sharp (the margin of an LKJ prior with eta 2).
        correlation = 2 * pm.Beta("correlation_share", 2.0, 2.0) - 1
        ability = pm.Normal("ability", 0.0, 1.0, shape=responses.shape[0])
        raw_slope = pm.Normal("raw_slope", 0.0, 1.0, shape=responses.shape[1])
        raw_difficulty = pm.Normal("raw_difficulty", 0.0, 1.0, shape=responses.shape[1])
        slope = pm.Deterministic("log_discrimination", slope_mean + slope_sd * raw_slope)
        difficulty = pm.Deterministic(
            "difficulty",
            difficulty_mean
            + difficulty_sd
            * (correlation * raw_slope + pm.math.sqrt(1 - correlation**2) * raw_difficulty),
        )
        logit = pm.math.exp(slope)[items] * (ability[persons] - difficulty[items])
        pm.Bernoulli("right", logit_p=logit, observed=responses[persons, items])
        trace = pm.sample(
            draws=draws,
            tune=tune,
            chains=chains,
            cores=1,
            random_seed=seed,
            target_accept=TARGET_ACCEPT,
            nuts_sampler="nutpie",
            progressbar=False,
        )
    found = {
        name: trace.posterior[name].to_numpy()
        for name in ("ability", "log_discrimination", "difficulty")
    }
    return _standardised(found), int(trace.sample_stats["diverging"].to_numpy().sum())


def summary(draws: Draws) -> pd.DataFrame:
    """Mean, standard deviation, rank-normalised R-hat and bulk ESS of every parameter."""
    rows = []
    for name, values in draws.items():
        for index in range(values.shape[2]):
            one = values[:, :, index]
            rows.append(
                {
                    "parameter": name,
                    "index": index,
                    "mean": float(one.mean()),
                    "sd": float(one.std()),
                    "r_hat": float(array_stats.rhat(one, chain_axis=0, draw_axis=1)),
                    "ess_bulk": float(array_stats.ess(one, chain_axis=0, draw_axis=1)),
                }
            )
    return pd.DataFrame(rows)


def _standardised(draws: Draws) -> Draws:
    ability = draws["ability"]
    centre = ability.mean(axis=2, keepdims=True)
    spread = ability.std(axis=2, keepdims=True)
    return {
        "ability": (ability - centre) / spread,
        "log_discrimination": draws["log_discrimination"] + np.log(spread),
        "difficulty": (draws["difficulty"] - centre) / spread,
    }
