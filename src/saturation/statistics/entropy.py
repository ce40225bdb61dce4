"""Entropy of a distribution over bins from a sample, with an error that can be tested."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]

# Below this many draws the interval does not cover what it states (the tests simulate it).
FEWEST = 50


class Entropy(NamedTuple):
    """Estimates of the entropy in nats, their standard errors and degrees of freedom, shape (...).

    An error is 0 where all draws share a bin.
    """

    value: Floats
    standard_error: Floats
    degrees_of_freedom: Floats


def jackknife(counts: ArrayLike) -> Entropy:
    """Jackknifed entropy (Zahl 1977) with the jackknife's error and its degrees of freedom.

    The plain entropy of n draws is too low by about (occupied bins - 1) / 2n; leaving out each draw
    in turn takes that bias off without knowing how many bins could be occupied. The pseudo-values
    of draws in rare bins are far out, so their variance is known less well than from n normal
    values: the degrees of freedom are those that its own kurtosis gives (Satterthwaite 1946).

    Parameters
    ----------
    counts
        Draws in each bin, shape (..., bins), at least two draws in all.

    Raises
    ------
    ValueError
        If a row has fewer than two draws: there is nothing to leave out.
    """
    counts = np.asarray(counts, dtype=float)
    n = counts.sum(axis=-1, keepdims=True)
    if (n < 2).any():
        raise ValueError("entropy: at least two draws are needed for the jackknife")
    total = _weighted_logs(counts).sum(axis=-1, keepdims=True)
    # One draw less in a bin; where the bin is empty the value is weighted by 0.
    without = total - _weighted_logs(counts) + _weighted_logs(np.maximum(counts - 1, 0))
    pseudo = n * (np.log(n) - total / n) - (n - 1) * (np.log(n - 1) - without / (n - 1))
    shares = counts / n
    value = (shares * pseudo).sum(axis=-1, keepdims=True)
    deviation = pseudo - value
    second = (shares * deviation**2).sum(axis=-1)
    fourth = (shares * deviation**4).sum(axis=-1)
    size = n[..., 0]
    spread = second > 1e-20
    kurtosis = np.where(spread, fourth / np.where(spread, second, 1.0) ** 2, 1.0)
    # Relative variance of a sample variance: 2 / (n - 1) for normal values, of kurtosis 3.
    freedom = 2 / (2 / (size - 1) + (kurtosis - 3) / size)
    error = np.sqrt(np.where(spread, second, 0.0) / (size - 1))
    return Entropy(value[..., 0], error, np.clip(freedom, 1, size - 1))


def interval(estimate: Entropy, level: float, highest: float) -> tuple[Floats, Floats]:
    """Interval of the entropy by Student's t, within [0, highest].

    It covers what it states for 50 draws and more, and more than that near the highest entropy,
    where the error vanishes faster than it is estimated.

    Parameters
    ----------
    estimate
        See :func:`jackknife`.
    level
        Coverage aimed at.
    highest
        Largest possible entropy, the logarithm of the number of bins.
    """
    half = stats.t.ppf(0.5 + level / 2, estimate.degrees_of_freedom) * estimate.standard_error
    # A value that the correction puts above what is possible is known no better for that.
    value = np.minimum(estimate.value, highest)
    return np.maximum(value - half, 0.0), np.minimum(value + half, highest)


def difference(first: Entropy, second: Entropy) -> Entropy:
    """Second less first of two independent samples, with Welch's degrees of freedom.

    Parameters
    ----------
    first, second
        Estimates from :func:`jackknife`, of one shape.
    """
    variances = first.standard_error**2, second.standard_error**2
    weights = (
        variances[0] ** 2 / first.degrees_of_freedom + variances[1] ** 2 / second.degrees_of_freedom
    )
    total = variances[0] + variances[1]
    freedom = np.where(weights > 0, total**2 / np.where(weights > 0, weights, 1.0), 1.0)
    return Entropy(second.value - first.value, np.sqrt(total), freedom)


def p_value(estimate: Entropy) -> Floats:
    """Two-sided p-value of a difference of 0; NaN where nothing is known of its error."""
    known = estimate.standard_error > 0
    t = np.abs(estimate.value) / np.where(known, estimate.standard_error, 1.0)
    return np.where(known, 2 * stats.t.sf(t, estimate.degrees_of_freedom), np.nan)


def _weighted_logs(counts: Floats) -> Floats:
    """Each count times its logarithm, 0 at 0."""
    return counts * np.log(np.where(counts > 0, counts, 1.0))
