"""Power of the test of two models: minimum detectable difference and required items.

Every number of that kind on a card, in a comparison, a gate or a study comes from here. The power
is that of the test that is used, at its level: exact for independent shares (pooled z) and for
shared 0/1 items (McNemar's mid-p, with its least number of discordant items), noncentral t or
normal for errors that are estimated. A worse model errs more, so that the alternative has its own
variance.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special

from saturation.arrays import Floats, Integers
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, POOLED_Z, Z, binomial_at_most
from saturation.statistics.standard_errors import FEWEST_DEGREES

# Counts farther from their mean than so many standard deviations are left out.
REACH = 8.0
# From this variance of a count on, in items, the binomial is taken as normal: power differs by less
# than 0.003.
LARGE = 1000.0
# Most items that are searched: beyond it a difference is out of reach.
MOST_ITEMS = 1e15
# Numbers of the better and of the worse model.
Two = tuple[float, float]
UNKNOWN = (np.nan, np.nan)
# Tolerance of a difference.
PRECISION = 1e-11


@dataclass(frozen=True)
class Contrast:
    """The difference of two models, and what the power of its test depends on.

    Parameters
    ----------
    difference, standard_error
        Of the better model and the worse one, as measured.
    method
        The test, as :class:`saturation.statistics.pairs.Pairs` codes it.
    degrees
        Degrees of freedom of the error; infinite for a normal test.
    items
        Number of items of the better and of the worse model; twice their common number where they
        answered the same items. NaN if unknown.
    scores, errors
        Scores of the two with their own standard errors; None where scores have no range, and a
        worse model's error is that of the measured one.
    wins
        Items that only the better and only the worse model solved, for McNemar's test.
    clusters
        Number of clusters that the common items are in.
    """

    difference: float
    standard_error: float
    method: int = Z
    degrees: float = np.inf
    items: Two = UNKNOWN
    scores: Two | None = None
    errors: Two = UNKNOWN
    wins: Two = UNKNOWN
    clusters: float = np.inf

    def mirrored(self) -> "Contrast":
        """Return both models with right and wrong exchanged, so that the order stays."""
        assert self.scores is not None
        better, worse = self.scores
        return replace(
            self, scores=(1 - worse, 1 - better), errors=self.errors[::-1], items=self.items[::-1]
        )

    def power(self, difference: float, alpha: float, times: float = 1.0) -> float:
        """Return the power at a true difference, with so many times the items.

        The better model keeps its score; from the measured difference on, the worse model loses
        answers at random.
        """
        if self.method == POOLED_Z and self.scores is not None:
            sizes = np.maximum(np.rint(np.multiply(self.items, times)), 1)
            other = min(max(self.scores[0] - difference, 0.0), 1.0)
            return pooled_power((self.scores[0], other), tuple(sizes), alpha)
        if self.method == MCNEMAR and self.scores is not None:
            items = self.items[0]
            lost = difference - self.difference
            losses = self.wins[1] / items - (1 - self.scores[0]) * lost
            losses = min(max(losses, 0.0), (1 - difference) / 2)
            return mcnemar_power((losses + difference, losses), items * times, alpha)
        degrees = (self.degrees + 1) * times - 1
        if not degrees > 0:
            return 0.0
        clustered = self.method == CLUSTERED_T
        if clustered and (degrees < FEWEST_DEGREES or np.exp2(1 - self.clusters * times) > alpha):
            return 0.0  # no test of so few clusters has so small a p-value
        return t_power(difference, self._error(difference) / np.sqrt(times), degrees, alpha)

    def _error(self, difference: float) -> float:
        """Return the error at a true difference: at least the measured error."""
        if self.scores is None:
            return self.standard_error
        better, worse = self.scores
        moved = min(max(better - difference, 0.0), 1.0)
        own = self.errors[1] ** 2
        if 0 < worse < 1:
            grown = own * (moved * (1 - moved) / (worse * (1 - worse)) - 1)
        else:
            grown = moved * (1 - moved) / self.items[1] if self.items[1] > 0 else 0.0
        return float(np.sqrt(self.standard_error**2 + max(np.nan_to_num(grown), 0.0)))


def detectable_difference(contrast: Contrast, alpha: float, power: float) -> float:
    """Return the smallest true difference that the test finds with the power; infinite if none.

    It is measured from the better model's score downwards, or, where the scores leave no room for
    it, from the worse model's upwards.
    """
    found = _smallest_difference(contrast, alpha, power)
    if np.isinf(found) and contrast.scores is not None:
        return _smallest_difference(contrast.mirrored(), alpha, power)
    return found


def items_needed(contrast: Contrast, alpha: float, power: float) -> float:
    """Return the number of items at which the measured difference is found with the power.

    Infinite for equal scores. A number of items of the better model; of an unknown number, how many
    times as many as there are.
    """
    gap = contrast.difference
    if not gap > 0:
        return np.inf
    present = contrast.items[0] if contrast.items[0] > 0 else 1.0

    def enough(items: float) -> bool:
        return contrast.power(gap, alpha, items / present) >= power

    high = 1.0
    while not enough(high):
        high *= 2
        if high > MOST_ITEMS:
            return np.inf
    low = high / 2
    # To one item, of many to six digits.
    while high - low > max(1.0, high * 1e-6):
        middle = np.floor((low + high) / 2)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def pooled_power(shares: Two, sizes: Two, alpha: float) -> float:
    """Return the power of the pooled z test of two independent shares, the higher share first."""
    (p, q), (n, m) = shares, sizes
    z = -special.ndtri(alpha / 2)
    if min(n * p * (1 - p), m * q * (1 - q)) > LARGE:
        mean = (p * n + q * m) / (n + m)
        null = np.sqrt(mean * (1 - mean) * (1 / n + 1 / m))
        own = np.sqrt(p * (1 - p) / n + q * (1 - q) / m)
        return float(special.ndtr((p - q - z * null) / own))
    better = _likely_counts(n, p)
    a = better / n
    # The share b of the worse model at which the test just rejects, as z^2 times the pooled
    # variance equals (a - b)^2: the smaller root of a quadratic equation in b.
    scale = z**2 * (1 / n + 1 / m)
    u, v = n / (n + m), m / (n + m)
    square, linear, rest = 1 + scale * v**2, -2 * a - scale * v * (1 - 2 * u * a), a**2
    rest = rest - scale * u * a * (1 - u * a)
    root = np.maximum(linear**2 - 4 * square * rest, 0.0)
    critical = np.floor(m * (-linear - np.sqrt(root)) / (2 * square) + 1e-9)
    found = binomial_at_most(critical, int(m), q)
    # A whole number of items equal to the better model's is no difference.
    found = np.where(critical / m < a, found, 0.0)
    return float(_binomial(better, n, p) @ found)


def mcnemar_power(rates: Two, items: float, alpha: float) -> float:
    """Return the power of McNemar's mid-p test at the rates of items that a single model solves."""
    total = sum(rates)
    if not 0 < total <= 1:
        return 0.0
    share, n = rates[1] / total, np.rint(items)
    if n * total > LARGE:
        own = np.sqrt((total - (rates[0] - rates[1]) ** 2) / n)
        z = -special.ndtri(alpha / 2)
        return float(special.ndtr((rates[0] - rates[1] - z * np.sqrt(total / n)) / own))
    discordant = _likely_counts(n, total).astype(np.int64)
    size = int(2 ** np.ceil(np.log2(discordant[-1] + 2)))
    critical = _most_losses(size, alpha)[discordant]
    found = binomial_at_most(critical, discordant, share)
    return float(_binomial(discordant, n, total) @ found)


