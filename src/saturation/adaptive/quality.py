"""The fluid benchmarking paper's measures of evaluation quality (section 4.2)."""

import numpy as np
from scipy import stats

from saturation.adaptive.model import Floats


def rank_distance(scores: Floats, partner: Floats) -> Floats:
    """Distance between each respondent's rank by score and its rank on a partner benchmark.

    Ranks run over all respondents given; ties share their mean rank. The mean over respondents
    is the paper's measure of validity (lower is better).
    """
    return np.asarray(np.abs(stats.rankdata(scores, axis=-1) - stats.rankdata(partner, axis=-1)))


def total_variation(curves: Floats) -> Floats:
    """Normalised total variation of training curves (equation 6); lower is better.

    Parameters
    ----------
    curves
        Scores, checkpoints in training order along the last axis.

    Returns
    -------
    numpy.ndarray
        At least n / (n - 1) for n checkpoints; infinite where a curve ends where it began, not
        a number for fewer than two checkpoints.
    """
    curves = np.asarray(curves, dtype=float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    path = np.abs(np.diff(curves, axis=-1)).sum(axis=-1)
    gain = np.abs(curves[..., -1] - curves[..., 0])
    ratio = np.divide(path, gain, out=np.full(np.shape(path), np.inf), where=gain > 0)
    return np.asarray(n / (n - 1) * ratio)


def monotonicity(curves: Floats) -> Floats:
    """Absolute Spearman correlation of checkpoint order and score; 1 is unsaturated.

    A constant curve carries no signal and gives 0; fewer than two checkpoints give no number.
    """
    curves = np.asarray(curves, dtype=float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    order = np.arange(n) - (n - 1) / 2
    ranks = stats.rankdata(curves, axis=-1) - (n + 1) / 2
    spread = np.sqrt((order**2).sum() * (ranks**2).sum(axis=-1))
    moved = (ranks * order).sum(axis=-1)
    return np.abs(np.divide(moved, spread, out=np.zeros(np.shape(moved)), where=spread > 0))
