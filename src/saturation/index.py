"""The saturation index of a benchmark from its top scores (plateau paper, section 2.2)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Floats
from saturation.errors import InputError
from saturation.statistics import intervals
from saturation.statistics.intervals import CONFIDENCE

BINS = ["very_low", "low", "moderate", "high", "very_high"]

# What the paper compares with what; a run takes its own from the config, which starts from these.
K = 5
ALPHA = 0.5
Z = 1.96
BIN_EDGES = (0.01, 0.3, 0.7, 0.9)
SATURATED_FROM = 0.7
# Our choices: the paper gives neither number.
CEILING = 0.9
EPSILON = 1e-12  # added to the error in the denominator of R_norm (footnote 3)

# What is shown of the true scores of the best and the k-th model.
EQUIVALENT, SEPARATED, UNDECIDED = "equivalent", "separated", "undecided"
DECISIONS = (EQUIVALENT, SEPARATED, UNDECIDED)


def standard_error(score: ArrayLike, n_test: ArrayLike, alpha: float = ALPHA) -> Floats:
    """Compute the standard error of an accuracy-like score (plateau paper, equation 1).

    Parameters
    ----------
    n_test
        Number of test items, at least 1.
    alpha
        Exponent of the effective test-set size ``n_test ** alpha``; 1 is the binomial error.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1] or a size below 1; missing values stay missing.

    Examples
    --------
    >>> float(standard_error(0.9, 100, alpha=1.0))
    0.03
    """
    score, n_test = _proportions(score), _sizes(n_test)
    return np.sqrt(score * (1 - score) / n_test**alpha)


def standard_error_of_difference(
    s_1: ArrayLike, s_k: ArrayLike, n_test: ArrayLike, alpha: float = ALPHA
) -> Floats:
    """Compute the standard error of the gap between the top and the k-th score (equation 2).

    Examples
    --------
    >>> round(float(standard_error_of_difference(0.9, 0.88, 1000, 1.0)), 4)
    0.014
    """
    s_1, s_k, n_test = _proportions(s_1), _proportions(s_k), _sizes(n_test)
    return np.sqrt((s_1 * (1 - s_1) + s_k * (1 - s_k)) / n_test**alpha)


@dataclass(frozen=True)
class GapModel:
    """The gap between the top and the k-th score, and the two errors that the index may meet.

    The *scale* is what the index divides the gap by, the error that the paper assumes. The *noise*
    is the error with which the gap is known: the same number if the index's own error model is
    believed (:meth:`fit_scores`), another if the data tell it, as item responses do. The observed
    gap is taken to be normal around the true one, with the noise as its standard deviation, and the
    scale to be known. Two things are said of two models that are named: that they were picked as
    the best and the k-th is another question (:mod:`saturation.statistics.top_gap`,
    :func:`decision`).

    Parameters
    ----------
    gap
        Top score minus k-th score; any shape. The index depends on its size alone.
    scale
        Denominator of R_norm, above 0; broadcast against `gap`.
    noise
        Standard error of the gap, at least 0; broadcast against `gap`. Where it is 0 the gap is
        known: the interval is a point, and measured again the gap is the same.

    Raises
    ------
    ValueError
        If a noise is negative or a scale not above 0.
    """

    gap: Floats
    scale: Floats
    noise: Floats

    def __post_init__(self) -> None:
        for name in ("gap", "scale", "noise"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), float))
        if (self.noise < 0).any():
            raise ValueError("a noise is below 0; a standard error is at least 0")
        if (self.scale <= 0).any():
            raise ValueError("a scale is not above 0; add the index's epsilon to an error of 0")

    @classmethod
    def fit_scores(
        cls, s_1: ArrayLike, s_k: ArrayLike, n_test: ArrayLike, alpha: float = ALPHA
    ) -> "GapModel":
        """Build the index's model: its standard error is the noise (equations 2, 3, footnote 3).

        The scale has `EPSILON` more, so that two perfect scores give R_norm of 0. Their noise stays
        0: measured again they are perfect again.
        """
        noise = standard_error_of_difference(s_1, s_k, n_test, alpha)
        return cls(np.subtract(s_1, s_k, dtype=float), noise + EPSILON, noise)

    def normalised_range(self) -> Floats:
        """Divide the gap by the scale: R_norm (equation 3)."""
        return self.gap / self.scale

    def index(self) -> Floats:
        """Saturation index in [0, 1] (equation 4)."""
        return np.exp(-(self.normalised_range() ** 2))

    def interval(self, level: float = CONFIDENCE) -> tuple[Floats, Floats]:
        """Index of all true gaps that a two-sided normal test does not reject.

        The confidence interval of the signed gap, seen through the index: it reaches 1 where the
        interval of the gap holds 0. It covers the index of the true gap at the level where that
        gap is 0, and between the level and half way from there to 1 elsewhere, because a gap
        counts by its size.

        Returns
        -------
        tuple of array
            Lower and upper end; missing where the gap or its noise is.
        """
        quantile = intervals.normal_quantile(float(_proportions(level, "the level of an interval")))
        half = np.where(self.noise == 0, 0.0, quantile * np.where(self.noise == 0, 1, self.noise))
        return index_limits(self.gap - half, self.gap + half, self.scale, self.scale)

    def repeat_probability(self, threshold: float = SATURATED_FROM) -> Floats:
        """Probability that the index reaches the threshold if the two are measured again.

        The new gap is normal around the observed one, which is taken to be the true one: a plug-in.
        It is not the probability that the true index reaches the threshold.

        Parameters
        ----------
        threshold
            Index to reach, a proportion.

        Returns
        -------
        array
            Proportions; missing where the gap or its noise is.
        """
        widest = widest_gap(threshold) * self.scale
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = scipy.special.ndtr((widest - self.gap) / self.noise)
            below = scipy.special.ndtr((-widest - self.gap) / self.noise)
        reached = np.where(np.isnan(self.gap), np.nan, np.abs(self.gap) <= widest)
        return np.where(self.noise == 0, reached, inside - below)


def widest_gap(threshold: float) -> float:
    """Return the widest gap, in units of the scale, at which the index reaches a threshold.

    Parameters
    ----------
    threshold
        Index to reach, a proportion; infinite for 0.

    Examples
    --------
    >>> round(widest_gap(0.7), 3)
    0.597
    """
    with np.errstate(divide="ignore"):
        return float(np.sqrt(-np.log(_proportions(threshold, "a threshold"))))


def index_limits(
    lower: ArrayLike, upper: ArrayLike, scale_at_lower: ArrayLike, scale_at_upper: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the lowest and highest index over an interval of the signed gap; 1 at a gap of 0.

    Parameters
    ----------
    scale_at_lower, scale_at_upper
        Denominator of R_norm at each end, above 0.
    """
    low, high = np.asarray(lower, float), np.asarray(upper, float)
    ends = [
        np.exp(-((end / scale) ** 2))
        for end, scale in ((low, scale_at_lower), (high, scale_at_upper))
    ]
    return np.minimum(*ends), np.where((low <= 0) & (high >= 0), 1.0, np.maximum(*ends))


