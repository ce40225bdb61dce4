"""Full posterior of the 2PL model by NUTS, with diagnostics; for small banks.

The priors are hierarchical after Natesan et al. (2016): ability standard normal, log slope and
difficulty normal with means, standard deviations and a correlation of their own.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive.model import MISSING, Floats, Responses
from saturation.errors import InputError

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
    # Loaded where it samples: the gate and the summary need no sampler.
    import pymc as pm

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
    posterior = {
        name: trace.posterior[name].to_numpy()
        for name in ("ability", "log_discrimination", "difficulty")
    }
    return _standardised(posterior), int(trace.sample_stats["diverging"].to_numpy().sum())


def summary(draws: Draws) -> pd.DataFrame:
    """Mean, standard deviation, rank-normalised R-hat and bulk ESS of every parameter."""
    from arviz_stats import base

    statistics: Any = base.array_stats

    rows = []
    for name, values in draws.items():
        for index, chains in enumerate(np.moveaxis(values, 2, 0)):
            rows.append(
                {
                    "parameter": name,
                    "index": index,
                    "mean": float(chains.mean()),
                    "sd": float(chains.std()),
                    "r_hat": float(statistics.rhat(chains, chain_axis=0, draw_axis=1)),
                    "ess_bulk": float(statistics.ess(chains, chain_axis=0, draw_axis=1)),
                }
            )
    return pd.DataFrame(rows)


def diagnostics(table: pd.DataFrame, divergences: int) -> dict[str, float]:
    """The worst of the sampling."""
    return {
        "divergences": divergences,
        "largest_r_hat": float(table["r_hat"].max()),
        "smallest_ess_bulk": float(table["ess_bulk"].min()),
    }


def gate(worst: Mapping[str, float], settings: Mapping[str, Any]) -> None:
    """Refuse a posterior whose sampling went wrong."""
    broken = []
    if worst["divergences"] > settings["most_divergences"]:
        broken.append(
            f"{worst['divergences']} divergent transitions; allowed {settings['most_divergences']}"
        )
    if worst["largest_r_hat"] > settings["largest_r_hat"]:
        broken.append(f"R-hat {worst['largest_r_hat']:.3f}; allowed {settings['largest_r_hat']}")
    if worst["smallest_ess_bulk"] < settings["least_ess"]:
        broken.append(f"bulk ESS {worst['smallest_ess_bulk']:.0f}; needed {settings['least_ess']}")
    if broken:
        raise InputError(
            [f"posterior: {limit}; raise adaptive.posterior.draws" for limit in broken]
        )


def require_small(responses: Responses, largest_cells: int, file: str) -> None:
    """Refuse a bank that is too large for the full posterior."""
    if responses.size > largest_cells:
        raise InputError(
            f"{file}: {responses.size} cells; the full posterior is for at most {largest_cells} "
            "(config key adaptive.posterior.largest_cells)"
        )


def _standardised(draws: Draws) -> Draws:
    ability = draws["ability"]
    centre = ability.mean(axis=2, keepdims=True)
    spread = ability.std(axis=2, keepdims=True)
    return {
        "ability": (ability - centre) / spread,
        "log_discrimination": draws["log_discrimination"] + np.log(spread),
        "difficulty": (draws["difficulty"] - centre) / spread,
    }
