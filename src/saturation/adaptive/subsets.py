"""Smaller evaluation sets from a response matrix: re-implementations of published baselines.

Each function selects from the responses of the training respondents only, and is named after the
idea that it re-implements; none of them is the authors' code or their released subset.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy
from scipy.cluster.vq import kmeans2

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import (
    MISSING,
    STANDARD,
    Floats,
    Prior,
    Responses,
    answer_weight,
    information,
    probability,
)
from saturation.statistics.intervals import CONFIDENCE

Indices = npt.NDArray[np.int64]
_MOST_ROUNDS = 50
_GRID_POINTS = 10
# Of items that agree to so many decimals the first is taken: the rest is rounding.
_DECIMALS = 9


@dataclass(frozen=True)
class WeightedSubset:
    """Items and the share of the bank that each stands for."""

    items: Indices
    weights: Floats


def random_subsets(n_items: int, size: int, count: int, random: np.random.Generator) -> Indices:
    """Independent random subsets, one a row, each without repeats and sorted."""
    order = random.random((count, n_items)).argsort(axis=1, kind="stable")
    return np.sort(order[:, :size], axis=1)


def anchor_points(responses: Responses, size: int, random: np.random.Generator) -> WeightedSubset:
    """Medoids of the items under correlation distance of their responses (Vivek et al. 2024).

    Voronoi iteration: with 1 - correlation as the distance a cluster's medoid is the member that
    correlates most with the sum of the members, so no item-by-item matrix is needed.
    """
    standard = _standardised(responses)
    medoids = np.sort(random.choice(standard.shape[1], size=size, replace=False))
    for _ in range(_MOST_ROUNDS):
        nearest = (standard[:, medoids].T @ standard).round(_DECIMALS).argmax(axis=0)
        moved = medoids.copy()
        for cluster in range(size):
            members = np.flatnonzero(nearest == cluster)
            if len(members):
                closeness = standard[:, members].T @ standard[:, members].sum(axis=1)
                moved[cluster] = members[closeness.round(_DECIMALS).argmax()]
        if np.array_equal(moved, medoids):
            break
        medoids = moved
    counts = np.bincount(nearest, minlength=size)
    return WeightedSubset(medoids, counts / counts.sum())


def response_space_clusters(
    discrimination: Floats, difficulty: Floats, size: int, random: np.random.Generator
) -> WeightedSubset:
    """Items nearest to the k-means centres of (slope, intercept) (tinyBenchmarks, Polo 2024).

    Both enter by their inverse hyperbolic sine, a logarithm with a sign: otherwise the few
    steepest items make clusters of their own.
    """
    space = np.arcsinh(np.column_stack([discrimination, -discrimination * difficulty]))
    space = ((space - space.mean(axis=0)) / space.std(axis=0)).round(_DECIMALS)
    with warnings.catch_warnings():
        # Empty clusters give no item.
        warnings.simplefilter("ignore", UserWarning)
        centres, nearest = kmeans2(space, _far_apart(space, size, random), minit="matrix")
    distance = ((space[:, None, :] - centres[None]) ** 2).sum(axis=2)
    filled = np.unique(nearest)
    items = [
        members[distance[members, cluster].round(_DECIMALS).argmin()]
        for cluster in filled
        for members in [np.flatnonzero(nearest == cluster)]
    ]
    counts = np.bincount(nearest, minlength=size)[filled]
    return WeightedSubset(np.array(items), counts / counts.sum())


def _far_apart(points: Floats, count: int, random: np.random.Generator) -> Floats:
    """Centres to start from, each drawn by its squared distance to those before (k-means++).

    SciPy's own draws the same, but measures the distances to all centres anew for each of them.
    """
    centres = points[[random.integers(len(points))]]
    squared = np.full(len(points), np.inf)
    while len(centres) < count:
        squared = np.minimum(squared, np.square(points - centres[-1]).sum(axis=1))
        reached = (squared / squared.sum()).cumsum()
        drawn = points[[reached.searchsorted(random.uniform())]]
        centres = np.concatenate([centres, drawn])
    return centres


def model_based_score(
    responses: Responses,
    subset: WeightedSubset,
    ability: Floats,
    discrimination: Floats,
    difficulty: Floats,
) -> Floats:
    """Predicted accuracy on the whole bank: seen items as seen, the rest by the model (p-IRT)."""
    expected = probability(ability, discrimination, difficulty)
    seen = responses[:, subset.items]
    expected[:, subset.items] = np.where(seen == MISSING, expected[:, subset.items], seen)
    return np.asarray(expected.mean(axis=1))


def information_filter(
    ability: Floats, discrimination: Floats, difficulty: Floats, size: int
) -> Indices:
    """Items that inform most over the training abilities' range (metabench, Kipnis 2025).

    Ten points lie evenly over the range; in turns each takes its most informative item among
    those still free.
    """
    grid = np.linspace(ability.min(), ability.max(), _GRID_POINTS)
    informs = information(grid, discrimination, difficulty).round(_DECIMALS)
    preferred = np.argsort(-informs, axis=1, kind="stable")
    taken: dict[int, None] = {}
    turns = [iter(row) for row in preferred]
    while len(taken) < min(size, len(discrimination)):
        for turn in turns:
            item = next((int(i) for i in turn if int(i) not in taken), None)
            if item is not None and len(taken) < size:
                taken[item] = None
    return np.sort(np.fromiter(taken, dtype=np.int64))


def hard_items(responses: Responses, easy_from: float) -> Indices:
    """Items that less than `easy_from` of the training respondents answer rightly.

    In kind what SMART (Gupta et al. 2024) and MAGI (Paech 2024) do; their other filters need item
    texts.
    """
    seen = (responses != MISSING).sum(axis=0)
    share = (responses == 1).sum(axis=0) / np.maximum(seen, 1)
    return np.flatnonzero(share < easy_from)


def _standardised(responses: Responses) -> Floats:
    """Columns with mean 0 and length 1; missing cells and constant columns are 0."""
    observed = responses != MISSING
    seen = np.maximum(observed.sum(axis=0), 1)
    mean = np.where(observed, responses, 0).sum(axis=0) / seen
    centred = np.where(observed, responses - mean, 0.0)
    length = np.sqrt((centred**2).sum(axis=0))
    return np.asarray(centred / np.where(length > 0, length, 1.0))


class Excess(NamedTuple):
    """By how much errors exceed what is stated.

    Attributes
    ----------
    factor
        What stated errors are multiplied by; at least 1.
    degrees
        Degrees of freedom of its square.
    rms
        Root mean square of the errors, families weighing the same.
    """

    factor: float
    degrees: float
    rms: float

    def reach(self, error: Floats, level: float = CONFIDENCE) -> Floats:
        """Half the width of intervals for a model of a new family."""
        quantile = scipy.special.stdtrit(self.degrees, 0.5 + level / 2)
        return np.asarray(quantile * self.factor * error)

    def least_rms(self, level: float = CONFIDENCE) -> float:
        """Lower end of the interval of the root mean square."""
        return float(
            self.rms * np.sqrt(self.degrees / scipy.special.chdtri(self.degrees, 1 - level))
        )


def excess(missed: Sequence[Floats], stated: Sequence[Floats]) -> Excess:
    """Compare errors made with errors stated.

    Returns
    -------
    Excess
        The square of the factor is the mean, families weighing the same, of the squared errors in
        units of those stated. Its degrees of freedom are Satterthwaite's for normal errors whose
        correlation within a family is estimated by the products of its pairs: with a correlation
        of 1 as many as families, with none as many as models.
    """
    # Where all was asked nothing is stated, and nothing missed.
    scaled = [
        np.divide(one, error, out=np.zeros_like(one), where=error > 0)
        for one, error in zip(missed, stated, strict=True)
    ]
    square = float(np.mean([np.mean(each**2) for each in scaled]))
    pairs = [
        (each.sum() ** 2 - (each**2).sum()) / (len(each) * (len(each) - 1))
        for each in scaled
        if len(each) > 1
    ]
    shared = float(np.clip(np.mean(pairs) / square, 0.0, 1.0)) if pairs and square > 0 else 0.0
    counts = np.array([len(each) for each in scaled])
    variance = (2.0 * (1.0 / counts + (1.0 - 1.0 / counts) * shared**2)).sum() / len(counts) ** 2
    rms = float(np.sqrt(np.mean([np.mean(each**2) for each in missed])))
    return Excess(max(float(np.sqrt(square)), 1.0), float(2.0 / variance), rms)


# Of an ability's variance, what is left to miss where nearly all items were asked.
_LEAST = 0.01


class Items(NamedTuple):
    """Parameters of a whole bank, one value an item, and the floor of all.

    In the order in which :mod:`saturation.adaptive.model` takes them.
    """

    discrimination: Floats
    difficulty: Floats
    floor: float = 0.0

    def part(self, chosen: Indices) -> "Items":
        """Parameters of some items."""
        return Items(self.discrimination[chosen], self.difficulty[chosen], self.floor)

    def ability(self, responses: Responses, prior: Prior = STANDARD) -> tuple[Floats, Floats]:
        """Abilities from answers to all of these items, and their standard errors."""
        return map_ability(responses, self.discrimination, self.difficulty, prior, self.floor)


class Prediction(NamedTuple):
    """What is predicted of each respondent.

    Attributes
    ----------
    ability, ability_se
        From the asked items, and their standard errors if the model holds.
    expected
        Share right of the whole bank: the asked items as answered, the others as expected.
    excess
        Weighted mean of what asked items were answered better than expected, for the part of the
        bank that was not asked.
    error
        Standard errors of `expected` plus `share` times `excess`, if the model holds.
    """

    ability: Floats
    ability_se: Floats
    expected: Floats
    excess: Floats
    error: Floats

    def accuracy(self, share: float) -> Floats:
        """Share right of the whole bank."""
        return np.asarray(np.clip(self.expected + share * self.excess, 0.0, 1.0))


def ability_missed(
    responses: Responses, ability: Floats, ability_se: Floats, items: Items, prior: Prior
) -> tuple[Floats, Floats]:
    """By how much abilities from some items miss those from all, and the standard errors of that.

    Returns
    -------
    tuple
        One value a respondent each. All items hold those asked: what is left to miss has the
        difference of the variances, if the model holds.
    """
    whole, whole_se = items.ability(responses, prior)
    left = np.maximum(ability_se**2 - whole_se**2, _LEAST * ability_se**2)
    return ability - whole, np.sqrt(left)


def predicted(
    cells: Responses,
    asked: WeightedSubset,
    items: Items,
    share: float = 0.0,
    prior: Prior = STANDARD,
) -> Prediction:
    """Predict each respondent's share right.

    Returns
    -------
    Prediction
        Errors are those of a first-order expansion in the answers: asked items move the ability
        and count themselves; items not asked vary about what is expected of them.
    """
    seen = cells != MISSING
    ability, ability_se = items.part(asked.items).ability(cells, prior)
    chance, counts = probability(ability, *items), answer_weight(ability, *items)
    spread = chance * (1.0 - chance)
    size = chance.shape[1]
    residual = np.where(seen, cells - chance[:, asked.items], 0.0)
    weight = np.where(seen, asked.weights, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    left = 1.0 - seen.sum(axis=1, keepdims=True) / size
    weight = left * weight / np.where(total > 0, total, 1.0)
    # What a small step in ability changes, of items not asked and of the excess.
    slope = spread * counts
    unasked = slope.sum(axis=1) - np.where(seen, slope[:, asked.items], 0.0).sum(axis=1)
    lever = unasked / size - share * (weight * slope[:, asked.items]).sum(axis=1)
    moved = (lever * ability_se**2)[:, None] * counts[..., asked.items] + share * weight
    seen_spread = np.where(seen, spread[:, asked.items], 0.0)
    variance = (
        (moved**2 * seen_spread).sum(axis=1)
        + (spread.sum(axis=1) - seen_spread.sum(axis=1)) / size**2
        + (lever * ability_se**2 / prior.sd) ** 2
    )
    return Prediction(
        ability,
        ability_se,
        (chance.sum(axis=1) + residual.sum(axis=1)) / size,
        (weight * residual).sum(axis=1),
        # Of a bank that is asked to its end there is nothing left to miss but rounding.
        np.sqrt(np.where(left[:, 0] > 0, variance, 0.0)),
    )
