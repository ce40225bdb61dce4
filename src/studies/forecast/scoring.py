"""Score forecasts: skill and shares, with intervals over benchmarks."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from saturation.statistics import intervals
from saturation.statistics.standard_errors import clustered_error

# A value, its lower and its upper limit.
Limits = tuple[float, float, float]
# With fewer benchmarks no interval is given: their variance says too little.
FEWEST_CLUSTERS = 5


def clustered_share(inside: ArrayLike, clusters: ArrayLike, level: float) -> Limits:
    """Return a share with Wilson's interval for as many forecasts as the benchmarks are worth.

    The number of forecasts is divided by the design effect, the clustered variance over the
    binomial one, and made smaller by as much as Student's t is wider than the normal (Korn and
    Graubard 1998); where all or none are inside, benchmarks are counted.
    """
    x = np.asarray(inside, float)
    share, groups = x.mean(), len(np.unique(np.asarray(clusters)))
    if groups < FEWEST_CLUSTERS:
        return share, np.nan, np.nan
    error = clustered_error(x, clusters)
    worth = share * (1 - share) / error**2 if error > 0 else groups
    worth *= (intervals.normal_quantile(level) / intervals.t_quantile(groups - 1, level)) ** 2
    lower, upper = intervals.wilson(share * worth, worth, level)
    return share, float(lower), float(upper)


def skill(scores: pd.DataFrame, level: float) -> Limits:
    """Return the share of the reference's mean score that is saved: 1 - mean / reference's mean.

    The limits are those of the ratio's logarithm, with the jackknife's error over benchmarks.

    NaN where the reference never erred; no limits where it never erred without a single benchmark.
    """
    sums = scores.groupby("cluster")[["score", "reference"]].sum().to_numpy()
    loss, reference = sums.sum(axis=0)
    saved = 1 - loss / reference if reference > 0 else np.nan
    without = sums.sum(axis=0) - sums
    if len(sums) < FEWEST_CLUSTERS or not (without > 0).all():
        return saved, np.nan, np.nan
    error = np.sqrt((len(sums) - 1) * np.log(without[:, 0] / without[:, 1]).var())
    reach = np.exp(intervals.t_quantile(len(sums) - 1, level) * error)
    return saved, 1 - (1 - saved) * reach, 1 - (1 - saved) / reach


def limits(name: str) -> list[str]:
    """Name the columns of a value and its limits."""
    return [name, f"{name}_lower", f"{name}_upper"]
