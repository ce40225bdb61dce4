"""The saturation index: its properties, and the paper's numbers on the embedded tables."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from saturation import index
from saturation.errors import InputError

proportions = st.floats(0, 1)
inner = st.floats(0.01, 0.99)
sizes = st.integers(1, 10**7)
alphas = st.floats(0, 1)

TABLE_7 = {
    "math_500": (500, 1.00, 0.0338, 0.2955, 0.9164, "very_high"),
    "livebench": (1000, 1.09, 0.1028, 0.1060, 0.9888, "very_high"),
    "livecodebench": (1000, 3.90, 0.0761, 0.5124, 0.7691, "high"),
    "truthfulqa": (817, 6.70, 0.0863, 0.7766, 0.5471, "moderate"),
    "humanitys_last_exam": (2500, 11.40, 0.0926, 1.2309, 0.2198, "low"),
}


def by_hand(s_1, s_k, n, alpha):
    """Equations 1 to 4 written out, for scores whose error is not zero."""
    variance = s_1 * (1 - s_1) / n**alpha + s_k * (1 - s_k) / n**alpha
    return np.exp(-((s_1 - s_k) ** 2) / variance)


@given(proportions, proportions, sizes, alphas)
def test_the_index_is_a_proportion(a, b, n, alpha):
    assert 0 <= index.saturation_index(max(a, b), min(a, b), n, alpha) <= 1


@given(inner, inner, sizes, alphas)
def test_the_index_is_equations_1_to_4(a, b, n, alpha):
    s_1, s_k = max(a, b), min(a, b)
    found = index.saturation_index(s_1, s_k, n, alpha)
    assert found == pytest.approx(by_hand(s_1, s_k, n, alpha), abs=1e-8)


@given(st.floats(0.3, 1), sizes, alphas, st.floats(0.001, 0.25), st.floats(0.001, 0.05))
def test_the_index_falls_as_the_gap_grows(s_1, n, alpha, gap, more):
    narrow = index.saturation_index(s_1, s_1 - gap, n, alpha)
    wide = index.saturation_index(s_1, s_1 - gap - more, n, alpha)
    assume(narrow > 1e-300)  # below it both are 0 in floating point
    assert wide < narrow


@given(inner, st.integers(1, 10**6), st.floats(0.05, 1), st.floats(0.001, 0.009))
def test_more_items_tell_the_same_gap_apart_better(s_1, n, alpha, gap):
    few = index.saturation_index(s_1, s_1 - gap, n, alpha)
    many = index.saturation_index(s_1, s_1 - gap, 4 * n, alpha)
    assume(few > 1e-300)
    assert many < few


@given(proportions, sizes, alphas)
def test_equal_scores_are_fully_saturated(score, n, alpha):
    assert index.saturation_index(score, score, n, alpha) == 1


@given(proportions, sizes)
def test_alpha_1_is_the_binomial_error(score, n):
    expected = np.sqrt(score * (1 - score) / n)
    assert index.standard_error(score, n, 1.0) == pytest.approx(expected)


@given(proportions, st.floats(0, 1), st.integers(1, 10**5))
def test_epsilon_changes_no_published_digit(a, b, n):
    s_1, s_k = max(a, b), min(a, b)
    error = index.standard_error_of_difference(s_1, s_k, n)
    assume(error > 1e-4)
    stabilised = index.saturation_index(s_1, s_k, n)
    assert stabilised == pytest.approx(np.exp(-(((s_1 - s_k) / error) ** 2)), abs=1e-7)


def test_epsilon_changes_no_published_digit_of_the_embedded_tables(prepared, default_index):
    exact = index.index_table(*prepared, epsilon=0.0)
    for column in ("r_norm", "s_index"):
        assert default_index[column].to_numpy() == pytest.approx(exact[column], abs=1e-8)
    assert default_index["bin"].tolist() == exact["bin"].tolist()


@given(proportions)
def test_each_index_lies_in_one_bin(s_index):
    edges = [0, *index.BIN_EDGES, np.inf]
    inside = [low <= s_index < high for low, high in itertools.pairwise(edges)]
    assert sum(inside) == 1
    assert index.saturation_bin(s_index) == index.BINS[inside.index(True)]


@pytest.mark.parametrize(("number", "edge"), list(enumerate(index.BIN_EDGES, start=1)))
def test_a_bin_holds_its_lower_edge(number, edge):
    assert index.saturation_bin(edge) == index.BINS[number]
    assert index.saturation_bin(np.nextafter(edge, 0)) == index.BINS[number - 1]


@pytest.mark.parametrize("name", TABLE_7)
def test_table_7_to_the_printed_digit(default_index, name):
    row = default_index.set_index("benchmark_id").loc[name]
    found = (
        row["n_test"],
        round(100 * (row["s_1"] - row["s_k"]), 2),
        *(round(row[column], 4) for column in ("se_delta", "r_norm", "s_index")),
        row["bin"],
    )
    assert found == TABLE_7[name]


def test_the_paper_s_bins_and_number_saturated(default_index):
    counts = default_index["bin"].value_counts()
    assert [counts[name] for name in reversed(index.BINS)] == [14, 15, 11, 9, 11]
    assert (default_index["s_index"] >= index.SATURATED_FROM).sum() == 29


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_row_order_and_model_names_do_not_matter(prepared, default_index, seed):
    benchmarks, scores = prepared
    renamed = scores.sample(frac=1, random_state=seed).assign(
        model=lambda frame: [f"model {i}" for i in range(len(frame))]
    )
    found = index.index_table(benchmarks.sample(frac=1, random_state=seed), renamed)
    pd.testing.assert_frame_equal(found, default_index)


def test_k_takes_the_best_scores_whatever_their_order():
    scores = pd.DataFrame({"benchmark_id": "a", "score": [0.5, 0.9, 0.7, 0.8]})
    assert index.top_scores_wide(scores, 3).loc["a"].tolist() == [0.9, 0.8, 0.7]


def test_every_benchmark_with_too_few_scores_is_named():
    scores = pd.DataFrame({"benchmark_id": ["a", "b", "b", "c"], "score": 0.5})
    with pytest.raises(InputError) as caught:
        index.top_scores_wide(scores, 2)
    assert [re.findall(r"'(\w)' has (\d) scores, but k is 2", line) for line in
            caught.value.violations] == [[("a", "1")], [("c", "1")]]  # fmt: skip


def test_similar_top_models_are_saturated_at_the_ceiling_and_stagnated_below():
    benchmarks = pd.DataFrame({"benchmark_id": ["apart", "high", "low"], "n_test": 100})
    scores = pd.DataFrame(
        {
            "benchmark_id": ["apart", "apart", "high", "high", "low", "low"],
            "score": [0.95, 0.1, 0.95, 0.94, 0.6, 0.59],
        }
    )
    table = index.index_table(benchmarks, scores, k=2, ceiling=0.9).set_index("benchmark_id")
    columns = ["statistically_similar", "saturated", "stagnated"]
    assert table.loc["apart", columns].tolist() == [False, False, False]
    assert table.loc["high", columns].tolist() == [True, True, False]
    assert table.loc["low", columns].tolist() == [True, False, True]


def test_similarity_is_a_z_test(default_index):
    gap = default_index["s_1"] - default_index["s_k"]
    similar = gap <= 1.96 * default_index["se_delta"]
    assert default_index["statistically_similar"].tolist() == similar.tolist()
    assert similar.nunique() == 2
