"""Entropy of a distribution over bins from a sample, with an error that can be tested.

A sample is made of units that are drawn independently and count once each. A unit is a draw, which
falls into one bin, or several draws that belong together, which share its weight: its row of
shares over the bins sums to 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from saturation.arrays import Floats
from saturation.statistics.intervals import t_quantile

# Below this many units the interval does not cover what it states (the tests simulate it).
FEWEST = 50


class Jackknife(NamedTuple):
    """Entropy in nats, shape (...), and what each unit adds to its error, shape (..., units).

    The squares of the deviations, each as often as there are copies of its unit, sum to the
    variance; those of one unit in two samples, one subtracted from the other, sum to that of the
    difference.
    """

    value: Floats
    deviations: Floats


class Estimate(NamedTuple):
    """A value, its standard error and the error's degrees of freedom, each of shape (...).

    The error is 0 where every unit has the same share of every bin.
    """

    value: Floats
    standard_error: Floats
    degrees_of_freedom: Floats


def jackknife(shares: ArrayLike, copies: ArrayLike) -> Jackknife:
    """Jackknifed entropy (Zahl 1977) of the mean of the units' shares.

    The plain entropy of n draws is too low by about (occupied bins - 1) / 2n; leaving out each unit
    in turn takes that bias off without knowing how many bins could be occupied.

    Parameters
    ----------
    shares
        Share of each bin in each kind of unit, shape (..., units, bins); rows sum to 1.
    copies
        How many units of that kind there are, shape (..., units), at least two in all.

    Raises
    ------
    ValueError
        If there are fewer than two units: there is nothing to leave out.
    """
    shares, copies = np.asarray(shares, float), np.asarray(copies, float)
    n = copies.sum(axis=-1)[..., None]
    if (n < 2).any():
        raise ValueError("entropy: at least two units are needed for the jackknife")
    total = (shares * copies[..., None]).sum(axis=-2)
    # Where a kind has no copies nothing is left out; its value is weighted by 0.
    without = np.maximum(total[..., None, :] - shares, 0.0) / (n - 1)[..., None]
    whole, part = (special.entr(mean).sum(axis=-1) for mean in (total / n, without))
    pseudo = n * whole[..., None] - (n - 1) * part
    value = (copies * pseudo).sum(axis=-1) / n[..., 0]
    return Jackknife(value, (pseudo - value[..., None]) / np.sqrt(n * (n - 1)))


def estimate(value: ArrayLike, deviations: ArrayLike, copies: ArrayLike) -> Estimate:
    """Estimate standard error and degrees of freedom of an entropy, or of a difference of two.

    The deviations of units in rare bins are far out, so their variance is known less well than from
    normal values: the degrees of freedom are those that its own kurtosis gives (Satterthwaite
    1946).

    Parameters
    ----------
    value
        The entropy or the difference, shape (...).
    deviations
        Of :func:`jackknife`, or their differences, shape (..., units).
    copies
        How many units there are of each kind, shape (..., units).
    """
    deviations, copies = np.asarray(deviations, float), np.asarray(copies, float)
    n = copies.sum(axis=-1)
    second = (copies * deviations**2).sum(axis=-1)
    fourth = (copies * deviations**4).sum(axis=-1)
    spread = second > 1e-24
    kurtosis = np.where(spread, n * fourth / np.where(spread, second, 1.0) ** 2, 1.0)
    # Relative variance of a sample variance: 2 / (n - 1) for normal values, of kurtosis 3.
    freedom = 2 / (2 / (n - 1) + (kurtosis - 3) / n)
    error = np.sqrt(np.where(spread, second, 0.0))
    return Estimate(np.asarray(value, float), error, np.clip(freedom, 1, n - 1))


def add_one_unit(shares: ArrayLike, copies: ArrayLike) -> Estimate:
    """Repeat the estimate with a unit added in an empty bin; without empty bins unchanged."""
    shares, copies = np.asarray(shares, float), np.asarray(copies, float)
    empty = (shares * copies[..., None]).sum(axis=-2) == 0
    unit = np.eye(shares.shape[-1])[empty.argmax(axis=-1)][..., None, :]
    units = np.broadcast_to(shares, (*copies.shape, shares.shape[-1]))
    more = np.concatenate([copies, empty.any(axis=-1)[..., None]], axis=-1)
    found = jackknife(np.concatenate([units, unit], axis=-2), more)
    return estimate(found.value, found.deviations, more)


def interval(of: Estimate, more: Estimate, level: float, highest: float) -> tuple[Floats, Floats]:
    """Interval of an entropy by Student's t, within [0, highest].

    Units that lie far out are few, and a sample often has none of them: the upper end is at least
    that of :func:`add_one_unit`. So it covers what it states for 50 units and more, and more than
    that near the highest entropy, where the error vanishes faster than it is estimated.
    The highest entropy is the logarithm of the number of bins.
    """
    # A value that the correction puts above what is possible is known no better for that.
    value, half = np.minimum(of.value, highest), half_width(of, level)
    upper = np.maximum(value + half, np.minimum(more.value, highest) + half_width(more, level))
    return np.maximum(value - half, 0.0), np.minimum(upper, highest)


def half_width(of: Estimate, level: float) -> Floats:
    """Compute the half width of an interval by Student's t."""
    half: Floats = t_quantile(of.degrees_of_freedom, level) * of.standard_error
    return half


def p_value(of: Estimate) -> Floats:
    """Two-sided p-value of a difference of 0; NaN where nothing is known of its error."""
    known = of.standard_error > 0
    t = np.abs(of.value) / np.where(known, of.standard_error, 1.0)
    return np.where(known, 2 * special.stdtr(of.degrees_of_freedom, -t), np.nan)
