"""Alpha as the items show it: at which n^alpha the paper's error of a gap equals the paired one.

The plateau paper gives a gap the variance A / n^alpha, with A = s_a (1 - s_a) + s_b (1 - s_b)
(equation 2). Items that both models answered give it the variance V of a mean difference. Both are
equal at alpha = 1 + L / log n, where L = log(A / (n V)) is the *log ratio* of the variance of
independent answers to that of paired ones. L is 0 for independent right-or-wrong answers to
independent items; above 0 (alpha above 1) where models agree on which items are hard, and below 0
(alpha below 1) where items hang together in groups that some models take to better than others.
The error of the log ratio is the delete-one-group jackknife's, in which all pairs of models keep
their common items; a mean over pairs has the jackknife error of that mean.
"""

import itertools
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Variances below this are the rounding of a zero: two models that answered alike.
ROUNDING = 1e-12
# Most repetitions of an item that are looked for.
MOST_REPETITIONS = 64


class Ratios(NamedTuple):
    """Log ratios of pairs of models.

    Parameters
    ----------
    pairs
        Places of the two models, shape (p, 2).
    value
        Log ratio of each pair, shape (p,); NaN where two models answered alike.
    without
        The same without one group of items, shape (groups, p).
    n_items
        Number of items.
    effective
        Number of equal groups that these are worth, (sum s^2)^2 / sum s^4 for groups of s items
        whose items all hang together.
    """

    pairs: NDArray[np.int_]
    value: Floats
    without: Floats
    n_items: int
    effective: float


class Estimate(NamedTuple):
    """A log ratio with its jackknife error.

    Parameters
    ----------
    value, error
        Of the log ratio.
    degrees
        Effective number of groups less one.
    """

    value: float
    error: float
    degrees: float

    def alpha(self, n_items: int, level: float) -> tuple[float, float, float]:
        """Alpha at a number of items with its interval, by Student's t."""
        half = float(scipy.special.stdtrit(self.degrees, 0.5 + level / 2)) * self.error
        middle, low, high = (
            1 + end / np.log(n_items) for end in (self.value, self.value - half, self.value + half)
        )
        return float(middle), float(low), float(high)


def ratios(answers: Floats, groups: NDArray[np.int_], single_run: bool) -> Ratios:
    """Log ratios of all pairs of models.

    Parameters
    ----------
    answers
        Items by models in [0, 1], complete.
    groups
        Group of each item, numbered from 0; items that stand alone are groups of one.
    single_run
        Whether answers are shares over repeated runs, and the error asked for is that of one run:
        a run drawn from them varies by x (1 - x) around the share x.
    """
    pairs = np.array(list(itertools.combinations(range(answers.shape[1]), 2)))
    sizes = np.bincount(groups).astype(float)
    sums = _by_group(answers, groups)
    noise = _by_group(answers * (1 - answers), groups) if single_run else np.zeros_like(sums)
    gap = sums[:, pairs[:, 0]] - sums[:, pairs[:, 1]]
    # What a variance of the mean difference is made of; groups enter as sums, so that each can be
    # taken out again.
    parts = (
        sums,
        noise[:, pairs[:, 0]] + noise[:, pairs[:, 1]],
        gap,
        gap**2,
        gap * sizes[:, None],
        np.column_stack([np.ones_like(sizes), sizes, sizes**2]),
    )
    totals = [part.sum(axis=0) for part in parts]
    remaining = [total - part for total, part in zip(totals, parts)]
    effective = np.sum(sizes**2) ** 2 / np.sum(sizes**4)
    return Ratios(
        pairs,
        _log_ratio(pairs, *totals),
        _log_ratio(pairs, *remaining),
        len(answers),
        float(effective),
    )


