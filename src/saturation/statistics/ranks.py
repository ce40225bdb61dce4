"""Ranks without scipy.stats, which takes longer to load than pandas."""

import math
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray


def ranks(
    values: ArrayLike, axis: int = -1, ties: Literal["average", "max"] = "average"
) -> NDArray[np.float64]:
    """Ranks along an axis, the least value first.

    Parameters
    ----------
    values
        Numbers; a missing one has no rank.
    axis
        Along which they are ranked.
    ties
        The rank of equal values: the mean of theirs, or the largest.
    """
    lines = np.moveaxis(np.asarray(values), axis, -1)
    rows = math.prod(lines.shape[:-1])
    ranked = pd.DataFrame(lines.reshape(rows, lines.shape[-1])).rank(axis=1, method=ties)
    # A copy, which callers may write to, line after line: sums of it are the same to the bit.
    own = np.array(ranked, dtype=float, order="C")
    return np.moveaxis(own.reshape(lines.shape), -1, axis)
