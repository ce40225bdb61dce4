"""The index and the top scores window by window, and how they changed over time.

Changes of the index rest on submitters, each counted once, or on the same models or families at
both ends; beside them stand the saturation index over time and the pace of benchmarks by kind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import ArrayLike

from saturation import seeds
from saturation.arrays import Floats, Integers
from saturation.discriminability import growth
from saturation.discriminability.bdi import (
    Key,
    Window,
    bdi,
    ceiling_proximity,
    count_by_window,
    counted_once,
    rebin,
    top_gap,
)
from saturation.discriminability.names import BOARD, FINE_BINS, KEYS
from saturation.discriminability.windows import TESTED, change_from_first, measure_window
from saturation.files.tables import NamedTables, Row
from saturation.index import saturation_bin, saturation_index
from saturation.statistics import entropy, intervals
from studies import correlation
from studies.discriminability.names import SATURATED

Histograms = Mapping[Key, Integers]
CHANGES = [
    *BOARD,
    "last_window",
    "from",
    "to",
    "n_from",
    "n_to",
    "bdi_from",
    "bdi_to",
    "change",
    "relative",
    *TESTED,
    "p_value_entries",
    "apart",
]
MEASURED = [
    "bdi_from",
    "bdi_to",
    "change",
    "corrected_change",
    "corrected_change_lower",
    "corrected_change_upper",
    "note",
]
GAPS = (10, 20)
FEWEST = 10  # as for a window: fewer members carry no index


@dataclass(frozen=True)
class Resampling:
    """Settings of the index, the gaps and their uncertainty."""

    bins: int  # number of bins of the index
    resamples: int  # number of resamples of a window's models for the intervals of its gaps
    level: float
    seed: int


def histograms(bins: pd.DataFrame) -> pd.DataFrame:
    """Return counts of every window as a row of 300 numbers.

    Index ``leaderboard, benchmark, month``, columns 0..299.
    """
    wide = bins.pivot(index=KEYS, columns="bin", values="count")
    return wide.reindex(columns=range(FINE_BINS)).fillna(0).astype(int)


def measured(
    formed: NamedTables, resampling: Resampling, min_last_models: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All metrics of every window with their intervals, and :func:`changes` over time.

    `formed` are the tables of :func:`studies.discriminability.leaderboards.windowed`. ``bdi`` is
    the paper's index of all evaluations; ``bdi_submitters`` the index with each of the
    ``n_submitters`` counted once and the small-sample bias taken off, with its interval, or the
    ``reason`` why there is none.
    """
    counts = histograms(formed["bins"])
    fine = dict(zip(map(tuple, counts.index), counts.to_numpy()))
    coarse = {key: rebin(histogram, resampling.bins) for key, histogram in fine.items()}
    of_windows = formed["top"][formed["top"]["scope"] == "window"].groupby(KEYS)["score"]
    best = {key: scores.to_numpy(float) for key, scores in of_windows}
    once = count_by_window(coarse, formed["submitters"], KEYS)
    rows = []
    for key in formed["windows"][KEYS].itertuples(index=False, name=None):
        # Each window has a random stream of its own, named after it.
        rng = seeds.generator(resampling.seed, "discriminability", "monthly", *key)
        gaps = resample_top_gaps(best[key], fine[key], resampling.resamples, rng)
        rows.append(
            {
                **dict(zip(KEYS, key)),
                **_best(best[key], gaps, resampling.level),
                "bdi": float(bdi(coarse[key])),
                **measure_window(once[key], resampling.level),
            }
        )
    monthly = formed["windows"].merge(pd.DataFrame(rows), on=KEYS)
    return monthly, changes(monthly, once, coarse, min_last_models, resampling)


def changes(
    monthly: pd.DataFrame,
    once: Mapping[Key, Window],
    coarse: Histograms,
    min_last: int,
    resampling: Resampling,
) -> pd.DataFrame:
    """Compute changes of the index from the first to the last window, and to the last large one.

    ``last_window`` (any, large), the windows and their sizes, the paper's ``change`` and
    ``relative`` (share of the starting value), the columns `TESTED`, ``p_value_entries``: the
    p-value if evaluations were independent, which those of one submitter are not, and ``apart``:
    whether the intervals of the two windows leave each other out, which is the paper's released
    check.
    """
    entries = {key: counted_once(counts, None) for key, counts in coarse.items()}
    plain = {key: _plain_interval(counts, key, resampling) for key, counts in coarse.items()}
    rows = []
    for board, series in monthly.groupby(BOARD):
        ordered = series.sort_values("elapsed", ignore_index=True)
        for last_window, end in _ends(ordered, min_last).items():
            ends = ordered.iloc[[0, end]]
            keys = list(ends[KEYS].itertuples(index=False, name=None))
            of_entries = change_from_first([entries[key] for key in keys], resampling.level)
            start, finish = (plain[key] for key in keys)
            rows.append(
                {
                    **dict(zip(BOARD, board)),
                    "last_window": last_window,
                    **change_of_index(ends),
                    **change_from_first([once[key] for key in keys], resampling.level),
                    "p_value_entries": of_entries["p_value"],
                    "apart": start[1] < finish[0] or finish[1] < start[0],
                }
            )
    return pd.DataFrame(rows, columns=CHANGES)


