"""Gather the past rises of all benchmarks, and forecast each a year ahead from these rises."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from saturation.forecast.names import AHEAD, TARGET
from saturation.forecast.reach import logits, probability, quantiles, refusal
from saturation.forecast.series import months_between
from studies.forecast.schemas import CHANCES

# Fewest series whose rises can be pooled.
FEWEST_SERIES = 5
QUANTILES = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)


class History(NamedTuple):
    """Series as known on a day."""

    months: Floats  # dates with a score, in months before the day, rising to at most 0
    best: Floats  # best share up to each date


def histories(frontier: pd.DataFrame, day: pd.Timestamp) -> dict[str, History]:
    """Return the history of every series that is forecast on a day."""
    past = frontier[frontier["date"] <= day]
    months, best = months_between(day, past["date"]), past["best"].to_numpy(float)
    return {
        str(name): History(months[rows], best[rows])
        for name, rows in past.groupby("series").indices.items()
        if not refusal(months[rows])
    }


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


def count_rises(rises: Floats) -> pd.DataFrame:
    """Count equal rises, for the table from which cards forecast."""
    values, windows = np.unique(np.round(rises, 4), return_counts=True)
    return pd.DataFrame({"rise": values, "windows": windows})


def chances(
    series: pd.DataFrame, known: dict[str, History], past: pd.DataFrame, origin: str
) -> pd.DataFrame:
    """Forecast each series a year ahead; columns of `CHANCES`.

    `past` counts rises (:func:`count_rises`). A benchmark that has passed the target in any series
    has no probability.
    """
    rises, windows = past["rise"].to_numpy(float), past["windows"].to_numpy(float)
    passed = set(series.loc[series["best"] >= TARGET, "benchmark"])
    names = [f"q{100 * level:g}" for level in QUANTILES]
    rows = []
    for row in series[series["series"].isin(known)].to_dict("records"):
        best = known[row["series"]].best[-1]
        chance = None if row["benchmark"] in passed else probability(best, rises, windows)
        about = {"series": row["series"], "benchmark": row["benchmark"], "origin": origin}
        about |= {"month": AHEAD, "best": best, "probability": chance}
        limits = quantiles(best, rises, windows, QUANTILES)
        rows.append(about | dict(zip(names, limits)))
    return pd.DataFrame(rows, columns=list(CHANCES.columns))
