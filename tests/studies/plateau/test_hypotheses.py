"""Tests, trends and bins of the hypotheses: against R, by hand, and at every edge."""

import numpy as np
import pandas as pd
import pytest

from studies.plateau import groupings, hypotheses, resampling

PERMUTATIONS = 199


def by_column(table, column, first):
    """The comparison of the groups that a column names."""
    labels = table.set_index("benchmark_id")[column].astype("object")
    return groupings.Comparison("h1", "primary", first, labels)


def all_tests(table, comparison, threshold=0.7, permutations=PERMUTATIONS, seed=1):
    rng = np.random.default_rng(seed)
    tests = hypotheses.group_tests(table, comparison, threshold, permutations, rng)
    return tests.set_index("test")


@pytest.fixture(scope="module")
def two(made_up):
    return all_tests(made_up, by_column(made_up, "two", "a"))


@pytest.fixture(scope="module")
def three(made_up):
    return all_tests(made_up, by_column(made_up, "three", "x"))


def same_as_r(table, from_r, start):
    """Each of R's numbers whose key begins so stands in the table's row and column of its name."""
    keys = [key for key in from_r if key.startswith(start)]
    assert keys
    for key in keys:
        row, column = key.removeprefix(start).rsplit(".", 1)
        assert table.loc[row, column] == pytest.approx(from_r[key], abs=1e-6), key


def test_two_and_three_groups_give_r_s_numbers(two, three, from_r):
    same_as_r(two, from_r, "two.")
    same_as_r(three, from_r, "three.")
    assert three[["effect", "effect_lower", "effect_upper"]].isna().all(axis=None)


def test_rates_count_from_the_threshold_on(made_up):
    # One index of the first group is 0.7 exactly, and one of the second just below.
    row = all_tests(made_up, by_column(made_up, "two", "a")).loc["rate"]
    assert row["effect"] == pytest.approx(10 / 11 - 2 / 13)
    assert row["statistic"] == pytest.approx((10 * 11) / (1 * 2))
    above = all_tests(made_up, by_column(made_up, "two", "a"), threshold=np.nextafter(0.7, 1))
    assert above.loc["rate", "effect"] == pytest.approx(9 / 11 - 2 / 13)


def test_rates_without_both_outcomes_do_not_differ(made_up):
    for threshold in (0.0, 0.99):
        tests = all_tests(made_up, by_column(made_up, "two", "a"), threshold)
        assert tests.loc["rate", ["effect", "p_value"]].tolist() == pytest.approx([0, 1])


def test_the_permutation_tests_are_those_of_the_statistics_package(made_up, two):
    pair = made_up.dropna(subset="two")
    is_first = (pair["two"] == "a").to_numpy()
    s_index = pair["s_index"].to_numpy()
    rng = np.random.default_rng(1)
    drawn = resampling.orders(24, PERMUTATIONS, rng)
    first, second = s_index[is_first], s_index[~is_first]
    _, p = resampling.adjusted_f_test(s_index, is_first, np.empty((24, 0)), drawn)
    expected = [first.mean() - second.mean(), p]
    assert two.loc["permutation", ["effect", "p_value"]].tolist() == pytest.approx(expected)
    ages = pair["months_at_observation"].to_numpy()
    _, p = resampling.adjusted_f_test(s_index, is_first.astype(float), ages, drawn)
    assert two.loc["age_adjusted", "p_value"] == pytest.approx(p)


def test_the_effect_is_the_first_group_s(made_up, two):
    turned = all_tests(made_up, by_column(made_up, "two", "b"))
    for test in two.index.drop("permutation"):
        effect, lower, upper = turned.loc[test, ["effect", "effect_lower", "effect_upper"]]
        assert effect == pytest.approx(-two.loc[test, "effect"])
        if np.isfinite(lower):
            assert (lower, upper) == pytest.approx(
                (-two.loc[test, "effect_upper"], -two.loc[test, "effect_lower"])
            )


