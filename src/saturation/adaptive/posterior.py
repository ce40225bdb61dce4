"""Full posterior of the 2PL model by NUTS, with diagnostics; for small banks.

The priors are hierarchical after Natesan et al. (2016): ability standard normal, log slope and
difficulty normal with means, standard deviations and a correlation of their own.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from saturation.adaptive.model import MISSING, Responses
from saturation.errors import InputError

if TYPE_CHECKING:
    import pymc as pm
    import xarray as xr

# Above the usual 0.8: the spreads' funnels want shorter steps.
TARGET_ACCEPT = 0.95
PARAMETERS = ["ability", "log_discrimination", "difficulty"]


def model(responses: Responses) -> "pm.Model":
    """The hierarchical two-parameter model of a bank, with its priors."""
    # Loaded where it samples: the gate and the summary need no sampler.
    import pymc as pm

    respondents, items = np.nonzero(responses != MISSING)
    coords = {
        "respondent": np.arange(responses.shape[0]),
        "item": np.arange(responses.shape[1]),
    }
    with pm.Model(coords=coords) as built:
        slope_mean = pm.Normal("slope_mean", 0.0, 1.0)
        slope_sd = pm.HalfNormal("slope_sd", 0.5)
        difficulty_mean = pm.Normal("difficulty_mean", 0.0, 2.0)
        difficulty_sd = pm.HalfNormal("difficulty_sd", 2.0)
        # Away from -1 and 1, where the geometry is sharp (the margin of an LKJ prior with eta 2).
        share = pm.Beta("correlation_share", 2.0, 2.0)
        correlation = pm.Deterministic("correlation", 2 * share - 1)
        ability = pm.Normal("ability", 0.0, 1.0, dims="respondent")
        raw_slope = pm.Normal("raw_slope", 0.0, 1.0, dims="item")
        raw_difficulty = pm.Normal("raw_difficulty", 0.0, 1.0, dims="item")
        slope = pm.Deterministic(
            "log_discrimination", slope_mean + slope_sd * raw_slope, dims="item"
        )
        difficulty = pm.Deterministic(
            "difficulty",
            difficulty_mean
            + difficulty_sd
            * (correlation * raw_slope + pm.math.sqrt(1 - correlation**2) * raw_difficulty),
            dims="item",
        )
        logit = pm.math.exp(slope)[items] * (ability[respondents] - difficulty[items])
        pm.Bernoulli("right", logit_p=logit, observed=responses[respondents, items])
    return built


def sample(responses: Responses, *, draws: int, tune: int, chains: int, seed: int) -> "xr.DataTree":
    """Posterior by nutpie's NUTS: groups ``posterior`` and ``sample_stats``, as ArviZ has them.

    It is on a scale on which the abilities of every draw have mean 0 and standard deviation 1.
    Nothing in it tells the time.
    """
    import pymc as pm
    import xarray as xr

    with model(responses):
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
    groups = {
        "posterior": standardised(trace.posterior[PARAMETERS]),
        "sample_stats": trace.sample_stats[["diverging", "step_size", "n_steps"]],
    }
    return xr.DataTree.from_dict({name: group.drop_attrs() for name, group in groups.items()})


def summary(posterior: "xr.Dataset") -> pd.DataFrame:
    """Mean, standard deviation, rank-normalised R-hat and bulk ESS of every parameter."""
    import arviz_stats

    # Any: its functions have no types.
    diagnosed: Any = arviz_stats
    found = {
        "mean": posterior.mean(["chain", "draw"]),
        "sd": posterior.std(["chain", "draw"]),
        "r_hat": diagnosed.rhat(posterior),
        "ess_bulk": diagnosed.ess(posterior),
    }
    tables = []
    for name in posterior.data_vars:
        columns = {statistic: values[name].to_numpy() for statistic, values in found.items()}
        table = pd.DataFrame(columns).reset_index()
        table.insert(0, "parameter", str(name))
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def diagnostics(table: pd.DataFrame, drawn: "xr.DataTree") -> dict[str, float]:
    """The worst of the sampling."""
    return {
        "divergences": int(drawn["sample_stats"]["diverging"].sum()),
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


def standardised(posterior: "xr.Dataset") -> "xr.Dataset":
    """Draws on the scale on which the abilities of each have mean 0 and standard deviation 1."""
    centre = posterior["ability"].mean("respondent")
    spread = posterior["ability"].std("respondent")
    return posterior.assign(
        ability=(posterior["ability"] - centre) / spread,
        log_discrimination=posterior["log_discrimination"] + np.log(spread),
        difficulty=(posterior["difficulty"] - centre) / spread,
    )
