"""The fit against an implementation of its own, written from the model: banks are small here."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import linalg, optimize, stats
from scipy.special import log_expit

from saturation.adaptive import abilities, fit, model
from saturation.errors import InputError
from validation import answers as made_up

SHAPE = (10, 8)


@pytest.fixture(scope="module")
def bank():
    """Ten respondents, eight items, some cells missing."""
    random = np.random.default_rng(10)
    a, b = np.exp(random.normal(0.3, 0.4, SHAPE[1])), random.normal(0.2, 0.8, SHAPE[1])
    responses = made_up.draw(random.normal(size=SHAPE[0]), a, b, random)
    responses[0, 1] = responses[5, 3] = responses[7, 3] = model.MISSING
    return responses


def line(place, slopes="positive"):
    """Slope and intercept of an item."""
    if slopes == "positive":
        return np.exp(place[0]), -np.exp(place[0]) * place[1]
    return place[0], place[1]


def likelihood(answers, ability, place, slopes="positive"):
    slope, intercept = line(place, slopes)
    logit = slope * ability + intercept
    cells = np.where(answers == 1, log_expit(logit), log_expit(-logit))
    return cells[answers != model.MISSING].sum()


def mode_and_spread(answers, ability, mean, covariance, slopes="positive"):
    """Mode of an item's posterior, and the inverse of its curvature by differences."""

    def height(place):
        prior = stats.multivariate_normal.logpdf(place, mean, covariance)
        return -likelihood(answers, ability, place, slopes) - prior

    exact = {"xatol": 1e-9, "fatol": 1e-13}
    places = [
        optimize.minimize(height, start, method="Nelder-Mead", options=exact)
        for start in (mean, mean + 0.5)
    ]
    best = min(places, key=lambda found: found.fun).x
    best = optimize.minimize(height, best, method="BFGS", options={"gtol": 1e-9}).x
    # The fourth-order difference of the first derivatives in both directions.
    step, weights = 1e-3, {-2: 1, -1: -8, 1: 8, 2: -1}
    curvature, unit = np.zeros((2, 2)), step * np.eye(2)
    for (i, j), far, near in product(np.ndindex(2, 2), weights, weights):
        moved = height(best + far * unit[i] + near * unit[j])
        curvature[i, j] += weights[far] * weights[near] * moved / (144 * step**2)
    return best, np.linalg.inv(curvature)


def posterior(answers, ability, mean, covariance, points):
    """Places and shares of an item's posterior on a grid about its mode."""
    best, spread = mode_and_spread(answers, ability, mean, covariance)
    nodes, weights = np.polynomial.hermite.hermgauss(points)
    root = np.linalg.cholesky(spread)
    places, shares = [], []
    for first, second in np.ndindex(points, points):
        standard = np.sqrt(2) * nodes[[first, second]]
        places.append(best + root @ standard)
        shares.append(
            np.log(weights[first] * weights[second])
            + standard @ standard / 2
            + likelihood(answers, ability, places[-1])
            + stats.multivariate_normal.logpdf(places[-1], mean, covariance)
        )
    shares = np.exp(np.array(shares) - max(shares))
    return np.array(places), shares / shares.sum()


def plain_round(responses, ability, mean, covariance, points=3):
    """Abilities, prior and the items' moments after a round, on the new scale."""
    persons, items = responses.shape
    sums = [
        posterior(responses[:, item], ability, mean, covariance, points) for item in range(items)
    ]
    moved = np.empty(persons)
    for person in range(persons):
        score, information = -ability[person], 1.0
        for item, (places, shares) in enumerate(sums):
            answer = responses[person, item]
            if answer == model.MISSING:
                continue
            for place, share in zip(places, shares):
                slope, intercept = line(place)
                p = 1 / (1 + np.exp(-slope * ability[person] - intercept))
                score += share * slope * (answer - p)
                information += share * slope**2 * p * (1 - p)
        moved[person] = ability[person] + min(max(score / information, -1), 1)
    centre, spread = moved.mean(), moved.std()
    means, covariances = [], []
    for places, shares in sums:
        # Slope times spread; difficulty on the new scale.
        places = np.column_stack([places[:, 0] + np.log(spread), (places[:, 1] - centre) / spread])
        means.append(shares @ places)
        covariances.append(((places - means[-1]).T * shares) @ (places - means[-1]))
    means, covariances = np.array(means), np.array(covariances)
    total = np.cov(means.T, ddof=0) + covariances.mean(axis=0)
    spreads = np.sqrt(np.diag(total))
    held = np.clip(spreads, 0.05, [1, np.inf]) / spreads
    total = total * np.outer(held, held)
    return (moved - centre) / spread, means.mean(axis=0), total, means, covariances


