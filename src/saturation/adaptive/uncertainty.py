"""Standard errors of a fit: of abilities with the items' uncertainty, and the other way round.

The abilities' information is what known items would give less what the items' uncertainty takes
(Louis 1982). It is inverted on the surface where the abilities keep mean 0 and standard deviation
1, as the scale demands.

With many respondents it is not written out, let alone decomposed, which would take their number
cubed. What the items take is a smooth function of the abilities, few directions wide: it is
projected on polynomials of the abilities' ranks (Nystroem's approximation), and what these leave,
mostly from cells that are missing, is kept on the diagonal.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from saturation.adaptive.blocks import roots
from saturation.adaptive.coordinates import Coordinates
from saturation.adaptive.model import MISSING, Floats, Responses, information

# Respondents up to whom the matrix is inverted as it is.
MOST_EXACT = 400
_DIRECTIONS = 48
# Cells that are looked at together.
_CHUNK = 1 << 20
# Of the largest eigenvalue: what lies below is rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True)
class _Items:
    """What is needed of the items: their lines, the roots of their covariances, and levers.

    The levers (items by 2 by 2) say how far a step along each column of the root moves slope and
    intercept, in units of the slope; the floor is that of all items.
    """

    slope: Floats
    intercept: Floats
    root: Floats
    lever: Floats
    floor: float


def errors(
    responses: Responses,
    ability: Floats,
    mean: Floats,
    covariance: Floats,
    form: Coordinates,
    floor: float = 0.0,
) -> tuple[Floats, Floats]:
    """Standard errors of abilities, and what the abilities' errors add to the items' covariances.

    Parameters
    ----------
    responses
        Respondents by items.
    ability
        One value a respondent.
    mean, covariance
        Moments of the items' posteriors (items by 2; items by 2 by 2).
    form
        Their coordinates.
    floor
        Chance of a right answer by guessing.

    Returns
    -------
    tuple
        One error a respondent; items by 2 by 2.
    """
    slope, intercept = form.lines(mean)
    root = roots(covariance)
    lever = form.jacobian(mean) @ root / slope[:, None, None]
    items = _Items(slope, intercept, root, lever, floor)
    if len(ability) <= MOST_EXACT:
        return _exact(responses, ability, items)
    return _projected(responses, ability, items)


def _taken(
    responses: Responses, ability: Floats, items: _Items, chosen: slice
) -> tuple[Floats, list[Floats]]:
    """Information on known items of each cell, and what each direction of the items takes of it."""
    slope = items.slope[chosen]
    # p (1 - p) times the slope squared
    known = information(ability, slope, -items.intercept[chosen] / slope, items.floor)
    known[responses[:, chosen] == MISSING] = 0.0
    lever = items.lever[chosen]
    return known, [known * (ability[:, None] * lever[:, 0, m] + lever[:, 1, m]) for m in range(2)]


def _exact(responses: Responses, ability: Floats, items: _Items) -> tuple[Floats, Floats]:
    known, taken = _taken(responses, ability, items, slice(None))
    left = np.diag(known.sum(axis=1) + 1.0) - sum(share @ share.T for share in taken)
    scale = np.column_stack([np.ones_like(ability), ability])
    free = np.linalg.qr(scale, mode="complete")[0][:, 2:]
    value, direction = np.linalg.eigh(free.T @ left @ free)
    direction = free @ direction
    # What is left is at least the abilities' prior.
    error = (direction / np.maximum(value, 1.0)) @ direction.T
    carried = np.array(
        [[(first * (error @ second)).sum(axis=0) for second in taken] for first in taken]
    )
    carried = items.root @ np.moveaxis(carried, 2, 0) @ np.swapaxes(items.root, 1, 2)
    return np.sqrt(np.diag(error)), carried


def _projected(responses: Responses, ability: Floats, items: _Items) -> tuple[Floats, Floats]:
    """The same with the inverse as a diagonal plus few directions."""
    persons, _ = responses.shape
    place = (2.0 * ability.argsort(kind="stable").argsort(kind="stable") + 1.0) / persons - 1.0
    basis = np.polynomial.legendre.legvander(place, _DIRECTIONS - 1)
    known, diagonal, image = np.ones(persons), np.zeros(persons), np.zeros_like(basis)
    for chosen in _chunks(*responses.shape):
        cells, taken = _taken(responses, ability, items, chosen)
        known += cells.sum(axis=1)
        for share in taken:
            diagonal += np.einsum("ij,ij->i", share, share)
            image += share @ (share.T @ basis)
    smooth = _root_of_image(basis, image)
    # What is left is at least the abilities' prior.
    rest = np.maximum(known - np.maximum(diagonal - np.square(smooth).sum(axis=1), 0.0), 1.0)
    spread, middle = _inverse(rest, smooth, np.column_stack([np.ones(persons), ability]))
    carried = np.empty((responses.shape[1], 2, 2))
    for chosen in _chunks(*responses.shape):
        _, taken = _taken(responses, ability, items, chosen)
        along = [share.T @ spread for share in taken]
        for first in range(2):
            for second in range(2):
                carried[chosen, first, second] = np.einsum(
                    "ij,ij,i->j", taken[first], taken[second], 1.0 / rest
                ) + ((along[first] @ middle) * along[second]).sum(axis=1)
    variance = 1.0 / rest + ((spread @ middle) * spread).sum(axis=1)
    return np.sqrt(variance), items.root @ carried @ np.swapaxes(items.root, 1, 2)


def _chunks(persons: int, items: int) -> Iterator[slice]:
    step = max(1, _CHUNK // persons)
    return (slice(first, min(items, first + step)) for first in range(0, items, step))


def _root_of_image(basis: Floats, image: Floats) -> Floats:
    """Respondents by directions; times its transpose it is the matrix that gave the image."""
    value, direction = np.linalg.eigh(basis.T @ image)
    held = value > _ROUNDING * value[-1]
    return np.asarray(image @ (direction[:, held] / np.sqrt(value[held])))


def _inverse(rest: Floats, smooth: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """What the inverse of diag(rest) - smooth smooth' on the surface adds to 1 / rest.

    Woodbury's identity, less the directions in which the scale could move.

    Returns
    -------
    tuple
        Respondents by directions, and the matrix that stands between them and their transpose.
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
