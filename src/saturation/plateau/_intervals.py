"""Intervals of proportions, means and draws, as statsmodels and scipy make them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

LEVEL = 0.95


def wilson(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a proportion."""
    lower, upper = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    return float(lower), float(upper)


def newcombe(
    successes_1: int, n_1: int, successes_2: int, n_2: int, level: float = LEVEL
) -> tuple[float, float]:
    """Newcombe's hybrid score interval of the difference of two independent proportions."""
    lower, upper = confint_proportions_2indep(
        successes_1, n_1, successes_2, n_2, method="newcomb", compare="diff", alpha=1 - level
    )
    return float(lower), float(upper)


def mean(values: ArrayLike, level: float = LEVEL) -> tuple[float, float]:
    """Student t interval of a mean; NaN with fewer than two values."""
    numbers = np.asarray(values, dtype=float)
    if len(numbers) < 2:
        return float("nan"), float("nan")
    half = stats.t.ppf(0.5 + level / 2, len(numbers) - 1) * stats.sem(numbers)
    return float(numbers.mean() - half), float(numbers.mean() + half)


def percentile(
    draws: ArrayLike, level: float = LEVEL, axis: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Central interval of draws along an axis."""
    lower, upper = np.quantile(
        np.asarray(draws, dtype=float), [0.5 - level / 2, 0.5 + level / 2], axis
    )
    return lower, upper
