"""Intervals of proportions, means and draws; adjusted p-values."""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from saturation.arrays import Floats

# Lower and upper limit: numbers where all arguments are numbers, else arrays.
Limits = tuple[Any, Any]

# Confidence level where nobody asks for another.
CONFIDENCE = 0.95
# Level of a test: the p-value below which a difference is significant.
ALPHA = 0.05


def normal_quantile(level: float) -> float:
    """Compute the number of standard errors from centre to end of a symmetric normal interval.

    Examples
    --------
    >>> round(float(normal_quantile(0.95)), 2)
    1.96
    """
    return float(scipy.special.ndtri(0.5 + level / 2))


def t_quantile(degrees: ArrayLike, level: float = CONFIDENCE) -> Any:
    """Compute the number of standard errors from centre to end of an interval by Student's t."""
    return scipy.special.stdtrit(degrees, 0.5 + level / 2)


def wilson(successes: ArrayLike, n: ArrayLike, level: float = CONFIDENCE) -> Limits:
    """Wilson's score interval of a proportion; never of zero width, not even at 0 % or 100 %.

    Parameters
    ----------
    successes, n
        Numbers of successes and of trials, broadcast against each other; successes need not be
        whole, so that graded scores have an interval too.

    Returns
    -------
    tuple of arrays
        Lower and upper limits: exactly 0 without a success, exactly 1 without a failure. Scalars
        for scalars.

    Examples
    --------
    >>> [round(float(end), 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    count, trials = np.asarray(successes, float), np.asarray(n, float)
    lower, upper = _wilson(count / trials, trials, level)
    return np.where(count == 0, 0.0, lower)[()], np.where(count == trials, 1.0, upper)[()]


def newcombe(
    successes_1: ArrayLike,
    n_1: ArrayLike,
    successes_2: ArrayLike,
    n_2: ArrayLike,
    level: float = CONFIDENCE,
) -> Limits:
    """Newcombe's hybrid score interval of the difference of two independent proportions.

    Source: R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    Returns
    -------
    tuple of arrays
        Lower and upper limits of first minus second; scalars for scalars.
    """
    shares, ends = [], []
    for successes, n in ((successes_1, n_1), (successes_2, n_2)):
        trials = np.asarray(n, float)
        share = np.asarray(successes, float) / trials
        shares.append(share)
        ends.append(_wilson(share, trials, level))
    (first, second), ((low_1, high_1), (low_2, high_2)) = shares, ends
    difference = first - second
    below = np.sqrt((first - low_1) ** 2 + (high_2 - second) ** 2)
    above = np.sqrt((second - low_2) ** 2 + (high_1 - first) ** 2)
    return (difference - below)[()], (difference + above)[()]


def _wilson(share: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    """Compute the limits of Wilson's interval.

    By hand: statsmodels', of which it gives the digits, takes a second to import.
    """
    quantile = -scipy.special.ndtri((1 - level) / 2)
    square = quantile**2
    scale = 1 + square / n
    middle = (share + square / (2 * n)) / scale
    half = quantile * np.sqrt(share * (1.0 - share) / n + square / (4.0 * n**2)) / scale
    return middle - half, middle + half


def paired_proportions(
    only_first: ArrayLike, only_second: ArrayLike, n: ArrayLike, level: float = CONFIDENCE
) -> Limits:
    """Compute the adjusted Wald interval of the difference of two paired proportions.

    One item is added to each of the two kinds on which they disagree, so that two models that
    agree on every item still have an interval. Source: D. G. Bonett and R. M. Price (2012), Journal
    of Educational and Behavioral Statistics 37, 479-488.

    Parameters
    ----------
    only_first, only_second
        Numbers of items that only the first, and only the second, has right.
    """
    first, second = ((np.asarray(count, float) + 1) for count in (only_first, only_second))
    size = np.asarray(n, float) + 2
    difference = (first - second) / size
    error = np.sqrt(((first + second) / size - difference**2) / size)
    half = normal_quantile(level) * error
    return np.maximum(difference - half, -1.0)[()], np.minimum(difference + half, 1.0)[()]


def normal(estimate: ArrayLike, error: ArrayLike, level: float = CONFIDENCE) -> Limits:
    """Compute the normal interval of an estimate with this standard error."""
    middle, half = np.asarray(estimate, float), normal_quantile(level) * np.asarray(error, float)
    return middle - half, middle + half


def share(
    estimate: ArrayLike, error: ArrayLike, degrees_of_freedom: ArrayLike, level: float = CONFIDENCE
) -> Limits:
    """Wilson's interval of a share whose error is estimated, as from items in clusters.

    The effective number of trials is, p(1 - p)/SE^2, less what a t
    quantile takes for an error from few values (Korn and Graubard 1998, Survey Methodology 24,
    193-201; recommended by Franco, Little, Louis and Slud 2019, Journal of Survey Statistics and
    Methodology 7, 334-364). Unlike a normal interval it stays within 0 and 1.
    The estimate lies strictly between 0 and 1, its error is above 0 and has at least one degree of
    freedom.
    """
    p = np.asarray(estimate, float)
    quantile = t_quantile(degrees_of_freedom, level)
    trials = p * (1 - p) / np.asarray(error, float) ** 2 * (normal_quantile(level) / quantile) ** 2
    return wilson(p * trials, trials, level)


def mean(values: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """Student t interval of the mean of independent values; NaN with fewer than two.

    Examples
    --------
    >>> [round(limit, 2) for limit in mean([0.4, 0.5, 0.6])]
    [0.25, 0.75]
    """
    x = np.asarray(values, float)
    if len(x) < 2:
        return np.nan, np.nan
    half = t_quantile(len(x) - 1, level) * x.std(ddof=1) / np.sqrt(len(x))
    return float(x.mean() - half), float(x.mean() + half)


def constant(value: float, n: float, level: float = CONFIDENCE) -> tuple[float, float]:
    """Return limits of a mean difference in [-1, 1] whose n drawn items all show a single value.

    Items with another value, up to the exact limit of their share after none of n, may differ by
    -1 or 1.

    Examples
    --------
    >>> [round(limit, 3) for limit in constant(0.0, 100)]
    [-0.036, 0.036]
    """
    others = 1 - (0.5 - level / 2) ** (1 / n) if n > 0 else 1.0
    return value * (1 - others) - others, value * (1 - others) + others


def percentile(draws: ArrayLike, level: float = CONFIDENCE, axis: int = 0) -> Limits:
    """Central interval of draws: the percentile interval if they are bootstrap estimates.

    The draws lie along an axis, which is taken away; the level is the share of them within.
    """
    lower, upper = np.quantile(np.asarray(draws, float), [0.5 - level / 2, 0.5 + level / 2], axis)
    return lower, upper


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p-values, in the order given: the family-wise error is controlled.

    By hand: statsmodels' collects garbage at every call, a tenth of a second each time.

    Examples
    --------
    >>> [round(float(p), 3) for p in holm(np.array([0.01, 0.04]))]
    [0.02, 0.04]
    """
    p = np.asarray(p_values, float)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """P-values adjusted to control the false discovery rate; a missing p-value stays missing.

    Examples
    --------
    >>> [round(float(p), 3) for p in benjamini_hochberg(np.array([0.01, 0.04]))]
    [0.02, 0.04]
    """
    p = np.array(p_values, float)
    tested = np.isfinite(p)
    p[tested] = scipy.stats.false_discovery_control(p[tested])
    return p


