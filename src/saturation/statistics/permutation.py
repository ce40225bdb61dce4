"""Permutation tests: of a mean difference between groups, and of groups next to covariates.

The orders in which units are dealt out are drawn once (:func:`orders`) and taken by every test of
the same units: a test costs a gather and a product of matrices, so that a hundred thousand orders
are cheap, and a p-value of some thousandths keeps its digits.
"""

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saturation.statistics import correlation

Array = NDArray[np.float64]
Orders = NDArray[np.unsignedinteger]

# Guards against calling a tie extreme because of rounding in the last bit.
TIE = 1e-10
# Numbers of all draws together, and draws that are made whatever the number of units.
MOST, LEAST = 6 * 10**6, 999
# Numbers that are gathered at a time: they stay in the processor's cache.
BATCH = 2**18


def affordable(draws: int, n: int) -> int:
    """So many draws of n units each as keep the work linear in n, which else grows with both.

    Of few units all that are asked for; of many, no more than :data:`MOST` numbers in all, but
    never fewer than :data:`LEAST`, with which a p-value of 0.05 has a standard error of 0.007.

    Parameters
    ----------
    draws
        Number asked for.
    n
        Units of each.
    """
    return min(draws, max(LEAST, MOST // max(n, 1)))


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


def orders(n: int, permutations: int, rng: np.random.Generator) -> Orders:
    """Random orders of n units; all of them but the given one where there are no more than asked.

    With all of them :func:`p_value`, which counts the data as one order, is exact.

    Parameters
    ----------
    n
        Number of units.
    permutations
        Number of orders; each is equally likely.
    rng
        Random generator.

    Returns
    -------
    numpy.ndarray
        Numbers of the units, one order a row, in the smallest type that holds them.
    """
    units = np.arange(n, dtype=np.min_scalar_type(max(n - 1, 0)))
    if math.factorial(min(n, 20)) <= permutations + 1:
        every = list(itertools.permutations(units))
        return np.array(every, dtype=units.dtype).reshape(len(every), n)[1:]
    return rng.permuted(np.tile(units, (permutations, 1)), axis=1)


def relabelled(columns: ArrayLike, outcomes: ArrayLike, drawn: Orders) -> Array:
    """Inner products of columns, dealt out anew in each order, with outcomes.

    Parameters
    ----------
    columns
        Shape (n, q).
    outcomes
        Shape (n, o).
    drawn
        Shape (permutations, n), see :func:`orders`.

    Returns
    -------
    numpy.ndarray
        Shape (permutations, q, o).
    """
    columns, outcomes = np.asarray(columns, float), np.asarray(outcomes, float)
    products = np.empty((len(drawn), columns.shape[1], outcomes.shape[1]))
    rows = max(1, BATCH // max(len(columns), 1))
    for start in range(0, len(drawn), rows):
        # As addresses, once for all columns: NumPy would make them so for each.
        batch = drawn[start : start + rows].astype(np.intp)
        for place, column in enumerate(columns.T):
            products[start : start + rows, place] = np.take(column, batch) @ outcomes
    return products


def mean_difference(values: ArrayLike, in_first: ArrayLike, drawn: Orders) -> tuple[float, float]:
    """Difference in means, first group minus the rest, with a two-sided permutation p-value.

    Parameters
    ----------
    values
        Outcomes, shape (n,).
    in_first
        Membership of the first group, booleans of shape (n,).
    drawn
        Orders of the n units (:func:`orders`).

    Returns
    -------
    tuple of float
        Difference and p-value.
    """
    values = np.asarray(values, dtype=float)
    member = np.asarray(in_first, dtype=bool)
    contrast = member / member.sum() - ~member / (~member).sum()
    null = relabelled(contrast[:, None], values[:, None], drawn)[:, 0, 0]
    difference = float(contrast @ values)
    return difference, p_value(abs(difference), np.abs(null))


def adjusted_f_test(
    outcome: ArrayLike, tested: ArrayLike, covariates: ArrayLike, drawn: Orders
) -> tuple[float, float]:
    """F statistic of the tested columns next to covariates, with a permutation p-value.

    Parameters
    ----------
    outcome
        Shape (n,).
    tested, covariates, drawn
        See :func:`adjusted_f_tests`.

    Returns
    -------
    tuple of float
        F statistic and p-value, NaN where they are not defined.
    """
    statistics, p_values = adjusted_f_tests(np.reshape(outcome, (-1, 1)), tested, covariates, drawn)
    return float(statistics[0]), float(p_values[0])


def adjusted_f_tests(
    outcomes: ArrayLike, tested: ArrayLike, covariates: ArrayLike, drawn: Orders
) -> tuple[Array, Array]:
    """F statistics of the tested columns next to covariates, with p-values, for several outcomes.

    The residuals of the covariates-only model are permuted (Freedman and Lane 1983; recommended
    by Winkler et al. 2014), so the outcome keeps its relation to the covariates. Their products
    with the design are those of the design, dealt out in the opposite order, with the residuals:
    one gather of the design serves all outcomes.

    Parameters
    ----------
    outcomes
        Shape (n, o).
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
    outcomes = np.asarray(outcomes, dtype=float)
    n, number = outcomes.shape
    tested = np.asarray(tested, dtype=float).reshape(n, -1)
    reduced = np.column_stack([np.ones(n), np.asarray(covariates, dtype=float).reshape(n, -1)])
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
    left = total > correlation.NOTHING * np.sum(outcomes**2, axis=0)
    share = _share((basis.T @ residuals)[None], total, width)[0]
    null = _share(relabelled(basis, residuals, drawn), total, width)
    freedom = (tested.shape[1], n - full.shape[1])
    with np.errstate(divide="ignore"):
        statistics = (share / freedom[0]) / ((1 - share) / freedom[1])
    p_values = [p_value(*pair) for pair in zip(share, null.T, strict=True)]
    return np.where(left, statistics, np.nan), np.where(left, p_values, np.nan)


def _share(products: Array, total: Array, width: int) -> Array:
    """Share that the tested columns explain of what the covariates leave; F grows with it.

    `products` are those of residuals with an orthonormal basis, whose first columns are the
    covariates'.
    """
    squares = products**2
    explained = squares[:, width:].sum(axis=1)
    with np.errstate(invalid="ignore"):
        share = explained / (total - squares[:, :width].sum(axis=1))
    within: Array = np.clip(share, 0, 1)
    return within
