"""Ranks of models by the tasks of a suite."""

import itertools

import numpy as np
import pytest

from saturation.suite import ranking


@pytest.fixture(scope="module")
def noisy():
    """Ten equal models and two better ones on 30 tasks of unequal difficulty."""
    rng = np.random.default_rng(3)
    ability = np.r_[0.3, 0.25, np.zeros(10)]
    return ability[:, None] + rng.normal(0, 0.3, 30) + rng.normal(0, 0.05, (12, 30))


def test_better_models_are_separated_and_equal_ones_are_not(noisy):
    ranked = ranking.rank(noisy)
    assert ranked.order[:2].tolist() == [0, 1]
    assert ranked.separated[:2, 2:].all()
    assert not ranked.separated[2:, 2:].any()
    assert ranked.possibly_best.tolist() == [True] + [False] * 11
    assert ranked.adjacent_separated == 2


def test_separation_is_symmetric_and_ignores_the_order_of_rows(noisy):
    ranked = ranking.rank(noisy)
    turned = ranking.rank(noisy[::-1])
    assert (ranked.separated == ranked.separated.T).all()
    assert (11 - turned.order == ranked.order).all()
    assert (turned.separated == ranked.separated).all()


def test_five_families_are_tested_by_all_patterns_of_signs():
    """Two models, five tasks, all differences alike: 2 of 32 patterns are as extreme."""
    better = np.array([[0.6] * 5, [0.5] * 5])
    assert not ranking.rank(better, confidence=0.95).separated.any()
    assert ranking.rank(better, confidence=0.93).separated[0, 1]


def test_the_largest_difference_decides_as_a_plain_enumeration_does():
    """Three models and six tasks against loops over pairs and patterns."""
    scores = np.random.default_rng(5).normal(size=(3, 6)).cumsum(axis=0)
    order = np.argsort(-scores.mean(axis=1))
    gaps = {
        (a, b): scores[order[a]] - scores[order[b]] for a, b in itertools.combinations(range(3), 2)
    }
    patterns = list(itertools.product((1, -1), repeat=6))
    largest = [
        max(abs(gap @ signs) / np.linalg.norm(gap) for gap in gaps.values()) for signs in patterns
    ]
    for confidence in (0.5, 0.8, 0.95):
        ranked = ranking.rank(scores, confidence=confidence)
        for pair, gap in gaps.items():
            statistic = abs(gap.sum()) / np.linalg.norm(gap)
            reached = np.mean([value >= statistic - 1e-9 for value in largest])
            assert ranked.separated[pair] == (reached <= 1 - confidence)


def test_families_of_tasks_count_once(noisy):
    """Each task three times under one family gives what the tasks give."""
    thrice = np.repeat(noisy, 3, axis=1)
    by_family = ranking.rank(thrice, np.repeat(np.arange(30), 3))
    once = ranking.rank(noisy)
    assert (by_family.separated == once.separated).all()
    assert (by_family.possibly_best == once.possibly_best).all()


def test_equal_rows_are_never_separated():
    scores = np.tile(np.linspace(0.1, 0.9, 8), (4, 1))
    ranked = ranking.rank(scores)
    assert not ranked.separated.any()
    assert ranked.possibly_best.all()


def test_win_rates_are_means_of_pairwise_wins(noisy):
    rates = ranking.win_rates(noisy)
    wins = (noisy[:, None] > noisy[None]).sum(axis=1) / (len(noisy) - 1)
    np.testing.assert_allclose(rates, wins)


def test_shares_of_random_weights_match_two_tasks():
    """With two tasks the first model leads where its task weighs more than a third."""
    scores = np.array([[0.9, 0.5], [0.5, 0.7]])
    shares = ranking.first_by_weights(scores, seed=0)
    np.testing.assert_allclose(shares, [2 / 3, 1 / 3], atol=0.01)


@pytest.mark.parametrize(("tasks", "dimensions"), [(1, 1.0), (6, 6.0)])
def test_participation_ratio_counts_independent_tasks(tasks, dimensions):
    """Orthogonal columns count each, copies of one count as one."""
    hadamard = np.array([[1, 1], [1, -1]])
    columns = np.kron(np.kron(hadamard, hadamard), hadamard)[:, 1:7]
    scores = np.tile(columns[:, :1], 6) if tasks == 1 else columns
    assert ranking.participation_ratio(scores) == pytest.approx(dimensions)


def test_constant_tasks_add_no_dimension():
    scores = np.random.default_rng(1).normal(size=(9, 4))
    more = np.c_[scores, np.full(9, 0.5)]
    assert ranking.participation_ratio(more) == pytest.approx(ranking.participation_ratio(scores))
