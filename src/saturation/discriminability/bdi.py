"""How much a histogram of scores tells models apart: the paper's index and gaps.

The histograms have 300 equal bins, scores are proportions. The index's error is the subject of
:mod:`saturation.discriminability.submitters`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from saturation.errors import InputError

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
GAPS = (10, 20)


@dataclass(frozen=True)
class Resampling:
    """How the index and the gaps are measured, and their uncertainty.

    Parameters
    ----------
    bins
        Number of bins of the index.
    resamples
        Number of resamples of a window's models for the intervals of its gaps.
    level
        Coverage of the intervals.
    seed
        The run's seed.
    """

    bins: int
    resamples: int
    level: float
    seed: int


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


def resampled(counts: ArrayLike, resamples: int, rng: np.random.Generator) -> Array:
    """The index of evaluations drawn anew from a window's, each by itself.

    So does the paper's released check (``review_fixes.py``), whose intervals are the percentiles.

    Parameters
    ----------
    counts
        Evaluations a bin, shape (B,).
    resamples
        Number of resamples.
    rng
        Random stream.

    Returns
    -------
    numpy.ndarray
        Shape (resamples,).
    """
    counts = np.asarray(counts)
    total = int(counts.sum())
    return bdi(rng.multinomial(total, counts / total, size=resamples))


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
    resamples
        Number of resamples of the window's models.
    rng
        Random stream.

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


def _known_scores(top: Array, fine_counts: Counts) -> tuple[Array, Array]:
    """The best scores, then the midpoints of the bins below them, and how many each stands for."""
    # The best scores fill the highest bins, so they are taken off from there: a bin worked out from
    # a rounded score may be the next one.
    size = len(fine_counts)
    from_above = fine_counts[::-1]
    below = np.clip(from_above.cumsum() - len(top), 0, from_above)[::-1]
    filled = np.flatnonzero(below > 0)[::-1]
    values = np.concatenate([top, (filled + 0.5) / size])
    return values, np.concatenate([np.ones(len(top)), below[filled]])
