"""Abilities for known items: maximum a posteriori, and adaptive tests.

With a floor of guessing information is Birnbaum's, and the posterior need not have one mode only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np

from saturation.adaptive.kernels import chance, weigh_right  # which say where compiled code is kept
from saturation.adaptive.model import (
    MISSING,
    POSITIVE,
    STANDARD,
    Prior,
    Responses,
    floor_odds,
    information,
    roots,
)
from saturation.arrays import Bools, Floats, Integers

NO_ITEM = -1

_MOST_STEPS = 50
# Newton's error after a step is of the order of the step squared.
_SMALLEST_STEP = 1e-5
# Places tried first where a posterior may have several modes, in the prior's standard deviations.
_PLACES = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)

# Mean, standard deviation, lower and upper limit.
_PriorNumbers = tuple[float, float, float, float]

_cached = numba.njit(cache=True)


class Curves(NamedTuple):
    """Items as compiled code takes them, an element each.

    `odds` are those of a right answer by guessing, and None without a floor: what is compiled for
    that has nothing of it.
    """

    discrimination: Floats
    difficulty: Floats
    odds: float | None

    @classmethod
    def convert(cls, discrimination: Floats, difficulty: Floats, floor: float) -> "Curves":
        """Lay out items for compiled code."""
        return cls(
            np.ascontiguousarray(discrimination),
            np.ascontiguousarray(difficulty),
            floor_odds(floor),
        )


def map_ability(
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    prior: Prior = STANDARD,
    floor: float = 0.0,
) -> tuple[Floats, Floats]:
    """Maximum a posteriori ability of each respondent for known items (equation 3 with a prior).

    With its standard error, 1 / sqrt(information + 1 / prior variance); the floor is the chance of
    a right answer by guessing, for all items.
    """
    curves = Curves.convert(discrimination, difficulty, floor)
    ability, error = _climb_all(np.ascontiguousarray(responses), curves, prior.numbers)
    return ability, error


@_cached
def _climb(
    row: Responses, asked: Integers, curves: Curves, theta: float, prior: _PriorNumbers
) -> tuple[float, float]:
    """Climb to a respondent's posterior mode by Newton's method; return mode and standard error.

    Without a floor the posterior is log-concave: the gradient's sign says on which side the mode
    lies. Steps are held to 1. Once the mode lies between two places, a step that would leave them,
    or is more than half as long as the step before the last, goes to their middle instead: with
    steep items Newton's method alone can go back and forth for ever. With a floor
    the way, of scoring, begins at the highest of a few places. A mode beyond the prior's limits is
    held to the limit, where the information is then taken.
    """
    _, _, lowest, highest = prior
    theta = _highest(row, asked, curves, theta, prior, curves.odds)
    curvature, low, high = 0.0, -np.inf, np.inf
    last, before = np.inf, np.inf
    for _ in range(_MOST_STEPS):
        gradient, curvature = _slope(row, asked, curves, theta, prior)
        if gradient > 0:
            low = theta
        else:
            high = theta
        step = min(max(gradient / curvature, -1.0), 1.0)
        if abs(step) < _SMALLEST_STEP:
            theta += step
            break
        inside = low < theta + step < high
        shrinks = abs(step) <= 0.5 * before or high - low == np.inf
        to = theta + step if inside and shrinks else 0.5 * (low + high)
        before, last, theta = last, abs(to - theta), to
    bounded = min(max(theta, lowest), highest)
    if bounded != theta:
        _, curvature = _slope(row, asked, curves, bounded, prior)
    return bounded, 1.0 / np.sqrt(curvature)


@_cached
def _highest(
    row: Responses,
    asked: Integers,
    curves: Curves,
    theta: float,
    prior: _PriorNumbers,
    odds: float | None,
) -> float:
    """Choose the start with the highest posterior: the proposed place or places near the mean."""
    # An argument of its own, so that nothing below is compiled without a floor.
    if odds is None:
        return theta
    mean, sd, _, _ = prior
    best, most = theta, -np.inf
    for number in range(len(_PLACES) + 1):
        at = theta if number == len(_PLACES) else mean + _PLACES[number] * sd
        height = -0.5 * ((at - mean) / sd) ** 2
        for item in asked:
            if row[item] == MISSING:
                continue
            logit = curves.discrimination[item] * (at - curves.difficulty[item])
            # Less a constant: log (p + odds) if right, log (1 - p) if wrong.
            if row[item] == 1:
                height += np.log(chance(logit)[0] + odds)
            else:
                height -= max(logit, 0.0) + np.log1p(np.exp(-abs(logit)))
        if height > most:
            best, most = at, height
    return best


@numba.njit(inline="always")
def _slope(
    row: Responses, asked: Integers, curves: Curves, theta: float, prior: _PriorNumbers
) -> tuple[float, float]:
    """Compute the gradient of the log posterior, and the information including the prior's."""
    mean, sd, _, _ = prior
    gradient = -(theta - mean) / sd**2
    curvature = sd**-2
    for item in asked:
        if row[item] == MISSING:
            continue
        slope = curves.discrimination[item]
        p, weight = chance(slope * (theta - curves.difficulty[item]))
        guess_factor = weigh_right(p, curves.odds)
        gradient += slope * (row[item] - p) * (guess_factor if row[item] == 1 else 1.0)
        curvature += slope**2 * weight * guess_factor
    return gradient, curvature


