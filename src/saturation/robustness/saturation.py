"""Is a saturated benchmark a robust one? Saturation index of a dataset against its consistency."""

from itertools import permutations
from math import factorial

import numpy as np
import pandas as pd
import scipy

from saturation import index

# All orders are tried up to this many datasets: 8! = 40,320.
MOST_EXACT = 8
# What mean consistency is ranked against.
MEASURES = ("s_index", "s_index_own", "performance")


def tables(
    pairs: pd.DataFrame,
    datasets: pd.DataFrame,
    plateau: pd.DataFrame,
    known: pd.DataFrame,
    k: int,
    alpha: float,
) -> dict[str, pd.DataFrame]:
    """`saturation`, each dataset's index beside its robustness, and their `correlations`.

    Parameters
    ----------
    pairs, datasets, plateau, k, alpha
        As for :func:`link`.
    known
        `dataset`, `benchmark_id` (missing where the dataset is no benchmark of the plateau study).
    """
    linked = link(pairs, datasets, plateau, known.set_index("dataset")["benchmark_id"], k, alpha)
    correlations = pd.DataFrame(
        [
            {"index": name, **rank_correlation(linked[name], linked["output_consistency"])}
            for name in MEASURES
        ]
    )
    made_up = bool(pairs["synthetic"].any())
    return {"saturation": linked, "correlations": correlations.assign(synthetic=made_up)}


def link(
    pairs: pd.DataFrame,
    datasets: pd.DataFrame,
    plateau: pd.DataFrame,
    benchmark_ids: pd.Series,
    k: int,
    alpha: float,
) -> pd.DataFrame:
    """Saturation of each dataset beside its mean robustness.

    Parameters
    ----------
    pairs
        One row a model and dataset: `performance`, `n_examples`.
    datasets
        From :func:`saturation.robustness.consistency.dataset_measures`.
    plateau
        The plateau study's index: `benchmark_id`, `s_index`, `bin`.
    benchmark_ids
        `benchmark_id` by dataset name, missing where the dataset is none of its benchmarks.
    k, alpha
        Settings of the index computed from this study's own scores.

    Returns
    -------
    pandas.DataFrame
        `dataset`, `benchmark_id`, `s_index` and `bin` (the plateau study's: today's best models
        on the whole test set), `s_index_own` (the best k models of this study on its examples;
        missing with fewer than k models), then the columns of `datasets`.
    """
    table = datasets.copy()
    table.insert(1, "benchmark_id", table["dataset"].map(benchmark_ids))
    known = plateau.set_index("benchmark_id")
    table.insert(2, "s_index", table["benchmark_id"].map(known["s_index"]))
    table.insert(3, "bin", table["benchmark_id"].map(known["bin"]))
    indices = {
        dataset: _index(group, k, alpha)
        for dataset, group in pairs.groupby("dataset", observed=True)
    }
    table.insert(4, "s_index_own", table["dataset"].map(indices))
    return table.sort_values("dataset", ignore_index=True)


def rank_correlation(x: pd.Series, y: pd.Series) -> dict[str, float]:
    """Spearman's correlation of the complete cases, with the exact permutation p-value if few.

    Parameters
    ----------
    x, y
        Equally long; a case is complete where neither is missing.

    Returns
    -------
    dict
        `rho`, `p` (two-sided) and `n`; rho and p are missing with fewer than three cases.
    """
    both = x.notna() & y.notna()
    a, b = scipy.stats.rankdata(x[both]), scipy.stats.rankdata(y[both])
    n = len(a)
    if n < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return {"rho": float("nan"), "p": float("nan"), "n": n}
    result = scipy.stats.spearmanr(a, b)
    if n > MOST_EXACT:
        return {"rho": float(result.statistic), "p": float(result.pvalue), "n": n}
    products = np.array([a @ np.array(order) for order in permutations(b)])
    centre = n * a.mean() * b.mean()
    extreme = np.abs(products - centre) >= abs(a @ b - centre) - 1e-9
    return {"rho": float(result.statistic), "p": float(extreme.sum() / factorial(n)), "n": n}


def _index(group: pd.DataFrame, k: int, alpha: float) -> float:
    if len(group) < k:
        return float("nan")
    best = group["performance"].nlargest(k)
    n = group["n_examples"].min()
    return float(index.saturation_index(best.iloc[0], best.iloc[-1], n, alpha))
