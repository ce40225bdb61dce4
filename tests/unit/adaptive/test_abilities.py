import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import integrate, optimize
from scipy.special import expit, log_expit

from saturation.adaptive import abilities, model
from saturation.errors import InputError

A, B = np.array([0.5, 1.0, 1.5, 2.0, 1.2]), np.linspace(-1, 1, 5)
ROWS = np.array(
    [[1, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, -1, 0, -1, -1], [0, 1, 1, -1, 1]],
    dtype=np.int8,
)
PRIORS = pytest.mark.parametrize("prior", [model.STANDARD, model.Prior(0.7, 0.5)])


def log_posterior(row, theta, prior):
    """Written from the model, cell by cell."""
    total = -((theta - prior.mean) ** 2) / (2 * prior.sd**2)
    for answer, a, b in zip(row, A, B):
        p = 1 / (1 + np.exp(-a * (theta - b)))
        total += {1: np.log(p), 0: np.log(1 - p), model.MISSING: 0.0}[int(answer)]
    return total


@PRIORS
def test_eap_is_what_numerical_integration_gives(prior):
    mean, spread = abilities.eap_ability(ROWS, A, B, prior)
    for person, row in enumerate(ROWS):

        def weighted(theta, power, row=row):
            return theta**power * np.exp(log_posterior(row, theta, prior))

        total, first, second = (
            integrate.quad(weighted, -9, 9, args=(power,), epsabs=1e-13)[0] for power in range(3)
        )
        assert mean[person] == pytest.approx(first / total, abs=1e-6)
        assert spread[person] == pytest.approx(
            np.sqrt(second / total - (first / total) ** 2), abs=1e-6
        )


@PRIORS
def test_map_is_what_a_numerical_maximum_gives(prior):
    ability, se = abilities.map_ability(ROWS, A, B, prior)
    for person, row in enumerate(ROWS):
        best = optimize.minimize_scalar(
            lambda theta, row=row: -log_posterior(row, theta, prior), bracket=(-3, 3), tol=1e-12
        ).x
        # A maximum is flat: its place is known to the root of its height's last digit.
        assert ability[person] == pytest.approx(best, abs=1e-6)
        p = 1 / (1 + np.exp(-A * (best - B)))
        information = (A**2 * p * (1 - p))[row != model.MISSING].sum() + prior.sd**-2
        assert se[person] == pytest.approx(information**-0.5, rel=1e-5)


