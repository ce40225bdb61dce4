"""Logistic growth of a benchmark's best score: the curve, its fit and the ceiling's interval.

Time is in months since the first window, scores are proportions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
RATE_BOUNDS = (0.01, 10.0)  # section 5
PARAMETERS = ("ceiling", "rate", "midpoint")
PROFILE_POINTS = 60
END = 1e-6  # how exactly the interval's ends are found
AT_BOUND = 1e-4  # a parameter this near to its bound ended on it


class Bounds(NamedTuple):
    """Lower and upper bounds of ceiling, rate and midpoint."""

    lower: tuple[float, float, float]
    upper: tuple[float, float, float]


@dataclass(frozen=True)
class Fit:
    """A fitted curve.

    Parameters
    ----------
    ceiling
        What the scores approach, a proportion.
    rate
        Growth a month.
    midpoint
        Month at which half of the ceiling is reached.
    r_squared
        Share of the scores' variance that the curve explains; NaN where they do not vary.
    at_bound
        The parameters that ended on a bound.
    """

    ceiling: float
    rate: float
    midpoint: float
    r_squared: float
    at_bound: tuple[str, ...]

    @property
    def t90(self) -> float:
        """Months until 90 % of the ceiling (section 5)."""
        return self.midpoint + float(np.log(9)) / self.rate

    def predict(self, months: ArrayLike) -> Array:
        """The curve at the given months."""
        return logistic(months, self.ceiling, self.rate, self.midpoint)


def logistic(months: ArrayLike, ceiling: float, rate: float, midpoint: float) -> Array:
    """Logistic growth (equation 4).

    Parameters
    ----------
    months
        Months since the first window, any shape.
    ceiling, rate, midpoint
        See :class:`Fit`.
    """
    grown: Array = ceiling * scipy.special.expit(
        rate * (np.asarray(months, dtype=float) - midpoint)
    )
    return grown


def slopes(months: ArrayLike, ceiling: float, rate: float, midpoint: float) -> Array:
    """Derivatives of :func:`logistic` by ceiling, rate and midpoint, shape (months, 3).

    Parameters
    ----------
    months, ceiling, rate, midpoint
        As for :func:`logistic`.
    """
    since = np.asarray(months, dtype=float) - midpoint
    share = scipy.special.expit(rate * since)
    grown = ceiling * share * (1 - share)
    return np.column_stack([share, grown * since, -grown * rate])


def fit(months: ArrayLike, scores: ArrayLike, bounds: Bounds) -> Fit:
    """Least-squares fit of equation 4 within bounds.

    The start is the best score, a rate of 0.5 a month and the median month, moved into the
    bounds: the paper names bounds but no start.

    Parameters
    ----------
    months, scores
        Windows, shape (windows,): months since the first, and best scores as proportions.
    bounds
        Bounds of the three parameters.

    Raises
    ------
    RuntimeError
        If the optimiser does not converge.
    """
    months, scores = np.asarray(months, dtype=float), np.asarray(scores, dtype=float)
    start = np.clip([scores.max(), 0.5, np.median(months)], bounds.lower, bounds.upper)
    fitted, _ = scipy.optimize.curve_fit(
        logistic, months, scores, p0=start, bounds=bounds, jac=slopes, max_nfev=20_000
    )
    ceiling, rate, midpoint = map(float, fitted)
    residual = scores - logistic(months, ceiling, rate, midpoint)
    total = ((scores - scores.mean()) ** 2).sum()
    return Fit(
        ceiling=ceiling,
        rate=rate,
        midpoint=midpoint,
        r_squared=float(1 - (residual**2).sum() / total) if total > 0 else float("nan"),
        at_bound=_at_bound((ceiling, rate, midpoint), bounds),
    )


def paper_bounds(scores: ArrayLike) -> Bounds:
    """Section 5: ceiling from one point below the best score to 100, rate from 0.01 to 10."""
    best = float(np.max(scores))
    return Bounds((best - 0.01, RATE_BOUNDS[0], -np.inf), (1.0, RATE_BOUNDS[1], np.inf))


def paper_bounds_midpoint_observed(scores: ArrayLike, last_month: float) -> Bounds:
    """The paper's bounds with the midpoint inside the observed months, another usual reading.

    Parameters
    ----------
    scores
        Best scores of the windows, as proportions.
    last_month
        Months from the first to the last window.
    """
    lower, upper = paper_bounds(scores)
    return Bounds((*lower[:2], 0.0), (*upper[:2], last_month))


def honest_bounds(scores: ArrayLike) -> Bounds:
    """A ceiling is not below what has been reached."""
    best = min(float(np.max(scores)), 1 - 1e-9)
    return Bounds((best, RATE_BOUNDS[0], -np.inf), (1.0, RATE_BOUNDS[1], np.inf))


def profile_interval(
    months: ArrayLike, scores: ArrayLike, fitted: Fit, bounds: Bounds, level: float
) -> tuple[float, float]:
    """Profile-likelihood interval of the ceiling (Bates and Watts 1988, section 6.1).

    The ceilings at which the best sum of squares with the other two parameters free stays
    within an F quantile of the smallest. A grid from bound to bound finds them, and where it leaves
    them the end is looked for between its points: ends on the grid would be up to a step too near.

    Parameters
    ----------
    months, scores
        See :func:`fit`; more windows than parameters.
    fitted
        The fit within the same bounds.
    bounds
        Bounds of the three parameters.
    level
        Coverage of the interval.

    Returns
    -------
    tuple of float
        An end that equals a bound is not an end that the data show.
    """
    months, scores = np.asarray(months, dtype=float), np.asarray(scores, dtype=float)
    points = np.linspace(bounds.lower[0], bounds.upper[0], PROFILE_POINTS)
    grid = np.sort(np.append(points, fitted.ceiling))
    start = np.clip([0.5, np.median(months)], bounds.lower[1:], bounds.upper[1:])
    starts, squares = [], []
    for ceiling in grid:
        start, value = _fit_below(ceiling, months, scores, start, bounds)
        starts.append(start)
        squares.append(value)
    freedom = len(months) - len(PARAMETERS)
    limit = min(squares) * (1 + scipy.special.fdtri(1, freedom, level) / freedom)
    inside = np.flatnonzero(np.asarray(squares) <= limit)

    def end(last: int, outside: int) -> float:
        """Where the squares pass the limit between a ceiling inside and its neighbour outside."""
        if not 0 <= outside < len(grid):
            return float(grid[last])
        return float(
            scipy.optimize.brentq(
                lambda ceiling: (
                    _fit_below(ceiling, months, scores, starts[last], bounds)[1] - limit
                ),
                grid[last],
                grid[outside],
                xtol=END,
            )
        )

    return end(inside[0], inside[0] - 1), end(inside[-1], inside[-1] + 1)


def _at_bound(fitted: Sequence[float], bounds: Bounds) -> tuple[str, ...]:
    return tuple(
        name
        for name, value, low, high in zip(PARAMETERS, fitted, *bounds, strict=True)
        if min(abs(value - low), abs(value - high)) < AT_BOUND
    )


def _fit_below(
    ceiling: float, months: Array, scores: Array, start: Array, bounds: Bounds
) -> tuple[Array, float]:
    """Rate, midpoint and sum of squares at a given ceiling, from the neighbour's solution."""

    def curve(t: Array, rate: float, midpoint: float) -> Array:
        return logistic(t, ceiling, rate, midpoint)

    def steepness(t: Array, rate: float, midpoint: float) -> Array:
        return slopes(t, ceiling, rate, midpoint)[:, 1:]

    free = (bounds.lower[1:], bounds.upper[1:])
    fitted, _ = scipy.optimize.curve_fit(
        curve, months, scores, p0=start, bounds=free, jac=steepness, max_nfev=20_000
    )
    return fitted, float(((scores - curve(months, *fitted)) ** 2).sum())
