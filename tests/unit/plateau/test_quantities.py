"""Headline numbers: each is the number of its table, under a name that the ledger can ask for."""

import numpy as np
import pytest

from saturation.files import schema
from saturation.index import annotated
from saturation.ledger.schemas import QUANTITIES
from saturation.plateau import hypotheses, study
from saturation.statistics import correlation


@pytest.fixture(scope="module")
def quantities(results):
    return results["quantities"]


@pytest.fixture(scope="module")
def value(quantities):
    return quantities.set_index("quantity")["value"]


def counted_in(tables):
    return study.quantities(tables, seed=0, permutations=9, saturated_from=0.7, ceiling=0.9)


def test_names_are_valid_and_stand_once(quantities):
    schema.validate(quantities.replace({"note": {"": None}}), QUANTITIES, "quantities")
    assert not quantities["quantity"].duplicated().any()


def test_proportions_and_p_values_are_not_in_percent(value):
    bounded = value[value.index.str.contains(r"(?:_p|_share|_same_bin|_rate_\w+)(?:__\w+)?$")]
    assert len(bounded) > 50
    assert bounded.dropna().between(0, 1).all()


def test_intervals_hold_their_values(quantities):
    bounded = quantities.dropna(subset=["value", "lower", "upper"])
    bounded = bounded[~bounded["quantity"].str.endswith("_null")]
    assert len(bounded) > 40
    inside = bounded["value"].between(bounded["lower"] - 1e-9, bounded["upper"] + 1e-9)
    assert inside.all(), bounded[~inside]


def test_counts_are_those_of_the_index(value, data):
    saturated = data["s_index"] >= 0.7
    assert value["n_benchmarks"] == len(data)
    assert value["n_saturated"] == saturated.sum()
    assert value["saturated_share"] == pytest.approx(saturated.mean())
    assert value["n_saturated_below_ceiling"] == (saturated & (data["s_1"] < 0.9)).sum()
    assert value["n_saturated_at_ceiling"] == data["similar_at_ceiling"].sum()
    assert value["n_stagnated"] == data["similar_below_ceiling"].sum()
    near = data["s_1"] >= 0.9
    share = data.loc[near, "statistically_similar"].mean()
    assert value["near_ceiling_similar_share"] == share
    assert value["n_moderate"] == (data["bin"] == "moderate").sum()
    assert value["mean_age"] == pytest.approx(data[hypotheses.AGE].mean())
    assert value["n_test_median"] == data["n_test"].median()
    assert value[["age_months_min", "age_months_max"]].tolist() == [
        data["age_months"].min(), data["age_months"].max()]  # fmt: skip


def test_the_edges_of_threshold_and_ceiling_count(results):
    at = results["index"].assign(s_index=0.7, s_1=[0.9] * 30 + [np.nextafter(0.9, 0)] * 30)
    tables = {**results, "index": at}
    counted = counted_in(tables).set_index("quantity")["value"]
    assert counted["n_saturated"] == 60
    assert counted["n_saturated_below_ceiling"] == 30
    intervals = results["intervals"].assign(
        s_index=[0.7] * 10 + [0.69] * 50, s_upper=0.9,
        first_and_kth=["undecided"] * 20 + ["separated"] * 40,
        p_again_index_noise=0.5, s_lower=[0.7] * 7 + [0.69] * 53, s_upper_index_noise=0.7,
        s_lower_index_noise=0.0, reranked_upper=[0.6] * 4 + [0.7] * 56, reranked_lower=0.0,
    )  # fmt: skip
    tables = {**results, "intervals": intervals}
    counted = counted_in(tables).set_index("quantity")["value"]
    assert counted["expected_n_saturated_again"] == 5
    tops = ["n_top_equivalent", "n_top_separated", "n_top_undecided"]
    assert counted[tops].tolist() == [0, 40, 20]
    assert counted[["n_index_decided", "n_index_decided__index_noise"]].tolist() == [7, 0]
    assert counted[["n_index_above_reranked", "n_index_below_reranked"]].tolist() == [4, 0]


def test_a_benchmark_is_complete_with_every_field_and_a_tag_of_each_kind(results):
    from saturation.plateau.schemas import CURATION, ISSUES

    filled = results["benchmarks"].assign(
        citations=1, recent_models_evaluated=True, sota_at_release=0.5, input_format="coding",
        output_format="free_form", metrics="f1", **dict.fromkeys((*CURATION, *ISSUES), True),
    )  # fmt: skip
    cases = {
        60: filled,
        59: filled.assign(sota_at_release=filled["sota_at_release"].where(filled.index > 0)),
        58: filled.assign(**dict.fromkeys(CURATION, filled.index > 1)),
        57: filled.assign(**dict.fromkeys(ISSUES, filled.index > 2)),
    }
    for expected, benchmarks in cases.items():
        tables = {**results, "benchmarks": benchmarks}
        counted = counted_in(tables).set_index("quantity")
        assert counted.loc["n_completely_annotated", "value"] == expected


