"""A recovery check that passes on the truth and fails on each kind of deviation."""

import pandas as pd
import pytest

from saturation.robustness.recovery import compare

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


def test_another_leading_factor_is_seen_and_without_an_effect_nothing_is_judged():
    swapped = ANOVA.assign(sum_sq=[1.0, 2.0])
    assert recovered(anova=swapped)[5] is False
    assert recovered(noise_effect=0.0)[5] is None
