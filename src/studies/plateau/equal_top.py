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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation.index import (
    SATURATED_FROM,
    saturation_index,
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
    """Tops of all benchmarks: scores as proportions, numbers of items."""

    k: int
    n_test: Array
    gap: Array
    mean: Array


@dataclass(frozen=True)
class Kind:
    """One assumption on the errors: what they are of, the common scores and the dependence."""

    errors: str
    score: Array
    dependence: float


@dataclass(frozen=True)
class Wanted:
    """Settings: how many equal models, and the definition of their index."""

    models: NDArray[np.int_]
    alpha: float
    saturated_from: float

    def reach_index(
        self, score: ArrayLike, gaps: Array, n_test: ArrayLike, chances: Array
    ) -> Array:
        """Return the chance of a saturated index, its scores lying around a common score."""
        middle, half = np.asarray(score, float), gaps / 2
        s_1, s_k = np.minimum(middle + half, 1), np.maximum(middle - half, 0)
        s_index = saturation_index(s_1, s_k, n_test, self.alpha)
        reached = s_index >= self.saturated_from
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
    tops, alpha = _tops(index, top_scores), float(index["alpha"].drop_duplicates().item())
    enough = np.array([m for m in models if m >= tops.k], int)
    request = Wanted(enough, alpha, saturated_from)
    if not len(request.models):
        return pd.DataFrame(columns=COLUMNS)
    tables = []
    for kind in _kinds(tops, dependence):
        chances = _compute_chances(tops, kind, request)
        for place, m in enumerate(request.models):
            table = index[["benchmark_id", "s_index"]].reset_index(drop=True)
            tables.append(
                table.assign(
                    models=m,
                    errors=kind.errors,
                    dependence=kind.dependence,
                    score=kind.score,
                    gap=tops.gap,
                    **{name: values[:, place] for name, values in chances.items()},
                )
            )
    # A row for each benchmark, number of models and kind, the last of which changes first.
    rows = pd.concat(tables).rename_axis("row")
    return rows.sort_values(["row", "models"], kind="stable", ignore_index=True)


def counted(table: pd.DataFrame, saturated_from: float) -> pd.DataFrame:
    """Count gaps that are larger than an all-equal top would have, by assumption.

    Returns
    -------
    pandas.DataFrame
        ``errors, dependence, models, saturated`` (whether the observed index counts as such);
        number ``n`` of such benchmarks, ``larger`` and the mean of ``p_saturated``.
    """
    marked = table.assign(
        saturated=table["s_index"] >= saturated_from,
        larger=table["p_larger"] <= ALPHA,
    )
    grouped = marked.groupby(["errors", "dependence", "models", "saturated"], sort=True)
    return grouped.agg(
        n=("gap", "size"),
        larger=("larger", "sum"),
        p_saturated=("p_saturated", "mean"),
    ).reset_index()


def _tops(index: pd.DataFrame, top_scores: pd.DataFrame) -> Tops:
    k = int(index["k"].drop_duplicates().item())
    s_1, s_k = index["s_1"].to_numpy(), index["s_k"].to_numpy()
    return Tops(
        k,
        index["n_test"].to_numpy(),
        s_1 - s_k,
        top_scores_wide(top_scores, k).loc[index["benchmark_id"]].to_numpy().mean(axis=1),
    )


def _kinds(tops: Tops, dependence: Sequence[float]) -> Iterator[Kind]:
    """Every assumption; the index knows of no shared items."""
    for shared in dependence:
        yield Kind(ITEMS, tops.mean, float(shared))
    yield Kind(INDEX, tops.mean, 0.0)


def _compute_chances(tops: Tops, kind: Kind, wanted: Wanted) -> Columns:
    """Compute the columns `MEASURED`, shape (benchmarks, models) each."""
    of_items = kind.errors != INDEX
    variance = tops.n_test * kind.score * (1 - kind.score) * (1 - kind.dependence)
    exact = of_items & (variance <= EXACT)
    columns = {name: np.full((len(exact), len(wanted.models)), np.nan) for name in MEASURED}
    simulated = np.flatnonzero(~exact)
    for rows in (simulated[start : start + BATCH] for start in range(0, len(simulated), BATCH)):
        for name, values in _if_normal(tops, kind, wanted, rows).items():
            columns[name][rows] = values
    for row in np.flatnonzero(variance <= LARGE) if of_items else ():
        n, score = int(tops.n_test[row]), float(kind.score[row])
        counts = Counts.of_models(int(wanted.models.max()), n, score, kind.dependence)
        items = round(tops.gap[row] * n)
        # Every gap is at least none.
        smaller = counts.within([items - 1], tops.k, wanted.models)[0] if items else 0.0
        columns["p_larger"][row] = 1 - smaller
        if exact[row]:
            columns["p_saturated"][row] = _reach_index(counts, score, n, tops.k, wanted)
    return columns


def _if_normal(tops: Tops, kind: Kind, wanted: Wanted, rows: NDArray[np.intp]) -> Columns:
    """Compute for normal scores: gaps in units of errors have a common distribution."""
    n_test, score, gap = (column[rows, None] for column in (tops.n_test, kind.score, tops.gap))
    alpha = wanted.alpha if kind.errors == INDEX else 1.0
    error = standard_error(score, n_test, alpha) * np.sqrt(1 - kind.dependence)
    # Of models that cannot differ every gap above 0 is beyond all of theirs.
    unit = np.maximum(error, 1e-300)
    by_models = []
    for m in wanted.models:
        equal, gaps, chances = _standard(tops.k, int(m))
        by_models.append(
            {
                "p_larger": equal.p_value(gap / unit),
                "p_saturated": wanted.reach_index(score, error * gaps, n_test, chances),
            }
        )
    return {name: np.hstack([columns[name] for columns in by_models]) for name in MEASURED}


@functools.cache
def _standard(k: int, m: int) -> tuple[EqualModels, Array, Array]:
    """Return the gap's distribution in standard errors: values with chances but for the last.

    What is left out adds up to less than any digit that is written.
    """
    equal = EqualModels.normal(k, m, 1.0)
    likely = slice(int(np.searchsorted(equal.cumulative, 1 - 10 * NEGLIGIBLE)) + 1)
    chances = np.diff(equal.cumulative[likely], prepend=0.0)
    return equal, equal.gaps[likely], chances[:, None]


def _reach_index(counts: Counts, score: float, n: int, k: int, wanted: Wanted) -> Array:
    """Return the exact chance of a saturated index from counts of right answers."""
    cumulative = counts.cumulative(k, wanted.models)
    gaps, chances = np.arange(len(cumulative)) / n, np.diff(cumulative, axis=0, prepend=0.0)
    return wanted.reach_index(score, gaps, n, chances)