def test_rows_of_the_tables_keep_their_intervals(quantities, results):
    rows = quantities.set_index("quantity")[["value", "lower", "upper"]]

    def picked(table, query, *columns):
        return results[table].query(query).iloc[0][list(columns)].tolist()

    def summary(column):
        return (column, f"{column}_lower", f"{column}_upper")

    cases = {
        "table1_alpha0_spearman": picked(
            "comparisons", "setting == 'alpha0'", *summary("spearman")),
        "citations_rho": picked(
            "trends", "trend == 'citations' and reading == 'raw'", "estimate", "lower", "upper"),
        "citation_growth_rho__residual_of_index_recorded": picked(
            "trends", "trend == 'citation_growth' and reading == 'residual_of_index_recorded'",
            "estimate", "lower", "upper"),
        "citations_partial_rho": picked(
            "trends", "trend == 'citations' and reading == 'partial_spearman'",
            "estimate", "lower", "upper"),
        "permuted_n_top_gap_null": picked(
            "permuted_n", "outcome == 'top_gap'", "null_mean", "null_lower", "null_upper"),
        "age_bin_2_saturated_share": picked(
            "bins", "binned_by == 'age_months' and bin == 'over 24 to 60'", *summary("rate")),
        "citation_bin_last_mean_s": picked(
            "bins", "binned_by == 'citations' and bin == 'over 2,500'", *summary("mean_s")),
        "h2_rate_english": picked(
            "groups", "hypothesis == 'h2' and group == 'english'", *summary("rate")),
        "quality_rate_with": picked(
            "groups", "hypothesis == 'quality' and group == 'with_issues'", *summary("rate")),
        "h3_mean_s_hybrid": picked(
            "groups", "grouping == 'human_and_automatic' and group == 'hybrid'",
            *summary("mean_s")),
        "h4_effect": picked(
            "tests", "hypothesis == 'h4' and grouping == 'primary' and test == 'welch'",
            *summary("effect")),
        "h1_age_difference": picked(
            "tests", "hypothesis == 'h1' and grouping == 'primary' and test == 'age_welch'",
            *summary("effect")),
        "h6_tags_or_notes_age_difference": picked(
            "tests", "hypothesis == 'h6' and grouping == 'tags_or_notes' and "
            "test == 'age_welch'", *summary("effect")),
        "h6_tags_or_notes_age_adjusted_effect": picked(
            "tests", "hypothesis == 'h6' and grouping == 'tags_or_notes' and "
            "test == 'age_adjusted'", *summary("effect")),
    }  # fmt: skip
    for name, expected in cases.items():
        assert rows.loc[name].tolist() == pytest.approx(expected), name


def test_p_values_stand_under_the_bare_name_of_the_test_that_is_meant(value, results):
    tests = results["tests"].set_index(["hypothesis", "grouping", "test"])["p_value"]
    cases = {
        "h1_p": ("h1", "primary", "permutation"),
        "h1_p__rank": ("h1", "primary", "rank"),
        "h1_age_p": ("h1", "primary", "age_welch"),
        "h1_age_p__age_rank_recorded": ("h1", "primary", "age_rank_recorded"),
        "h3_age_p": ("h3", "human_and_automatic", "age_rank"),
        "h3_age_p__age_welch": ("h3", "primary", "age_welch"),
        "h3_p__rate_chi2_leading_human": ("h3", "leading_human", "rate_chi2"),
        "h4_p__permutation_both_counts_as_open": ("h4", "both_counts_as_open", "permutation"),
        "quality_age_and_log_n_adjusted_p": ("quality", "primary", "age_and_log_n_adjusted"),
        "h3_exclusive_age_adjusted_p": ("h3", "exclusive", "age_adjusted"),
    }
    for name, key in cases.items():
        assert value[name] == pytest.approx(tests[key]), name


def test_correlations_that_only_the_text_names(value, results):
    data = annotated(results["benchmarks"], results["index"])
    clean = data[~data["issue_contamination"]]
    alpha_1 = results["index_alpha1"]
    cases = {
        "citations_age": correlation.spearman(data["citations"], data[hypotheses.AGE]),
        "age_given_citations": correlation.partial_spearman(
            data[hypotheses.AGE], data["s_index"], data["citations"]),
        "age_uncontaminated": correlation.spearman(clean[hypotheses.AGE], clean["s_index"]),
        "test_size_r_norm": correlation.spearman(data["n_test"], data["r_norm"]),
        "test_size_gap": correlation.spearman(data["n_test"], data["s_1"] - data["s_k"]),
    }  # fmt: skip
    for name, expected in cases.items():
        assert value[f"{name}_rho"] == pytest.approx(expected["estimate"]), name
        assert value[f"{name}_p"] == pytest.approx(expected["p_value"]), name
    expected = correlation.spearman(alpha_1["n_test"], alpha_1["s_index"])
    assert value["test_size_rho_alpha1"] == pytest.approx(expected["estimate"])


def test_examples_are_left_out_where_they_are_not(results):
    kept = results["benchmarks"]["benchmark_id"] != "math_500"
    tables = {**results, "benchmarks": results["benchmarks"][kept],
              "index": results["index"][kept.to_numpy()]}  # fmt: skip
    names = counted_in(tables)["quantity"]
    assert not names.str.contains("math_500").any()
    assert names.str.contains("table7_livebench").sum() == 8


def test_an_example_that_is_annotated_otherwise_does_not_match(results):
    changed = results["benchmarks"].copy()
    math = changed["benchmark_id"] == "math_500"
    changed.loc[math, ["output_format", "released"]] = ["multiple_choice", "2022-03-05"]
    changed.loc[math, "issue_noise"] = True
    tables = {**results, "benchmarks": changed}
    value = counted_in(tables).set_index("quantity")["value"]
    for name in (
        "table5_{}_properties_match",
        "table6_{}_released_match",
        "table6_{}_issues_match",
    ):
        assert value[name.format("math_500")] == 0
        assert value[name.format("gpqa_diamond")] == 1


def test_the_note_of_a_bin_is_its_name(quantities):
    notes = quantities.set_index("quantity")["note"]
    assert notes["citation_bin_first_mean_s"] == "up to 300"
    assert notes["age_trend_rho"] == "n = 60"
    assert notes["age_given_english_p"].startswith("permutation test, F = ")
