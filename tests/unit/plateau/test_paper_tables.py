"""The paper's tables in its units and its order, its own cells, and what your own table gets."""

import pandas as pd
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
    first, *others = results["table1"].to_dict("records")
    interval = first.pop("95 % interval").split(" to ")
    assert 0.8 < float(interval[0]) < 0.92 < float(interval[1]) < 1
    assert first == {
        "setting": "k = 3, alpha = 0.5",
        "compared with": "k = 5, alpha = 0.5",
        "Spearman correlation": 0.92,
        "same bin (%)": 48.3,
    }
    assert [row["setting"] for row in others] == ["k = 5, alpha = 0", "k = 5, alpha = 1"]


def test_table_2_has_the_p_values_of_the_family(results):
    table = results["table2"].set_index("hypothesis")
    assert list(table.index) == [row.label for row in study.HYPOTHESES.values()]
    table = table.rename(index=str.lower)
    for row in results["family"].to_dict("records"):
        column = {"raw": "p raw (Holm)", "age_adjusted": "p given age (Holm)"}.get(row["kind"])
        if column:
            expected = f"{row['p_value']:.3f} ({row['holm']:.3f})"
            assert table.loc[row["hypothesis"], column] == expected


def test_a_hypothesis_without_a_test_has_empty_cells(results):
    family = results["family"].query("kind == 'raw' and hypothesis != 'h2'")
    table = study.paper_tables({**results, "family": family}, 5, 0.5)["table2"]
    table = table.set_index("hypothesis")
    assert table["p given age (Holm)"].isna().all()
    assert table.index[table["p raw (Holm)"].isna()].tolist() == ["H2"]


def test_table_5(results):
    table = results["table5"].set_index("benchmark")
    assert table.loc["MATH-500", ["samples", "curation", "templated"]].tolist() == [
        500, "experts", "no"]  # fmt: skip
    assert table.loc["GPQA Diamond", "output"] == "multiple_choice"


def test_table_6(results):
    first = results["table6"].set_index("benchmark").loc["MATH-500"]
    assert first["released"] == "2021-03"
    assert first["best at release (%)"] == 6.9
    assert first["top models (%)"].startswith("o3: 99.2; Grok-4: 99.0; DeepSeek R1: 98.3; ")
    assert first["issues"].split(", ")[0] == "contamination"


def test_table_7(results):
    numbers = ["n", "range (points)", "SE_delta", "R_norm", "S_index", "level"]
    assert results["table7"][numbers].to_numpy().tolist() == [
        [500, 1.00, 0.0338, 0.2955, 0.9164, "very high"],
        [1000, 1.09, 0.1028, 0.1060, 0.9888, "very high"],
        [1000, 3.90, 0.0761, 0.5124, 0.7691, "high"],
        [817, 6.70, 0.0863, 0.7766, 0.5471, "moderate"],
        [2500, 11.40, 0.0926, 1.2309, 0.2198, "low"],
    ]


def test_tables_of_other_benchmarks_leave_out_the_examples_they_lack(results):
    own = {
        "benchmarks": results["benchmarks"].query("benchmark_id != 'math_500'"),
        "index": results["index"].query("benchmark_id in ('livebench', 'gpqa_diamond')"),
    }
    tables = study.paper_tables({**results, **own}, 5, 0.5)
    assert tables["table5"]["benchmark"].tolist() == ["GPQA Diamond"]
    assert tables["table7"]["n"].tolist() == [1000]


def test_a_table_of_ones_own_is_shown_whole(results):
    whole = study.paper_tables(results, 5, 0.5, whole=True)
    for name in ("table5", "table6", "table7"):
        assert whole[name]["benchmark"].tolist() == results["benchmarks"]["name"].tolist()


def test_tags_and_issues_are_listed(results):
    benchmarks = results["benchmarks"].head(1).assign(
        curated_by_experts=True, curated_by_crowd=False, generated_by_llm=True,
        generated_by_program=True, templated=True, issue_noise=True, issue_bias=False,
        issue_contamination=True, issue_mislabelling=False, issue_other=False,
        issue_none_known=False, sota_at_release=0.1234, released="2020-02-29",
        recent_models_evaluated=False,
    )  # fmt: skip
    (name,) = benchmarks["benchmark_id"]
    top_scores = pd.DataFrame(
        {"benchmark_id": name, "model": ["A", None], "score": [0.987, 0.5], "rank": [1, 2]}
    )
    own = {"benchmarks": benchmarks, "top_scores": top_scores}
    tables = study.paper_tables({**results, **own}, 5, 0.5, whole=True)
    (row,) = tables["table5"].to_dict("records")
    assert (row["curation"], row["templated"]) == ("experts, LLM, program", "yes")
    (row,) = tables["table6"].to_dict("records")
    assert row["top models (%)"] == "A: 98.7; unnamed: 50.0"
    assert row["issues"] == "contamination, noise"
    assert row["best at release (%)"] == 12.3
    assert (row["released"], row["recent models evaluated"]) == ("2020-02", "no")


def test_the_page_ranks_the_benchmarks_and_says_how_firm_they_are(results):
    page = study.page(results["index"], results["intervals"])
    assert page["s_index"].is_monotonic_decreasing
    assert {"bin", "s_lower", "first_and_kth", "reranked_median"} <= set(page)
    assert len(page) == len(results["index"])
