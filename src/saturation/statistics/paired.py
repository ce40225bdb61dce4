"""Tests of all pairs of models on the items that both answered.

All pairs come out of products of matrices of items by models (Gram matrices), a block of models at
a time: time grows with items times pairs, memory with pairs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.statistics.comparisons import CLUSTERED_T, MCNEMAR, NO_TEST, Pairs

Floats = NDArray[np.float64]

# Models whose pairs with all others are worked out at a time.
BLOCK = 256
# Sums of responses in [0, 1] that are smaller than this are the rounding of a zero.
ROUNDING = 1e-9


class Answers(NamedTuple):
    """Responses of models, ready for products.

    ``value`` and ``given`` are items by models: the response, 0 where there is none, and whether
    there is one. ``sums`` and ``counts`` are the same summed over clusters. ``sizes`` holds each
    cluster's number of items, ``first`` the row of its first item (items are sorted by cluster).
    """

    value: Floats
    given: Floats
    sums: Floats
    counts: Floats
    sizes: Floats
    first: NDArray[np.intp]


class Moments(NamedTuple):
    """Sums over the clusters that two models share, for a block of models with the columns'.

    With a the summed differences and s the number of common items of a cluster: ``clusters`` is
    their number, ``items`` the sum of s, ``gap`` of a, ``squares`` of a^2, ``mixed`` of a s,
    ``sizes`` of s^2 and ``fourth`` of s^4.
    """

    clusters: Floats
    items: Floats
    gap: Floats
    squares: Floats
    mixed: Floats
    sizes: Floats
    fourth: Floats


def paired_tests(matrix: pd.DataFrame, clusters: pd.Series, leaders: int | None = None) -> Pairs:
    """Tests of all pairs of models, each pair on the items that both answered.

    Two models with 0/1 responses to items that stand alone are compared by McNemar's exact test:
    under equality each wins half of the items on which they disagree. All others, among them shares
    over repeated runs and items in clusters, by a t test of the mean difference with clustered
    errors (Liang and Zeger's sandwich with the factor G/(G - 1)). Its degrees of freedom are the
    effective number of clusters less one, (sum s^2)^2 / sum s^4 for clusters of s common items,
    which is Satterthwaite's for clusters whose items all hang together. No p-value is smaller
    than 2^(1 - G) for G effective clusters: a test that turns the signs of whole clusters could
    give no smaller one, however alike they are.

    Parameters
    ----------
    matrix
        Items by models, in [0, 1]; missing where a model did not answer.
    clusters
        Cluster of each item.
    leaders
        Only the first so many models are compared with all; all by default.

    Returns
    -------
    Pairs
        Pairs that share fewer than two clusters have no test: NaN, with the p-value 1.
    """
    answers, binary = _answers(matrix, clusters)
    pairs = Pairs.empty(matrix.shape[1], leaders)
    for rows in _blocks(matrix.shape[1]):
        _fill(pairs, rows, answers, binary)
    return pairs


def mid_p(wins: ArrayLike, losses: ArrayLike) -> Floats:
    """McNemar's mid-p value: half the probability of the observed split counts, not all of it.

    Closer to its level than the exact test, which stays below it; its own level may be exceeded
    by a little (M. W. Fagerland, S. Lydersen and P. Laake (2013), BMC Medical Research
    Methodology 13, 91).

    Parameters
    ----------
    wins, losses
        Numbers of items that only the one and only the other model solved.
    """
    b, c = np.asarray(wins), np.asarray(losses)
    fewer, decided = np.minimum(b, c), (b + c).astype(np.int64)
    reached = scipy.special.bdtr(fewer, decided, 0.5)
    below = np.where(fewer > 0, scipy.special.bdtr(np.maximum(fewer - 1, 0), decided, 0.5), 0.0)
    p: Floats = np.where(b == c, 1 - (reached - below) / 2, reached + below)
    return p


def _answers(matrix: pd.DataFrame, clusters: pd.Series) -> tuple[Answers, NDArray[np.bool_]]:
    """Responses sorted by cluster, and which models have only 0 and 1."""
    codes = pd.factorize(clusters.loc[matrix.index])[0]
    order = np.argsort(codes, kind="stable")
    x = matrix.to_numpy(float)[order]
    given = ~np.isnan(x)
    value = np.where(given, x, 0.0)
    sizes = np.bincount(codes).astype(float)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
    binary: NDArray[np.bool_] = ((value == 0) | (value == 1)).all(axis=0)
    present = given.astype(float)
    sums, counts = (np.add.reduceat(part, first, axis=0) for part in (value, present))
    return Answers(value, present, sums, counts, sizes, first), binary


def _blocks(models: int) -> Iterator[slice]:
    for start in range(0, models, BLOCK):
        yield slice(start, min(start + BLOCK, models))


def _fill(pairs: Pairs, rows: slice, answers: Answers, binary: NDArray[np.bool_]) -> None:
    """Tests of a block of models with those of the columns, into the rows of `pairs`."""
    columns = slice(pairs.difference.shape[1])
    m = _moments(answers, rows, columns)
    tested = m.clusters >= 2
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(tested, m.gap / m.items, np.nan)
        spread = m.squares - 2 * gap * m.mixed + gap**2 * m.sizes
        spread = np.where(spread > ROUNDING, spread, 0.0)
        error = np.sqrt(m.clusters / (m.clusters - 1) * spread) / m.items
        effective = m.sizes**2 / m.fourth
    exact = tested & (m.clusters == m.items) & binary[rows, None] & binary[None, columns]
    pairs.difference[rows] = gap
    pairs.standard_error[rows] = np.where(tested, error, np.nan)
    pairs.items[rows] = m.items
    pairs.degrees[rows] = np.where(tested, effective - 1, np.nan)
    pairs.method[rows] = np.where(exact, MCNEMAR, np.where(tested, CLUSTERED_T, NO_TEST))
    p, by_t = np.ones(gap.shape), tested & ~exact
    p[by_t] = t_test(gap[by_t], error[by_t], effective[by_t])
    wins, losses = _decided(answers, rows, columns)
    fewer, decided = np.minimum(wins, losses)[exact], (wins + losses)[exact].astype(np.int64)
    p[exact] = np.minimum(2 * scipy.special.bdtr(fewer, decided, 0.5), 1.0)
    itself = np.arange(rows.start, min(rows.stop, columns.stop))
    p[itself - rows.start, itself] = 1.0
    pairs.p_value[rows] = p
    pairs.wins[rows] = np.where(exact, wins, np.nan)


def t_test(gap: Floats, error: Floats, effective: Floats) -> Floats:
    """Two-sided p-values of mean differences over so many effective clusters."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(error > 0, np.abs(gap) / error, np.inf)
        p = 2 * scipy.special.stdtr(effective - 1, -distance)
    p = np.where(effective > 1, np.maximum(p, np.exp2(1 - effective)), 1.0)
    return np.where(gap == 0, 1.0, p)


def _decided(answers: Answers, rows: slice, columns: slice) -> tuple[Floats, Floats]:
    """Items that only the one and only the other model solved, for 0/1 responses."""
    solved, missed = answers.value, answers.given - answers.value
    return solved[:, rows].T @ missed[:, columns], missed[:, rows].T @ solved[:, columns]


def _moments(answers: Answers, rows: slice, columns: slice) -> Moments:
    """Sums over common clusters: by products where each model has all of a cluster or nothing."""
    counts, sizes = answers.counts, answers.sizes[:, None]
    whole = ((counts == 0) | (counts == sizes)).all(axis=1)
    parts = answers.sums[whole], counts[whole] / sizes[whole], sizes[whole]
    moments = _whole(*parts, rows, columns)
    for cluster in np.flatnonzero(~whole):
        start = answers.first[cluster]
        items = slice(start, start + int(answers.sizes[cluster]))
        _add(moments, answers.value[items], answers.given[items], rows, columns)
    gap = np.where(np.abs(moments.gap) > ROUNDING, moments.gap, 0.0)
    return moments._replace(gap=gap)


def _whole(sums: Floats, present: Floats, sizes: Floats, rows: slice, columns: slice) -> Moments:
    """Over clusters that each model has whole or not at all; `present` is 1 or 0."""
    own, own_sums = present[:, rows].T, sums[:, rows].T
    present, sums = present[:, columns], sums[:, columns]
    clusters, gap = own @ present, own_sums @ present - own @ sums
    squares = own_sums**2 @ present + own @ sums**2 - 2 * own_sums @ sums
    if (sizes == 1).all():  # weights of one item change no sum; arrays are added to
        copies = (clusters.copy() for _ in range(3))
        return Moments(clusters, next(copies), gap, squares, gap.copy(), *copies)
    return Moments(
        clusters=clusters,
        items=(own * sizes.T) @ present,
        gap=gap,
        squares=squares,
        mixed=(own_sums * sizes.T) @ present - (own * sizes.T) @ sums,
        sizes=(own * sizes.T**2) @ present,
        fourth=(own * sizes.T**4) @ present,
    )


def _add(moments: Moments, value: Floats, given: Floats, rows: slice, columns: slice) -> None:
    """Add one cluster of which some model has a part; arrays are changed in place."""
    own, present = given[:, rows].T, given[:, columns]
    common: Floats = own @ present
    gap: Floats = value[:, rows].T @ present - own @ value[:, columns]
    moments.clusters[:] += common > 0
    moments.items[:] += common
    moments.gap[:] += gap
    moments.squares[:] += gap**2
    moments.mixed[:] += gap * common
    moments.sizes[:] += common**2
    moments.fourth[:] += common**4
