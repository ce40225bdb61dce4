"""What the items of a board still do: dead ones, backwards ones, those that decide the top."""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from saturation.statistics.intervals import benjamini_hochberg
from saturation.statistics.ranks import ranks

Floats = NDArray[np.float64]

# With fewer models no item is called backwards.
FEWEST_MODELS = 10


class Items(NamedTuple):
    """Numbers of items of a board.

    Parameters
    ----------
    all_right, all_wrong
        Dead items: every ranked model that answered is right, or wrong.
    negative
        Items that go against the score of the other items; None with too few models.
    backwards
        Those of them that chance does not explain, adjusted for the number of items so that a share
        of 1 - level of those called is false; None with too few models.
    deciding
        Items on which the top models are not all alike: only these tell them apart.
    """

    all_right: int
    all_wrong: int
    negative: int | None
    backwards: int | None
    deciding: int


def items(answers: Floats, k: int, level: float) -> Items:
    """Count a board's items by what they do.

    Parameters
    ----------
    answers
        Items by models, best first, in [0, 1]; missing where a model did not answer.
    k
        Number of top models.
    level
        Confidence level.
    """
    low, high = np.nanmin(answers, axis=1), np.nanmax(answers, axis=1)
    # A top model that did not answer is alike with nobody, and unlike nobody.
    top = np.ma.masked_invalid(answers[:, :k])
    deciding = (top.max(axis=1) - top.min(axis=1)).filled(0) > 0
    negative = backwards = None
    if answers.shape[1] >= FEWEST_MODELS:
        correlation, p = against_the_rest(answers)
        negative = int((correlation < 0).sum())
        backwards = int((benjamini_hochberg(p) <= 1 - level).sum())
    return Items(
        int((low == 1).sum()), int((high == 0).sum()), negative, backwards, int(deciding.sum())
    )


def against_the_rest(answers: Floats) -> tuple[Floats, Floats]:
    """Correlation of each item with the ranks by all other items, and whether it is below 0.

    Parameters
    ----------
    answers
        Items by models.

    Returns
    -------
    tuple of array
        Correlations, and one-sided p-values by Student's t; NaN for items on which all answers are
        alike. Models are taken as independent: relatives answer alike, so that p-values are too
        small where many are.
    """
    given = ~np.isnan(answers)
    value = np.where(given, answers, 0.0)
    others = value.sum(axis=0) - value
    counts = given.sum(axis=0) - given
    rest = np.where(given, others / np.maximum(counts, 1), np.nan)
    rank = ranks(rest)
    x, y = (_centred(np.where(given, part, np.nan)) for part in (answers, rank))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.nansum(x * y, axis=1) / np.sqrt(
            np.nansum(x**2, axis=1) * np.nansum(y**2, axis=1)
        )
        degrees = given.sum(axis=1) - 2
        distance = correlation * np.sqrt(degrees / np.maximum(1 - correlation**2, 1e-12))
    p = np.where(degrees > 0, scipy.special.stdtr(np.maximum(degrees, 1), distance), np.nan)
    return np.where(degrees > 0, correlation, np.nan), p


def _centred(values: Floats) -> Floats:
    centred: Floats = values - np.nanmean(values, axis=1, keepdims=True)
    return centred