def _plain_interval(counts: Integers, key: Key, how: Resampling) -> Any:
    """Return a window's percentile interval if evaluations were independent.

    As in the paper's released check (``review_fixes.py``).
    """
    rng = seeds.generator(how.seed, "discriminability", "plain", *key)
    total = counts.sum()
    resampled = bdi(rng.multinomial(total, counts / total, size=how.resamples))
    return intervals.percentile(resampled, how.level)


def bins_table(counts: pd.DataFrame, sweep: Sequence[int]) -> pd.DataFrame:
    """Compute the index of every window for each number of bins."""
    parts = [
        pd.DataFrame({"bins": bins, "bdi": bdi(rebin(counts.to_numpy(), bins))}, counts.index)
        for bins in sweep
    ]
    return pd.concat(parts).reset_index().sort_values([*KEYS, "bins"], ignore_index=True)


def bins_summary(table: pd.DataFrame, reference: int) -> pd.DataFrame:
    """Summarise how level, order and trends of the index depend on the number of bins.

    One row a number of bins: ``mean_shift``, ``min_shift``, ``max_shift`` over all windows;
    ``order_agreement`` (Kendall's tau-b over all windows), ``worst_month_agreement`` (the lowest
    tau-b among the benchmarks of one leaderboard and month) and ``trend_agreement`` (share of
    benchmarks whose first-to-last change keeps its sign).
    """
    wide = table.pivot(index=KEYS, columns="bins", values="bdi")
    base = wide[reference]
    by_benchmark = wide.groupby(level=BOARD)
    signs = (by_benchmark.last() - by_benchmark.first()).map(np.sign)
    months = [month for _, month in wide.groupby(level=["leaderboard", "month"]) if len(month) > 2]
    rows = []
    for bins in sorted(table["bins"].unique()):
        shift = wide[bins] - base
        by_month = [month[bins].corr(month[reference], method="kendall") for month in months]
        rows.append(
            {
                "bins": bins,
                "windows": len(wide),
                "mean_shift": shift.mean(),
                "min_shift": shift.min(),
                "max_shift": shift.max(),
                "order_agreement": wide[bins].corr(base, method="kendall", min_periods=2),
                "worst_month_agreement": pd.Series(by_month).min() if by_month else 1.0,
                "trend_agreement": (signs[bins] == signs[reference]).mean(),
            }
        )
    return pd.DataFrame(rows)


def index_over_time(
    top: pd.DataFrame, benchmarks: pd.DataFrame, k: int, alpha: float
) -> pd.DataFrame:
    """Saturation index of the top k of each window and of everything so far.

    ``leaderboard, benchmark, month, scope, n_test, s_1, s_k, s_index, bin, note``; the index is
    missing, and the note says why, without `n_test` or with fewer than k scores.
    """
    ordered = top.sort_values("accuracy", ascending=False, kind="stable")
    ordered = ordered.assign(place=ordered.groupby([*KEYS, "scope"]).cumcount() + 1)
    wide = ordered.pivot(index=[*KEYS, "scope"], columns="place", values="accuracy")
    wide = wide.reindex(columns=[1, k])
    table = wide.set_axis(["s_1", "s_k"], axis=1).reset_index()
    table = table.merge(benchmarks[["benchmark", "n_test"]], on="benchmark", how="left")
    table["s_index"] = saturation_index(table["s_1"], table["s_k"], table["n_test"], alpha)
    defined = table["s_index"].notna()
    table["bin"] = np.where(defined, saturation_bin(table["s_index"].fillna(0)), "")
    table["note"] = np.select(
        [table["n_test"].isna(), table["s_k"].isna()],
        ["the number of test items is not known", f"fewer than {k} models"],
        "",
    )
    return table.sort_values([*KEYS, "scope"], ignore_index=True)


