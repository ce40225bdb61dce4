"""The gap of equal models beside the observed one: against the distribution and simulation."""

import numpy as np
import pandas as pd
import pytest

from saturation.index import index_table
from saturation.statistics.top_gap import EqualModels
from studies.plateau import equal_top

SCORES = [0.9, 0.89, 0.88, 0.86, 0.85]


@pytest.fixture
def made():
    """Two benchmarks with the same scores, of 200 and of 50,000 items."""
    benchmarks = pd.DataFrame({"benchmark_id": ["large", "small"], "n_test": [50_000, 200]})
    scores = pd.DataFrame(
        {"benchmark_id": np.repeat(["large", "small"], 5), "score": [*SCORES, *SCORES[::-1]]}
    )
    return index_table(benchmarks, scores), scores


def at(table, **keys):
    chosen = table
    for column, value in keys.items():
        chosen = chosen[chosen[column] == value]
    (row,) = chosen.to_dict("records")
    return row


def test_each_row_is_the_distribution_of_equal_models(made):
    table = equal_top.equal_top(*made, models=(5, 40), dependence=(0.0, 0.5))
    row = at(table, benchmark_id="small", models=40, dependence=0.5)
    equal = EqualModels.binomial(5, 40, 200, np.mean(SCORES), 0.5)
    assert row["score"] == pytest.approx(np.mean(SCORES))
    assert row["gap"] == pytest.approx(0.05)
    assert row["p_larger"] == pytest.approx(equal.p_value(0.05))


def test_the_p_values_of_many_items_are_exact(made):
    table = equal_top.equal_top(*made, models=(20,), dependence=(0.0,))
    row = at(table, benchmark_id="large")
    assert row["p_larger"] < 1e-12


def test_a_gap_of_nothing_is_never_larger(made):
    index, scores = made
    scores = scores.assign(score=0.9)
    index = index.assign(s_1=0.9, s_k=0.9, s_index=1.0)
    table = equal_top.equal_top(index, scores, models=(5,), dependence=(0.0, 1.0))
    assert (table["p_larger"] == 1).all()


def test_models_that_solve_all_or_nothing_have_no_gap(made):
    index, scores = made
    for score in (0.0, 1.0):
        alike = index.assign(s_1=score, s_k=score, s_index=1.0)
        table = equal_top.equal_top(alike, scores.assign(score=score), models=(5, 50))
        assert (table["p_larger"] == 1).all()


def test_a_top_cannot_be_picked_from_fewer_models_than_it_has(made):
    table = equal_top.equal_top(*made, models=(4, 5))
    assert set(table["models"]) == {5}
    nothing = equal_top.equal_top(*made, models=(2,))
    assert nothing.empty
    assert list(nothing) == list(table)
    assert equal_top.counted(nothing, 0.7).empty


def test_gaps_are_counted_at_the_edge_of_the_level():
    row = {"dependence": 0.0, "models": 5, "gap": 0.1}
    rows = [
        {**row, "s_index": 0.7, "p_larger": 0.05},
        {**row, "s_index": 0.9, "p_larger": 0.051},
        {**row, "s_index": 0.69, "p_larger": 0.01},
    ]
    (counts,) = equal_top.counted(pd.DataFrame(rows), 0.7).to_dict("records")
    assert (counts["n"], counts["larger"]) == (3, 2)
    assert (counts["n_saturated"], counts["larger_saturated"]) == (2, 1)
