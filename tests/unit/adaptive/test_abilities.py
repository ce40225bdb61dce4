import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import optimize
from scipy.special import expit, log_expit

from saturation.adaptive import abilities, fit, model
from validation import answers as made_up

A, B = np.array([0.5, 1.0, 1.5, 2.0, 1.2]), np.linspace(-1, 1, 5)
ROWS = np.array(
    [[1, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, -1, 0, -1, -1], [0, 1, 1, -1, 1]],
    dtype=np.int8,
)
PRIORS = pytest.mark.parametrize("prior", [model.STANDARD, model.Prior(0.7, 0.5)])


def log_posterior(row, theta, prior, items=(A, B, 0.0)):
    """Written from the model: one value a place on the scale."""
    a, b, floor = items
    logit = np.multiply.outer(theta, a) - a * b
    right = np.log(floor + (1 - floor) * expit(logit))
    wrong = np.log(1 - floor) + log_expit(-logit)
    cells = np.where(row == 1, right, np.where(row == 0, wrong, 0.0))
    return cells.sum(axis=-1) - (theta - prior.mean) ** 2 / (2 * prior.sd**2)


@PRIORS
@pytest.mark.parametrize(("floor", "tolerance"), [(0.0, 1e-6), (0.1, 6e-4), (0.3, 6e-4)])
def test_map_is_what_a_numerical_maximum_gives(prior, floor, tolerance):
    ability, se = abilities.map_ability(ROWS, A, B, prior, floor)
    grid = np.linspace(-6, 6, 24_001)
    for person, row in enumerate(ROWS):
        near = grid[log_posterior(row, grid, prior, (A, B, floor)).argmax()]
        best = optimize.minimize_scalar(
            lambda at, row=row: -log_posterior(row, at, prior, (A, B, floor)),
            bounds=(near - 1e-3, near + 1e-3), method="bounded", options={"xatol": 1e-10},
        ).x  # fmt: skip
        assert ability[person] == pytest.approx(best, abs=tolerance)
        seen = row != model.MISSING
        info = model.information(ability[[person]], A[seen], B[seen], floor).sum() + prior.sd**-2
        assert se[person] == pytest.approx(info**-0.5, rel=1e-5)


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


def test_without_responses_there_is_the_prior():
    nothing = np.full((1, 5), model.MISSING, dtype=np.int8)
    prior = model.Prior(0.7, 0.5)
    ability, se = abilities.map_ability(nothing, A, B, prior)
    np.testing.assert_allclose([ability[0], se[0]], [0.7, 0.5])


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_no_step_is_longer_than_one(side):
    """From 60 away fifty steps go fifty of the way, though Newton would go all of it at once."""
    row, asked = np.array([1, 0], dtype=np.int8), np.arange(2)
    a, b, prior = np.ones(2), np.zeros(2), model.STANDARD.numbers
    theta, _ = abilities._climb(row, asked, abilities.Curves(a, b, None), 60.0 * side, prior)
    assert theta == pytest.approx(10.0 * side, abs=1e-9)


@pytest.mark.parametrize("floor", [0.0, 0.2])
@pytest.mark.parametrize("theta", [-3.0, 0.0, 0.4, 6.0])
def test_the_search_finds_what_a_full_search_finds(theta, floor):
    random = np.random.default_rng(5)
    a, b = random.normal(1, 0.8, 50), random.normal(0, 2, 50)
    used, curves = np.zeros(50, dtype=bool), abilities.Curves.convert(a, b, floor)
    for _ in range(50):
        info = np.where(used, -1.0, model.information(np.array([theta]), a, b, floor)[0])
        best = abilities.most_informative(theta, used, curves)
        assert info[best] == pytest.approx(info.max(), rel=1e-12)
        used[best] = True
    assert abilities.most_informative(theta, used, curves) == abilities.NO_ITEM


def test_of_items_that_tie_the_first_is_taken():
    used, curves = np.zeros(3, dtype=bool), abilities.Curves(np.ones(3), np.zeros(3), None)
    for expected in range(3):
        found = abilities.most_informative(0.3, used, curves)
        assert found == expected
        used[expected] = True