def plain_errors(responses, ability, means, covariances):
    """Errors of abilities and items from the whole information matrix, inverted at once."""
    persons, items = responses.shape
    whole = np.zeros((persons + 2 * items,) * 2)
    whole[:persons, :persons] = np.eye(persons)
    for item in range(items):
        here = slice(persons + 2 * item, persons + 2 * item + 2)
        whole[here, here] = np.linalg.inv(covariances[item])
        slope, intercept = line(means[item])
        for person in np.flatnonzero(responses[:, item] != model.MISSING):
            p = 1 / (1 + np.exp(-slope * ability[person] - intercept))
            weight = p * (1 - p)
            gradient = np.array([slope * ability[person] + intercept, -slope])
            whole[person, person] += weight * slope**2
            whole[person, here] = weight * slope * gradient
            whole[here, person] = weight * slope * gradient
    # Directions in which the abilities keep their mean and spread; items are free.
    kept = np.column_stack([np.ones(persons), ability])
    free = np.linalg.svd(kept.T)[2][2:].T
    basis = linalg.block_diag(free, np.eye(2 * items))
    inverse = basis @ np.linalg.inv(basis.T @ whole @ basis) @ basis.T
    of_items = inverse[persons:, persons:].reshape(items, 2, items, 2)
    blocks = of_items[range(items), :, range(items)]
    return np.sqrt(np.diag(inverse)[:persons]), blocks


@pytest.mark.parametrize("points", [2, 3])
def test_a_round_is_that_of_another_implementation(bank, monkeypatch, points):
    monkeypatch.setattr(fit, "_SMALLEST_STEP", 1e-9)
    ability = np.linspace(-1.6, 1.8, SHAPE[0])
    prior = model.Normal(np.array([0.4, -0.3]), np.array([[0.5, -0.2], [-0.2, 1.5]]))
    state = replace(fit._begun(bank), ability=ability, prior=prior, rule=fit._product_rule(points))
    cells = fit._Cells(bank, np.ascontiguousarray(bank.T))
    after = fit._round(cells, state)
    moved, mean, covariance, means, covariances = plain_round(
        bank, ability, prior.mean, prior.covariance, points
    )
    expected = (moved, mean, covariance, means, covariances)
    found = (after.ability, after.prior.mean, after.prior.covariance, after.mean, after.covariance)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert (after.rounds, after.converged, after.newton_steps) == (1, False, 4)
    errors, carried = abilities.errors(bank, moved, means, covariances)
    expected, blocks = plain_errors(bank, moved, means, covariances)
    np.testing.assert_allclose(errors, expected, rtol=1e-6)
    np.testing.assert_allclose(covariances + carried, blocks, rtol=1e-6, atol=1e-9)


