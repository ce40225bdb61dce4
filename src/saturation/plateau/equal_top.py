"""How large the gap at the top would be if all models of a leaderboard were equal.

The paper's five scores are the best of a number of models that it does not state, so the answer is
given over a range of numbers. Models are equal: they solve every item with the same probability.
What they share through the items is not known either. Independent answers give the widest gaps;
the more alike the models answer, the smaller the gap that chance alone gives
(`saturation.statistics.top_gap`).

Beside the errors of the items stand those that the index assumes (n_eff = n^alpha), under which the
probability of an index depends on the number of models alone.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import EPSILON, SATURATED_FROM, saturation_index, standard_error
from saturation.statistics.top_gap import EqualModels, binomial_range

Array = NDArray[np.float64]

MODELS = (5, 10, 20, 50, 100, 200)
DEPENDENCE = (0.0, 0.5, 0.8)

# Errors of the gap: of the items at the mean of the top k scores or halfway between first and k-th,
# or those that the index assumes.
ITEMS, MIDPOINT, INDEX = "items", "items_midpoint", "index"

# A gap that is larger by this is another one.
NOTHING = 1e-9

# A gap is larger than equal models give where they reach it with at most this probability.
LEVEL = 0.05

# Up to this variance of a count (n p (1 - p)) the gap's expectation is exact, above it that of
# normal scores, which is at most a tenth too large. Probabilities of the items are exact up to the
# second, above which a normal count is out by less than 0.003.
EXACT, LARGE = 100, 20_000


class Top(NamedTuple):
    """What a benchmark's top is compared by: its scores, as proportions, and its items."""

    benchmark_id: str
    k: int
    alpha: float
    n_test: int
    gap: float
    mean: float
    midpoint: float


def equal_top(
    index: pd.DataFrame,
    top_scores: pd.DataFrame,
    *,
    models: Sequence[int] = MODELS,
    dependence: Sequence[float] = DEPENDENCE,
    saturated_from: float = SATURATED_FROM,
    epsilon: float = EPSILON,
) -> pd.DataFrame:
    """The study's table ``equal_top``.

    Parameters
    ----------
    index
        Table of :func:`saturation.index.index_table`.
    top_scores
        Columns ``benchmark_id, score`` (proportions).
    models
        Numbers of models that the top was picked from; those below k are left out.
    dependence
        Correlations of two models' answers to an item, from 0.
    saturated_from, epsilon
        See :func:`saturation.index.index_table`.

    Returns
    -------
    pandas.DataFrame
        A row for each benchmark, number of models, kind of errors and dependence:
        ``benchmark_id, s_index, models, errors, dependence, score`` (common to all models),
        ``gap, expected_gap`` (proportions), ``p_larger, p_smaller``: probability of a gap of at
        least, of at most the observed one; ``expected_s, p_saturated``: expected index, and
        probability that it counts as saturated, of equal models.
    """
    rows: list[dict[str, object]] = []
    for top, s_index in zip(_tops(index, top_scores), index["s_index"], strict=True):
        for m in models:
            if m < top.k:
                continue
            for errors, score, shared in _kinds(top, dependence):
                equal = _gaps(top, m, errors, score, shared)
                rows.append(
                    {
                        "benchmark_id": top.benchmark_id,
                        "s_index": s_index,
                        "models": m,
                        "errors": errors,
                        "dependence": shared,
                        "score": score,
                        "gap": top.gap,
                        "expected_gap": equal.mean(),
                        **_probabilities(top, m, errors, score, shared, equal),
                        **_expected_index(top, score, equal, saturated_from, epsilon),
                    }
                )
    return pd.DataFrame(rows, columns=COLUMNS)


COLUMNS = [
    "benchmark_id",
    "s_index",
    "models",
    "errors",
    "dependence",
    "score",
    "gap",
    "expected_gap",
    "p_larger",
    "p_smaller",
    "expected_s",
    "p_saturated",
]


