"""Repeated looks, plans before the first run, and A/A checks."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.compare.sequential import check_stability, plan_runs, repeated_p

# Pocock (1977), Table 1: two-sided 5 %, so 2.5 % on one side.
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 10: 2.555}


@pytest.mark.parametrize("looks", POCOCK)
def test_pococks_constants_keep_the_level(looks):
    p = float(stats.norm.sf(POCOCK[looks]))
    assert repeated_p(p, looks) == pytest.approx(0.025, abs=5e-5)


def test_small_and_large_p_values_stay_probabilities():
    # All three sums of a symmetric walk lie below 0 in 5 of 16 cases.
    assert repeated_p(0.5, 3) == pytest.approx(11 / 16)
    assert 1e-6 < repeated_p(1e-6, 10) < 1e-5
    assert (repeated_p(0.0, 5), repeated_p(1.0, 5), repeated_p(0.2, 1)) == (0.0, 1.0, 0.2)


def test_the_plan_follows_from_the_variance_within_items():
    answers = pd.DataFrame(np.tile([0.0, 1.0], (200, 1)))
    plan = plan_runs(answers, 2, 0.05, 0.8, 0.3)
    times = stats.norm.ppf(0.95) + stats.norm.ppf(0.8)
    assert plan.detectable == pytest.approx(
        times * np.sqrt(2 * (0.5 + 1 / 200) / 200 / 2), rel=1e-4
    )
    assert plan.runs_for_margin == int(np.ceil(2 * (plan.detectable / 0.05) ** 2))
    single = plan_runs(answers.iloc[:, :1] + [1.0] * 1, 2, 0.05, 0.8, 0.3)
    assert single.detectable < plan.detectable


def test_two_runs_of_one_version_are_compared_both_ways():
    answers = pd.DataFrame([[1, 0], [1, 0], [1, 0], [0, 1]] + [[1, 1]] * 16, dtype=float)
    check = check_stability(answers, 0.05)
    assert (check.pairs, check.flaky, check.flipped) == (1, 4, 4)
    assert check.largest_change == pytest.approx(0.1)
    assert check.red_at_margin == 0.5
    assert check_stability(answers.iloc[:, :1], 0.05) is None
