"""Give the probability that a best score reaches a target within a year: past rises, resampled.

The rises of all benchmarks that were still scored, in logits and within as many months, are the
distribution of the rise to come. Nothing is fitted. A benchmark's own pace does not count.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from saturation.arrays import Floats
from saturation.forecast.names import TARGET
from saturation.forecast.series import ASLEEP, FEWEST_DATES

# Shares nearer to 0 or 1 than this count as that near: 1 of 200 questions.
EDGE = 0.005


def logits(shares: ArrayLike) -> Floats:
    """Convert shares to logits, at most `EDGE` from 0 and 1.

    Examples
    --------
    >>> [round(float(value), 2) for value in logits([0.5, 0.9])]
    [0.0, 2.2]
    """
    return np.asarray(logit(np.clip(shares, EDGE, 1 - EDGE)), float)


def refusal(months: Floats) -> str:
    """Explain why a series has no forecast; empty if there is a forecast.

    Takes its dates with a score, in months before the day of the forecast, rising to at most 0.
    """
    if len(months) < FEWEST_DATES:
        return f"fewer than {FEWEST_DATES} dates"
    return f"no score for {ASLEEP} months" if months[-1] < -ASLEEP else ""


def probability(best: float, rises: Floats, windows: ArrayLike = 1) -> float:
    """Return the share of past rises that would lift a best share to the target.

    Examples
    --------
    >>> probability(0.8, np.array([0.0, 0.5, 1.0, 2.0]))
    0.5
    """
    if best >= TARGET:
        return 1.0
    weights = np.broadcast_to(np.asarray(windows, float), rises.shape)
    # Rounded, so that a rise that just suffices does so on every machine.
    enough = np.round(logits(best) + rises - logits(TARGET), 9) >= 0
    return float(weights[enough].sum() / weights.sum())


def quantiles(best: float, rises: Floats, windows: ArrayLike, levels: ArrayLike) -> Floats:
    """Return quantiles of the best share in a year."""
    weights = np.broadcast_to(np.asarray(windows, float), rises.shape).cumsum()
    places = np.searchsorted(weights, np.asarray(levels, float) * weights[-1] - 1e-9)
    return np.asarray(np.maximum(expit(logits(best) + rises[places]), best), float)
