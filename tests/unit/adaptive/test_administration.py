import numpy as np
import pytest
from scipy import optimize

from saturation.adaptive import administration, model
from saturation.errors import InputError


def reference_session(row, a, b, length, start):
    """The published engine's rules: the start chooses the first item, N(0, 1) holds throughout,
    and no ability lies beyond 4. Each estimate is the score's root, by bisection."""

    def score(theta, asked):
        p = 1 / (1 + np.exp(-a[asked] * (theta - b[asked])))
        return a[asked] @ (row[asked] - p) - theta

    theta, asked, abilities = start, [], []
    for _ in range(min(length, (row != model.MISSING).sum())):
        p = 1 / (1 + np.exp(-a * (theta - b)))
        info = np.where(row == model.MISSING, -np.inf, a**2 * p * (1 - p))
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
    """Also of who answers all alike, and of who has fewer answers than the test is long."""
    random = np.random.default_rng(8)
    a, b = np.exp(random.normal(0.3, 0.5, 150)), random.normal(0.5, 1.2, 150)
    theta = np.linspace(-2.5, 3, 12)
    responses = (random.random((12, 150)) < model.probability(theta, a, b)).astype(np.int8)
    responses[0], responses[1], responses[2, 20:], responses[3, ::2] = 1, 0, -1, -1
    prior = model.Prior(0, 1, -4, 4)
    test = administration.administer(responses, a, b, 60, prior=prior, start=start)
    assert test.lengths.tolist() == [60, 60, 20, *[60] * 9]
    for person, row in enumerate(responses):
        asked, abilities = reference_session(row, a, b, 60, start)
        assert test.items[person, : len(asked)].tolist() == asked
        np.testing.assert_allclose(test.ability[person, : len(asked)], abilities, atol=1e-7)


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


def test_what_is_no_bank_is_refused():
    cells, a, b = np.array([[1, 0, 1]], dtype=np.int8), np.ones(3), np.zeros(3)
    bad = [
        (cells + 1, a, 3, "value 2 is not allowed"),
        (cells, a[:2], 3, "has shape"),
        (cells, a, 0, "length 0"),
    ]
    for responses, slope, length, message in bad:
        with pytest.raises(InputError, match=message):
            administration.administer(responses, slope, b[: len(slope)], length)
    assert administration.administer(cells, a, b, 1).lengths.tolist() == [1]
    for stop_se in (-1.0, np.nan):
        with pytest.raises(InputError, match="stop_se"):
            administration.administer(cells, a, b, 3, stop_se)