def assert_mode(responses, a, b, within):
    """The gradient falls with ability, so the mode lies where it changes sign."""
    theta, _ = abilities.map_ability(responses, a, b)
    seen = responses != model.MISSING
    for side in (-1, 1):
        at = theta + side * within
        gradient = (seen * (responses - model.probability(at, a, b)) * a).sum(axis=1) - at
        assert (side * gradient < 0).all()


@given(
    npst.arrays(np.int8, (3, 8), elements=st.integers(-1, 1)),
    npst.arrays(float, 8, elements=st.floats(0.05, 40)),
    npst.arrays(float, 8, elements=st.floats(-4, 4)),
)
def test_the_mode_is_found_on_any_bank(responses, a, b):
    assert_mode(responses, a, b, 1e-4)


def test_the_mode_is_found_beside_a_vertical_item():
    """Newton's steps cross such an item and come back, for about one respondent in 75 of these."""
    random = np.random.default_rng(0)
    log_slope, place = random.normal(size=(2, 200))
    a = np.append(np.exp(0.8 * log_slope - 0.55), 40.0)
    b = np.append(0.26 * place - 0.12 * log_slope - 0.15, -0.3)
    assert_mode(made_up.draw(random.normal(-0.15, 0.3, 600), a, b, random), a, b, 1e-7)


def test_of_two_modes_the_higher_is_found():
    """Hard items guessed rightly by one who fails all easy ones: a second mode high up."""
    items = np.full(12, 6.0), np.repeat([-1.5, 1.5], 6), 0.25
    prior, grid = model.Prior(0.0, 3.0), np.linspace(-8, 8, 8001)
    for failed in range(1, 6):
        row = np.repeat(np.array([0, 1], dtype=np.int8), 6)
        row[failed:6] = 1
        theta, _ = abilities.map_ability(row[None], *items[:2], prior, items[2])
        heights = log_posterior(row, grid, prior, items)
        assert log_posterior(row, theta, prior, items)[0] > max(heights) - 1e-4


def moments(persons, items, missing, seed=3):
    """Responses and what a fit knows of them before its errors."""
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.2, 0.4, items)), random.normal(0, 1, items)
    responses = made_up.draw(random.normal(size=persons), a, b, random)
    responses[random.random(responses.shape) < missing] = model.MISSING
    cells = fit._Cells(responses, np.ascontiguousarray(responses.T))
    state = fit._begun(responses)
    while not state.converged:
        state = fit._round(cells, state)
    return responses, state.ability, state.mean, state.covariance


@pytest.mark.parametrize(
    ("persons", "items", "missing", "tolerance"),
    [(150, 400, 0.0, 1e-6), (150, 400, 0.3, 4e-3), (120, 60, 0.0, 1e-4)],
)
def test_the_projection_gives_the_errors_of_the_whole_matrix(
    persons, items, missing, tolerance, monkeypatch
):
    given = moments(persons, items, missing)
    exact, carried = abilities.errors(*given)
    monkeypatch.setattr(abilities, "MOST_EXACT", persons)
    assert abilities.errors(*given)[0].tobytes() == exact.tobytes()
    monkeypatch.setattr(abilities, "MOST_EXACT", persons - 1)
    # In several chunks.
    monkeypatch.setattr(abilities, "_CHUNK", persons * items // 3)
    error, added = abilities.errors(*given)
    assert 0 < np.abs(error / exact - 1).max() < tolerance
    whole = given[3] + carried
    np.testing.assert_allclose(given[3] + added, whole, atol=2 * tolerance * np.abs(whole).max())
    # It is far from leaving the items' uncertainty out.
    slope, intercept = model.POSITIVE.lines(given[2])
    info = np.where(
        given[0] == model.MISSING, 0, model.information(given[1], slope, -intercept / slope)
    )
    assert np.abs((info.sum(axis=1) + 1) ** -0.5 / exact - 1).max() > 2 * tolerance


def test_what_is_left_is_held_to_the_abilities_prior():
    """Items that take more than there is would leave errors without a root."""
    rest = np.full(20, 4.0)
    smooth = np.linspace(-1, 1, 20)[:, None] ** 2 * 9
    scale = np.column_stack([np.ones(20), np.linspace(-1, 1, 20)])
    spread, middle = abilities._inverse(rest, smooth, scale)
    variance = 1 / rest + ((spread @ middle) * spread).sum(axis=1)
    assert variance.min() > 0
    assert variance.max() <= 1.0
