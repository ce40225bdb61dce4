"""Rank correlations, and correlations with covariates held fixed.

Rows with a missing value are left out. Estimates are NaN where they are not defined: too few rows,
a variable that does not vary, or one that the covariates determine.
"""

import itertools
from functools import lru_cache
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Floats, Places
from saturation.statistics.intervals import CONFIDENCE, normal_quantile

Estimate = dict[str, float]
Ranks = NDArray[np.floating]
# With fewer pairs the p-value of a rank correlation is that of all orders.
FEWEST_BY_T = 10
# Correlations this near to -1 or 1 are exact: they show no error.
CERTAIN = 1 - 1e-9
# Sums of squares this small beside the variable's are rounding.
NOTHING = 1e-20


def ranks(values: ArrayLike, axis: int = -1, ties: Literal["average", "max"] = "average") -> Floats:
    """Ranks along an axis, the least value first; a missing value has none.

    Equal values share the mean of their ranks, or all take the largest.

    Examples
    --------
    >>> [float(rank) for rank in ranks(np.array([0.2, 0.5, 0.5]))]
    [1.0, 2.5, 2.5]
    """
    ranked = scipy.stats.rankdata(values, method=ties, axis=axis, nan_policy="omit")
    return np.asarray(ranked, float)


def spearman_interval(rho: float, n: int) -> tuple[float, float]:
    """Confidence interval of a Spearman correlation (Bonett and Wright 2000).

    The number of pairs is less one for each variable held fixed; NaN with fewer than four, and for
    a correlation of -1 or 1, from which no error can be told.

    Examples
    --------
    >>> [round(limit, 2) for limit in spearman_interval(0.5, 60)]
    [0.27, 0.68]
    """
    if n < 4 or not abs(rho) < CERTAIN:
        return np.nan, np.nan
    error = np.sqrt((1 + rho**2 / 2) / (n - 3))
    centre = np.arctanh(rho)
    half = normal_quantile(CONFIDENCE) * error
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


def spearman(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Return the Spearman correlation with p-value, 95 % interval and number of complete pairs.

    With fewer than `FEWEST_BY_T` pairs the p-value is exact, by all orders of one variable.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [1, 2, 4, 3])["estimate"], 2)
    0.8
    """
    x, y = complete_cases(x, y)
    if not (varies(x) and varies(y)):
        return undefined_estimate(len(x))
    ranked = np.column_stack([ranks(x), ranks(y)])
    tested = estimate_by_t(np.asarray(np.corrcoef(ranked, rowvar=False))[1, 0], len(x))
    if len(x) < FEWEST_BY_T:
        tested["p_value"] = _share_of_orders(*ranked.T)
    return tested


def estimate_by_t(correlation: float, n: int, given: int = 0) -> Estimate:
    """Test a correlation of n ranks, or of residuals from fixed variables, with a t test."""
    rho = float(np.clip(correlation, -1, 1))
    freedom = n - 2 - given
    with np.errstate(divide="ignore", invalid="ignore"):
        t = rho * np.sqrt(freedom / np.float64(1 - rho**2))
    p = 2 * scipy.special.stdtr(freedom, -abs(t))
    lower, upper = spearman_interval(rho, n - given)
    return {"estimate": rho, "p_value": p, "lower": lower, "upper": upper, "n": n}


def _share_of_orders(x: np.ndarray, y: np.ndarray) -> float:
    """Return the share of all orders of y with at least as large a product with x, either way."""
    x, y = x - x.mean(), y - y.mean()
    products = y[_all_orders(len(y))] @ x
    return float((np.abs(products) >= abs(y @ x) - 1e-9).mean())


@lru_cache(maxsize=FEWEST_BY_T)
def _all_orders(n: int) -> Places:
    return np.array(list(itertools.permutations(range(n))), np.intp)


def varies(values: np.ndarray) -> bool:
    """Check that a variable has two different values or more."""
    return len(values) > 1 and bool(np.ptp(values) > 0)


def undefined_estimate(n: int) -> Estimate:
    """Return the estimate from so many complete cases that do not define a correlation."""
    return {**dict.fromkeys(("estimate", "p_value", "lower", "upper"), np.nan), "n": n}


def complete_cases(*columns: ArrayLike) -> tuple[np.ndarray, ...]:
    """Leave out the rows in which a column has no finite value."""
    arrays = [np.asarray(column, float) for column in columns]
    keep = np.all(np.isfinite(arrays), axis=0)
    return tuple(array[keep] for array in arrays)


def partial_spearman(x: ArrayLike, y: ArrayLike, *given: ArrayLike) -> Estimate:
    """Spearman correlation of x and y given covariates: ranks, then partial correlation.

    The p-value is that of a t test with n - 2 degrees of freedom less one for each variable that
    is held fixed (Kendall 1942; Conover 1999).
    """
    return _partial(*map(ranks, complete_cases(x, y, *given)))


def partial_pearson(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> Estimate:
    """Pearson correlation of x and y with z held fixed, with a t test on n - 3 degrees."""
    return _partial(*complete_cases(x, y, given))


def residual_spearman(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> Estimate:
    """Spearman correlation of x and y after a straight line in z is taken from each."""
    x, y, given = complete_cases(x, y, given)
    return spearman(_residual(x, given), _residual(y, given))


def residual_one_sided(x: ArrayLike, y: ArrayLike, given: ArrayLike) -> Estimate:
    """Spearman correlation of x with y after a straight line in z is taken from y only."""
    x, y, given = complete_cases(x, y, given)
    return spearman(x, _residual(y, given))


def _partial(x: np.ndarray, y: np.ndarray, *given: np.ndarray) -> Estimate:
    left, right = _residual(x, *given), _residual(y, *given)
    if len(x) - 2 - len(given) <= 0 or not (varies(left) and varies(right)):
        return undefined_estimate(len(x))
    return estimate_by_t(np.corrcoef(left, right)[0, 1], len(x), given=len(given))


def _residual(y: np.ndarray, *given: np.ndarray) -> np.ndarray:
    """Compute y's residual from the covariates; exactly zero if only rounding remains."""
    design = np.column_stack([np.ones(len(y)), *given])
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return left if left @ left > NOTHING * (y @ y) else np.zeros_like(left)


def row_correlations(variable: Ranks, outcome: Ranks, given: Floats) -> Floats:
    """Correlate each row of an outcome's ranks with the variable's, the covariates' held fixed.

    `variable` has one row for all, or one a row of `outcome`; a constant row has no correlation.
    """
    middle = (outcome.shape[1] + 1) / 2
    variable, outcome = variable - middle, outcome - middle
    basis = np.linalg.qr(np.column_stack([np.ones(outcome.shape[1]), *map(ranks, given.T)]))[0]

    def product(left: Ranks, right: Ranks) -> Floats:
        """Inner products of what the covariates leave of two rows."""
        inner: Floats = np.einsum("ij,ij->i", left, right)
        inner -= np.einsum("ij,ij->i", left @ basis, right @ basis)
        return inner

    with np.errstate(divide="ignore", invalid="ignore"):
        return product(variable, outcome) / np.sqrt(
            product(variable, variable) * product(outcome, outcome)
        )
