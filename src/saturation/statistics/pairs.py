"""Pairwise comparison of models: tests of differences, tie groups and rank intervals."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from saturation.arrays import Bools, Floats, Integers, Places
from saturation.statistics import intervals, standard_errors

# What tests a pair, as the codes of Pairs.method.
METHODS = ("no_test", "z", "pooled_z", "mcnemar", "clustered_t", "sandwich_t")
NO_TEST, Z, POOLED_Z, MCNEMAR, CLUSTERED_T, SANDWICH_T = range(len(METHODS))
# Nothing divided by nothing is NaN, which the functions here replace.
_undefined_allowed = partial(np.errstate, divide="ignore", invalid="ignore")
# Models whose pairs with all others are worked out at a time.
BLOCK = 256
# Sums of responses in [0, 1] that are smaller than this are the rounding of a zero.
ROUNDING = 1e-9


class Pairs(NamedTuple):
    """All pairs of m models, each field of shape (m, m); or of m models with the first l, (m, l).

    ``difference`` is row less column, with its ``standard_error`` and two-sided ``p_value``.
    ``method`` is the place of the pair's test in `METHODS`, ``items`` the number of items that both
    answered (NaN where scores are compared), ``degrees`` the degrees of freedom of the error
    (infinite for normal tests). ``wins`` counts the items that only the row's model solved, where
    all responses are 0 or 1, NaN elsewhere; ``clusters`` those that the common items are in, NaN
    where scores are compared.
    """

    difference: Floats
    standard_error: Floats
    p_value: Floats
    items: Floats
    degrees: Floats
    wins: Floats
    clusters: Floats
    method: NDArray[np.int8]

    @classmethod
    def empty(cls, models: int, leaders: int | None = None) -> "Pairs":
        """Room for all pairs of so many models, or those with the first; nothing is tested yet."""
        shape = (models, models if leaders is None else min(leaders, models))
        numbers = {name: np.full(shape, np.nan) for name in cls._fields if name != "method"}
        empty = cls(**numbers, method=np.full(shape, NO_TEST, np.int8))
        empty.p_value[:] = 1.0
        return empty

    def select(self, places: Any) -> "Pairs":
        """Select the pairs at some places of the matrices."""
        return Pairs(*(field[places] for field in self))


def z_tests(scores: ArrayLike, errors: ArrayLike, leaders: int | None = None) -> Pairs:
    """Test differences of independent scores by standard errors (plateau paper, section 2.2).

    Scores and errors have shape (m,). A model whose error is NaN differs from nobody. Only the
    first so many leaders are the columns' models; all by default.
    """
    s, e = np.asarray(scores, float), np.asarray(errors, float)
    return _normal_tests(s[:, None] - s[None, :leaders], np.hypot(e[:, None], e[None, :leaders]), Z)


def pooled_z_tests(scores: ArrayLike, n: ArrayLike, leaders: int | None = None) -> Pairs:
    """Score tests of independent proportions, with the variance pooled under equality.

    Stays defined at 0 % and 100 %, where the separate variances vanish: two perfect scores are a
    tie, a perfect score and a lower one are compared at their common mean.
    """
    s, size = np.asarray(scores, float), np.asarray(n, float)
    total = size[:, None] + size[None, :leaders]
    pooled = ((s * size)[:, None] + (s * size)[None, :leaders]) / total
    # Rounding takes a mean of two perfect scores a little above 1.
    variance = np.maximum(pooled * (1 - pooled), 0.0)
    error = np.sqrt(variance * (1 / size[:, None] + 1 / size[None, :leaders]))
    return _normal_tests(s[:, None] - s[None, :leaders], error, POOLED_Z)


def choose(where: Bools, one: Pairs, other: Pairs) -> Pairs:
    """Choose each pair from the first or the second tests; `where` has their shape."""
    fields: Any = zip(one, other)
    return Pairs(*(np.where(where, *both) for both in fields))


def adjust_pairs(p_values: Floats, members: Bools | None = None) -> Floats:
    """Return p-values adjusted over all pairs of members; a model's p-value with itself is 1.

    Holm's adjustment where all pairs were tested. Where only those with the first models were,
    Bonferroni's over all pairs that there are: which models come first was seen in the scores.
    P-values have shape (m, m), symmetric, or (m, leaders). All m models are members by default;
    pairs with other models are adjusted over all pairs of all models, by Bonferroni.
    """
    m, leaders = p_values.shape
    inside = np.ones(m, bool) if members is None else members
    number, width = inside.sum(), m * (m - 1) / 2
    adjusted: Floats = p_values * width
    np.minimum(adjusted, 1.0, out=adjusted)
    if m == leaders:
        block = np.ix_(inside, inside)
        adjusted[block] = holm_pairs(p_values[block])
        return adjusted
    adjusted[inside] = np.minimum(p_values[inside] * max(number * (number - 1) / 2, 1.0), 1.0)
    return adjusted


def holm_pairs(p_values: Floats) -> Floats:
    """Holm's adjustment over all pairs of a symmetric matrix; the diagonal is 1."""
    upper = np.triu_indices(len(p_values), 1)
    adjusted = np.ones_like(p_values)
    adjusted[upper] = intervals.holm(p_values[upper])
    return np.minimum(adjusted, adjusted.T)


