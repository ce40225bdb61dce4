"""Ties, tests and ranks, against R and statsmodels and under simulated truth."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportions_ztest

from saturation.statistics import pairs as statistics_pairs


def test_pooled_z_is_that_of_r_and_statsmodels_and_holds_at_the_bounds(golden):
    pairs = statistics_pairs.pooled_z_tests([0.9, 70 / 90], [50, 90])
    assert [pairs.p_value[0, 1]] == golden("pooled_z", "45 of 50 and 70 of 90")
    assert pairs.difference[1, 0] == pytest.approx(70 / 90 - 0.9)
    share = 115 / 140
    assert pairs.standard_error[0, 1] == pytest.approx(
        np.sqrt(share * (1 - share) * (1 / 50 + 1 / 90))
    )
    assert (pairs.method == statistics_pairs.POOLED_Z).all()
    assert np.diag(pairs.p_value).tolist() == [1, 1]
    assert np.isnan(pairs.items).all()
    assert np.isinf(pairs.degrees).all()
    perfect = statistics_pairs.pooled_z_tests([1.0, 1.0, 0.9], [100, 100, 100])
    assert perfect.p_value[0, 1] == 1
    assert perfect.p_value[0, 2] == pytest.approx(proportions_ztest([100, 90], [100, 100])[1])


def test_z_tests_take_each_models_own_error(golden):
    pairs = statistics_pairs.z_tests([1310, 1300], [3.0, 4.0])
    assert pairs.standard_error[0, 1] == 5
    assert pairs.difference[0, 1] == 10
    assert pairs.p_value[0, 1] == pytest.approx(0.0455, abs=1e-4)
    pairs = statistics_pairs.z_tests([0.8, 0.75], [0.02, 0.015])
    assert [pairs.p_value[1, 0]] == golden("z", "0.8 by 0.02 and 0.75 by 0.015")
    assert (pairs.method == statistics_pairs.Z).all()


def test_without_any_error_equal_scores_tie_and_others_do_not():
    pairs = statistics_pairs.z_tests([2.0, 2.0, 1.0], [0.0, 0.0, 0.0])
    assert pairs.p_value.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_an_error_that_nobody_knows_tells_nobody_apart():
    pairs = statistics_pairs.z_tests([2.0, 1.0, 0.0], [0.1, np.nan, 0.1])
    assert pairs.p_value[1].tolist() == pairs.p_value[:, 1].tolist() == [1, 1, 1]
    assert pairs.p_value[0, 2] < 1e-9


def test_each_pair_is_chosen():
    one = statistics_pairs.z_tests([0.8, 0.75], [0.02, 0.015])
    other = statistics_pairs.pooled_z_tests([0.8, 0.75], [100, 100])
    mixed = statistics_pairs.chosen(np.array([[True, False], [False, True]]), one, other)
    assert mixed.p_value[0, 1] == other.p_value[0, 1] != one.p_value[0, 1]
    assert mixed.standard_error[0, 0] == one.standard_error[0, 0]
    assert mixed.method.tolist() == [[1, 2], [2, 1]]
    assert statistics_pairs.METHODS[mixed.method[0, 1]] == "pooled_z"


def test_nothing_is_tested_yet():
    empty = statistics_pairs.Pairs.empty(3)
    assert (empty.p_value == 1).all()
    assert (empty.method == statistics_pairs.NO_TEST).all()
    assert np.isnan(empty.difference).all()


def test_a_worse_model_is_not_in_the_tie_group():
    rng = np.random.default_rng(6)
    excluded = 0
    for _ in range(200):
        scores = rng.binomial(1000, [0.8] * 4 + [0.65]) / 1000
        order = np.argsort(-scores, kind="stable")
        pairs = statistics_pairs.pooled_z_tests(scores[order], np.full(5, 1000))
        excluded += not statistics_pairs.tie_group(
            statistics_pairs.holm_pairs(pairs.p_value), 0.95
        )[list(order).index(4)]
    assert excluded / 200 > 0.95


def ranks(pairs, level=0.95):
    return statistics_pairs.rank_intervals(
        pairs.difference, statistics_pairs.holm_pairs(pairs.p_value), level
    )


def test_rank_intervals_of_separated_and_of_equal_models():
    separated = statistics_pairs.z_tests([3.0, 2.0, 1.0], [0.01] * 3)
    assert ranks(separated).tolist() == [[1, 1], [2, 2], [3, 3]]
    equal = statistics_pairs.z_tests([2.0, 2.0, 2.0], [0.5] * 3)
    assert ranks(equal).tolist() == [[1, 3]] * 3


def matrix_of(p_values):
    """A symmetric matrix from the p-values of the pairs 1-2, 1-3, 2-3."""
    p = np.ones((3, 3))
    p[np.triu_indices(3, 1)] = p_values
    return np.minimum(p, p.T)


def test_the_tie_group_is_adjusted_over_all_pairs():
    # Three pairs: the least p times three, the next times two; 0.02 is within 5 % only behind 0.0.
    def group(p_values, level):
        return statistics_pairs.tie_group(statistics_pairs.holm_pairs(p_values), level)

    assert group(matrix_of([0.02, 0.04, 0.0]), 0.95).tolist() == [True, False, False]
    assert group(matrix_of([0.02, 0.04, 0.9]), 0.95).all()
    assert group(matrix_of([0.016, 0.04, 0.9]), 0.95).tolist() == [True, False, True]
    # At the limit itself, which level 0.5 gives without rounding, a model is told apart.
    assert group(matrix_of([0.125, 0.25, 1.0]), 0.5).tolist() == [True, False, False]
    assert group(matrix_of([0.17, 0.25, 1.0]), 0.5).all()


def test_rank_intervals_are_adjusted_over_all_pairs():
    gaps = np.subtract.outer([3.0, 2.0, 1.0], [3.0, 2.0, 1.0])

    def bounds(p_values, level):
        return statistics_pairs.rank_intervals(gaps, statistics_pairs.holm_pairs(p_values), level)

    # 3 x 0.016 and 2 x 0.024 and 0.05 are all within 5 %; 3 x 0.017 is not, and stops the rest.
    shown = bounds(matrix_of([0.016, 0.024, 0.049]), 0.95)
    assert shown.tolist() == [[1, 1], [2, 2], [3, 3]]
    hidden = bounds(matrix_of([0.017, 0.024, 0.049]), 0.95)
    assert hidden.tolist() == [[1, 3]] * 3
    part = bounds(matrix_of([0.2, 0.001, 0.03]), 0.95)
    assert part.tolist() == [[1, 2], [1, 3], [2, 3]]
    edge = bounds(matrix_of([1.0, 1 / 8, 0.25]), 0.5)
    assert edge.tolist() == [[1, 2], [1, 2], [3, 3]]


def test_holm_over_pairs_leaves_the_diagonal():
    adjusted = statistics_pairs.holm_pairs(matrix_of([0.01, 0.02, 0.5]))
    assert adjusted == pytest.approx(matrix_of([0.03, 0.04, 0.5]))


def test_the_detectable_difference_is_rs_and_is_found_with_the_stated_power(golden):
    error = 0.02
    difference = statistics_pairs.minimum_detectable_difference(error, 0.95, 0.8)
    assert [difference] == golden("detectable", "0.02 at 0.95 with power 0.8")
    other = statistics_pairs.minimum_detectable_difference(3, 0.9, 0.5)
    assert [other] == golden("detectable", "3 at 0.9 with power 0.5")
    assert statistics_pairs.minimum_detectable_difference(error, 0.95, 0.8, 1e9) == pytest.approx(
        difference
    )
    # t quantiles with 5 degrees of freedom: 2.5706 and 0.9195.
    few = statistics_pairs.minimum_detectable_difference(error, 0.95, 0.8, 5)
    assert few == pytest.approx(0.02 * (2.570582 + 0.919544), rel=1e-6)
    assert statistics_pairs.minimum_detectable_difference(error, 0.95, 0.8, 0.0) == np.inf
    draws = np.random.default_rng(7).normal(difference, error, 20_000)
    assert (draws > 1.96 * error).mean() == pytest.approx(0.8, abs=0.01)


def test_items_needed_grow_with_the_square_of_the_shortfall():
    # 500 (0.0560317 / 0.05)^2 = 627.91
    assert statistics_pairs.items_needed(0.05, 0.02, 500, 0.95, 0.8) == 628
    assert statistics_pairs.items_needed(-0.05, 0.02, 500, 0.95, 0.8) == 628
    detectable = statistics_pairs.minimum_detectable_difference(0.02, 0.95, 0.8)
    assert statistics_pairs.items_needed(detectable, 0.02, 500, 0.95, 0.8) in (500, 501)
    assert statistics_pairs.items_needed(detectable / 2, 0.02, 500, 0.95, 0.8) in (2000, 2001)
    assert statistics_pairs.items_needed(0.0, 0.02, 500, 0.95, 0.8) == np.inf
