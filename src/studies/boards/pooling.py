"""Pooled estimates of units in groups: random effects by REML.

An estimate is the mean, a deviation of its group, a deviation of its own and its sampling error,
whose variance is known. The two standard deviations come from restricted maximum likelihood,
intervals have as many degrees of freedom as there are groups less one: the group is what is
resampled, however many units it has.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from saturation.arrays import Floats
from saturation.statistics.intervals import t_quantile

# Limit and starts of the search for the standard deviations, in units of the estimates' spread.
_WIDEST = 100.0
# Below it, a deviation of none.
_NONE = 1e-5
# Likelihoods of the same top.
_SAME = 1e-9
_STARTS = ((0.5, 0.5), (1.0, 0.1), (0.1, 1.0), (0.05, 0.05))


class Pooled(NamedTuple):
    """Mean of a random-effects model.

    Parameters
    ----------
    value, error
        The mean over groups with its standard error.
    between_groups, between_units
        Standard deviations of the deviations of groups, and of units within a group.
    degrees, degrees_within
        Degrees of freedom of the groups and of the units within them.
    """

    value: float
    error: float
    between_groups: float
    between_units: float
    degrees: int
    degrees_within: int

    def interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of the mean, by Student's t."""
        half = t_quantile(self.degrees, level) * self.error
        return self.value - half, self.value + half

    def prediction(self, level: float) -> tuple[float, float]:
        """Interval of the true value of a new unit of a new group.

        Student's t in place of the normal, as for the mean (J. P. T. Higgins, S. G. Thompson
        and D. J. Spiegelhalter (2009), Journal of the Royal Statistical Society A 172, 137-159).
        """
        half = t_quantile(self.predicted_degrees, level) * self.spread
        return self.value - half, self.value + half

    @property
    def spread(self) -> float:
        """Standard deviation with which a new unit's true value is predicted."""
        return float(np.sqrt(sum(self._variances())))

    @property
    def predicted_degrees(self) -> float:
        """Degrees of freedom of a prediction: Satterthwaite's, for a sum of two variances."""
        groups, units = self._variances()
        if self.degrees_within < 1:
            return self.degrees
        parts = groups**2 / self.degrees + units**2 / self.degrees_within
        return (groups + units) ** 2 / parts

    def _variances(self) -> tuple[float, float]:
        """Of what groups decide (the mean and a new group), and of a unit within its group."""
        return self.error**2 + self.between_groups**2, self.between_units**2


def pool(estimates: ArrayLike, errors: ArrayLike, groups: ArrayLike) -> Pooled:
    """Pool estimates over units that lie in groups.

    Parameters
    ----------
    estimates, errors
        Of the units, with known standard errors above 0, shape (n,).

    Raises
    ------
    ValueError
        If there is only one group.
    """
    y, v = np.asarray(estimates, float), np.square(np.asarray(errors, float))
    codes = pd.factorize(np.asarray(groups))[0]
    degrees = len(set(codes)) - 1
    if degrees < 1:
        raise ValueError("one group cannot show how groups deviate")
    shared = (codes[:, None] == codes[None, :]).astype(float)
    # In units of the spread, so that steps and tolerances fit any scale.
    unit = y.std() or 1.0

    def lack(deviations: Floats) -> float:
        return _minus_log_likelihood(y / unit, _covariance(v / unit**2, shared, deviations))

    searches = [
        scipy.optimize.minimize(
            lack, start, method="L-BFGS-B", bounds=[(0, _WIDEST)] * 2, tol=1e-12
        )
        for start in _STARTS
    ]
    best = min(searches, key=lambda search: search.fun).x
    refined = _refined(best, y / unit, v / unit**2, shared)
    # Groups of one cannot tell the two deviations, and the slope is none along a line.
    if lack(refined) <= lack(best) + _SAME:
        best = refined
    deviations = best * unit
    value, variance = _mean(y, _covariance(v, shared, deviations))
    between, own = map(float, deviations)
    within = len(y) - len(set(codes))
    return Pooled(value, np.sqrt(variance), between, own, degrees, within)


def _refined(best: Floats, y: Floats, v: Floats, shared: Floats) -> Floats:
    """Refine the deviations to the flat point of the likelihood.

    A search stops where the likelihood's last digit does, which is the processor's.
    """
    inside = best > _NONE
    refined = np.where(inside, best, 0.0)

    def slope(variances: Floats) -> Floats:
        both = np.zeros(2)
        both[inside] = np.maximum(variances, 0)
        return _slope(y, _covariance(v, shared, np.sqrt(both)), shared)[inside]

    if inside.any():
        solved = scipy.optimize.root(slope, best[inside] ** 2, tol=1e-14)
        refined[inside] = np.sqrt(np.maximum(solved.x, 0))
    return refined


def _covariance(v: Floats, shared: Floats, deviations: Floats) -> Floats:
    covariance: Floats = deviations[0] ** 2 * shared + np.diag(v + deviations[1] ** 2)
    return covariance


def _mean(y: Floats, covariance: Floats) -> tuple[float, float]:
    """Return the generalised least-squares mean and its variance."""
    weighted = np.linalg.solve(covariance, np.ones(len(y)))
    variance = 1 / weighted.sum()
    return variance * (weighted @ y), variance


def _slope(y: Floats, covariance: Floats, shared: Floats) -> Floats:
    """Compute derivatives of the restricted likelihood by both variances, up to a factor."""
    inverse = np.linalg.inv(covariance)
    weighted = inverse.sum(axis=1)
    projected = inverse - np.outer(weighted, weighted) / weighted.sum()
    left = projected @ y
    groups = np.sum(projected * shared) - left @ shared @ left
    return np.array([groups, np.trace(projected) - left @ left])


def _minus_log_likelihood(y: Floats, covariance: Floats) -> float:
    """Restricted likelihood, but for a constant."""
    value, variance = _mean(y, covariance)
    left = y - value
    size = np.linalg.slogdet(covariance)[1] - np.log(variance)
    return float(size + left @ np.linalg.solve(covariance, left)) / 2