def interval_of_proportions(
    s_1: ArrayLike,
    s_k: ArrayLike,
    n_1: ArrayLike,
    n_k: ArrayLike,
    alpha: float = ALPHA,
    level: float = CONFIDENCE,
) -> tuple[Floats, Floats]:
    """Interval of the index of two independent proportions whose numbers of items are known.

    The gap's interval is Newcombe's (:func:`saturation.statistics.intervals.newcombe`). Each of its
    ends belongs to a pair of scores, and the index there has the scale of those two scores, so
    that the interval holds near 0 % and 100 % and with few items too.

    Parameters
    ----------
    level
        Confidence level of the gap's interval.

    Returns
    -------
    tuple of array
        Lower and upper end; see :meth:`GapModel.interval` for what they cover.
    """
    s_1, s_k, n_1, n_k = _proportions(s_1), _proportions(s_k), _sizes(n_1), _sizes(n_k)
    _proportions(level, "the level of an interval")
    lower_1, upper_1 = intervals.wilson(s_1 * n_1, n_1, level)
    lower_k, upper_k = intervals.wilson(s_k * n_k, n_k, level)
    gaps, scales = [], []
    for limit_1, limit_k in ((lower_1, upper_k), (upper_1, lower_k)):
        distance = np.hypot(limit_1 - s_1, limit_k - s_k)
        length = np.where(distance == 0, 1.0, distance)
        at_1 = s_1 + (limit_1 - s_1) * np.abs(limit_1 - s_1) / length
        at_k = s_k + (limit_k - s_k) * np.abs(limit_k - s_k) / length
        gaps.append(at_1 - at_k)
        # Rounding may leave [0, 1] by a bit.
        errors = (
            standard_error(np.clip(score, 0, 1), n, alpha)
            for score, n in ((at_1, n_1), (at_k, n_k))
        )
        scales.append(np.hypot(*errors) + EPSILON)
    return index_limits(*gaps, *scales)