def counted(table: pd.DataFrame, saturated_from: float, level: float = LEVEL) -> pd.DataFrame:
    """How many gaps are larger, or smaller, than an all-equal top would have, by its assumptions.

    Parameters
    ----------
    table
        Table of :func:`equal_top`.
    saturated_from
        Index from which a benchmark counts as saturated.
    level
        A gap is larger (smaller) where equal models give one as large (small) with at most this
        probability.

    Returns
    -------
    pandas.DataFrame
        ``errors, dependence, models, saturated`` (whether the observed index counts as such);
        number ``n`` of such benchmarks, ``larger`` and ``smaller``; means of ``expected_s`` and
        ``p_saturated``.
    """
    marked = table.assign(
        saturated=table["s_index"] >= saturated_from,
        larger=table["p_larger"] <= level,
        smaller=table["p_smaller"] <= level,
    )
    grouped = marked.groupby(["errors", "dependence", "models", "saturated"], sort=True)
    return grouped.agg(
        n=("gap", "size"),
        larger=("larger", "sum"),
        smaller=("smaller", "sum"),
        expected_s=("expected_s", "mean"),
        p_saturated=("p_saturated", "mean"),
    ).reset_index()


def _tops(index: pd.DataFrame, top_scores: pd.DataFrame) -> Iterator[Top]:
    best_first = top_scores.sort_values(["benchmark_id", "score"], ascending=[True, False])
    by_benchmark = {name: rows["score"] for name, rows in best_first.groupby("benchmark_id")}
    for row in index.to_dict("records"):
        yield Top(
            row["benchmark_id"],
            row["k"],
            row["alpha"],
            row["n_test"],
            row["s_1"] - row["s_k"],
            float(by_benchmark[row["benchmark_id"]].iloc[: row["k"]].mean()),
            (row["s_1"] + row["s_k"]) / 2,
        )


def _kinds(top: Top, dependence: Sequence[float]) -> Iterator[tuple[str, float, float]]:
    """Kind of errors, common score and dependence; the index knows of no shared items."""
    for shared in dependence:
        yield ITEMS, top.mean, float(shared)
    yield MIDPOINT, top.midpoint, 0.0
    yield INDEX, top.mean, 0.0


@functools.cache
def _standard(k: int, m: int) -> EqualModels:
    """Distribution of the gap in standard errors, the same for every benchmark."""
    return EqualModels.normal(k, m, 1.0)


def _gaps(top: Top, m: int, errors: str, score: float, shared: float) -> EqualModels:
    exact = top.n_test * score * (1 - score) * (1 - shared) <= EXACT
    if errors != INDEX and exact:
        return EqualModels.binomial(top.k, m, top.n_test, score, shared)
    standard = _standard(top.k, m)
    alpha = top.alpha if errors == INDEX else 1.0
    error = float(standard_error(score, top.n_test, alpha)) * np.sqrt(1 - shared)
    return EqualModels(standard.gaps * error, standard.cumulative)


def _probabilities(
    top: Top, m: int, errors: str, score: float, shared: float, equal: EqualModels
) -> dict[str, float]:
    """Of a gap of at least, and of at most, the observed one; of a few items to the nearest one."""
    if errors == INDEX or top.n_test * score * (1 - score) * (1 - shared) > LARGE:
        larger, above = equal.p_value([top.gap, top.gap + NOTHING])
        return {"p_larger": float(larger), "p_smaller": float(1 - above)}
    items = round(top.gap * top.n_test)
    inside = binomial_range([items - 1, items], top.k, m, top.n_test, score, shared)
    return {"p_larger": float(1 - inside[0]) if items else 1.0, "p_smaller": float(inside[1])}


def _expected_index(
    top: Top, score: float, equal: EqualModels, saturated_from: float, epsilon: float
) -> dict[str, float]:
    """Expected index of equal models whose best and k-th lie around the common score."""
    half = equal.gaps / 2
    s_1, s_k = np.minimum(score + half, 1), np.maximum(score - half, 0)
    s_index = saturation_index(s_1, s_k, top.n_test, top.alpha, epsilon)
    # A sum of all probabilities may exceed 1 in its last bit.
    return {
        "expected_s": min(equal.expected(s_index), 1.0),
        "p_saturated": min(equal.expected(s_index >= saturated_from), 1.0),
    }
