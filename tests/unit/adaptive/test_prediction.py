"""The predicted share right: what it is at the ends, its error, and against plain sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import MISSING, STANDARD, probability
from saturation.adaptive.subsets import Items, WeightedSubset, ability_missed, predicted


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(3)
    return Items(np.exp(random.normal(0, 0.4, 80)), random.normal(0, 1, 80))


def draw(bank, ability, random):
    return (random.random((len(ability), 80)) < expit(
        bank.discrimination * (ability[:, None] - bank.difficulty)
    )).astype(np.int8)  # fmt: skip


def evenly(size):
    return WeightedSubset(np.arange(size), np.full(size, 1 / size))


def test_by_the_definition(bank):
    cells = draw(bank, np.array([0.3]), np.random.default_rng(0))[:, :20]
    found = predicted(cells, evenly(20), bank)
    ability = map_ability(cells, bank.discrimination[:20], bank.difficulty[:20])[0][0]
    chance = expit(bank.discrimination * (ability - bank.difficulty))
    assert found.ability[0] == ability
    expected = (cells.sum() + chance[20:].sum()) / 80
    assert found.expected[0] == pytest.approx(expected)
    # Three quarters of the bank are not asked.
    excess = 0.75 * (cells[0] - chance[:20]).mean()
    assert found.excess[0] == pytest.approx(excess)
    assert found.accuracy(0.4)[0] == pytest.approx(expected + 0.4 * excess)


def test_a_bank_that_is_asked_whole_has_its_share_right_and_no_error(bank):
    cells = draw(bank, np.linspace(-1, 1, 5), np.random.default_rng(1))
    found = predicted(cells, evenly(80), bank, share=1.0)
    np.testing.assert_allclose(found.accuracy(1.0), cells.mean(axis=1))
    np.testing.assert_allclose(found.error, 0, atol=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_error_is_that_of_repeated_evaluations(bank, share):
    random = np.random.default_rng(2)
    cells = draw(bank, random.normal(size=4000), random)
    found = predicted(cells[:, :30], evenly(30), bank, share)
    missed = found.accuracy(share) - cells.mean(axis=1)
    assert np.mean((missed / found.error) ** 2) == pytest.approx(1, rel=0.08)


@given(st.lists(st.integers(0, 19), min_size=1, max_size=15, unique=True))
def test_a_missing_cell_counts_as_not_asked(bank, missing):
    cells = draw(bank, np.array([0.3]), np.random.default_rng(0))[:, :20]
    cells[0, missing] = MISSING
    left = [item for item in range(20) if item not in missing]
    subset = WeightedSubset(np.array(left), np.full(len(left), 1 / len(left)))
    one = predicted(cells, evenly(20), bank, share=0.7)
    other = predicted(cells[:, left], subset, bank, share=0.7)
    for mine, theirs in zip(one, other):
        np.testing.assert_allclose(mine, theirs)


@pytest.mark.parametrize("share", [0.0, 0.6])
def test_with_a_floor_the_error_is_that_of_repeated_evaluations(bank, share):
    random = np.random.default_rng(2)
    guessed, ability = bank._replace(floor=0.25), random.normal(size=4000)
    cells = (random.random((4000, 80)) < probability(ability, *guessed)).astype(np.int8)
    found = predicted(cells[:, :30], evenly(30), guessed, share)
    missed = found.accuracy(share) - cells.mean(axis=1)
    assert np.mean((missed / found.error) ** 2) == pytest.approx(1, rel=0.1)
    assert abs(missed.mean()) < 0.005
    # A model that knows of no guessing reckons wrongly with what was not asked.
    plainly = predicted(cells[:, :30], evenly(30), bank).accuracy(0.0)
    assert np.mean(plainly - cells.mean(axis=1)) < -0.01


def test_an_ability_misses_that_of_all_items_by_the_difference_of_the_variances(bank):
    random = np.random.default_rng(4)
    cells = draw(bank, random.normal(size=3000), random)
    some, some_se = bank.part(np.arange(30)).ability(cells[:, :30])
    missed, stated = ability_missed(cells, some, some_se, bank, STANDARD)
    whole, whole_se = bank.ability(cells)
    np.testing.assert_allclose(missed, some - whole)
    assert np.mean((missed / stated) ** 2) == pytest.approx(1, rel=0.1)
    nearly = ability_missed(cells, whole, whole_se, bank, STANDARD)[1]
    np.testing.assert_allclose(nearly, 0.1 * whole_se)
