"""Stacks of 2 x 2 matrices, one an item: products, inverses and roots, entry by entry.

Written out because items come in thousands: NumPy's own functions call LAPACK once a matrix, and
its Cholesky refuses a block that rounding makes singular.
"""

import numpy as np

from saturation.adaptive.model import Floats


def matrices(first: Floats, second: Floats, third: Floats, fourth: Floats) -> Floats:
    """Stack of matrices from their entries, row by row.

    Parameters
    ----------
    first, second, third, fourth
        Entries (0, 0), (0, 1), (1, 0) and (1, 1), each with one value a matrix.

    Returns
    -------
    numpy.ndarray
        Matrices by 2 by 2.
    """
    return np.stack([first, second, third, fourth], axis=-1).reshape(-1, 2, 2)


def products(blocks: Floats, vectors: Floats) -> Floats:
    """Product of each matrix and its vector.

    Parameters
    ----------
    blocks
        Matrices by 2 by 2.
    vectors
        Matrices by 2.
    """
    return np.asarray(blocks[:, :, 0] * vectors[:, :1] + blocks[:, :, 1] * vectors[:, 1:])


def inverted(blocks: Floats) -> Floats:
    """Inverse of each matrix."""
    a, b, c, d = blocks[:, 0, 0], blocks[:, 0, 1], blocks[:, 1, 0], blocks[:, 1, 1]
    return np.asarray(matrices(d, -b, -c, a) / determinants(blocks)[:, None, None])


def determinants(blocks: Floats) -> Floats:
    """Determinant of each matrix."""
    return np.asarray(blocks[:, 0, 0] * blocks[:, 1, 1] - blocks[:, 0, 1] * blocks[:, 1, 0])


def roots(blocks: Floats) -> Floats:
    """Lower triangular root of each positive matrix, also of one that rounding makes singular."""
    first = np.sqrt(blocks[:, 0, 0])
    second = blocks[:, 1, 0] / first
    third = np.sqrt(np.maximum(blocks[:, 1, 1] - second**2, 0.0))
    return matrices(first, np.zeros_like(first), second, third)
