"""The index and the top scores window by window, and how they changed over time."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.discriminability.bdi import (
    GAPS,
    Array,
    Counts,
    Draws,
    Resampling,
    bdi,
    bdi_corrected,
    ceiling_proximity,
    pivotal_interval,
    rebin,
    resample_bdi,
    resample_top_gaps,
    top_gap,
)
from saturation.discriminability.names import BOARD, COMPARISONS, KEYS
from saturation.discriminability.summaries import histograms
from saturation.statistics import intervals

# A window by its leaderboard, benchmark and label.
Key = tuple[Hashable, ...]

CHANGES = [
    *BOARD,
    "comparison",
    "last_window",
    "from",
    "to",
    "n_from",
    "n_to",
    "bdi_from",
    "bdi_to",
    "change",
    "change_lower",
    "change_upper",
    "significant",
    "relative",
    "corrected_change",
    "corrected_change_lower",
    "corrected_change_upper",
    "corrected_significant",
]


class Resamples(NamedTuple):
    """Resampled index and top-K gaps of every window by its key."""

    indices: dict[Key, Draws]
    gaps: dict[Key, dict[int, Array]]


def measured(
    windows: pd.DataFrame,
    bins_table: pd.DataFrame,
    top: pd.DataFrame,
    resampling: Resampling,
    min_last_models: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All metrics of every window, and the changes over time.

    Parameters
    ----------
    windows, bins_table, top
        The windows of :func:`saturation.discriminability.inputs.windowed`.
    resampling
        Bins, resamples, coverage and seed.
    min_last_models
        Changes are also taken up to the last window with at least this many models.

    Returns
    -------
    monthly : pandas.DataFrame
        :func:`monthly_table`.
    changes : pandas.DataFrame
        :func:`changes`.
    """
    counts = histograms(bins_table)
    scores = best_scores(top)
    draws = resampled(counts, scores, resampling)
    monthly = monthly_table(windows, counts, scores, draws, resampling.bins, resampling.level)
    return monthly, changes(monthly, draws.indices, min_last_models, resampling.level)


def best_scores(top: pd.DataFrame) -> dict[Key, Array]:
    """Best scores of each window, best first, from the rows whose ``scope`` is ``window``."""
    of_windows = top[top["scope"] == "window"]
    return {key: group.to_numpy(float) for key, group in of_windows.groupby(KEYS)["score"]}


def resampled(
    counts: pd.DataFrame, scores: Mapping[Key, Array], resampling: Resampling
) -> Resamples:
    """Resamples of every window; each has a random stream of its own, named after it.

    Parameters
    ----------
    counts
        :func:`saturation.discriminability.summaries.histograms` of the windows.
    scores
        :func:`best_scores`.
    resampling
        Bins, resamples, coverage and seed.
    """
    draws = Resamples({}, {})
    for key, fine in zip(map(tuple, counts.index), counts.to_numpy(), strict=True):
        rng = seeds.generator(resampling.seed, "discriminability", "monthly", *key)
        coarse = rebin(fine, resampling.bins)
        draws.indices[key] = resample_bdi(coarse, resampling.resamples, rng)
        draws.gaps[key] = resample_top_gaps(scores[key], fine, resampling.resamples, rng)
    return draws


def monthly_table(
    windows: pd.DataFrame,
    counts: pd.DataFrame,
    scores: Mapping[Key, Array],
    draws: Resamples,
    bins: int,
    level: float,
) -> pd.DataFrame:
    """All metrics of every window with their intervals.

    Parameters
    ----------
    windows
        ``leaderboard, benchmark, month, n_models, mean, sd, elapsed``.
    counts
        :func:`saturation.discriminability.summaries.histograms` of the windows.
    scores
        :func:`best_scores`.
    draws
        :func:`resampled`.
    bins
        Number of bins of the index.
    level
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        One row a window. ``bdi_lower`` and ``bdi_upper`` are the percentile interval of the
        plain index, ``bdi_corrected_*`` the pivotal one of the corrected index.
    """
    rows = [
        {
            **dict(zip(KEYS, key, strict=True)),
            **_best(scores[key], draws.gaps[key], level),
            **_index(rebin(counts.loc[key].to_numpy(), bins), draws.indices[key], level),
        }
        for key in windows[KEYS].itertuples(index=False, name=None)
    ]
    return windows.merge(pd.DataFrame(rows), on=KEYS)


