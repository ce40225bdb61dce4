"""How firm a saturation index is under its own error model.

Two questions, two answers. *Fixed pair*: the top and the k-th model are evaluated again and the
same two are compared; the gap is normal around the observed one (`saturation.index.GapModel`), so
the answer is exact. *Re-ranked*: all k are evaluated again and the best is compared with the worst,
as a fresh leaderboard would; their scores are resampled. The second spread is wider, because the
range of k noisy scores grows with k even when all models are equal; the reference column says how
often k truly equal models would be called saturated.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from saturation import seeds
from saturation.index import EPSILON, SATURATED_FROM, GapModel, saturation_index, top_scores_wide
from saturation.statistics import intervals
from saturation.statistics.permutation import p_value

Array = NDArray[np.float64]


def tables(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    index: pd.DataFrame,
    *,
    seed: int,
    resamples: int,
    permutations: int,
    saturated_from: float = SATURATED_FROM,
    epsilon: float = EPSILON,
) -> dict[str, pd.DataFrame]:
    """The study's tables ``intervals`` and ``permuted_n``.

    Parameters
    ----------
    benchmarks, top_scores
        The prepared tables.
    index
        Table of :func:`saturation.index.index_table`, whose k and alpha are taken.
    seed
        The config's seed, from which each table derives its own.
    resamples, permutations
        Draws for :func:`uncertainty_table` and for :func:`permuted_n_control`.
    saturated_from, epsilon
        See :func:`uncertainty_table`.
    """
    return {
        "intervals": uncertainty_table(
            benchmarks,
            top_scores,
            k=int(index["k"].drop_duplicates().item()),
            alpha=float(index["alpha"].drop_duplicates().item()),
            resamples=resamples,
            rng=seeds.generator(seed, "plateau", "uncertainty"),
            saturated_from=saturated_from,
            epsilon=epsilon,
        ),
        "permuted_n": permuted_n_control(
            index, permutations, seeds.generator(seed, "plateau", "permuted_n"), epsilon
        ),
    }


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
    equal = GapModel(np.array(0.0), scale=np.array(1.0), noise=np.array(1.0))
    return float(equal.probability(threshold))


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

    Parameters
    ----------
    benchmarks, top_scores
        Columns ``benchmark_id, n_test``, and ``benchmark_id, score`` (proportions).
    k, alpha, epsilon
        See :func:`saturation.index.index_table`.
    resamples, rng
        Draws of the re-ranked columns, and what draws them.
    saturated_from
        Index from which a benchmark counts as saturated.

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, s_index``; ``s_lower, s_upper, p_saturated`` for the fixed pair;
        ``reranked_lower, reranked_median, reranked_upper, p_saturated_reranked``;
        ``p_saturated_if_equal``: the re-ranked probability if all k models had the mean score.
        Intervals hold the central 95 %. That of a high index can end just below it: a gap of
        nearly nothing is smaller than nearly all that are measured.
    """
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    scores = top_scores_wide(top_scores, k).loc[table["benchmark_id"]].to_numpy()
    n_test = table["n_test"].to_numpy(dtype=float)
    n_effective = n_test**alpha
    fixed_pair = GapModel.of_scores(scores[:, 0], scores[:, -1], n_test, alpha, epsilon)
    lower, upper = fixed_pair.interval(intervals.LEVEL)

    def index_of_range(draws: Array) -> Array:
        return saturation_index(draws.max(axis=2), draws.min(axis=2), n_test, alpha, epsilon)

    reranked = index_of_range(resample_scores(scores, n_effective, resamples, rng))
    equal_scores = np.repeat(scores.mean(axis=1, keepdims=True), k, axis=1)
    if_equal = index_of_range(resample_scores(equal_scores, n_effective, resamples, rng))
    reranked_lower, reranked_upper = intervals.percentile(reranked)
    return pd.DataFrame(
        {
            "benchmark_id": table["benchmark_id"].to_numpy(),
            "s_index": fixed_pair.index(),
            "s_lower": lower,
            "s_upper": upper,
            "p_saturated": fixed_pair.probability(saturated_from),
            "reranked_lower": reranked_lower,
            "reranked_median": np.median(reranked, axis=0),
            "reranked_upper": reranked_upper,
            "p_saturated_reranked": (reranked >= saturated_from).mean(axis=0),
            "p_saturated_if_equal": (if_equal >= saturated_from).mean(axis=0),
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
    alpha = float(index["alpha"].drop_duplicates().item())
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
        rho = _row_spearman(observed[None, :], n_test[None, :]).item()
        null = _row_spearman(permuted, dealt)
        lower, upper = intervals.percentile(null)
        distance = np.abs(null - null.mean())
        rows.append(
            {
                "outcome": outcome,
                "spearman": rho,
                "null_mean": null.mean(),
                "null_lower": lower,
                "null_upper": upper,
                "p_value": p_value(abs(rho - null.mean()), distance),
            }
        )
    return pd.DataFrame(rows)


def _row_spearman(left: Array, right: Array) -> Array:
    """Spearman correlation of each row of two matrices; NaN where one does not vary."""
    x, y = stats.rankdata(left, axis=1), stats.rankdata(right, axis=1)
    x -= x.mean(axis=1, keepdims=True)
    y -= y.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        correlation = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(correlation)
