"""Tests that one model is not better than another by a margin or more.

The other side of a test of difference: what has to be refuted is that the true difference reaches
the margin. Two such tests, one in each direction, show two models alike (D. J. Schuirmann (1987),
Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from saturation.statistics.comparisons import CLUSTERED_T, MCNEMAR, POOLED_Z, Pairs, Z

Floats = NDArray[np.float64]


def not_ahead(pairs: Pairs, scores: ArrayLike, n: ArrayLike, margin: float, columns: int) -> Floats:
    """One-sided p-values of "the row's model is better than the column's by the margin or more".

    Each pair is tested as its test of difference is (:class:`saturation.statistics.comparisons.
    Pairs`): the score test of :func:`paired_score` where both answered the same 0/1 items, that of
    Farrington and Manning for independent shares, Student's t for graded or clustered items, else
    the normal test by the models' own errors. Counts move in whole items, so that the first two
    take the margin less half an item, and stay under their level.

    For graded and clustered items the error is at least the one that a difference of the size of
    the margin would have if it came from items that only the one model solves, sqrt(margin (1 -
    margin) / G) for G effective clusters: a difference that shows on one item in fifty is easily
    missed by few, and an error estimated without it would be far too small.

    Parameters
    ----------
    pairs
        All pairs of m models.
    scores, n
        The models' scores and numbers of items, shape (m,); read where shares are compared.
    margin
        Above 0, in the unit of the scores.
    columns
        Only the first so many models are the column's.

    Returns
    -------
    array
        Shape (m, columns); 1 for a model with itself and where no error is known.
    """
    part = pairs._replace(**{name: field[:, :columns] for name, field in pairs._asdict().items()})
    p = np.ones(part.difference.shape)
    where = part.method == MCNEMAR
    if where.any():
        wins, items = part.wins[where], part.items[where]
        losses = np.rint(wins - part.difference[where] * items)
        p[where] = paired_score(wins, losses, items, margin)
    where = part.method == POOLED_Z
    if where.any():
        row, column = np.nonzero(where)
        share, size = np.asarray(scores, float), np.asarray(n, float)
        p[where] = independent_score(share[row], size[row], share[column], size[column], margin)
    where = np.isin(part.method, (Z, CLUSTERED_T))
    p[where] = _by_error(part, margin)[where]
    p[np.arange(columns), np.arange(columns)] = 1.0
    return np.where(np.isnan(p), 1.0, p)


def paired_score(wins: ArrayLike, losses: ArrayLike, items: ArrayLike, margin: float) -> Floats:
    """Score test of two proportions on the same items, at a margin.

    The variance is the one under the refuted hypothesis, so that models without a single
    disagreement have a test too. Source: T. Tango (1998), Statistics in Medicine 17, 891-908.

    Parameters
    ----------
    wins, losses, items
        Numbers of items that only the one and only the other model solved, and of all.
    margin
        Refuted is that the one's share of solved items is higher by this or more; half an item is
        taken off it, because counts are whole.

    Returns
    -------
    array
        One-sided p-values; 1 for a margin of no more than half an item.
    """
    b, c, size = (np.asarray(count, float) for count in (wins, losses, items))
    with np.errstate(divide="ignore", invalid="ignore"):
        delta = margin - 0.5 / size
        linear = (2 * size - b + c) * delta - b - c
        root = np.sqrt(linear**2 + 8 * size * c * delta * (1 - delta))
        # Share of items that only the second solves, the likeliest at this difference.
        share = (root - linear) / (4 * size)
        error = np.sqrt(size * (2 * share + delta * (1 - delta)))
        p = special.ndtr((b - c - size * delta) / error)
    return np.where(delta > 0, p, 1.0)


def independent_score(
    share_1: ArrayLike, n_1: ArrayLike, share_0: ArrayLike, n_0: ArrayLike, margin: float
) -> Floats:
    """Score test of two independent proportions, at a margin.

    Source: C. P. Farrington and G. Manning (1990), Statistics in Medicine 9, 1447-1454; the
    likeliest proportions at the margin solve a cubic equation. Not statsmodels' version, whose
    equation (in 0.15) has a number of successes where a number of trials belongs.

    Parameters
    ----------
    share_1, n_1, share_0, n_0
        Shares of solved items and numbers of items, broadcast against each other.
    margin
        As :func:`paired_score` takes it.

    Returns
    -------
    array
        One-sided p-values; 1 for a margin of no more than half an item.
    """
    p_1, size_1, p_0, size_0 = (np.asarray(v, float) for v in (share_1, n_1, share_0, n_0))
    total, solved = size_1 + size_0, p_1 * size_1 + p_0 * size_0
    delta = np.maximum(margin - (1 / size_1 + 1 / size_0) / 4, 0.0)
    square = ((size_1 + 2 * size_0) * delta - total - solved) / (3 * total)
    linear = (size_0 * delta - total - 2 * p_0 * size_0) * delta + solved
    constant = p_0 * size_0 * delta * (1 - delta)
    half = square**3 - linear * square / (2 * total) + constant / (2 * total)
    radius = np.sign(half) * np.sqrt(np.maximum(square**2 - linear / (3 * total), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(radius == 0, 1.0, half / radius**3)
    angle = (np.pi + np.arccos(np.clip(cosine, -1, 1))) / 3
    likely_0 = np.clip(2 * radius * np.cos(angle) - square, 0, 1 - delta)
    likely_1 = likely_0 + delta
    variance = likely_1 * (1 - likely_1) / size_1 + likely_0 * (1 - likely_0) / size_0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = special.ndtr((p_1 - p_0 - delta) / np.sqrt(variance))
    return np.where(delta > 0, p, 1.0)


def _by_error(part: Pairs, margin: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.sqrt(margin * (1 - margin) / (part.degrees + 1))
        error = np.where(
            part.method == CLUSTERED_T,
            np.fmax(part.standard_error, least),
            part.standard_error,
        )
        distance = (part.difference - margin) / error
        p: Floats = np.where(
            part.degrees > 0, special.stdtr(np.fmax(part.degrees, 1e-9), distance), 1.0
        )
    return p
