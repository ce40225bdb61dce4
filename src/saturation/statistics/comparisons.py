"""Which models cannot be told apart: tests of differences, tie groups and rank intervals."""

from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.statistics import intervals

Floats = NDArray[np.float64]

# What tests a pair, as the codes of Pairs.method.
METHODS = ("no_test", "z", "pooled_z", "mcnemar", "clustered_t")
NO_TEST, Z, POOLED_Z, MCNEMAR, CLUSTERED_T = range(len(METHODS))


class Pairs(NamedTuple):
    """All pairs of m models, each field of shape (m, m); or of m models with the first l, (m, l).

    ``difference`` is row less column, with its ``standard_error`` and two-sided ``p_value``.
    ``method`` is the place of the pair's test in `METHODS`, ``items`` the number of items that both
    answered (NaN where scores are compared), ``degrees`` the degrees of freedom of the error
    (infinite for normal tests). ``wins`` counts the items that only the row's model solved, where
    all responses are 0 or 1, NaN elsewhere.
    """

    difference: Floats
    standard_error: Floats
    p_value: Floats
    items: Floats
    degrees: Floats
    wins: Floats
    method: NDArray[np.int8]

    @classmethod
    def empty(cls, models: int, leaders: int | None = None) -> "Pairs":
        """Room for all pairs of so many models, or those with the first; nothing is tested yet."""
        shape = (models, models if leaders is None else min(leaders, models))
        numbers = {name: np.full(shape, np.nan) for name in cls._fields if name != "method"}
        empty = cls(**numbers, method=np.full(shape, NO_TEST, np.int8))
        empty.p_value[:] = 1.0
        return empty


def z_tests(scores: ArrayLike, errors: ArrayLike, leaders: int | None = None) -> Pairs:
    """Tests of independent scores by their standard errors (plateau paper, section 2.2).

    Parameters
    ----------
    scores, errors
        Shape (m,), any unit. A model whose error is NaN is told apart from nobody.
    leaders
        Only the first so many models are the columns'; all by default.
    """
    s, e = np.asarray(scores, float), np.asarray(errors, float)
    return _normal_tests(_gaps(s, leaders), np.hypot(e[:, None], e[None, :leaders]), Z)


def pooled_z_tests(scores: ArrayLike, n: ArrayLike, leaders: int | None = None) -> Pairs:
    """Score tests of independent proportions, with the variance pooled under equality.

    Stays defined at 0 % and 100 %, where the separate variances vanish: two perfect scores are a
    tie, a perfect score and a lower one are compared at their common mean.

    Parameters
    ----------
    scores, n
        Proportions and numbers of items, shape (m,).
    leaders
        See :func:`z_tests`.
    """
    s, size = np.asarray(scores, float), np.asarray(n, float)
    total = size[:, None] + size[None, :leaders]
    pooled = ((s * size)[:, None] + (s * size)[None, :leaders]) / total
    # Rounding takes a mean of two perfect scores a little above 1.
    variance = np.maximum(pooled * (1 - pooled), 0.0)
    error = np.sqrt(variance * (1 / size[:, None] + 1 / size[None, :leaders]))
    return _normal_tests(_gaps(s, leaders), error, POOLED_Z)


def chosen(where: NDArray[np.bool_], one: Pairs, other: Pairs) -> Pairs:
    """Each pair from the one or the other; `where` has their shape."""
    fields: dict[str, Any] = {
        name: np.where(where, getattr(one, name), getattr(other, name)) for name in Pairs._fields
    }
    return Pairs(**fields)


def adjusted_pairs(p_values: Floats) -> Floats:
    """P-values adjusted over all pairs of m models; those of a model with itself are 1.

    Holm's adjustment where all pairs were tested. Where only those with the first models were,
    Bonferroni's over all pairs that there are: which models come first was seen in the scores.

    Parameters
    ----------
    p_values
        Shape (m, m), symmetric, or (m, l).
    """
    m, leaders = p_values.shape
    if m == leaders:
        return holm_pairs(p_values)
    adjusted: Floats = np.minimum(p_values * (m * (m - 1) / 2), 1.0)
    return adjusted


