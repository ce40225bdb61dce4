"""How the saturation index moves with its parameters k and alpha (plateau paper, section 2.3)."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

from saturation.index import BINS, EPSILON, saturation_bin, saturation_index, top_scores_wide
from saturation.statistics.correlation import spearman_interval


def compare(reference: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Agreement of two index tables over the same benchmarks (Table 1).

    Parameters
    ----------
    reference, other
        Tables with ``benchmark_id, s_index, bin``.

    Returns
    -------
    dict
        ``n``; ``mean_shift``: mean absolute change of the index; ``spearman`` with its 95 %
        interval ``spearman_lower, spearman_upper`` (Fisher's z with the Bonett and Wright 2000
        standard error); ``same_bin``: share of benchmarks in the same bin; ``neighbouring``: share
        of the benchmarks that changed bin whose new bin is adjacent.
    """
    pair = reference.merge(other, on="benchmark_id", suffixes=("_a", "_b"), validate="1:1")
    rho = float(stats.spearmanr(pair["s_index_a"], pair["s_index_b"]).statistic)
    lower, upper = spearman_interval(rho, len(pair))
    steps = np.abs(_bin_number(pair["bin_a"]) - _bin_number(pair["bin_b"]))
    changed = steps > 0
    return {
        "n": len(pair),
        "mean_shift": float((pair["s_index_a"] - pair["s_index_b"]).abs().mean()),
        "spearman": rho,
        "spearman_lower": lower,
        "spearman_upper": upper,
        "same_bin": float(np.mean(~changed)),
        "neighbouring": float(np.mean(steps[changed] == 1)) if changed.any() else float("nan"),
    }


def transitions(reference: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Number of benchmarks that move from each bin of one setting to each bin of another.

    Returns
    -------
    pandas.DataFrame
        Long table ``bin_from, bin_to, n`` with all 25 pairs.
    """
    pair = reference.merge(other, on="benchmark_id", suffixes=("_a", "_b"), validate="1:1")
    counts = pd.crosstab(pair["bin_a"], pair["bin_b"]).reindex(
        index=BINS, columns=BINS, fill_value=0
    )
    long = counts.rename_axis(index="bin_from", columns="bin_to").stack().rename("n")
    return long.reset_index()


def grid(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    ks: Iterable[int],
    alphas: Iterable[float],
    edges: Iterable[float],
    epsilon: float = EPSILON,
) -> pd.DataFrame:
    """Index and bin of every benchmark at every k and alpha.

    Returns
    -------
    pandas.DataFrame
        Long table ``k, alpha, benchmark_id, s_index, bin``.
    """
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    n_test = table["n_test"].to_numpy()
    edges = list(edges)
    parts = []
    for k in ks:
        wide = top_scores_wide(top_scores, k).loc[table["benchmark_id"]]
        for alpha in alphas:
            s_index = saturation_index(
                wide[1].to_numpy(), wide[k].to_numpy(), n_test, alpha, epsilon
            )
            parts.append(
                pd.DataFrame(
                    {
                        "k": k,
                        "alpha": alpha,
                        "benchmark_id": table["benchmark_id"].to_numpy(),
                        "s_index": s_index,
                        "bin": saturation_bin(s_index, edges),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def grid_summary(
    cells: pd.DataFrame, reference: pd.DataFrame, saturated_from: float
) -> pd.DataFrame:
    """Agreement of every cell of the grid with the reference setting.

    Returns
    -------
    pandas.DataFrame
        ``k, alpha``, the measures of :func:`compare` and ``n_saturated``.
    """
    rows = [
        {
            "k": k,
            "alpha": alpha,
            **compare(reference, cell),
            "n_saturated": int((cell["s_index"] >= saturated_from).sum()),
        }
        for (k, alpha), cell in cells.groupby(["k", "alpha"], sort=True)
    ]
    return pd.DataFrame(rows)


def _bin_number(bins: pd.Series) -> np.ndarray:
    return bins.map({name: number for number, name in enumerate(BINS)}).to_numpy()
