"""Smaller evaluation sets from a response matrix: re-implementations of published baselines.

Each function selects from the responses of the training respondents only, and is named after the
idea that it re-implements; none of them is the authors' code or their released subset.
"""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.cluster.vq import kmeans2

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import Fit
from saturation.adaptive.model import (
    MISSING,
    STANDARD,
    Prior,
    Responses,
    accuracy,
    averaged,
    information,
    probability,
)
from saturation.arrays import Floats, Integers

_MOST_ROUNDS = 50
_GRID_POINTS = 10
# Of items that agree to so many decimals the first is taken: the rest is rounding.
_DECIMALS = 9


@dataclass(frozen=True)
class WeightedSubset:
    """Items and the share of the bank that each stands for."""

    items: Integers
    weights: Floats
    # Share of the bank that all known models answered rightly: it needs no asking.
    right: float = 0.0


def random_subsets(n_items: int, size: int, count: int, random: Generator) -> Integers:
    """Draw independent random subsets, a sorted row each, without repeats."""
    order = random.random((count, n_items)).argsort(axis=1, kind="stable")
    return np.sort(order[:, :size], axis=1)


def anchor_points(responses: Responses, size: int, random: Generator) -> WeightedSubset:
    """Medoids of the items under correlation distance of their responses (Vivek et al. 2024).

    Voronoi iteration: with 1 - correlation as the distance a cluster's medoid is the member that
    correlates most with the sum of the members, so no item-by-item matrix is needed. Items that
    all respondents answered alike correlate with none: they are taken as known and not asked.
    """
    standard = _standardised(responses)
    varies = np.flatnonzero(standard.any(axis=0))
    alike = ~standard.any(axis=0) & (responses == 1).any(axis=0)
    standard, size = standard[:, varies], min(size, len(varies))
    medoids = np.sort(random.choice(len(varies), size=size, replace=False))
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
    return WeightedSubset(varies[medoids], counts / len(alike), alike.mean())


def response_space_clusters(
    discrimination: Floats, difficulty: Floats, size: int, random: Generator
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
    counts = np.bincount(nearest)[filled]
    return WeightedSubset(np.array(items), counts / counts.sum())


def _far_apart(points: Floats, count: int, random: Generator) -> Floats:
    """Centres to start from, each drawn by its squared distance to those before (k-means++).

    SciPy's own draws the same, but measures the distances to all centres anew for each of them.
    """
    centres = points[[random.integers(len(points))]]
    squared = np.full(len(points), np.inf)
    while len(centres) < count:
        squared = np.minimum(squared, np.square(points - centres[-1]).sum(axis=1))
        if not squared.any():
            break  # Few models leave fewer different items than centres.
        reached = (squared / squared.sum()).cumsum()
        point = points[[reached.searchsorted(random.uniform())]]
        centres = np.concatenate([centres, point])
    return centres


def information_filter(
    ability: Floats, discrimination: Floats, difficulty: Floats, size: int
) -> Integers:
    """Items that inform most over the training abilities' range (metabench, Kipnis 2025).

    Ten points lie evenly over the range; in turns each takes its most informative item among
    those still free.
    """
    grid = np.linspace(ability.min(), ability.max(), _GRID_POINTS)
    informs = information(grid, discrimination, difficulty).round(_DECIMALS)
    preferred = np.argsort(-informs, axis=1, kind="stable")
    selection: dict[int, None] = {}
    turns = [iter(row) for row in preferred]
    while len(selection) < min(size, len(discrimination)):
        for turn in turns:
            item = next((int(i) for i in turn if int(i) not in selection), None)
            if item is not None and len(selection) < size:
                selection[item] = None
    return np.sort(np.fromiter(selection, np.int64))


def disagreement(responses: Responses, size: int) -> Integers:
    """Items on which the training respondents disagree most (DISCO, Rubinstein 2025).

    Of items alike the first.
    """
    right = accuracy(responses.T)
    return np.sort(np.argsort(-right * (1.0 - right), kind="stable")[:size])


def ridge(known: Responses, value: Floats, new: Responses, penalty: float) -> Floats:
    """Values of new respondents by a ridge regression on answers; what is missing is a half."""
    cells = [np.where(table == MISSING, 0.5, table) for table in (known, new)]
    middle = cells[0].mean(axis=0)
    first, second = (table - middle for table in cells)
    gram = first @ first.T + penalty * len(first) * np.eye(len(first))
    away = np.linalg.solve(gram, value - value.mean())
    return np.asarray(np.clip(value.mean() + second @ (first.T @ away), 0.0, 1.0))


def _standardised(responses: Responses) -> Floats:
    """Columns with mean 0 and length 1; missing cells and constant columns are 0."""
    observed = responses != MISSING
    seen = np.maximum(observed.sum(axis=0), 1)
    mean = np.where(observed, responses, 0).sum(axis=0) / seen
    centred = np.where(observed, responses - mean, 0.0)
    length = np.sqrt((centred**2).sum(axis=0))
    return centred / np.where(length > 0, length, 1.0)


class Items(NamedTuple):
    """Parameters of a whole bank, a value for each item, and the floor of all.

    The first three stand in the order in which :mod:`saturation.adaptive.model` takes them; the
    covariance (items by 2 by 2) is that of log discrimination and difficulty, if it is known.
    """

    discrimination: Floats
    difficulty: Floats
    floor: float = 0.0
    covariance: Floats | None = None

    @classmethod
    def extract(cls, fitted: Fit) -> "Items":
        """Those of a fit."""
        return cls(fitted.discrimination, fitted.difficulty, fitted.floor, fitted.covariance)

    @property
    def curve(self) -> tuple[Floats, Floats, float]:
        """Discrimination, difficulty and floor."""
        return self[:3]

    def part(self, chosen: Integers) -> "Items":
        """Parameters of some items."""
        covariance = None if self.covariance is None else self.covariance[chosen]
        return Items(self.discrimination[chosen], self.difficulty[chosen], self.floor, covariance)

    def linked(self, slope: float, intercept: float) -> "Items":
        """Rescale the items to abilities of slope times the present ability plus intercept."""
        stretch = np.array([1.0, slope])
        covariance = (
            None if self.covariance is None else self.covariance * np.outer(stretch, stretch)
        )
        difficulty = slope * self.difficulty + intercept
        return Items(self.discrimination / slope, difficulty, self.floor, covariance)

    def chance(self, ability: Floats) -> Floats:
        """Probability of a right answer, averaged over what is not known of the items."""
        if self.covariance is None:
            return probability(ability, *self.curve)
        return averaged(ability, *self.curve, self.covariance)

    def ability(self, responses: Responses, prior: Prior = STANDARD) -> tuple[Floats, Floats]:
        """Abilities from answers to all of these items, and their standard errors."""
        return map_ability(responses, self.discrimination, self.difficulty, prior, self.floor)
