"""How good a forecast was: proper scores of draws, coverage, and skill.

A forecast is a set of draws of the best score at a date. It may have a lump of probability at "no
rise"; all scores here allow for that.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.forecast.names import NLP_KIND
from saturation.statistics import intervals
from saturation.statistics.standard_errors import clustered_error

Floats = NDArray[np.float64]
# A value, its lower and its upper limit.
Limits = tuple[float, float, float]
# With fewer benchmarks no interval is given: their variance says too little.
FEWEST_CLUSTERS = 5
COVERAGES = (0.5, 0.8, 0.95)
FIFTHS = (0.2, 0.4, 0.6, 0.8)
# Narrower than a draw: where no draw equals the outcome.
NO_LUMP = 1e-9
# The logarithmic score is that of the outcome's bin: a lump has no density.
BINS = 50
# As many further draws are spread over all bins, so that no outcome was held impossible.
SPREAD = 1.0
RECENT = "all but NLP"
# The same forecasts due in the last year, and others from what had been known by then.
LAST_YEAR, AS_KNOWN = "the last year", "as known then"
METHOD = "records"  # of this study, beside the plain forecasts


def crps(draws: ArrayLike, outcomes: ArrayLike) -> Floats:
    """Continuous ranked probability score of draws: in the unit of the scores, 0 is best.

    ``E|X - y| - E|X - X'|/2`` with both means over the draws (Gneiting and Raftery 2007, eq. 21);
    with a single draw it is the absolute error.
    """
    x, y = np.sort(np.asarray(draws, float), axis=1), np.asarray(outcomes, float)
    count = x.shape[1]
    weight = (2 * np.arange(1, count + 1) - count - 1) / count**2
    scores: Floats = np.abs(x - y[:, None]).mean(axis=1) - x @ weight
    return scores


def log_score(draws: ArrayLike, outcomes: ArrayLike) -> Floats:
    """Minus the logarithm of the probability of the outcome's bin of width 1/50; 0 is best."""
    x, y = np.asarray(draws, float), np.asarray(outcomes, float)
    there = (_bin(x) == _bin(y)[:, None]).sum(axis=1)
    scores: Floats = -np.log((there + SPREAD / BINS) / (x.shape[1] + SPREAD))
    return scores


def interval_score(draws: ArrayLike, outcomes: ArrayLike, level: float) -> Floats:
    """Width of the central interval plus the penalty for missing it (Gneiting and Raftery 2007)."""
    y = np.asarray(outcomes, float)
    lower, upper = intervals.percentile(draws, level, axis=1)
    missed = np.maximum(lower - y, 0) + np.maximum(y - upper, 0)
    scores: Floats = upper - lower + 2 / (1 - level) * missed
    return scores


class Transform(NamedTuple):
    """Probability integral transform: where forecasts may lump it lies from `below` to `upto`."""

    below: Floats  # share of draws under the outcome, shape (forecasts,)
    upto: Floats  # share of draws that are not over it


def transform(draws: ArrayLike, outcomes: ArrayLike) -> Transform:
    """P(X < y) and P(X <= y): spread evenly between the two, outcomes are uniform (Smith 1985)."""
    x, y = np.asarray(draws, float), np.asarray(outcomes, float)[:, None]
    return Transform((x < y).mean(axis=1), (x <= y).mean(axis=1))


def covered(below: ArrayLike, upto: ArrayLike, level: float) -> Floats:
    """How much of each outcome lies in the central interval of this probability, from 0 to 1.

    Of a lump that the interval's end cuts, what is inside: an interval that counted it whole would
    hold more than is stated. Nothing is drawn (Czado et al. 2009), so luck has no part in it.
    """
    start, end = np.asarray(below, float), np.asarray(upto, float)
    low, high = (1 - level) / 2, (1 + level) / 2
    inside = np.minimum(end, high) - np.maximum(start, low)
    point = (low <= start) & (start <= high)
    share = np.divide(inside, end - start, out=point.astype(float), where=end > start)
    return np.asarray(share.clip(0, 1), float)


def fifths(below: ArrayLike, upto: ArrayLike) -> Floats:
    """Shares of the outcomes that lie in each fifth of their forecasts: .2 each, were these right.

    The histogram of the transform where forecasts may lump (Czado et al. 2009).
    """
    start, end = np.asarray(below, float), np.asarray(upto, float)
    width = np.maximum(end - start, NO_LUMP)
    counted = [((place - start) / width).clip(0, 1).mean() for place in FIFTHS]
    return np.diff([0.0, *counted, 1.0])


def clustered_mean(values: ArrayLike, clusters: ArrayLike, level: float) -> Limits:
    """Mean with a Student t interval, if there is one, whose error counts benchmarks."""
    x = np.asarray(values, float)
    middle, groups = float(x.mean()), len(np.unique(np.asarray(clusters)))
    if groups < FEWEST_CLUSTERS:
        return middle, np.nan, np.nan
    half = _quantile(groups, level) * clustered_error(x, clusters)
    return middle, middle - half, middle + half


