"""Draws as arrays, and what they expect, by hand."""

import numpy as np
import pytest
import xarray as xr
from scipy import stats

from saturation.regression.draws import Draws, expected, log_likelihood

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
