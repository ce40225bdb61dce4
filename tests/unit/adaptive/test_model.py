import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import stats

from saturation.adaptive import model
from saturation.adaptive.model import POSITIVE, SIGNED, Normal

PLACES = npst.arrays(float, 4, elements=st.floats(-30, 30))
SLOPES = npst.arrays(float, 4, elements=st.floats(0.01, 50))


def test_probability_information_and_likelihood_by_hand():
    """At a logit of ln 3 the odds are 3 to 1."""
    ability, a, b = np.array([np.log(3) / 2 + 1, 1.0]), np.array([2.0]), np.array([1.0])
    np.testing.assert_allclose(model.probability(ability, a, b), [[0.75], [0.5]])
    np.testing.assert_allclose(model.information(ability, a, b), [[0.75], [1.0]])
    responses = np.array([[1], [0]], dtype=np.int8)
    np.testing.assert_allclose(
        model.log_likelihood(responses, ability, a, b), np.log([[0.75], [0.5]])
    )
    np.testing.assert_allclose(
        model.log_likelihood(1 - responses, ability, a, b), np.log([[0.25], [0.5]])
    )


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
    cells = model.log_likelihood(responses, np.array([1e4]), np.ones(3), np.zeros(3))
    np.testing.assert_allclose(cells, [[0.0, -1e4, 0.0]])


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
    right = np.ones((4, 4), dtype=np.int8)
    for answers, expected in ((right, chance), (0 * right, misses)):
        found = model.log_likelihood(answers, theta, *items)
        np.testing.assert_allclose(np.exp(found), expected, rtol=1e-9, atol=1e-300)
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
BOTH = pytest.mark.parametrize("form", [POSITIVE, SIGNED], ids=["positive", "signed"])


def derivatives(function, place, step=1e-6):
    """Central differences: rows the function's values, columns the coordinates."""
    columns = []
    for coordinate in range(2):
        moved = step * np.eye(2)[coordinate]
        ahead, back = (np.array(function(place + sign * moved)) for sign in (1, -1))
        columns.append((ahead - back) / (2 * step))
    return np.array(columns).T


def test_lines_by_hand():
    slope, intercept = POSITIVE.lines(np.array([[[0.0, 2.0]], [[np.log(3), -1.0]]]))
    np.testing.assert_allclose(slope, [[1], [3]])
    np.testing.assert_allclose(intercept, [[-2], [3]])
    slope, intercept = SIGNED.lines(np.array([[-1.5, 2.0]]))
    assert (slope.tolist(), intercept.tolist()) == ([-1.5], [2.0])


@BOTH
def test_the_jacobian_is_what_differences_give(form):
    expected = [derivatives(form.lines, place) for place in ITEMS]
    np.testing.assert_allclose(form.jacobian(ITEMS), expected, atol=1e-8)


@BOTH
def test_the_bend_is_the_change_of_the_jacobian(form):
    """Second derivatives of slope and intercept, weighted as a log-likelihood's are."""
    weights = np.array([0.8, -1.7])
    for place in ITEMS:

        def gradient(at):
            return form.jacobian(at[None])[0].T @ weights

        expected = derivatives(gradient, place)
        np.testing.assert_allclose(form.bend(gradient(place)[None])[0], expected, atol=1e-7)


@BOTH
def test_rescaled_items_have_the_same_logits(form):
    ability, centre, spread = np.linspace(-2, 3, 7), 0.4, 1.7
    turn, shift = form.rescaled(centre, spread)
    before, after = form.lines(ITEMS), form.lines(ITEMS @ turn.T + shift)
    standard = (ability - centre) / spread
    np.testing.assert_allclose(
        np.outer(standard, after[0]) + after[1], np.outer(ability, before[0]) + before[1]
    )


@BOTH
def test_parameters_and_their_errors_by_differences(form):
    covariance = np.tile([[0.04, 0.01], [0.01, 0.09]], (3, 1, 1))
    a, a_se, b, b_se = form.parameters(ITEMS, covariance)
    slope, intercept = form.lines(ITEMS)
    np.testing.assert_allclose(a, slope)
    np.testing.assert_allclose(b, -intercept / slope)

    def both(place):
        slope, intercept = form.lines(place)
        return slope, -intercept / slope

    for item, place in enumerate(ITEMS):
        change = derivatives(both, place)
        spread = np.sqrt(np.diag(change @ covariance[item] @ change.T))
        np.testing.assert_allclose([a_se[item], b_se[item]], spread, rtol=1e-6)


def test_a_normal_has_scipys_density_and_its_moments_by_name():
    normal = Normal(np.array([0.5, -1.0]), np.array([[4.0, 1.5], [1.5, 9.0]]))
    scipys = stats.multivariate_normal(normal.mean, normal.covariance)
    away = normal.log_density(ITEMS) - normal.log_density(normal.mean)
    np.testing.assert_allclose(away, scipys.logpdf(ITEMS) - scipys.logpdf(normal.mean))
    assert normal.log_density(normal.mean) == 0
    assert normal.log_density(ITEMS[None]).shape == (1, 3)
    np.testing.assert_allclose(normal.precision @ normal.covariance, np.eye(2), atol=1e-12)
    assert normal.described(("x", "y")) == pytest.approx(
        {"x_mean": 0.5, "x_sd": 2.0, "y_mean": -1.0, "y_sd": 3.0, "correlation": 0.25}
    )


RANDOM = np.random.default_rng(0)
SQUARE = RANDOM.normal(size=(20, 2, 2))
DEFINITE = SQUARE @ SQUARE.swapaxes(1, 2) + 0.1 * np.eye(2)


def test_matrices_are_filled_row_by_row():
    stack = model.matrices(*(np.array([value, 10 * value]) for value in (1.0, 2.0, 3.0, 4.0)))
    assert stack.tolist() == [[[1, 2], [3, 4]], [[10, 20], [30, 40]]]


def test_products_inverses_determinants_and_roots_are_numpys():
    vectors = RANDOM.normal(size=(20, 2))
    np.testing.assert_allclose(
        model.products(SQUARE, vectors), np.einsum("nij,nj->ni", SQUARE, vectors)
    )
    np.testing.assert_allclose(model.inverted(SQUARE), np.linalg.inv(SQUARE), rtol=1e-9)
    np.testing.assert_allclose(model.determinants(SQUARE), np.linalg.det(SQUARE))
    np.testing.assert_allclose(model.roots(DEFINITE), np.linalg.cholesky(DEFINITE), atol=1e-12)


def test_a_singular_block_has_a_root():
    """NumPy's Cholesky refuses it, or gives what is not a number."""
    singular = np.array([[[4.0, 2.0], [2.0, 1.0 - 1e-17]]])
    assert model.roots(singular).tolist() == [[[2, 0], [1, 0]]]
