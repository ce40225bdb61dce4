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
from saturation.discriminability.names import FINE_BINS
from saturation.files.tables import fill_gaps
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


def history(scores: pd.DataFrame, benchmark: str, settings: Settings) -> History | Abstention:
    """Describe the monthly course of a leaderboard with dates, or abstain with the reason."""
    dated = _dated(scores, benchmark)
    once = _windows(dated, settings)
    monthly = monthly_table(dated, once, settings)
    if len(monthly) < FEWEST_WINDOWS:
        return Abstention(
            f"months with at least {settings.min_models} dated evaluations: "
            f"{len(monthly)}; {FEWEST_WINDOWS} are needed"
        )
    tests = growth.retirement_table(monthly, settings.thresholds)
    last = tests.iloc[-1]
    change = windows.change_from_first(list(once.values()), settings.level)
    rows = monthly.drop(columns=["leaderboard", "benchmark"]).to_dict("records")
    return History(
        months=[fill_gaps(row) for row in rows],
        bdi_change=fill_gaps({name: change[name] for name in windows.TESTED}),
        trends={name: trend(monthly, name, settings.level) for name in ("bdi", "max_score")},
        bdi_decline=float(last["bdi_decline"]),
        retirement={name: bool(last[name]) for name in (*growth.CRITERIA, "due")},
        projection=projection(monthly, settings),
    )


def monthly_table(
    dated: pd.DataFrame, once: Mapping[bdi.Key, bdi.Window], settings: Settings
) -> pd.DataFrame:
    """One row a month with enough evaluations: index with interval, ceiling proximity, gaps."""
    rows = []
    for name, group in dated.groupby("month", sort=True):
        if (name,) not in once:
            continue
        scores = group["score"].to_numpy(float)
        rows.append(
            {
                "month": name,
                "n_models": len(scores),
                "max_score": float(scores.max()),
                "bdi": float(bdi.bdi(_counts(group, settings.bins))),
                **windows.measure_window(once[name,], settings.level),
                "ceiling_proximity": bdi.ceiling_proximity(scores),
                **{f"top{k}_gap": bdi.top_gap(scores, k) for k in GAPS},
            }
        )
    table = pd.DataFrame(rows)
    if table.empty:
        return table
    periods = pd.PeriodIndex(table["month"], freq="M")
    ordinals = periods.year * 12 + periods.month
    table.insert(1, "elapsed", np.asarray(ordinals - ordinals[0]))
    table.insert(0, "benchmark", dated["benchmark"].iloc[0])
    table.insert(0, "leaderboard", "own")
    return table


def trend(monthly: pd.DataFrame, column: str, level: float) -> Trend:
    """Theil-Sen slope of a monthly measure, per month, with its interval."""
    line = scipy.stats.theilslopes(monthly[column], monthly["elapsed"], alpha=level)
    return Trend(float(line.slope), float(line.low_slope), float(line.high_slope))


def projection(monthly: pd.DataFrame, settings: Settings) -> Row:
    """Project the ceiling of the best score, or give the reasons to abstain instead of it."""
    if len(monthly) <= FEWEST_TO_FIT:
        return {"abstains": f"{len(monthly)} months; more than {FEWEST_TO_FIT} are needed"}
    fits = growth_table(monthly, settings.demands, settings.level)
    honest = fits[fits["reading"] == "honest"].iloc[0]
    if honest["abstains"]:
        return {"abstains": str(honest["reason"])}
    return {"abstains": None, **{name: float(honest[name]) for name in ("ceiling", "r_squared")}}


def _dated(scores: pd.DataFrame, benchmark: str) -> pd.DataFrame:
    dated = scores.dropna(subset=["date"])
    # A score on an edge belongs to the bin above it, whatever its binary form.
    fine = np.floor(dated["score"] * FINE_BINS + 1e-9).astype(int).clip(upper=FINE_BINS - 1)
    return dated.assign(
        benchmark=benchmark,
        month=dated["date"].astype(str).str[:7],
        submitter=bdi.submitters(dated["model"]),
        bin=fine,
    )


def _windows(dated: pd.DataFrame, settings: Settings) -> dict[bdi.Key, bdi.Window]:
    """Every month with enough evaluations, in the order of time."""
    counts: dict[bdi.Key, Integers] = {
        (month,): _counts(group, settings.bins)
        for month, group in dated.groupby("month", sort=True)
        if len(group) >= settings.min_models
    }
    return bdi.count_by_window(counts, bdi.repeated(dated), ["month"])


def _counts(entries: pd.DataFrame, bins: int) -> Integers:
    return bdi.rebin(np.bincount(entries["bin"], minlength=FINE_BINS), bins)
