"""Agreement of settings: Table 1, transitions, and the fine grid."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.plateau import uncertainty


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
    found = uncertainty.compare(one, one)
    assert found["spearman"] == pytest.approx(1)
    assert found["same_bin"] == 1
    assert np.isnan(found["neighbouring"])


def test_agreement_by_hand():
    one, other = table([0.0, 0.1, 0.5, 0.8, 0.95]), table([0.1, 0.2, 0.95, 0.6, 0.96])
    found = uncertainty.compare(one, other)
    assert found["n"] == 5
    assert found["same_bin"] == pytest.approx(2 / 5)
    # very_low to low and high to moderate are neighbours, moderate to very_high is not.
    assert found["neighbouring"] == pytest.approx(2 / 3)
    expected = stats.spearmanr(one["s_index"], other["s_index"]).statistic
    assert found["spearman"] == pytest.approx(expected)


def test_transitions_count_each_benchmark_once(prepared, default_index):
    other = index.index_table(*prepared, k=3)
    moves = uncertainty.transitions(default_index, other)
    assert len(moves) == 25
    counts = moves.groupby("bin_from")["n"].sum()
    assert counts.to_dict() == default_index["bin"].value_counts().to_dict()
    counts = moves.groupby("bin_to")["n"].sum()
    assert counts[counts > 0].to_dict() == other["bin"].value_counts().to_dict()
    stayed = moves.loc[moves["bin_from"] == moves["bin_to"], "n"].sum()
    assert stayed / 60 == pytest.approx(uncertainty.compare(default_index, other)["same_bin"])


def test_transitions_name_where_from_and_where_to():
    moves = uncertainty.transitions(table([0.0, 0.95]), table([0.1, 0.95]))
    moved = moves[moves["n"] > 0].to_dict("records")
    assert moved == [
        {"bin_from": "very_low", "bin_to": "low", "n": 1},
        {"bin_from": "very_high", "bin_to": "very_high", "n": 1},
    ]


def test_a_cell_of_the_grid_is_the_index_at_that_setting(prepared, default_index):
    cells = uncertainty.grid(*prepared, ks=[2, 5], alphas=[0.0, 0.5], edges=index.BIN_EDGES)
    assert len(cells) == 4 * 60
    for (k, alpha), cell in cells.groupby(["k", "alpha"]):
        expected = index.index_table(*prepared, k=k, alpha=alpha)
        for column in ("benchmark_id", "s_index", "bin"):
            assert cell[column].tolist() == expected[column].tolist()
    summary = uncertainty.grid_summary(cells, default_index, 0.7).set_index(["k", "alpha"])
    assert summary.loc[(5, 0.5), ["spearman", "same_bin"]].tolist() == pytest.approx([1, 1])
    assert summary.loc[(5, 0.5), "n_saturated"] == (default_index["s_index"] >= 0.7).sum()
    # Fewer effective items and fewer models can only make more benchmarks look saturated.
    saturated = summary["n_saturated"].unstack()
    assert (saturated[0.0] >= saturated[0.5]).all()
    assert (saturated.loc[2] >= saturated.loc[5]).all()


def test_the_mean_shift_and_the_interval_of_the_correlation_by_hand():
    reference, other = table([0.0, 0.1, 0.5, 0.8, 0.95]), table([0.1, 0.2, 0.95, 0.75, 0.96])
    agreement = uncertainty.compare(reference, other)
    assert agreement["mean_shift"] == pytest.approx((0.1 + 0.1 + 0.45 + 0.05 + 0.01) / 5)
    # Ranks 1 2 3 4 5 against 1 2 4 3 5: 1 - 6 * 2 / (5 * 24). Bonett and Wright (2000).
    rho = 0.9
    half = 1.959963984540054 * np.sqrt((1 + rho**2 / 2) / 2)
    expected = np.tanh(np.arctanh(rho) + np.array([-half, 0, half]))
    columns = ("spearman_lower", "spearman", "spearman_upper")
    assert [agreement[name] for name in columns] == pytest.approx(expected.tolist())


def test_the_summary_counts_from_the_threshold_on():
    cells = table([0.7, 0.69, 0.9]).assign(k=2, alpha=0.5)
    summary = uncertainty.grid_summary(cells, table([0.7, 0.69, 0.9]), 0.7)
    assert summary["n_saturated"].tolist() == [2]
    assert summary[["k", "alpha", "n"]].to_numpy().tolist() == [[2, 0.5, 3]]


def test_the_tables_name_each_setting():
    reference = table([0.0, 0.1, 0.5]).assign(k=5, alpha=0.5)
    others = {
        "k3": table([0.1, 0.2, 0.95]).assign(k=3, alpha=0.5),
        "alpha0": table([0.0, 0.1, 0.5]).assign(k=5, alpha=0.0),
    }
    tables = uncertainty.sensitivity(reference, others, reference, 0.5)
    assert tables["comparisons"][["setting", "k", "alpha"]].to_numpy().tolist() == [
        ["k3", 3, 0.5], ["alpha0", 5, 0.0]]  # fmt: skip
    assert tables["comparisons"]["same_bin"].tolist() == pytest.approx([1 / 3, 1])
    assert tables["transitions"].groupby("setting", sort=False)["n"].sum().to_dict() == {
        "k3": 3, "alpha0": 3}  # fmt: skip
    assert tables["grid"]["n_saturated"].tolist() == [1]
