"""Trends, bins and summaries on made-up benchmarks: against R, and at every edge."""

import numpy as np
import pandas as pd
import pytest

from saturation.plateau import hypotheses


@pytest.fixture(scope="module")
def found(made_up):
    return hypotheses.trends(made_up).set_index(["trend", "reading"])


READINGS = [
    ("age", "spearman"),
    ("age", "spearman_recorded"),
    ("age", "kendall"),
    ("age", "pearson"),
    ("test_size", "spearman"),
    ("test_size", "partial_given_age"),
    ("citations_given_test_size", "partial_spearman"),
    *(
        (trend, f"{reading}{suffix}")
        for suffix in ("", "_recorded")
        for trend in ("citations", "citation_growth")
        for reading in (
            "raw",
            "partial_spearman",
            "residual_spearman",
            "residual_of_index",
            "partial_pearson",
            "partial_pearson_log",
        )
        if (trend, f"{reading}{suffix}") != ("citations", "raw_recorded")
    ),
]


def test_every_reading_stands_once_in_this_order(found):
    assert list(found.index) == READINGS


@pytest.mark.parametrize(("trend", "reading"), READINGS)
def test_trends_give_r_s_numbers(found, from_r, trend, reading):
    row = found.loc[(trend, reading)]
    columns = ["estimate", "p_value"]
    if "pearson" not in reading and reading != "kendall":
        columns += ["lower", "upper", "n"]
    for column in columns:
        expected = from_r[f"{trend}.{reading}.{column}"]
        assert row[column] == pytest.approx(expected, abs=1e-6), column


def test_trends_are_taken_over_the_benchmarks_that_have_what_they_need(found):
    # 26 benchmarks, three without citations; two have an age of 0 or below, none of those three.
    sizes = found["n"]
    assert sizes["age", "spearman"] == sizes["test_size", "spearman"] == 26
    assert sizes["citations", "raw"] == sizes["citations", "partial_pearson_log"] == 23
    assert sizes["citation_growth", "raw"] == 21
    assert sizes["citation_growth", "raw_recorded"] == 21


def test_growth_needs_an_age(made_up):
    # One benchmark is released on the day of observation, one after it: neither has a growth.
    young = made_up["months_at_observation"] <= 0
    assert sorted(made_up.loc[young, "months_at_observation"]) == [-0.3, 0]
    changed = made_up.assign(citations=made_up["citations"].mask(young, 10**6))
    growth = hypotheses.trends(changed).set_index(["trend", "reading"]).loc["citation_growth"]
    before = hypotheses.trends(made_up).set_index(["trend", "reading"]).loc["citation_growth"]
    pd.testing.assert_frame_equal(growth, before)
    ages = made_up["months_at_observation"].mask(young, 0.5)
    weeks_old = hypotheses.trends(made_up.assign(months_at_observation=ages))
    sizes = weeks_old.set_index(["trend", "reading"])["n"]
    assert sizes["citation_growth", "raw"] == 23


@pytest.mark.parametrize(
    ("months", "label"),
    [
        (-1, "up to 24"),
        (24, "up to 24"),
        (24.01, "over 24 to 60"),
        (60, "over 24 to 60"),
        (60.01, "over 60"),
    ],
)
def test_bins_of_age_are_closed_above(months, label):
    assert hypotheses.age_bin(pd.Series([months])).tolist() == [label]


@pytest.mark.parametrize(
    ("citations", "label"),
    [
        (0, "up to 300"),
        (300, "up to 300"),
        (301, "301 to 1,000"),
        (1000, "301 to 1,000"),
        (1001, "1,001 to 2,500"),
        (2500, "1,001 to 2,500"),
        (2501, "over 2,500"),
    ],
)
def test_bins_of_citations_are_closed_above(citations, label):
    assert hypotheses.citation_bin(pd.Series([citations])).tolist() == [label]


def test_a_missing_value_has_no_bin():
    labels = hypotheses.citation_bin(pd.Series([None, 5], dtype="Int64"))
    assert labels.isna().tolist() == [True, False]


def test_a_summary_gives_r_s_numbers(made_up, from_r):
    # One index is 0.7 exactly: it counts as saturated.
    summary = hypotheses.saturation_summary(made_up["s_index"], 0.7)
    assert len(summary) == 9
    for name, value in summary.items():
        assert value == pytest.approx(from_r[f"summary.{name}"], abs=1e-6), name
    above = hypotheses.saturation_summary(made_up["s_index"], np.nextafter(0.7, 1))
    assert above["n_saturated"] == summary["n_saturated"] - 1


def test_a_set_of_one_has_no_interval_of_its_mean():
    summary = hypotheses.saturation_summary(pd.Series([0.8]), 0.7)
    assert (summary["n"], summary["mean_s"], summary["rate"]) == (1, 0.8, 1)
    assert np.isnan([summary[name] for name in ("mean_s_lower", "mean_s_upper", "sd_s")]).all()
    # Wilson's interval at 1 of 1: 1 / (1 + z^2) to 1.
    assert summary["rate_lower"] == pytest.approx(1 / (1 + 1.959963985**2))
    assert summary["rate_upper"] == pytest.approx(1)


def test_bins_are_summarised_in_order_and_leave_out_what_has_none(made_up):
    bins = hypotheses.bins(made_up, 0.7)
    assert bins["binned_by"].unique().tolist() == [
        "months_at_observation",
        "age_months",
        "citations",
    ]
    for by, label_of in (
        ("months_at_observation", hypotheses.age_bin),
        ("age_months", hypotheses.age_bin),
        ("citations", hypotheses.citation_bin),
    ):
        labels = label_of(made_up[by])
        rows = bins[bins["binned_by"] == by]
        # No benchmark has more than 2,500 citations.
        expected = hypotheses.CITATION_LABELS[:3] if by == "citations" else hypotheses.AGE_LABELS
        assert rows["bin"].tolist() == list(expected)
        for row in rows.to_dict("records"):
            members = made_up.loc[labels == row["bin"], "s_index"]
            assert row["n"] == len(members)
            assert row["mean_s"] == pytest.approx(members.mean())
            assert row["n_saturated"] == (members >= 0.7).sum()
    assert bins.loc[bins["binned_by"] == "citations", "n"].sum() == 23
    assert list(bins.index) == list(range(len(bins)))
