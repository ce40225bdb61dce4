"""The fluid benchmarking paper's measures of evaluation quality (section 4.2)."""

import numpy as np
from scipy import stats

from saturation.irt import Floats


def rank_distance(scores: Floats, partner: Floats) -> Floats:
    """Distance between each respondent's rank by score and its rank on a partner benchmark.

    Ranks run over all respondents given; ties share their mean rank. The mean over respondents
    is the paper's measure of validity (lower is better).
    """
    return np.abs(stats.rankdata(scores, axis=-1) - stats.rankdata(partner, axis=-1))


def total_variation(curve: Floats) -> float:
    """Normalised total variation of a training curve (equation 6); lower is better.

    Returns
    -------
    float
        At least n / (n - 1) for n checkpoints; infinite when the curve ends where it began, not
        a number for fewer than two checkpoints.
    """
    if len(curve) < 2:
        return float("nan")
    gain = abs(curve[-1] - curve[0])
    if gain == 0:
        return float("inf")
    n = len(curve)
    return float(n / (n - 1) * np.abs(np.diff(curve)).sum() / gain)


def monotonicity(curve: Floats) -> float:
    """Absolute Spearman correlation of checkpoint order and score; 1 is unsaturated.

    A constant curve carries no signal and gives 0; fewer than two checkpoints give no number.
    """
    if len(curve) < 2:
        return float("nan")
    ranks = stats.rankdata(curve)
    if np.ptp(ranks) == 0:
        return 0.0
    return float(abs(np.corrcoef(np.arange(len(curve)), ranks)[0, 1]))
