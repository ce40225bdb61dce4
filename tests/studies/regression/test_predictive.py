"""Draws as arrays, and what they expect, by hand."""

import numpy as np
import pytest
import xarray as xr
from scipy import integrate

from studies.regression.predictive import Draws, distribution, predicted

MATRIX = np.array([[1.0, 0.0], [1.0, np.log(3)]])
DRAWS = Draws(np.array([[0.0, 1.0], [np.log(3), -1.0]]), np.array([[9.0], [4.0]]))


def test_chains_follow_one_another():
    values = np.arange(2 * 3 * 2.0).reshape(3, 2, 2)
    posterior = xr.Dataset(
        {"coefficient": (("draw", "chain", "column"), values),
         "spread": (("chain", "draw"), [[1.0, 2, 3], [4, 5, 6]])}
    )  # fmt: skip
    draws = Draws.extract({"posterior": posterior})
    assert draws.coefficient.tolist() == [[0, 1], [4, 5], [8, 9], [2, 3], [6, 7], [10, 11]]
    assert draws.widths().tolist() == [[1], [2], [3], [4], [5], [6]]
    thinned = draws.thin(4)
    assert thinned.coefficient.tolist() == [[0, 1], [6, 7]]
    assert thinned.spread.tolist() == [[1], [5]]
    without = Draws.extract({"posterior": posterior[["coefficient"]]})
    with pytest.raises(ValueError, match="has no spread"):
        without.widths()


def log_likelihood(draws, matrix, outcome, likelihood):
    return predicted(draws, matrix, outcome, likelihood, np.random.default_rng(0)).log_density


SPREADS = {"beta": DRAWS.spread, "gaussian": np.array([[0.7], [0.4]]), "bernoulli": None}


def given(likelihood):
    return Draws(DRAWS.coefficient, SPREADS[likelihood])


def test_densities_are_those_of_scipy(likelihood, of_rows):
    draws, outcome = given(likelihood), np.array([0.4, 0.9])
    if likelihood == "bernoulli":
        outcome = np.array([0.0, 1.0])
    found = log_likelihood(draws, MATRIX, outcome, likelihood)
    for place, coefficient in enumerate(draws.coefficient):
        point = {"spread": None if draws.spread is None else draws.spread[place]}
        expected = of_rows(likelihood, MATRIX @ coefficient, outcome, point)
        np.testing.assert_allclose(found[place], expected)


def test_moments_are_those_of_the_density(likelihood):
    """Mean and variance by integrating the density."""
    draws, row = given(likelihood), np.array([[1.0, 0.3]])

    def density(y, place):
        return np.exp(log_likelihood(draws, row, np.array([y]), likelihood)[place, 0])

    low, high = (-8, 8) if likelihood == "gaussian" else (0, 1)
    outcomes = distribution(draws, row, likelihood)
    mean, variance = outcomes.mean(), outcomes.var()
    for place in range(2):
        if likelihood == "bernoulli":
            powers = density(1.0, place) + np.array([density(0.0, place), 0, 0])
        else:
            powers = [
                integrate.quad(lambda y, p=power, d=place: y**p * density(y, d), low, high)[0]
                for power in range(3)
            ]
        assert powers[0] == pytest.approx(1, abs=1e-6)
        assert mean[place, 0] == pytest.approx(powers[1], abs=1e-6)
        assert variance[place, 0] == pytest.approx(powers[2] - powers[1] ** 2, abs=1e-6)


def test_replicates_have_the_moments(likelihood):
    draws, matrix = given(likelihood), np.tile([1.0, 0.3], (40_000, 1))
    said = predicted(draws, matrix, np.full(40_000, 0.5), likelihood, np.random.default_rng(0))
    outcomes = distribution(draws, matrix[:1], likelihood)
    np.testing.assert_allclose(said.mean[:, :1], outcomes.mean())
    np.testing.assert_allclose(said.variance[:, :1], outcomes.var())
    made = said.replicated
    np.testing.assert_allclose(made.mean(axis=1), outcomes.mean()[:, 0], atol=0.02)
    np.testing.assert_allclose(made.var(axis=1), outcomes.var()[:, 0], rtol=0.05)
