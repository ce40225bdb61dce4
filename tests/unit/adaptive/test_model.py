import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from saturation.adaptive import model
from saturation.adaptive.model import POSITIVE, Normal
from saturation.errors import InputError

PLACES = npst.arrays(float, 4, elements=st.floats(-30, 30))
SLOPES = npst.arrays(float, 4, elements=st.floats(0.01, 50))


def test_probability_and_information_by_hand():
    """At a logit of ln 3 the odds are 3 to 1."""
    ability, a, b = np.array([np.log(3) / 2 + 1, 1.0]), np.array([2.0]), np.array([1.0])
    np.testing.assert_allclose(model.probability(ability, a, b), [[0.75], [0.5]])
    np.testing.assert_allclose(model.information(ability, a, b), [[0.75], [1.0]])


def test_link_carries_one_scale_to_another():
    ability = np.array([-1.0, 0.0, 2.0])
    slope, intercept = model.link(ability, 3 * ability + 1)
    assert (slope, intercept) == pytest.approx((3, 1))


@given(PLACES, SLOPES, PLACES, st.floats(model.LEAST_FLOOR, 0.6))
def test_with_a_floor_everything_follows_from_the_chance(theta, a, b, floor):
    items = (a, b, floor)
    knows = model.probability(theta, a, b)
    # Not 1 less the chance to know, which has few digits where that is near 1.
    misses = (1 - floor) * model.probability(-theta, a, -b)
    chance = model.probability(theta, *items)
    np.testing.assert_allclose(chance, floor + (1 - floor) * knows)
    told = misses > 1e-300
    odds = np.log(chance[told]) - np.log(misses[told])
    np.testing.assert_allclose(model.log_odds(theta, *items)[told], odds, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("floor", [0.0, 0.05, 0.25])
def test_weights_and_information_are_derivatives_of_the_chance(floor):
    """Birnbaum's: P' / (P (1 - P)), and P'^2 / (P (1 - P)); P' by differences."""
    theta, a, b = np.linspace(-3, 3, 9), np.array([0.4, 1.3, 2.5]), np.array([-1.0, 0.2, 1.5])
    step = 1e-5
    slope = (
        model.probability(theta + step, a, b, floor) - model.probability(theta - step, a, b, floor)
    ) / (2 * step)
    p = model.probability(theta, a, b, floor)
    weight = model.answer_weight(theta, a, b, floor)
    np.testing.assert_allclose(weight * p * (1 - p), slope, rtol=1e-6)
    info = model.information(theta, a, b, floor)
    np.testing.assert_allclose(info, slope**2 / (p * (1 - p)), rtol=1e-6)
    assert (info <= model.information(theta, a, b)).all()


ITEMS = np.array([[0.3, -0.7], [-0.5, 1.2], [1.1, 0.4]])


def test_parameters_and_their_errors_by_differences():
    """What a fit's rounds use of coordinates is tried in test_fit.py."""
    covariance = np.tile([[0.04, 0.01], [0.01, 0.09]], (3, 1, 1))
    a, a_se, b, b_se = POSITIVE.parameters(ITEMS, covariance)

    def both(place):
        slope, intercept = POSITIVE.lines(place)
        return np.array([slope, -intercept / slope])

    np.testing.assert_allclose([a, b], both(ITEMS))
    for item, place in enumerate(ITEMS):
        steps = 1e-6 * np.eye(2)
        change = np.array([both(place + step) - both(place - step) for step in steps]).T / 2e-6
        spread = np.sqrt(np.diag(change @ covariance[item] @ change.T))
        np.testing.assert_allclose([a_se[item], b_se[item]], spread, rtol=1e-6)


def test_a_normal_has_its_moments_by_name():
    normal = Normal(np.array([0.5, -1.0]), np.array([[4.0, 1.5], [1.5, 9.0]]))
    assert normal.described(("x", "y")) == pytest.approx(
        {"x_mean": 0.5, "x_sd": 2.0, "y_mean": -1.0, "y_sd": 3.0, "correlation": 0.25}
    )


def test_a_singular_block_has_a_root():
    """NumPy's Cholesky refuses it, or gives what is not a number."""
    singular = np.array([[[4.0, 2.0], [2.0, 1.0 - 1e-17]]])
    assert model.roots(singular).tolist() == [[[2, 0], [1, 0]]]


@pytest.mark.parametrize(
    "bad", [(np.nan, 1.0), (0.0, 0.0), (0.0, np.inf), (0.0, 1.0, 2.0, 2.0), (0.0, 1.0, np.nan)]
)
def test_a_prior_that_is_none_is_refused(bad):
    with pytest.raises(InputError, match="expected a finite mean, an sd above 0"):
        model.Prior(*bad)


def test_a_floor_is_nought_or_a_chance_to_guess():
    assert model.floor_odds(0.0) is None
    assert model.floor_odds(0.005) == pytest.approx(0.005 / 0.995)
    for bad in (-0.1, 0.0049, 1.0, np.nan):
        with pytest.raises(InputError, match="is no chance to guess; expected 0 or"):
            model.floor_odds(bad)
