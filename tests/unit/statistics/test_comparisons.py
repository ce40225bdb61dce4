"""Ties, tests and ranks, against scipy and statsmodels and under simulated truth."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportions_ztest

from saturation.statistics import comparisons


def test_pooled_z_is_that_of_statsmodels_and_holds_at_the_bounds():
    pairs = comparisons.pooled_z_tests([0.9, 0.8], [100, 150])
    assert pairs.p_value[0, 1] == pytest.approx(proportions_ztest([90, 120], [100, 150])[1])
    perfect = comparisons.pooled_z_tests([1.0, 1.0, 0.9], [100, 100, 100])
    assert perfect.p_value[0, 1] == 1
    assert perfect.p_value[0, 2] == pytest.approx(proportions_ztest([100, 90], [100, 100])[1])


def test_z_tests_take_each_models_own_error():
    pairs = comparisons.z_tests([1310, 1300], [3.0, 4.0])
    assert pairs.standard_error[0, 1] == 5
    assert pairs.p_value[0, 1] == pytest.approx(0.0455, abs=1e-4)


def test_mcnemar_is_that_of_statsmodels():
    rng = np.random.default_rng(3)
    x = (rng.random((60, 2)) < [0.8, 0.6]).astype(float)
    both = pd.crosstab(x[:, 0], x[:, 1])
    assert comparisons.mcnemar_tests(x).p_value[0, 1] == pytest.approx(
        mcnemar(both, exact=True).pvalue
    )
    same = comparisons.mcnemar_tests(np.column_stack([x[:, 0], x[:, 0]]))
    assert same.p_value[0, 1] == 1
    assert same.standard_error[0, 1] == 0


def test_the_paired_error_is_that_of_the_differences():
    x = np.random.default_rng(0).random((40, 3))
    difference = x[:, 0] - x[:, 2]
    expected = difference.std(ddof=1) / np.sqrt(40)
    found = comparisons.bootstrap_tests(x, np.arange(40), 20, np.random.default_rng(0))
    assert found.standard_error[0, 2] == pytest.approx(expected)


def test_holm_is_that_of_statsmodels():
    p = [0.01, 0.04, 0.03, 0.2]
    assert comparisons.holm(p) == pytest.approx(multipletests(p, method="holm")[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p):
    adjusted = comparisons.holm(p)
    assert (adjusted >= np.array(p)).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()


def test_clusters_decide_which_test_is_made():
    matrix = pd.DataFrame({"a": [1, 0, 1, 1.0], "b": [0, 0, 1, 1.0]}, index=list("wxyz"))
    own = pd.Series(list("wxyz"), index=matrix.index)
    shared = pd.Series(list("wwyy"), index=matrix.index)
    rng = np.random.default_rng(0)
    assert comparisons.paired_tests(matrix, own, 50, rng).method == "mcnemar"
    assert comparisons.paired_tests(matrix, shared, 50, rng).method == "paired_bootstrap"
    assert comparisons.paired_tests(matrix * 0.5, own, 50, rng).method == "paired_bootstrap"
    matrix.loc["w", "a"] = np.nan
    assert comparisons.paired_tests(matrix, own, 50, rng).items == 3


@pytest.mark.parametrize("size", [1, 5])
def test_the_bootstrap_keeps_its_level_with_and_without_clusters(size):
    """Under equality about 5 % are rejected; ignoring clusters of five would reject far more."""
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(200):
        shift = np.repeat(rng.normal(0, 1, 60 // size), size)[:, None] * [1, -1]
        x = 1 / (1 + np.exp(-shift - rng.normal(0, 0.3, (60, 2))))
        clusters = np.repeat(np.arange(60 // size), size)
        rejected += comparisons.bootstrap_tests(x, clusters, 200, rng).p_value[0, 1] <= 0.05
    assert rejected / 200 < 0.13


def test_the_tie_group_holds_the_true_ties_in_95_of_100_leaderboards():
    """Four equal models and one clearly worse: no equal one may be called worse too often."""
    rng = np.random.default_rng(5)
    wrong = found = 0
    for _ in range(300):
        scores = rng.binomial(1000, [0.8] * 4 + [0.65]) / 1000
        order = np.argsort(-scores, kind="stable")
        pairs = comparisons.pooled_z_tests(scores[order], np.full(5, 1000))
        tied = comparisons.tie_group(pairs.p_value, 0.95)
        wrong += not tied[np.isin(order, [0, 1, 2, 3])].all()
        found += not tied[list(order).index(4)]
    assert wrong / 300 < 0.15  # the leader is chosen, so the level is only near 5 %
    assert found / 300 > 0.95


def test_rank_intervals_of_separated_and_of_equal_models():
    separated = comparisons.z_tests([3.0, 2.0, 1.0], [0.01] * 3)
    found = comparisons.rank_intervals([3.0, 2.0, 1.0], separated.p_value, 0.95)
    assert found.tolist() == [[1, 1], [2, 2], [3, 3]]
    equal = comparisons.z_tests([2.0, 2.0, 2.0], [0.5] * 3)
    assert comparisons.rank_intervals([2.0] * 3, equal.p_value, 0.95).tolist() == [[1, 3]] * 3


def test_rank_intervals_hold_the_true_ranks():
    rng = np.random.default_rng(6)
    truth = np.array([0.85, 0.8, 0.78, 0.7])
    covered = 0
    for _ in range(300):
        scores = rng.binomial(400, truth) / 400
        pairs = comparisons.pooled_z_tests(scores, np.full(4, 400))
        bounds = comparisons.rank_intervals(scores, pairs.p_value, 0.95)
        covered += bool(((bounds[:, 0] <= [1, 2, 3, 4]) & (bounds[:, 1] >= [1, 2, 3, 4])).all())
    assert covered / 300 > 0.93


def test_the_detectable_difference_is_found_with_the_stated_power():
    error = 0.02
    difference = comparisons.minimum_detectable_difference(error, 0.95, 0.8)
    draws = np.random.default_rng(7).normal(difference, error, 20_000)
    assert (draws > 1.96 * error).mean() == pytest.approx(0.8, abs=0.01)


def test_items_needed_grow_with_the_square_of_the_shortfall():
    detectable = comparisons.minimum_detectable_difference(0.02, 0.95, 0.8)
    assert comparisons.items_needed(detectable, 0.02, 500, 0.95, 0.8) in (500, 501)
    assert comparisons.items_needed(detectable / 2, 0.02, 500, 0.95, 0.8) in (2000, 2001)
    assert comparisons.items_needed(0.0, 0.02, 500, 0.95, 0.8) == np.inf
