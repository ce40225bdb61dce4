"""Compute the gap at the top that equal models would give.

The paper's five scores are the best of a number of models that it does not state, so the answer is
given over a range of numbers. Models are equal: they solve every item with the same probability.
What they share through the items is not known either. Independent answers give the widest gaps;
the more the models agree item by item, the smaller the gap that chance alone gives
(`saturation.statistics.top_gap`).

Beside the errors of the items stand those that the index assumes (n_eff = n^alpha), under which the
probability of an index depends on the number of models alone.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation.index import (
    SATURATED_FROM,
    saturation_index,
    setting,
    standard_error,
    top_scores_wide,
)
from saturation.statistics.intervals import ALPHA
from saturation.statistics.top_gap import NEGLIGIBLE, Counts, EqualModels

Array = NDArray[np.float64]
Columns = dict[str, Array]

MODELS = (5, 10, 20, 50, 100, 200)
DEPENDENCE = (0.0, 0.5, 0.8)

# Errors of the gap, at the mean of the top k scores: of the items, or those that the index assumes.
ITEMS, INDEX = "items", "index"

# Up to this variance of a count (n p (1 - p)) the chance of an index is exact, above it that of
# normal scores. Probabilities of the gap are exact up to the second, above which a normal count is
# out by less than 0.003.
EXACT, LARGE = 100, 20_000


# Benchmarks that are worked on together: their numbers stay in the processor's cache.
BATCH = 10

MEASURED = ("p_larger", "p_saturated")
COLUMNS = [
    *("benchmark_id", "s_index", "models", "errors", "dependence", "score", "gap"),
    *MEASURED,
]


@dataclass(frozen=True)
class Tops:
    """Tops of all benchmarks, how many equal models there are, and the definition of the index.

    ``gap`` and ``score`` (common to all models) are proportions, ``n_test`` numbers of items.
    """

    k: int
    alpha: float
    saturated_from: float
    models: NDArray[np.int_]
    n_test: Array
    gap: Array
    score: Array

    def reach_index(
        self, score: ArrayLike, gaps: Array, n_test: ArrayLike, chances: Array
    ) -> Array:
        """Return the chance of a saturated index, its scores lying around a common score."""
        middle, half = np.asarray(score, float), gaps / 2
        s_1, s_k = np.minimum(middle + half, 1), np.maximum(middle - half, 0)
        reached = saturation_index(s_1, s_k, n_test, self.alpha) >= self.saturated_from
        # A sum of all probabilities may exceed 1 in its last bit.
        saturated: Array = np.minimum(reached @ chances, 1.0)
        return saturated


def equal_top(
    index: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    models: Sequence[int] = MODELS,
    dependence: Sequence[float] = DEPENDENCE,
    saturated_from: float = SATURATED_FROM,
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
        A row for each benchmark, number of models, kind of errors and dependence:
        ``benchmark_id, s_index, models, errors, dependence, score`` (common to all models),
        ``gap`` (a proportion), ``p_larger``: probability of at least the observed gap;
        ``p_saturated``: probability that equal models count as saturated.
    """
    k, alpha = setting(index)
    tops = Tops(
        k,
        alpha,
        saturated_from,
        np.array([m for m in models if m >= k], int),
        index["n_test"].to_numpy(),
        (index["s_1"] - index["s_k"]).to_numpy(),
        top_scores_wide(top_scores, k).loc[index["benchmark_id"]].to_numpy().mean(axis=1),
    )
    if not len(tops.models):
        return pd.DataFrame(columns=COLUMNS)
    tables = []
    # The index knows of no shared items.
    for errors, shared in [*((ITEMS, float(value)) for value in dependence), (INDEX, 0.0)]:
        chances = _compute_chances(tops, errors, shared)
        for place, m in enumerate(tops.models):
            table = index[["benchmark_id", "s_index"]].reset_index(drop=True)
            tables.append(
                table.assign(
                    models=m,
                    errors=errors,
                    dependence=shared,
                    score=tops.score,
                    gap=tops.gap,
                    **{name: values[:, place] for name, values in chances.items()},
                )
            )
    # A row for each benchmark, number of models and kind of errors; the last changes first.
    rows = pd.concat(tables).rename_axis("row")
    return rows.sort_values(["row", "models"], kind="stable", ignore_index=True)


