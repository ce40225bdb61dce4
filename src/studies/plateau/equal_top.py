"""Compute the chance of the gap at the top if all models were equal.

The paper's five scores are the best of a number of models that it does not state, so the answer is
given over a range of numbers. Models are equal: they solve every item with the same probability.
What they share through the items is not known either. Independent answers give the widest gaps;
the more the models agree item by item, the smaller the gap that chance alone gives
(`saturation.statistics.top_gap`).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from saturation.index import setting, standard_error, top_scores_wide
from saturation.statistics.intervals import ALPHA
from saturation.statistics.top_gap import Counts, EqualModels

MODELS = (5, 10, 20, 50, 100, 200)
DEPENDENCE = (0.0, 0.5, 0.8)
# Up to this variance of a count (n p (1 - p)) the chance of a gap is exact; above it that of normal
# scores, which is out by less than 0.003.
LARGE = 20_000
COLUMNS = ["benchmark_id", "s_index", "score", "gap", "models", "dependence", "p_larger"]


def equal_top(
    index: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    models: Sequence[int] = MODELS,
    dependence: Sequence[float] = DEPENDENCE,
) -> pd.DataFrame:
    """Compute the study's table ``equal_top``.

    Parameters
    ----------
    models
        Numbers of models that the top was picked from; those below k are left out.
    dependence
        Correlations of two models' answers to an item, from 0.

    Returns
    -------
    pandas.DataFrame
        A row for each benchmark, number of models and dependence: ``benchmark_id, s_index, score``
        (common to all models), ``gap`` (a proportion), ``models, dependence`` and ``p_larger``, the
        probability of at least the observed gap.
    """
    k, _ = setting(index)
    numbers = [m for m in models if m >= k]
    normal = [EqualModels.normal(k, m, 1.0) for m in numbers]
    table = index.reset_index(drop=True).assign(
        score=top_scores_wide(top_scores, k).loc[index["benchmark_id"]].mean(axis=1).to_numpy(),
        gap=lambda rows: rows["s_1"] - rows["s_k"],
    )
    tables = []
    for shared in dependence:
        chances = _chances(table, k, numbers, normal, float(shared))
        for m, column in zip(numbers, chances.T):
            tables.append(table.assign(models=m, dependence=float(shared), p_larger=column))
    if not tables:
        return pd.DataFrame(columns=COLUMNS)
    rows = pd.concat(tables).rename_axis("row")
    return rows.sort_values(["row", "models"], kind="stable", ignore_index=True)[COLUMNS]


def counted(table: pd.DataFrame, saturated_from: float) -> pd.DataFrame:
    """Count gaps that are larger than an all-equal top would have, by assumption.

    ``dependence, models``; number ``n`` of benchmarks, ``larger``; ``n_saturated`` (by the observed
    index), ``larger_saturated``.
    """
    larger, saturated = table["p_larger"] <= ALPHA, table["s_index"] >= saturated_from
    marked = table.assign(larger=larger, n_saturated=saturated, larger_saturated=larger & saturated)
    grouped = marked.assign(n=1).groupby(["dependence", "models"])
    return grouped[["n", "larger", "n_saturated", "larger_saturated"]].sum().reset_index()


def _chances(
    table: pd.DataFrame,
    k: int,
    models: Sequence[int],
    normal: Sequence[EqualModels],
    dependence: float,
) -> Floats:
    """Compute the chance of each benchmark's gap, a column a number of models."""
    n_test, score, gap = (table[name].to_numpy() for name in ("n_test", "score", "gap"))
    error = standard_error(score, n_test, 1.0) * np.sqrt(1 - dependence)
    # Of models that cannot differ every gap above 0 is beyond all of theirs.
    unit = np.maximum(error, 1e-300)
    chances = np.column_stack(
        [np.empty((len(table), 0)), *(top.p_value(gap / unit) for top in normal)]
    )
    variance = n_test * score * (1 - score) * (1 - dependence)
    for row in np.flatnonzero(variance <= LARGE) if models else ():
        n = int(n_test[row])
        items = round(gap[row] * n)
        counts = Counts.of_models(max(models), n, float(score[row]), dependence)
        # Every gap is at least none.
        smaller = counts.within([items - 1], k, np.array(models))[0] if items else 0.0
        chances[row] = 1 - smaller
    return chances