def clustered_share(inside: ArrayLike, clusters: ArrayLike, level: float) -> Limits:
    """Share with Wilson's interval for as many independent forecasts as the benchmarks are worth.

    The number of forecasts is divided by the design effect, the clustered variance over the
    binomial one, and made smaller by as much as Student's t is wider than the normal (Korn and
    Graubard 1998); where all or none are inside, benchmarks are counted.
    """
    x = np.asarray(inside, float)
    share, groups = float(x.mean()), len(np.unique(np.asarray(clusters)))
    if groups < FEWEST_CLUSTERS:
        return share, np.nan, np.nan
    error = clustered_error(x, clusters)
    worth = share * (1 - share) / error**2 if error > 0 else groups
    worth *= (intervals.normal_quantile(level) / _quantile(groups, level)) ** 2
    lower, upper = intervals.wilson(share * worth, worth, level)
    return share, float(lower), float(upper)


def scored_with_limits(forecasts: pd.DataFrame, level: float) -> list[float]:
    """How many forecasts of how many benchmarks; mean CRPS and coverage of 80 %, with limits."""
    clusters = forecasts["benchmark"].to_numpy()
    inside = covered(forecasts["below"], forecasts["upto"], 0.8)
    return [
        len(forecasts),
        forecasts["benchmark"].nunique(),
        *clustered_mean(forecasts["crps"], clusters, level),
        *clustered_share(inside, clusters, level),
    ]


def skill(scores: pd.DataFrame, level: float) -> Limits:
    """Share of the reference's mean score that is saved: 1 - mean / mean of the reference.

    The limits are those of the ratio's logarithm, with the jackknife's error over benchmarks.

    Skill, lower and upper limit; none where the reference never erred, and no limits where it is so
    without a single benchmark.
    """
    sums = scores.groupby("cluster")[["score", "reference"]].sum().to_numpy()
    own, reference = sums.sum(axis=0)
    saved = float(1 - own / reference) if reference > 0 else np.nan
    without = sums.sum(axis=0) - sums
    if len(sums) < FEWEST_CLUSTERS or not (without > 0).all():
        return saved, np.nan, np.nan
    error = np.sqrt((len(sums) - 1) * np.log(without[:, 0] / without[:, 1]).var())
    reach = np.exp(_quantile(len(sums), level) * error)
    return saved, float(1 - (1 - saved) * reach), float(1 - (1 - saved) / reach)


def summary(forecasts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean scores by group of benchmarks, horizon and method, with intervals over benchmarks.

    ``group`` (all but NLP, each kind, or those abstained from), ``horizon``, ``method``,
    ``forecasts``, ``benchmarks``, mean scores, ``crps``, ``skill`` and coverage with limits; skill
    is against the plain forecast with the least mean score there, ``reference``.
    """
    rows: list[dict[str, Any]] = []
    for group, part in _groups(forecasts):
        for horizon, ahead in part.groupby("horizon"):
            plain = ahead[ahead["method"] != METHOD].groupby("method")["crps"].mean()
            best = str(plain.idxmin())
            reference = ahead[ahead["method"] == best]
            for method, own in ahead.groupby("method"):
                about = {"group": group, "horizon": horizon, "method": method}
                rows.append(about | _means(own, reference, level) | {"reference": best})
    return pd.DataFrame(rows)


def limits(name: str) -> list[str]:
    """Columns of a value and its limits."""
    return [name, f"{name}_lower", f"{name}_upper"]


def _quantile(groups: int, level: float) -> float:
    """Of Student's t: how many standard errors an interval over benchmarks reaches."""
    return float(scipy.special.stdtrit(groups - 1, 0.5 + level / 2))


def _bin(values: Floats) -> NDArray[np.int64]:
    bins: NDArray[np.int64] = np.minimum((values * BINS).astype(int), BINS - 1)
    return bins


def _groups(forecasts: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    made = forecasts[~forecasts["abstains"]]
    recent = made["kind"] != NLP_KIND
    yield RECENT, made[recent]
    for kind, part in made.groupby("kind"):
        yield str(kind), part
    for reason, part in forecasts[forecasts["abstains"]].groupby("reason"):
        yield f"abstained: {reason}", part


def _means(own: pd.DataFrame, reference: pd.DataFrame, level: float) -> dict[str, float]:
    clusters = own["benchmark"].to_numpy()
    pair = pd.DataFrame(
        {"score": own["crps"].to_numpy(), "reference": reference["crps"].to_numpy()}
    ).assign(cluster=clusters)
    row: dict[str, float] = {"forecasts": len(own), "benchmarks": own["benchmark"].nunique()}
    row |= _named("crps", clustered_mean(own["crps"], clusters, level))
    row |= _named("skill", skill(pair, level))
    for share in COVERAGES:
        inside = covered(own["below"], own["upto"], share)
        name = f"{share * 100:.0f}"
        row |= _named(f"coverage_{name}", clustered_share(inside, clusters, level))
        row[f"interval_{name}"] = float(own[f"interval_{name}"].mean())
    row["log_score"] = float(own["log_score"].mean())
    for number, share in enumerate(fifths(own["below"], own["upto"]), start=1):
        row[f"fifth_{number}"] = float(share)
    return row


def _named(name: str, values: Limits) -> dict[str, float]:
    return dict(zip(limits(name), values, strict=True))
