"""Agreement of settings: Table 1, transitions, and the fine grid."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.plateau import sensitivity


@pytest.mark.parametrize(
    ("k", "alpha", "spearman", "same_bin"), [(3, 0.5, 0.92, 48.3), (5, 0, 0.88, 23.3),
                                             (5, 1, 0.92, 18.3)]
)  # fmt: skip
def test_table_1_to_the_printed_digit(prepared, default_index, k, alpha, spearman, same_bin):
    found = sensitivity.compare(default_index, index.index_table(*prepared, k=k, alpha=alpha))
    assert (round(found["spearman"], 2), round(100 * found["same_bin"], 1)) == (spearman, same_bin)
    assert found["spearman_lower"] < found["spearman"] < found["spearman_upper"]


def table(s_index):
    s_index = np.asarray(s_index)
    return pd.DataFrame(
        {
            "benchmark_id": [f"b{i}" for i in range(len(s_index))],
            "s_index": s_index,
            "bin": index.saturation_bin(s_index),
        }
    )


def test_a_setting_agrees_with_itself():
    one = table([0.0, 0.1, 0.5, 0.8, 0.95])
    found = sensitivity.compare(one, one)
    assert found["spearman"] == pytest.approx(1)
    assert found["same_bin"] == 1
    assert np.isnan(found["neighbouring"])


def test_agreement_by_hand():
    one, other = table([0.0, 0.1, 0.5, 0.8, 0.95]), table([0.1, 0.2, 0.95, 0.75, 0.96])
    found = sensitivity.compare(one, other)
    assert found["n"] == 5
    assert found["same_bin"] == pytest.approx(3 / 5)
    # very_low to low is a neighbour, moderate to very_high is not.
    assert found["neighbouring"] == pytest.approx(1 / 2)
    expected = stats.spearmanr(one["s_index"], other["s_index"]).statistic
    assert found["spearman"] == pytest.approx(expected)


def test_transitions_count_each_benchmark_once(prepared, default_index):
    other = index.index_table(*prepared, k=3)
    moves = sensitivity.transitions(default_index, other)
    assert len(moves) == 25
    counts = moves.groupby("bin_from")["n"].sum()
    assert counts.to_dict() == default_index["bin"].value_counts().to_dict()
    counts = moves.groupby("bin_to")["n"].sum()
    assert counts[counts > 0].to_dict() == other["bin"].value_counts().to_dict()
    stayed = moves.loc[moves["bin_from"] == moves["bin_to"], "n"].sum()
    assert stayed / 60 == pytest.approx(sensitivity.compare(default_index, other)["same_bin"])


def test_transitions_name_where_from_and_where_to():
    moves = sensitivity.transitions(table([0.0, 0.95]), table([0.1, 0.95]))
    moved = moves[moves["n"] > 0].to_dict("records")
    assert moved == [
        {"bin_from": "very_low", "bin_to": "low", "n": 1},
        {"bin_from": "very_high", "bin_to": "very_high", "n": 1},
    ]


def test_a_cell_of_the_grid_is_the_index_at_that_setting(prepared, default_index):
    cells = sensitivity.grid(*prepared, ks=[2, 5], alphas=[0.0, 0.5], edges=index.BIN_EDGES)
    assert len(cells) == 4 * 60
    for (k, alpha), cell in cells.groupby(["k", "alpha"]):
        expected = index.index_table(*prepared, k=k, alpha=alpha)
        for column in ("benchmark_id", "s_index", "bin"):
            assert cell[column].tolist() == expected[column].tolist()
    summary = sensitivity.grid_summary(cells, default_index, 0.7).set_index(["k", "alpha"])
    assert summary.loc[(5, 0.5), ["spearman", "same_bin"]].tolist() == pytest.approx([1, 1])
    assert summary.loc[(5, 0.5), "n_saturated"] == 29
    # Fewer effective items and fewer models can only make more benchmarks look saturated.
    saturated = summary["n_saturated"].unstack()
    assert (saturated[0.0] >= saturated[0.5]).all()
    assert (saturated.loc[2] >= saturated.loc[5]).all()
