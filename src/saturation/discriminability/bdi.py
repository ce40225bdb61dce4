"""Measure how much a histogram of scores separates models: the paper's index, gaps and errors.

The histograms have 300 equal bins, scores are proportions. The index's error counts submitters: the
entries of one are not independent.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from saturation.arrays import Floats, Integers
from saturation.discriminability.names import FINE_BINS
from saturation.errors import InputError
from saturation.statistics import entropy

# A window by its leaderboard, benchmark and label, or by its label alone.
Key = tuple[Hashable, ...]
SINGLE = ""  # name of those who have one entry in all, and are in one window only
UNKNOWN = "the filled bins hold equally many, so nothing is known of the error"


def rebin(counts: ArrayLike, bins: int) -> Integers:
    """Count scores in fewer equal bins, exactly."""
    counts = np.asarray(counts)
    if bins < 1 or counts.shape[-1] % bins:
        raise InputError(
            f"bins: {bins} is not allowed; expected a divisor of {counts.shape[-1]}, so that the "
            "bins can be formed exactly"
        )
    coarse: Integers = counts.reshape(*counts.shape[:-1], bins, -1).sum(axis=-1)
    return coarse


def bdi(counts: ArrayLike) -> Floats:
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
    counts = np.asarray(counts, float)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    # The negative zero of a single full bin would be printed as such.
    index: Floats = np.abs(entr(shares).sum(axis=-1)) / np.log(counts.shape[-1])
    return index


def ceiling_proximity(scores: ArrayLike) -> float:
    """Divide the best score by the highest possible score (equation 3); scores are proportions.

    Examples
    --------
    >>> round(float(ceiling_proximity(np.array([0.5, 0.9]))), 2)
    0.9
    """
    return float(np.max(scores))


def top_gap(scores: ArrayLike, k: int) -> float:
    """Mean gap between neighbours among the k best scores (equation 2).

    The sum telescopes to the gap between the first and the k-th score. NaN with fewer than k.
    """
    best = -np.sort(-np.asarray(scores, float))
    return float((best[0] - best[k - 1]) / (k - 1)) if len(best) >= k else np.nan


class Window(NamedTuple):
    """Index of a window and what each kind of unit adds to its error."""

    value: float  # the index, bias taken off; NaN with fewer than two units
    # names, copies, deviations: submitter of each unit, or `SINGLE`; how many such units there are,
    # and their part of the error (:class:`saturation.statistics.entropy.Jackknife`, on the scale of
    # the index)
    names: NDArray[np.object_]
    copies: Floats
    deviations: Floats
    more: entropy.Estimate  # with one more unit in an empty bin, on the scale of the index
    reason: str  # why nothing can be said of the error; empty where it can


def submitters(models: pd.Series) -> pd.Series:
    """Return who submitted each model: the part of its name before the slash, else the model.

    Examples
    --------
    >>> list(submitters(pd.Series(["org/model", "alone"])))
    ['org', 'alone']
    """
    return models.astype(str).str.split("/", n=1).str[0]


def repeated(entries: pd.DataFrame) -> pd.DataFrame:
    """Count by bin the entries of submitters with several entries on a benchmark."""
    several = entries.duplicated(["benchmark", "submitter"], keep=False)
    keys = ["benchmark", "month", "submitter", "bin"]
    return (
        entries.loc[several]
        .astype({"submitter": object})
        .groupby(keys)
        .size()
        .rename("count")
        .reset_index()
    )


def counted_once(counts: ArrayLike, known: pd.DataFrame | None) -> Window:
    """Index of a window in which every submitter counts once."""
    counts = np.asarray(counts, float)
    bins = len(counts)
    names = np.full(bins, SINGLE, object)
    if known is None:
        return _window(names, np.eye(bins), counts)
    which, first = np.unique(known["submitter"].to_numpy(object), return_inverse=True)
    entries = np.zeros((len(which), bins))
    coarse = known["bin"].to_numpy() * bins // FINE_BINS
    np.add.at(entries, (first, coarse), known["count"].to_numpy())
    return _window(
        np.concatenate([which, names]),
        np.concatenate([entries / entries.sum(axis=1, keepdims=True), np.eye(bins)]),
        np.concatenate([np.ones(len(which)), counts - entries.sum(axis=0)]),
    )


def joined(windows: Sequence[Window]) -> tuple[Floats, Floats]:
    """Deviations of every unit in every window, shape (units, windows), and copies of the units.

    A submitter of several windows is one unit, so that what its windows share is known.
    """
    names = np.unique(np.concatenate([w.names[w.names != SINGLE] for w in windows]))
    counts = np.zeros((len(names), len(windows)))
    blocks, copies = [counts], [np.ones(len(names))]
    for place, window in enumerate(windows):
        single = window.names == SINGLE
        counts[np.searchsorted(names, window.names[~single]), place] = window.deviations[~single]
        alone = np.zeros((single.sum(), len(windows)))
        alone[:, place] = window.deviations[single]
        blocks.append(alone)
        copies.append(window.copies[single])
    return np.concatenate(blocks), np.concatenate(copies)


def estimated(window: Window) -> entropy.Estimate:
    """Index of a window with its error."""
    return entropy.estimate(window.value, window.deviations, window.copies)


def interval(window: Window, level: float) -> tuple[float, float]:
    """Interval of a window's index; NaN where the window says why there is none."""
    if window.reason:
        return np.nan, np.nan
    lower, upper = entropy.interval(estimated(window), window.more, level, highest=1.0)
    return float(lower), float(upper)


def count_by_window(
    histograms: Mapping[Key, Integers], known: pd.DataFrame, keys: list[str]
) -> dict[Key, Window]:
    """:func:`counted_once` of every window."""
    groups = dict(list(known.groupby(keys)))
    return {key: counted_once(counts, groups.get(key)) for key, counts in histograms.items()}


def _window(names: NDArray[np.object_], shares: Floats, copies: Floats) -> Window:
    present = copies > 0
    names, shares, copies = names[present], shares[present], copies[present]
    n = int(copies.sum())
    if n < 2:
        unknown = entropy.Estimate(*np.full(3, np.nan))
        return Window(np.nan, names, copies, np.zeros(len(names)), unknown, _short(n))
    jackknifed = entropy.jackknife(shares, copies)
    largest = np.log(shares.shape[1])
    if n < entropy.FEWEST:
        reason = _short(n)
    else:
        reason = "" if (np.abs(jackknifed.deviations) > 1e-12).any() else UNKNOWN
    # The correction may lead out of what is possible; a single full bin gives a negative zero.
    value = np.clip(jackknifed.value / largest, 0, 1) + 0.0
    more = entropy.add_one_unit(shares, copies)
    scaled = more._replace(value=more.value / largest, standard_error=more.standard_error / largest)
    return Window(value, names, copies, jackknifed.deviations / largest, scaled, reason)


def _short(n: int) -> str:
    return f"{n} submitters; at least {entropy.FEWEST} are needed for an interval"
