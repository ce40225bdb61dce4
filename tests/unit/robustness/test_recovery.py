"""A recovery check that passes on the truth and fails on each kind of deviation."""

import pandas as pd
import pytest

from saturation.robustness.synthetic import compare

TRUTH = pd.DataFrame(
    {
        "model": ["a", "b"],
        "dataset": ["d", "d"],
        "consistency": [0.5, 0.8],
        "performance": [0.6, 0.9],
        "n_always_right": [40, 75],
    }
)
PAIRS = pd.DataFrame(
    {
        "model": ["a", "b"],
        "dataset": ["d", "d"],
        "output_consistency": [0.5, 0.8],
        "performance": [0.6, 0.9],
        "always_right": [0.4, 0.75],
        "n_examples": [100, 100],
    }
)
SLOPES = pd.DataFrame(
    {
        "reading": ["ols_hc3", "mixed"],
        "slope": [1.0, 1.1],
        "lower": [0.9, 0.95],
        "upper": [1.1, 1.2],
    }
)
ANOVA = pd.DataFrame(
    {
        "dataset": ["d", "d"],
        "anova_type": ["II", "II"],
        "factor": ["noise", "temperature"],
        "sum_sq": [2.0, 1.0],
    }
)


def recovered(pairs=PAIRS, slopes=SLOPES, anova=ANOVA, slope=1.0, noise_effect=0.1):
    table = compare(TRUTH, pairs, slopes, anova, slope, noise_effect)
    return table["recovered"].tolist()


def test_the_truth_is_recovered():
    assert recovered() == [True] * 6


@pytest.mark.parametrize(
    ("column", "row"), [("output_consistency", 0), ("performance", 1), ("always_right", 2)]
)
def test_a_single_pair_that_is_off_is_seen(column, row):
    pairs = PAIRS.copy()
    pairs.loc[1, column] += 1e-6
    expected = [True] * 6
    expected[row] = False
    assert recovered(pairs=pairs) == expected


def test_a_slope_outside_its_interval_is_seen():
    assert recovered(slope=0.93)[3:5] == [True, False]


@pytest.mark.parametrize(
    ("slope", "inside"), [(0.9, True), (0.8999, False), (1.1, True), (1.1001, False)]
)
def test_a_slope_at_the_end_of_its_interval_is_inside(slope, inside):
    assert recovered(slope=slope)[3] is inside


def test_rows_by_hand():
    pairs = PAIRS.assign(performance=[0.61, 0.88], always_right=[0.4, 0.7])
    table = compare(TRUTH, pairs, SLOPES, ANOVA, 1.0, 0.1).set_index("what")
    names = list(table.index)
    assert names[0] == "consistency, largest deviation over 2 pairs"
    assert names[5] == "share of 1 datasets in which noise has the largest effect"
    assert table["measured"].tolist() == pytest.approx([0, 0.02, 0.05, 1.0, 1.1, 1.0])
    assert table["truth"].tolist() == [0, 0, 0, 1, 1, 1]
    assert table["lower"].tolist()[3:5] == [0.9, 0.95]
    assert table["upper"].tolist()[3:5] == [1.1, 1.2]
    assert table[["lower", "upper"]].isna().all(axis=1).tolist() == [True] * 3 + [False] * 2 + [
        True
    ]
    assert table["synthetic"].all()


def test_half_the_datasets_are_not_enough_for_noise_to_lead():
    """Type III rows do not count: here they would make noise the largest throughout."""
    other = ANOVA.assign(dataset="e", sum_sq=[1.0, 2.0])
    third = ANOVA.assign(anova_type="III", dataset="e", sum_sq=[9.0, 0.0])
    both = pd.concat([ANOVA, other, third], ignore_index=True)
    assert recovered(anova=both)[5] is False
    two_of_three = pd.concat([both, ANOVA.assign(dataset="f")], ignore_index=True)
    assert recovered(anova=two_of_three)[5] is True
    table = compare(TRUTH, PAIRS, SLOPES, two_of_three, 1.0, 0.0)
    assert table["measured"].iloc[5] == pytest.approx(2 / 3)
    assert pd.isna(table["truth"].iloc[5])


def test_another_leading_factor_is_seen_and_without_an_effect_nothing_is_judged():
    swapped = ANOVA.assign(sum_sq=[1.0, 2.0])
    assert recovered(anova=swapped)[5] is False
    assert recovered(noise_effect=0.0)[5] is None