def tie_group(adjusted: Floats, level: float) -> Bools:
    """Return which models do not differ significantly from the first, the leader.

    The leader is the best of all by its score, not a model chosen in advance, so that comparisons
    with it alone, however adjusted, leave a truly best model out more often than they say. Holm's
    adjustment over all pairs of models that may be the best (:func:`adjust_pairs`) holds whichever
    model leads: all truly best models are in the group at the stated level.
    """
    return adjusted[:, 0] > 1 - level


def rank_intervals(difference: Floats, adjusted: Floats, level: float) -> Integers:
    """Ranks that each model may hold, from all pairwise tests.

    A model's best rank is one more than the number of models shown to be better, its worst rank is
    the number of models less those shown to be worse. With Holm's adjustment over all pairs the
    intervals hold at once at the stated level (M. Mogstad, J. P. Romano, A. M. Shaikh and
    D. Wilhelm (2024), Review of Economic Studies 91, 476-518, build them from differences so).
    Both have shape (m, l), row less column; best and worst rank of the columns' models, (l, 2).
    """
    shown = adjusted <= 1 - level
    better = (shown & (difference > 0)).sum(axis=0)
    worse = (shown & (difference < 0)).sum(axis=0)
    return np.column_stack([1 + better, len(difference) - worse])


def _normal_tests(difference: Floats, error: Floats, method: int) -> Pairs:
    # In place: of thousands of models each matrix is large.
    p = -np.abs(difference)
    with _undefined_allowed():
        p /= error
    special.ndtr(p, out=p)
    p *= 2
    # Without any error equal scores are a tie, and different ones are not; an error that nobody
    # knows separates nobody.
    unknown = ~(error > 0)
    p[unknown] = (difference[unknown] == 0) | np.isnan(error[unknown])
    np.fill_diagonal(p, 1.0)
    shape = difference.shape
    return Pairs(
        difference,
        error,
        p,
        # A number for all pairs takes no memory.
        **dict.fromkeys(("items", "wins", "clusters"), np.broadcast_to(np.nan, shape)),
        degrees=np.broadcast_to(np.inf, shape),
        method=np.broadcast_to(np.int8(method), shape),
    )


