"""Ties, tests and ranks, against R and statsmodels and under simulated truth."""

import itertools

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportions_ztest

from saturation.statistics import comparisons


def test_pooled_z_is_that_of_r_and_statsmodels_and_holds_at_the_bounds(golden):
    pairs = comparisons.pooled_z_tests([0.9, 70 / 90], [50, 90])
    assert [pairs.p_value[0, 1]] == golden("pooled_z", "45 of 50 and 70 of 90")
    assert pairs.difference[1, 0] == pytest.approx(70 / 90 - 0.9)
    share = 115 / 140
    assert pairs.standard_error[0, 1] == pytest.approx(
        np.sqrt(share * (1 - share) * (1 / 50 + 1 / 90))
    )
    assert (pairs.method, np.diag(pairs.p_value).tolist()) == ("pooled_z", [1, 1])
    assert np.isnan(pairs.items)
    perfect = comparisons.pooled_z_tests([1.0, 1.0, 0.9], [100, 100, 100])
    assert perfect.p_value[0, 1] == 1
    assert perfect.p_value[0, 2] == pytest.approx(proportions_ztest([100, 90], [100, 100])[1])


def test_z_tests_take_each_models_own_error(golden):
    pairs = comparisons.z_tests([1310, 1300], [3.0, 4.0])
    assert pairs.standard_error[0, 1] == 5
    assert pairs.difference[0, 1] == 10
    assert pairs.p_value[0, 1] == pytest.approx(0.0455, abs=1e-4)
    pairs = comparisons.z_tests([0.8, 0.75], [0.02, 0.015])
    assert [pairs.p_value[1, 0]] == golden("z", "0.8 by 0.02 and 0.75 by 0.015")
    assert pairs.method == "z"


def test_without_any_error_equal_scores_tie_and_others_do_not():
    pairs = comparisons.z_tests([2.0, 2.0, 1.0], [0.0, 0.0, 0.0])
    assert pairs.p_value.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_mcnemar_is_that_of_r_and_statsmodels(golden, right):
    pairs = comparisons.mcnemar_tests(right)
    for place in (1, 2, 3):
        assert [pairs.p_value[0, place]] == golden("mcnemar", f"first and {place + 1}")
        assert pairs.p_value[place, 0] == pairs.p_value[0, place]
    assert (pairs.method, pairs.items, pairs.p_value[1, 1]) == ("mcnemar", 30, 1)
    assert pairs.difference[0, 2] == pytest.approx(right[:, 0].mean() - right[:, 2].mean())
    both = pd.crosstab(right[:, 0], right[:, 2])
    assert pairs.p_value[0, 2] == pytest.approx(mcnemar(both, exact=True).pvalue)
    same = comparisons.mcnemar_tests(right[:, [0, 0]])
    assert same.p_value[0, 1] == 1
    assert same.standard_error[0, 1] == 0


def test_six_wins_of_six_by_hand():
    x = np.column_stack([np.ones(6), np.zeros(6)])
    assert comparisons.mcnemar_tests(x).p_value[0, 1] == pytest.approx(2 / 2**6)


def test_the_paired_error_is_that_of_the_differences():
    x = np.random.default_rng(0).random((40, 3))
    difference = x[:, 0] - x[:, 2]
    expected = difference.std(ddof=1) / np.sqrt(40)
    found = comparisons.bootstrap_tests(x, np.arange(40), 20, np.random.default_rng(0))
    assert found.standard_error[0, 2] == pytest.approx(expected)


def test_the_paired_error_is_rs_sandwich(golden, graded, seven_clusters):
    pairs = comparisons.bootstrap_tests(graded, seven_clusters, 20, np.random.default_rng(0))
    errors = pairs.standard_error[0, 1:].tolist()
    assert errors == golden("clustered", "differences to the first")
    assert (pairs.method, pairs.items) == ("paired_bootstrap", 30)
    assert pairs.difference[3, 0] == pytest.approx(graded[:, 3].mean() - graded[:, 0].mean())


