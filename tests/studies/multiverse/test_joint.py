"""The curve, agreement with the paper and the joint test, against arithmetic written out."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import seeds
from studies.multiverse import joint
from studies.multiverse.evaluation import evaluate, permuted_orders
from studies.multiverse.specifications import (
    CHOICES,
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    all_conclusions,
)

CRITICAL = 1.959963984540054


def table_of(conclusion, effect, z, **choices):
    """Specifications with these effects that differ in nothing, or in the given choices."""
    columns = dict.fromkeys([*DESIGN_COLUMNS, *OUTCOME_COLUMNS], "same")
    return pd.DataFrame(
        columns
        | {"conclusion": conclusion, "effect": effect, "z": z, "possible": 10 * len(effect)}
        | choices
    )


def joint_of(conclusion, effect, z, null_effect, null_z, level=0.05):
    table = table_of(conclusion, np.array(effect), np.array(z))
    return joint.joint_test(table, np.array(null_effect), np.array(null_z), level)


@pytest.mark.parametrize(
    ("expected", "agreed"),
    [
        # A z at the two-sided 5 % point is significant; an effect of 0 is not higher.
        ("none", [False, True, False, True, False, False]),
        ("higher", [True, True, False, False, True, False]),
        ("positive", [True, False, False, False, True, False]),
        ("negative", [False, False, True, False, False, False]),
    ],
)
def test_agreement_follows_what_the_paper_states(expected, agreed):
    effect = np.array([0.3, 0.3, -0.3, -0.3, 0.1, 0.0])
    z = np.array([3.0, 1.0, -3.0, 1e-6 - CRITICAL, stats.norm.isf(0.025), 5.0])
    assert joint.agrees(effect, z, expected, 0.05).tolist() == agreed


@pytest.mark.parametrize(("level", "z", "agreed"), [(0.1, 1.7, True), (0.01, 2.5, False)])
def test_significance_is_at_the_given_level(level, z, agreed):
    assert joint.agrees(np.ones(1), np.array([z]), "positive", level).tolist() == [agreed]


def test_the_curve_rises_and_has_two_sided_p_values():
    effect, z = np.array([0.2, -0.1, 0.05]), np.array([1.96, -1.0, 0.0])
    null = np.linspace(-0.3, 0.3, 123).reshape(3, 41)
    table = joint.curve(table_of("h1", effect, z), null, 0.05)
    assert table["effect"].tolist() == [-0.1, 0.05, 0.2]
    assert table["rank"].tolist() == [1, 2, 3]
    assert table["p_value"].tolist() == pytest.approx(
        [0.3173105078629141, 1.0, 0.04999579029644087], rel=1e-9
    )
    assert table["agrees"].tolist() == [True, True, False]


def test_the_band_is_the_central_95_percent_of_the_permuted_curves():
    # Sorted, permutation j (of 0..40) has the effects j/100 and 1 + j/100 at ranks 1 and 2;
    # its 2.5 % point is at place 1, its 97.5 % point at place 39.
    j = np.arange(41) / 100
    null = np.array([1 + j, j])
    null[:, ::2] = null[::-1, ::2]  # every second permutation is not in order
    table = joint.curve(table_of("age", np.zeros(2), np.zeros(2)), null, 0.05)
    assert table["null_lower"].tolist() == pytest.approx([0.01, 1.01])
    assert table["null_upper"].tolist() == pytest.approx([0.39, 1.39])


def test_equal_effects_stand_in_the_order_of_their_choices():
    table = table_of("h1", np.zeros(3), np.zeros(3), k=[5, 3, 3], test=["a", "b", "a"])
    ordered = joint.curve(table, np.zeros((3, 5)), 0.05)
    assert ordered[["test", "k"]].to_numpy().tolist() == [["a", 3], ["a", 5], ["b", 3]]


EFFECT, Z = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
NULL_EFFECT = np.array([[0.0, 0.3, 0.2, -0.4], [0.1, 0.1, 0.2, -0.4], [0.2, 0.25, 0.2, -0.4]])
NULL_Z = np.array([[0.0, 2.0, 2.1, -3.0], [1.0, 2.5, 2.2, -3.0], [1.0, 2.5, 0.0, -3.0]])


@pytest.mark.parametrize(
    ("conclusion", "sign", "p_values"),
    [
        # Medians 0.1, 0.25, 0.2, -0.4 against 0.2, a tie counts; shares significant and positive
        # 0, 1, 2/3, 0 against 2/3; mean z 0.67, 2.33, 1.43, -3 against 2.
        ("age", 1, [3 / 5, 3 / 5, 2 / 5]),
        ("h5", 1, [3 / 5, 3 / 5, 2 / 5]),
        # Where no difference is stated, the permutation at -0.4 and -3 is as extreme.
        ("h1", 1, [4 / 5, 4 / 5, 3 / 5]),
        # "negative"
        ("test_size", 1, [4 / 5, 1.0, 4 / 5]),
        ("test_size", -1, [3 / 5, 3 / 5, 2 / 5]),
    ],
)
def test_the_joint_test_by_hand(conclusion, sign, p_values):
    """Three specifications, four permutations: each p-value is (1 + as extreme) / 5."""
    row = joint_of(conclusion, *(sign * each for each in (EFFECT, Z, NULL_EFFECT, NULL_Z)))
    assert [row[p] for p in joint.P_VALUES] == pytest.approx(p_values)
    assert row["share_significant"] == pytest.approx(2 / 3)
    assert row["median_effect"] == pytest.approx(sign * 0.2)
    assert row["mean_z"] == pytest.approx(sign * 2.0)
    assert (row["specifications"], row["possible"]) == (3, 30)
    assert row["conclusion"] == conclusion


def test_ties_allow_for_single_precision_and_no_more():
    for difference, p_value in ((-0.5e-6, 1.0), (-2e-6, 0.5), (0.0, 1.0)):
        row = joint_of("age", [0.2], [1.0], [[0.2 + difference]], [[1.0 + difference]])
        assert row["p_median"] == row["p_mean_z"] == p_value


def test_a_permutation_at_the_critical_value_is_significant():
    critical = stats.norm.isf(0.025)
    row = joint_of("age", [0.2], [critical], [[0.2]], [[critical]])
    assert row["share_significant"] == 1.0
    assert row["p_significant"] == 1.0
    below = joint_of("age", [0.2], [critical], [[0.2]], [[critical - 1e-9]])
    assert below["p_significant"] == 0.5
    # At 10 % the critical value is 1.645.
    wide = joint_of("age", [0.2, 0.2], [1.7, 1.6], [[0.2], [0.2]], [[1.7], [1.6]], level=0.1)
    assert wide["share_significant"] == 0.5
    assert wide["p_significant"] == 1.0


def test_the_interval_of_agreement_is_wilsons_and_of_effects_the_central_95_percent():
    effect = np.arange(41) / 100
    z = np.where(np.arange(41) < 30, 0.0, 5.0)
    row = joint_of("h1", effect, z, effect[:, None], z[:, None])
    assert row["agreement"] == pytest.approx(30 / 41)
    share, n, q = 30 / 41, 41, CRITICAL**2
    centre = (share + q / (2 * n)) / (1 + q / n)
    half = CRITICAL * np.sqrt(share * (1 - share) / n + q / (4 * n**2)) / (1 + q / n)
    assert row["agreement_lower"] == pytest.approx(centre - half, rel=1e-9)
    assert row["agreement_upper"] == pytest.approx(centre + half, rel=1e-9)
    assert row["effect_lower"] == pytest.approx(0.01)
    assert row["effect_upper"] == pytest.approx(0.39)


def test_agreement_by_choice_counts_each_value_of_each_choice():
    table = table_of("h1", [0.1, 0.2, 0.6, 0.3], np.zeros(4), k=[3, 3, 3, 5], alpha=[0, 1, 1, 1])
    table["agrees"] = [True, False, False, True]
    shares = joint.summarise_choices(table)
    assert list(dict.fromkeys(shares["choice"])) == CHOICES
    by_k = shares[shares["choice"] == "k"]
    assert by_k["value"].tolist() == [3, 5]
    assert by_k["specifications"].tolist() == [3, 1]
    assert by_k["agreement"].tolist() == pytest.approx([1 / 3, 1])
    assert by_k["median_effect"].tolist() == pytest.approx([0.2, 0.3])


def test_quantities_name_the_conclusion_and_what_was_sampled():
    row = joint_of("h1", [0.1, 0.3], [0.0, 5.0], [[0.0], [0.4]], [[0.0], [5.0]])
    table = joint.quantities(joint.adjusted(pd.DataFrame([row]))).set_index("quantity")
    assert list(table.index) == [
        "h1_agreement", "h1_median_effect", "h1_p_median", "h1_p_significant",
        "h1_p_median_holm", "h1_p_significant_holm",
    ]  # fmt: skip
    agreement = table.loc["h1_agreement"]
    assert agreement[["value", "lower", "upper"]].tolist() == [
        row["agreement"], row["agreement_lower"], row["agreement_upper"],
    ]  # fmt: skip
    assert agreement["note"] == "share of 2 of 20 specifications; interval of their sampling"
    effect = table.loc["h1_median_effect", ["value", "lower", "upper"]].tolist()
    assert effect == pytest.approx([0.2, 0.105, 0.295])
    assert table.loc["h1_p_significant", "value"] == row["p_significant"]
    assert table.loc["h1_p_median":, ["lower", "upper"]].isna().all(axis=None)


def test_all_tables_take_each_conclusion_with_its_own_permutations():
    rows = [table_of("h5", [0.3, 0.1], [2.5, 0.5]), table_of("h1", [0.0], [0.1])]
    evaluated = pd.concat(rows).iloc[[0, 2, 1]].reset_index(drop=True)
    null = np.array([[0.0, 0.2], [0.5, 0.4], [0.1, 0.3]])
    tables = joint.tables(evaluated, null, 5 * null, 0.05)
    assert tables["joint"]["conclusion"].tolist() == ["h5", "h1"]
    assert tables["joint"]["specifications"].tolist() == [2, 1]
    # h5: medians 0.05 and 0.25 against 0.2; h1: 0.5 and 0.4 against 0.
    assert tables["joint"]["p_median"].tolist() == pytest.approx([2 / 3, 1.0])
    curve = tables["curve"]
    assert curve["effect"].tolist() == [0.1, 0.3, 0.0]
    assert curve["rank"].tolist() == [1, 2, 1]
    assert curve["null_upper"].tolist()[2] == pytest.approx(0.4975)
    assert tables["choices"]["conclusion"].value_counts().to_dict() == dict.fromkeys(
        ("h5", "h1"), len(CHOICES)
    )
    assert tables["quantities"]["quantity"].str.startswith("h5").sum() == 6


def test_p_values_are_adjusted_over_all_conclusions_each_statistic_for_itself():
    rows = pd.DataFrame(
        {"p_median": [0.01, 0.04, 0.03], "p_significant": [0.5, 0.6, 0.02], "p_mean_z": 0.2}
    )
    table = joint.adjusted(rows)
    # Holm by hand: the least times 3, the next times 2, the largest as it is, never falling.
    assert table["p_median_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert table["p_significant_holm"].tolist() == pytest.approx([1.0, 1.0, 0.06])
    assert table["p_mean_z_holm"].tolist() == pytest.approx([0.6] * 3)
    assert table["p_median"].tolist() == rows["p_median"].tolist()


def test_the_study_tests_the_first_order_against_all_others(prepared, choices, multiverse_data):
    made = joint.study(*prepared, joint.Settings(choices, specifications=8, permutations=19))
    drawn = joint.Settings.seed, "reduced"
    table = all_conclusions(multiverse_data, choices, 8, *drawn)
    rng = seeds.generator(drawn[0], "multiverse", "permutations", drawn[1])
    effect, z = evaluate(multiverse_data, table, permuted_orders(len(multiverse_data), 19, rng))
    observed = table.assign(effect=effect[:, 0], z=z[:, 0])
    expected = joint.tables(observed, effect[:, 1:], z[:, 1:], 0.05)
    pd.testing.assert_frame_equal(made["curve"], expected["curve"], rtol=1e-6)
    pd.testing.assert_frame_equal(made["joint"], expected["joint"], rtol=1e-6)