def test_the_fit_ends_where_another_implementation_stands_still(bank):
    fitted = fit.fit(bank)
    prior = fitted.prior
    mean = np.array([prior["log_discrimination_mean"], prior["difficulty_mean"]])
    spreads = np.array([prior["log_discrimination_sd"], prior["difficulty_sd"]])
    turn = np.array([[1, prior["correlation"]], [prior["correlation"], 1]])
    ability, next_mean, next_covariance, means, covariances = plain_round(
        bank, fitted.ability, mean, np.outer(spreads, spreads) * turn
    )
    np.testing.assert_allclose(ability, fitted.ability, atol=fit.ABILITY_TOLERANCE)
    np.testing.assert_allclose(next_mean, mean, atol=fit.PRIOR_TOLERANCE)
    np.testing.assert_allclose(np.sqrt(np.diag(next_covariance)), spreads, atol=0.005)
    ability_se, blocks = plain_errors(bank, ability, means, covariances)
    a, b = np.exp(means[:, 0]), means[:, 1]
    np.testing.assert_allclose(fitted.ability_se, ability_se, rtol=5e-3)
    np.testing.assert_allclose(fitted.discrimination, a, rtol=1e-2)
    np.testing.assert_allclose(fitted.difficulty, b, rtol=1e-2, atol=5e-3)
    np.testing.assert_allclose(fitted.discrimination_se, a * np.sqrt(blocks[:, 0, 0]), rtol=2e-2)
    np.testing.assert_allclose(fitted.difficulty_se, np.sqrt(blocks[:, 1, 1]), rtol=2e-2)


@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_the_likelihood_is_the_integral_over_the_items_prior(floor):
    """On a fine grid of log slopes and difficulties, at the abilities and prior of the fit."""
    random = np.random.default_rng(21)
    a, b = np.exp(random.normal(0.2, 0.4, 40)), random.normal(0, 1, 40)
    chance = model.probability(random.normal(size=50), a, b, floor)
    responses = (random.random(chance.shape) < chance).astype(np.int8)
    responses[random.random(chance.shape) < 0.1] = model.MISSING
    fitted = fit.fit(responses, floor=floor)
    names = ("log_discrimination", "difficulty")
    mean, sd = ([fitted.prior[f"{name}_{part}"] for name in names] for part in ("mean", "sd"))
    cross = fitted.prior["correlation"] * sd[0] * sd[1]
    steps = np.linspace(-6, 6, 241)
    grid = np.array(np.meshgrid(mean[0] + sd[0] * steps, mean[1] + sd[1] * steps)).reshape(2, -1)
    density = stats.multivariate_normal(mean, [[sd[0] ** 2, cross], [cross, sd[1] ** 2]])
    right = model.probability(fitted.ability, np.exp(grid[0]), grid[1], floor)
    right = np.clip(right, 1e-300, 1 - 1e-15)
    each = (responses == 1).T @ np.log(right) + (responses == 0).T @ np.log1p(-right)
    cell = sd[0] * sd[1] * (steps[1] - steps[0]) ** 2
    expected = np.log((np.exp(each) * density.pdf(grid.T)).sum(axis=1) * cell).sum()
    # Nine places an item, and rounds that stop within their tolerance.
    assert fitted.log_likelihood == pytest.approx(expected, abs=0.04 * 40)
    assert fitted.floor == floor
    knows = model.probability(fitted.ability, fitted.discrimination, fitted.difficulty)
    np.testing.assert_allclose(fitted.chance(), floor + (1 - floor) * knows)


def test_rounds_leap_to_their_end(bank):
    """Leaps after three, six and nine rounds; after thirty half steps, lest they go in a circle."""
    fitted = fit.fit(bank)
    assert fitted.rounds == 12
    np.testing.assert_allclose(fitted.ability[:3], [1.39779976, -0.79637419, 1.60664732], rtol=1e-7)
    random = np.random.default_rng(0)
    for items, spread in ((200, 1.0), (100, 0.7)):
        a, b = np.exp(random.normal(0, spread, items)), random.normal(size=items)
        responses = made_up.draw(random.standard_t(4, size=390), a, b, random)
    assert fit.fit(responses).rounds == 39


def test_half_steps_end_where_whole_ones_go_back_and_forth():
    """Steep items and chances to guess of their own: whole steps settle on none of these floors."""
    random = np.random.default_rng(2)
    a, b = np.exp(random.normal(1, 1, 150)), random.normal(1, 0.6, 150)
    guessed, ability = random.beta(4, 16, 150), random.normal(size=45)
    chance = guessed + (1 - guessed) * model.probability(ability, a, b)
    responses = (random.random(chance.shape) < chance).astype(np.int8)
    assert all(fit.fit(responses, floor=floor).rounds < 40 for floor in (0.15, 0.2, 0.25))


