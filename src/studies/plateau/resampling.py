"""Slopes with robust intervals, and permutation tests of design columns next to covariates."""

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Floats
from saturation.statistics.intervals import CONFIDENCE
from saturation.statistics.resampling import p_value
from studies.correlation import NOTHING

Orders = NDArray[np.unsignedinteger]

# Of smaller groups the interval of a difference covers less than stated (validation/plateau.py).
FEWEST = 10
# Numbers that are worked on together: they stay in the processor's cache.
BATCH = 2**17
# Numbers of all draws together, and draws that are made whatever the number of units.
MOST, LEAST = 6 * 10**6, 999


def slope(outcome: ArrayLike, tested: ArrayLike, covariates: ArrayLike) -> tuple[float, ...]:
    """Return the least-squares slope on a column next to covariates, with its HC3 interval.

    The column has 0 and 1: the slope is a difference of means. The design has to have a slope
    (:func:`adjusted_f_test`). Groups smaller than `FEWEST` have no interval.
    """
    # Here, because the figures import this module too, and it takes long.
    from statsmodels.regression.linear_model import OLS

    n = len(np.asarray(outcome))
    fit = OLS(outcome, np.column_stack([tested, np.ones(n), np.reshape(covariates, (n, -1))])).fit()
    if not FEWEST <= np.sum(tested) <= n - FEWEST:
        return fit.params[0], np.nan, np.nan
    robust = fit.get_robustcov_results("HC3", use_t=True)
    return fit.params[0], *robust.conf_int(1 - CONFIDENCE)[0]


def batches(resamples: int, numbers: int) -> list[slice]:
    """Resamples that are worked on together, so that memory does not grow with the data.

    Each resample is made of so many numbers.
    """
    rows = max(1, BATCH // max(numbers, 1))
    return [slice(start, min(start + rows, resamples)) for start in range(0, resamples, rows)]


def affordable(draws: int, n: int) -> int:
    """So many draws of n units each as keep the work linear in n, which else grows with both.

    Of few units all that are asked for; of many, no more than :data:`MOST` numbers in all, but
    never fewer than :data:`LEAST`, with which a p-value of 0.05 has a standard error of 0.007.
    """
    return min(draws, max(LEAST, MOST // max(n, 1)))


def orders(n: int, permutations: int, rng: np.random.Generator) -> Orders:
    """Random orders of n units; all but the observed order where no more exist than requested.

    With all of them :func:`p_value`, which counts the data as one order, is exact.
    One order a row, each equally likely, in the smallest type that holds the units' numbers.
    """
    units = np.arange(n, dtype=np.min_scalar_type(max(n - 1, 0)))
    if math.factorial(min(n, 20)) <= permutations + 1:
        every = list(itertools.permutations(units))
        return np.array(every, units.dtype).reshape(len(every), n)[1:]
    return rng.permuted(np.tile(units, (permutations, 1)), axis=1)


def relabelled(columns: ArrayLike, outcomes: ArrayLike, drawn: Orders) -> Floats:
    """Inner products of columns, permuted by each order, with outcomes.

    Of shape (permutations, q, o); the orders are those of :func:`orders`.
    """
    columns, outcomes = np.asarray(columns, float), np.asarray(outcomes, float)
    places = drawn.astype(np.intp)  # once for all columns
    return np.stack([column[places] @ outcomes for column in columns.T], axis=1)


def adjusted_f_test(
    outcome: ArrayLike, tested: ArrayLike, covariates: ArrayLike, drawn: Orders
) -> tuple[float, float]:
    """F statistic of the tested columns next to covariates, with a permutation p-value."""
    statistics, p_values = adjusted_f_tests(np.reshape(outcome, (-1, 1)), tested, covariates, drawn)
    return statistics[0], p_values[0]


def adjusted_f_tests(
    outcomes: ArrayLike, tested: ArrayLike, covariates: ArrayLike, drawn: Orders
) -> tuple[Floats, Floats]:
    """F statistics of the tested columns next to covariates, with p-values, for several outcomes.

    The residuals of the covariates-only model are permuted (Freedman and Lane 1983; recommended
    by Winkler et al. 2014), so the outcome keeps its relation to the covariates. Their products
    with the design are those of the design, permuted in the opposite order, with the residuals:
    one gather of the design serves all outcomes.

    Parameters
    ----------
    tested
        Design columns under test, shape (n, q): group indicators without the reference group.
    covariates
        Columns to adjust for, shape (n, c), without the intercept, which is added; c may be 0.
    drawn
        Orders of the n units (:func:`orders`).

    Returns
    -------
    tuple of array
        F statistics and p-values, shape (o,). NaN where they are not defined: no residual degrees
        of freedom, columns that determine each other, or covariates that leave nothing of the
        outcome.
    """
    outcomes = np.asarray(outcomes, float)
    n, number = outcomes.shape
    tested = np.asarray(tested, float).reshape(n, -1)
    reduced = np.column_stack([np.ones(n), np.asarray(covariates, float).reshape(n, -1)])
    full = np.column_stack([reduced, tested])
    undefined = np.full(number, np.nan)
    if np.linalg.matrix_rank(full) < full.shape[1] or full.shape[1] >= n:
        return undefined, undefined
    # Orthonormal: the intercept, the covariates, and what the tested columns add to them. Residuals
    # have no mean in any order, so the intercept's products are 0.
    basis = np.linalg.qr(full)[0]
    fitted = basis[:, : reduced.shape[1]]
    residuals = outcomes - fitted @ (fitted.T @ outcomes)
    basis, width = basis[:, 1:], reduced.shape[1] - 1
    total = np.sum(residuals**2, axis=0)
    left = total > NOTHING * np.sum(outcomes**2, axis=0)
    share = _share((basis.T @ residuals)[None], total, width)[0]
    null = _share(relabelled(basis, residuals, drawn), total, width)
    freedom = (tested.shape[1], n - full.shape[1])
    with np.errstate(divide="ignore"):
        statistics = (share / freedom[0]) / ((1 - share) / freedom[1])
    p_values = [p_value(*pair) for pair in zip(share, null.T)]
    return np.where(left, statistics, np.nan), np.where(left, p_values, np.nan)


def _share(products: Floats, total: Floats, width: int) -> Floats:
    """Share of the covariates' residual that the tested columns explain; F grows with the share.

    `products` are those of residuals with an orthonormal basis, whose first columns are the
    covariates'.
    """
    squares = products**2
    explained = squares[:, width:].sum(axis=1)
    with np.errstate(invalid="ignore"):
        share = explained / (total - squares[:, :width].sum(axis=1))
    within: Floats = np.clip(share, 0, 1)
    return within
