"""Correlations of the trends with covariates held fixed.

Rows with a missing value are left out. Estimates are NaN where they are not defined: too few rows,
a variable that does not vary, or one that the covariates determine.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Floats
from saturation.statistics.correlation import (
    Estimate,
    complete_cases,
    estimate_by_t,
    ranks,
    spearman,
    undefined_estimate,
    varies,
)

Ranks = NDArray[np.floating]

# Sums of squares this small beside the variable's are rounding.
NOTHING = 1e-20


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
