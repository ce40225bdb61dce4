"""Draws as arrays, and what they expect, by hand."""

import numpy as np
import pytest
import xarray as xr
from scipy import integrate, stats

from saturation.regression.predictive import Draws, distribution, log_likelihood, predicted

LIKELIHOODS = (
    "beta", "beta_probit", "beta_cloglog", "ordered_beta", "logit_normal", "gaussian", "bernoulli",
)  # fmt: skip
MATRIX = np.array([[1.0, 0.0], [1.0, np.log(3)]])
DRAWS = Draws(np.array([[0.0, 1.0], [np.log(3), -1.0]]), np.array([[9.0], [4.0]]))


def expected(draws, matrix, likelihood):
    return distribution(draws, matrix, likelihood).mean()


def test_chains_follow_one_another():
    values = np.arange(2 * 3 * 2.0).reshape(3, 2, 2)
    posterior = xr.Dataset(
        {"coefficient": (("draw", "chain", "column"), values),
         "spread": (("chain", "draw"), [[1.0, 2, 3], [4, 5, 6]]),
         "lower_cut": (("chain", "draw"), -np.ones((2, 3))),
         "cut_distance": (("chain", "draw"), [[1.0, 2, 3], [4, 5, 6]])}
    )  # fmt: skip
    draws = Draws.of({"posterior": posterior})
    assert draws.coefficient.tolist() == [[0, 1], [4, 5], [8, 9], [2, 3], [6, 7], [10, 11]]
    assert draws.widths().tolist() == [[1], [2], [3], [4], [5], [6]]
    assert draws.cuts.tolist() == [[-1, 0], [-1, 1], [-1, 2], [-1, 3], [-1, 4], [-1, 5]]
    thinned = draws.every(4)
    assert thinned.coefficient.tolist() == [[0, 1], [6, 7]]
    assert (len(thinned.spread), len(thinned.cuts)) == (2, 2)
    without = Draws.of({"posterior": posterior[["coefficient"]]})
    assert without.cuts is None
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
    spread = (
        np.array([[0.7], [0.4]]) if likelihood in ("gaussian", "logit_normal") else DRAWS.spread
    )
    return Draws(
        DRAWS.coefficient,
        None if likelihood == "bernoulli" else spread,
        CUTS if likelihood == "ordered_beta" else None,
    )


@pytest.mark.parametrize("likelihood", [name for name in LIKELIHOODS if name != "bernoulli"])
def test_moments_are_those_of_the_density(likelihood):
    """Mean and variance by integrating the density, the ends of the ordered Beta added."""
    draws, row = given(likelihood), np.array([[1.0, 0.3]])

    def density(y, place):
        return np.exp(log_likelihood(draws, row, np.array([y]), likelihood)[place, 0])

    low, high = (-8, 8) if likelihood == "gaussian" else (0, 1)
    outcomes = distribution(draws, row, likelihood)
    mean, variance = outcomes.mean(), outcomes.var()
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


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_replicates_have_the_moments(likelihood):
    draws, matrix = given(likelihood), np.tile([1.0, 0.3], (40_000, 1))
    said = predicted(draws, matrix, np.full(40_000, 0.5), likelihood, np.random.default_rng(0))
    outcomes = distribution(draws, matrix[:1], likelihood)
    np.testing.assert_allclose(said.mean[:, :1], outcomes.mean())
    np.testing.assert_allclose(said.variance[:, :1], outcomes.var())
    made = said.replicated
    np.testing.assert_allclose(made.mean(axis=1), outcomes.mean()[:, 0], atol=0.02)
    np.testing.assert_allclose(made.var(axis=1), outcomes.var()[:, 0], rtol=0.05)
    if likelihood == "ordered_beta":
        for end in (0.0, 1.0):
            chance = np.exp(log_likelihood(draws, matrix[:1], np.array([end]), likelihood))
            np.testing.assert_allclose((made == end).mean(axis=1), chance[:, 0], atol=0.01)
