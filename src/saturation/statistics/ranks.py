"""Ranks of many lines at once, without scipy.stats, which takes longer to load than most jobs."""

from typing import Literal

import numpy as np
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
    order = lines.argsort(axis=-1)
    ordered = np.take_along_axis(lines, order, axis=-1)
    place = np.broadcast_to(np.arange(1.0, lines.shape[-1] + 1), lines.shape)
    begins = ordered[..., 1:] != ordered[..., :-1]
    if not begins.all():
        edge = np.ones((*lines.shape[:-1], 1), bool)
        # The last place of each value, and the first one.
        ends = np.where(np.concatenate([begins, edge], axis=-1), place, np.inf)
        last = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
        starts = np.where(np.concatenate([edge, begins], axis=-1), place, 0.0)
        first = np.maximum.accumulate(starts, axis=-1)
        place = last if ties == "max" else (first + last) / 2
    ranked = np.empty(lines.shape)
    np.put_along_axis(ranked, order, place, axis=-1)
    if lines.dtype.kind == "f":
        ranked[np.isnan(lines)] = np.nan
    return np.moveaxis(ranked, -1, axis)