def invented(groups, months, s_index):
    n = len(groups)
    names = [f"b{i}" for i in range(n)]
    return pd.DataFrame(
        {
            "benchmark_id": names,
            "s_index": s_index,
            "months_at_observation": months,
            "age_months": months,
            "n_test": np.random.default_rng(0).integers(50, 5000, n),
            "side": groups,
        }
    )


def test_a_grouping_whose_first_group_is_empty_is_still_tested():
    rng = np.random.default_rng(4)
    groups = np.where(np.arange(20) % 2 == 0, "expert", "hybrid")
    table = invented(groups, rng.uniform(1, 40, 20), rng.uniform(0, 1, 20))
    tests = all_tests(table, by_column(table, "side", "crowd"), 0.5)
    first, second = (table.loc[groups == name, "s_index"] for name in ("expert", "hybrid"))
    for name in ("permutation", "welch"):
        assert tests.loc[name, "effect"] == pytest.approx(first.mean() - second.mean())


@pytest.mark.parametrize("groups", [["a"] * 10, [None] * 10])
def test_fewer_than_two_groups_are_not_tested(groups):
    table = invented(groups, np.arange(10.0), np.linspace(0, 1, 10))
    tests = hypotheses.group_tests(
        table, by_column(table, "side", "a"), 0.7, 9, np.random.default_rng(0)
    )
    assert tests.empty
    assert list(tests.columns) == hypotheses.TEST_COLUMNS


# SciPy says that the variance of one benchmark is not defined.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_group_of_one_has_no_interval_next_to_age():
    table = invented(["a"] + ["b"] * 12, np.arange(13.0), np.linspace(0, 1, 13) ** 2)
    row = all_tests(table, by_column(table, "side", "a")).loc["age_adjusted"]
    assert np.isfinite(row["effect"])
    assert np.isfinite(row["p_value"])
    assert row[["effect_lower", "effect_upper"]].isna().all()


def test_a_benchmark_stands_once(made_up):
    twice = pd.concat([made_up, made_up.head(1)])
    with pytest.raises(pd.errors.MergeError):
        hypotheses.group_summary(twice, by_column(made_up, "two", "a"), 0.7)


P_VALUES = [0.012, 0.2, 0.049, 0.6, 0.003, 0.051, 0.2]  # as in the R script


def family_of(p_values, kinds=("permutation",)):
    """A family of h1-h4, h5, h6 and quality with these p-values."""
    names = ["h1", "h2", "h3", "h4", "h6", "quality"]
    by_name = dict(zip(["h1", "h2", "h3", "h4", "h5", "h6", "quality"], p_values))
    tests = pd.DataFrame(
        {"hypothesis": name, "grouping": grouping, "test": kind, "p_value": p}
        for kind in kinds
        for name in names
        for grouping, p in (("primary", by_name[name]), ("another", 1e-9))
    )
    readings = [
        ("age", "spearman"),
        ("citations", "partial_spearman"),
        ("age", "spearman_recorded"),
    ]
    trend_table = pd.DataFrame(
        {"trend": trend, "reading": reading, "p_value": p}
        for (trend, reading), p in zip(readings, (by_name["h5"], 0.01, 1e-9))
    )
    return hypotheses.family(tests, trend_table)


def test_the_family_is_corrected_for_its_size_as_r_does(from_r):
    family = family_of(P_VALUES)
    assert list(family.columns) == hypotheses.FAMILY_COLUMNS
    raw = family[family["kind"] == "raw"]
    assert raw["hypothesis"].tolist() == ["h1", "h2", "h3", "h4", "h5", "h6", "quality"]
    assert raw["p_value"].tolist() == P_VALUES
    expected = [from_r[f"holm.{place}"] for place in range(1, 8)]
    assert raw["holm"].tolist() == pytest.approx(expected, abs=1e-6)


def test_h5_enters_each_kind_of_family_with_its_trend():
    family = family_of(P_VALUES, ("permutation", "age_adjusted"))
    family = family.set_index(["kind", "hypothesis"])["p_value"]
    assert family["raw", "h5"] == 0.003
    assert family["age_adjusted", "h5"] == 0.01
    assert family["age_adjusted", "h1"] == 0.012
    assert len(family) == 14


