"""How much a score distribution tells models apart, window by window (discriminability paper).

The histograms have 300 equal bins, scores are proportions. Because the index is a function of
the histogram, drawing counts from a multinomial is exactly the bootstrap over models.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from saturation.discriminability.summaries import KEYS
from saturation.errors import InputError

Array = NDArray[np.float64]
GAPS = (10, 20)
BOARD = KEYS[:2]
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


class Draws(NamedTuple):
    """Resampled index of one window: the plain and the corrected values, shape (resamples,)."""

    plain: Array
    corrected: Array


def rebin(counts: ArrayLike, bins: int) -> NDArray[np.int64]:
    """Counts in fewer equal bins, exactly.

    Parameters
    ----------
    counts
        Shape (..., fine bins).
    bins
        Number of bins to form.

    Raises
    ------
    InputError
        If `bins` does not divide the number of fine bins.
    """
    counts = np.asarray(counts)
    if bins < 1 or counts.shape[-1] % bins:
        raise InputError(
            f"bins: {bins} is not allowed; expected a divisor of {counts.shape[-1]}, so that the "
            "bins can be formed exactly"
        )
    return counts.reshape(*counts.shape[:-1], bins, -1).sum(axis=-1)


def bdi(counts: ArrayLike) -> Array:
    """Benchmark discriminability index: entropy over its maximum (section 4.1, equation 1).

    Parameters
    ----------
    counts
        Evaluations a bin, shape (..., B) with B >= 2.

    Returns
    -------
    numpy.ndarray
        Shape (...); 0 when all models share a bin, 1 when they are spread evenly.
    """
    counts = np.asarray(counts, dtype=float)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    # The negative zero of a single full bin would be printed as such.
    return np.abs(entr(shares).sum(axis=-1)) / np.log(counts.shape[-1])


def bdi_corrected(counts: ArrayLike) -> Array:
    """Index with the small-sample bias of the entropy taken off (Miller 1955, Madow 1948).

    The plain entropy of n draws is too low by about (occupied bins - 1) / 2n nats.
    """
    counts = np.asarray(counts, dtype=float)
    occupied = (counts > 0).sum(axis=-1)
    missing = (occupied - 1) / (2 * counts.sum(axis=-1))
    return np.minimum(bdi(counts) + missing / np.log(counts.shape[-1]), 1.0)


def ceiling_proximity(scores: ArrayLike) -> float:
    """Best score over the highest possible one (equation 3); scores are proportions."""
    return float(np.max(scores))


def top_gap(scores: ArrayLike, k: int) -> float:
    """Mean gap between neighbours among the k best scores (equation 2).

    The sum telescopes to the gap between the first and the k-th score. NaN with fewer than k.
    """
    best = -np.sort(-np.asarray(scores, dtype=float))
    return float((best[0] - best[k - 1]) / (k - 1)) if len(best) >= k else float("nan")


def resample_bdi(counts: ArrayLike, resamples: int, rng: np.random.Generator) -> Draws:
    """Bootstrap of the index from a window's histogram.

    Parameters
    ----------
    counts
        Shape (B,).
    resamples
        Number of resamples of the window's models.
    rng
        Random stream.
    """
    counts = np.asarray(counts)
    n = int(counts.sum())
    drawn = rng.multinomial(n, counts / n, size=resamples)
    return Draws(bdi(drawn), bdi_corrected(drawn))


def resample_top_gaps(
    top: ArrayLike, fine_counts: ArrayLike, resamples: int, rng: np.random.Generator
) -> dict[int, Array]:
    """Bootstrap of the top-K gaps from the best scores and the histogram below them.

    Parameters
    ----------
    top
        The best scores, best first.
    fine_counts
        All scores in fine bins; below the best ones a bin's midpoint stands for its scores.
    resamples, rng
        See :func:`resample_bdi`.

    Returns
    -------
    dict
        K to an array of shape (resamples,); only the K that the window's size allows.
    """
    top = np.asarray(top, dtype=float)
    below = np.array(fine_counts, dtype=int)
    n = int(below.sum())
    size = len(below)
    np.subtract.at(below, np.minimum(np.floor(top * size + 1e-9).astype(int), size - 1), 1)
    filled = np.flatnonzero(below > 0)[::-1]
    values = np.concatenate([top, (filled + 0.5) / size])
    weights = np.concatenate([np.ones(len(top)), below[filled]])
    reached = rng.multinomial(n, weights / weights.sum(), size=resamples).cumsum(axis=1)
    first = values[(reached >= 1).argmax(axis=1)]
    return {
        k: (first - values[(reached >= k).argmax(axis=1)]).clip(min=0) / (k - 1)
        for k in GAPS
        if n >= k
    }


def percentile_interval(draws: ArrayLike, level: float) -> tuple[float, float]:
    """Percentile bootstrap interval."""
    lower, upper = np.quantile(np.asarray(draws), [0.5 - level / 2, 0.5 + level / 2])
    return float(lower), float(upper)


def pivotal_interval(
    estimate: float, draws: ArrayLike, truth: float, level: float
) -> tuple[float, float]:
    """Interval from the errors that the resamples make about their own truth.

    Parameters
    ----------
    estimate
        The estimate to put the interval around.
    draws
        The same estimator in resamples.
    truth
        Value of the plain statistic in the distribution that the resamples were drawn from.
    level
        Coverage aimed at.
    """
    lower, upper = percentile_interval(np.asarray(draws) - truth, level)
    return estimate - upper, estimate - lower


def monthly_table(
    windows: pd.DataFrame,
    counts: pd.DataFrame,
    top: pd.DataFrame,
    draws: dict[tuple[str, ...], Draws],
    gap_draws: dict[tuple[str, ...], dict[int, Array]],
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
    top
        Best scores of the windows: ``leaderboard, benchmark, month, rank, score``.
    draws, gap_draws
        Resamples of each window by its key.
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
    scores = {key: group.to_numpy() for key, group in top.groupby(KEYS)["score"]}
    rows = [
        {
            **dict(zip(KEYS, key, strict=True)),
            **_frontier(scores[key], gap_draws[key], level),
            **_index(rebin(counts.loc[key], bins), draws[key], level),
        }
        for key in windows[KEYS].itertuples(index=False, name=None)
    ]
    return windows.merge(pd.DataFrame(rows), on=KEYS)


def changes(
    monthly: pd.DataFrame, draws: dict[tuple[str, ...], Draws], min_last: int, level: float
) -> pd.DataFrame:
    """Change of the index from the first and from the peak window to the last one.

    Parameters
    ----------
    monthly
        Table of :func:`monthly_table`.
    draws
        Resamples of each window by its key.
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
        large = ordered.index[ordered["n_models"] >= min_last]
        ends = {"any": len(ordered) - 1, "large": large[-1] if len(large) else 0}
        for last_window, end in ends.items():
            if end == 0:
                continue
            part = ordered.iloc[: end + 1]
            sampled = [draws[tuple(key)] for key in part[KEYS].itertuples(index=False, name=None)]
            rows += [
                {
                    **dict(zip(BOARD, board, strict=True)),
                    "comparison": comparison,
                    "last_window": last_window,
                    **_change(part, sampled, comparison, level),
                }
                for comparison in ("first_to_last", "peak_to_last")
            ]
    return pd.DataFrame(rows, columns=CHANGES)


