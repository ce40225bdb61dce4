"""Tests of the hypotheses on made-up benchmarks: against R, by hand, and by simulation."""

import numpy as np
import pandas as pd
import pytest

from saturation.plateau import groupings, hypotheses
from saturation.statistics import resampling

PERMUTATIONS = 199


def compared(table, column, first):
    """The comparison of the groups that a column names."""
    labels = table.set_index("benchmark_id")[column].astype("object")
    return groupings.Comparison("h1", "primary", first, labels)


def all_tests(table, comparison, threshold=0.7, permutations=PERMUTATIONS, seed=1):
    rng = np.random.default_rng(seed)
    tests = hypotheses.group_tests(table, comparison, threshold, permutations, rng)
    return tests.set_index("test")


@pytest.fixture(scope="module")
def two(made_up):
    return all_tests(made_up, compared(made_up, "two", "a"))


@pytest.fixture(scope="module")
def three(made_up):
    return all_tests(made_up, compared(made_up, "three", "x"))


TWO_GROUPS = [
    "rank",
    "welch",
    "rate",
    "rate_chi2",
    "rate_chi2_yates",
    *(f"age_{test}{suffix}" for suffix in ("", "_recorded") for test in
      ("welch", "student", "rank")),
    "age_adjusted",
    "recorded_age_adjusted",
    "age_and_log_n_adjusted",
]  # fmt: skip
THREE_GROUPS = [
    "rank",
    "anova",
    "rate_chi2",
    "age_rank",
    "age_anova",
    "age_rank_recorded",
    "age_anova_recorded",
    "age_adjusted",
    "recorded_age_adjusted",
    "age_and_log_n_adjusted",
]


@pytest.mark.parametrize("test", TWO_GROUPS)
def test_two_groups_give_r_s_numbers(two, from_r, test):
    expected = {
        key.removeprefix(f"two.{test}."): value
        for key, value in from_r.items()
        if key.startswith(f"two.{test}.")
    }
    assert expected
    for column, value in expected.items():
        assert two.loc[test, column] == pytest.approx(value, abs=1e-6), column


@pytest.mark.parametrize("test", THREE_GROUPS)
def test_three_groups_give_r_s_numbers(three, from_r, test):
    assert three.loc[test, "statistic"] == pytest.approx(
        from_r[f"three.{test}.statistic"], abs=1e-6
    )
    if f"three.{test}.p_value" in from_r:
        assert three.loc[test, "p_value"] == pytest.approx(
            from_r[f"three.{test}.p_value"], abs=1e-6
        )
    assert three.loc[test, ["effect", "effect_lower", "effect_upper"]].isna().all()


def test_every_test_stands_once_under_its_comparison(two, three):
    assert list(two.index) == ["rank", "permutation", *TWO_GROUPS[1:]]
    assert list(three.index) == THREE_GROUPS
    assert (two["n"] == 24).all()
    assert (three["n"] == 26).all()
    assert list(two.reset_index().columns[[1, 2, 0]]) == ["hypothesis", "grouping", "test"]
    assert set(two["hypothesis"]) == {"h1"}
    assert set(two["grouping"]) == {"primary"}


def test_tests_without_an_interval_of_their_own_have_none(two):
    bounded = two.index[two["effect_lower"].notna()]
    assert list(bounded) == [
        "rank",
        "welch",
        "rate",
        "age_welch",
        "age_student",
        "age_welch_recorded",
        "age_student_recorded",
        "age_adjusted",
        "recorded_age_adjusted",
        "age_and_log_n_adjusted",
    ]
    assert (two["effect_upper"].notna() == two["effect_lower"].notna()).all()


def test_rates_count_from_the_threshold_on(made_up):
    # One index of the first group is 0.7 exactly, and one of the second just below.
    row = all_tests(made_up, compared(made_up, "two", "a")).loc["rate"]
    assert row["effect"] == pytest.approx(10 / 11 - 2 / 13)
    assert row["statistic"] == pytest.approx((10 * 11) / (1 * 2))
    above = all_tests(made_up, compared(made_up, "two", "a"), threshold=np.nextafter(0.7, 1))
    assert above.loc["rate", "effect"] == pytest.approx(9 / 11 - 2 / 13)
    counts = all_tests(made_up, compared(made_up, "three", "x"), np.nextafter(0.7, 1))
    assert counts.loc["rate_chi2", "statistic"] != pytest.approx(
        all_tests(made_up, compared(made_up, "three", "x")).loc["rate_chi2", "statistic"]
    )


def test_chi_squared_tests_need_both_outcomes(made_up):
    for threshold in (0.0, 0.99):
        tests = all_tests(made_up, compared(made_up, "two", "a"), threshold)
        assert not {"rate_chi2", "rate_chi2_yates"} & set(tests.index)
        assert tests.loc["rate", ["effect", "p_value"]].tolist() == pytest.approx([0, 1])