def lead_p_values(
    pairs: Pairs, scores: ArrayLike, n: ArrayLike, margin: float, columns: int
) -> Floats:
    """One-sided p-values of "the row's model is better than the column's by the margin or more".

    Each pair is tested as its test of difference is (:class:`saturation.statistics.pairs.
    Pairs`): the score test of :func:`paired_score` where both answered the same 0/1 items, that of
    Farrington and Manning for independent shares, Student's t for graded or clustered items, else
    the normal test by the models' own errors. Counts move in whole items, so that the first two
    take the margin less half an item, and stay under their level.

    For graded and clustered items the error is at least the one that a difference of the size of
    the margin would have if it came from items that only the one model solves, sqrt(margin (1 -
    margin) / G) for G effective clusters: a difference that shows on one item in fifty is easily
    missed by few, and an error estimated without it would be far too small.

    The margin is above 0, in the unit of the scores; only the first so many models are the
    columns'. 1 for a model with itself and where no error is known.
    """
    part = pairs.select(np.s_[:, :columns])
    p = np.ones(part.difference.shape)
    where = part.method == MCNEMAR
    if where.any():
        wins, items = part.wins[where], part.items[where]
        losses = np.rint(wins - part.difference[where] * items)
        p[where] = paired_score(wins, losses, items, margin)
    where = part.method == POOLED_Z
    if where.any():
        row, column = np.nonzero(where)
        share, size = np.asarray(scores, float), np.asarray(n, float)
        p[where] = independent_score(share[row], size[row], share[column], size[column], margin)
    where = np.isin(part.method, (Z, CLUSTERED_T, SANDWICH_T))
    p[where] = _test_by_error(part, margin)[where]
    np.fill_diagonal(p, 1.0)
    return np.where(np.isnan(p), 1.0, p)


def paired_score(wins: ArrayLike, losses: ArrayLike, items: ArrayLike, margin: float) -> Floats:
    """Score test of two paired proportions, at a margin.

    The variance is the one under the refuted hypothesis, so that models without a single
    disagreement have a test too. Source: T. Tango (1998), Statistics in Medicine 17, 891-908.
    Wins and losses are the items that only the one and only the other model solved. Refuted is that
    the one's share of solved items is higher by the margin or more; half an item is taken off it,
    because counts are whole. P-values are one-sided, and 1 for a margin of no more than half an
    item.
    """
    b, c, size = (np.asarray(count, float) for count in (wins, losses, items))
    with _undefined_allowed():
        delta = margin - 0.5 / size
        linear = (2 * size - b + c) * delta - b - c
        root = np.sqrt(linear**2 + 8 * size * c * delta * (1 - delta))
        # Share of items that only the second solves, the likeliest at this difference.
        share = (root - linear) / (4 * size)
        error = np.sqrt(size * (2 * share + delta * (1 - delta)))
        p = special.ndtr((b - c - size * delta) / error)
    return np.where(delta > 0, p, 1.0)


def independent_score(
    share_1: ArrayLike, n_1: ArrayLike, share_0: ArrayLike, n_0: ArrayLike, margin: float
) -> Floats:
    """Score test of two independent proportions, at a margin.

    Source: C. P. Farrington and G. Manning (1990), Statistics in Medicine 9, 1447-1454; the
    likeliest proportions at the margin solve a cubic equation. Not statsmodels' version, whose
    equation (in 0.15) has a number of successes where a number of trials belongs.
    Takes shares of solved items and numbers of items, broadcast against each other. P-values are
    one-sided, and 1 for a margin of no more than half an item.
    """
    p_1, size_1, p_0, size_0 = (np.asarray(v, float) for v in (share_1, n_1, share_0, n_0))
    total, solved = size_1 + size_0, p_1 * size_1 + p_0 * size_0
    delta = np.maximum(margin - (1 / size_1 + 1 / size_0) / 4, 0.0)
    square = ((size_1 + 2 * size_0) * delta - total - solved) / (3 * total)
    linear = (size_0 * delta - total - 2 * p_0 * size_0) * delta + solved
    constant = p_0 * size_0 * delta * (1 - delta)
    half = square**3 - linear * square / (2 * total) + constant / (2 * total)
    radius = np.sign(half) * np.sqrt(np.maximum(square**2 - linear / (3 * total), 0.0))
    with _undefined_allowed():
        cosine = np.where(radius == 0, 1.0, half / radius**3)
    angle = (np.pi + np.arccos(np.clip(cosine, -1, 1))) / 3
    likely_0 = np.clip(2 * radius * np.cos(angle) - square, 0, 1 - delta)
    likely_1 = likely_0 + delta
    variance = likely_1 * (1 - likely_1) / size_1 + likely_0 * (1 - likely_0) / size_0
    with _undefined_allowed():
        p = special.ndtr((p_1 - p_0 - delta) / np.sqrt(variance))
    return np.where(delta > 0, p, 1.0)