def test_the_bootstrap_draws_whole_clusters():
    """All 27 samples of three clusters, enumerated, against the drawn ones."""
    x = np.array([[1, 0.5], [0.9, 0.2], [0.4, 0.6], [0.3, 0.1], [0.8, 0.7], [0.2, 0.6]])
    clusters = np.array([0, 0, 0, 1, 1, 2])
    gap = x[:, 0] - x[:, 1]
    means = [
        np.concatenate([gap[clusters == c] for c in drawn]).mean()
        for drawn in itertools.product(range(3), repeat=3)
    ]
    extreme = np.abs(np.array(means) - gap.mean()) >= abs(gap.mean()) - 1e-12
    found = comparisons.bootstrap_tests(x, clusters, 20_000, np.random.default_rng(1))
    assert 0.05 < extreme.mean() < 0.95
    assert found.p_value[0, 1] == pytest.approx(extreme.mean(), abs=0.01)
    assert found.p_value[0, 0] == 1


def test_the_bootstraps_p_value_counts_the_observed_difference():
    """No resample is as far off as ten errors: one of 1201, over several batches."""
    x = np.column_stack([np.tile([0.9, 1.0], 20), np.tile([0.1, 0.0, 0.0, 0.1], 10)])
    found = comparisons.bootstrap_tests(x, np.arange(40), 1200, np.random.default_rng(0))
    assert found.p_value[0, 1] == pytest.approx(1 / 1201)
    same = comparisons.bootstrap_tests(x[:, [0, 0]], np.arange(40), 1200, np.random.default_rng(0))
    assert same.p_value[0, 1] == 1


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
    # Of the two items that hang together one is left: those that remain stand alone.
    pair = pd.Series(list("wwyz"), index=matrix.index)
    assert comparisons.paired_tests(matrix, pair, 50, rng).method == "mcnemar"