def changes(
    monthly: pd.DataFrame, draws: Mapping[Key, Draws], min_last: int, level: float
) -> pd.DataFrame:
    """Change of the index from the first and from the peak window to the last one.

    Parameters
    ----------
    monthly
        Table of :func:`monthly_table`.
    draws
        Resampled index of each window by its key.
    min_last
        The last window is also taken as the last one with at least this many models.
    level
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        ``comparison`` (first_to_last, peak_to_last), ``last_window`` (any, large),
        the windows and their sizes, ``change`` with its percentile interval, ``relative`` (share
        of the starting value), ``corrected_change`` with its pivotal interval, and whether each
        interval leaves out 0. The peak is looked for again in every resample, so that the
        interval covers its selection.
    """
    rows = []
    for board, series in monthly.groupby(BOARD, sort=True):
        ordered = series.sort_values("elapsed", ignore_index=True)
        for last_window, end in _ends(ordered, min_last).items():
            until = ordered.iloc[: end + 1]
            sampled = [draws[key] for key in until[KEYS].itertuples(index=False, name=None)]
            rows += [
                {
                    **dict(zip(BOARD, board, strict=True)),
                    "comparison": comparison,
                    "last_window": last_window,
                    **_change(until, sampled, comparison, level),
                }
                for comparison in COMPARISONS
            ]
    return pd.DataFrame(rows, columns=CHANGES)


def _ends(ordered: pd.DataFrame, min_last: int) -> dict[str, int]:
    """Place of the last window and of the last large one, where a window comes before it."""
    large = np.flatnonzero(ordered["n_models"] >= min_last)
    ends = {"any": len(ordered) - 1, "large": int(large[-1]) if len(large) else 0}
    return {last_window: end for last_window, end in ends.items() if end > 0}


def _best(scores: Array, gap_draws: Mapping[int, Array], level: float) -> dict[str, float | str]:
    """What the best scores of a window say: ceiling proximity and top-K gaps."""
    row: dict[str, float | str] = {
        "max_score": float(scores[0]),
        "ceiling_proximity": ceiling_proximity(scores),
    }
    short = []
    for k in GAPS:
        row[f"top{k}_gap"] = top_gap(scores, k)
        bounds = intervals.percentile(gap_draws[k], level) if k in gap_draws else (np.nan, np.nan)
        row[f"top{k}_gap_lower"], row[f"top{k}_gap_upper"] = bounds
        if k not in gap_draws:
            short.append(f"fewer than {k} models, so there is no top-{k} gap")
    return {**row, "note": "; ".join(short)}


def _index(counts: Counts, draws: Draws, level: float) -> dict[str, float]:
    plain, corrected = float(bdi(counts)), float(bdi_corrected(counts))
    lower, upper = intervals.percentile(draws.plain, level)
    bounds = pivotal_interval(corrected, draws.corrected, plain, level)
    return {
        "bdi": plain,
        "bdi_lower": lower,
        "bdi_upper": upper,
        "bdi_corrected": corrected,
        "bdi_corrected_lower": max(bounds[0], 0.0),
        "bdi_corrected_upper": min(bounds[1], 1.0),
    }


def _change(
    until: pd.DataFrame, sampled: list[Draws], comparison: str, level: float
) -> dict[str, Any]:
    """One change with its intervals; `until` and `sampled` are the windows up to the last one."""
    from_first = comparison == "first_to_last"

    def start(values: Array) -> Array:
        """Starting value along the first axis, the windows; the last window can be the peak."""
        starting: Array = values[0] if from_first else values.max(axis=0)
        return starting

    plain, corrected = until["bdi"].to_numpy(float), until["bdi_corrected"].to_numpy(float)
    at = 0 if from_first else int(plain.argmax())
    drawn = Draws(*(np.stack(values) for values in zip(*sampled, strict=True)))
    change = plain[-1] - plain[at]
    corrected_change = float(corrected[-1] - start(corrected))
    bounds = intervals.percentile(drawn.plain[-1] - start(drawn.plain), level)
    pivotal = pivotal_interval(
        corrected_change, drawn.corrected[-1] - start(drawn.corrected), change, level
    )
    first, last = until.iloc[at], until.iloc[-1]
    return {
        "from": first["month"],
        "to": last["month"],
        "n_from": first["n_models"],
        "n_to": last["n_models"],
        "bdi_from": plain[at],
        "bdi_to": plain[-1],
        "change": change,
        "change_lower": bounds[0],
        "change_upper": bounds[1],
        "significant": not bounds[0] <= 0 <= bounds[1],
        "relative": change / plain[at] if plain[at] else np.nan,
        "corrected_change": corrected_change,
        "corrected_change_lower": pivotal[0],
        "corrected_change_upper": pivotal[1],
        "corrected_significant": not pivotal[0] <= 0 <= pivotal[1],
    }
