import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from saturation.adaptive import administration, model
from saturation.adaptive.abilities import map_ability
from saturation.errors import InputError


def plain_loop(responses, a, b, length):
    """The obvious test: one respondent at a time, the whole bank searched at each step."""
    items, abilities = [], []
    for row in responses:
        theta, given_items = 0.0, []
        for _ in range(length):
            info = model.information(np.array([theta]), a, b)[0]
            info[given_items] = -1
            info[row == model.MISSING] = -1
            given_items.append(int(info.argmax()))
            chosen = np.array(given_items)
            theta = float(map_ability(row[None, chosen], a[chosen], b[chosen])[0][0])
        items.append(given_items)
        abilities.append(theta)
    return np.array(items), np.array(abilities)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_selections_are_those_of_a_plain_loop(seed):
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0, 0.5, 60)), random.normal(0, 1, 60)
    responses = random.integers(0, 2, (5, 60)).astype(np.int8)
    responses[0, :10] = model.MISSING
    test = administration.administer(responses, a, b, 20)
    items, ability = plain_loop(responses, a, b, 20)
    np.testing.assert_array_equal(test.items, items)
    np.testing.assert_allclose(test.ability[:, -1], ability, atol=1e-5)


def reference_session(row, a, b, length, start):
    """The published engine's rules: the start chooses the first item, N(0, 1) holds throughout,
    and no ability lies beyond 4. Each estimate is the score's root, by bisection."""

    def score(theta, asked):
        p = 1 / (1 + np.exp(-a[asked] * (theta - b[asked])))
        return a[asked] @ (row[asked] - p) - theta

    theta, asked, abilities = start, [], []
    for _ in range(length):
        p = 1 / (1 + np.exp(-a * (theta - b)))
        info = a**2 * p * (1 - p)
        info[asked] = -np.inf
        asked.append(int(info.argmax()))
        if score(4.0, asked) > 0:
            theta = 4.0
        elif score(-4.0, asked) < 0:
            theta = -4.0
        else:
            theta = optimize.brentq(score, -4, 4, args=(asked,), xtol=1e-14)
        abilities.append(theta)
    return asked, abilities


@pytest.mark.parametrize("start", [-1.0, 0.0, 0.5, 2.0])
def test_sessions_from_any_start_are_those_of_the_published_engine(start):
    random = np.random.default_rng(8)
    a, b = np.exp(random.normal(0.3, 0.5, 150)), random.normal(0.5, 1.2, 150)
    theta = np.linspace(-2.5, 3, 12)
    responses = (random.random((12, 150)) < model.probability(theta, a, b)).astype(np.int8)
    responses[0], responses[1] = 1, 0
    prior = model.Prior(0, 1, -4, 4)
    test = administration.administer(responses, a, b, 60, prior=prior, start=start)
    for person, row in enumerate(responses):
        asked, abilities = reference_session(row, a, b, 60, start)
        assert test.items[person].tolist() == asked
        np.testing.assert_allclose(test.ability[person], abilities, atol=1e-7)


def test_two_items_by_hand():
    """Slopes 1, difficulties 0 and 2, a start at 2: the second item comes first, and a right answer
    leaves the root of theta = 1 - logistic(theta - 2), though the start is not the prior's mean."""
    a, b, responses = np.ones(2), np.array([0.0, 2.0]), np.array([[0, 1]], dtype=np.int8)
    test = administration.administer(responses, a, b, 2, start=2.0)
    assert test.items.tolist() == [[1, 0]]
    theta = test.ability[0, 0]
    assert theta == pytest.approx(0.77325, abs=5e-6)
    assert theta == pytest.approx(1 - 1 / (1 + np.exp(2 - theta)), abs=1e-9)
    # Then 1 - logistic(theta - 2) - logistic(theta) = theta.
    assert test.ability[0, 1] == pytest.approx(0.279, abs=5e-4)
    assert administration.administer(responses, a, b, 2).items.tolist() == [[0, 1]]


def test_ties_fall_to_the_first_item():
    responses = np.ones((1, 4), dtype=np.int8)
    test = administration.administer(responses, np.ones(4), np.zeros(4), 4)
    assert test.items.tolist() == [[0, 1, 2, 3]]


def test_a_test_stops_at_its_standard_error_and_keeps_its_last_estimate():
    random = np.random.default_rng(2)
    a, b = np.full(200, 2.0), random.normal(0, 1, 200)
    responses = random.integers(0, 2, (8, 200)).astype(np.int8)
    test = administration.administer(responses, a, b, 200, stop_se=0.3)
    for person, length in enumerate(test.lengths):
        assert 1 < length < 200
        assert test.se[person, length - 1] <= 0.3 < test.se[person, length - 2]
        assert (test.ability[person, length - 1 :] == test.ability[person, length - 1]).all()
        assert (test.items[person, length:] == administration.NO_ITEM).all()


def test_no_item_twice_and_none_without_a_response():
    random = np.random.default_rng(3)
    responses = random.integers(-1, 2, (6, 30)).astype(np.int8)
    test = administration.administer(responses, np.ones(30), random.normal(size=30), 30)
    for person, row in enumerate(test.items):
        chosen = row[row != administration.NO_ITEM]
        assert len(set(chosen)) == len(chosen) == (responses[person] != model.MISSING).sum()


def test_mean_rank_gap():
    assert administration.mean_rank_gap(np.array([3.0, -1.0, 0.0])) == pytest.approx(2.0)


def test_what_is_no_bank_is_refused():
    cells, a, b = np.array([[1, 0, 1]], dtype=np.int8), np.ones(3), np.zeros(3)
    bad = [
        (np.array([[1, 2, 0]], dtype=np.int8), a, b, 3, "value 2 is not allowed"),
        (cells, np.array([1, np.nan, 1]), b, 3, "discrimination nan"),
        (cells, a[:2], b[:2], 3, "has shape"),
        (cells, a, b, 0, "length 0"),
    ]
    for responses, slope, place, length, message in bad:
        with pytest.raises(InputError, match=message):
            administration.administer(responses, slope, place, length)
    for stop_se in (-1.0, np.nan):
        with pytest.raises(InputError, match="stop_se"):
            administration.administer(cells, a, b, 3, stop_se)
