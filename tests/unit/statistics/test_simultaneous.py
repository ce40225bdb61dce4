"""The highest of several differences: critical values, coverage and p-values."""

import numpy as np
import pytest
from scipy import stats

from saturation.statistics.intervals import highest


def equicorrelated(k):
    return np.full((k, k), 0.5) + 0.5 * np.eye(k)


@pytest.mark.parametrize(
    ("k", "freedom", "critical"),
    # Dunnett (1964), two-sided, 5 %.
    [(1, 20, 2.09), (2, 20, 2.38), (3, 20, 2.54), (9, 60, 2.76)],
)
def test_the_bounds_are_dunnetts(k, freedom, critical):
    found = highest(np.zeros(k), equicorrelated(k), freedom, 0.95, np.random.default_rng(0))
    assert found.upper == pytest.approx(critical, abs=0.05)
    assert found.lower == -found.upper


def test_the_p_value_is_that_of_the_joint_t():
    joint = np.array([[4.0, 1.8], [1.8, 1.0]])
    found = highest([1.0, 2.1], joint, 12, 0.95, np.random.default_rng(1))
    # The second is 2.1 errors off, the first half of one.
    law = stats.multivariate_t(shape=[[1, 0.9], [0.9, 1]], df=12)
    outside = 1 - law.cdf([2.1, 2.1], lower_limit=[-2.1, -2.1], random_state=1)
    assert found.p_value == pytest.approx(outside, abs=0.006)
    assert found.value == 2.1


def test_the_widest_reach_counts_not_the_highest_value_alone():
    # The uncertain one may be higher than the one that looks highest.
    found = highest([1.0, 0.9], np.diag([0.01, 4.0]), 50, 0.95, np.random.default_rng(2))
    assert found.value == 1.0
    assert found.lower == pytest.approx(1 - 0.1 * 2.28, abs=0.02)
    assert found.upper == pytest.approx(0.9 + 2 * 2.28, abs=0.2)


def test_nothing_above_0_is_no_evidence():
    found = highest([-3.0, -0.1], np.eye(2), 30, 0.95, np.random.default_rng(3))
    assert found.p_value == 1
    assert found.lower < 0 < found.upper
