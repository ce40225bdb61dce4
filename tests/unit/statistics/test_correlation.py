"""Rank correlations against scipy and by hand."""

import numpy as np
import pytest
from scipy import stats

from saturation.statistics import correlation


def test_few_pairs_have_no_interval():
    assert np.isnan(correlation.spearman_interval(0.5, 3)).all()


def test_a_missing_value_has_no_rank_and_takes_none():
    found = correlation.ranks([[2.0, np.nan, 1.0, 2.0], [np.nan, np.nan, 0.0, -1.0]])
    np.testing.assert_array_equal(found, [[2.5, np.nan, 1, 2.5], [np.nan, np.nan, 2, 1]])
    np.testing.assert_array_equal(correlation.ranks([3, 1, 3], ties="max"), [3, 1, 3])


@pytest.mark.parametrize(
    ("x", "y", "p"),
    [
        # By hand: 2 of 3!, 2 of 4!, 2 of 5! orders; 10 of 5! have |rho| of 0.9 or more.
        ([1, 2, 3], [4, 5, 6], 1 / 3),
        ([1, 2, 3, 4], [9, 7, 5, 1], 1 / 12),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 1 / 60),
        ([1, 2, 3, 4, 5], [2, 1, 3, 4, 5], 1 / 12),
    ],
)
def test_few_pairs_have_the_p_value_of_all_orders(x, y, p):
    assert correlation.spearman(x, y)["p_value"] == pytest.approx(p)


def test_ties_and_nine_pairs_are_those_of_a_permutation_test():
    x, y = np.array([1, 2, 2, 3, 5, 4, 7, 7.0]), np.array([3, 1, 2, 2, 8, 4, 5, 9.0])
    ranks = stats.rankdata(y)
    found = stats.permutation_test(
        # In a pairing, the correlation follows from the sum of products of ranks.
        (stats.rankdata(x),), lambda x, axis: np.sum((x - x.mean()) * ranks, axis=axis),
        permutation_type="pairings", n_resamples=np.inf, vectorized=True,
    )  # fmt: skip
    assert correlation.spearman(x, y)["p_value"] == pytest.approx(found.pvalue)
    rng = np.random.default_rng(1)
    nine, ten = (rng.normal(size=(2, n)) for n in (9, 10))
    assert correlation.spearman(*nine)["p_value"] != stats.spearmanr(*nine).pvalue
    assert correlation.spearman(*ten)["p_value"] == pytest.approx(stats.spearmanr(*ten).pvalue)


@pytest.mark.parametrize("n", [4, 6, 30])
def test_a_perfect_rank_correlation_shows_no_error(n):
    found = correlation.spearman(range(n), range(n))
    assert found["estimate"] == pytest.approx(1)
    assert np.isnan([found["lower"], found["upper"]]).all()