def _test_by_error(part: Pairs, margin: float) -> Floats:
    with _undefined_allowed():
        least = np.sqrt(margin * (1 - margin) / (part.degrees + 1))
        error = np.where(
            part.method == CLUSTERED_T, np.fmax(part.standard_error, least), part.standard_error
        )
        distance = (part.difference - margin) / error
        return np.where(part.degrees > 0, special.stdtr(np.fmax(part.degrees, 1e-9), distance), 1.0)


class Answers(NamedTuple):
    """Responses of models, ready for sums.

    ``value`` and ``given`` are items by models: the response, 0 where there is none, and whether
    there is one. ``first`` is the row of each cluster's first item (items are sorted by cluster).
    """

    value: Floats
    given: Floats
    first: Places


class Sums(NamedTuple):
    """Sums over the items that two models share, of a block of models with the columns'.

    ``clusters`` and ``items`` are their numbers, ``gap`` is the sum of the differences, ``squares``
    that of the clusters' squared differences, ``spread`` that of their squared deviations from
    the mean difference, each divided by 1 less the cluster's share of the items.
    """

    clusters: Floats
    items: Floats
    gap: Floats
    squares: Floats
    spread: Floats
    degrees: Floats


def paired_tests(matrix: pd.DataFrame, clusters: pd.Series, leaders: int | None = None) -> Pairs:
    """Test all pairs of models, each pair on the items that both answered.

    Two models with 0/1 responses to items that stand alone are compared by McNemar's mid-p test:
    under equality each wins half of the items on which they disagree. All others, among them shares
    over repeated runs and items in clusters, by a t test of the mean difference with the clustered
    error CR2 and Satterthwaite's degrees of freedom
    (:func:`saturation.statistics.standard_errors.satterthwaite`); with fewer than
    `standard_errors.FEWEST_DEGREES` of them p is at least 0.5. No p-value is smaller than 2^(1 - G)
    for G clusters: a test that turns the signs of whole clusters could give no smaller one, however
    similar they are.

    Parameters
    ----------
    matrix
        Items by models, in [0, 1]; missing where a model did not answer.
    leaders
        Only the first so many models are compared with all; all by default.

    Returns
    -------
    Pairs
        Pairs that share fewer than two clusters have no test: NaN, with the p-value 1.
    """
    answers, binary = _answers(matrix, clusters)
    models = matrix.shape[1]
    pairs = Pairs.empty(models, leaders)
    columns = slice(pairs.difference.shape[1])
    if len(answers.first) == len(answers.value):
        for start in range(0, models, BLOCK):
            rows = slice(start, start + BLOCK)
            _fill(pairs, (rows, columns), _item_sums(answers, rows, columns), binary)
    else:
        for place in range(columns.stop):
            column = slice(place, place + 1)
            _fill(pairs, (slice(models), column), _cluster_sums(answers, place), binary)
    np.fill_diagonal(pairs.p_value, 1.0)
    return pairs


def mid_p(wins: ArrayLike, losses: ArrayLike) -> Floats:
    """McNemar's mid-p value: count half of the observed split's probability.

    Closer to its level than the exact test, which stays below it and has less power (M. W.
    Fagerland, S. Lydersen and P. Laake (2013), BMC Medical Research Methodology 13, 91). Wins and
    losses are the items that only the one and only the other model solved; without any, p is 1.
    """
    b, c = np.asarray(wins), np.asarray(losses)
    fewer, decided = np.minimum(b, c), (b + c).astype(np.int64)
    reached = special.bdtr(fewer, decided, 0.5)
    below = binomial_at_most(fewer - 1, decided, 0.5)
    p: Floats = np.where(b == c, 1 - (reached - below) / 2, reached + below)
    p[decided == 0] = 1.0
    return p


def binomial_at_most(count: ArrayLike, n: ArrayLike, share: float) -> Floats:
    """Return the probability of at most so many of n; 0 below a count of 0."""
    return np.where(np.asarray(count) >= 0, special.bdtr(np.maximum(count, 0), n, share), 0.0)


