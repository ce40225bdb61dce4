"""The saturation index along a leaderboard's time, and knowledge against reasoning."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.discriminability.names import BOARD, KEYS, PACES, SATURATED
from saturation.index import saturation_bin, saturation_index
from saturation.statistics import correlation

Array = NDArray[np.float64]


def index_over_time(
    top: pd.DataFrame, benchmarks: pd.DataFrame, k: int, alpha: float
) -> pd.DataFrame:
    """Saturation index of the top k of each window and of everything so far.

    Parameters
    ----------
    top
        ``leaderboard, benchmark, month, scope, accuracy``. The index's standard error is that of
        an accuracy, so it takes raw accuracies where the scores have chance taken off.
    benchmarks
        ``benchmark, n_test``.
    k, alpha
        See :func:`saturation.index.saturation_index`.

    Returns
    -------
    pandas.DataFrame
        ``leaderboard, benchmark, month, scope, n_test, s_1, s_k, s_index, bin, note``; the index
        is missing, and the note says why, without `n_test` or with fewer than k scores.
    """
    ordered = top.sort_values("accuracy", ascending=False, kind="stable")
    ordered = ordered.assign(place=ordered.groupby([*KEYS, "scope"]).cumcount() + 1)
    wide = ordered.pivot(index=[*KEYS, "scope"], columns="place", values="accuracy")
    wide = wide.reindex(columns=[1, k])
    table = wide.set_axis(["s_1", "s_k"], axis=1).reset_index()
    table = table.merge(benchmarks[["benchmark", "n_test"]], on="benchmark", how="left")
    table["s_index"] = saturation_index(table["s_1"], table["s_k"], table["n_test"], alpha)
    known = table["s_index"].notna()
    table["bin"] = np.where(known, saturation_bin(table["s_index"].fillna(0)), "")
    table["note"] = np.select(
        [table["n_test"].isna(), table["s_k"].isna()],
        ["the number of test items is not known", f"fewer than {k} models"],
        "",
    )
    return table.sort_values([*KEYS, "scope"], ignore_index=True)


def agreement(monthly: pd.DataFrame, index: pd.DataFrame) -> pd.DataFrame:
    """Rank agreement of lost discriminability (1 - BDI) with the saturation index.

    Parameters
    ----------
    monthly
        ``leaderboard, benchmark, month, bdi``.
    index
        Table of :func:`index_over_time`.

    Returns
    -------
    pandas.DataFrame
        Spearman correlation with interval and p-value for each benchmark over its windows, for
        each leaderboard over all its windows, and over everything (``all``), by scope. +1: both
        measures rank alike. Windows of a benchmark are not independent: the pooled intervals
        are too narrow.
    """
    both = monthly[[*KEYS, "bdi"]].merge(index.dropna(subset="s_index"), on=KEYS)
    rows = []
    for scope, pairs in both.groupby("scope"):
        groups = [(board, group) for board, group in pairs.groupby(BOARD)]
        groups += [((name, "all"), group) for name, group in pairs.groupby("leaderboard")]
        groups.append((("all", "all"), pairs))
        for board, group in groups:
            varies = len(group) > 2 and group["bdi"].nunique() > 1 < group["s_index"].nunique()
            estimate = (
                correlation.spearman(1 - group["bdi"], group["s_index"])
                if varies
                else {"estimate": np.nan, "n": len(group)}
            )
            rows.append({**dict(zip(BOARD, board, strict=True)), "scope": scope, **estimate})
    columns = [*BOARD, "scope", "estimate", "p_value", "lower", "upper", "n"]
    return pd.DataFrame(rows, columns=columns)


def pace(monthly: pd.DataFrame, benchmarks: pd.DataFrame) -> pd.DataFrame:
    """How near the ceiling each benchmark started, and how fast it moved.

    Parameters
    ----------
    monthly
        ``leaderboard, benchmark, month, elapsed, ceiling_proximity, bdi, n_models``.
    benchmarks
        ``benchmark, kind``.

    Returns
    -------
    pandas.DataFrame
        ``kind``, ``first_cp``, ``last_cp``, ``highest_cp``, ``gain_a_month`` (slope of the
        running maximum, with its standard error), ``months_to_085`` (until the running maximum
        passes 0.85; missing: not reached), ``bdi_change`` (last minus first).
    """
    rows = []
    for board, series in monthly.groupby(BOARD, sort=True):
        ordered = series.sort_values("elapsed")
        running = ordered["ceiling_proximity"].cummax().to_numpy()
        elapsed = ordered["elapsed"].to_numpy(dtype=float)
        reached = elapsed[running > SATURATED]
        slope, error = _slope(elapsed, running)
        rows.append(
            {
                **dict(zip(BOARD, board, strict=True)),
                "windows": len(ordered),
                "first_cp": running[0],
                "last_cp": float(ordered["ceiling_proximity"].iloc[-1]),
                "highest_cp": running[-1],
                "gain_a_month": slope,
                "gain_a_month_error": error,
                "months_to_085": reached[0] if len(reached) else np.nan,
                "bdi_change": float(ordered["bdi"].iloc[-1] - ordered["bdi"].iloc[0]),
            }
        )
    return pd.DataFrame(rows).merge(benchmarks[["benchmark", "kind"]], on="benchmark", how="left")


def kinds(paces: pd.DataFrame) -> pd.DataFrame:
    """Mean and range of :func:`pace` over the benchmarks of each kind, by leaderboard."""
    groups = paces.groupby(["leaderboard", "kind"])
    counts = [groups.size().rename("benchmarks"), groups["months_to_085"].count().rename("reached")]
    spreads = [groups[value].agg(["mean", "min", "max"]).add_prefix(f"{value}_") for value in PACES]
    return pd.concat([*counts, *spreads], axis=1).reset_index()


def _slope(x: Array, y: Array) -> tuple[float, float]:
    if len(x) < 3:
        return float("nan"), float("nan")
    coefficients, covariance = np.polyfit(x, y, 1, cov=True)
    return float(coefficients[0]), float(np.sqrt(covariance[0, 0]))
