"""Correlate the indices of a benchmark with the later rise of its best score.

On the two Open LLM Leaderboards the indices are the plateau paper's S, the discriminability paper's
BDI, the gap of the leaders and the best score; elsewhere only the gap and the best score.
"""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation.forecast import schemas
from saturation.forecast.series import months_after
from saturation.statistics.correlation import ranks
from studies.forecast import scoring
from studies.forecast.backtest import histories_at

Floats = NDArray[np.float64]
AHEAD = (6, 12)
TOP = 5
FEWEST = 5  # benchmarks
PREDICTORS = {"boards": ("s_index", "bdi", "gap", "best"), "histories": ("gap", "best")}
PREDICTION = [
    "setting", "predictor", "ahead", "cases", "benchmarks", *scoring.limits("rho"),
    *scoring.limits("partial"), *scoring.limits("skill"), "note",
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
    return cases.rename(columns={"top10_gap": "gap"})[list(schemas.CASES.columns)]


def history_cases(
    series: pd.DataFrame, frontier: pd.DataFrame, days: Sequence[pd.Timestamp]
) -> pd.DataFrame:
    """Compute the gap of the five best dates at each origin, and the subsequent rise.

    Columns of `schemas.CASES`; S and BDI cannot be had.
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
                    "s_index": np.nan,
                    "bdi": np.nan,
                    "gap": gap[name],
                    "best": history.best[-1],
                    "rise": then[name] - history.best[-1],
                }
                for name, history in histories.items()
                if about["last"][name] >= due
            ]
    return pd.DataFrame(rows, columns=list(schemas.CASES.columns))


def prediction(cases: pd.DataFrame, level: float) -> pd.DataFrame:
    """Estimate how well each predictor tells the later rise, with intervals over benchmarks.

    Columns of `PREDICTION`: Spearman's rho with the rise; the same with the best score held fixed;
    and how much smaller the error of a line through the other benchmarks' cases becomes if the
    predictor is added to the best score. Limits count benchmarks, not cases.
    """
    rows = []
    for (setting, predictors), months in itertools.product(PREDICTORS.items(), AHEAD):
        part = cases[(cases["setting"] == setting) & (cases["ahead"] == months)]
        for predictor in predictors:
            used = part.dropna(subset=[predictor, "rise"])
            benchmarks = used["benchmark"].nunique()
            about = [setting, predictor, months, len(used), benchmarks]
            if benchmarks < FEWEST:
                rows.append([*about, *[np.nan] * 9, f"fewer than {FEWEST} benchmarks"])
                continue
            estimates = predicted(used, predictor, level)
            # The best score adds nothing to itself.
            if predictor == "best":
                estimates[3:] = [np.nan] * 6
            rows.append([*about, *estimates, ""])
    return pd.DataFrame(rows, columns=PREDICTION)


def predicted(used: pd.DataFrame, predictor: str, level: float) -> list[float]:
    """Estimate rho, partial rho and skill of a predictor, each with its limits."""
    table = used[[predictor, "best", "rise"]].to_numpy(float)
    _, cluster = np.unique(used["benchmark"], return_inverse=True)
    without = np.array(
        [_correlations(table[cluster != number]) for number in range(cluster.max() + 1)]
    )
    numbers = [
        number
        for rho, varied in zip(_correlations(table), without.T, strict=True)
        for number in _add_limits(rho, varied, level)
    ]
    plain, added = (_leave_out(table, cluster, columns) for columns in ([1], [1, 0]))
    errors = pd.DataFrame({"score": added, "reference": plain, "cluster": cluster})
    return [*numbers, *scoring.skill(errors, level)]


def _add_limits(rho: float, varied: Floats, level: float) -> scoring.Limits:
    """Add limits by Fisher's z, the jackknife's error over benchmarks and Student's t."""
    if not (np.abs([rho, *varied]) < 1 - 1e-9).all():
        return rho, np.nan, np.nan
    count = len(varied)
    error = np.sqrt((count - 1) * np.arctanh(varied).var())
    reach = scipy.special.stdtrit(count - 1, 0.5 + level / 2) * error
    lower, upper = np.tanh(np.arctanh(rho) + np.array([-reach, reach]))
    return rho, float(lower), float(upper)


def _correlations(table: Floats) -> tuple[float, float]:
    """Compute Spearman's rho of predictor and rise, plain and with the best score held fixed."""
    ranked = ranks(table, axis=0)
    spread = ranked.std(axis=0)
    if not (spread[[0, 2]] > 0).all():
        return np.nan, np.nan
    rho = float(np.corrcoef(ranked[:, 0], ranked[:, 2])[0, 1])
    design = np.column_stack([np.ones(len(ranked)), ranked[:, 1]])
    residuals = ranked - design @ np.linalg.lstsq(design, ranked, rcond=None)[0]
    if (residuals[:, [0, 2]].std(axis=0) <= 1e-9 * spread[[0, 2]]).any():
        return rho, np.nan
    return rho, float(np.corrcoef(residuals[:, 0], residuals[:, 2])[0, 1])


def _leave_out(table: Floats, cluster: NDArray[np.int64], columns: list[int]) -> Floats:
    """Compute the absolute errors of a line through the other benchmarks' cases."""
    errors = np.empty(len(table))
    design = np.column_stack([np.ones(len(table)), table[:, columns]])
    for number in range(cluster.max() + 1):
        inside = cluster == number
        line = np.linalg.lstsq(design[~inside], table[~inside, 2], rcond=None)[0]
        errors[inside] = np.abs(table[inside, 2] - design[inside] @ line)
    return errors