def decision(
    interval: Callable[[float], tuple[Floats, Floats]],
    k: int,
    threshold: float = SATURATED_FROM,
    level: float = CONFIDENCE,
) -> NDArray[np.str_]:
    """Decide whether the true index of the best and the k-th model reaches the threshold.

    *equivalent*: it does, by its whole interval (two one-sided tests); *separated*: it does not, by
    an interval that holds for all pairs of the k best models at once (Bonferroni); else
    *undecided*. Given the truth, each of the first two is wrong with a probability of at most
    1 - level, although the two were selected by their scores among any number of models: that makes
    their gap look wider, and the pairs of k models are counted.

    Parameters
    ----------
    interval
        Lower and upper end of the index of the two, at a confidence level.
    k
        Rank of the second of the two, at least 2.
    """
    all_pairs = 1 - (1 - level) / (k * (k - 1) / 2)
    reached = interval(level)[0] >= threshold
    missed = interval(all_pairs)[1] < threshold
    return np.select([reached, missed], [EQUIVALENT, SEPARATED], UNDECIDED)


def side_of_threshold(decided: str, threshold: float = SATURATED_FROM) -> str:
    """Describe a :func:`decision` on the index in words."""
    side = {EQUIVALENT: "is at least", SEPARATED: "is below", UNDECIDED: "may be on either side of"}
    return f"S of the true scores {side[decided]} {threshold:g}"


def saturation_index(
    s_1: ArrayLike, s_k: ArrayLike, n_test: ArrayLike, alpha: float = ALPHA
) -> Floats:
    """Saturation index in [0, 1]: near 1 when the top k are not separated (equation 4).

    Parameters
    ----------
    s_1, s_k
        Top and k-th score, proportions in [0, 1]; any broadcastable shapes.
    alpha
        Exponent of the effective test-set size.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1] or a size is below 1.

    Examples
    --------
    >>> round(float(saturation_index(0.9, 0.88, 1000, 1.0)), 3)
    0.129
    """
    return GapModel.fit_scores(s_1, s_k, n_test, alpha).index()


def _proportions(values: ArrayLike, what: str = "a score") -> Floats:
    """Values as floats; ValueError outside [0, 1], where a percentage would give no number."""
    values = np.asarray(values, float)
    # Looked at one by one only where the least or the largest, or a missing one, asks for it.
    if values.min(initial=0) >= 0 and values.max(initial=0) <= 1:
        return values
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise ValueError(
            f"{what} is {values[outside].flat[0]:g}; proportions in [0, 1] are allowed: "
            "divide percentages by 100"
        )
    return values


def _sizes(n_test: ArrayLike) -> Floats:
    sizes = np.asarray(n_test, float)
    if (sizes < 1).any():
        raise ValueError(f"a test set has {sizes[sizes < 1].flat[0]:g} items; at least 1 is needed")
    return sizes


def saturation_bin(s_index: ArrayLike, edges: ArrayLike = BIN_EDGES) -> NDArray[np.str_]:
    """Name of the bin of each index value (section 2.2): a bin holds its lower edge.

    Parameters
    ----------
    s_index
        Index values, proportions; a missing one has the empty name.
    edges
        Lower edges of all bins but the first, ascending proportions.

    Raises
    ------
    ValueError
        If an index or an edge lies outside [0, 1], or the edges are not as many as needed or not
        ascending.

    Examples
    --------
    >>> str(saturation_bin(0.95))
    'very_high'
    """
    values, lowest = _proportions(s_index, "an index"), _proportions(edges, "an edge of a bin")
    if lowest.shape != (len(BINS) - 1,) or not (np.diff(lowest) > 0).all():
        raise ValueError(f"the edges of bins are {lowest}; {len(BINS) - 1} ascending are needed")
    place = np.searchsorted(lowest, values, side="right")
    return np.where(np.isnan(values), "", np.array(BINS)[place])


