"""How much a histogram of scores tells models apart: the index, its resamples and intervals.

The histograms have 300 equal bins, scores are proportions. Because the index is a function of
the histogram, drawing counts from a multinomial is exactly the bootstrap over models.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from saturation.errors import InputError
from saturation.statistics import intervals

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
GAPS = (10, 20)


@dataclass(frozen=True)
class Resampling:
    """How the index is measured, and its uncertainty.

    Parameters
    ----------
    bins
        Number of bins of the index.
    resamples
        Number of resamples of a window's models.
    level
        Coverage of the intervals.
    seed
        The run's seed.
    """

    bins: int
    resamples: int
    level: float
    seed: int


class Draws(NamedTuple):
    """Resampled index of one window: the plain and the corrected values, shape (resamples,)."""

    plain: Array
    corrected: Array


def rebin(counts: ArrayLike, bins: int) -> Counts:
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
    coarse: Counts = counts.reshape(*counts.shape[:-1], bins, -1).sum(axis=-1)
    return coarse


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
    index: Array = np.abs(entr(shares).sum(axis=-1)) / np.log(counts.shape[-1])
    return index


def bdi_corrected(counts: ArrayLike) -> Array:
    """Index with the small-sample bias of the entropy taken off (Miller 1955, Madow 1948).

    The plain entropy of n draws is too low by about (occupied bins - 1) / 2n nats.
    """
    counts = np.asarray(counts, dtype=float)
    occupied = (counts > 0).sum(axis=-1)
    missing = (occupied - 1) / (2 * counts.sum(axis=-1))
    corrected: Array = np.minimum(bdi(counts) + missing / np.log(counts.shape[-1]), 1.0)
    return corrected


def ceiling_proximity(scores: ArrayLike) -> float:
    """Best score over the highest possible one (equation 3); scores are proportions."""
    return float(np.max(scores))


def top_gap(scores: ArrayLike, k: int) -> float:
    """Mean gap between neighbours among the k best scores (equation 2).

    Parameters
    ----------
    scores
        Scores of a window's models, in any order.
    k
        How many of the best, at least 2.

    Returns
    -------
    float
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
    fine_counts = np.asarray(fine_counts, dtype=int)
    n = int(fine_counts.sum())
    values, weights = _known_scores(np.asarray(top, dtype=float), fine_counts)
    reached = rng.multinomial(n, weights / weights.sum(), size=resamples).cumsum(axis=1)
    first = values[(reached >= 1).argmax(axis=1)]
    return {
        k: (first - values[(reached >= k).argmax(axis=1)]).clip(min=0) / (k - 1)
        for k in GAPS
        if n >= k
    }


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
    lower, upper = intervals.percentile(np.asarray(draws) - truth, level)
    return estimate - upper, estimate - lower


def _known_scores(top: Array, fine_counts: Counts) -> tuple[Array, Array]:
    """The best scores, then the midpoints of the bins below them, and how many each stands for."""
    below, size = fine_counts.copy(), len(fine_counts)
    bins_of_top = np.minimum(np.floor(top * size + 1e-9).astype(int), size - 1)
    np.subtract.at(below, bins_of_top, 1)
    filled = np.flatnonzero(below > 0)[::-1]
    values = np.concatenate([top, (filled + 0.5) / size])
    return values, np.concatenate([np.ones(len(top)), below[filled]])
