"""How probable it is that two models of a leaderboard are close, given the scores of all.

The best and the k-th of a board are picked by their scores, and so by their luck. What they truly
scored lies nearer to the rest of the board than what was measured, and how much nearer depends on
the law that the true scores of the board follow. That law is not known: about two thousand laws,
of seven families, are weighed by how well they explain all scores of the board (their marginal
likelihood times a stated prior), and under each the true scores of the two are what Bayes' rule
makes of them. Given the law, the posterior does not depend on how the two were picked.

The laws are placed by the board itself (its quantiles and its typical error), which is empirical
Bayes. How the true scores of the best lie is something that twenty or fifty measured ones tell only
in part: the answer leans on the prior weights of the families, and :class:`Closeness` says how far.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]
Ints = NDArray[np.int_]

# Prior weight of each family of laws, equal within a family. Set on 12,000 boards each of 20 and of
# 50 models, of twenty laws of true scores: near the best logarithmic score of both together, and so
# that both are off about as little. `validation/index.py` tries it on other boards of these
# laws, `validation/fresh.py` on other laws and on boards drawn from real responses.
PRIOR = {
    "all_equal": 0.04,
    "normal": 0.12,
    "two_clusters": 0.27,
    "heavy_tails": 0.18,
    "uniform": 0.05,
    "most_at_the_top": 0.26,
    "most_at_the_bottom": 0.08,
}
# Of fewer models a range also holds the answer in which the rest of the board says nothing.
FLAT_BELOW = 20
# How much the prior odds of a family are moved to either side to see what rests on them.
ODDS = 100.0

# Widths of laws in typical errors, shares of the upper of two parts, and where parts may lie.
_WIDTHS = (0.1, 0.35, 0.8, 1.6, 3.2, 6.4)
_DECAYS = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
_SHARES = (0.15, 0.35, 0.65)
_PLACES = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95)
# The grid of true scores: over all models, and finely around the two, so many errors far.
_CELLS, _FINE_CELLS, _REACH = 200, 120, 6.0
# Models whose scores are held against all laws at a time: a hundred thousand would take gigabytes.
BLOCK = 512
# Widths of normal laws where only the best scores are known, in errors, and rounds of the fit.
_RATIOS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_ROUNDS = 200


@dataclass(frozen=True)
class Closeness:
    """Probability that two true scores are close, and how it depends on the prior.

    Parameters
    ----------
    lowest, highest
        Over priors in which the odds of one family are a hundred times higher or lower and, below
        `FLAT_BELOW` models, the flat prior, under which the board tells nothing of the two.
    """

    probability: float
    lowest: float
    highest: float

    def with_range_of(self, other: "Closeness") -> "Closeness":
        """The same probability, over the other's range too."""
        return replace(
            self,
            lowest=min(self.lowest, other.lowest),
            highest=max(self.highest, other.highest),
        )


@dataclass(frozen=True)
class ClosenessAtTop:
    """Of many boards, the probability that two true scores are close: arrays of shape (boards,).

    If all boards had one of the numbers of models, it would be between the lowest and the highest.
    """

    probability: Floats
    lowest: Floats
    highest: Floats


@dataclass(frozen=True)
class _Laws:
    """Laws of true scores on the cells of a grid: each one part, or a mixture of two.

    Probability of each cell by part, shape (parts, cells); upper and lower part of each law, the
    weight of the upper, and the place of the law's family in `PRIOR`, shape (laws,).
    """

    parts: Floats
    upper: Ints
    lower: Ints
    share: Floats
    family: Ints

    def mixed(self, of_parts: Floats) -> Floats:
        """What the laws make of values of their parts, along the first axis."""
        share = self.share.reshape(-1, *[1] * (of_parts.ndim - 1))
        mixture: Floats = share * of_parts[self.upper] + (1 - share) * of_parts[self.lower]
        return mixture

    def mixed_twice(self, of_pairs: Floats) -> Floats:
        """What the laws make of values of pairs of their parts: one part for each of two models."""
        up, low, share = self.upper, self.lower, self.share
        mixture: Floats = share**2 * of_pairs[up, up] + (1 - share) ** 2 * of_pairs[low, low]
        mixture += share * (1 - share) * (of_pairs[up, low] + of_pairs[low, up])
        return mixture


