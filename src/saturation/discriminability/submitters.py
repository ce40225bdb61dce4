"""The index with every submitter counted once, and what its error is made of.

Models of one submitter are much alike (variants of one recipe, mostly correlated 0.4 to 0.8 on the
Open LLM Leaderboards), and a few submit very many. An error that takes entries for independent is
then far too small, and one that keeps their weights hangs on the few. Counted once, with its
entries sharing its weight, each submitter is one draw: how a submitter's model scores. Where
nothing is known of submitters, each model is its own.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation.discriminability.bdi import Counts
from saturation.discriminability.names import FINE_BINS
from saturation.statistics import entropy

Array = NDArray[np.float64]
# A window by its leaderboard, benchmark and label, or by its label alone.
Key = tuple[Hashable, ...]
SINGLE = ""  # name of those who have one entry in all, and are in one window only
UNKNOWN = "the filled bins hold equally many, so nothing is known of the error"


class Window(NamedTuple):
    """Index of a window and what each kind of unit adds to its error.

    Parameters
    ----------
    value
        The index, bias taken off; NaN with fewer than two units.
    names, copies, deviations
        Submitter of each unit, or `SINGLE`; how many such units there are, and their part of the
        error (:class:`saturation.statistics.entropy.Jackknife`, on the scale of the index).
    reason
        Why nothing can be said of the error; empty where it can.
    """

    value: float
    names: NDArray[np.object_]
    copies: Array
    deviations: Array
    reason: str


def submitters(models: pd.Series) -> pd.Series:
    """Who submitted a model: what stands before the slash of its name, else the model itself."""
    return models.astype(str).str.split("/", n=1).str[0]


def repeated(entries: pd.DataFrame) -> pd.DataFrame:
    """Entries of those who have more than one on a benchmark, counted by bin; others are alone.

    Parameters
    ----------
    entries
        ``benchmark, month, submitter, bin``: one row an entry.

    Returns
    -------
    pandas.DataFrame
        ``benchmark, month, submitter, bin, count``.
    """
    several = entries.duplicated(["benchmark", "submitter"], keep=False)
    keys = ["benchmark", "month", "submitter", "bin"]
    return entries.loc[several].astype({"submitter": object}).groupby(
        keys, observed=True
    ).size().rename("count").reset_index()  # fmt: skip


def counted_once(counts: ArrayLike, known: pd.DataFrame | None) -> Window:
    """Index of a window in which every submitter counts once.

    Parameters
    ----------
    counts
        Evaluations a bin, shape (B,).
    known
        ``submitter, bin, count`` of the window's submitters with several entries, `bin` of
        :data:`saturation.discriminability.names.FINE_BINS`; None if there are none.
    """
    counts = np.asarray(counts, dtype=float)
    bins = len(counts)
    names: NDArray[np.object_] = np.full(bins, SINGLE, dtype=object)
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


def joined(windows: Sequence[Window]) -> tuple[Array, Array]:
    """Deviations of every unit in every window, shape (units, windows), and copies of the units.

    A submitter of several windows is one unit, so that what its windows share is known.
    """
    known = np.unique(np.concatenate([w.names[w.names != SINGLE] for w in windows]))
    named = np.zeros((len(known), len(windows)))
    blocks, copies = [named], [np.ones(len(known))]
    for place, window in enumerate(windows):
        single = window.names == SINGLE
        named[np.searchsorted(known, window.names[~single]), place] = window.deviations[~single]
        alone = np.zeros((int(single.sum()), len(windows)))
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
    lower, upper = entropy.interval(estimated(window), level, highest=1.0)
    return float(lower), float(upper)


def by_window(
    histograms: Mapping[Key, Counts], known: pd.DataFrame, keys: list[str]
) -> dict[Key, Window]:
    """:func:`counted_once` of every window.

    Parameters
    ----------
    histograms
        Evaluations a bin by the window's key.
    known
        ``submitter, bin, count`` of all windows, with the columns of the key.
    keys
        Columns of the key.
    """
    groups = dict(list(known.groupby(keys, observed=True)))
    return {key: counted_once(counts, groups.get(key)) for key, counts in histograms.items()}


def _window(names: NDArray[np.object_], shares: Array, copies: Array) -> Window:
    present = copies > 0
    names, shares, copies = names[present], shares[present], copies[present]
    n = int(copies.sum())
    if n < 2:
        return Window(np.nan, names, copies, np.zeros(len(names)), _short(n))
    found = entropy.jackknife(shares, copies)
    largest = np.log(shares.shape[1])
    if n < entropy.FEWEST:
        reason = _short(n)
    else:
        reason = "" if (np.abs(found.deviations) > 1e-12).any() else UNKNOWN
    # The correction may lead out of what is possible; a single full bin gives a negative zero.
    value = float(np.clip(found.value / largest, 0, 1)) + 0.0
    return Window(value, names, copies, found.deviations / largest, reason)


def _short(n: int) -> str:
    return f"{n} submitters; at least {entropy.FEWEST} are needed for an interval"