def _by_group(values: Floats, groups: NDArray[np.int_]) -> Floats:
    sums = np.zeros((int(groups.max()) + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums


def _log_ratio(
    pairs: NDArray[np.int_],
    sums: Floats,
    noise: Floats,
    gap: Floats,
    squares: Floats,
    mixed: Floats,
    sizes: Floats,
) -> Floats:
    count, n, squared = (sizes[..., place, None] for place in range(3))
    score = sums / n
    independent = score * (1 - score)
    mean = gap / n
    spread = np.maximum(squares - 2 * mean * mixed + mean**2 * squared, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        paired = (count / (count - 1) * spread + noise) / n
        paired = np.where(paired > ROUNDING, paired, np.nan)
        ratio: Floats = np.log(
            (independent[..., pairs[:, 0]] + independent[..., pairs[:, 1]]) / paired
        )
    return ratio


def jackknife(found: Ratios, chosen: NDArray[np.bool_] | None = None) -> Estimate:
    """Mean log ratio of pairs, with what its bias is corrected by and its error from the jackknife.

    Parameters
    ----------
    found
        Of :func:`ratios`.
    chosen
        Which pairs, shape (p,); None for all. Pairs of models that answered alike, in all items or
        without a group, have no ratio and are left out.

    Returns
    -------
    Estimate
        NaN if no pair is left.
    """
    groups = len(found.without)
    defined = np.isfinite(found.value) & np.isfinite(found.without).all(axis=0)
    taken = defined if chosen is None else defined & chosen
    if not taken.any():
        return Estimate(np.nan, np.nan, found.effective - 1)
    whole, without = found.value[taken].mean(), found.without[:, taken].mean(axis=1)
    error = np.sqrt((groups - 1) / groups * np.sum((without - without.mean()) ** 2))
    corrected = groups * whole - (groups - 1) * without.mean()
    return Estimate(float(corrected), float(error), found.effective - 1)


def split(
    answers: Floats, k: int, single_run: bool, rng: np.random.Generator, splits: int
) -> Floats:
    """Log ratios where models are chosen on one half of the items and measured on the other.

    Parameters
    ----------
    answers
        Items by all models of the board; missing where a model did not answer.
    k
        Number of top models.
    single_run
        See :func:`ratios`.
    rng, splits
        What draws the halves, and how often; each half chooses once.

    Returns
    -------
    array
        Mean log ratio over all pairs of the k models, and that of the first and the k-th.
    """
    found = []
    for _ in range(splits):
        half = rng.permutation(len(answers)) < len(answers) // 2
        found += [_chosen_on(answers[one], answers[~one], k, single_run) for one in (half, ~half)]
    means: Floats = np.nanmean(np.array(found), axis=0)
    return means


def _chosen_on(one: Floats, other: Floats, k: int, single_run: bool) -> tuple[float, float]:
    answered = ~np.isnan(one)
    score = np.where(answered, one, 0).sum(axis=0) / np.maximum(answered.sum(axis=0), 1)
    top = other[:, np.argsort(-score, kind="stable")[:k]]
    top = top[~np.isnan(top).any(axis=1)]
    value = ratios(top, np.arange(len(top)), single_run)
    return float(np.nanmean(value.value)), float(value.value[k - 2])


def bounded_part(answers: Floats) -> float:
    """How much of the mean log ratio comes from answers that are not just right or wrong.

    No answer in [0, 1] with mean s varies more than one that is 0 or 1, so that the paper's
    s (1 - s) is an upper bound for graded ones.

    Parameters
    ----------
    answers
        Items by models, complete.
    """
    score = answers.mean(axis=0)
    binary, own = score * (1 - score), answers.var(axis=0, ddof=1)
    pairs = np.array(list(itertools.combinations(range(answers.shape[1]), 2)))
    ratio = binary[pairs].sum(axis=1) / own[pairs].sum(axis=1)
    return float(np.log(ratio).mean())


def run_noise(answers: Floats) -> float:
    """Share of the variance of a single run's gap that comes from the run, not from the items.

    Parameters
    ----------
    answers
        Items by models, complete: shares right of repeated runs.

    Returns
    -------
    float
        Mean over all pairs of models with repeated runs; NaN without such a pair.
    """
    m = np.array([repetitions(column) for column in answers.T])
    drawn = (answers * (1 - answers)).mean(axis=0)
    shares = []
    for a, b in itertools.combinations(np.flatnonzero(m > 1), 2):
        within = drawn[a] * m[a] / (m[a] - 1) + drawn[b] * m[b] / (m[b] - 1)
        single = np.var(answers[:, a] - answers[:, b], ddof=1) + drawn[a] + drawn[b]
        shares.append(within / single)
    return float(np.mean(shares)) if shares else float("nan")


def repetitions(shares: Floats) -> int:
    """The fewest repetitions that give all of these shares; 0 if up to the most give them not.

    Parameters
    ----------
    shares
        Shares right.
    """
    values = np.unique(shares)
    for m in range(1, MOST_REPETITIONS + 1):
        if np.allclose(values * m, np.round(values * m), atol=1e-6):
            return m
    return 0


def correlation(answers: Floats) -> float:
    """Mean correlation of two models' answers over the items.

    Parameters
    ----------
    answers
        Items by models, complete; a model that is right, or wrong, on all items has none.
    """
    varied = answers[:, answers.std(axis=0) > 0]
    if varied.shape[1] < 2:
        return float("nan")
    matrix = np.atleast_2d(np.corrcoef(varied, rowvar=False))
    return float(matrix[np.triu_indices(len(matrix), 1)].mean())


def groups_of(names: pd.Series) -> NDArray[np.int_]:
    """Groups numbered from 0 in the order in which they come."""
    codes: NDArray[np.int_] = pd.factorize(names)[0]
    return codes
