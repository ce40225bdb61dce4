import numpy as np
import pytest

from saturation.adaptive import kernels, model


@pytest.mark.parametrize(
    ("persons", "items", "floor"),
    # Whole blocks of items, and what is left of one.
    [*((5, items, 0.0) for items in (1, 255, 256, 257, 300)), (250, 12, 0.005), (250, 12, 0.9)],
)
def test_sums_agree_with_the_model(persons, items, floor):
    """Derivatives of the log-likelihood by the logit, and their expected squares, by hand."""
    random = np.random.default_rng(items)
    responses = random.integers(-1, 2, (persons, items)).astype(np.int8)
    ability, slope, intercept = (random.normal(0, 2, n) for n in (persons, items, items))
    knows = model.probability(ability, slope, -intercept / slope)
    right = floor + (1 - floor) * knows
    wrong = (1 - floor) * model.probability(ability, -slope, -intercept / slope)
    odds = model.floor_odds(floor)
    seen = responses != model.MISSING
    cells = np.where(seen, np.log(np.where(responses == 1, right, wrong)), 0.0)
    total = kernels.item_log_likelihoods(responses, ability, slope, intercept, odds)
    constant = seen.sum(axis=0) * np.log1p(-floor)
    np.testing.assert_allclose(total + constant, cells.sum(axis=0), rtol=1e-8, atol=1e-12)

    steep = (1 - floor) * knows * (1 - knows)
    gradient = np.where(responses == 1, steep / right, -knows) * seen
    expected = (steep**2 / right + steep * knows) * seen
    ones = np.ones(persons)
    powers = np.vstack([ability, ones, ability**2, ability, ones])
    sums = kernels.item_sums(responses, ability, slope, intercept, odds)
    by_hand = np.vstack([powers[:2] @ gradient, powers[2:] @ expected])
    np.testing.assert_allclose(sums, by_hand, atol=1e-7)
    by_item = np.ascontiguousarray(responses.T)
    lines = slope[:, None], intercept[:, None], np.ones((items, 1))
    score, info = kernels.person_sums(by_item, ability, *lines, odds)
    np.testing.assert_allclose(score, gradient @ slope, atol=1e-7)
    np.testing.assert_allclose(info, expected @ slope**2, atol=1e-7)


def test_more_respondents_than_one_logarithm_holds():
    """Factors of 2 overflow after 1,023 respondents: at the difficulty each has a half."""
    responses = np.ones((2100, 1), dtype=np.int8)
    total = kernels.item_log_likelihoods(responses, np.zeros(2100), np.ones(1), np.zeros(1), None)
    assert total[0] == pytest.approx(-2100 * np.log(2), rel=1e-12)


@pytest.mark.parametrize("x", [0.0, 1e-12, 0.3, 0.34657, 0.6931, 1.0, 20.0, 300.5, 690.0])
def test_the_exponential_is_right_to_its_eleventh_digit(x):
    assert kernels._exp_minus(x) == pytest.approx(np.exp(-x), rel=1e-11)


def test_extreme_logits_are_summed_without_overflow():
    responses = np.array([[1], [0]], dtype=np.int8)
    ability, slope = np.array([1e4, 1e4]), np.array([1.0])
    total = kernels.item_log_likelihoods(responses, ability, slope, np.zeros(1), None)
    assert total[0] == pytest.approx(-1e4)
