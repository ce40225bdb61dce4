"""Ranks against those of scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from saturation.statistics.correlation import ranks

TABLES = hnp.arrays(
    float, hnp.array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.integers(-3, 3)
)


@given(TABLES, st.sampled_from(["average", "max"]))
def test_ranks_are_those_of_scipy(values, ties):
    for axis in range(values.ndim):
        expected = stats.rankdata(values, axis=axis, method=ties)
        np.testing.assert_array_equal(ranks(values, axis, ties), expected)


@pytest.mark.parametrize("values", [[3, 1, 2], [True, False, True]])
def test_ranks_are_numbers_whatever_is_ranked(values):
    np.testing.assert_array_equal(ranks(values), stats.rankdata(values))


def test_ranks_are_the_callers_own():
    found = ranks([2, 1])
    found -= 1
    np.testing.assert_array_equal(found, [1, 0])


def test_a_missing_value_has_no_rank_and_takes_none():
    found = ranks([[2.0, np.nan, 1.0, 2.0], [np.nan, np.nan, 0.0, -1.0]])
    expected = [[2.5, np.nan, 1, 2.5], [np.nan, np.nan, 2, 1]]
    np.testing.assert_array_equal(found, expected)
