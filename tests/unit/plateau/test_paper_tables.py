"""The paper's tables in its units and its order, and what a table of one's own gets."""

import pandas as pd

from saturation.plateau import study
from saturation.plateau.names import HYPOTHESES


def test_settings_are_compared_in_the_papers_rounding():
    comparisons = pd.DataFrame(
        {"setting": ["k3"], "k": [3], "alpha": [0.5], "spearman": [0.9153], "same_bin": [0.4833],
         "spearman_lower": [0.8649], "spearman_upper": [0.951]}
    )  # fmt: skip
    table = study.sensitivity(comparisons, 5, 0.25)
    assert table.to_dict("records") == [
        {
            "setting": "k = 3, alpha = 0.5",
            "compared with": "k = 5, alpha = 0.25",
            "Spearman correlation": 0.92,
            "95 % interval": "0.86 to 0.95",
            "same bin (%)": 48.3,
        }
    ]


def test_a_hypothesis_without_a_test_has_empty_cells():
    family = pd.DataFrame(
        {"hypothesis": ["h6", "h1", "h1"], "kind": ["raw", "raw", "age_and_log_n_adjusted"],
         "p_value": [0.25, 0.0126, 0.5], "holm": [0.25, 0.0252, 1.0]}
    )  # fmt: skip
    table = study.hypotheses(family).set_index("hypothesis")
    assert table["p raw (Holm)"].dropna().to_dict() == {
        "H1": "0.013 (0.025)",
        "H6": "0.250 (0.250)",
    }
    assert table["p given age (Holm)"].isna().all()
    assert list(table["statement"]) == [row.statement for row in HYPOTHESES.values()]


def test_table_2_has_the_p_values_of_the_family(results):
    table = study.hypotheses(results["family"]).set_index("hypothesis")
    assert list(table.index) == ["H1", "H2", "H3", "H4", "H5", "H6", "quality"]
    table = table.rename(index=str.lower)
    for row in results["family"].to_dict("records"):
        column = {"raw": "p raw (Holm)", "age_adjusted": "p given age (Holm)"}.get(row["kind"])
        if column:
            expected = f"{row['p_value']:.3f} ({row['holm']:.3f})"
            assert table.loc[row["hypothesis"], column] == expected


def test_tables_of_other_benchmarks_leave_out_the_examples_they_lack(results):
    own = results["benchmarks"].query("benchmark_id != 'math_500'")
    assert study.properties(own)["benchmark"].tolist() == ["GPQA Diamond"]
    index = results["index"].query("benchmark_id == 'livebench' or benchmark_id == 'gpqa_diamond'")
    assert study.case_studies(own, index)["n"].tolist() == [1000]


def test_a_table_of_ones_own_is_shown_whole(results):
    whole = study.tables(results, 5, 0.5, whole=True)
    examples = study.tables(results, 5, 0.5)
    assert list(whole) == ["table1", "table2", "table5", "table6", "table7"]
    names = results["benchmarks"]["name"].tolist()
    for name, shown in (("table5", 2), ("table6", 2), ("table7", 5)):
        assert whole[name]["benchmark"].tolist() == names
        assert len(examples[name]) == shown


def test_tags_and_issues_are_listed(results):
    benchmarks = results["benchmarks"].head(1).assign(
        curated_by_experts=True, curated_by_crowd=False, generated_by_llm=True,
        generated_by_program=True, templated=True, issue_noise=True, issue_bias=False,
        issue_contamination=True, issue_mislabelling=False, issue_other=False,
        issue_none_known=False, sota_at_release=0.1234, released="2020-02-29",
        recent_models_evaluated=False,
    )  # fmt: skip
    (name,) = benchmarks["benchmark_id"]
    (row,) = study.properties(benchmarks, [name]).to_dict("records")
    assert row["curation"] == "experts, LLM, program"
    assert row["templated"] == "yes"
    top_scores = pd.DataFrame(
        {"benchmark_id": name, "model": ["A", None], "score": [0.987, 0.5], "rank": [1, 2]}
    )
    (row,) = study.scores(benchmarks, top_scores, [name]).to_dict("records")
    assert row["top models (%)"] == "A: 98.7; unnamed: 50.0"
    assert row["issues"] == "contamination, noise"
    assert row["best at release (%)"] == 12.3
    assert (row["released"], row["recent models evaluated"]) == ("2020-02", "no")


def test_the_page_ranks_the_benchmarks_and_says_how_firm_they_are(results):
    page = study.page(results["index"], results["intervals"])
    assert page["s_index"].is_monotonic_decreasing
    assert {"bin", "s_lower", "p_saturated", "reranked_median"} <= set(page)
    assert len(page) == len(results["index"])
