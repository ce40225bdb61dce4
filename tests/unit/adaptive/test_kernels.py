import numpy as np
import pytest

from saturation.adaptive import kernels, model


@pytest.mark.parametrize("items", [1, 255, 256, 257, 300])
def test_sums_agree_with_the_model(items):
    """Whole blocks of items, and what is left of one."""
    random = np.random.default_rng(items)
    responses = random.integers(-1, 2, (5, items)).astype(np.int8)
    ability, slope, intercept = (random.normal(0, 3, n) for n in (5, items, items))
    difficulty = -intercept / slope
    cells = model.log_likelihood(responses, ability, slope, difficulty)
    sums = kernels.item_log_likelihoods(responses, ability, slope, intercept)
    np.testing.assert_allclose(sums, cells.sum(axis=0), rtol=1e-8, atol=1e-12)

    p = model.probability(ability, slope, difficulty)
    residual = np.where(responses == model.MISSING, 0.0, responses - p)
    weight = np.where(responses == model.MISSING, 0.0, p * (1 - p))
    powers = np.vstack([ability, np.ones(5), ability**2, ability, np.ones(5)])
    expected = np.vstack([powers[:2] @ residual, powers[2:] @ weight])
    sums = kernels.item_sums(responses, ability, slope, intercept)
    np.testing.assert_allclose(sums, expected, atol=1e-8)

    by_item, share = np.ascontiguousarray(responses.T), np.ones((items, 1))
    score, info = kernels.person_sums(by_item, ability, slope[:, None], intercept[:, None], share)
    np.testing.assert_allclose(score, residual @ slope, atol=1e-7)
    np.testing.assert_allclose(info, weight @ slope**2, atol=1e-7)


def test_more_respondents_than_one_logarithm_holds():
    """Factors of 2 overflow after 1,023 respondents: at the difficulty each has a half."""
    responses = np.ones((2100, 1), dtype=np.int8)
    total = kernels.item_log_likelihoods(responses, np.zeros(2100), np.ones(1), np.zeros(1))
    assert total[0] == pytest.approx(-2100 * np.log(2), rel=1e-12)


@pytest.mark.parametrize("x", [0.0, 1e-12, 0.3, 0.34657, 0.6931, 1.0, 20.0, 300.5, 690.0])
def test_the_exponential_is_right_to_its_eleventh_digit(x):
    assert kernels._exp_minus(x) == pytest.approx(np.exp(-x), rel=1e-11)


def test_extreme_logits_are_summed_without_overflow():
    responses = np.array([[1], [0]], dtype=np.int8)
    ability, slope = np.array([1e4, 1e4]), np.array([1.0])
    total = kernels.item_log_likelihoods(responses, ability, slope, np.zeros(1))
    assert total[0] == pytest.approx(-1e4)


@pytest.mark.parametrize("floor", [0.005, 0.25, 0.9])
def test_sums_with_a_floor_agree_with_its_likelihood(floor):
    """Derivatives by the logit, and their expected squares, by hand."""
    random = np.random.default_rng(9)
    responses = random.integers(-1, 2, (250, 12)).astype(np.int8)
    ability, slope, intercept = (random.normal(0, 2, n) for n in (250, 12, 12))
    knows = model.probability(ability, slope, -intercept / slope)
    right = floor + (1 - floor) * knows
    wrong = (1 - floor) * model.probability(ability, -slope, -intercept / slope)
    odds = model.floor_odds(floor)
    seen = responses != model.MISSING
    cells = np.where(seen, np.log(np.where(responses == 1, right, wrong)), 0.0)
    total = kernels.item_log_likelihoods(responses, ability, slope, intercept, odds)
    constant = seen.sum(axis=0) * np.log1p(-floor)
    np.testing.assert_allclose(total + constant, cells.sum(axis=0), rtol=1e-9)

    steep = (1 - floor) * knows * (1 - knows)
    gradient = np.where(responses == 1, steep / right, -knows) * seen
    expected = (steep**2 / right + steep * knows) * seen
    powers = np.vstack([ability, np.ones(250), ability**2, ability, np.ones(250)])
    sums = kernels.item_sums(responses, ability, slope, intercept, odds)
    np.testing.assert_allclose(
        sums, np.vstack([powers[:2] @ gradient, powers[2:] @ expected]), atol=1e-7
    )
    by_item = np.ascontiguousarray(responses.T)
    lines = slope[:, None], intercept[:, None], np.ones((12, 1))
    score, info = kernels.person_sums(by_item, ability, *lines, odds)
    np.testing.assert_allclose(score, gradient @ slope, atol=1e-7)
    np.testing.assert_allclose(info, expected @ slope**2, atol=1e-7)
    by_model = model.information(ability, slope, -intercept / slope, floor)
    np.testing.assert_allclose(np.where(seen, by_model, 0.0), expected * slope**2, atol=1e-12)