def test_the_family_leaves_out_what_is_not_defined():
    family = family_of([*P_VALUES[:4], np.nan, *P_VALUES[5:]])
    raw = family[family["kind"] == "raw"].set_index("hypothesis")
    assert list(raw.index) == ["h1", "h2", "h3", "h4", "h6", "quality"]
    # Holm by hand: the smallest of six p-values is multiplied by six.
    assert raw.loc["h1", "holm"] == pytest.approx(6 * 0.012)


def test_a_family_without_any_defined_test_has_no_rows():
    tests = pd.DataFrame(columns=["hypothesis", "grouping", "test", "p_value"])
    readings = [("age", "spearman"), ("citations", "partial_spearman")]
    trends = pd.DataFrame(readings, columns=["trend", "reading"]).assign(p_value=np.nan)
    family = hypotheses.family(tests, trends)
    assert family.empty
    assert list(family.columns) == hypotheses.FAMILY_COLUMNS


@pytest.fixture(scope="module")
def trends(made_up):
    return hypotheses.trends(made_up).set_index(["trend", "reading"])


TRENDS = ["age", "test_size", "citations", "citation_growth"]


@pytest.mark.parametrize("trend", TRENDS)
def test_trends_give_r_s_numbers(trends, from_r, trend):
    same_as_r(trends.loc[trend], from_r, f"{trend}.")


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


def test_bins_of_age_and_citations_are_closed_above():
    months, counts = [-1, 24, 24.01, 60, 60.01], [0, 300, 301, 1000, 1001, 2500, 2501]
    ages = ["up to 24"] * 2 + ["over 24 to 60"] * 2 + ["over 60"]
    cited = ["up to 300"] * 2 + ["301 to 1,000"] * 2 + ["1,001 to 2,500"] * 2 + ["over 2,500"]
    assert hypotheses.age_bin(pd.Series(months)).tolist() == ages
    assert hypotheses.citation_bin(pd.Series(counts)).tolist() == cited
    missing = hypotheses.citation_bin(pd.Series([None, 5], dtype="Int64"))
    assert missing.isna().tolist() == [True, False]


def test_a_summary_gives_r_s_numbers(made_up, from_r):
    # One index is 0.7 exactly: it counts as saturated.
    summary = hypotheses.saturation_summary(made_up["s_index"], 0.7)
    assert len(summary) == 8
    for name, value in summary.items():
        assert value == pytest.approx(from_r[f"summary.{name}"], abs=1e-6), name
    above = hypotheses.saturation_summary(made_up["s_index"], np.nextafter(0.7, 1))
    assert above["n_saturated"] == summary["n_saturated"] - 1


def test_a_set_of_one_has_no_interval_of_its_mean():
    summary = hypotheses.saturation_summary(pd.Series([0.8]), 0.7)
    assert (summary["n"], summary["mean_s"], summary["rate"]) == (1, 0.8, 1)
    assert np.isnan([summary[name] for name in ("mean_s_lower", "mean_s_upper")]).all()
    # Wilson's interval at 1 of 1: 1 / (1 + z^2) to 1.
    assert summary["rate_lower"] == pytest.approx(1 / (1 + 1.959963985**2))
    assert summary["rate_upper"] == pytest.approx(1)


@pytest.fixture(scope="module")
def compared(prepared):
    listed = groupings.comparisons(prepared[0])
    return {(comparison.hypothesis, comparison.grouping): comparison for comparison in listed}


def test_the_groups_of_the_authors_script_give_the_printed_counts(data, compared):
    counts = compared["h6", "tags_or_notes"].groups.value_counts()
    assert counts.to_dict() == {"non_templated": 46, "templated": 14}
    rng = np.random.default_rng(0)
    rank = hypotheses.group_tests(data, compared["h6", "tags_or_notes"], 0.7, 9, rng)
    assert round(rank.set_index("test").loc["rank", "p_value"], 2) == 0.10
    curation = hypotheses.group_tests(data, compared["h3", "human_and_automatic"], 0.7, 9, rng)
    assert round(curation.set_index("test").loc["age_anova", "p_value"], 4) == 0.0017
