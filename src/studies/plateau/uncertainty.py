"""Measure the uncertainty of an index: by the error of n items, and by its assumed error.

The error of n items is the binomial one, the same as in a card. Under it the index has an interval
(`saturation.index.interval_of_proportions`), which decides whether the index of the true scores
reaches the threshold (`saturation.index.decision`), from however many models the top was selected.

The index itself takes scores to be as noisy as n^alpha items make them. Under that noise the same
two models are measured again (`saturation.index.GapModel`).
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.arrays import Floats
from saturation.files.tables import NamedTables
from saturation.index import (
    BINS,
    SATURATED_FROM,
    GapModel,
    decision,
    interval_of_proportions,
    saturation_bin,
    saturation_index,
    setting,
    top_scores_wide,
)
from saturation.statistics import intervals
from saturation.statistics.resampling import p_value
from studies.correlation import ranks, row_correlations, spearman
from studies.plateau.resampling import affordable, batches


def tables(
    index: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    seed: int,
    resamples: int,
    saturated_from: float = SATURATED_FROM,
) -> NamedTables:
    """Compute the study's tables ``intervals`` and ``permuted_n``."""
    again = seeds.generator(seed, "plateau", "permuted_n")
    return {
        "intervals": uncertainty_table(index, top_scores, saturated_from),
        "permuted_n": permuted_n_control(index, resamples, again),
    }


def resample_scores(
    scores: Floats, n_effective: Floats, resamples: int, rng: np.random.Generator
) -> Floats:
    """Draw scores with the mean and the variance that equation 1 gives them, within [0, 1].

    A beta distribution with precision ``n_effective - 1`` has mean s and variance
    s (1 - s) / n_effective, and unlike a normal it stays within the bounds. With n_effective = 1
    that is a Bernoulli distribution. Scores of exactly 0 or 1 have no error under equation 1 and
    stay.

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


def error_of_index(
    scores: Floats, n_test: Floats, alpha: float, resamples: int, rng: np.random.Generator
) -> Floats:
    """Return the standard deviation of the index over fresh leaderboards of unchanged models.

    Shape (benchmarks,).
    """
    draws = resample_scores(scores, n_test**alpha, resamples, rng)
    index = saturation_index(draws.max(axis=2), draws.min(axis=2), n_test, alpha)
    return np.asarray(index.std(axis=0))


def equal_pair_probability(threshold: float) -> float:
    """Return the probability that two equally good models are measured to reach an index.

    Then R_norm is standard normal (many items), and ``S = exp(-R_norm^2)`` is at least t where
    ``|R_norm| <= sqrt(-log t)``, whatever n and alpha are.
    """
    equal = GapModel(np.array(0.0), scale=np.array(1.0), noise=np.array(1.0))
    return float(equal.repeat_probability(threshold))


def uncertainty_table(
    index: pd.DataFrame, top_scores: pd.DataFrame, saturated_from: float = SATURATED_FROM
) -> pd.DataFrame:
    """Compute each index's uncertainty, and whether the index is at the threshold.

    Parameters
    ----------
    index, top_scores
        Table of :func:`saturation.index.index_table`, and ``benchmark_id, score`` (proportions).
    saturated_from
        Index from which a benchmark counts as saturated.

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, s_index``. By the error of n items: ``s_lower, s_upper`` (95 %),
        ``first_and_kth`` (:func:`saturation.index.decision`). By the
        index's own error: ``s_lower_index_noise, s_upper_index_noise``;
        ``p_again_index_noise``, the plug-in probability that the same two reach the threshold
        again.
    """
    k, alpha = setting(index)
    scores = top_scores_wide(top_scores, k).loc[index["benchmark_id"]].to_numpy()
    n_test = index["n_test"].to_numpy(float)
    best, last = scores[:, 0], scores[:, -1]
    assumed = GapModel.fit_scores(best, last, n_test, alpha)

    def limits(level: float) -> tuple[Floats, Floats]:
        return interval_of_proportions(best, last, n_test, n_test, alpha, level)

    lower, upper = limits(intervals.CONFIDENCE)
    assumed_lower, assumed_upper = assumed.interval()
    return pd.DataFrame(
        {
            "benchmark_id": index["benchmark_id"].to_numpy(),
            "s_index": assumed.index(),
            "s_lower": lower,
            "s_upper": upper,
            "first_and_kth": decision(limits, k, saturated_from),
            "s_lower_index_noise": assumed_lower,
            "s_upper_index_noise": assumed_upper,
            "p_again_index_noise": assumed.repeat_probability(saturated_from),
        }
    )


def permuted_n_control(
    index: pd.DataFrame, permutations: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Compare the correlation of index and test-set size with what its construction implies.

    The size n enters the index through the standard error, so the two correlate even if n were
    noise. Here n is shuffled over the benchmarks, the index is recomputed, and its
    rank correlation with the shuffled n is the null.

    - ``index``: table of :func:`saturation.index.index_table`, one k and alpha.

    One row: ``outcome, spearman, null_mean, null_lower, null_upper, p_value``, two-sided around
    the null's mean.
    """
    s_1, s_k = index["s_1"].to_numpy(), index["s_k"].to_numpy()
    n_test = index["n_test"].to_numpy(float)
    alpha = index["alpha"].iloc[0]
    number = affordable(permutations, len(n_test))
    shuffled = rng.permuted(np.tile(n_test, (number, 1)), axis=1)

    def correlate(sizes: Floats) -> Floats:
        index_ranks = ranks(saturation_index(s_1, s_k, sizes, alpha))
        return row_correlations(ranks(sizes), index_ranks, np.empty((len(n_test), 0)))

    rho = correlate(n_test[None, :]).item()
    null = np.concatenate([correlate(shuffled[deals]) for deals in batches(number, len(n_test))])
    lower, upper = intervals.percentile(null)
    row = {
        "outcome": "s_index",
        "spearman": rho,
        "null_mean": null.mean(),
        "null_lower": lower,
        "null_upper": upper,
        "p_value": p_value(abs(rho - null.mean()), np.abs(null - null.mean())),
    }
    return pd.DataFrame([row])


