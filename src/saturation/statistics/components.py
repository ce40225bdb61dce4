"""Variance components of a difference between models: items, answers and whole runs.

Generalizability theory on the scale of shares (R. L. Brennan, Generalizability Theory, Springer
2001). For one item answered once, the difference between two models varies over items (data
noise), over answers to the same item (prediction noise; S. Wang, arXiv 2512.21326), and, where
whole runs are known, from run to run. With n items and m runs the variance of the mean difference
is items / n + answers / (n m) + runs / m.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from saturation.arrays import Floats
from saturation.errors import InputError
from saturation.statistics.intervals import CONFIDENCE, t_quantile

AXES = ("model", "item", "run")  # of a balanced table
# Variances below this are the rounding of a zero.
ROUNDING = 1e-12
# With fewer degrees of freedom a variance has no interval.
FEWEST_DEGREES = 1.0
# With fewer items there are no limits of what infinitely many runs leave.
FEWEST_ITEMS = 50


@dataclass(frozen=True)
class Answers:
    """Answers of several models to shared items.

    Parameters
    ----------
    mean
        Mean answer of each item and model, shape (items, models).
    spread
        Unbiased variance of single answers to an item, same shape.
    count
        Answers of each model to an item, shape (models,).
    run_spread
        Variance of whole runs' means, shape (models,); None if answers were drawn one by one.
    """

    mean: Floats
    spread: Floats
    count: Floats
    run_spread: Floats | None = None


class Error(NamedTuple):
    """The standard error of a difference and the limits of its interval."""

    value: float
    lower: float
    upper: float


class Plan(NamedTuple):
    """Plan for a budget: so many items, each answered in so many runs, and the resulting error."""

    items: int
    runs: int
    error: float


@dataclass(frozen=True)
class Components:
    """Variances of a difference, a mean over pairs of models; items may be estimated below zero.

    ``without`` holds items and answers without each item in turn, shape (items, 2); `run_error` is
    the sampling variance of `runs`, `count` the answers of a model to an item.
    """

    items: float
    answers: float
    runs: float
    without: Floats = field(repr=False)
    run_error: float = 0.0
    count: float = 1.0

    def variance(self, n_items: float, n_runs: float) -> float:
        """Variance of the mean difference; components below zero count as zero."""
        items, runs = max(self.items, 0.0), max(self.runs, 0.0)
        return (items + self.answers / n_runs) / n_items + runs / n_runs

    def error(
        self, n_runs: float = 1, n_items: float | None = None, level: float = CONFIDENCE
    ) -> Error:
        """Return the error of the difference with so many runs, of the answered items by default.

        The limits are those of a chi-square with Satterthwaite's degrees of freedom: the sampling
        error of the variance is a jackknife's over items and that of whole runs by their own
        chi-square. There are none where nothing varies, or with fewer than `FEWEST_DEGREES`.
        Limits of what infinitely many runs leave are :meth:`_limit_items`'.
        """
        count = len(self.without)
        n = count if n_items is None else n_items
        value = self.variance(n, n_runs)
        root = math.sqrt(value)
        if math.isinf(n_runs):
            return Error(root, *(math.sqrt(end / n) for end in self._limit_items(level)))
        if not value > 0:
            return Error(0.0, math.nan, math.nan)
        left = self.without @ np.array([1.0, 1 / n_runs]) / n
        kept = left - np.minimum(self.without[:, 0], 0.0) / n + max(self.runs, 0.0) / n_runs
        spread = _spread_of_variance(left / value, kept)
        spread = math.hypot(spread, math.sqrt(self.run_error) / n_runs / value)
        lower, upper = _limit_variance(value, spread, level)
        return Error(root, math.sqrt(lower), math.sqrt(upper))

    def _limit_items(self, level: float) -> tuple[float, float]:
        """Return the limits of the items' variance: that of the observed gaps, less the answers'.

        Modified large-sample limits (R. K. Burdick and F. A. Graybill, Confidence Intervals on
        Variance Components, Dekker 1992), of a chi-square and of Student's t; the lower one may be
        zero. NaN where the upper one would be, too, and with fewer than `FEWEST_ITEMS`.
        """
        n = len(self.without)
        total = self.items + self.answers / self.count
        if n < FEWEST_ITEMS or not total > ROUNDING:
            return math.nan, math.nan
        left = self.without @ np.array([1.0, 1 / self.count])
        ends = _limit_variance(total, _spread_of_variance(left / total, left), level)
        reach = t_quantile(n - 1, level) * (jackknife_error(self.without[:, 1]) / self.count)
        below, above = (math.hypot(total - end, reach) for end in ends)
        upper = self.items + above
        return (max(self.items - below, 0.0), upper) if upper > 0 else (math.nan, math.nan)

    def plan(self, budget: float, most_items: int, item_cost: float = 0.0) -> Plan:
        """Choose the items and runs that minimise the error with a budget of answers a model.

        A new item costs as much as `item_cost` answers, beside its own. The items' part is taken
        one standard error larger than estimated. Without costs, and without an effect of whole
        runs, every item is best asked once before any is asked twice.
        """
        sizes = np.arange(2, most_items + 1)
        runs = np.floor(budget / sizes - item_cost).astype(int)
        sizes, runs = sizes[runs > 0], runs[runs > 0]
        if not len(sizes):
            raise InputError(
                f"a budget of {budget:g} answers does not pay for 2 items; "
                f"allow at least {2 * (1 + item_cost):g}"
            )
        # Too many runs of too few items cost more than the reverse.
        cautious = replace(self, items=max(self.items, 0.0) + jackknife_error(self.without[:, 0]))
        variances = [cautious.variance(n, m) for n, m in zip(sizes.tolist(), runs.tolist())]
        # Of equal ones, the plan with most items.
        best = len(sizes) - 1 - np.argmin(variances[::-1])
        n, m = int(sizes[best]), int(runs[best])
        return Plan(n, m, math.sqrt(self.variance(n, m)))


def estimate_from_shares(shares: ArrayLike, count: ArrayLike) -> Answers:
    """Models of which the share right of independent right-or-wrong answers is known.

    Parameters
    ----------
    shares
        Items by models, in [0, 1].
    count
        Answers of each model to an item; at least two.
    """
    x, m = np.asarray(shares, float), np.asarray(count, float)
    if (m < 2).any():
        raise InputError("one answer to an item shows no run's part; give two or more")
    return Answers(x, x * (1 - x) * m / (m - 1), m)


def estimate_from_runs(runs: Sequence[ArrayLike]) -> Answers:
    """Models of which whole runs are known: for each a table of items by runs, two or more."""
    tables = [np.asarray(table, float) for table in runs]
    if any(table.ndim != 2 or table.shape[1] < 2 for table in tables):
        raise InputError("a model has fewer than two runs, which show no run's part")
    return Answers(
        np.column_stack([table.mean(axis=1) for table in tables]),
        np.column_stack([table.var(axis=1, ddof=1) for table in tables]),
        np.array([table.shape[1] for table in tables], float),
        np.array([table.mean(axis=0).var(ddof=1) for table in tables]),
    )


def decompose(answers: Answers) -> Components:
    """Components of the difference of two models, as a mean over all pairs.

    Examples
    --------
    >>> found = decompose(estimate_from_shares([[1, 0.5], [0.5, 0], [0.5, 0.5]], [2, 2]))
    >>> print(round(found.items, 3), round(found.answers, 3))
    -0.25 0.667
    """
    n, models = answers.mean.shape
    a, b = np.triu_indices(models, 1)
    gap = answers.mean[:, a] - answers.mean[:, b]
    spread, within = answers.spread[:, a] + answers.spread[:, b], answers.spread / answers.count
    noise = within[:, a] + within[:, b]
    runs, error = np.zeros(models), np.zeros(models)
    if answers.run_spread is not None:
        # Answers in a cell spread by their run too: what all items of a run share is taken out.
        by_run = answers.run_spread - answers.spread.mean(axis=0) / n
        runs = by_run * n / (n - 1)
        error = 2 * answers.run_spread**2 / (answers.count - 1)
    weight = np.bincount(np.concatenate([a, b]), minlength=models) / len(a)
    between, shared = float(weight @ runs), float(weight @ (runs / answers.count))
    squares = (gap - gap.mean(axis=0)) ** 2
    total = squares.sum(axis=0)
    # Means over pairs, whole and without each item.
    whole = (total / (n - 1) - noise.mean(axis=0)).mean() + shared
    left = (total - squares * n / (n - 1)) / (n - 2)
    left = (left - (noise.sum(axis=0) - noise) / (n - 1)).mean(axis=1) + shared
    each = (spread.sum(axis=0) - spread).mean(axis=1) / (n - 1) - between
    return Components(
        items=float(whole),
        answers=spread.mean() - between,
        runs=between,
        without=np.column_stack([left, each]),
        run_error=float(weight**2 @ error),
        count=weight.sum() / (weight @ (1 / answers.count)),
    )


def balanced(values: ArrayLike) -> pd.DataFrame:
    """Analysis of variance of a table of models by items by runs, each cell answered once.

    Runs are crossed with models and items, as the same judges or prompts are.

    Parameters
    ----------
    values
        Shape (models, items, runs), complete.

    Returns
    -------
    pandas.DataFrame
        ``degrees``, ``mean_square`` and ``variance`` by term; a variance may be below zero.
    """
    x = np.asarray(values, float)
    if x.ndim != 3 or min(x.shape) < 2 or not np.isfinite(x).all():
        raise InputError(
            f"a balanced table has models, items and runs, two or more each and no gap; "
            f"its shape is {x.shape}"
        )
    rows = []
    # Of a term's axes: what its variance adds to the mean squares of the terms within it.
    shares: dict[tuple[int, ...], float] = {}
    for number in (3, 2, 1):
        for axes in itertools.combinations(range(3), number):
            effect = _effect(x, axes)
            degrees = math.prod(x.shape[axis] - 1 for axis in axes)
            mean_square = (effect**2).sum() * x.size / effect.size / degrees
            above = sum(part for wider, part in shares.items() if set(axes) < set(wider))
            shares[axes] = mean_square - above
            name = ":".join(AXES[axis] for axis in axes)
            rows.append((name, degrees, mean_square, shares[axes] * effect.size / x.size))
    table = pd.DataFrame(rows, columns=["term", "degrees", "mean_square", "variance"])
    return table.set_index("term")


def _effect(x: Floats, axes: tuple[int, ...]) -> Floats:
    """Compute an effect: deviations along its axes of the means over all other axes."""
    for axis in range(3):
        mean = x.mean(axis=axis, keepdims=True)
        x = x - mean if axis in axes else mean
    return x


def _spread_of_variance(ratios: Floats, without: Floats) -> float:
    """Estimate the relative standard error of a variance from its values without each item.

    Of few items either the jackknife or that of logarithms is too small: the larger one is taken.
    """
    return max(jackknife_error(ratios), jackknife_error(np.log(np.maximum(without, ROUNDING))))


def _limit_variance(value: float, spread: float, level: float) -> tuple[float, float]:
    """Return the limits of a variance with this relative standard error, by a chi-square."""
    degrees = 2 / max(spread, ROUNDING) ** 2
    if not degrees >= FEWEST_DEGREES:
        return math.nan, math.nan
    lower, upper = value * degrees / special.chdtri(degrees, [0.5 - level / 2, 0.5 + level / 2])
    return lower, upper


def jackknife_error(without: Floats) -> float:
    """Compute the standard error of an estimate, from its values without each item."""
    n = len(without)
    return math.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))