def agreement(monthly: pd.DataFrame, index: pd.DataFrame) -> pd.DataFrame:
    """Rank agreement of lost discriminability (1 - BDI) with the saturation index.

    Spearman correlation with interval and p-value for each benchmark over its windows, for each
    leaderboard over all its windows, and over everything (``all``), by scope. +1: both measures
    rank in the same order. Windows of a benchmark are not independent, so that the pooled
    intervals are too narrow.
    """
    merged = monthly[[*KEYS, "bdi"]].merge(index.dropna(subset="s_index"), on=KEYS)
    rows = []
    for scope, pairs in merged.groupby("scope"):
        groups = list(pairs.groupby(BOARD))
        groups += [((name, "all"), group) for name, group in pairs.groupby("leaderboard")]
        groups.append((("all", "all"), pairs))
        for board, group in groups:
            estimate = (
                correlation.spearman(1 - group["bdi"], group["s_index"])
                if len(group) > 2
                else correlation.undefined_estimate(len(group))
            )
            rows.append({**dict(zip(BOARD, board)), "scope": scope, **estimate})
    columns = [*BOARD, "scope", "estimate", "p_value", "lower", "upper", "n"]
    return pd.DataFrame(rows, columns=columns)


def pace(monthly: pd.DataFrame) -> pd.DataFrame:
    """Measure how near the ceiling each benchmark started, and how fast its best score rose.

    ``first_cp``, ``last_cp``, ``highest_cp``, ``gain_a_month`` (slope of the running maximum, with
    its standard error), ``months_to_085`` (until the running maximum passes 0.85; missing: not
    reached).
    """
    rows = []
    for board, series in monthly.groupby(BOARD):
        ordered = series.sort_values("elapsed")
        proximity = ordered["ceiling_proximity"].to_numpy()
        running = np.maximum.accumulate(proximity)
        elapsed = ordered["elapsed"].to_numpy(float)
        reached = elapsed[running > SATURATED]
        slope, error = _slope(elapsed, running)
        rows.append(
            {
                **dict(zip(BOARD, board)),
                "windows": len(ordered),
                "first_cp": running[0],
                "last_cp": proximity[-1],
                "highest_cp": running[-1],
                "gain_a_month": slope,
                "gain_a_month_error": error,
                "months_to_085": reached[0] if len(reached) else np.nan,
            }
        )
    return pd.DataFrame(rows)


def first_due(table: pd.DataFrame) -> pd.DataFrame:
    """Return the first window in which each criterion and all three are met; count the latter.

    One row a benchmark: ``first_ceiling_met, first_gap_met, first_decline_met, first_due``
    (missing: never), ``windows``, ``windows_due``.
    """
    rows = []
    for board, series in table.groupby(BOARD):
        firsts = {
            f"first_{name}": series.loc[series[name], "month"].min()
            for name in (*growth.CRITERIA, "due")
        }
        due = {"windows": len(series), "windows_due": int(series["due"].sum())}
        rows.append({**dict(zip(BOARD, board)), **firsts, **due})
    return pd.DataFrame(rows)


def fixed_population(
    population: pd.DataFrame, changes: pd.DataFrame, bins: int, level: float
) -> pd.DataFrame:
    """Change of the index among the models, or base families, present at both ends.

    One row a change and unit (``model`` or ``family``): ``members`` in both windows, ``bdi_from``,
    ``bdi_to``, ``change``, ``corrected_change`` (bias taken off) with its interval,
    ``plain_change`` of everybody, and ``note`` where too few members are shared for an interval, or
    for anything.
    """
    wide = population.pivot(index=[*BOARD, "unit", "name"], columns="month", values="bin")
    groups = dict(list(wide.groupby(level=[*BOARD, "unit"])))
    labels = CHANGES[: CHANGES.index("n_from")]
    rows = []
    for row, unit in product(changes.to_dict("records"), ("model", "family")):
        names = groups.get((row["leaderboard"], row["benchmark"], unit))
        pair = _shared(names, row["from"], row["to"])
        rows.append(
            {
                **{key: row[key] for key in labels},
                "unit": unit,
                "members": len(pair),
                "plain_change": row["change"],
                **_paired_change(pair, bins, level),
            }
        )
    return pd.DataFrame(rows, columns=[*labels, "unit", "members", "plain_change", *MEASURED])


def _ends(ordered: pd.DataFrame, min_last: int) -> dict[str, int]:
    """Return the places of the last and the last large window, if a window precedes them."""
    large = np.flatnonzero(ordered["n_models"] >= min_last)
    ends = {"any": len(ordered) - 1, "large": large.max(initial=0)}
    return {last_window: end for last_window, end in ends.items() if end > 0}


