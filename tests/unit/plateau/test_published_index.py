"""The paper's indices, bins and counts on the embedded tables."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation import index

TABLE_7 = {
    "math_500": (500, 1.00, 0.0338, 0.2955, 0.9164, "very_high"),
    "livebench": (1000, 1.09, 0.1028, 0.1060, 0.9888, "very_high"),
    "livecodebench": (1000, 3.90, 0.0761, 0.5124, 0.7691, "high"),
    "truthfulqa": (817, 6.70, 0.0863, 0.7766, 0.5471, "moderate"),
    "humanitys_last_exam": (2500, 11.40, 0.0926, 1.2309, 0.2198, "low"),
}


def test_epsilon_changes_no_published_digit_of_the_embedded_tables(prepared, default_index):
    exact = index.index_table(*prepared, epsilon=0.0)
    for column in ("r_norm", "s_index"):
        assert default_index[column].to_numpy() == pytest.approx(exact[column], abs=1e-8)
    assert default_index["bin"].tolist() == exact["bin"].tolist()


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


def test_similarity_is_a_z_test(default_index):
    gap = default_index["s_1"] - default_index["s_k"]
    similar = gap <= 1.96 * default_index["se_delta"]
    assert default_index["statistically_similar"].tolist() == similar.tolist()
    assert similar.nunique() == 2