def test_the_permutation_tests_are_those_of_the_statistics_package(made_up, two):
    pair = made_up.dropna(subset="two")
    is_first = (pair["two"] == "a").to_numpy()
    s_index = pair["s_index"].to_numpy()
    rng = np.random.default_rng(1)
    # The orders are drawn first, then the interval of Cliff's delta, 2000 times within each group.
    drawn = resampling.orders(24, PERMUTATIONS, rng)
    first, second = s_index[is_first], s_index[~is_first]
    again, others = rng.choice(first, (2000, 11)), rng.choice(second, (2000, 13))
    deltas = [np.mean(np.sign(np.subtract.outer(a, b))) for a, b in zip(again, others)]
    assert two.loc["rank", ["effect_lower", "effect_upper"]].tolist() == pytest.approx(
        np.percentile(deltas, [2.5, 97.5]).tolist()
    )
    expected = resampling.mean_difference(s_index, is_first, drawn)
    assert two.loc["permutation", ["effect", "p_value"]].tolist() == pytest.approx(list(expected))
    log_n = np.log(pair["n_test"].to_numpy(dtype=float))
    ages = pair["months_at_observation"].to_numpy()
    for name, covariates in (
        ("age_adjusted", [ages]),
        ("recorded_age_adjusted", [pair["age_months"].to_numpy(dtype=float)]),
        ("age_and_log_n_adjusted", [ages, log_n]),
    ):
        _, p = resampling.adjusted_f_test(
            s_index, is_first.astype(float), np.column_stack(covariates), drawn
        )
        assert two.loc[name, "p_value"] == pytest.approx(p)


def test_the_effect_is_the_first_group_s(made_up, two):
    turned = all_tests(made_up, compared(made_up, "two", "b"))
    for test in TWO_GROUPS:
        effect, lower, upper = turned.loc[test, ["effect", "effect_lower", "effect_upper"]]
        assert effect == pytest.approx(-two.loc[test, "effect"])
        if test != "rank" and np.isfinite(lower):
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


def test_the_adjusted_tests_tell_an_effect_of_the_group_from_one_of_age():
    rng = np.random.default_rng(3)
    groups = np.where(np.arange(60) % 2 == 0, "a", "b")
    months = np.where(groups == "a", 20.0, 0.0) + rng.uniform(1, 40, 60)
    of_age = months / 100 + rng.normal(0, 0.05, 60)
    of_group = np.where(groups == "a", 0.5, 0.2) + rng.normal(0, 0.05, 60)
    p_values, effects = {}, {}
    for name, s_index in (("age", of_age), ("group", of_group)):
        table = invented(groups, months, s_index)
        tests = all_tests(table, compared(table, "side", "a"), permutations=499)
        assert tests.loc["permutation", "p_value"] == 1 / 500
        p_values[name] = tests.loc["age_adjusted", "p_value"]
        effects[name] = tests.loc["age_adjusted"]
    assert p_values["age"] > 0.05
    assert p_values["group"] == 1 / 500
    assert effects["group"]["effect_lower"] < 0.3 < effects["group"]["effect_upper"]


def test_the_adjusted_tests_reject_at_their_level():
    # Groups differ in age, the index depends on age alone: 5 % of the tests may say otherwise.
    rejected = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        groups = np.where(np.arange(30) % 2 == 0, "a", "b")
        months = np.where(groups == "a", 15.0, 0.0) + rng.uniform(1, 40, 30)
        table = invented(groups, months, months / 100 + rng.normal(0, 0.1, 30))
        labelled = hypotheses._labelled(table, compared(table, "side", "a"))
        test = hypotheses._adjusted_test(
            labelled,
            compared(table, "side", "a"),
            "age_adjusted",
            [hypotheses.AGE],
            resampling.orders(30, 99, rng),
        )
        rejected.append(test.p_value <= 0.05)
    # 0.05 within three standard errors of 200 tests.
    assert 0.004 < np.mean(rejected) <= 0.096


def test_a_grouping_whose_first_group_is_empty_is_still_tested():
    rng = np.random.default_rng(4)
    groups = np.where(np.arange(20) % 2 == 0, "expert", "hybrid")
    table = invented(groups, rng.uniform(1, 40, 20), rng.uniform(0, 1, 20))
    tests = all_tests(table, compared(table, "side", "crowd"), 0.5)
    first, second = (table.loc[groups == name, "s_index"] for name in ("expert", "hybrid"))
    for name in ("permutation", "welch"):
        assert tests.loc[name, "effect"] == pytest.approx(first.mean() - second.mean())


@pytest.mark.parametrize("groups", [["a"] * 10, [None] * 10])
def test_fewer_than_two_groups_are_not_tested(groups):
    table = invented(groups, np.arange(10.0), np.linspace(0, 1, 10))
    tests = hypotheses.group_tests(
        table, compared(table, "side", "a"), 0.7, 9, np.random.default_rng(0)
    )
    assert tests.empty
    assert list(tests.columns) == hypotheses.TEST_COLUMNS


