"""The saturation index of a benchmark from its top scores (plateau paper, section 2.2)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation.errors import InputError

BINS = ["very_low", "low", "moderate", "high", "very_high"]
BIN_EDGES = (0.01, 0.3, 0.7, 0.9)
SATURATED_FROM = 0.7
EPSILON = 1e-12

Array = NDArray[np.float64]


def standard_error(score: ArrayLike, n_test: ArrayLike, alpha: float = 0.5) -> Array:
    """Standard error of an accuracy-like score (plateau paper, equation 1).

    Parameters
    ----------
    score
        Proportion in [0, 1].
    n_test
        Number of test items, at least 1.
    alpha
        Exponent of the effective test-set size ``n_test ** alpha``; 1 is the binomial error.
    """
    score = np.asarray(score, dtype=float)
    return np.sqrt(score * (1 - score) / np.asarray(n_test, dtype=float) ** alpha)


def standard_error_of_difference(
    s_1: ArrayLike, s_k: ArrayLike, n_test: ArrayLike, alpha: float = 0.5
) -> Array:
    """Standard error of the gap between the top and the k-th score (equation 2)."""
    return np.hypot(standard_error(s_1, n_test, alpha), standard_error(s_k, n_test, alpha))


def normalised_range(
    s_1: ArrayLike,
    s_k: ArrayLike,
    n_test: ArrayLike,
    alpha: float = 0.5,
    epsilon: float = EPSILON,
) -> Array:
    """Gap between the top and the k-th score in units of its standard error (equation 3).

    `epsilon` is added to the standard error, so that two perfect scores give 0 (footnote 3).
    """
    gap = np.asarray(s_1, dtype=float) - np.asarray(s_k, dtype=float)
    return gap / (standard_error_of_difference(s_1, s_k, n_test, alpha) + epsilon)


def saturation_index(
    s_1: ArrayLike,
    s_k: ArrayLike,
    n_test: ArrayLike,
    alpha: float = 0.5,
    epsilon: float = EPSILON,
) -> Array:
    """Saturation index in [0, 1]: near 1 when the top k cannot be told apart (equation 4).

    Parameters
    ----------
    s_1, s_k
        Top and k-th score, proportions in [0, 1]; any broadcastable shapes.
    n_test
        Number of test items.
    alpha
        Exponent of the effective test-set size.
    epsilon
        Stabilisation of the denominator.
    """
    return np.exp(-(normalised_range(s_1, s_k, n_test, alpha, epsilon) ** 2))


def saturation_bin(s_index: ArrayLike, edges: ArrayLike = BIN_EDGES) -> NDArray[np.str_]:
    """Name of the bin of each index value (section 2.2): a bin holds its lower edge."""
    return np.array(BINS)[np.searchsorted(np.asarray(edges, dtype=float), s_index, side="right")]


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
    k: int = 5,
    alpha: float = 0.5,
    z: float = 1.96,
    epsilon: float = EPSILON,
    edges: ArrayLike = BIN_EDGES,
    ceiling: float = 0.9,
) -> pd.DataFrame:
    """Saturation index of every benchmark, with the test of statistical similarity.

    Parameters
    ----------
    benchmarks
        Columns ``benchmark_id`` and ``n_test``.
    top_scores
        Columns ``benchmark_id`` and ``score`` (proportions).
    k, alpha, epsilon, edges
        See :func:`saturation_index` and :func:`saturation_bin`.
    z
        Normal quantile: the top k are statistically similar if the gap is at most z standard
        errors (section 2.2).
    ceiling
        Similar top models are ``saturated`` if the best score reaches it, else ``stagnated``
        (definition box of section 2.1; the paper names no number).

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, k, alpha, n_test, s_1, s_k, se_delta, r_norm, s_index, bin,
        statistically_similar, saturated, stagnated``, sorted by ``benchmark_id``.
    """
    wide = top_scores_wide(top_scores, k)
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    table = table.reset_index(drop=True)
    s_1 = wide[1].loc[table["benchmark_id"]].to_numpy()
    s_k = wide[k].loc[table["benchmark_id"]].to_numpy()
    n_test = table["n_test"].to_numpy()
    r_norm = normalised_range(s_1, s_k, n_test, alpha, epsilon)
    s_index = saturation_index(s_1, s_k, n_test, alpha, epsilon)
    similar = r_norm <= z
    return pd.DataFrame(
        {
            "benchmark_id": table["benchmark_id"],
            "k": k,
            "alpha": alpha,
            "n_test": n_test,
            "s_1": s_1,
            "s_k": s_k,
            "se_delta": standard_error_of_difference(s_1, s_k, n_test, alpha),
            "r_norm": r_norm,
            "s_index": s_index,
            "bin": saturation_bin(s_index, edges),
            "statistically_similar": similar,
            "saturated": similar & (s_1 >= ceiling),
            "stagnated": similar & (s_1 < ceiling),
        }
    )