def top_scores_wide(top_scores: pd.DataFrame, k: int) -> pd.DataFrame:
    """Scores of each benchmark's k best models, best first, whatever order they came in.

    Parameters
    ----------
    top_scores
        Long table with ``benchmark_id`` and ``score``.
    k
        Number of models to keep.

    Returns
    -------
    pandas.DataFrame
        Index ``benchmark_id``, columns 1..k.

    Raises
    ------
    InputError
        Naming every benchmark with fewer than k scores.
    """
    ordered = top_scores.sort_values(
        ["benchmark_id", "score"], ascending=[True, False], kind="stable"
    )
    rank = ordered.groupby("benchmark_id").cumcount() + 1
    wide = ordered.assign(place=rank).pivot(index="benchmark_id", columns="place", values="score")
    counts = ordered.groupby("benchmark_id").size()
    short = counts[counts < k]
    if len(short):
        raise InputError(
            [
                f"top scores: benchmark '{name}' has {count} scores, but k is {k}; "
                f"add scores or lower plateau.k"
                for name, count in short.items()
            ]
        )
    return wide[list(range(1, k + 1))]


def index_table(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    k: int = K,
    alpha: float = ALPHA,
    z: float = Z,
    edges: ArrayLike = BIN_EDGES,
    ceiling: float = CEILING,
) -> pd.DataFrame:
    """Saturation index of every benchmark, with the test of statistical similarity.

    Parameters
    ----------
    top_scores
        Columns ``benchmark_id`` and ``score`` (proportions).
    z
        Normal quantile: the top k are statistically similar if the gap is at most z standard
        errors (section 2.2).
    ceiling
        Similar top models are at the ceiling if the best score reaches it: "saturated" by the
        definition box of section 2.1, which names no number, and "stagnated" below it.

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, k, alpha, n_test, s_1, s_k, se_delta, r_norm, s_index, bin,
        statistically_similar, similar_at_ceiling, similar_below_ceiling``, sorted by
        ``benchmark_id``.
    """
    wide = top_scores_wide(top_scores, k)
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    table = table.reset_index(drop=True)
    s_1 = wide[1].loc[table["benchmark_id"]].to_numpy()
    s_k = wide[k].loc[table["benchmark_id"]].to_numpy()
    n_test = table["n_test"].to_numpy()
    model = GapModel.fit_scores(s_1, s_k, n_test, alpha)
    r_norm, s_index = model.normalised_range(), model.index()
    similar = r_norm <= z
    return pd.DataFrame(
        {
            "benchmark_id": table["benchmark_id"],
            "k": k,
            "alpha": alpha,
            "n_test": n_test,
            "s_1": s_1,
            "s_k": s_k,
            "se_delta": model.noise,
            "r_norm": r_norm,
            "s_index": s_index,
            "bin": saturation_bin(s_index, edges),
            "statistically_similar": similar,
            "similar_at_ceiling": similar & (s_1 >= ceiling),
            "similar_below_ceiling": similar & (s_1 < ceiling),
        }
    )


def annotated(benchmarks: pd.DataFrame, index: pd.DataFrame) -> pd.DataFrame:
    """Join annotations and index, a row a benchmark, in the order of the annotations.

    Parameters
    ----------
    benchmarks
        Annotations by ``benchmark_id``, ``n_test`` among them.
    index
        Table of :func:`index_table` over the same benchmarks.
    """
    return benchmarks.merge(index.drop(columns="n_test"), on="benchmark_id", validate="1:1")


def setting(index: pd.DataFrame) -> tuple[int, float]:
    """Return k and alpha of a table of :func:`index_table`."""
    ((k, alpha),) = index[["k", "alpha"]].drop_duplicates().itertuples(index=False, name=None)
    return int(k), float(alpha)