def t_test(gap: Floats, error: Floats, degrees: Floats, clusters: Floats) -> Floats:
    """Return two-sided p-values of mean differences over so many clusters."""
    with _undefined_allowed():
        distance = np.where(error > 0, np.abs(gap) / error, np.inf)
        p = 2 * special.stdtr(degrees, -distance)
    least = np.where(degrees >= standard_errors.FEWEST_DEGREES, np.exp2(1 - clusters), 0.5)
    p = np.maximum(p, least)
    return np.where(gap == 0, 1.0, p)


def _answers(matrix: pd.DataFrame, clusters: pd.Series) -> tuple[Answers, Bools]:
    """Return responses sorted by cluster, and which models have only 0 and 1."""
    codes = pd.factorize(clusters.loc[matrix.index])[0]
    order = np.argsort(codes, kind="stable")
    x = matrix.to_numpy(float)[order]
    given = ~np.isnan(x)
    value = np.where(given, x, 0.0)
    first = np.flatnonzero(np.diff(codes[order], prepend=-1))
    binary = ((value == 0) | (value == 1)).all(axis=0)
    return Answers(value, given.astype(float), first), binary


def _item_sums(answers: Answers, rows: slice, columns: slice) -> Sums:
    """Return the sums of items that stand alone, by products."""
    given, value = answers.given[:, rows].T, answers.value[:, rows].T
    present, other = answers.given[:, columns], answers.value[:, columns]
    items, ours, theirs = given @ present, value @ present, given @ other
    squares = value**2 @ present + given @ other**2 - 2 * value @ other
    gap = ours - theirs
    with _undefined_allowed():
        spread = (squares - gap**2 / items) * items / (items - 1)
    return Sums(items, items, gap, squares, spread, items - 1)


def _cluster_sums(answers: Answers, column: int) -> Sums:
    """Return the sums of items in clusters, of all models that share the clusters."""
    both = answers.given * answers.given[:, [column]]
    difference = (answers.value - answers.value[:, [column]]) * both
    sums, sizes = (np.add.reduceat(part, answers.first, axis=0) for part in (difference, both))
    items = sizes.sum(axis=0)
    gap, clusters = sums.sum(axis=0), (sizes > 0).sum(axis=0).astype(float)
    with _undefined_allowed():
        away = sums - gap / items * sizes
        spread = np.where(sizes > 0, away**2 / (1 - sizes / items), 0.0).sum(axis=0)
        degrees = standard_errors.satterthwaite(sizes)
    parts = clusters, items, gap, (sums**2).sum(axis=0), spread, degrees
    return Sums(*(part[:, None] for part in parts))


def _fill(pairs: Pairs, block: tuple[slice, slice], sums: Sums, binary: Bools) -> None:
    """Write the tests of a block of models against the columns into `pairs`."""
    rows, columns = block
    tested = sums.clusters >= 2
    total = np.where(np.abs(sums.gap) > ROUNDING, sums.gap, 0.0)
    spread = np.where(sums.spread > ROUNDING, sums.spread, 0.0)
    with _undefined_allowed():
        gap = np.where(tested, total / sums.items, np.nan)
        error = np.where(tested, np.sqrt(spread) / sums.items, np.nan)
    by_mcnemar = tested & (sums.clusters == sums.items)
    by_mcnemar &= binary[rows, None] & binary[None, columns]
    by_t = tested & ~by_mcnemar
    p = np.ones(gap.shape)
    p[by_t] = t_test(gap[by_t], error[by_t], sums.degrees[by_t], sums.clusters[by_t])
    # Of items that stand alone, right or wrong: sum and difference of the two are known.
    wins, losses = (sums.squares + total) / 2, (sums.squares - total) / 2
    p[by_mcnemar] = mid_p(wins[by_mcnemar], losses[by_mcnemar])
    pairs.difference[block], pairs.standard_error[block], pairs.p_value[block] = gap, error, p
    pairs.items[block], pairs.clusters[block] = sums.items, sums.clusters
    pairs.degrees[block] = np.where(tested, sums.degrees, np.nan)
    pairs.wins[block] = np.where(by_mcnemar, wins, np.nan)
    pairs.method[block] = np.where(by_mcnemar, MCNEMAR, np.where(tested, CLUSTERED_T, NO_TEST))
