"""Groups of the embedded benchmarks: the counts and ages that the paper and its script print."""

import numpy as np
import pytest

from saturation.plateau import groupings, hypotheses


@pytest.fixture(scope="module")
def compared(prepared):
    listed = groupings.comparisons(prepared[0])
    return {(comparison.hypothesis, comparison.grouping): comparison for comparison in listed}


def ages(data, comparison):
    summary = hypotheses.group_summary(data, comparison, 0.7).set_index("group")
    return summary["mean_age"].round(1).to_dict()


def test_the_group_ages_of_section_4_1(data, compared):
    assert ages(data, compared["h2", "primary"]) == {"english": 48.9, "multilingual": 32.9}
    expected = {"with_issues": 51.5, "without_issues": 30.9}
    assert ages(data, compared["quality", "primary"]) == expected


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


def test_every_group_that_a_reading_names_has_members(compared):
    for key, comparison in compared.items():
        assert set(comparison.groups.dropna()) == set(groupings.READINGS[key].groups), key


def test_benchmarks_without_a_recorded_issue_are_left_out_of_one_reading(prepared, compared):
    columns = [name for name in prepared[0] if name.startswith("issue_")]
    unrecorded = ~prepared[0].set_index("benchmark_id")[columns].any(axis=1)
    assert unrecorded.any()
    assert compared["quality", "recorded_only"].groups[unrecorded].isna().all()
    assert compared["quality", "primary"].groups.notna().all()


def test_effects_lie_in_their_intervals_and_p_values_in_the_unit_interval(results):
    tests = results["tests"]
    assert tests["p_value"].between(0, 1).all()
    bounded = tests.dropna(subset=["effect", "effect_lower"])
    assert len(bounded) > 50
    assert (bounded["effect_lower"] <= bounded["effect"]).all()
    assert (bounded["effect"] <= bounded["effect_upper"]).all()


def test_the_age_bins_of_section_4_1(results):
    bins = results["bins"].query("binned_by == 'age_months'").set_index("bin")
    assert list(bins.index) == list(hypotheses.AGE_LABELS)
    assert bins["mean_s"].round(2).tolist() == [0.51, 0.52, 0.60]
    rates = (100 * bins["rate"]).round(1)
    assert (rates["up to 24"], rates["over 60"]) == (42.9, 54.5)
    assert bins["n"].sum() == 60


def test_citation_bins_leave_out_missing_counts_only(results):
    bins = results["bins"].query("binned_by == 'citations'")
    assert bins["n"].sum() == results["benchmarks"]["citations"].notna().sum() == 53
    assert bins["bin"].tolist() == list(hypotheses.CITATION_LABELS)