def close(scores: ArrayLike, errors: ArrayLike, first: int, other: int, width: float) -> Closeness:
    """Probability that the true scores of two models are at most this far apart.

    Parameters
    ----------
    scores
        Scores of all models of the board, shape (m,), at least two; any unit.
    errors
        Standard error of each, above 0, independent between models: an error that all models
        share belongs to none of them.
    first, other
        Places of the two models.
    width
        At least 0, in the unit of the scores.

    Raises
    ------
    ValueError
        If there are fewer than two models, or an error is not above 0.
    """
    x, e = np.asarray(scores, float), np.asarray(errors, float)
    if len(x) < 2 or not (e > 0).all():
        raise ValueError(f"{len(x)} models, smallest error {e.min(initial=np.inf):g}; needed: two "
                         "models, errors above 0")  # fmt: skip
    edges = _edges(x, e, (first, other))
    laws = _laws(x, float(np.median(e)), edges)
    likelihood = _averaged(edges, x, e)
    logarithms = _evidence(laws, likelihood)
    weight = np.exp(logarithms - logarithms.max())
    probability = _by_law(laws, likelihood, edges, (first, other), width)
    names = range(1, len(PRIOR))
    by_family = [_family(laws.family == name, logarithms, weight, probability) for name in names]
    evidence, within = np.array([(_all_equal(x, e), 1.0), *by_family]).T
    found, low, high = _over_priors(evidence, within)
    if len(x) < FLAT_BELOW:
        gap, error = abs(x[first] - x[other]), np.hypot(e[first], e[other])
        flat = float(special.ndtr((width - gap) / error) - special.ndtr((-width - gap) / error))
        low, high = min(low, flat), max(high, flat)
    return Closeness(found, low, high)


def _evidence(laws: _Laws, likelihood: Floats) -> Floats:
    """Logarithm of each law's likelihood: summed over models, a block of them at a time."""
    blocks = (likelihood[start : start + BLOCK] for start in range(0, len(likelihood), BLOCK))
    with np.errstate(divide="ignore"):
        summed = [np.log(laws.mixed(laws.parts @ block.T)).sum(axis=1) for block in blocks]
    logarithms: Floats = np.sum(summed, axis=0)
    return logarithms


def close_at_the_top(
    scores: ArrayLike, errors: ArrayLike, widths: ArrayLike, numbers: Sequence[int]
) -> ClosenessAtTop:
    """Probability, on many boards, that the true first and k-th score are close, and its range.

    For boards of which only the k best scores are known, each of one of several numbers of models.
    The true scores of a board are taken to be normal around a place that may lie anywhere; how wide
    they are, in errors of one score, and of how many models the listed ones are the best, differs
    between boards, and how often each width goes with each number is estimated from all boards
    (empirical Bayes over a grid, each width counted once beforehand). The models that are not
    listed scored at most as much as the k-th.

    Parameters
    ----------
    scores
        Best first, shape (boards, k).
    errors
        Their standard errors, above 0, independent, same shape.
    widths
        Distance that is close, shape (boards,).
    numbers
        How many models a board may have, each at least k.

    Raises
    ------
    ValueError
        If there are fewer models than scores.
    """
    x, e, width = (np.asarray(values, float) for values in (scores, errors, widths))
    if min(numbers) < x.shape[1]:
        raise ValueError(f"m is {min(numbers)}, but {x.shape[1]} scores are known")
    typical = np.sqrt(np.mean(e**2, axis=1))
    evidence = np.stack([_top_evidence(x, e, ratio * typical, numbers) for ratio in _RATIOS], 1)
    within = _within_at_top(x, e, width)
    known = [evidence, *(evidence[[m]] for m in range(len(numbers)))]
    # Sums of shares may miss 1 by a rounding.
    either = np.clip([np.sum(_widths_of_boards(of) * within, axis=0) for of in known], 0.0, 1.0)
    return ClosenessAtTop(either[0], either.min(axis=0), either.max(axis=0))


def _widths_of_boards(evidence: Floats) -> Floats:
    """Probability of each width on each board, from all boards: shape (widths, boards)."""
    numbers, widths, boards = evidence.shape
    likelihood = np.exp(evidence - evidence.max(axis=(0, 1)))
    share = np.full((numbers, widths, 1), 1 / (numbers * widths))
    for _ in range(_ROUNDS):
        posterior = likelihood * share
        posterior /= posterior.sum(axis=(0, 1))
        counted = 1 / numbers + posterior.sum(axis=2, keepdims=True)
        share = counted / (widths + boards)
    found: Floats = posterior.sum(axis=0)
    return found


