"""How a user's leaderboard developed: discriminability, ceiling, gaps, retirement test, projection.

The measures are those of the discriminability study, on the months of one leaderboard.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import theilslopes

from saturation.discriminability import bdi, retirement
from saturation.discriminability.projection import FEWEST_TO_FIT, Demands, growth_table
from saturation.statistics import intervals

FEWEST_WINDOWS = 3
GAPS = (5, 10)


@dataclass(frozen=True)
class Settings:
    """Windows and limits, as the discriminability study has them.

    Parameters
    ----------
    bins
        Number of bins of the index.
    min_models
        Fewest models in a month for it to count.
    level, resamples
        Coverage of intervals and number of resamples of a month's models.
    demands
        When a projection is made.
    thresholds
        Limits of the retirement test.
    """

    bins: int
    min_models: int
    level: float
    resamples: int
    demands: Demands
    thresholds: retirement.Thresholds


def history(
    scores: pd.DataFrame, benchmark: str, settings: Settings, rng: np.random.Generator
) -> dict[str, Any]:
    """The monthly course of a leaderboard with dates, or why nothing can be said.

    Parameters
    ----------
    scores
        ``model, date, score`` (proportions); rows without a date are left out.
    benchmark
        Name for the tables.
    settings
        See :class:`Settings`.
    rng
        The stage's generator.

    Returns
    -------
    dict
        ``abstains`` with the reason, or ``months`` (one record a month), ``bdi_change`` from the
        first and ``bdi_decline`` from the peak month to the last, ``trends`` a month of the index
        and of the best score, ``retirement`` (the three
        criteria in the last month) and ``projection``.
    """
    monthly = monthly_table(scores, benchmark, settings, rng)
    if len(monthly) < FEWEST_WINDOWS:
        return {
            "abstains": f"months with at least {settings.min_models} dated evaluations: "
            f"{len(monthly)}; {FEWEST_WINDOWS} are needed"
        }
    tests = retirement.retirement_table(monthly, settings.thresholds)
    last = tests.iloc[-1]
    first_bdi, last_bdi = monthly["bdi"].iloc[0], monthly["bdi"].iloc[-1]
    return {
        "abstains": None,
        "months": _records(monthly.drop(columns=["leaderboard", "benchmark"])),
        "bdi_change": float(last_bdi - first_bdi),
        "trends": {name: trend(monthly, name, settings.level) for name in ("bdi", "max_score")},
        "bdi_decline": float(last["bdi_decline"]),
        "retirement": {
            **{name: bool(last[name]) for name in retirement.CRITERIA},
            "due": bool(last["due"]),
        },
        "projection": projection(monthly, settings),
    }


def monthly_table(
    scores: pd.DataFrame, benchmark: str, settings: Settings, rng: np.random.Generator
) -> pd.DataFrame:
    """One row a month with enough evaluations: index with interval, ceiling proximity, gaps.

    Parameters
    ----------
    scores, benchmark, settings, rng
        See :func:`history`.
    """
    dated = scores.dropna(subset=["date"])
    month = dated["date"].astype(str).str[:7]
    rows = [
        {"month": name, **_month(group["score"].to_numpy(float), settings, rng)}
        for name, group in dated.groupby(month, sort=True)
        if len(group) >= settings.min_models
    ]
    table = pd.DataFrame(rows)
    if table.empty:
        return table
    periods = pd.PeriodIndex(table["month"], freq="M")
    ordinals = periods.year * 12 + periods.month
    table.insert(1, "elapsed", np.asarray(ordinals - ordinals[0]))
    table.insert(0, "benchmark", benchmark)
    table.insert(0, "leaderboard", "own")
    return table


def trend(monthly: pd.DataFrame, column: str, level: float) -> dict[str, float]:
    """Theil-Sen slope of a monthly measure, per month, with its interval.

    Parameters
    ----------
    monthly
        Table of :func:`monthly_table`.
    column
        Name of the measure.
    level
        Coverage of the interval.
    """
    line = theilslopes(monthly[column], monthly["elapsed"], alpha=level)
    return {
        "slope": float(line.slope),
        "lower": float(line.low_slope),
        "upper": float(line.high_slope),
    }


def projection(monthly: pd.DataFrame, settings: Settings) -> dict[str, Any]:
    """Projected ceiling of the best score, with its reasons to abstain.

    Parameters
    ----------
    monthly
        Table of :func:`monthly_table`.
    settings
        See :class:`Settings`.
    """
    if len(monthly) <= FEWEST_TO_FIT:
        return {"abstains": f"{len(monthly)} months; more than {FEWEST_TO_FIT} are needed"}
    fits, _ = growth_table(monthly, settings.demands, settings.level)
    honest = fits[fits["reading"] == "honest"].iloc[0]
    return {
        "abstains": str(honest["reason"]) if honest["abstains"] else None,
        **{
            name: float(honest[name])
            for name in ("ceiling", "ceiling_lower", "ceiling_upper", "r_squared")
            if name in honest and pd.notna(honest[name])
        },
    }


def _month(
    scores: np.ndarray, settings: Settings, rng: np.random.Generator
) -> dict[str, float | int]:
    counts, _ = np.histogram(scores, bins=settings.bins, range=(0, 1))
    drawn = bdi.resample_bdi(counts, settings.resamples, rng)
    lower, upper = intervals.percentile(drawn.plain, settings.level)
    return {
        "n_models": len(scores),
        "max_score": float(scores.max()),
        "bdi": float(bdi.bdi(counts)),
        "bdi_lower": float(lower),
        "bdi_upper": float(upper),
        "ceiling_proximity": bdi.ceiling_proximity(scores),
        **{f"top{k}_gap": bdi.top_gap(scores, k) for k in GAPS},
    }


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]
