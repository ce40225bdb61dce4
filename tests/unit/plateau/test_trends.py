"""Trends, bins and summaries: the paper's age bins, and intervals checked against formulae."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.plateau import trends


def test_the_age_bins_of_section_4_1(data):
    bins = trends.bins(data, 0.7).query("binned_by == 'age_months'").set_index("bin")
    assert list(bins.index) == list(trends.AGE_LABELS)
    assert bins["mean_s"].round(2).tolist() == [0.51, 0.52, 0.60]
    rates = (100 * bins["rate"]).round(1)
    assert (rates["up to 24"], rates["over 60"]) == (42.9, 54.5)
    assert bins["n"].sum() == 60


def test_citation_bins_leave_out_missing_counts_only(data):
    bins = trends.bins(data, 0.7).query("binned_by == 'citations'")
    assert bins["n"].sum() == data["citations"].notna().sum() < 60
    assert bins["bin"].tolist() == list(trends.CITATION_LABELS)


@pytest.mark.parametrize(
    ("months", "label"),
    [
        (-1, "up to 24"),
        (24, "up to 24"),
        (24.01, "over 24 to 60"),
        (60, "over 24 to 60"),
        (61, "over 60"),
    ],
)
def test_bins_are_closed_above(months, label):
    assert trends.age_bin(pd.Series([months])).tolist() == [label]


def test_a_missing_value_has_no_bin():
    assert trends.citation_bin(pd.Series([None, 5], dtype="Int64")).isna().tolist() == [True, False]


def wilson(successes, n):
    """Bounds as the roots of the score equation."""
    z = stats.norm.ppf(0.975)
    p = successes / n
    return np.roots([1 + z**2 / n, -(2 * p + z**2 / n), p**2])[::-1]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=80))
def test_a_summary_counts_and_bounds(values):
    s_index = pd.Series(values)
    found = trends.saturation_summary(s_index, 0.7)
    assert found["n"] == len(values)
    assert found["n_saturated"] == sum(value >= 0.7 for value in values)
    assert found["rate"] == found["n_saturated"] / found["n"]
    bounds = np.real(wilson(found["n_saturated"], found["n"]))
    assert [found["rate_lower"], found["rate_upper"]] == pytest.approx(bounds, abs=1e-6)
    assert found["mean_s_lower"] <= found["mean_s"] + 1e-12
    assert found["mean_s"] <= found["mean_s_upper"] + 1e-12


def test_the_interval_of_a_mean_is_that_of_the_t_test():
    values = np.array([0.1, 0.4, 0.45, 0.9, 0.7])
    expected = stats.ttest_1samp(values, 0).confidence_interval()
    assert trends.mean_interval(values) == pytest.approx((expected.low, expected.high))
    assert np.isnan(trends.mean_interval(values[:1])).all()


def test_trends_are_spearman_s_on_complete_rows(data):
    found = trends.trends(data).set_index(["trend", "reading"])
    assert not found.index.duplicated().any()
    for trend, reading, column in (
        ("age", "spearman", "months_at_observation"),
        ("age", "spearman_recorded", "age_months"),
        ("test_size", "spearman", "n_test"),
        ("citations", "raw", "citations"),
    ):
        complete = data[[column, "s_index"]].astype(float).dropna()
        expected = stats.spearmanr(complete[column], complete["s_index"])
        row = found.loc[(trend, reading)]
        assert row["estimate"] == pytest.approx(expected.statistic)
        assert row["p_value"] == pytest.approx(expected.pvalue)
        assert row["n"] == len(complete)
    assert found["p_value"].between(0, 1).all()


def test_a_trend_that_was_put_in_is_found(data):
    rng = np.random.default_rng(1)
    synthetic = data.assign(s_index=data["age_months"] / 200 + rng.normal(0, 0.05, 60))
    found = trends.trends(synthetic).set_index(["trend", "reading"])
    assert found.loc[("age", "spearman"), "estimate"] > 0.8
    # Citations grow with age, but say nothing more once age is known.
    assert found.loc[("citations", "partial_pearson"), "p_value"] > 0.05
