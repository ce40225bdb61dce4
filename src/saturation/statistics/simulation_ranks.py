"""Ranks of true parameters among posterior draws, and whether they are uniform.

Where parameters are drawn from the prior and data from the parameters, the rank of the truth among
draws of the posterior is uniform if sampler and model agree (Talts et al. 2018).
"""

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation.statistics import intervals

Array = NDArray[np.float64]


def ranks(truth: Array, draws: Array, kept: int) -> NDArray[np.int64]:
    """Rank of each true parameter among its draws thinned to the number kept, 0..kept.

    Draws have shape (p, S) and are thinned evenly, which removes most of their autocorrelation:
    that would bend the ranks (Talts et al. 2018, section 5.1).
    """
    thinned = draws[:, np.linspace(0, draws.shape[1] - 1, kept).astype(int)]
    rank: NDArray[np.int64] = (thinned < truth[:, None]).sum(axis=1)
    return rank


def uniformity(table: pd.DataFrame, draws: int, bins: int = 10) -> pd.DataFrame:
    """Chi-squared test of uniform ranks for each parameter, and its Holm-adjusted p-value."""
    edges = np.linspace(-0.5, draws + 0.5, bins + 1)
    expected_share = np.diff(np.floor(edges[1:-1]), prepend=-1, append=draws) / (draws + 1)
    rows = []
    for name, ranked in table.groupby("parameter", sort=False):
        counts = np.histogram(ranked["rank"], edges)[0]
        test = scipy.stats.chisquare(counts, expected_share * len(ranked))
        rows.append({"parameter": name, "chi_squared": test.statistic, "p": test.pvalue})
    result = pd.DataFrame(rows)
    return result.assign(p_holm=intervals.holm(result["p"]))
