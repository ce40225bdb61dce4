"""Permutation tests: of a mean difference between groups, and of groups next to covariates."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saturation.statistics.correlation import NOTHING

Array = NDArray[np.float64]

# Guards against calling a tie extreme because of rounding in the last bit.
TIE = 1e-10


def p_value(observed: float, null: Array) -> float:
    """Share of draws at least as large as the observed statistic, counting the observed one.

    Adding the observed statistic to its null keeps the test exact and the p-value above zero
    (Phipson and Smyth 2010). NaN where the observed statistic is not defined.

    Parameters
    ----------
    observed
        The statistic of the data.
    null
        The same of permuted data, one a draw.
    """
    if not np.isfinite(observed):
        return float("nan")
    return float((1 + np.sum(null >= observed - TIE)) / (1 + len(null)))


def mean_difference(
    values: ArrayLike, in_first: ArrayLike, permutations: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Difference in means, first group minus the rest, with a two-sided permutation p-value.

    Parameters
    ----------
    values
        Outcomes, shape (n,).
    in_first
        Membership of the first group, booleans of shape (n,).
    permutations
        Number of random relabellings.
    rng
        Random generator.

    Returns
    -------
    tuple of float
        Difference and p-value.
    """
    values = np.asarray(values, dtype=float)
    member = np.asarray(in_first, dtype=bool)
    shuffled = rng.permuted(np.tile(values, (permutations, 1)), axis=1)
    null = shuffled[:, member].mean(axis=1) - shuffled[:, ~member].mean(axis=1)
    difference = values[member].mean() - values[~member].mean()
    return float(difference), p_value(abs(difference), np.abs(null))


def adjusted_f_test(
    outcome: ArrayLike,
    tested: ArrayLike,
    covariates: ArrayLike,
    permutations: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """F statistic of the tested columns next to covariates, with a permutation p-value.

    The residuals of the covariates-only model are permuted (Freedman and Lane 1983; recommended
    by Winkler et al. 2014), so the outcome keeps its relation to the covariates.

    Parameters
    ----------
    outcome
        Shape (n,).
    tested
        Design columns under test, shape (n, q): group indicators without the reference group.
    covariates
        Columns to adjust for, shape (n, c), without the intercept, which is added.
    permutations
        Number of permutations.
    rng
        Random generator.

    Returns
    -------
    tuple of float
        F statistic and p-value. NaN where they are not defined: no residual degrees of freedom,
        columns that determine each other, or covariates that leave nothing of the outcome.
    """
    outcome = np.asarray(outcome, dtype=float)
    n = len(outcome)
    tested = np.asarray(tested, dtype=float).reshape(n, -1)
    reduced = np.column_stack([np.ones(n), np.asarray(covariates, dtype=float).reshape(n, -1)])
    full = np.column_stack([reduced, tested])
    if np.linalg.matrix_rank(full) < full.shape[1] or full.shape[1] >= n:
        return float("nan"), float("nan")
    reduced_basis, full_basis = np.linalg.qr(reduced)[0], np.linalg.qr(full)[0]
    fitted = reduced_basis @ (reduced_basis.T @ outcome)
    if np.sum((outcome - fitted) ** 2) <= NOTHING * np.sum(outcome**2):
        return float("nan"), float("nan")
    residuals = rng.permuted(np.tile(outcome - fitted, (permutations, 1)), axis=1)
    freedom = (tested.shape[1], n - full.shape[1])
    observed = _f_statistic(outcome[None, :], reduced_basis, full_basis, freedom)[0]
    null = _f_statistic(fitted + residuals, reduced_basis, full_basis, freedom)
    return float(observed), p_value(observed, null)


def _f_statistic(
    outcomes: Array, reduced_basis: Array, full_basis: Array, freedom: tuple[int, int]
) -> Array:
    """F of each row of `outcomes`, from orthonormal bases of the two models."""
    total = (outcomes**2).sum(axis=1)
    reduced_fit = ((outcomes @ reduced_basis) ** 2).sum(axis=1)
    full_fit = ((outcomes @ full_basis) ** 2).sum(axis=1)
    statistic: Array = ((full_fit - reduced_fit) / freedom[0]) / ((total - full_fit) / freedom[1])
    return statistic
