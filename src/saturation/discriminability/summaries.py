"""Histogram summaries of a leaderboard: small tables from which every later stage runs."""

import pandas as pd

from saturation.discriminability import submitters
from saturation.discriminability.names import FINE_BINS, KEYS, SUMMARY, TOP

Summary = dict[str, pd.DataFrame]


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
        (``n_models, mean, sd``), ``population`` (``unit, name, bin``: first evaluation in the
        month of every model and family that occurs in more than one month) and ``submitters``
        (``submitter, bin, count`` of those with more than one evaluation of the benchmark).
        Scores are proportions. All start with ``leaderboard, benchmark, month``.
    """
    ordered = evaluations.sort_values(["date", "model"], kind="stable", ignore_index=True)
    ordered["new"] = ~ordered.duplicated(["benchmark", "model"])
    makers = {
        "bins": _bins,
        "top": _top,
        "moments": _moments,
        "population": _population,
        "submitters": submitters.repeated,
    }
    return {name: _finished(makers[name](ordered), leaderboard) for name in SUMMARY}


def combine(summaries: list[Summary]) -> Summary:
    """Summaries of several leaderboards in one."""
    return {
        name: pd.concat([summary[name] for summary in summaries], ignore_index=True)
        for name in summaries[0]
    }


def histograms(bins: pd.DataFrame, column: str = "count") -> pd.DataFrame:
    """Counts of every window as one row of 300 numbers.

    Parameters
    ----------
    bins
        ``leaderboard, benchmark, month, bin`` and counts.
    column
        The column of the counts.

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
    return in_order(plain)


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """A table of the summary with its rows in the order in which it is written."""
    labels = (*KEYS, "scope", "unit", "name", "submitter", "rank", "bin")
    order = [name for name in labels if name in table.columns]
    return table.sort_values(order, kind="stable", ignore_index=True)