# SciPy says that the variance of one benchmark is not defined.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_group_of_one_has_no_interval_next_to_age():
    table = invented(["a"] + ["b"] * 12, np.arange(13.0), np.linspace(0, 1, 13) ** 2)
    row = all_tests(table, compared(table, "side", "a")).loc["age_adjusted"]
    assert np.isfinite(row["effect"])
    assert np.isfinite(row["p_value"])
    assert row[["effect_lower", "effect_upper"]].isna().all()


def test_an_adjusted_test_that_is_not_defined_says_nothing():
    groups = np.where(np.arange(12) < 6, "a", "b")
    # Age tells the groups apart exactly: nothing is left to test next to it.
    table = invented(groups, np.where(groups == "a", 10.0, 30.0), np.linspace(0, 1, 12))
    comparison = compared(table, "side", "a")
    labelled = hypotheses._labelled(table, comparison)
    drawn = resampling.orders(12, 9, np.random.default_rng(0))
    test = hypotheses._adjusted_test(labelled, comparison, "adjusted", [hypotheses.AGE], drawn)
    assert test.test == "adjusted"
    assert np.isnan(test[1:]).all()


def test_groups_are_summarised_by_name(made_up):
    summary = hypotheses.group_summary(made_up, compared(made_up, "two", "a"), 0.7)
    assert summary["group"].tolist() == ["a", "b"]
    assert summary["n"].tolist() == [11, 13]
    assert summary["n_saturated"].tolist() == [10, 2]
    for row in summary.to_dict("records"):
        members = made_up[made_up["two"] == row["group"]]
        assert row["mean_age"] == pytest.approx(members["months_at_observation"].mean())
        assert row["median_age"] == pytest.approx(np.median(members["months_at_observation"]))
        assert row["mean_recorded_age"] == pytest.approx(members["age_months"].mean())
        assert row["median_recorded_age"] == pytest.approx(np.median(members["age_months"]))
        assert row["mean_s"] == pytest.approx(members["s_index"].mean())
        assert (row["hypothesis"], row["grouping"]) == ("h1", "primary")


def test_a_benchmark_stands_once(made_up):
    twice = pd.concat([made_up, made_up.head(1)])
    with pytest.raises(pd.errors.MergeError):
        hypotheses.group_summary(twice, compared(made_up, "two", "a"), 0.7)


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
        ("citations_given_test_size", "partial_spearman"),
        ("age", "pearson"),
    ]
    trend_table = pd.DataFrame(
        {"trend": trend, "reading": reading, "p_value": p}
        for (trend, reading), p in zip(readings, (by_name["h5"], 0.01, 0.02, 1e-9))
    )
    return hypotheses.family(tests, trend_table)


def test_the_family_is_corrected_for_its_size_as_r_does(from_r):
    family = family_of(P_VALUES)
    assert list(family.columns) == hypotheses.FAMILY_COLUMNS
    raw = family[family["kind"] == "raw"]
    assert raw["hypothesis"].tolist() == ["h1", "h2", "h3", "h4", "h5", "h6", "quality"]
    assert raw["p_value"].tolist() == P_VALUES
    for column in ("holm", "benjamini_hochberg"):
        expected = [from_r[f"{column}.{place}"] for place in range(1, 8)]
        assert raw[column].tolist() == pytest.approx(expected, abs=1e-6)


def test_h5_enters_each_kind_of_family_with_its_trend():
    kinds = ("permutation", "age_adjusted", "age_and_log_n_adjusted")
    family = family_of(P_VALUES, kinds).set_index(["kind", "hypothesis"])["p_value"]
    assert family["raw", "h5"] == 0.003
    assert family["age_adjusted", "h5"] == 0.01
    assert family["age_and_log_n_adjusted", "h5"] == 0.02
    assert family["age_adjusted", "h1"] == 0.012
    assert len(family) == 21


def test_the_family_leaves_out_what_is_not_defined(from_r):
    family = family_of([*P_VALUES[:4], np.nan, *P_VALUES[5:]])
    raw = family[family["kind"] == "raw"].set_index("hypothesis")
    assert list(raw.index) == ["h1", "h2", "h3", "h4", "h6", "quality"]
    # Holm by hand: the smallest of six p-values is multiplied by six.
    assert raw.loc["h1", "holm"] == pytest.approx(6 * 0.012)


def test_a_family_without_any_defined_test_has_no_rows():
    tests = pd.DataFrame(columns=["hypothesis", "grouping", "test", "p_value"])
    rows = [("age", "spearman"), ("citations", "partial_spearman"),
            ("citations_given_test_size", "partial_spearman")]  # fmt: skip
    trend_table = pd.DataFrame([(*row, np.nan) for row in rows],
                               columns=["trend", "reading", "p_value"])  # fmt: skip
    family = hypotheses.family(tests, trend_table)
    assert family.empty
    assert list(family.columns) == hypotheses.FAMILY_COLUMNS
