"""Correlate the indices of a benchmark with the later rise of its best score.

On the two Open LLM Leaderboards the indices are the plateau paper's S, the discriminability paper's
BDI, the gap of the leaders and the best score; elsewhere only the gap and the best score.
"""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from saturation.forecast.series import months_after
from saturation.statistics.intervals import t_quantile
from studies.correlation import partial_spearman, spearman
from studies.forecast import scoring
from studies.forecast.backtest import histories_at

AHEAD = (6, 12)
TOP = 5
FEWEST = 5  # benchmarks
PREDICTORS = {"boards": ("s_index", "bdi", "gap", "best"), "histories": ("gap", "best")}
CASES = ["setting", "benchmark", "month", "ahead", "s_index", "bdi", "gap", "best", "rise"]
PREDICTION = [
    "setting", "predictor", "ahead", "cases", "benchmarks", *scoring.limits("rho"),
    *scoring.limits("partial"), "note",
]  # fmt: skip


def board_cases(monthly: pd.DataFrame, index: pd.DataFrame) -> pd.DataFrame:
    """Compute the indices of each leaderboard and month, and the later rise of the best score."""
    keys = ["leaderboard", "benchmark", "month"]
    so_far = index[index["scope"] == "so_far"]
    table = monthly.merge(so_far[[*keys, "s_index"]], on=keys, how="left").sort_values(keys)
    table["best"] = table.groupby(keys[:2])["max_score"].cummax()
    table["period"] = pd.PeriodIndex(table["month"], freq="M")
    parts = []
    for months in AHEAD:
        future = table[[*keys[:2], "period", "best"]].assign(period=table["period"] - months)
        case = table.merge(future, on=[*keys[:2], "period"], suffixes=("", "_then"))
        parts.append(case.assign(ahead=months, rise=case["best_then"] - case["best"]))
    cases = pd.concat(parts, ignore_index=True).assign(setting="boards")
    cases["benchmark"] = cases["leaderboard"] + " " + cases["benchmark"]
    return cases.rename(columns={"top10_gap": "gap"})[CASES]


def history_cases(
    series: pd.DataFrame, frontier: pd.DataFrame, days: Sequence[pd.Timestamp]
) -> pd.DataFrame:
    """Compute the gap of the five best dates at each origin, and the subsequent rise.

    Columns of `CASES`; S and BDI cannot be had.
    """
    about = series.set_index("series")
    rows = []
    for day in days:
        histories = histories_at(series, frontier, day)
        past = frontier[frontier["date"] <= day]
        top = past.sort_values("share", ascending=False).groupby("series")["share"]
        fifth = top.nth(TOP - 1)
        gap = (top.max() - fifth.set_axis(past.loc[fifth.index, "series"])).to_dict()
        for months in AHEAD:
            due = months_after(day, months)
            then = frontier[frontier["date"] <= due].groupby("series")["best"].last()
            rows += [
                {
                    "setting": "histories",
                    "benchmark": about["benchmark"][name],
                    "month": f"{day:%Y-%m}",
                    "ahead": months,
                    "gap": gap[name],
                    "best": history.best[-1],
                    "rise": then[name] - history.best[-1],
                }
                for name, history in histories.items()
                if about["last"][name] >= due
            ]
    return pd.DataFrame(rows, columns=CASES)


def prediction(cases: pd.DataFrame, level: float) -> pd.DataFrame:
    """Estimate how well each predictor tells the later rise, with intervals over benchmarks.

    Columns of `PREDICTION`: Spearman's rho with the rise, and the same with the best score held
    fixed. Limits count benchmarks, not cases.
    """
    rows = []
    for (setting, predictors), months in itertools.product(PREDICTORS.items(), AHEAD):
        part = cases[(cases["setting"] == setting) & (cases["ahead"] == months)]
        for predictor in predictors:
            used = part.dropna(subset=[predictor, "rise"])
            benchmarks = used["benchmark"].nunique()
            about = [setting, predictor, months, len(used), benchmarks]
            if benchmarks < FEWEST:
                rows.append([*about, *[np.nan] * 6, f"fewer than {FEWEST} benchmarks"])
                continue
            rho, partial = predicted(used, predictor, level)
            # The best score adds nothing to itself.
            if predictor == "best":
                partial = (np.nan, np.nan, np.nan)
            rows.append([*about, *rho, *partial, ""])
    return pd.DataFrame(rows, columns=PREDICTION)


def predicted(used: pd.DataFrame, predictor: str, level: float) -> list[scoring.Limits]:
    """Estimate rho and partial rho of a predictor, each with its limits."""
    without = [
        _correlations(used[used["benchmark"] != name], predictor)
        for name in used["benchmark"].unique()
    ]
    return [
        _add_limits(rho, np.array(varied), level)
        for rho, varied in zip(_correlations(used, predictor), zip(*without), strict=True)
    ]


def _add_limits(rho: float, varied: Floats, level: float) -> scoring.Limits:
    """Add limits by Fisher's z, the jackknife's error over benchmarks and Student's t."""
    if not (np.abs([rho, *varied]) < 1 - 1e-9).all():
        return rho, np.nan, np.nan
    count = len(varied)
    error = np.sqrt((count - 1) * np.arctanh(varied).var())
    reach = t_quantile(count - 1, level) * error
    lower, upper = np.tanh(np.arctanh(rho) + np.array([-reach, reach]))
    return rho, lower, upper


def _correlations(cases: pd.DataFrame, predictor: str) -> tuple[float, float]:
    """Compute Spearman's rho of predictor and rise, plain and with the best score held fixed."""
    plain = spearman(cases[predictor], cases["rise"])
    given_best = partial_spearman(cases[predictor], cases["rise"], cases["best"])
    return plain["estimate"], given_best["estimate"]