def raw_gap(s_1: Floats, s_k: Floats) -> Floats:
    """Gaps to be ranked: equal gaps of unlike scores differ in the last bit, but are ties."""
    return np.round(s_1 - s_k, 9)


def comparisons(reference: pd.DataFrame, others: NamedTables) -> pd.DataFrame:
    """Compare index tables with the reference: a row a table, with its name, k and alpha."""
    return pd.DataFrame(
        {"setting": name, **table[["k", "alpha"]].iloc[0].to_dict(), **compare(reference, table)}
        for name, table in others.items()
    )


def compare(reference: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Measure agreement of two index tables over shared benchmarks (Table 1).

    - ``reference, other``: tables with ``benchmark_id, s_index, bin``.

    ``n``; ``mean_shift``: mean absolute change of the index; ``spearman`` with its 95 %
    interval ``spearman_lower, spearman_upper`` (Fisher's z with the Bonett and Wright 2000
    standard error); ``same_bin``: share of benchmarks in the same bin; ``neighbouring``: share
    of the benchmarks that changed bin whose new bin is adjacent.
    """
    pair = reference.merge(other, on="benchmark_id", suffixes=("_a", "_b"), validate="1:1")
    agreement = spearman(pair["s_index_a"], pair["s_index_b"])
    steps = (pair["bin_a"].map(BINS.index) - pair["bin_b"].map(BINS.index)).abs()
    changed = steps > 0
    return {
        "n": len(pair),
        "mean_shift": (pair["s_index_a"] - pair["s_index_b"]).abs().mean(),
        "spearman": agreement["estimate"],
        "spearman_lower": agreement["lower"],
        "spearman_upper": agreement["upper"],
        "same_bin": (~changed).mean(),
        "neighbouring": (steps[changed] == 1).mean(),
    }


def grid(
    reference: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    ks: Iterable[int],
    alphas: Iterable[float],
    edges: Iterable[float],
    saturated_from: float = SATURATED_FROM,
) -> pd.DataFrame:
    """Compare the index at every k and alpha with the reference setting.

    ``k, alpha``, the measures of :func:`compare` and ``n_saturated``.
    """
    table = reference[["benchmark_id", "n_test"]]
    n_test, bounds = table["n_test"].to_numpy(), list(edges)
    rows = []
    for k in sorted(ks):
        wide = top_scores_wide(top_scores, k).loc[table["benchmark_id"]]
        s_1, s_k = wide[1].to_numpy(), wide[k].to_numpy()
        for alpha in sorted(alphas):
            s_index = saturation_index(s_1, s_k, n_test, alpha)
            cell = table.assign(s_index=s_index, bin=saturation_bin(s_index, bounds))
            count = (s_index >= saturated_from).sum()
            rows.append({"k": k, "alpha": alpha, **compare(reference, cell), "n_saturated": count})
    return pd.DataFrame(rows)