@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_a_fit_from_a_similar_fit_needs_fewer_rounds_and_ends_where_it_would_alone(floor):
    random = np.random.default_rng(3)
    a, b = np.exp(random.normal(0.3, 0.3, 300)), random.normal(size=300)
    chance = 0.2 + 0.8 * model.probability(random.normal(size=40), a, b)
    responses, similar = ((random.random(chance.shape) < chance).astype(np.int8) for _ in range(2))
    alone = fit.fit(responses, floor=floor)
    near = fit.fit(responses, floor=floor, start=fit.fit(responses, floor=0.9 * floor))
    far = fit.fit(responses, floor=floor, start=fit.fit(similar, floor=floor))
    assert near.rounds < alone.rounds
    for fitted in (near, far):
        assert (np.abs(fitted.ability - alone.ability) / alone.ability_se).max() < 0.1
        np.testing.assert_allclose(fitted.ability_se, alone.ability_se, rtol=0.03)
        assert fitted.log_likelihood == pytest.approx(alone.log_likelihood, abs=0.5)


def test_a_round_that_moves_nothing_has_converged(bank, monkeypatch):
    """On the fine rule, both tolerances kept; one broken is not enough."""
    cells = fit._Cells(bank, np.ascontiguousarray(bank.T))
    state = fit._begun(bank)
    while not state.converged:
        last, state = state, fit._round(cells, state)
    moved = np.abs(state.ability - last.ability).max()
    shifted = fit._distance(state.prior, last.prior)
    for factor, settled in ((0.999, False), (1.001, True)):
        monkeypatch.setattr(fit, "ABILITY_TOLERANCE", moved * factor)
        monkeypatch.setattr(fit, "PRIOR_TOLERANCE", 1.0)
        assert fit._round(cells, last).converged is settled
        monkeypatch.setattr(fit, "ABILITY_TOLERANCE", 1.0)
        monkeypatch.setattr(fit, "PRIOR_TOLERANCE", shifted * factor)
        assert fit._round(cells, last).converged is settled
    assert not fit._round(cells, replace(last, rule=fit._COARSE)).converged


def test_signed_slopes_are_a_regression_of_each_item(bank, monkeypatch):
    monkeypatch.setattr(fit, "_SMALLEST_STEP", 1e-9)
    ability = np.linspace(-1.5, 2, SHAPE[0])
    slope, se = fit.signed_slopes(bank, ability)
    for item in range(SHAPE[1]):
        place, spread = mode_and_spread(
            bank[:, item], ability, np.zeros(2), np.diag([25.0, 25.0]), "signed"
        )
        assert slope[item] == pytest.approx(place[0], abs=1e-6)
        assert se[item] == pytest.approx(np.sqrt(spread[0, 0]), rel=1e-5)


def test_the_start_is_the_standardised_log_odds():
    responses = np.array([[1, 1, 1], [1, 0, 0], [0, -1, 0]], dtype=np.int8)
    odds = np.log([3.5 / 0.5, 1.5 / 2.5, 0.5 / 2.5])
    np.testing.assert_allclose(fit._start(responses), (odds - odds.mean()) / odds.std(), rtol=1e-12)
    assert fit._start(np.ones((3, 2), dtype=np.int8)).tolist() == [0, 0, 0]


def test_a_sequence_that_turns_back_does_not_leap():
    end, away = np.array([1.0, -2.0]), np.array([4.0, 1.0])
    turning = tuple(end + (-0.5) ** turn * away for turn in range(3))
    np.testing.assert_allclose(fit._extrapolated(turning), turning[2])