def resample_top_gaps(
    top: ArrayLike, fine_counts: ArrayLike, resamples: int, rng: Generator
) -> dict[int, Floats]:
    """Bootstrap of the top-K gaps from the best scores and the histogram below them.

    K to an array of shape (resamples,); only the K that the window's size allows.
    """
    fine_counts = np.asarray(fine_counts, int)
    n = int(fine_counts.sum())
    values, weights = _recover_scores(np.asarray(top, float), fine_counts)
    reached = rng.multinomial(n, weights / weights.sum(), size=resamples).cumsum(axis=1)
    first = values[(reached >= 1).argmax(axis=1)]
    return {
        k: (first - values[(reached >= k).argmax(axis=1)]).clip(min=0) / (k - 1)
        for k in GAPS
        if n >= k
    }


def _recover_scores(top: Floats, fine_counts: Integers) -> tuple[Floats, Floats]:
    """Return the best scores, then midpoints of lower bins, and the evaluations that each holds."""
    # The best scores fill the highest bins, so they are taken off from there: a bin worked out from
    # a rounded score may be the next one.
    size = len(fine_counts)
    from_above = fine_counts[::-1]
    below = np.clip(from_above.cumsum() - len(top), 0, from_above)[::-1]
    filled = np.flatnonzero(below > 0)[::-1]
    values = np.concatenate([top, (filled + 0.5) / size])
    return values, np.concatenate([np.ones(len(top)), below[filled]])


def _best(scores: Floats, gap_draws: Mapping[int, Floats], level: float) -> Row:
    """Return ceiling proximity and top-K gaps of a window."""
    row = {"max_score": scores[0], "ceiling_proximity": ceiling_proximity(scores)}
    short = []
    for k in GAPS:
        row[f"top{k}_gap"] = top_gap(scores, k)
        bounds = intervals.percentile(gap_draws[k], level) if k in gap_draws else (np.nan, np.nan)
        row[f"top{k}_gap_lower"], row[f"top{k}_gap_upper"] = bounds
        if k not in gap_draws:
            short.append(f"fewer than {k} models, so there is no top-{k} gap")
    return row | {"note": "; ".join(short)}


def change_of_index(windows: pd.DataFrame) -> Row:
    """Compute the change of the paper's index over windows that are in order."""
    first, last = windows["bdi"].iloc[[0, -1]]
    ends = windows.iloc[[0, -1]][["month", "n_models", "bdi"]].to_numpy(object).T.ravel()
    return {
        **dict(zip(CHANGES[3:9], ends)),
        "change": last - first,
        "relative": (last - first) / first if first else np.nan,
    }


def _slope(x: Floats, y: Floats) -> tuple[float, float]:
    if len(x) < 3:
        return np.nan, np.nan
    coefficients, covariance = np.polyfit(x, y, 1, cov=True)
    return coefficients[0], np.sqrt(covariance[0, 0])


def _shared(names: pd.DataFrame | None, start: str, end: str) -> Integers:
    """Bins at both ends of the names that are in both windows, shape (members, 2)."""
    if names is None or start == end or not {start, end} <= set(names.columns):
        return np.empty((0, 2), int)
    return names[[start, end]].dropna().to_numpy(int)


def _paired_change(pair: Integers, bins: int, level: float) -> Row:
    if len(pair) < FEWEST:
        return {"note": f"{len(pair)} members in both windows; at least {FEWEST} are needed"}
    # The kinds of members by their two bins: what a member adds to the error at one end is
    # subtracted from what it adds at the other.
    kinds, copies = np.unique(pair * bins // FINE_BINS, axis=0, return_counts=True)
    ends = [entropy.jackknife(np.eye(bins)[kinds[:, end]], copies) for end in (0, 1)]
    corrected = ends[1].value - ends[0].value
    deviations = ends[1].deviations - ends[0].deviations
    before, after = (bdi(np.bincount(kinds[:, end], copies, bins)) for end in (0, 1))
    estimate = entropy.estimate(corrected, deviations, copies)
    reason = ""
    if len(pair) < entropy.FEWEST:
        reason = f"{len(pair)} members; at least {entropy.FEWEST} are needed for an interval"
    elif not estimate.standard_error > 0:
        reason = "every member has the same part in it, so nothing is known of the error"
    half = np.nan if reason else entropy.half_width(estimate, level) / np.log(bins)
    change = corrected / np.log(bins)
    return {
        "bdi_from": before,
        "bdi_to": after,
        "change": after - before,
        "corrected_change": change,
        "corrected_change_lower": change - half,
        "corrected_change_upper": change + half,
        "note": reason,
    }
