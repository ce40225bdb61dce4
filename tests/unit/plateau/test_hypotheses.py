"""Groupings and tests of the hypotheses: the paper's group ages, and tests against scipy."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from saturation.plateau import groupings, hypotheses, trends
from saturation.statistics import correlation


@pytest.fixture(scope="module")
def compared(prepared):
    return {(one.hypothesis, one.grouping): one for one in groupings.comparisons(prepared[0])}


@pytest.fixture(scope="module")
def tests(data, compared):
    found = [
        hypotheses.group_tests(data, one, 0.7, 99, np.random.default_rng(1))
        for one in compared.values()
    ]
    return pd.concat(found).set_index(["hypothesis", "grouping", "test"]).sort_index()


def ages(data, comparison):
    summary = hypotheses.group_summary(data, comparison, 0.7).set_index("group")
    return summary["mean_age"].round(1)


def test_the_group_ages_of_section_4_1(data, compared):
    language = ages(data, compared["h2", "primary"])
    assert language.to_dict() == {"english": 48.9, "multilingual": 32.9}
    issues = ages(data, compared["quality", "primary"])
    assert issues.to_dict() == {"with_issues": 51.5, "without_issues": 30.9}


def test_output_formats_are_28_against_31(compared):
    counts = compared["h4", "primary"].groups.value_counts()
    assert counts.to_dict() == {"open": 31, "closed": 28}


def test_the_groups_of_the_authors_script_give_the_printed_counts(data, compared):
    counts = compared["h6", "tags_or_notes"].groups.value_counts()
    assert counts.to_dict() == {"non_templated": 46, "templated": 14}
    rng = np.random.default_rng(0)
    rank = hypotheses.group_tests(data, compared["h6", "tags_or_notes"], 0.7, 9, rng)
    assert round(rank.set_index("test").loc["rank", "p_value"], 2) == 0.10
    curation = hypotheses.group_tests(data, compared["h3", "human_and_automatic"], 0.7, 9, rng)
    assert round(curation.set_index("test").loc["age_anova", "p_value"], 4) == 0.0017


def test_a_table_without_notes_has_no_groups_by_notes(prepared):
    table = prepared[0].assign(template_in_notes=None)
    (one,) = [c for c in groupings.comparisons(table) if c.grouping == "tags_or_notes"]
    assert one.groups.isna().all()


def test_groups_are_made_of_the_tags(prepared, compared):
    table = prepared[0].set_index("benchmark_id")
    machine = table["generated_by_llm"] | table["generated_by_program"]
    human = table["curated_by_experts"] | table["curated_by_crowd"]
    primary = compared["h3", "primary"].groups
    assert (primary[machine] == "synthetic_or_hybrid").all()
    assert (primary[human & ~machine] == "human").all()
    exclusive = compared["h3", "exclusive"].groups
    assert (exclusive[machine & human] == "hybrid").all()
    assert (exclusive[machine & ~human] == "synthetic").all()
    assert primary[~machine & ~human].isna().all()
    templated = compared["h6", "primary"].groups
    assert ((templated == "templated") == table["templated"]).all()


def test_every_grouping_is_named_once_and_has_its_first_group(prepared, compared):
    listed = groupings.comparisons(prepared[0])
    assert len(compared) == len(listed)
    for one in listed:
        assert one.first in set(one.groups.dropna())
    primary = {one.hypothesis for one in listed if one.grouping == "primary"}
    assert primary == {"h1", "h2", "h3", "h4", "h6", "quality"}


def test_benchmarks_without_a_recorded_issue_are_left_out_of_one_reading(prepared, compared):
    columns = [name for name in prepared[0] if name.startswith("issue_")]
    unrecorded = ~prepared[0].set_index("benchmark_id")[columns].any(axis=1)
    assert unrecorded.any()
    assert compared["quality", "recorded_only"].groups[unrecorded].isna().all()
    assert compared["quality", "primary"].groups.notna().all()


def split(data, comparison, column="s_index"):
    group = data["benchmark_id"].map(comparison.groups)
    values = data[column]
    return values[group == comparison.first], values[group.notna() & (group != comparison.first)]


@pytest.mark.parametrize("name", ["h1", "h2", "h3", "h4", "h6", "quality"])
def test_two_groups_are_tested_as_scipy_does(data, compared, tests, name):
    first, second = split(data, compared[name, "primary"])
    row = tests.loc[(name, "primary")]
    assert row.loc["rank", "p_value"] == pytest.approx(stats.mannwhitneyu(first, second).pvalue)
    welch = stats.ttest_ind(first, second, equal_var=False)
    assert row.loc["welch", "p_value"] == pytest.approx(welch.pvalue)
    difference = first.mean() - second.mean()
    assert row.loc["permutation", "effect"] == pytest.approx(difference)
    assert row.loc["permutation", "p_value"] == pytest.approx(welch.pvalue, abs=0.2)
    counts = [[(part >= 0.7).sum(), (part < 0.7).sum()] for part in (first, second)]
    assert row.loc["rate", "p_value"] == pytest.approx(stats.fisher_exact(counts).pvalue)
    months = split(data, compared[name, "primary"], trends.AGE)
    age = stats.ttest_ind(*months, equal_var=False)
    assert row.loc["age_welch", "p_value"] == pytest.approx(age.pvalue)
    pairs = [np.sign(a - b) for a, b in itertools.product(first, second)]
    assert row.loc["rank", "effect"] == pytest.approx(np.mean(pairs))


def test_effects_lie_in_their_intervals_and_p_values_in_the_unit_interval(tests):
    assert tests["p_value"].between(0, 1).all()
    bounded = tests.dropna(subset=["effect", "effect_lower"])
    assert len(bounded) > 50
    assert (bounded["effect_lower"] <= bounded["effect"]).all()
    assert (bounded["effect"] <= bounded["effect_upper"]).all()


def test_several_groups_are_tested_as_scipy_does(data, compared, tests):
    groups = data["benchmark_id"].map(compared["h3", "exclusive"].groups)
    parts = [part for _, part in data["s_index"].groupby(groups)]
    assert len(parts) > 2
    row = tests.loc[("h3", "exclusive")]
    assert row.loc["rank", "p_value"] == pytest.approx(stats.kruskal(*parts).pvalue)
    assert row.loc["anova", "p_value"] == pytest.approx(stats.f_oneway(*parts).pvalue)
    assert np.isnan(row.loc["age_adjusted", "effect"])


def invented(groups, months, s_index):
    n = len(groups)
    names = [f"b{i}" for i in range(n)]
    frame = pd.DataFrame(
        {
            "benchmark_id": names,
            "s_index": s_index,
            "months_at_observation": months,
            "age_months": months,
            "n_test": np.random.default_rng(0).integers(50, 5000, n),
        }
    )
    labels = pd.Series(groups, index=pd.Index(names, name="benchmark_id"), dtype="object")
    return frame, labels


def test_the_adjusted_tests_tell_an_effect_of_the_group_from_one_of_age():
    rng = np.random.default_rng(3)
    groups = np.where(np.arange(60) % 2 == 0, "a", "b")
    months = np.where(groups == "a", 20.0, 0.0) + rng.uniform(1, 40, 60)
    of_age = months / 100 + rng.normal(0, 0.05, 60)
    of_group = np.where(groups == "a", 0.5, 0.2) + rng.normal(0, 0.05, 60)
    p_values, effects = {}, {}
    for name, s_index in (("age", of_age), ("group", of_group)):
        frame, labels = invented(groups, months, s_index)
        one = groupings.Comparison("h1", "primary", "a", labels)
        found = hypotheses.group_tests(frame, one, 0.7, 499, rng).set_index("test")
        assert found.loc["permutation", "p_value"] <= 0.01
        p_values[name] = found.loc["age_adjusted", "p_value"]
        effects[name] = found.loc["age_adjusted"]
    assert p_values["age"] > 0.05
    assert p_values["group"] <= 0.01
    assert effects["group"]["effect_lower"] < 0.3 < effects["group"]["effect_upper"]


def test_a_grouping_whose_first_group_is_empty_is_still_tested():
    rng = np.random.default_rng(4)
    groups = np.where(np.arange(20) % 2 == 0, "expert", "hybrid")
    frame, labels = invented(groups, rng.uniform(1, 40, 20), rng.uniform(0, 1, 20))
    one = groupings.Comparison("h3", "exclusive", "crowd", labels)
    found = hypotheses.group_tests(frame, one, 0.5, 99, rng).set_index("test")
    first, second = (frame.loc[groups == name, "s_index"] for name in ("expert", "hybrid"))
    assert found.loc["permutation", "effect"] == pytest.approx(first.mean() - second.mean())


def test_one_group_alone_is_not_tested():
    frame, labels = invented(["a"] * 10, np.arange(10.0), np.linspace(0, 1, 10))
    one = groupings.Comparison("h1", "primary", "a", labels)
    assert hypotheses.group_tests(frame, one, 0.7, 9, np.random.default_rng(0)).empty


def test_the_family_is_corrected_for_its_size(data, tests):
    trend_table = trends.trends(data)
    found = hypotheses.family(tests.reset_index(), trend_table)
    for kind, part in found.groupby("kind"):
        assert sorted(part["hypothesis"]) == ["h1", "h2", "h3", "h4", "h5", "h6", "quality"], kind
        for column, method in (("holm", "holm"), ("benjamini_hochberg", "fdr_bh")):
            expected = multipletests(part["p_value"], method=method)[1]
            assert part[column].to_numpy() == pytest.approx(expected)
    raw = found[found["kind"] == "raw"].set_index("hypothesis")["p_value"]
    age = stats.spearmanr(data[trends.AGE], data["s_index"]).pvalue
    assert raw["h5"] == pytest.approx(age)
    assert raw["h1"] == tests.loc[("h1", "primary", "permutation"), "p_value"]
    h5 = found[found["hypothesis"] == "h5"].set_index("kind")["p_value"]
    assert h5.nunique() == 3
    s_index, age, n_test = data["s_index"], data[trends.AGE], data["n_test"]
    both = correlation.partial_spearman(data["citations"].astype(float), s_index, age, n_test)
    assert h5["age_and_log_n_adjusted"] == pytest.approx(both["p_value"])


@pytest.mark.parametrize(
    ("first", "second", "delta"),
    [([2, 3], [0, 1], 1), ([0, 1], [2, 3], -1), ([1, 1], [1], 0), ([0, 2], [1], 0)],
)
def test_cliffs_delta(first, second, delta):
    assert hypotheses.cliffs_delta(np.array(first), np.array(second)) == delta


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_group_of_one_has_no_interval_next_to_age():
    frame, labels = invented(["a"] + ["b"] * 12, np.arange(13.0), np.linspace(0, 1, 13) ** 2)
    one = groupings.Comparison("h1", "primary", "a", labels)
    found = hypotheses.group_tests(frame, one, 0.7, 9, np.random.default_rng(0))
    row = found.set_index("test").loc["age_adjusted"]
    assert np.isfinite(row["effect"])
    assert row[["effect_lower", "effect_upper"]].isna().all()


def test_the_family_leaves_out_what_is_not_defined(data, tests):
    trend_table = trends.trends(data.assign(citations=np.nan))
    found = hypotheses.family(tests.reset_index(), trend_table)
    adjusted = found[found["kind"] == "age_adjusted"]
    assert "h5" not in set(adjusted["hypothesis"])
    expected = multipletests(adjusted["p_value"], method="fdr_bh")[1]
    assert adjusted["benjamini_hochberg"].to_numpy() == pytest.approx(expected)