@pytest.mark.parametrize(
    ("mean", "variances", "distance"),
    [([0.25, 1.0], [1.0, 4.0], 0.25), ([0.0, 1.0], [2.25, 4.0], 0.5), ([0.0, 1.1], [1, 1], 1.0)],
)
def test_the_distance_of_priors_is_the_largest_difference(mean, variances, distance):
    first = model.Normal(np.array([0.0, 1.0]), np.diag([1.0, 4.0]))
    second = model.Normal(np.array(mean), np.diag(variances))
    assert fit._distance(first, second) == pytest.approx(distance)


def test_the_prior_is_estimated_within_its_limits():
    """Log slopes that spread by 2 are held to 1, spreads near nought to the least; both keep
    the correlation."""
    mean = np.array([[2.0, 1.0], [-2.0, -1.0], [2.0, -1.0], [-2.0, 1.0]])
    inner = np.tile([[0.0, 0.1], [0.1, 0.0]], (4, 1, 1))
    prior = fit._estimated(mean, inner)
    np.testing.assert_allclose(prior.mean, [0, 0])
    np.testing.assert_allclose(prior.covariance, [[1, 0.05], [0.05, 1]])
    within = fit._estimated(0 * mean, np.tile(np.eye(2) / 9, (4, 1, 1)))
    np.testing.assert_allclose(within.covariance, np.eye(2) / 9)
    narrow = fit._estimated(mean * [1e-3, 0.1], 0 * inner)
    np.testing.assert_allclose(narrow.covariance, np.diag([0.05**2, 0.01]), atol=1e-15)


def test_steps_of_abilities_are_held_to_one():
    """One item of slope 8 that all answered rightly would throw the weak beyond the strong."""
    by_item = np.ones((1, 3), dtype=np.int8)
    ability = np.array([-3.0, 0.0, 0.5])
    places = np.array([[[np.log(8.0), 0.0]]])
    posterior = fit._Posterior(places, np.ones((1, 1)), 0.0)
    moved = fit._moved(fit._Cells(by_item.T, by_item), ability, posterior, 0.5)
    p = 1 / (1 + np.exp(-8 * ability))
    full = (8 * (1 - p) - ability) / (1 + 64 * p * (1 - p))
    assert full[0] > 1
    np.testing.assert_allclose(moved, ability + 0.5 * np.minimum(full, 1))


def test_it_gives_up_after_the_most_rounds(bank, monkeypatch):
    monkeypatch.setattr(fit, "MAX_ROUNDS", 2)
    with pytest.raises(InputError, match="the fit has not settled after 2 rounds"):
        fit.fit(bank)