def _frontier(scores: Array, gap_draws: dict[int, Array], level: float) -> dict[str, float | str]:
    row: dict[str, float | str] = {
        "max_score": float(scores[0]),
        "ceiling_proximity": ceiling_proximity(scores),
    }
    short = []
    for k in GAPS:
        row[f"top{k}_gap"] = top_gap(scores, k)
        bounds = percentile_interval(gap_draws[k], level) if k in gap_draws else (np.nan, np.nan)
        row[f"top{k}_gap_lower"], row[f"top{k}_gap_upper"] = bounds
        if k not in gap_draws:
            short.append(f"fewer than {k} models, so there is no top-{k} gap")
    return {**row, "note": "; ".join(short)}


def _index(counts: NDArray[np.int64], draws: Draws, level: float) -> dict[str, float]:
    plain, corrected = float(bdi(counts)), float(bdi_corrected(counts))
    lower, upper = percentile_interval(draws.plain, level)
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
    part: pd.DataFrame, sampled: list[Draws], comparison: str, level: float
) -> dict[str, float | str | bool]:
    def start(values: Array) -> Array:
        """Starting value along the first axis, the windows; the last window can be the peak."""
        return values[0] if comparison == "first_to_last" else values.max(axis=0)

    plain, corrected = part["bdi"].to_numpy(), part["bdi_corrected"].to_numpy()
    at = 0 if comparison == "first_to_last" else int(plain.argmax())
    drawn = Draws(*(np.stack(values) for values in zip(*sampled, strict=True)))
    change = plain[-1] - plain[at]
    corrected_change = corrected[-1] - start(corrected)
    bounds = percentile_interval(drawn.plain[-1] - start(drawn.plain), level)
    pivotal = pivotal_interval(
        corrected_change, drawn.corrected[-1] - start(drawn.corrected), change, level
    )
    first, last = part.iloc[at], part.iloc[-1]
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
