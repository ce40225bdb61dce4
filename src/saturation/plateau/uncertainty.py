"""How firm is a saturation index? Resampling under the index's own error model.

Two questions, two answers. *Fixed pair*: the top and the k-th model are evaluated again and the
same two are compared. *Re-ranked*: all k are evaluated again and the best is compared with the
worst, as a fresh leaderboard would. The second spread is wider, because the range of k noisy
scores grows with k even when all models are equal; the reference column says how often k truly
equal models would be called saturated.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from saturation.index import EPSILON, SATURATED_FROM, saturation_index, top_scores_wide
from saturation.statistics.permutation import p_value

Array = NDArray[np.float64]

INTERVAL = (0.025, 0.975)


def resample_scores(
    scores: Array, n_effective: Array, resamples: int, rng: np.random.Generator
) -> Array:
    """Draw scores with the mean and the variance that equation 1 gives them, within [0, 1].

    A beta distribution with precision ``n_effective - 1`` has mean s and variance
    s (1 - s) / n_effective, and unlike a normal it stays within the bounds. With n_effective = 1
    that is a Bernoulli distribution. Scores of exactly 0 or 1 have no error under equation 1 and
    stay.

    Parameters
    ----------
    scores
        Shape (benchmarks, k).
    n_effective
        Shape (benchmarks,), at least 1.
    resamples
        Number of draws.
    rng
        Random generator.

    Returns
    -------
    numpy.ndarray
        Shape (resamples, benchmarks, k).
    """
    precision = (n_effective - 1)[:, None]
    inner = (scores > 0) & (scores < 1)
    safe = np.where(inner, scores, 0.5)
    strength = np.where(precision > 0, precision, 1.0)
    shape = (resamples, *scores.shape)
    draws = rng.beta(safe * strength, (1 - safe) * strength, size=shape)
    if (precision <= 0).any():
        draws = np.where(precision > 0, draws, rng.random(shape) < safe)
    return np.where(inner, draws, scores)


def equal_pair_probability(threshold: float) -> float:
    """Probability that two models with the same true score give an index of at least this.

    Then R_norm is standard normal (many items), and S = exp(-R_norm^2) is at least t where
    |R_norm| <= sqrt(-log t), whatever n and alpha are.
    """
    return float(2 * stats.norm.cdf(np.sqrt(-np.log(threshold))) - 1)


def uncertainty_table(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    k: int,
    alpha: float,
    resamples: int,
    rng: np.random.Generator,
    saturated_from: float = SATURATED_FROM,
    epsilon: float = EPSILON,
) -> pd.DataFrame:
    """Interval of each index and probability that the benchmark is saturated.

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, s_index``; ``s_lower, s_upper, p_saturated`` for the fixed pair;
        ``reranked_lower, reranked_median, reranked_upper, p_saturated_reranked``;
        ``p_saturated_if_equal``: the re-ranked probability if all k models had the mean score.
        Intervals hold the central 95 %; with few effective items the fixed-pair interval of a
        very high index can end just below it, because the index cannot exceed 1.
    """
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    scores = top_scores_wide(top_scores, k).loc[table["benchmark_id"]].to_numpy()
    n_test = table["n_test"].to_numpy(dtype=float)
    n_effective = n_test**alpha

    def index_of(first: Array, last: Array) -> Array:
        return saturation_index(first, last, n_test, alpha, epsilon)

    draws = resample_scores(scores, n_effective, resamples, rng)
    fixed = index_of(draws[:, :, 0], draws[:, :, -1])
    reranked = index_of(draws.max(axis=2), draws.min(axis=2))
    equal_scores = np.repeat(scores.mean(axis=1, keepdims=True), k, axis=1)
    equal = resample_scores(equal_scores, n_effective, resamples, rng)
    reference = index_of(equal.max(axis=2), equal.min(axis=2))
    lower, upper = np.quantile(fixed, INTERVAL, axis=0)
    reranked_lower, reranked_median, reranked_upper = np.quantile(
        reranked, [INTERVAL[0], 0.5, INTERVAL[1]], axis=0
    )
    return pd.DataFrame(
        {
            "benchmark_id": table["benchmark_id"].to_numpy(),
            "s_index": index_of(scores[:, 0], scores[:, -1]),
            "s_lower": lower,
            "s_upper": upper,
            "p_saturated": (fixed >= saturated_from).mean(axis=0),
            "reranked_lower": reranked_lower,
            "reranked_median": reranked_median,
            "reranked_upper": reranked_upper,
            "p_saturated_reranked": (reranked >= saturated_from).mean(axis=0),
            "p_saturated_if_equal": (reference >= saturated_from).mean(axis=0),
        }
    )


def permuted_n_control(
    index: pd.DataFrame,
    permutations: int,
    rng: np.random.Generator,
    epsilon: float = EPSILON,
) -> pd.DataFrame:
    """Compare the correlation of index and test-set size with what its construction implies.

    The size n enters the index through the standard error, so the two correlate even if n were
    noise. Here n is dealt out at random over the benchmarks, the index is computed anew, and its
    rank correlation with the dealt n is the null.

    Parameters
    ----------
    index
        Table of :func:`saturation.index.index_table`, one k and alpha.
    permutations
        Number of random assignments.
    rng
        Random generator.
    epsilon
        Stabilisation of the denominator.

    Returns
    -------
    pandas.DataFrame
        One row for the index and one for the raw gap s_1 - s_k:
        ``outcome, spearman, null_mean, null_lower, null_upper, p_value``. The raw gap does not
        contain n, so its null is centred on 0. Two-sided p-values around the null's mean.
    """
    s_1, s_k = index["s_1"].to_numpy(), index["s_k"].to_numpy()
    n_test = index["n_test"].to_numpy(dtype=float)
    alpha = float(index["alpha"].iloc[0])
    dealt = rng.permuted(np.tile(n_test, (permutations, 1)), axis=1)
    gap = s_1 - s_k
    outcomes = {
        "s_index": (
            saturation_index(s_1, s_k, n_test, alpha, epsilon),
            saturation_index(s_1, s_k, dealt, alpha, epsilon),
        ),
        "top_gap": (gap, np.broadcast_to(gap, dealt.shape)),
    }
    rows = []
    for outcome, (observed, permuted) in outcomes.items():
        rho = _row_spearman(observed[None, :], n_test[None, :])[0]
        null = _row_spearman(permuted, dealt)
        distance = np.abs(null - null.mean())
        rows.append(
            {
                "outcome": outcome,
                "spearman": rho,
                "null_mean": null.mean(),
                "null_lower": np.quantile(null, INTERVAL[0]),
                "null_upper": np.quantile(null, INTERVAL[1]),
                "p_value": p_value(abs(rho - null.mean()), distance),
            }
        )
    return pd.DataFrame(rows)


def _row_spearman(left: Array, right: Array) -> Array:
    """Spearman correlation of each row of two matrices; NaN where one does not vary."""
    a = stats.rankdata(left, axis=1)
    b = stats.rankdata(right, axis=1)
    a -= a.mean(axis=1, keepdims=True)
    b -= b.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
