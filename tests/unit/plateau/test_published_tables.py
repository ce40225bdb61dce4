"""Tables 1, 2, 5, 6 and 7 of the embedded benchmarks, as the paper prints them."""

import pytest

from saturation import index
from saturation.plateau import study, uncertainty


@pytest.mark.parametrize(
    ("k", "alpha", "spearman", "same_bin"), [(3, 0.5, 0.92, 48.3), (5, 0, 0.88, 23.3),
                                             (5, 1, 0.92, 18.3)]
)  # fmt: skip
def test_table_1_to_the_printed_digit(prepared, default_index, k, alpha, spearman, same_bin):
    found = uncertainty.compare(default_index, index.index_table(*prepared, k=k, alpha=alpha))
    assert (round(found["spearman"], 2), round(100 * found["same_bin"], 1)) == (spearman, same_bin)
    assert found["spearman_lower"] < found["spearman"] < found["spearman_upper"]


def test_table_1(results):
    table = study.sensitivity(results["comparisons"], 5, 0.5)
    assert table["Spearman correlation"].tolist() == [0.92, 0.88, 0.92]
    assert table["same bin (%)"].tolist() == [48.3, 23.3, 18.3]
    assert table["setting"].tolist() == ["k = 3, alpha = 0.5", "k = 5, alpha = 0",
                                         "k = 5, alpha = 1"]  # fmt: skip


def test_table_5(results):
    table = study.properties(results["benchmarks"]).set_index("benchmark")
    assert table.loc["MATH-500", ["samples", "curation", "templated"]].tolist() == [
        500, "experts", "no"]  # fmt: skip
    assert table.loc["GPQA Diamond", "output"] == "multiple_choice"


def test_table_6(results):
    table = study.scores(results["benchmarks"], results["top_scores"])
    first = table.set_index("benchmark").loc["MATH-500"]
    assert first["released"] == "2021-03"
    assert first["best at release (%)"] == 6.9
    assert first["top models (%)"].startswith("o3: 99.2; Grok-4: 99.0; DeepSeek R1: 98.3; ")
    assert first["issues"].split(", ")[0] == "contamination"


def test_table_7(results):
    table = study.case_studies(results["benchmarks"], results["index"])
    numbers = ["n", "range (points)", "SE_delta", "R_norm", "S_index", "level"]
    assert table[numbers].to_numpy().tolist() == [
        [500, 1.00, 0.0338, 0.2955, 0.9164, "very high"],
        [1000, 1.09, 0.1028, 0.1060, 0.9888, "very high"],
        [1000, 3.90, 0.0761, 0.5124, 0.7691, "high"],
        [817, 6.70, 0.0863, 0.7766, 0.5471, "moderate"],
        [2500, 11.40, 0.0926, 1.2309, 0.2198, "low"],
    ]
