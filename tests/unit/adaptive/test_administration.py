import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.adaptive import administration, model
from saturation.adaptive.abilities import map_ability


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


@settings(max_examples=15, deadline=None)
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
