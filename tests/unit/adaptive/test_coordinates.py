import numpy as np
import pytest
from scipy import stats

from saturation.adaptive import model
from saturation.adaptive.model import POSITIVE, SIGNED, Normal

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


def test_names_starts_and_limits():
    assert model.COORDINATES == {"positive": POSITIVE, "signed": SIGNED}
    assert POSITIVE.names == ("log_discrimination", "difficulty")
    assert SIGNED.names == ("slope", "intercept")
    assert POSITIVE.largest_spread.tolist() == [1, np.inf]
    assert SIGNED.largest_spread.tolist() == [np.inf, np.inf]
    # Both begin with items of slope 1 at difficulty 0, spread by 1 and 2.
    for form in (POSITIVE, SIGNED):
        slope, intercept = form.lines(form.start.mean)
        assert (slope, intercept) == (1, 0)
        np.testing.assert_allclose(form.start.covariance, [[1, 0], [0, 4]])


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