def agreement(success: ArrayLike, configurations: ArrayLike, answers: int = 2) -> Floats:
    """Probability that independent configurations all give equal answers.

    Every configuration is right with the same probability p; a wrong answer is one of the other
    k - 1, each equally likely: p^V + (k - 1) ((1 - p) / (k - 1))^V. With k = 2 this is also the
    probability that all *scores* agree, whatever the number of answers, and the robustness
    paper's baseline (section 3 and the caption of Figure 1, which give it in words).

    Parameters
    ----------
    success
        Probability p of a right answer, in [0, 1].
    configurations
        Number V of configurations; broadcast against `success`.
    answers
        Number k of possible answers, at least 2.

    Raises
    ------
    ValueError
        If there are fewer than two answers.
    """
    if answers < 2:
        raise ValueError(f"answers is {answers}; at least two are needed to disagree")
    right, count = np.asarray(success, float), np.asarray(configurations)
    wrong = (1 - right) / (answers - 1)
    return np.asarray(right**count + (answers - 1) * wrong**count)


def symmetric_root(covariance: Floats) -> Floats:
    """Compute a covariance's symmetric root; negative variances, by rounding, count as 0.

    Unlike other roots it does not follow the signs and the order of the eigenvectors, which differ
    between processors: draws from it are the same.
    """
    variances, axes = np.linalg.eigh(covariance)
    root: Floats = axes * np.sqrt(variances.clip(0)) @ axes.T
    return root
