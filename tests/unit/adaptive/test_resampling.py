"""Weighted statistics against plain ones on repeated values, and draws of models and families."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.adaptive import evaluation

cells = st.lists(
    st.tuples(st.floats(-5, 5) | st.just(np.inf), st.integers(0, 3)), min_size=1, max_size=9
).filter(lambda rows: any(weight for _, weight in rows))


@given(cells)
def test_weights_count_a_value_so_often(rows):
    values, weights = map(np.array, zip(*rows))
    repeated = np.repeat(values, weights)
    for shape in (values, values[None, :]):
        (mean,) = evaluation.mean(shape, weights[None, :])
        assert mean == pytest.approx(repeated.mean())
        (median,) = evaluation.median(shape, weights[None, :])
        assert median == pytest.approx(np.median(repeated))


def test_no_weight_at_all_gives_no_mean():
    assert np.isnan(evaluation.mean(np.array([1.0, 2.0]), np.array([[0, 0]]))).all()


def test_families_are_drawn_whole():
    drawn = evaluation.drawn(["a", "b", "c"], ["x", "x", "y"], 500, np.random.default_rng(0))
    assert (drawn["a"] == drawn["b"]).all()
    assert (drawn["a"] + drawn["c"]).eq(2).all()
    alone = evaluation.drawn(["a", "b", "c"], ["a", "b", "c"], 500, np.random.default_rng(0))
    assert alone.sum(axis=1).eq(3).all()
    assert alone["a"].mean() == pytest.approx(1, abs=0.15)


def test_cells_are_models_on_banks_and_missing_ones_fall_away():
    table = pd.DataFrame(
        {
            "bank": ["one", "one", "two", "two"],
            "model": ["a", "b", "a", "b"],
            "draw": 0,
            "measure": [1.0, 2.0, 3.0, np.nan],
        }
    )
    values, models = evaluation.cells(table, ["measure"])["measure"]
    assert values.tolist() == [[1.0, 2.0, 3.0]]
    assert models.tolist() == ["a", "b", "a"]
    assert evaluation.cells(table.assign(measure=np.nan), ["measure"])["measure"].values.size == 0


def test_cells_are_those_of_a_pivot_table_whatever_the_order_of_rows():
    table = pd.DataFrame(
        [
            (bank, model, draw, 100 * number + draw)
            for number, (bank, model) in enumerate(
                [("two", "a"), ("one", "c"), ("one", "a"), ("two", "b")]
            )
            for draw in (2, 0, 1)
        ],
        columns=["bank", "model", "draw", "measure"],
    ).sample(frac=1, random_state=0)
    values, models = evaluation.cells(table, ["measure"])["measure"]
    expected = table.pivot_table(index="draw", columns=["bank", "model"], values="measure")
    assert values.tolist() == expected.to_numpy().tolist()
    assert models.tolist() == expected.columns.get_level_values("model").tolist()
