"""Which models cannot be told apart: tests of differences, tie groups and rank intervals."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from saturation.statistics import intervals
from saturation.statistics.standard_errors import clustered_covariance

Floats = NDArray[np.float64]
# Resamples drawn at a time: bounds the memory of the counts matrix.
BATCH = 500


class Pairs(NamedTuple):
    """All pairs of m models: difference (row - column), its standard error, p-value, each (m, m).

    ``method`` names the test; ``items`` is the number of items it used (NaN where it used scores).
    """

    difference: Floats
    standard_error: Floats
    p_value: Floats
    method: str
    items: float = float("nan")


def z_tests(scores: ArrayLike, errors: ArrayLike) -> Pairs:
    """Tests of independent scores by their standard errors (plateau paper, section 2.2).

    Parameters
    ----------
    scores, errors
        Shape (m,), any unit.
    """
    s, e = np.asarray(scores, float), np.asarray(errors, float)
    difference, error = s[:, None] - s[None, :], np.hypot(e[:, None], e[None, :])
    return Pairs(difference, error, _normal_p(difference, error), "z")


def pooled_z_tests(scores: ArrayLike, n: ArrayLike) -> Pairs:
    """Score tests of independent proportions, with the variance pooled under equality.

    Stays defined at 0 % and 100 %, where the separate variances vanish: two perfect scores are a
    tie, a perfect score and a lower one are compared at their common mean.

    Parameters
    ----------
    scores, n
        Proportions and numbers of items, shape (m,).
    """
    s, size = np.asarray(scores, float), np.asarray(n, float)
    difference = s[:, None] - s[None, :]
    total = size[:, None] + size[None, :]
    pooled = ((s * size)[:, None] + (s * size)[None, :]) / total
    error = np.sqrt(pooled * (1 - pooled) * (1 / size[:, None] + 1 / size[None, :]))
    return Pairs(difference, error, _normal_p(difference, error), "pooled_z")


def mcnemar_tests(responses: ArrayLike) -> Pairs:
    """Exact McNemar tests of models on the same independent 0/1 items.

    Only items on which two models disagree count: under equality each model wins half of them, so
    the p-value is twice the binomial tail of the fewer wins, and 1 without such items.

    Parameters
    ----------
    responses
        0 or 1, shape (n, m).
    """
    x = np.asarray(responses, float)
    wins = x.T @ (1 - x)
    fewer, decided = np.minimum(wins, wins.T), wins + wins.T
    p = np.minimum(2 * stats.binom.cdf(fewer, decided, 0.5), 1.0)
    return Pairs(_differences(x), _paired_errors(x, np.arange(len(x))), p, "mcnemar", len(x))


def bootstrap_tests(
    responses: ArrayLike, clusters: ArrayLike, resamples: int, rng: np.random.Generator
) -> Pairs:
    """Paired bootstrap tests that resample whole clusters of items, the same ones for all models.

    The p-value is the share of resampled differences that lie at least as far from the observed
    one as the observed one lies from 0, with one added to both counts so that it is never 0.

    Parameters
    ----------
    responses
        Values in [0, 1], shape (n, m).
    clusters
        Cluster of each item, shape (n,); at least two clusters.
    resamples
        Number of resamples.
    rng
        The stage's generator.
    """
    x = np.asarray(responses, float)
    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    groups = len(names)
    sizes = np.bincount(index).astype(float)
    sums = np.zeros((groups, x.shape[1]))
    np.add.at(sums, index, x)
    observed, difference = x.mean(axis=0), _differences(x)
    extreme = np.zeros_like(difference)
    for start in range(0, resamples, BATCH):
        size = min(BATCH, resamples - start)
        counts = rng.multinomial(groups, np.full(groups, 1 / groups), size=size).astype(float)
        errors = (counts @ sums) / (counts @ sizes)[:, None] - observed
        shift = np.abs(errors[:, :, None] - errors[:, None, :])
        # The tolerance keeps ties from being decided by the last bit of a matrix product.
        extreme += np.sum(shift >= np.abs(difference) - 1e-12, axis=0)
    p = (1 + extreme) / (1 + resamples)
    np.fill_diagonal(p, 1.0)
    return Pairs(difference, _paired_errors(x, index), p, "paired_bootstrap", len(x))


def paired_tests(
    matrix: pd.DataFrame, clusters: pd.Series, resamples: int, rng: np.random.Generator
) -> Pairs:
    """Paired tests on the items that all models answered.

    McNemar's exact test for independent 0/1 items, else the clustered bootstrap.

    Parameters
    ----------
    matrix
        Items by models; missing where a model did not answer.
    clusters
        Cluster of each item.
    resamples, rng
        See :func:`bootstrap_tests`.
    """
    complete = matrix.dropna()
    groups = clusters.loc[complete.index]
    independent = groups.nunique() == len(groups)
    if independent and bool(complete.isin([0, 1]).all(axis=None)):
        return mcnemar_tests(complete)
    return bootstrap_tests(complete, groups, resamples, rng)


def holm_pairs(p_values: Floats) -> Floats:
    """Holm's adjustment over all pairs of a symmetric matrix; the diagonal is 1."""
    upper = np.triu_indices(len(p_values), 1)
    adjusted = np.ones_like(p_values)
    adjusted[upper] = intervals.holm(p_values[upper])
    return np.minimum(adjusted, adjusted.T)


