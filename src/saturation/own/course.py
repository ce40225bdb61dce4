"""History of a user's leaderboard: discriminability, ceiling, gaps, retirement test, projection.

The measures are those of the discriminability study, on the months of one leaderboard.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from saturation.arrays import Integers
from saturation.discriminability import bdi, growth, windows
from saturation.discriminability.growth import FEWEST_TO_FIT, Demands, growth_table
from saturation.discriminability.names import BOARD, FINE_BINS
from saturation.files.tables import fill_gaps, list_rows
from saturation.own.card import Abstention, History, Row, Trend

FEWEST_WINDOWS = 3
GAPS = (5, 10)


@dataclass(frozen=True)
class Settings:
    """Windows and limits, as the discriminability study has them."""

    bins: int
    min_models: int  # in a month for it to count
    level: float
    demands: Demands
    thresholds: growth.Thresholds


def history(scores: pd.DataFrame, settings: Settings) -> History | Abstention:
    """Describe the monthly course of a leaderboard with dates, or abstain with the reason."""
    dated = _dated(scores)
    months: dict[bdi.Key, pd.DataFrame] = {
        (name,): month
        for name, month in dated.groupby("month")
        if len(month) >= settings.min_models
    }
    if len(months) < FEWEST_WINDOWS:
        return Abstention(
            f"months with at least {settings.min_models} dated evaluations: "
            f"{len(months)}; {FEWEST_WINDOWS} are needed"
        )
    counts = {
        key: bdi.rebin(np.bincount(month["bin"], minlength=FINE_BINS), settings.bins)
        for key, month in months.items()
    }
    once = bdi.count_by_window(counts, bdi.repeated(dated), ["month"])
    monthly = monthly_table(months, counts, once, settings.level)
    last = growth.retirement_table(monthly, settings.thresholds).iloc[-1]
    return History(
        months=list_rows(monthly.drop(columns=BOARD)),
        bdi_change=fill_gaps(windows.change_from_first(list(once.values()), settings.level)),
        trends={name: trend(monthly, name, settings.level) for name in ("bdi", "max_score")},
        bdi_decline=float(last["bdi_decline"]),
        retirement={name: bool(last[name]) for name in (*growth.CRITERIA, "due")},
        projection=projection(monthly, settings),
    )


def monthly_table(
    months: Mapping[bdi.Key, pd.DataFrame],
    counts: Mapping[bdi.Key, Integers],
    once: Mapping[bdi.Key, bdi.Window],
    level: float,
) -> pd.DataFrame:
    """One row a month: index with interval, ceiling proximity, gaps.

    Takes the evaluations of each month, their numbers by bin, and with each submitter once.
    """
    ordinals = pd.PeriodIndex([name for (name,) in months], freq="M").astype("int64")
    rows = []
    for (key, month), ordinal in zip(months.items(), ordinals):
        scores = month["score"].to_numpy(float)
        rows.append(
            {
                **dict.fromkeys(BOARD, "own"),
                "month": key[0],
                "elapsed": ordinal - ordinals[0],
                "n_models": len(scores),
                "max_score": scores.max(),
                "bdi": float(bdi.bdi(counts[key])),
                **windows.measure_window(once[key], level),
                "ceiling_proximity": bdi.ceiling_proximity(scores),
                **{f"top{k}_gap": bdi.top_gap(scores, k) for k in GAPS},
            }
        )
    return pd.DataFrame(rows)


def trend(monthly: pd.DataFrame, column: str, level: float) -> Trend:
    """Theil-Sen slope of a monthly measure, per month, with its interval."""
    line = scipy.stats.theilslopes(monthly[column], monthly["elapsed"], alpha=level)
    return Trend(line.slope, line.low_slope, line.high_slope)


def projection(monthly: pd.DataFrame, settings: Settings) -> Row:
    """Project the ceiling of the best score, or give the reasons to abstain instead of it."""
    if len(monthly) <= FEWEST_TO_FIT:
        return {"abstains": f"{len(monthly)} months; more than {FEWEST_TO_FIT} are needed"}
    fits = growth_table(monthly, settings.demands, settings.level)
    honest = fits[fits["reading"] == "honest"].iloc[0]
    if honest["abstains"]:
        return {"abstains": str(honest["reason"])}
    return {"abstains": None, **{name: float(honest[name]) for name in ("ceiling", "r_squared")}}


def _dated(scores: pd.DataFrame) -> pd.DataFrame:
    dated = scores.dropna(subset=["date"])
    # A score on an edge belongs to the bin above it, whatever its binary form.
    fine = np.floor(dated["score"] * FINE_BINS + 1e-9).astype(int).clip(upper=FINE_BINS - 1)
    return dated.assign(
        benchmark="own",
        month=dated["date"].astype(str).str[:7],
        submitter=bdi.submitters(dated["model"]),
        bin=fine,
    )
