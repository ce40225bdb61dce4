"""Log ratios of variances and their jackknife: arithmetic, algebra, and what breaks them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.boards import alpha as boards_alpha
from saturation.statistics.standard_errors import clustered_error, implied_alpha


def by_hand(x, groups, pair):
    """The log ratio through the library's own clustered error."""
    a, b = x[:, pair[0]], x[:, pair[1]]
    error = clustered_error(a - b, groups)
    alpha = implied_alpha(a.mean(), b.mean(), error, len(x))
    return (alpha - 1) * np.log(len(x))


@pytest.mark.parametrize("grouped", [False, True])
def test_a_log_ratio_is_that_of_the_clustered_error(drawn, grouped):
    rng = np.random.default_rng(3)
    x = drawn(rng, 60, [1, 0.5, 0, -0.5])
    groups = np.repeat(np.arange(12), 5) if grouped else np.arange(60)
    found = boards_alpha.ratios(x, groups, single_run=False)
    expected = [by_hand(x, groups, pair) for pair in itertools.combinations(range(4), 2)]
    assert found.value == pytest.approx(expected)
    assert found.pairs.tolist() == [list(pair) for pair in itertools.combinations(range(4), 2)]
    assert found.effective == pytest.approx(groups[-1] + 1)
    for group in (0, groups[-1]):
        rest = groups != group
        again = [by_hand(x[rest], groups[rest], pair) for pair in found.pairs]
        # The hand's log n is that of the rest.
        assert found.without[group] == pytest.approx(again)


def test_independent_answers_give_alpha_near_one_and_shared_ones_more(drawn):
    rng = np.random.default_rng(0)
    independent = rng.random((200_000, 2)) < [0.7, 0.6]
    found = boards_alpha.jackknife(
        boards_alpha.ratios(independent.astype(float), np.arange(200_000), False)
    )
    assert found.value == pytest.approx(0, abs=0.02)
    shared = drawn(rng, 200_000, [0.5, 0.5], ease=2)
    found = boards_alpha.jackknife(boards_alpha.ratios(shared, np.arange(200_000), False))
    rho = np.corrcoef(shared, rowvar=False)[0, 1]
    assert found.value == pytest.approx(-np.log(1 - rho), abs=0.01)
    assert found.alpha(1000, 0.95)[0] == pytest.approx(1 + found.value / np.log(1000))


def test_a_single_run_of_shares_is_a_run_drawn_from_them():
    rng = np.random.default_rng(1)
    chance = rng.beta(1, 1, (40_000, 2))
    chance[:, 1] = 0.7 * chance[:, 0] + 0.3 * chance[:, 1]
    shares = rng.binomial(8, chance) / 8
    one = (rng.random(chance.shape) < chance).astype(float)
    alone = np.arange(len(shares))
    found = boards_alpha.ratios(shares, alone, single_run=True).value[0]
    assert found == pytest.approx(boards_alpha.ratios(one, alone, False).value[0], abs=0.02)
    # The mean of eight runs is surer.
    assert boards_alpha.ratios(shares, alone, single_run=False).value[0] > found + 0.2


def test_the_jackknife_is_the_one_of_textbooks(drawn):
    rng = np.random.default_rng(5)
    x = drawn(rng, 40, [1, 0])
    found = boards_alpha.jackknife(boards_alpha.ratios(x, np.arange(40), False))
    values = [
        boards_alpha.ratios(np.delete(x, row, axis=0), np.arange(39), False).value[0]
        for row in range(40)
    ]
    whole = boards_alpha.ratios(x, np.arange(40), False).value[0]
    assert found.error == pytest.approx(np.sqrt(39 / 40 * np.sum((values - np.mean(values)) ** 2)))
    assert found.value == pytest.approx(40 * whole - 39 * np.mean(values))
    assert found.degrees == 39