def counted(table: pd.DataFrame, saturated_from: float) -> pd.DataFrame:
    """Count gaps that are larger than an all-equal top would have, by assumption.

    Returns
    -------
    pandas.DataFrame
        ``errors, dependence, models``; number ``n`` of benchmarks, ``larger``; ``n_saturated`` (by
        the observed index), ``larger_saturated``; and the mean of ``p_saturated``.
    """
    larger, saturated = table["p_larger"] <= ALPHA, table["s_index"] >= saturated_from
    marked = table.assign(larger=larger, saturated=saturated, both=larger & saturated)
    grouped = marked.groupby(["errors", "dependence", "models"], sort=True)
    return grouped.agg(
        n=("gap", "size"),
        larger=("larger", "sum"),
        n_saturated=("saturated", "sum"),
        larger_saturated=("both", "sum"),
        p_saturated=("p_saturated", "mean"),
    ).reset_index()


def _compute_chances(tops: Tops, errors: str, dependence: float) -> Columns:
    """Compute the columns `MEASURED`, shape (benchmarks, models) each."""
    of_items = errors == ITEMS
    variance = tops.n_test * tops.score * (1 - tops.score) * (1 - dependence)
    exact = of_items & (variance <= EXACT)
    columns = {name: np.full((len(exact), len(tops.models)), np.nan) for name in MEASURED}
    simulated = np.flatnonzero(~exact)
    alpha = 1.0 if of_items else tops.alpha
    for rows in (simulated[start : start + BATCH] for start in range(0, len(simulated), BATCH)):
        for name, values in _if_normal(tops, alpha, dependence, rows).items():
            columns[name][rows] = values
    for row in np.flatnonzero(variance <= LARGE) if of_items else ():
        n, score = int(tops.n_test[row]), float(tops.score[row])
        counts = Counts.of_models(int(tops.models.max()), n, score, dependence)
        items = round(tops.gap[row] * n)
        # Every gap is at least none.
        smaller = counts.within([items - 1], tops.k, tops.models)[0] if items else 0.0
        columns["p_larger"][row] = 1 - smaller
        if exact[row]:
            cumulative = counts.cumulative(tops.k, tops.models)
            gaps, chances = np.arange(len(cumulative)) / n, np.diff(cumulative, axis=0, prepend=0.0)
            columns["p_saturated"][row] = tops.reach_index(score, gaps, n, chances)
    return columns


def _if_normal(tops: Tops, alpha: float, dependence: float, rows: NDArray[np.intp]) -> Columns:
    """Compute for normal scores: gaps in units of errors have a common distribution."""
    n_test, score, gap = (column[rows, None] for column in (tops.n_test, tops.score, tops.gap))
    error = standard_error(score, n_test, alpha) * np.sqrt(1 - dependence)
    # Of models that cannot differ every gap above 0 is beyond all of theirs.
    unit = np.maximum(error, 1e-300)
    larger, saturated = [], []
    for m in tops.models:
        equal, gaps, chances = _standard(tops.k, int(m))
        larger.append(equal.p_value(gap / unit))
        saturated.append(tops.reach_index(score, error * gaps, n_test, chances))
    return dict(zip(MEASURED, (np.hstack(larger), np.hstack(saturated)), strict=True))


@functools.cache
def _standard(k: int, m: int) -> tuple[EqualModels, Array, Array]:
    """Return the gap's distribution in standard errors: values with chances but for the last.

    What is left out adds up to less than any digit that is written.
    """
    equal = EqualModels.normal(k, m, 1.0)
    likely = slice(int(np.searchsorted(equal.cumulative, 1 - 10 * NEGLIGIBLE)) + 1)
    chances = np.diff(equal.cumulative[likely], prepend=0.0)
    return equal, equal.gaps[likely], chances[:, None]
