"""What the study runs from: the monthly summary, checked and formed into the configured windows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.discriminability.leaderboards import DROPPED
from saturation.discriminability.names import BOARD, KEYS, TOP
from saturation.discriminability.summaries import Summary, in_order
from saturation.errors import InputError

WindowKind = Literal["month", "quarter", "rolling"]


@dataclass(frozen=True)
class Settings:
    """Which windows are formed.

    Parameters
    ----------
    window
        ``month``, ``quarter``, or ``rolling`` over the last `rolling_months` months.
    rolling_months
        Months of a rolling window.
    min_models
        Fewest evaluations of a window (section 3: 10).
    """

    window: WindowKind
    rolling_months: int
    min_models: int


def inputs(
    summary: Mapping[str, pd.DataFrame],
    benchmarks: pd.DataFrame,
    dropped: pd.DataFrame,
    settings: Settings,
    file: str,
) -> Summary:
    """The tables that every later stage reads, and the list of what was left out.

    Parameters
    ----------
    summary
        Tables of :func:`saturation.discriminability.summaries.summarise`.
    benchmarks
        ``benchmark, kind, n_test``.
    dropped
        Rows that were left out of the summary.
    settings
        See :class:`Settings`.
    file
        Name of the table of benchmarks, for messages.

    Returns
    -------
    dict
        ``bins, top, windows, population, submitters`` of :func:`windowed`, ``benchmarks``, and
        ``dropped`` with the windows that were left out.

    Raises
    ------
    InputError
        Naming each benchmark that the table of benchmarks lacks, or that has no valid window.
    """
    unknown = sorted(set(summary["moments"]["benchmark"]) - set(benchmarks["benchmark"]))
    if unknown:
        raise InputError([f"{file}: no row for benchmark '{name}'; add one" for name in unknown])
    windows, left_out = windowed(
        summary, settings.window, settings.rolling_months, settings.min_models
    )
    listed = pd.concat([dropped, left_out], ignore_index=True).reindex(columns=DROPPED)
    return {**windows, "benchmarks": benchmarks, "dropped": listed}


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
        Tables of :func:`saturation.discriminability.summaries.summarise`.
    kind, rolling_months
        See :func:`window_months`.
    min_models
        Fewest evaluations of a window (section 3: 10).

    Returns
    -------
    tables : dict
        ``bins`` with ``count`` and ``so_far`` (models seen up to the window's end, each once, at
        its first score); ``top`` with ``scope`` (``window`` or ``so_far``); ``windows`` with
        ``n_models, mean, sd, elapsed`` (months since the first window); ``population``;
        ``submitters``. The column ``month`` holds the window's label.
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
    _require_windows(windows, min_models)
    valid = windows.loc[enough].copy()
    valid["elapsed"] = valid["end"] - valid.groupby(BOARD)["end"].transform("min")
    tables = {
        "bins": _windowed_bins(summary["bins"], plan),
        "top": _windowed_top(summary["top"], plan),
        "population": _spread(summary["population"], plan).drop_duplicates([*KEYS, "unit", "name"]),
        "submitters": _windowed_submitters(summary["submitters"], plan),
        "windows": valid,
    }
    columns = {
        "bins": [*KEYS, "bin", "count", "so_far"],
        "top": [*KEYS, "scope", "rank", "score", "accuracy"],
        "population": [*KEYS, "unit", "name", "bin"],
        "submitters": [*KEYS, "submitter", "bin", "count"],
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
        {name: in_order(_only(tables[name], valid)[columns[name]]) for name in tables},
        left_out.reset_index(drop=True),
    )


def _rolling(periods: pd.PeriodIndex, ordinal: NDArray[np.int64], length: int) -> pd.DataFrame:
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


def _windowed_submitters(table: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    keys = [*KEYS, "submitter", "bin"]
    return _spread(table, plan).groupby(keys)["count"].sum().reset_index()


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


def _require_windows(windows: pd.DataFrame, min_models: int) -> None:
    most = windows.groupby(BOARD, as_index=False)["n_models"].max()
    without = most[most["n_models"] < min_models]
    if len(without):
        raise InputError(
            [
                f"leaderboard '{board}', benchmark '{name}': no window has {min_models} "
                f"evaluations (the largest has {count}); take longer windows "
                "(discriminability.window) or leave the benchmark out"
                for board, name, count in without.itertuples(index=False, name=None)
            ]
        )