def open_pairs(adjusted: Floats, level: float) -> int:
    """Pairs among which the level is shared: Holm's that are not told apart, or Bonferroni's all.

    Parameters
    ----------
    adjusted
        Of :func:`adjusted_pairs`.
    level
        Confidence level.
    """
    m, leaders = map(int, adjusted.shape)
    if m == leaders:
        return int((adjusted[np.triu_indices(m, 1)] > 1 - level).sum())
    return m * (m - 1) // 2


def holm_pairs(p_values: Floats) -> Floats:
    """Holm's adjustment over all pairs of a symmetric matrix; the diagonal is 1."""
    upper = np.triu_indices(len(p_values), 1)
    adjusted = np.ones_like(p_values)
    adjusted[upper] = intervals.holm(p_values[upper])
    return np.minimum(adjusted, adjusted.T)


def tie_group(adjusted: Floats, level: float) -> NDArray[np.bool_]:
    """Which models are not shown to differ from the first, the leader.

    The leader is the best of all by its score, not a model named beforehand, so that comparisons
    with it alone, however adjusted, leave a truly best model out more often than they say. Holm's
    adjustment over all pairs holds whichever model leads: all truly best models are in the group
    at the stated level.

    Parameters
    ----------
    adjusted
        P-values adjusted over all pairs (:func:`adjusted_pairs`), best model first.
    level
        Confidence level.
    """
    tied: NDArray[np.bool_] = adjusted[:, 0] > 1 - level
    return tied


def rank_intervals(difference: Floats, adjusted: Floats, level: float) -> NDArray[np.int_]:
    """Ranks that each model may hold, from all pairwise tests.

    A model's best rank is one more than the number of models shown to be better, its worst rank is
    the number of models less those shown to be worse. With Holm's adjustment over all pairs the
    intervals hold at once at the stated level (M. Mogstad, J. P. Romano, A. M. Shaikh and
    D. Wilhelm (2024), Review of Economic Studies 91, 476-518, build them from differences so).

    Parameters
    ----------
    difference
        Row less column as it was tested, higher is better, shape (m, l).
    adjusted
        P-values adjusted over all pairs (:func:`adjusted_pairs`), shape (m, l).
    level
        Confidence level.

    Returns
    -------
    array
        Best and worst rank of the columns' models, shape (l, 2).
    """
    shown = adjusted <= 1 - level
    better = (shown & (difference > 0)).sum(axis=0)
    worse = (shown & (difference < 0)).sum(axis=0)
    return np.column_stack([1 + better, len(difference) - worse])


def minimum_detectable_difference(
    standard_error: float, level: float, power: float, degrees: float = np.inf
) -> float:
    """Smallest true difference that a two-sided test finds with the given power.

    Parameters
    ----------
    standard_error
        Standard error of the difference, in the unit of the result.
    level
        Confidence level of the test.
    power
        Probability that the difference is found.
    degrees
        Degrees of freedom of the error, infinite for normal tests; the result is infinite if there
        are none. With few it is an approximation: a shifted t distribution in place of the
        noncentral one.
    """
    if not degrees > 0:
        return float("inf")
    quantiles = scipy.special.stdtrit(degrees, [0.5 + level / 2, power])
    return float(quantiles.sum() * standard_error)


def items_needed(
    difference: float,
    standard_error: float,
    n: float,
    level: float,
    power: float,
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
    with np.errstate(over="ignore"):
        return float(np.ceil(n * np.square(np.float64(detectable) / abs(difference))))


def _gaps(scores: Floats, leaders: int | None) -> Floats:
    gaps: Floats = scores[:, None] - scores[None, :leaders]
    return gaps


def _normal_tests(difference: Floats, error: Floats, method: int) -> Pairs:
    with np.errstate(divide="ignore", invalid="ignore"):
        tails = 2 * scipy.special.ndtr(-np.abs(difference) / error)
    # Without any error equal scores are a tie, and different ones are not; an error that nobody
    # knows tells nobody apart.
    p = np.where(error > 0, tails, ((difference == 0) | np.isnan(error)).astype(float))
    np.fill_diagonal(p, 1.0)
    shape = difference.shape
    return Pairs(
        difference,
        error,
        p,
        items=np.full(shape, np.nan),
        degrees=np.full(shape, np.inf),
        wins=np.full(shape, np.nan),
        method=np.full(shape, method, np.int8),
    )