def _within_at_top(x: Floats, e: Floats, width: Floats) -> Floats:
    """Probability that first and k-th are close, given the law's width: (widths, boards)."""
    # What is left of a measured gap, and of its variance, once both scores are drawn to the rest.
    kept = np.array(_RATIOS)[:, None] ** 2 / (1 + np.array(_RATIOS)[:, None] ** 2)
    gap, spread = kept * (x[:, 0] - x[:, -1]), np.sqrt(kept) * np.hypot(e[:, 0], e[:, -1])
    known = spread == 0
    spread = np.where(known, 1.0, spread)
    within = special.ndtr((width - gap) / spread) - special.ndtr((-width - gap) / spread)
    return np.where(known, 1.0, within)


def _top_evidence(x: Floats, e: Floats, width: Floats, numbers: Sequence[int]) -> Floats:
    """Logarithm of the likelihood of the k best of m, over all places of a normal law.

    Of each number m of models and each board: shape (numbers, boards).
    """
    spread = np.sqrt(width[:, None] ** 2 + e**2)
    rest = spread.mean(axis=1)
    # The law's middle lies at most so far from the k-th score, in its own spreads.
    steps = np.linspace(-7, 4, 221)
    middle = x[:, -1, None] + rest[:, None] * steps
    listed = -(((x[:, :, None] - middle[:, None]) / spread[:, :, None]) ** 2) / 2
    listed = listed.sum(axis=1) - np.log(spread).sum(axis=1)[:, None]
    below = special.log_ndtr(-(middle - x[:, -1, None]) / rest[:, None])
    evidence = []
    for m in numbers:
        others = (m - x.shape[1]) * below
        # Any of the m may be the listed ones, in their order.
        orders = special.gammaln(m + 1) - special.gammaln(m - x.shape[1] + 1)
        evidence.append(special.logsumexp(listed + others, axis=1) + np.log(rest) + orders)
    return np.array(evidence)


def _edges(x: Floats, e: Floats, pair: tuple[int, int]) -> Floats:
    """Borders of the grid's cells."""
    whole = np.linspace((x - 4 * e).min(), (x + 4 * e).max(), _CELLS + 1)
    fine = [np.linspace(x[i] - _REACH * e[i], x[i] + _REACH * e[i], _FINE_CELLS + 1) for i in pair]
    edges = np.unique(np.concatenate([whole, *fine]))
    # Edges that differ by rounding alone would leave cells without a width.
    return np.asarray(edges[np.diff(edges, prepend=-np.inf) > 1e-9 * np.min(e)])


def _averaged(edges: Floats, x: Floats, e: Floats) -> Floats:
    """Mean over each cell of the density of each score, in units of its error: (models, cells)."""
    return _cells_of_normal(edges, x, e) * e[:, None] / np.diff(edges)


def _cells_of_normal(edges: Floats, centres: Floats, widths: Floats) -> Floats:
    return np.diff(special.ndtr((edges - centres[:, None]) / widths[:, None]), axis=1)


def _laws(x: Floats, error: float, edges: Floats) -> _Laws:
    """All laws but that of equal models, in the order of `PRIOR`'s families."""
    widths, middle = error * np.array(_WIDTHS), float(np.median(x))
    count = len(widths)
    placed = _cells_of_normal(
        edges, np.repeat(np.quantile(x, _PLACES), count), np.tile(widths, len(_PLACES))
    )
    central = _cells_of_normal(edges, np.repeat([middle, x.mean()], count), np.tile(widths, 2))
    singles = [central, *_bounded_laws(x, error, edges)]
    parts = np.concatenate([placed, *singles])
    grid = np.arange(len(placed)).reshape(len(_PLACES), count)
    clusters = [
        (upper, lower)
        for high, low in itertools.combinations(range(len(_PLACES) - 1, -1, -1), 2)
        for upper, lower in itertools.product(grid[high], grid[low])
    ]
    # Both parts at the median, which is the first half of the central laws.
    tails = [
        (len(placed) + wide, len(placed) + narrow)
        for narrow, wide in itertools.combinations(range(count), 2)
    ]
    alone = np.arange(len(placed), len(parts))
    mixtures = np.repeat(np.array([*clusters, *tails]), len(_SHARES), axis=0)
    shares = np.tile(_SHARES, len(clusters) + len(tails))
    family_of_single = np.repeat([1, 4, 5, 6], [len(laws) for laws in singles])
    family_of_mixture = np.repeat([2, 3], [len(clusters) * len(_SHARES), len(tails) * len(_SHARES)])
    return _Laws(
        parts,
        np.concatenate([alone, mixtures[:, 0]]),
        np.concatenate([alone, mixtures[:, 1]]),
        np.concatenate([np.ones(len(alone)), shares]),
        np.concatenate([family_of_single, family_of_mixture]),
    )


