"""Bootstrap intervals and permutation tests of means, slopes and rank correlations.

For intervals, units are drawn with replacement. The slope's interval is studentised: each
resample's slope is divided by its own heteroscedasticity-robust error, which keeps the level where
the percentile interval is too short, in groups of six or eight (Efron and Tibshirani 1993, section
12.5).
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Floats, Places
from saturation.statistics.correlation import ranks
from saturation.statistics.intervals import percentile
from saturation.statistics.resampling import p_value
from studies.plateau import correlations

Orders = NDArray[np.unsignedinteger]

RESAMPLES = 1999
# A unit that is fitted exactly has no residual to learn from.
FULL_LEVERAGE = 1 - 1e-8
# Errors, and spreads of ranks, this small beside the outcome's range are rounding.
NOTHING = 1e-7
# Numbers that are worked on together: they stay in the processor's cache.
BATCH = 2**17
# Share of the resamples that must give a slope and an error.
LEAST_DEFINED = 0.9
# Numbers of all draws together, and draws that are made whatever the number of units.
MOST, LEAST = 6 * 10**6, 999


def slopes(
    outcomes: ArrayLike,
    tested: ArrayLike,
    covariates: ArrayLike,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> tuple[Floats, Floats, Floats]:
    """Least-squares slope of each outcome on a column next to covariates, with its interval.

    Units are drawn within the two groups where the column has two values, else from all.

    Parameters
    ----------
    tested
        Shape (n,); a slope on 0 and 1 is a difference of means.
    covariates
        Shape (n, c), without the intercept, which is added; c may be 0.
    rng, resamples
        What draws, and how often.

    Returns
    -------
    tuple of array
        Slopes and lower and upper ends, shape (o,). NaN where there is no slope; no ends where
        it has no error or too few resamples have one.
    """
    outcomes = np.asarray(outcomes, float)
    tested = np.asarray(tested, float)
    n = len(tested)
    design = np.column_stack([tested, np.ones(n), np.asarray(covariates, float).reshape(n, -1)])
    undefined = np.full(outcomes.shape[1], np.nan)
    if np.linalg.matrix_rank(design) < design.shape[1] or design.shape[1] >= n:
        return undefined, undefined, undefined
    fitted = np.linalg.lstsq(design, outcomes, rcond=None)[0]
    # What the fit leaves has a slope of 0, around which those of the resamples lie.
    left = outcomes - design @ fitted
    _, (error,) = _fit_slopes(design[None], left[None])
    values = np.unique(tested)
    groups = [np.flatnonzero(tested == value) for value in values] if len(values) == 2 else []
    units = draw_units(groups or [np.arange(n)], resamples, rng)
    parts = [
        _fit_slopes(design[units[rows]], left[units[rows]])
        for rows in batches(resamples, left.size)
    ]
    again, errors = map(np.concatenate, zip(*parts, strict=True))
    # An error of rounding alone: what was drawn does not vary.
    errors[errors <= NOTHING * np.ptp(outcomes, axis=0)] = np.nan
    ends = _quantiles(again / errors)
    return fitted[0], fitted[0] - ends[1] * error, fitted[0] - ends[0] * error


def draw_units(groups: Sequence[Places], resamples: int, rng: np.random.Generator) -> Places:
    """Draw units with replacement within each group: a resample a row."""
    parts = []
    for group in groups:
        counts = rng.multinomial(len(group), np.full(len(group), 1 / len(group)), resamples)
        units = np.repeat(np.tile(group, resamples), counts.ravel())
        parts.append(units.reshape(resamples, len(group)))
    return np.concatenate(parts, axis=1)


def _fit_slopes(design: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """Slope on the first column and its HC2 error in each resample, shape (resamples, o).

    The design has shape (resamples, n, width), the outcomes (resamples, n, o).
    """
    moments = np.swapaxes(design, 1, 2) @ design
    regular = np.linalg.cond(moments) < 1e12
    moments[~regular] = np.eye(design.shape[2])
    projected = design @ np.linalg.inv(moments)
    slopes = np.swapaxes(projected, 1, 2) @ outcomes
    leverage = (projected * design).sum(axis=2)
    known = regular & (leverage < FULL_LEVERAGE).all(axis=1)
    weights = projected[:, :, 0] ** 2 / np.where(known[:, None], 1 - leverage, 1.0)
    variance = np.einsum("ij,ijk->ik", weights, (outcomes - design @ slopes) ** 2)
    errors = np.where(known[:, None], np.sqrt(variance), np.nan)
    return np.where(regular[:, None], slopes[:, 0], np.nan), errors


def _quantiles(draws: Floats) -> Floats:
    """Compute the central 95 % interval of each column's defined draws, shape (2, o)."""
    defined = np.isfinite(draws)
    ends = np.full((2, draws.shape[1]), np.nan)
    for place in np.flatnonzero(defined.mean(axis=0) >= LEAST_DEFINED):
        ends[:, place] = percentile(draws[defined[:, place], place])
    return ends


def rank_correlations(
    outcomes: ArrayLike,
    variable: ArrayLike,
    covariates: ArrayLike,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> tuple[Floats, Floats]:
    """Percentile interval of the (partial) Spearman correlation of each outcome with a variable.

    Ranks are taken anew in each resample.

    Returns
    -------
    tuple of array
        Lower and upper ends, shape (o,); NaN where too few resamples have a correlation.
    """
    outcomes = np.asarray(outcomes, float)
    n = len(outcomes)
    given = np.asarray(covariates, float).reshape(n, -1)
    units = draw_units([np.arange(n)], resamples, rng)
    basis: list[Floats] = []
    for column in (np.ones(n), *given.T):
        basis.append(_unit(_rank_residuals(column[units], basis)))
    x = _rank_residuals(np.asarray(variable, float)[units], basis)
    drawn = np.empty((resamples, outcomes.shape[1]))
    for place, outcome in enumerate(outcomes.T):
        y = _rank_residuals(outcome[units], basis)
        spread = _products(x, x) * _products(y, y)
        # What is left of ranks is rounding, or some hundredths at least.
        spread[spread < NOTHING] = np.nan
        drawn[:, place] = _products(x, y) / np.sqrt(spread)
    ends = _quantiles(drawn)
    return ends[0], ends[1]


def _rank_residuals(values: Floats, basis: list[Floats]) -> Floats:
    """Compute residuals of ranks from orthonormal columns in each resample, one a row."""
    left = ranks(values)
    for column in basis:
        left = left - _products(column, left)[:, None] * column
    return left


def _unit(values: Floats) -> Floats:
    """Values of length 1 in each resample; 0 where they are rounding."""
    squares = _products(values, values)
    return values / np.sqrt(np.where(squares < NOTHING, np.inf, squares))[:, None]


def _products(first: Floats, second: Floats) -> Floats:
    """Compute the inner product of each row with the same row."""
    return np.asarray(np.einsum("ij,ij->i", first, second))


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
        return np.array(every, dtype=units.dtype).reshape(len(every), n)[1:]
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
    return float(statistics[0]), float(p_values[0])


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
    left = total > correlations.NOTHING * np.sum(outcomes**2, axis=0)
    share = _share((basis.T @ residuals)[None], total, width)[0]
    null = _share(relabelled(basis, residuals, drawn), total, width)
    freedom = (tested.shape[1], n - full.shape[1])
    with np.errstate(divide="ignore"):
        statistics = (share / freedom[0]) / ((1 - share) / freedom[1])
    p_values = [p_value(*pair) for pair in zip(share, null.T, strict=True)]
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
