"""How well a fit recovers the truth of a synthetic bank."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from saturation.statistics import intervals

_QUANTILE = intervals.normal_quantile(0.95)


def recovery(
    items: pd.DataFrame, abilities: pd.DataFrame, true_items: pd.DataFrame, truth: pd.DataFrame
) -> pd.DataFrame:
    """Correlation, RMSE and coverage of the 95 % intervals for each kind of parameter.

    Discrimination is compared in logs, where its error is symmetric.

    Parameters
    ----------
    items, abilities
        The fit: `discrimination`, `difficulty`, `ability`, each with its `_se`.
    true_items, truth
        The truth in the same order, on the fit's scale: abilities have mean 0 and standard
        deviation 1.
    """
    slope = items["discrimination"]
    compared = {
        "ability": (truth["ability"], abilities["ability"], abilities["ability_se"]),
        "log_discrimination": (
            np.log(true_items["discrimination"]),
            np.log(slope),
            items["discrimination_se"] / slope,
        ),
        "difficulty": (true_items["difficulty"], items["difficulty"], items["difficulty_se"]),
    }
    rows = []
    for name, (true, estimate, se) in compared.items():
        error = estimate - true
        rows.append(
            {
                "parameter": name,
                "n": len(true),
                "correlation": float(np.corrcoef(true, estimate)[0, 1]),
                "rmse": float(np.sqrt(np.mean(error**2))),
                "mean_se": float(np.mean(se)),
                "coverage_95": float(np.mean(np.abs(error) <= _QUANTILE * se)),
            }
        )
    return pd.DataFrame(rows)


def agreement(posterior: pd.DataFrame, fitted: Mapping[str, pd.Series]) -> pd.DataFrame:
    """Posterior means beside the MAP fit, by kind of parameter.

    Parameters
    ----------
    posterior
        Rows `parameter, index, mean, sd`.
    fitted
        MAP estimates by parameter, in the index's order.
    """
    rows = []
    for name, values in fitted.items():
        drawn = posterior[posterior["parameter"] == name].sort_values("index")
        mean, spread = drawn["mean"].to_numpy(float), drawn["sd"].to_numpy(float)
        difference = values.to_numpy() - mean
        rows.append(
            {
                "parameter": name,
                "n": len(drawn),
                "correlation": float(np.corrcoef(values, mean)[0, 1]),
                "rms_difference": float(np.sqrt(np.mean(difference**2))),
                "mean_posterior_sd": float(spread.mean()),
                "share_within_two_sd": float(np.mean(np.abs(difference) < 2 * spread)),
            }
        )
    return pd.DataFrame(rows)