@pytest.mark.parametrize("size", [1, 5])
def test_the_bootstrap_keeps_its_level_with_and_without_clusters(size):
    """Under equality about 5 % are rejected; ignoring clusters of five would reject far more."""
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(400):
        shift = np.repeat(rng.normal(0, 1, 120 // size), size)[:, None] * [1, -1]
        x = 1 / (1 + np.exp(-shift - rng.normal(0, 0.3, (120, 2))))
        clusters = np.repeat(np.arange(120 // size), size)
        rejected += comparisons.bootstrap_tests(x, clusters, 200, rng).p_value[0, 1] <= 0.05
    assert 0.025 < rejected / 400 < 0.085


def paired_responses(models, rng):
    """Equal models on items of mixed difficulty, so that their scores hang together."""
    difficulty = rng.beta(4, 1, 400)
    return (rng.random((400, models)) < difficulty[:, None]).astype(float)


@pytest.mark.usefixtures("many_adjustments")
@pytest.mark.parametrize("models", [5, 20, 100])
@pytest.mark.parametrize("paired", [False, True])
def test_the_tie_group_holds_all_truly_best_models_as_often_as_it_says(models, paired):
    """Holm over all pairs is careful where models are many and p-values are discrete."""
    rng = np.random.default_rng(5)
    runs = 300
    complete = 0
    for _ in range(runs):
        if paired:
            responses = paired_responses(models, rng)
            responses = responses[:, np.argsort(-responses.mean(axis=0), kind="stable")]
            pairs = comparisons.mcnemar_tests(responses)
        else:
            scores = np.sort(rng.binomial(1000, 0.8, models))[::-1] / 1000
            pairs = comparisons.pooled_z_tests(scores, np.full(models, 1000))
        complete += comparisons.tie_group(pairs.p_value, 0.95).all()
    # 95 % less three errors of the simulation.
    assert complete / runs >= 0.95 - 3 * (0.95 * 0.05 / runs) ** 0.5


@pytest.mark.usefixtures("many_adjustments")
def test_a_worse_model_is_not_in_the_tie_group():
    rng = np.random.default_rng(6)
    excluded = 0
    for _ in range(200):
        scores = rng.binomial(1000, [0.8] * 4 + [0.65]) / 1000
        order = np.argsort(-scores, kind="stable")
        pairs = comparisons.pooled_z_tests(scores[order], np.full(5, 1000))
        excluded += not comparisons.tie_group(pairs.p_value, 0.95)[list(order).index(4)]
    assert excluded / 200 > 0.95


def test_rank_intervals_of_separated_and_of_equal_models():
    separated = comparisons.z_tests([3.0, 2.0, 1.0], [0.01] * 3)
    found = comparisons.rank_intervals([3.0, 2.0, 1.0], separated.p_value, 0.95)
    assert found.tolist() == [[1, 1], [2, 2], [3, 3]]
    equal = comparisons.z_tests([2.0, 2.0, 2.0], [0.5] * 3)
    assert comparisons.rank_intervals([2.0] * 3, equal.p_value, 0.95).tolist() == [[1, 3]] * 3


def matrix_of(p_values):
    """A symmetric matrix from the p-values of the pairs 1-2, 1-3, 2-3."""
    p = np.ones((3, 3))
    p[np.triu_indices(3, 1)] = p_values
    return np.minimum(p, p.T)


def test_the_tie_group_is_adjusted_over_all_pairs():
    # Three pairs: the least p times three, the next times two; 0.02 is within 5 % only behind 0.0.
    group = comparisons.tie_group
    assert group(matrix_of([0.02, 0.04, 0.0]), 0.95).tolist() == [True, False, False]
    assert group(matrix_of([0.02, 0.04, 0.9]), 0.95).all()
    assert group(matrix_of([0.016, 0.04, 0.9]), 0.95).tolist() == [True, False, True]
    # At the limit itself, which level 0.5 gives without rounding, a model is told apart.
    assert group(matrix_of([0.125, 0.25, 1.0]), 0.5).tolist() == [True, False, False]
    assert group(matrix_of([0.17, 0.25, 1.0]), 0.5).all()


def test_rank_intervals_are_adjusted_over_all_pairs():
    scores = [3.0, 2.0, 1.0]
    # 3 x 0.016 and 2 x 0.024 and 0.05 are all within 5 %; 3 x 0.017 is not, and stops the rest.
    shown = comparisons.rank_intervals(scores, matrix_of([0.016, 0.024, 0.049]), 0.95)
    assert shown.tolist() == [[1, 1], [2, 2], [3, 3]]
    hidden = comparisons.rank_intervals(scores, matrix_of([0.017, 0.024, 0.049]), 0.95)
    assert hidden.tolist() == [[1, 3]] * 3
    part = comparisons.rank_intervals(scores, matrix_of([0.2, 0.001, 0.03]), 0.95)
    assert part.tolist() == [[1, 2], [1, 3], [2, 3]]
    edge = comparisons.rank_intervals(scores, matrix_of([1.0, 1 / 8, 0.25]), 0.5)
    assert edge.tolist() == [[1, 2], [1, 2], [3, 3]]


def test_holm_over_pairs_leaves_the_diagonal():
    adjusted = comparisons.holm_pairs(matrix_of([0.01, 0.02, 0.5]))
    assert adjusted == pytest.approx(matrix_of([0.03, 0.04, 0.5]))


@pytest.mark.usefixtures("many_adjustments")
def test_rank_intervals_of_equal_models_err_at_most_as_often_as_they_say():
    """An error is any pair that is told apart; Holm over six dependent pairs stays below 5 %."""
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(1000):
        scores = rng.binomial(400, [0.8] * 4) / 400
        pairs = comparisons.pooled_z_tests(scores, np.full(4, 400))
        bounds = comparisons.rank_intervals(scores, pairs.p_value, 0.95)
        wrong += not (bounds == [1, 4]).all()
    assert 0.015 < wrong / 1000 < 0.06


@pytest.mark.usefixtures("many_adjustments")
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


def test_the_detectable_difference_is_rs_and_is_found_with_the_stated_power(golden):
    error = 0.02
    difference = comparisons.minimum_detectable_difference(error, 0.95, 0.8)
    assert [difference] == golden("detectable", "0.02 at 0.95 with power 0.8")
    other = comparisons.minimum_detectable_difference(3, 0.9, 0.5)
    assert [other] == golden("detectable", "3 at 0.9 with power 0.5")
    draws = np.random.default_rng(7).normal(difference, error, 20_000)
    assert (draws > 1.96 * error).mean() == pytest.approx(0.8, abs=0.01)


def test_items_needed_grow_with_the_square_of_the_shortfall():
    # 500 (0.0560317 / 0.05)^2 = 627.91
    assert comparisons.items_needed(0.05, 0.02, 500, 0.95, 0.8) == 628
    assert comparisons.items_needed(-0.05, 0.02, 500, 0.95, 0.8) == 628
    detectable = comparisons.minimum_detectable_difference(0.02, 0.95, 0.8)
    assert comparisons.items_needed(detectable, 0.02, 500, 0.95, 0.8) in (500, 501)
    assert comparisons.items_needed(detectable / 2, 0.02, 500, 0.95, 0.8) in (2000, 2001)
    assert comparisons.items_needed(0.0, 0.02, 500, 0.95, 0.8) == np.inf
