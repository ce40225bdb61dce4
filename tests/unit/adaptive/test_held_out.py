"""Errors on families left out: hand values, and what they do to an interval."""

import numpy as np
import pytest
from scipy import stats

from saturation.adaptive.subsets import Excess, excess


def test_by_hand_families_weigh_the_same():
    # Squares in stated errors: family one (4 + 4) / 2 = 4, family two 1; mean 2.5.
    found = excess([np.array([0.2, -0.2]), np.array([0.3])], [np.full(2, 0.1), np.array([0.3])])
    assert found.factor == pytest.approx(np.sqrt(2.5))
    assert found.rms == pytest.approx(np.sqrt((0.04 + 0.09) / 2))
    # The pair's product is -4: no correlation. Var = 2 (1/2 + 1) / 4 = 0.75, so 2 / 0.75.
    assert found.degrees == pytest.approx(2 / 0.75)


def test_where_all_was_asked_nothing_is_missed_and_the_factor_is_that_of_the_others():
    whole, stated = np.zeros(2), np.array([0.1, 0.1])
    some = excess([np.array([0.2, 0.0]), whole], [np.array([0.1, 0.0]), stated])
    # Squares in stated errors: (4 + 0) / 2 and 0.
    assert some.factor == pytest.approx(1.0)
    assert excess([np.array([0.4, 0.0]), whole], [np.array([0.1, 0.0]), stated]).factor == (
        pytest.approx(2.0)
    )
    none = excess([whole, whole], [whole, whole])
    assert none == pytest.approx(Excess(1.0, 4.0, 0.0))


def test_relatives_that_miss_together_count_once():
    alike = [np.full(10, value) for value in (1.0, -1.0, 1.0, -1.0)]
    apart = [np.tile([1.0, -1.0], 5)] * 4
    stated = [np.ones(10)] * 4
    assert excess(alike, stated).degrees == pytest.approx(4)
    assert excess(apart, stated).degrees == pytest.approx(40)


def test_an_interval_is_never_narrower_than_stated_and_follows_student():
    found = excess([np.array([0.01]), np.array([-0.01])], [np.array([0.1])] * 2)
    assert found.factor == 1.0
    wide = Excess(2.0, 8.0, 0.2)
    assert wide.reach(np.array([0.1]))[0] == pytest.approx(0.2 * stats.t.ppf(0.975, 8))
    # 95 % of chi-square with 8 degrees lie below 15.507.
    assert wide.least_rms() == pytest.approx(0.2 * np.sqrt(8 / 15.507), rel=1e-4)


def test_the_factor_is_recovered_with_its_degrees_of_freedom():
    random = np.random.default_rng(0)
    squares, degrees = [], []
    for _ in range(3000):
        shared = random.normal(size=(8, 1)) * np.sqrt(0.5)
        own = random.normal(size=(8, 5)) * np.sqrt(0.5)
        found = excess(list(2 * (shared + own)), [np.ones(5)] * 8)
        squares.append(found.factor**2)
        degrees.append(found.degrees)
    assert np.mean(squares) == pytest.approx(4, rel=0.03)
    # True correlation 1/2: variance of the mean square 16 x 2 (1/5 + 4/5 x 1/4) / 8.
    assert np.var(squares) == pytest.approx(16 * 2 * 0.4 / 8, rel=0.1)
    assert np.median(degrees) == pytest.approx(8 / 0.4, rel=0.25)