RIGHT_OR_WRONG = np.random.default_rng(6).integers(0, 2, (40, 200)).astype(np.int8)
HOLES = RIGHT_OR_WRONG.copy()
HOLES[::2, 100:] = -1


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        (np.ones((30, 50)), "all respondents have the same share of right answers"),
        (np.tile(RIGHT_OR_WRONG[0], (30, 1)), "all respondents have the same share"),
        ([np.roll([1] * 10 + [0] * 10, turn) for turn in range(20)], "have the same share"),
        (RIGHT_OR_WRONG[:4], "4 respondents and 200 items; at least 5 respondents and 3 items"),
        (RIGHT_OR_WRONG[:, :1], "40 respondents and 1 items; at least 5 respondents"),
        (RIGHT_OR_WRONG, "no ability that items have in common tells the respondents apart"),
        (HOLES, "models lack 25 % of the items"),
        (np.vstack([RIGHT_OR_WRONG, [[-1] * 200]]), "row 40: no cell is observed; leave it out"),
        (RIGHT_OR_WRONG + 1, "is not allowed"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_a_sentence(responses, message):
    with pytest.raises(InputError, match=message):
        fit.fit(np.asarray(responses, dtype=np.int8))


def test_abilities_that_are_mostly_error_are_refused(bank, monkeypatch):
    error = np.square(fit.fit(bank).ability_se).mean()
    monkeypatch.setattr(fit, "MOST_ERROR", error * 1.001)
    fit.fit(bank)
    monkeypatch.setattr(fit, "MOST_ERROR", error * 0.999)
    with pytest.raises(InputError, match=f"squared errors are {error:.2f} of their variance"):
        fit.fit(bank)


def test_climbs_end_at_the_mode_from_far_away():
    """Where the posterior does not curve down Newton's step would go the wrong way."""
    ability = np.linspace(-2, 2, SHAPE[0])
    responses = np.array([ability > 0.3, ability < 2, ability < -2], dtype=np.int8).T
    prior = model.Normal(np.array([0.0, 0.0]), np.array([[1.0, -0.4], [-0.4, 4.0]]))
    cells, given = fit._Cells(responses, responses.T), (prior.mean, prior.covariance)
    best = [mode_and_spread(responses[:, item], ability, *given) for item in range(3)]
    for start in ([-3.0, 6.0], [3.0, -6.0], [2.5, 5.0], [-3.0, -6.0]):
        begin = np.tile(start, (3, 1))
        places, inverse = fit._modes(cells, ability, begin, prior, model.POSITIVE, 100)
        np.testing.assert_allclose(places, [place for place, _ in best], atol=5e-3)
        np.testing.assert_allclose(inverse, [spread for _, spread in best], rtol=0.1, atol=0.03)


def test_order_of_items_does_not_matter_and_bytes_are_the_same(bank):
    fitted, shuffled = fit.fit(bank), fit.fit(bank[:, ::-1])
    assert fitted.ability.tobytes() == fit.fit(bank).ability.tobytes()
    np.testing.assert_allclose(shuffled.ability, fitted.ability, atol=1e-6)
    np.testing.assert_allclose(shuffled.difficulty, fitted.difficulty[::-1], atol=1e-4)


def test_priors_hold_what_is_all_right_all_wrong_or_without_a_response():
    random = np.random.default_rng(12)
    a, b = np.exp(random.normal(0.3, 0.4, 200)), random.normal(0.2, 0.8, 200)
    responses = made_up.draw(random.normal(size=20), a, b, random)
    responses[:, 0], responses[:, 1], responses[2, :], responses[3, 2:] = 1, 0, 1, model.MISSING
    responses[:, -1] = model.MISSING
    fitted = fit.fit(responses)
    for values in (fitted.discrimination, fitted.difficulty, fitted.ability, fitted.ability_se):
        assert np.isfinite(values).all()
    assert fitted.difficulty[0] == fitted.difficulty.min()
    assert fitted.difficulty[1] == fitted.difficulty.max()
    assert fitted.difficulty[-1] == pytest.approx(fitted.prior["difficulty_mean"], abs=0.1)
    assert fitted.difficulty_se[-1] == pytest.approx(fitted.prior["difficulty_sd"], rel=0.1)
    assert fitted.ability.mean() == pytest.approx(0, abs=1e-12)
    assert fitted.ability.std() == pytest.approx(1)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (np.array([[1, 0, -1], [0, 0, 2]]), "row 1, column 2: value 2 is not allowed; expected 0"),
        (np.array([[1, np.nan]]), "value nan is not"),
        (np.full((5, 6), 7), "and 10 more violations"),
        *((np.zeros(shape), "expected respondents by items") for shape in ((3,), (0, 4), (4, 0))),
    ],
)
def test_cells_are_right_wrong_or_missing(cells, message):
    fit.check_cells(np.array([[1, 0, -1]], dtype=np.int8))
    with pytest.raises(InputError, match=message):
        fit.check_cells(cells)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.ones(2), np.zeros(3), "the bank 3 items; give one value an item"),
        (np.ones((3, 1)), np.ones(3), "the bank 3 items; give one value an item"),
        (np.array([1, np.nan, 1]), np.zeros(3), "item 1: discrimination nan is not a finite"),
        (np.ones(3), np.array([np.inf, 0, 0]), "item 0: difficulty inf is not a finite number"),
    ],
)
def test_parameters_are_finite_and_as_many_as_items(a, b, message):
    fit.check_parameters(np.ones(3), np.zeros(3), 3)
    with pytest.raises(InputError, match=message):
        fit.check_parameters(a, b, 3)