@_cached
def _climb_all(responses: Responses, curves: Curves, prior: _PriorNumbers) -> tuple[Floats, Floats]:
    persons, items = responses.shape
    ability, error, places = np.empty(persons), np.empty(persons), np.arange(items)
    for person in range(persons):
        ability[person], error[person] = _climb(responses[person], places, curves, prior[0], prior)
    return ability, error


@_cached
def advance(
    responses: Responses,
    curves: Curves,
    end: tuple[int, float],
    start: float,
    prior: _PriorNumbers,
) -> tuple[Integers, Floats, Floats]:
    """Items, abilities and standard errors of adaptive tests, respondents by steps."""
    persons = responses.shape[0]
    steps, stop_se = end
    items = np.full((persons, steps), NO_ITEM)
    ability, se = np.empty((persons, steps)), np.empty((persons, steps))
    used = responses == MISSING
    theta = np.full(persons, prior[0])
    error = np.full(persons, prior[1])
    for step in range(steps):
        for person in range(persons):
            if error[person] > stop_se:
                place_on_scale = theta[person] if step else start
                item = most_informative(place_on_scale, used[person], curves)
                if item != NO_ITEM:
                    used[person, item] = True
                    items[person, step] = item
                    theta[person], error[person] = estimated(
                        responses[person],
                        items[person, : step + 1],
                        curves,
                        theta[person],
                        error[person],
                        prior,
                    )
            ability[person, step] = theta[person]
            se[person, step] = error[person]
    return items, ability, se


@_cached
def estimated(
    row: Responses,
    asked: Integers,
    curves: Curves,
    theta: float,
    error: float,
    prior: _PriorNumbers,
) -> tuple[float, float]:
    """Estimate ability and standard error after the answer to the last of the items asked.

    The climb begins with Newton's first step from the mode before that item: the gradient of the
    other items is zero there and their curvature known, so the step costs nothing.
    """
    item = asked[-1]
    slope = curves.discrimination[item]
    p, _ = chance(slope * (theta - curves.difficulty[item]))
    guess_factor = weigh_right(p, curves.odds) if row[item] == 1 else 1.0
    first = theta + error**2 * slope * (row[item] - p) * guess_factor
    return _climb(row, asked, curves, first, prior)


@_cached
def most_informative(theta: float, used: Bools, curves: Curves) -> int:
    """Select the first unused item with the most information, or :data:`NO_ITEM` without any."""
    most, best = -1.0, NO_ITEM
    for item, slope in enumerate(curves.discrimination):
        if used[item]:
            continue
        p, weight = chance(slope * (theta - curves.difficulty[item]))
        info = slope**2 * weight * weigh_right(p, curves.odds)
        if info > most:
            most, best = info, item
    return best


# Respondents up to whom the matrix is inverted as it is.
MOST_EXACT = 400
_DIRECTIONS = 48
# Cells that are looked at together.
_CHUNK = 1 << 20
# Of the largest eigenvalue: what lies below is rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True)
class _Items:
    """Item terms of the joint information: their lines and levers.

    The levers (items by 2 by 2) say how far a step along each column of the covariance's root moves
    slope and intercept, in units of the slope; the floor is that of all items.
    """

    slope: Floats
    intercept: Floats
    lever: Floats
    floor: float


def errors(
    responses: Responses,
    ability: Floats,
    mean: Floats,
    covariance: Floats,
    floor: float = 0.0,
) -> tuple[Floats, Floats]:
    """Compute standard errors of abilities, and the addition to the items' covariances.

    Returns
    -------
    tuple
        One error a respondent; items by 2 by 2.
    """
    slope, intercept = POSITIVE.lines(mean)
    root = roots(covariance)
    lever = POSITIVE.jacobian(mean) @ root / slope[:, None, None]
    invert = _exact if len(ability) <= MOST_EXACT else _projected
    error, carried = invert(responses, ability, _Items(slope, intercept, lever, floor))
    return error, root @ carried @ np.swapaxes(root, 1, 2)


