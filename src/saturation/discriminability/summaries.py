"""Histogram summaries of a leaderboard: small tables from which every later stage runs."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd

from saturation.errors import InputError

# Fine enough that every configured number of BDI bins divides it, so all are formed exactly.
FINE_BINS = 300
TOP = 20
TABLES = ("bins", "top", "moments", "population")
KEYS = ["leaderboard", "benchmark", "month"]
Summary = dict[str, pd.DataFrame]
WindowKind = Literal["month", "quarter", "rolling"]


def summarise(evaluations: pd.DataFrame, leaderboard: str) -> Summary:
    """Monthly summary of screened evaluations.

    Parameters
    ----------
    evaluations
        The kept rows of :func:`saturation.discriminability.leaderboards.screen`.
    leaderboard
        Name to put in the first column.

    Returns
    -------
    dict
        ``bins`` (``bin, count, new_count``: counts in 300 equal bins, and of these the models
        not seen before), ``top`` (``rank, score, accuracy``: the best 20), ``moments``
        (``n_models, mean, sd``) and ``population`` (``unit, name, bin``: first evaluation in the
        month of every model and family that occurs in more than one month). Scores are
        proportions. All start with ``leaderboard, benchmark, month``.
    """
    ordered = evaluations.sort_values(["date", "model"], kind="stable", ignore_index=True)
    ordered["new"] = ~ordered.duplicated(["benchmark", "model"])
    tables = {
        "bins": _bins(ordered),
        "top": _top(ordered),
        "moments": _moments(ordered),
        "population": _population(ordered),
    }
    return {name: _finished(table, leaderboard) for name, table in tables.items()}


def combine(summaries: list[Summary]) -> Summary:
    """Summaries of several leaderboards in one."""
    return {
        name: pd.concat([summary[name] for summary in summaries], ignore_index=True)
        for name in summaries[0]
    }


def window_months(months: list[str], kind: WindowKind, rolling_months: int) -> pd.DataFrame:
    """Which months make up each window.

    Parameters
    ----------
    months
        Months with data, ``YYYY-MM``.
    kind
        ``month``, ``quarter``, or ``rolling`` over the last `rolling_months` months.

    Returns
    -------
    pandas.DataFrame
        Columns ``window`` (label: ``2024-05``, ``2024Q2``; a rolling window is named after its
        last month), ``month`` and ``end`` (number of the window's last month).
    """
    periods = pd.PeriodIndex(sorted(set(months)), freq="M")
    ordinal = periods.year * 12 + periods.month - 1
    if kind == "month":
        window, end = periods.strftime("%Y-%m"), ordinal
    elif kind == "quarter":
        quarters = periods.asfreq("Q")
        window, end = quarters.strftime("%YQ%q"), quarters.year * 12 + quarters.quarter * 3 - 1
    else:
        return _rolling(periods, np.asarray(ordinal), rolling_months)
    return pd.DataFrame({"window": window, "month": periods.strftime("%Y-%m"), "end": end})


def windowed(
    summary: Mapping[str, pd.DataFrame], kind: WindowKind, rolling_months: int, min_models: int
) -> tuple[Summary, pd.DataFrame]:
    """Summary by window instead of by month, without the windows that hold too few models.

    Parameters
    ----------
    summary
        Tables of :func:`summarise`.
    kind, rolling_months
        See :func:`window_months`.
    min_models
        Fewest evaluations of a window (section 3: 10).

    Returns
    -------
    tables : dict
        ``bins`` with ``count`` and ``so_far`` (models seen up to the window's end, each once, at
        its first score); ``top`` with ``scope`` (``window`` or ``so_far``); ``windows`` with
        ``n_models, mean, sd, elapsed`` (months since the first window); ``population``. The
        column ``month`` holds the window's label.
    left_out : pandas.DataFrame
        ``leaderboard, benchmark, month, reason`` of each window that was left out.

    Raises
    ------
    InputError
        Naming each benchmark without any valid window.
    """
    plan = _plan(summary["moments"], kind, rolling_months)
    windows = _pooled_moments(_spread(summary["moments"], plan))
    enough = windows["n_models"] >= min_models
    _require_windows(windows, enough, min_models)
    valid = windows.loc[enough].copy()
    valid["elapsed"] = valid["end"] - valid.groupby(["leaderboard", "benchmark"])["end"].transform(
        "min"
    )
    tables = {
        "bins": _windowed_bins(summary["bins"], plan),
        "top": _windowed_top(summary["top"], plan),
        "population": _spread(summary["population"], plan).drop_duplicates([*KEYS, "unit", "name"]),
        "windows": valid,
    }
    columns = {
        "bins": [*KEYS, "bin", "count", "so_far"],
        "top": [*KEYS, "scope", "rank", "score", "accuracy"],
        "population": [*KEYS, "unit", "name", "bin"],
        "windows": [*KEYS, "n_models", "mean", "sd", "elapsed"],
    }
    short = windows.loc[~enough, [*KEYS, "n_models"]]
    left_out = short[KEYS].assign(
        reason=[
            f"the window has {n} evaluations; at least {min_models} are needed"
            for n in short["n_models"]
        ]
    )
    return (
        {name: _sorted(_only(tables[name], valid)[columns[name]]) for name in tables},
        left_out.reset_index(drop=True),
    )


def histograms(bins: pd.DataFrame, column: str = "count") -> pd.DataFrame:
    """Counts of every window as one row of 300 numbers.

    Returns
    -------
    pandas.DataFrame
        Index ``leaderboard, benchmark, month``, columns 0..299.
    """
    wide = bins.pivot(index=KEYS, columns="bin", values=column)
    return wide.reindex(columns=range(FINE_BINS)).fillna(0).astype(int)


def _bins(ordered: pd.DataFrame) -> pd.DataFrame:
    groups = ordered.groupby(["benchmark", "month", "bin"], observed=True)
    return groups["new"].agg(count="size", new_count="sum").reset_index()


def _top(ordered: pd.DataFrame) -> pd.DataFrame:
    best = ordered.sort_values("score", ascending=False, kind="stable")
    rank = best.groupby(["benchmark", "month"], observed=True).cumcount() + 1
    columns = ["benchmark", "month", "rank", "score", "accuracy"]
    return best.assign(rank=rank).loc[rank <= TOP, columns]


def _moments(ordered: pd.DataFrame) -> pd.DataFrame:
    groups = ordered.groupby(["benchmark", "month"], observed=True)["score"]
    return groups.agg(n_models="size", mean="mean", sd="std").reset_index()


def _population(ordered: pd.DataFrame) -> pd.DataFrame:
    parts = []
    for unit in ("model", "family"):
        entries = ordered[["benchmark", "month", unit, "bin"]].rename(columns={unit: "name"})
        entries = entries.dropna(subset="name").drop_duplicates(["benchmark", "month", "name"])
        repeated = entries.duplicated(["benchmark", "name"], keep=False)
        parts.append(entries.loc[repeated].assign(unit=unit).astype({"name": object}))
    return pd.concat(parts)[["benchmark", "month", "unit", "name", "bin"]]


def _finished(table: pd.DataFrame, leaderboard: str) -> pd.DataFrame:
    plain = table.astype({"benchmark": str, "month": str})
    plain.insert(0, "leaderboard", leaderboard)
    return _sorted(plain)


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    order = [c for c in (*KEYS, "scope", "unit", "name", "rank", "bin") if c in table.columns]
    return table.sort_values(order, kind="stable", ignore_index=True)


def _rolling(periods: pd.PeriodIndex, ordinal: np.ndarray, length: int) -> pd.DataFrame:
    labels = periods.strftime("%Y-%m")
    rows = [
        {"window": labels[i], "month": labels[j], "end": ordinal[i]}
        for i in range(len(periods))
        for j in range(i + 1)
        if ordinal[i] - ordinal[j] < length
    ]
    return pd.DataFrame(rows)


def _plan(moments: pd.DataFrame, kind: WindowKind, rolling_months: int) -> pd.DataFrame:
    parts = [
        window_months(list(group["month"]), kind, rolling_months).assign(leaderboard=name)
        for name, group in moments.groupby("leaderboard")
    ]
    return pd.concat(parts, ignore_index=True)


def _spread(table: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    """The monthly rows of each window, the window's label in ``month``."""
    joined = table.sort_values("month", kind="stable").merge(plan, on=["leaderboard", "month"])
    return joined.drop(columns="month").rename(columns={"window": "month"})


def _up_to(table: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    """The monthly rows up to the end of each window."""
    ends = plan.groupby(["leaderboard", "window"], as_index=False)["month"].max()
    joined = table.merge(ends, on="leaderboard", suffixes=("", "_end"))
    joined = joined.loc[joined["month"] <= joined["month_end"]]
    return joined.drop(columns=["month", "month_end"]).rename(columns={"window": "month"})


def _pooled_moments(rows: pd.DataFrame) -> pd.DataFrame:
    """n, mean and SD of windows from those of their months."""
    weighted = rows.assign(
        total=rows["n_models"] * rows["mean"],
        squares=(rows["n_models"] - 1) * rows["sd"].fillna(0) ** 2
        + rows["n_models"] * rows["mean"] ** 2,
    )
    pooled = weighted.groupby([*KEYS, "end"], as_index=False)[
        ["n_models", "total", "squares"]
    ].sum()
    pooled["mean"] = pooled["total"] / pooled["n_models"]
    spread = (pooled["squares"] - pooled["n_models"] * pooled["mean"] ** 2).clip(lower=0)
    pooled["sd"] = np.sqrt(spread / (pooled["n_models"] - 1).where(pooled["n_models"] > 1))
    return pooled


def _windowed_bins(bins: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    keys = [*KEYS, "bin"]
    count = _spread(bins, plan).groupby(keys)["count"].sum()
    so_far = _up_to(bins, plan).groupby(keys)["new_count"].sum().rename("so_far")
    return pd.concat([count, so_far], axis=1).fillna(0).astype(int).reset_index()


def _windowed_top(top: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    parts = [
        _spread(top, plan).assign(scope="window"),
        _up_to(top, plan).assign(scope="so_far"),
    ]
    best = pd.concat(parts).sort_values("score", ascending=False, kind="stable")
    best["rank"] = best.groupby([*KEYS, "scope"]).cumcount() + 1
    return best.loc[best["rank"] <= TOP]


def _only(table: pd.DataFrame, windows: pd.DataFrame) -> pd.DataFrame:
    return table.merge(windows[KEYS], on=KEYS)


def _require_windows(windows: pd.DataFrame, enough: pd.Series, min_models: int) -> None:
    most = windows.groupby(["leaderboard", "benchmark"])["n_models"].max()
    without = most[most < min_models]
    if len(without):
        raise InputError(
            [
                f"leaderboard '{board}', benchmark '{name}': no window has {min_models} "
                f"evaluations (the largest has {count}); take longer windows "
                "(discriminability.window) or leave the benchmark out"
                for (board, name), count in without.items()
            ]
        )
    if not enough.any():
        raise InputError("no window has enough evaluations")