@pytest.mark.parametrize(("sign", "limit"), [(1, 1.5), (-1, -2.0)])
def test_a_mode_beyond_the_limits_is_held_there(sign, limit):
    """And its error is that of the information at the limit."""
    a, b = np.full(30, 2.0), np.full(30, 3.0 * sign)
    rows = np.full((1, 30), (1 + sign) // 2, dtype=np.int8)
    free, _ = abilities.map_ability(rows, a, b)
    assert sign * free[0] > 2
    ability, se = abilities.map_ability(rows, a, b, model.Prior(0, 1, -2, 1.5))
    assert ability[0] == limit
    p = 1 / (1 + np.exp(-2 * (limit - 3 * sign)))
    assert se[0] == pytest.approx((30 * 4 * p * (1 - p) + 1) ** -0.5)
    wide = abilities.map_ability(rows, a, b, model.Prior(0, 1, -9, 9))
    assert wide[0].tobytes() == free.tobytes()


@pytest.mark.parametrize(
    "bad", [(np.nan, 1.0), (0.0, 0.0), (0.0, np.inf), (0.0, 1.0, 2.0, 2.0), (0.0, 1.0, np.nan)]
)
def test_a_prior_that_is_none_is_refused(bad):
    with pytest.raises(InputError, match="expected a finite mean, an sd above 0"):
        model.Prior(*bad)


def test_without_responses_there_is_the_prior():
    nothing = np.full((1, 5), model.MISSING, dtype=np.int8)
    prior = model.Prior(0.7, 0.5)
    for estimate in (abilities.map_ability, abilities.eap_ability):
        ability, se = estimate(nothing, A, B, prior)
        np.testing.assert_allclose([ability[0], se[0]], [0.7, 0.5])


def test_steps_are_held_to_one_and_end_when_they_are_small():
    """From 20 away, the mode at 0 is reached; one step of full size would not do it."""
    row, asked = np.array([1, 0], dtype=np.int8), np.arange(2)
    a, b = np.array([1.0, 1.0]), np.array([0.0, 0.0])
    for start in (-20.0, -1.0, 0.0, 20.0):
        theta, se = abilities._climb(row, asked, a, b, start, model.STANDARD.numbers)
        assert theta == pytest.approx(0, abs=1e-9)
        assert se == pytest.approx(1 / np.sqrt(1.5), rel=1e-6)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_no_step_is_longer_than_one(side):
    """From 60 away fifty steps go fifty of the way, though Newton would go all of it at once."""
    row, asked = np.array([1, 0], dtype=np.int8), np.arange(2)
    a, b, prior = np.ones(2), np.zeros(2), model.STANDARD.numbers
    theta, _ = abilities._climb(row, asked, a, b, 60.0 * side, prior)
    assert theta == pytest.approx(10.0 * side, abs=1e-9)


@pytest.mark.parametrize("logit", [-800.0, -2.0, 0.0, 0.5, 800.0])
def test_chances_of_any_logit(logit):
    p, weight = abilities._chance(logit)
    assert p == pytest.approx(expit(logit))
    assert weight == pytest.approx(expit(logit) * expit(-logit))


def test_the_guess_is_newtons_first_step():
    """From the mode of the items before, where the gradient is nought."""
    row = np.array([1, 0, 1], dtype=np.int8)
    a, b = A[:3], B[:3]
    theta, error = abilities.map_ability(row[None, :2], a[:2], b[:2])
    p = 1 / (1 + np.exp(-a[2] * (theta[0] - b[2])))
    step = a[2] * (1 - p) * error[0] ** 2
    assert abilities._guess(theta[0], error[0], a[2], b[2], 1) == pytest.approx(theta[0] + step)
    down = abilities._guess(theta[0], error[0], a[2], b[2], 0)
    assert down == pytest.approx(theta[0] - a[2] * p * error[0] ** 2)


@pytest.mark.parametrize("floor", [0.0, 0.2])
@pytest.mark.parametrize("theta", [-3.0, 0.0, 0.4, 6.0])
def test_the_search_finds_what_a_full_search_finds(theta, floor):
    random = np.random.default_rng(5)
    a = -np.sort(-np.abs(random.normal(1, 0.8, 50)))
    b, place = random.normal(0, 2, 50), random.permutation(50)
    used, odds = np.zeros(50, dtype=bool), model.floor_odds(floor)
    for _ in range(50):
        info = np.where(used, -1.0, model.information(np.array([theta]), a, b, floor)[0])
        best = abilities.most_informative(theta, used, a, b, place, odds)
        assert info[best] == pytest.approx(info.max(), rel=1e-12)
        used[best] = True
    assert abilities.most_informative(theta, used, a, b, place, odds) == abilities.NO_ITEM


def test_of_items_that_tie_the_one_first_in_the_bank_is_taken():
    a, b = np.ones(3), np.zeros(3)
    place = np.array([1, 0, 2])
    used = np.zeros(3, dtype=bool)
    for expected in (1, 0, 2):
        best = abilities.most_informative(0.3, used, a, b, place)
        assert best == expected
        used[best] = True


def test_map_ability_is_where_the_gradient_vanishes():
    responses = np.array([[1, 0, 1, model.MISSING], [1, 1, 1, 1]], dtype=np.int8)
    a, b = np.array([1.0, 2.0, 0.7, 1.0]), np.array([-1.0, 0.0, 1.0, 0.3])
    theta, se = abilities.map_ability(responses, a, b)
    p = model.probability(theta, a, b)
    residual = np.where(responses == model.MISSING, 0, responses - p)
    np.testing.assert_allclose((a * residual).sum(axis=1) - theta, 0, atol=1e-6)
    assert (se < 1).all()


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


def floored_log_posterior(row, theta, prior, items):
    a, b, floor = items
    right = np.log(floor + (1 - floor) * expit(a * (theta - b)))
    wrong = np.log(1 - floor) + log_expit(-a * (theta - b))
    cells = np.where(row == 1, right, np.where(row == 0, wrong, 0.0))
    return cells.sum() - (theta - prior.mean) ** 2 / (2 * prior.sd**2)


@PRIORS
@pytest.mark.parametrize("floor", [0.1, 0.3])
def test_with_a_floor_the_mode_is_that_of_a_fine_grid(prior, floor):
    ability, se = abilities.map_ability(ROWS, A, B, prior, floor)
    grid = np.linspace(-6, 6, 24_001)
    for person, row in enumerate(ROWS):
        heights = [floored_log_posterior(row, at, prior, (A, B, floor)) for at in grid]
        assert ability[person] == pytest.approx(grid[np.argmax(heights)], abs=6e-4)
        seen = row != model.MISSING
        at = ability[[person]]
        info = model.information(at, A[seen], B[seen], floor).sum() + prior.sd**-2
        assert se[person] == pytest.approx(info**-0.5, rel=1e-5)


def test_of_two_modes_the_higher_is_found():
    """Hard items guessed rightly by one who fails all easy ones: a second mode high up."""
    a, b = np.full(12, 6.0), np.repeat([-1.5, 1.5], 6)
    prior = model.Prior(0.0, 3.0)
    for failed in range(1, 6):
        row = np.repeat(np.array([0, 1], dtype=np.int8), 6)
        row[failed:6] = 1
        theta, _ = abilities.map_ability(row[None], a, b, prior, 0.25)
        grid = np.linspace(-8, 8, 8001)
        heights = [floored_log_posterior(row, at, prior, (a, b, 0.25)) for at in grid]
        assert floored_log_posterior(row, theta[0], prior, (a, b, 0.25)) > max(heights) - 1e-4