def t_power(difference: float, error: float, degrees: float, alpha: float) -> float:
    """Return the power of a two-sided t test, by the noncentral t distribution."""
    if not error > 0:
        return float(difference > 0)
    shift = difference / error
    if degrees > 1e5:
        return float(special.ndtr(shift + special.ndtri(alpha / 2)))
    reach = -special.stdtrit(degrees, alpha / 2)
    missed = special.nctdtr(degrees, shift, reach)
    if not np.isfinite(missed):  # beyond what the noncentral t is computed for
        missed = special.stdtr(degrees, reach - shift)
    return float(1 - missed)


def _smallest_difference(contrast: Contrast, alpha: float, power: float) -> float:
    def missing(difference: float) -> float:
        return contrast.power(difference, alpha) - power

    if contrast.scores is not None:
        high = contrast.scores[0]
        if not high > PRECISION or missing(high) < 0:
            return np.inf
    else:
        high = contrast.standard_error
        if not (contrast.degrees > 0 and 0 < high < np.inf):
            return np.inf
        while missing(high) < 0:
            high *= 2
            if high > MOST_ITEMS * contrast.standard_error:
                return np.inf
    return float(scipy.optimize.brentq(missing, 0.0, high, xtol=PRECISION))


def _likely_counts(n: float, share: float) -> Floats:
    """Return the counts of a binomial that have a probability to speak of."""
    reach = REACH * np.sqrt(n * share * (1 - share)) + REACH
    return np.arange(max(np.floor(n * share - reach), 0), min(np.ceil(n * share + reach), n) + 1)


def _binomial(counts: NDArray[Any], n: float, share: float) -> Floats:
    """Return a binomial's probabilities as differences of its distribution (stats loads long)."""
    up_to, below = (binomial_at_most(reached, int(n), share) for reached in (counts, counts - 1))
    return up_to - below


@lru_cache(maxsize=64)
def _most_losses(size: int, alpha: float) -> Integers:
    """Return the most losses among 0, 1, ... discordant items with a significant mid-p, or -1."""
    discordant = np.arange(size)
    low, high = np.full(size, -1), discordant // 2 + 1
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, 0)
        below = binomial_at_most(middle - 1, discordant, 0.5)
        found = special.bdtr(middle, discordant, 0.5) + below <= alpha
        inside = high - low > 1
        low = np.where(inside & found, middle, low)
        high = np.where(inside & ~found, middle, high)
    return low