def _direction_information(
    responses: Responses, ability: Floats, items: _Items, chosen: slice
) -> tuple[Floats, list[Floats]]:
    """Compute information on known items in each cell, and each item direction's share."""
    slope = items.slope[chosen]
    # p (1 - p) times the slope squared
    cell_information = information(ability, slope, -items.intercept[chosen] / slope, items.floor)
    cell_information[responses[:, chosen] == MISSING] = 0.0
    lever = items.lever[chosen]
    return cell_information, [
        cell_information * (ability[:, None] * lever[:, 0, m] + lever[:, 1, m]) for m in range(2)
    ]


def _exact(responses: Responses, ability: Floats, items: _Items) -> tuple[Floats, Floats]:
    """Compute errors, and covariances along the items' roots, with the inverse as it is."""
    cell_information, shares = _direction_information(responses, ability, items, slice(None))
    precision = np.diag(cell_information.sum(axis=1) + 1.0) - sum(
        share @ share.T for share in shares
    )
    scale = np.column_stack([np.ones_like(ability), ability])
    free = np.linalg.qr(scale, mode="complete")[0][:, 2:]
    value, direction = np.linalg.eigh(free.T @ precision @ free)
    direction = free @ direction
    # What is left is at least the abilities' prior.
    error = (direction / np.maximum(value, 1.0)) @ direction.T
    carried = np.array(
        [[(first * (error @ second)).sum(axis=0) for second in shares] for first in shares]
    )
    return np.sqrt(np.diag(error)), np.moveaxis(carried, 2, 0)


def _projected(responses: Responses, ability: Floats, items: _Items) -> tuple[Floats, Floats]:
    """Compute the same with the inverse as a diagonal plus few directions."""
    persons, _ = responses.shape
    place = (2.0 * ability.argsort(kind="stable").argsort(kind="stable") + 1.0) / persons - 1.0
    basis = np.polynomial.legendre.legvander(place, _DIRECTIONS - 1)
    total_information, diagonal, image = np.ones(persons), np.zeros(persons), np.zeros_like(basis)
    for chunk in _chunks(*responses.shape):
        cells, shares = _direction_information(responses, ability, items, chunk)
        total_information += cells.sum(axis=1)
        for share in shares:
            diagonal += np.einsum("ij,ij->i", share, share)
            image += share @ (share.T @ basis)
    # Times its transpose, the root is the matrix that gave the image.
    value, direction = np.linalg.eigh(basis.T @ image)
    significant = value > _ROUNDING * value[-1]
    smooth = np.asarray(image @ (direction[:, significant] / np.sqrt(value[significant])))
    # What is left is at least the abilities' prior.
    residual = np.maximum(
        total_information - np.maximum(diagonal - np.square(smooth).sum(axis=1), 0.0), 1.0
    )
    spread, middle = _inverse(residual, smooth, np.column_stack([np.ones(persons), ability]))
    carried = np.empty((responses.shape[1], 2, 2))
    for chunk in _chunks(*responses.shape):
        _, shares = _direction_information(responses, ability, items, chunk)
        along = [share.T @ spread for share in shares]
        for first, second in np.ndindex(2, 2):
            carried[chunk, first, second] = np.einsum(
                "ij,ij,i->j", shares[first], shares[second], 1.0 / residual
            ) + ((along[first] @ middle) * along[second]).sum(axis=1)
    variance = 1.0 / residual + ((spread @ middle) * spread).sum(axis=1)
    return np.sqrt(variance), carried


def _chunks(persons: int, items: int) -> Iterator[slice]:
    step = max(1, _CHUNK // persons)
    return (slice(first, min(items, first + step)) for first in range(0, items, step))


def _inverse(rest: Floats, smooth: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Compute the addition to 1 / rest in the inverse of diag(rest) - smooth smooth'.

    Woodbury's identity, less the directions in which the scale could move: respondents by
    directions, and the matrix that stands between them and their transpose.
    """
    directions = np.column_stack([smooth, scale]) / rest[:, None]
    width = smooth.shape[1]
    value, turn = np.linalg.eigh(smooth.T @ directions[:, :width])
    # What is left is at least the abilities' prior.
    value = np.minimum(value, 1.0 - 1.0 / rest.max())
    middle = np.zeros((width + 2, width + 2))
    middle[:width, :width] = (turn / (1.0 - value)) @ turn.T
    onto = np.vstack([middle[:width, :width] @ (directions[:, :width].T @ scale), np.eye(2)])
    moved = scale.T @ directions @ onto
    return directions, middle - onto @ np.linalg.solve(moved, onto.T)