def test_the_error_of_a_mean_over_pairs_is_not_that_of_independent_pairs(drawn):
    x = drawn(np.random.default_rng(2), 400, [1, 0.9, 0.8, 0.7, 0.6])
    found = boards_alpha.ratios(x, np.arange(400), False)
    single = [boards_alpha.jackknife(found, np.arange(10) == pair) for pair in range(10)]
    mean = boards_alpha.jackknife(found)
    assert mean.value == pytest.approx(np.mean([one.value for one in single]))
    errors = np.array([one.error for one in single])
    assert np.sqrt(np.sum(errors**2)) / 10 < mean.error < errors.mean()


def test_unequal_groups_are_worth_fewer():
    x = np.random.default_rng(0).random((30, 2)).round()
    groups = np.repeat([0, 1, 2], [20, 5, 5])
    found = boards_alpha.ratios(x, groups, False)
    assert found.effective == pytest.approx((400 + 25 + 25) ** 2 / (160000 + 625 + 625))


def test_pairs_that_answered_alike_are_left_out():
    x = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], float)
    found = boards_alpha.ratios(x, np.arange(5), False)
    assert np.isnan(found.value).tolist() == [True, False, False]
    both = boards_alpha.jackknife(found)
    chosen = boards_alpha.jackknife(found, np.array([False, True, True]))
    assert both == chosen
    none = boards_alpha.jackknife(found, np.array([True, False, False]))
    assert np.isnan(none.value)
    assert np.isnan(none.alpha(5, 0.95)).all()


def test_the_top_is_chosen_on_the_other_half():
    """A model that is perfect on one half of the items only is not in the top of both halves."""
    rng = np.random.default_rng(0)
    x = (rng.random((2000, 6)) < 0.6).astype(float)
    pairs, last = boards_alpha.split(x, 3, False, rng, 20)
    assert pairs == pytest.approx(0, abs=0.08)
    assert last == pytest.approx(0, abs=0.12)


def test_missing_answers_take_no_part_in_a_split():
    rng = np.random.default_rng(0)
    x = (rng.random((300, 4)) < 0.6).astype(float)
    x[:20, 0] = np.nan
    assert np.isfinite(boards_alpha.split(x, 3, False, rng, 5)).all()


def test_grades_vary_less_than_right_or_wrong():
    binary = np.array([[1, 0], [0, 1], [1, 1], [0, 0]], float)
    assert boards_alpha.bounded_part(binary) == pytest.approx(np.log(3 / 4))
    grades = np.array([[0.5, 0.4], [0.6, 0.5], [0.4, 0.6], [0.5, 0.5]])
    assert boards_alpha.bounded_part(grades) > 2


def test_the_noise_of_runs_is_told_from_that_of_items():
    rng = np.random.default_rng(4)
    same = np.full((50_000, 2), 0.5)
    shares = rng.binomial(8, same) / 8
    assert boards_alpha.run_noise(shares) == pytest.approx(1, abs=0.02)
    decided = (rng.random((50_000, 2)) < 0.5).astype(float)
    decided[0] = 0.125
    assert boards_alpha.run_noise(decided) == pytest.approx(0, abs=0.01)
    assert np.isnan(boards_alpha.run_noise(np.round(decided)))
    mixed = np.column_stack([decided, np.round(decided[:, 0])])
    assert boards_alpha.run_noise(mixed) == pytest.approx(boards_alpha.run_noise(decided))


@given(st.integers(1, boards_alpha.MOST_REPETITIONS))
def test_repetitions_are_found(m):
    assert boards_alpha.repetitions(np.arange(m + 1) / m) == m


def test_shares_of_no_number_of_repetitions_are_told():
    assert boards_alpha.repetitions(np.array([0.0, 0.3141])) == 0


def test_a_model_without_variation_correlates_with_nobody():
    x = np.array([[1, 0, 1], [1, 1, 0], [1, 0, 1], [1, 1, 0]], float)
    assert boards_alpha.correlation(x) == pytest.approx(-1)
    assert np.isnan(boards_alpha.correlation(x[:, :2]))


def test_groups_are_numbered_in_their_order():
    assert boards_alpha.groups_of(pd.Series(["b", "a", "b"])).tolist() == [0, 1, 0]
