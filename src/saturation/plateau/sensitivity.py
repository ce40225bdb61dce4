"""How the saturation index moves with its parameters k and alpha (plateau paper, section 2.3)."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import BINS, EPSILON, saturation_bin, saturation_index, top_scores_wide
from saturation.statistics import correlation


def tables(
    reference: pd.DataFrame,
    others: Mapping[str, pd.DataFrame],
    cells: pd.DataFrame,
    saturated_from: float,
) -> dict[str, pd.DataFrame]:
    """The study's tables ``comparisons, transitions, grid``.

    Parameters
    ----------
    reference
        Index table at the default setting.
    others
        Index tables at Table 1's settings, by name.
    cells
        Table of :func:`grid`.
    saturated_from
        Index from which a benchmark counts as saturated.
    """
    comparisons = {
        name: pd.DataFrame([compare(reference, table)]) for name, table in others.items()
    }
    moves = {name: transitions(reference, table) for name, table in others.items()}
    return {
        "comparisons": _labelled(comparisons, others),
        "transitions": _labelled(moves, others),
        "grid": grid_summary(cells, reference, saturated_from),
    }


def _labelled(
    by_setting: Mapping[str, pd.DataFrame], others: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """The settings' tables below each other, with the name, k and alpha of each setting."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "setting": name,
                    "k": others[name]["k"].iloc[0],
                    "alpha": others[name]["alpha"].iloc[0],
                    **table,
                }
            )
            for name, table in by_setting.items()
        ],
        ignore_index=True,
    )


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
    agreement = correlation.spearman(pair["s_index_a"], pair["s_index_b"])
    steps = np.abs(_bin_number(pair["bin_a"]) - _bin_number(pair["bin_b"]))
    changed = steps > 0
    return {
        "n": len(pair),
        "mean_shift": float((pair["s_index_a"] - pair["s_index_b"]).abs().mean()),
        "spearman": agreement["estimate"],
        "spearman_lower": agreement["lower"],
        "spearman_upper": agreement["upper"],
        "same_bin": float(np.mean(~changed)),
        "neighbouring": float(np.mean(steps[changed] == 1)) if changed.any() else float("nan"),
    }


def transitions(reference: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Number of benchmarks that move from each bin of one setting to each bin of another.

    Parameters
    ----------
    reference, other
        Tables with ``benchmark_id, bin``.

    Returns
    -------
    pandas.DataFrame
        Long table ``bin_from, bin_to, n`` with all 25 pairs.
    """
    pair = reference.merge(other, on="benchmark_id", suffixes=("_a", "_b"), validate="1:1")
    moves = pd.MultiIndex.from_product([BINS, BINS], names=["bin_from", "bin_to"])
    counts = pair.groupby(["bin_a", "bin_b"]).size().reindex(moves, fill_value=0)
    return counts.to_frame("n").reset_index()


def grid(
    benchmarks: pd.DataFrame,
    top_scores: pd.DataFrame,
    ks: Iterable[int],
    alphas: Iterable[float],
    edges: Iterable[float],
    epsilon: float = EPSILON,
) -> pd.DataFrame:
    """Index and bin of every benchmark at every k and alpha.

    Parameters
    ----------
    benchmarks, top_scores
        Columns ``benchmark_id, n_test``, and ``benchmark_id, score`` (proportions).
    ks, alphas
        The grid.
    edges, epsilon
        See :func:`saturation.index.index_table`.

    Returns
    -------
    pandas.DataFrame
        Long table ``k, alpha, benchmark_id, s_index, bin``.
    """
    table = benchmarks[["benchmark_id", "n_test"]].sort_values("benchmark_id")
    n_test = table["n_test"].to_numpy()
    bounds = list(edges)
    cells = []
    for k in ks:
        wide = top_scores_wide(top_scores, k).loc[table["benchmark_id"]]
        for alpha in alphas:
            s_index = saturation_index(
                wide[1].to_numpy(), wide[k].to_numpy(), n_test, alpha, epsilon
            )
            cells.append(
                pd.DataFrame(
                    {
                        "k": k,
                        "alpha": alpha,
                        "benchmark_id": table["benchmark_id"].to_numpy(),
                        "s_index": s_index,
                        "bin": saturation_bin(s_index, bounds),
                    }
                )
            )
    return pd.concat(cells, ignore_index=True)


def grid_summary(
    cells: pd.DataFrame, reference: pd.DataFrame, saturated_from: float
) -> pd.DataFrame:
    """Agreement of every cell of the grid with the reference setting.

    Parameters
    ----------
    cells
        Table of :func:`grid`.
    reference
        Index table at the default setting.
    saturated_from
        Index from which a benchmark counts as saturated.

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


def _bin_number(bins: pd.Series) -> NDArray[np.int_]:
    return np.array([BINS.index(name) for name in bins])
