import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import integrate

from saturation.adaptive import abilities, model

finite = st.floats(-30, 30)
SLOPES = npst.arrays(float, 4, elements=st.floats(0.01, 50))
PLACES = npst.arrays(float, 4, elements=finite)


@given(PLACES, SLOPES, PLACES)
def test_probability_is_one_half_at_the_difficulty_and_never_leaves_its_range(theta, a, b):
    p = model.probability(theta, a, b)
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(np.diag(model.probability(b, a, b)), 0.5, atol=1e-9)


@given(PLACES, SLOPES, PLACES)
def test_information_is_the_slope_squared_times_the_variance(theta, a, b):
    p = model.probability(theta, a, b)
    info = model.information(theta, a, b)
    np.testing.assert_allclose(info, a**2 * p * (1 - p), rtol=1e-6, atol=1e-9)
    assert (info <= a**2 / 4 * (1 + 1e-12)).all()


def test_log_likelihood_survives_extremes_and_skips_missing_cells():
    responses = np.array([[1, 0, model.MISSING]], dtype=np.int8)
    found = model.log_likelihood(responses, np.array([1e4]), np.ones(3), np.zeros(3))
    np.testing.assert_allclose(found, [[0.0, -1e4, 0.0]])


def test_eap_agrees_with_numerical_integration():
    responses = np.array([[1, 1, 0, 1, 0]], dtype=np.int8)
    a, b = np.array([0.5, 1.0, 1.5, 2.0, 1.2]), np.linspace(-1, 1, 5)

    def density(theta):
        like = model.log_likelihood(responses, np.array([theta]), a, b).sum()
        return np.exp(like - theta**2 / 2)

    total = integrate.quad(density, -8, 8)[0]
    mean = integrate.quad(lambda t: t * density(t), -8, 8)[0] / total
    second = integrate.quad(lambda t: t * t * density(t), -8, 8)[0] / total
    found, spread = abilities.eap_ability(responses, a, b)
    assert found[0] == pytest.approx(mean, abs=1e-6)
    assert spread[0] == pytest.approx(np.sqrt(second - mean**2), abs=1e-6)


def test_map_ability_is_where_the_gradient_vanishes():
    responses = np.array([[1, 0, 1, model.MISSING], [1, 1, 1, 1]], dtype=np.int8)
    a, b = np.array([1.0, 2.0, 0.7, 1.0]), np.array([-1.0, 0.0, 1.0, 0.3])
    theta, se = abilities.map_ability(responses, a, b)
    p = model.probability(theta, a, b)
    residual = np.where(responses == model.MISSING, 0, responses - p)
    np.testing.assert_allclose((a * residual).sum(axis=1) - theta, 0, atol=1e-6)
    assert (se < 1).all()


def test_link_carries_one_scale_to_another():
    ability = np.array([-1.0, 0.0, 2.0])
    slope, intercept = model.link(ability, 3 * ability + 1)
    assert (slope, intercept) == pytest.approx((3, 1))


def test_steep_items_do_not_send_newton_back_and_forth():
    """Two items on which plain Newton steps alternate between both sides for ever."""
    a, b = np.array([3.0, 15.0, 8.0]), np.array([0.0, -0.67, 0.4])
    responses = np.array(list(np.ndindex(2, 2, 2)), dtype=np.int8)
    theta, _ = abilities.map_ability(responses, a, b)
    gradient = ((responses - model.probability(theta, a, b)) * a).sum(axis=1) - theta
    np.testing.assert_allclose(gradient, 0, atol=1e-6)


@given(
    npst.arrays(np.int8, (3, 8), elements=st.integers(-1, 1)),
    npst.arrays(float, 8, elements=st.floats(0.05, 40)),
    npst.arrays(float, 8, elements=st.floats(-4, 4)),
)
def test_the_mode_is_found_on_any_bank(responses, a, b):
    """The gradient falls with ability, so the mode lies where it changes sign."""
    theta, _ = abilities.map_ability(responses, a, b)
    seen = responses != model.MISSING

    def gradient(at):
        return (seen * (responses - model.probability(at, a, b)) * a).sum(axis=1) - at

    assert (gradient(theta - 1e-4) > 0).all()
    assert (gradient(theta + 1e-4) < 0).all()