def tie_group(p_values: Floats, level: float) -> NDArray[np.bool_]:
    """Which models are not shown to differ from the first, the leader.

    The leader is the best of all by its score, not a model named beforehand, so that comparisons
    with it alone, however adjusted, leave a truly best model out more often than they say. Holm's
    adjustment over all pairs holds whichever model leads: all truly best models are in the group
    at the stated level.

    Parameters
    ----------
    p_values
        Unadjusted p-values of all pairs, shape (m, m), best model first.
    level
        Confidence level.
    """
    tied: NDArray[np.bool_] = holm_pairs(p_values)[0] > 1 - level
    return tied


def rank_intervals(scores: ArrayLike, p_values: Floats, level: float) -> NDArray[np.int_]:
    """Ranks that each model may hold, from all pairwise tests.

    A model's best rank is one more than the number of models shown to be better, its worst rank is
    the number of models less those shown to be worse. With Holm's adjustment over all pairs the
    intervals hold at once at the stated level.

    Parameters
    ----------
    scores
        Scores, higher is better, shape (m,).
    p_values
        Unadjusted p-values of all pairs, shape (m, m).
    level
        Confidence level.

    Returns
    -------
    array
        Best and worst rank, shape (m, 2).
    """
    s = np.asarray(scores, float)
    shown = holm_pairs(p_values) <= 1 - level
    better = (shown & (s[None, :] > s[:, None])).sum(axis=1)
    worse = (shown & (s[None, :] < s[:, None])).sum(axis=1)
    return np.column_stack([1 + better, len(s) - worse])


def minimum_detectable_difference(standard_error: float, level: float, power: float) -> float:
    """Smallest true difference that a two-sided test finds with the given power.

    Parameters
    ----------
    standard_error
        Standard error of the difference, in the unit of the result.
    level
        Confidence level of the test.
    power
        Probability that the difference is found.
    """
    return float((intervals.normal_quantile(level) + special.ndtri(power)) * standard_error)


def items_needed(
    difference: float, standard_error: float, n: float, level: float, power: float
) -> float:
    """Number of items at which the observed difference would be found with the given power.

    The error of a difference falls with the root of the number of items. Infinite when the scores
    are equal: no number of items separates them.

    Parameters
    ----------
    difference, standard_error
        Observed difference and its standard error with `n` items.
    n
        Number of items that the standard error belongs to.
    level, power
        See :func:`minimum_detectable_difference`.
    """
    if difference == 0:
        return float("inf")
    detectable = minimum_detectable_difference(standard_error, level, power)
    return float(np.ceil(n * (detectable / abs(difference)) ** 2))


def _differences(x: Floats) -> Floats:
    """Differences of the columns' means, shape (m, m)."""
    observed = x.mean(axis=0)
    return np.asarray(observed[:, None] - observed[None, :])


def _normal_p(difference: Floats, error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        tails = 2 * special.ndtr(-np.abs(difference) / error)
    # Without any error equal scores are a tie, and different ones are not.
    p: Floats = np.where(error > 0, tails, (difference == 0).astype(float))
    np.fill_diagonal(p, 1.0)
    return p


def _paired_errors(x: Floats, clusters: NDArray[np.int_]) -> Floats:
    """Clustered standard errors of all paired differences; NaN with a single cluster."""
    covariance = clustered_covariance(x, clusters)
    variance = np.diag(covariance)
    both = variance[:, None] + variance[None, :] - 2 * covariance
    return np.asarray(np.sqrt(np.maximum(both, 0.0)))