def _bounded_laws(x: Floats, error: float, edges: Floats) -> tuple[Floats, Floats, Floats]:
    """Uniform laws, laws that fall off from a best score, and laws that fall off from a worst."""
    # The best true score is below the best measured one, and the worst above: ends lie inside too.
    tops = np.concatenate(
        [np.quantile(x, [0.8, 0.9, 1.0]), x.max() - error * np.array([0.5, 1, 2, 3])]
    )
    bottoms = np.concatenate([np.quantile(x, [0.0, 0.1, 0.25]), x.min() + error * np.array([1, 2])])
    low, high = (ends.reshape(-1, 1) for ends in np.meshgrid(bottoms, tops))
    wide = (high - low).ravel() > 0.3 * error
    # Models that are all alike leave one uniform law, an error to both sides.
    low = low[wide] if wide.any() else np.array([[x.min() - error]])
    high = high[wide] if wide.any() else np.array([[x.max() + error]])
    decays = error * np.array(_DECAYS)
    from_top, decay = (values.reshape(-1, 1) for values in np.meshgrid(tops, decays))
    down = np.exp(np.minimum((edges - from_top) / decay, 0))
    from_bottom, decay = (values.reshape(-1, 1) for values in np.meshgrid(bottoms, decays))
    up = -np.exp(-np.maximum((edges - from_bottom) / decay, 0))
    uniform = np.clip((edges - low) / (high - low), 0, 1)
    return np.diff(uniform, axis=1), np.diff(down, axis=1), np.diff(up, axis=1)


def _by_law(
    laws: _Laws, likelihood: Floats, edges: Floats, pair: tuple[int, int], width: float
) -> Floats:
    """Probability under each law that the two are close."""
    near = [likelihood[i] > np.exp(-(_REACH**2)) for i in pair]
    middle, size = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    apart = np.abs(middle[near[0], None] - middle[near[1]])
    # Two values spread over their cells: the share of such pairs that are within the width.
    share = np.clip((width - apart) / (size[near[0], None] + size[near[1]]) + 0.5, 0, 1)
    one, two = (laws.parts[:, cells] * likelihood[i, cells] for i, cells in zip(pair, near))
    within = laws.mixed_twice(one @ share @ two.T)
    total = laws.mixed(one.sum(axis=1)) * laws.mixed(two.sum(axis=1))
    # A law that leaves no true score near a measured one explains nothing of it.
    probability: Floats = np.divide(within, total, out=np.zeros_like(total), where=total > 0)
    return probability


def _family(
    members: NDArray[np.bool_], logarithms: Floats, weight: Floats, probability: Floats
) -> tuple[float, float]:
    """Logarithm of a family's evidence, and the probability if it is the whole prior."""
    evidence = float(special.logsumexp(logarithms[members]) - np.log(members.sum()))
    total = weight[members].sum()
    return evidence, float(weight[members] @ probability[members] / total) if total else 0.0


def _all_equal(x: Floats, e: Floats) -> float:
    """Logarithm of the evidence for one true score of all, at its best place."""
    # Relative to the largest weight: the smallest errors' own would overflow.
    common = np.average(x, weights=(e.min() / e) ** 2)
    return float(np.sum(-(((x - common) / e) ** 2) / 2 - np.log(2 * np.pi) / 2))


def _over_priors(evidence: Floats, within: Floats) -> tuple[float, float, float]:
    """The probability, and its lowest and highest over priors near `PRIOR`."""
    prior = np.array(list(PRIOR.values()))
    moved = [prior * np.where(np.arange(len(prior)) == name, factor, 1.0)
             for name in range(len(prior)) for factor in (1 / ODDS, ODDS)]  # fmt: skip
    weights = np.array([prior, *moved]) * np.exp(evidence - evidence.max())
    found = np.clip(weights @ within / weights.sum(axis=1), 0.0, 1.0)
    return float(found[0]), float(found.min()), float(found.max())
