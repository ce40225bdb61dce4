"""Give the probability that a best score reaches a target within a year: past rises, resampled.

The rises of all benchmarks that were still scored, in logits and within as many months, are the
distribution of the rise to come. Nothing is fitted. A benchmark's own pace does not count.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from saturation.arrays import Floats
from saturation.forecast import schemas
from saturation.forecast.names import AHEAD, TARGET
from saturation.forecast.series import ASLEEP, FEWEST_DATES, months_between

# Shares nearer to 0 or 1 than this count as that near: 1 of 200 questions.
EDGE = 0.005
# Fewest series whose rises can be pooled.
FEWEST_SERIES = 5
QUANTILES = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)


class History(NamedTuple):
    """Series as known on a day."""

    months: Floats  # dates with a score, in months before the day, rising to at most 0
    best: Floats  # best share up to each date


def logits(shares: ArrayLike) -> Floats:
    """Convert shares to logits, at most `EDGE` from 0 and 1.

    Examples
    --------
    >>> [round(float(value), 2) for value in logits([0.5, 0.9])]
    [0.0, 2.2]
    """
    return np.asarray(logit(np.clip(shares, EDGE, 1 - EDGE)), float)


def histories(frontier: pd.DataFrame, day: pd.Timestamp) -> dict[str, History]:
    """Return the history of every series that has a score by a day."""
    past = frontier[frontier["date"] <= day]
    months, best = months_between(day, past["date"]), past["best"].to_numpy(float)
    return {
        str(name): History(months[rows], best[rows])
        for name, rows in past.groupby("series").indices.items()
    }


def refusal(history: History) -> str:
    """Explain why a series has no forecast; empty if there is a forecast."""
    if len(history.months) < FEWEST_DATES:
        return f"fewer than {FEWEST_DATES} dates"
    return f"no score for {ASLEEP} months" if history.months[-1] < -ASLEEP else ""


def year_rises(pooled: list[History]) -> Floats:
    """Return the rises in logits within `AHEAD` months, for each month that ends a window.

    Months count back from the day. One rise of 0 is added.
    """
    rises = [np.zeros(1)]
    for history in pooled:
        months = np.arange(-np.floor(-history.months[0]), 1.0)
        places = logits(history.best[np.searchsorted(history.months, months, side="right") - 1])
        rises.append(places[AHEAD:] - places[:-AHEAD])
    return np.sort(np.concatenate(rises))


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


def count_rises(rises: Floats) -> pd.DataFrame:
    """Count equal rises, for the table from which cards forecast."""
    values, windows = np.unique(np.round(rises, 4), return_counts=True)
    return pd.DataFrame({"rise": values, "windows": windows})


def chances(
    series: pd.DataFrame, known: dict[str, History], past: pd.DataFrame, origin: str
) -> pd.DataFrame:
    """Forecast each series a year ahead; columns of `schemas.CHANCES`.

    `past` counts rises (:func:`count_rises`). A benchmark that has passed the target in any series
    has no probability.
    """
    rises, windows = past["rise"].to_numpy(float), past["windows"].to_numpy(float)
    passed = set(series.loc[series["best"] >= TARGET, "benchmark"])
    names = [f"q{100 * level:g}" for level in QUANTILES]
    rows = []
    for row in series[series["series"].isin(known)].to_dict("records"):
        best = float(known[row["series"]].best[-1])
        chance = None if row["benchmark"] in passed else probability(best, rises, windows)
        about = {"series": row["series"], "benchmark": row["benchmark"], "origin": origin}
        about |= {"month": AHEAD, "best": best, "probability": chance}
        limits = quantiles(best, rises, windows, QUANTILES)
        rows.append(about | dict(zip(names, limits, strict=True)))
    return pd.DataFrame(rows, columns=list(schemas.CHANCES.columns))
