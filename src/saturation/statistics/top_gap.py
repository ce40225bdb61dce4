"""The gap between the best and the k-th of m models that are all equal.

The best and the k-th of a leaderboard are chosen after their scores are known, so their gap is not
that of two models chosen in advance: it grows with m although nobody is better. This is its
distribution when all m models have the same true score, the null against which an observed gap is
read.

Models that answer the same items share how hard the items are. Given the items, scores of equal
models are independent, and only the rest of the variance lets them differ: with the correlation r
between two models' answers to an item, a share 1 - r of the binomial variance. Gaps of models that
agree item by item are therefore small.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from saturation.arrays import Floats, Integers

# Probability that is left out at each end of the scores, and where the gap's distribution ends.
NEGLIGIBLE = 1e-12
# Points of the normal version: a standard error is cut into so many steps.
STEPS = 400
# Widths in items that are worked on together, and the least probability.
WIDTHS, NONE = 64, 1e-300


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
        """Exact for models that solve each of n items with equal probability.

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
        cumulative = Counts.of_models(m, n, score, dependence).cumulative(k, [m])[:, 0]
        return cls(np.arange(len(cumulative)) / n, cumulative)

    @classmethod
    def normal(
        cls, k: int, m: int, standard_error: float, dependence: float = 0.0
    ) -> "EqualModels":
        """For scores that are normal around the common truth."""
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
        place = np.searchsorted(self.gaps, np.asarray(gap, float) * (1 - 1e-9) - 1e-12)
        before = np.concatenate([[0.0], self.cumulative, [1.0]])
        return 1 - before[np.minimum(place, len(self.gaps))]

    def mean(self) -> float:
        """Compute the expected gap."""
        return float(self.gaps[0] + np.sum(np.diff(self.gaps) * (1 - self.cumulative[:-1])))


@dataclass(frozen=True)
class Counts:
    """Distribution of the number of solved items of equal models, as far as their gaps need.

    Parameters
    ----------
    above
        Probability of more than y items: 1 below the fewest that count, 0 at the most.
    """

    above: Floats

    @classmethod
    def of_models(cls, m: int, n: int, score: float, dependence: float = 0.0) -> "Counts":
        """Return the counts that at most m models reach with a non-negligible probability."""
        if n < 1 or not 0 <= score <= 1:
            raise ValueError(f"n is {n} and the score {score}; allowed: n >= 1, score in [0, 1]")
        live = round(n * (1 - dependence))
        # By Bernstein's inequality counts farther from their mean are less probable still.
        rare = np.log(2 * m / NEGLIGIBLE)
        reach = rare / 3 + np.sqrt(rare**2 / 9 + 2 * rare * live * score * (1 - score))
        low, high = np.clip([live * score - reach, live * score + reach], 0, live)
        counts = np.arange(np.floor(low), np.ceil(high) + 1)
        few, many = np.split(counts, [np.searchsorted(counts, live * score)])
        # Each tail by itself: what is left of 1 would have no digits.
        up_to, above = special.bdtr(few, live, score), special.bdtrc(many, live, score)
        # Counts that m models reach with no probability to speak of are those at the end.
        first = np.searchsorted(up_to, NEGLIGIBLE / m)
        last = np.searchsorted(-above, -NEGLIGIBLE / m, side="right")
        return cls(np.concatenate([[1.0], 1 - up_to[first:], above[:last], [0.0]]))

    def within(self, widths: ArrayLike, k: int, models: ArrayLike) -> Floats:
        """Probability that the best and the k-th are at most so many items apart.

        The k-th largest count is y and the largest at most y + w if fewer than k lie above y and
        all of these up to y + w, but the same does not hold of y - 1 and y + w. Of j models above
        y each is up to y + w with the same probability, and j is binomial.
        Takes numbers of items and of models, and gives shape (widths, models).
        """
        return self._within(np.asarray(widths), _few_above(self._some, k, models))

    @property
    def _some(self) -> Floats:
        """The probabilities without 0, to divide by."""
        return np.maximum(self.above, NONE)

    def _within(self, widths: Integers, chances: Floats) -> Floats:
        """:meth:`within`, with the chances of few models above each count."""
        places = len(self.above) - 1
        width, some = widths[:, None], self._some
        # Beyond the most there is nothing, whatever the width.
        beyond = self.above[np.minimum(np.arange(1, places + 1) + width, places)]
        share, share_before = 1 - beyond / some[1:], 1 - beyond / some[:-1]
        inside = np.zeros((len(width), chances.shape[2]))
        power, power_before = np.ones_like(share), np.ones_like(share)
        for chance in chances:
            inside += power @ chance[1:] - power_before @ chance[:-1]
            power *= share
            power_before *= share_before
        return np.clip(inside, 0.0, 1.0)

    def cumulative(self, k: int, models: ArrayLike) -> Floats:
        """:meth:`within` for widths 0, 1, ... until the chance is 1 for every number of models."""
        chances = _few_above(self._some, k, models)
        parts = []
        for start in range(0, len(self.above) - 1, WIDTHS):
            parts.append(self._within(np.arange(start, start + WIDTHS), chances))
            if (parts[-1][-1] >= 1 - 100 * NEGLIGIBLE).all():
                break
        # What was left out and rounding are far below what a probability is read to.
        inside = np.maximum.accumulate(np.concatenate(parts))
        inside[inside >= 1 - 100 * NEGLIGIBLE] = 1.0
        inside[-1] = 1.0
        return inside[: np.argmax((inside == 1).all(axis=1)) + 1]


def _few_above(above: Floats, k: int, numbers: ArrayLike) -> Floats:
    """Probability of 0, 1, ... k - 1 of so many models above each count: shape (k, counts, m)."""
    number, models = np.arange(k)[:, None, None], np.asarray(numbers, float)
    ways = special.gammaln(models + 1) - special.gammaln(number + 1)
    ways = ways - special.gammaln(models - number + 1)
    with np.errstate(divide="ignore"):
        not_above = np.log1p(-above)[:, None]
    chances: Floats = np.exp(ways + number * np.log(above)[:, None] + (models - number) * not_above)
    return chances


def normal_range(widths: ArrayLike, k: int, m: int) -> Floats:
    """Probability that the best and the k-th of m standard normal values are at most this apart.

    Given the k-th largest y, the k - 1 above it lie within the width independently (David and
    Nagaraja, Order Statistics, section 2.3): the integral over y of
    m! / ((m - k)! (k - 1)!) phi(y) Phi(y)^(m - k) (Phi(y + w) - Phi(y))^(k - 1).
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


def _check(k: int, m: int, dependence: float) -> None:
    if not 2 <= k <= m:
        raise ValueError(f"k is {k} and m is {m}; allowed: 2 <= k <= m")
    if not 0 <= dependence <= 1:
        raise ValueError(f"the dependence is {dependence}; it lies in [0, 1]")
