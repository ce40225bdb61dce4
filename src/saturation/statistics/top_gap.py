"""The gap between the best and the k-th of m models that are all equal.

The best and the k-th of a leaderboard are chosen after their scores are known, so their gap is not
that of two models named beforehand: it grows with m although nobody is better. This is its
distribution when all m models have the same true score, the null against which an observed gap is
read.

Models that answer the same items share how hard the items are. Given the items, scores of equal
models are independent, and only the rest of the variance lets them differ: with the correlation r
between two models' answers to an item, a share 1 - r of the binomial variance. Gaps of models that
answer alike are therefore small.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]

# Probability that is left out at each end of the scores, and where the gap's distribution ends.
NEGLIGIBLE = 1e-12
# Points of the normal version: a standard error is cut into so many steps.
STEPS = 400


@dataclass(frozen=True)
class EqualModels:
    """Distribution of the gap between the best and the k-th of m equal models.

    Parameters
    ----------
    gaps
        Values that the gap may take, ascending from 0, in the unit of the scores.
    cumulative
        Probability of a gap of at most each value; the last is 1.
    """

    gaps: Floats
    cumulative: Floats

    @classmethod
    def binomial(
        cls, k: int, m: int, n: int, score: float, dependence: float = 0.0
    ) -> "EqualModels":
        """Exact for models that solve each of n items with the same probability.

        Dependence through shared items is a share of the items that all models solve or all miss:
        the others have the binomial's distribution, so that the variance given the items is
        n (1 - r) p (1 - p), to the nearest whole item.

        Parameters
        ----------
        k
            Place that is compared with the first, at least 2.
        m
            Number of models, at least k.
        n
            Number of items, at least 1.
        score
            The common true score, in [0, 1].
        dependence
            Correlation r between two models' answers to the same item, in [0, 1].

        Raises
        ------
        ValueError
            If a value lies outside these limits.
        """
        _check(k, m, dependence)
        cumulative = _range_of_counts(_counts_below(m, n, score, dependence), k, m)
        return cls(np.arange(len(cumulative)) / n, cumulative)

    @classmethod
    def normal(
        cls, k: int, m: int, standard_error: float, dependence: float = 0.0
    ) -> "EqualModels":
        """For scores that are normal around the common truth.

        Parameters
        ----------
        k, m, dependence
            See :meth:`binomial`.
        standard_error
            Standard error of one score, at least 0, in the unit of the result.

        Raises
        ------
        ValueError
            If a value lies outside its limits.
        """
        _check(k, m, dependence)
        if standard_error < 0:
            raise ValueError(f"a standard error is {standard_error}; it is at least 0")
        width = 2 * special.ndtri(1 - NEGLIGIBLE / m)
        edges = np.linspace(0, width, int(STEPS * width) + 1)
        middles = (edges[:-1] + edges[1:]) / 2
        scale = standard_error * np.sqrt(1 - dependence)
        return cls(middles * scale, normal_range(edges[1:], k, m))

    def p_value(self, gap: ArrayLike) -> Floats:
        """Probability of a gap of at least this size; 1 for a gap of 0."""
        # A gap is a difference of two scores: the last bit of their subtraction decides nothing.
        place = np.searchsorted(self.gaps, np.asarray(gap, float) * (1 - 1e-9) - 1e-12, side="left")
        before = np.concatenate([[0.0], self.cumulative, [1.0]])
        return 1 - before[np.minimum(place, len(self.gaps))]

    def quantile(self, probability: ArrayLike) -> Floats:
        """Smallest gap whose cumulative probability reaches this."""
        place = np.searchsorted(self.cumulative, np.asarray(probability, float), side="left")
        return self.gaps[np.minimum(place, len(self.gaps) - 1)]

    def mean(self) -> float:
        """Expected gap."""
        return float(self.gaps[0] + np.sum(np.diff(self.gaps) * (1 - self.cumulative[:-1])))

    def expected(self, values: ArrayLike) -> float:
        """Expectation of a function of the gap, from its values at `gaps`."""
        chances = np.diff(np.concatenate([[0.0], self.cumulative]))
        return float(np.sum(np.asarray(values, float) * chances))


def binomial_range(
    gaps: ArrayLike, k: int, m: int, n: int, score: float, dependence: float = 0.0
) -> Floats:
    """Probability that best and k-th of m equal models are at most so many items apart.

    The same as :meth:`EqualModels.binomial` at a few gaps: fast for any number of items.

    Parameters
    ----------
    gaps
        Numbers of items, at least 0, shape (g,).
    k, m, n, score, dependence
        See :meth:`EqualModels.binomial`.
    """
    _check(k, m, dependence)
    below = _counts_below(m, n, score, dependence)
    inside = [_within(below, int(gap), k, m) for gap in np.atleast_1d(gaps)]
    return np.clip(inside, 0.0, 1.0)


def normal_range(widths: ArrayLike, k: int, m: int) -> Floats:
    """Probability that the best and the k-th of m standard normal values are at most this apart.

    Given the k-th largest y, the k - 1 above it lie within the width independently (David and
    Nagaraja, Order Statistics, section 2.3): the integral over y of
    m! / ((m - k)! (k - 1)!) phi(y) Phi(y)^(m - k) (Phi(y + w) - Phi(y))^(k - 1).

    Parameters
    ----------
    widths
        At least 0, shape (w,).
    k, m
        Place that is compared with the first, and number of values.
    """
    _check(k, m, 0.0)
    w = np.atleast_1d(np.asarray(widths, float))
    # The k-th largest lies within these limits but for a negligible probability.
    low, high = special.ndtri(special.betaincinv(m - k + 1, k, [NEGLIGIBLE, 1 - NEGLIGIBLE]))
    nodes, weights = np.polynomial.legendre.leggauss(200)
    y = low + (high - low) * (nodes + 1) / 2
    constant = special.gammaln(m + 1) - special.gammaln(m - k + 1) - special.gammaln(k)
    density = constant - y**2 / 2 - np.log(2 * np.pi) / 2 + (m - k) * special.log_ndtr(y)
    mass = (high - low) / 2 * weights * np.exp(density)
    # Upper tails keep their digits where both values are near 1.
    between = special.ndtr(-y) - special.ndtr(-(y + w[:, None]))
    inside: Floats = np.sum(mass * between ** (k - 1), axis=1)
    return np.clip(inside, 0.0, 1.0)


def _counts_below(m: int, n: int, score: float, dependence: float) -> Floats:
    """Cumulative probabilities of a count, the first 0 (below the smallest that m models reach)."""
    if n < 1 or not 0 <= score <= 1:
        raise ValueError(f"n is {n} and the score {score}; allowed: n >= 1, score in [0, 1]")
    live = round(n * (1 - dependence))
    # By Bernstein's inequality counts farther from their mean are less probable still.
    rare = np.log(2 * m / NEGLIGIBLE)
    reach = rare / 3 + np.sqrt(rare**2 / 9 + 2 * rare * live * score * (1 - score))
    low, high = np.clip([live * score - reach, live * score + reach], 0, live)
    counts = np.arange(np.floor(low), np.ceil(high) + 1)
    below = special.bdtr(counts, live, score)
    # Scores that m models reach with no probability to speak of decide nothing.
    reached = (below >= NEGLIGIBLE / m) & (special.bdtrc(counts - 1, live, score) >= NEGLIGIBLE / m)
    first, last = np.flatnonzero(reached)[[0, -1]]
    return np.concatenate([[0.0], below[first : last + 1]])


def _within(below: Floats, width: int, k: int, m: int) -> float:
    """P(best - k-th <= width).

    The k-th largest count is y and the largest at most y + w if all are at most y + w and at least
    k at least y, but not at least k at least y + 1.

    Parameters
    ----------
    below
        See :func:`_counts_below`.
    """
    places = len(below) - 1
    top = np.minimum(np.arange(places) + width + 1, places)
    at_most = below[top]
    some = at_most > 0
    share_from = np.where(some, 1 - below[:-1] / np.where(some, at_most, 1.0), 0.0)
    share_above = np.where(some, 1 - below[1:] / np.where(some, at_most, 1.0), 0.0)
    # At least k of m, each with this probability: a binomial's upper tail.
    enough = special.betainc(k, m - k + 1, np.clip(share_from, 0, 1))
    enough -= special.betainc(k, m - k + 1, np.clip(share_above, 0, 1))
    return float(np.sum(at_most**m * enough))


def _range_of_counts(below: Floats, k: int, m: int) -> Floats:
    """P(best - k-th <= w) for w = 0, 1, ... until it is 1; `below` as of :func:`_counts_below`."""
    cumulative = []
    for width in range(len(below) - 1):
        cumulative.append(_within(below, width, k, m))
        if cumulative[-1] >= 1 - 100 * NEGLIGIBLE:
            break
    # What was left out and rounding are far below what a probability is read to.
    return np.maximum.accumulate([*np.minimum(cumulative[:-1], 1.0), 1.0])


def _check(k: int, m: int, dependence: float) -> None:
    if not 2 <= k <= m:
        raise ValueError(f"k is {k} and m is {m}; allowed: 2 <= k <= m")
    if not 0 <= dependence <= 1:
        raise ValueError(f"the dependence is {dependence}; it lies in [0, 1]")
