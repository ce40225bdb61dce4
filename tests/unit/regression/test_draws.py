"""Draws as arrays, and what they expect, by hand."""

import numpy as np
import pytest
import xarray as xr
from scipy import integrate, stats

from saturation.regression.draws import (
    Draws,
    expected,
    log_likelihood,
    moments,
    predicted,
    replicated,
)
from saturation.regression.kernel import CODES

MATRIX = np.array([[1.0, 0.0], [1.0, np.log(3)]])
DRAWS = Draws(np.array([[0.0, 1.0], [np.log(3), -1.0]]), np.array([9.0, 4.0]))


def test_chains_follow_one_another():
    values = np.arange(2 * 3 * 2.0).reshape(3, 2, 2)
    posterior = xr.Dataset(
        {"coefficient": (("draw", "chain", "column"), values),
         "spread": (("chain", "draw"), [[1.0, 2, 3], [4, 5, 6]])}
    )  # fmt: skip
    draws = Draws.of(posterior)
    assert draws.coefficient.tolist() == [[0, 1], [4, 5], [8, 9], [2, 3], [6, 7], [10, 11]]
    assert draws.spread.tolist() == [1, 2, 3, 4, 5, 6]
    assert draws.widths().shape == (6, 1)
    without = Draws.of(posterior.drop_vars("spread"))
    assert without.spread is None
    with pytest.raises(ValueError, match="has no spread"):
        without.widths()


def test_expected_outcomes_by_hand():
    np.testing.assert_allclose(
        expected(DRAWS, MATRIX, "gaussian"), [[0, np.log(3)], [np.log(3), 0]], atol=1e-15
    )
    for likelihood in ("beta", "bernoulli"):
        np.testing.assert_allclose(
            expected(DRAWS, MATRIX, likelihood), [[0.5, 0.75], [0.75, 0.5]], rtol=1e-12
        )


def test_densities_by_hand():
    outcome = np.array([0.4, 0.9])
    np.testing.assert_allclose(
        log_likelihood(DRAWS, MATRIX, outcome, "beta"),
        [
            [stats.beta.logpdf(0.4, 4.5, 4.5), stats.beta.logpdf(0.9, 6.75, 2.25)],
            [stats.beta.logpdf(0.4, 3, 1), stats.beta.logpdf(0.9, 2, 2)],
        ],
    )
    np.testing.assert_allclose(
        log_likelihood(DRAWS, MATRIX, outcome, "gaussian")[0],
        [
            stats.norm.logpdf(0.4 / 9) - np.log(9),
            stats.norm.logpdf((0.9 - np.log(3)) / 9) - np.log(9),
        ],
    )
    np.testing.assert_allclose(
        np.exp(log_likelihood(DRAWS, MATRIX, np.array([0.0, 1.0]), "bernoulli")),
        [[0.5, 0.75], [0.25, 0.5]],
    )


CUTS = np.array([[-1.0, 0.5], [-0.5, 2.0]])


def given(likelihood):
    spread = np.array([0.7, 0.4]) if likelihood in ("gaussian", "logit_normal") else DRAWS.spread
    return Draws(
        DRAWS.coefficient,
        None if likelihood == "bernoulli" else spread,
        CUTS if likelihood == "ordered_beta" else None,
    )


def test_the_cuts_are_read_from_what_was_sampled():
    by_draw = ("chain", "draw")
    posterior = xr.Dataset(
        {"coefficient": ((*by_draw, "column"), np.zeros((1, 2, 1))),
         "spread": (by_draw, [[1.0, 2.0]]),
         "other": ((*by_draw, "parameter"), [[[-1.0, 0.0], [-2.0, np.log(3)]]])},
        {"parameter": ["lower_cut", "log_gap"]},
    )  # fmt: skip
    assert Draws.of(posterior).cuts == pytest.approx(np.array([[-1.0, 0.0], [-2.0, 1.0]]))
    horseshoe = posterior.assign_coords(parameter=["log_global", "log_slab"])
    assert Draws.of(horseshoe).cuts is None
    thinned = Draws.of(posterior).every(2)
    assert (len(thinned.coefficient), len(thinned.spread), len(thinned.cuts)) == (1, 1, 1)


@pytest.mark.parametrize("likelihood", [name for name in CODES if name != "bernoulli"])
def test_moments_are_those_of_the_density(likelihood):
    """Mean and variance by integrating the density, the ends of the ordered Beta added."""
    draws, row = given(likelihood), np.array([[1.0, 0.3]])

    def density(y, place):
        return np.exp(log_likelihood(draws, row, np.array([y]), likelihood)[place, 0])

    low, high = (-8, 8) if likelihood == "gaussian" else (0, 1)
    mean, variance = moments(draws, row, likelihood)
    for place in range(2):
        powers = [
            integrate.quad(lambda y, p=power, d=place: y**p * density(y, d), low, high)[0]
            for power in range(3)
        ]
        if likelihood == "ordered_beta":
            one = density(1.0, place)
            powers = [powers[0] + density(0.0, place) + one, powers[1] + one, powers[2] + one]
        assert powers[0] == pytest.approx(1, abs=1e-6)
        assert mean[place, 0] == pytest.approx(powers[1], abs=1e-6)
        assert variance[place, 0] == pytest.approx(powers[2] - powers[1] ** 2, abs=1e-6)


@pytest.mark.parametrize("likelihood", CODES)
def test_replicates_have_the_moments(likelihood):
    draws, matrix = given(likelihood), np.tile([1.0, 0.3], (40_000, 1))
    made = replicated(draws, matrix, likelihood, np.random.default_rng(0))
    mean, variance = moments(draws, matrix[:1], likelihood)
    np.testing.assert_allclose(made.mean(axis=1), mean[:, 0], atol=0.02)
    np.testing.assert_allclose(made.var(axis=1), variance[:, 0], rtol=0.05)
    if likelihood == "ordered_beta":
        for end in (0.0, 1.0):
            chance = np.exp(log_likelihood(draws, matrix[:1], np.array([end]), likelihood))
            np.testing.assert_allclose((made == end).mean(axis=1), chance[:, 0], atol=0.01)


def test_links_other_than_the_logit_by_hand():
    predictor = DRAWS.coefficient @ MATRIX.T
    np.testing.assert_allclose(
        expected(DRAWS, MATRIX, "beta_probit"), stats.norm.cdf(predictor), rtol=1e-12
    )
    np.testing.assert_allclose(
        expected(DRAWS, MATRIX, "beta_cloglog"), 1 - np.exp(-np.exp(predictor)), rtol=1e-12
    )


def test_only_the_ordered_beta_has_ends():
    with pytest.raises(ValueError, match="has cuts"):
        expected(DRAWS, MATRIX, "ordered_beta")


def test_what_is_said_of_rows_is_made_of_the_parts():
    said = predicted(DRAWS, MATRIX, np.array([0.4, 0.9]), "beta", np.random.default_rng(3))
    mean, variance = moments(DRAWS, MATRIX, "beta")
    np.testing.assert_array_equal(said.mean, mean)
    np.testing.assert_array_equal(said.variance, variance)
    np.testing.assert_array_equal(
        said.log_density, log_likelihood(DRAWS, MATRIX, np.array([0.4, 0.9]), "beta")
    )
    again = replicated(DRAWS, MATRIX, "beta", np.random.default_rng(3))
    np.testing.assert_array_equal(said.replicated, again)
