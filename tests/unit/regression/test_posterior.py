"""The sampler against posteriors that are known; heavy, because it compiles a program."""

import numpy as np
import pytest

from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort

pytestmark = pytest.mark.heavy

FLAT = Priors(intercept=1.0, coefficient=None, spread=5.0)
EFFORT = {"draws": 1000, "tune": 500, "chains": 4}


@pytest.fixture(scope="module")
def design():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    outcome = matrix @ [0.4, 1.0, -0.5] + rng.normal(scale=0.3, size=80)
    names = np.array([f"b{i:02d}" for i in range(80)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


@pytest.fixture(scope="module")
def draw():
    """Draws from one compiled program that is wider than the design."""
    from saturation.regression import posterior

    samplers = {cores: posterior.Sampler("gaussian", 6, cores) for cores in (1, 2)}
    return lambda design, priors, seed=1, cores=1: samplers[cores].draw(
        design, priors, Effort(**EFFORT), seed
    )


def test_under_a_flat_prior_the_posterior_is_that_of_least_squares(draw, design):
    posterior = draw(design, FLAT)
    coefficient = posterior["coefficient"].to_numpy().reshape(-1, 3)
    fitted, residual, *_ = np.linalg.lstsq(design.matrix, design.outcome, rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(design.matrix.T @ design.matrix)) * residual / 77)
    np.testing.assert_allclose(coefficient.mean(axis=0), fitted, atol=0.1 * error.min())
    np.testing.assert_allclose(coefficient.std(axis=0), error, rtol=0.1)
    assert posterior["spread"].mean() == pytest.approx(np.sqrt(residual[0] / 77), rel=0.05)


def test_a_narrow_prior_pulls_as_ridge_regression_does(draw, design):
    priors = Priors(intercept=5.0, coefficient=0.05, spread=5.0)
    posterior = draw(design, priors)
    precision = 1 / float(posterior["spread"].mean()) ** 2
    penalty = np.diag(1 / priors.scales(3) ** 2)
    ridge = np.linalg.solve(
        precision * design.matrix.T @ design.matrix + penalty,
        precision * design.matrix.T @ design.outcome,
    )
    found = posterior["coefficient"].mean(("chain", "draw")).to_numpy()
    np.testing.assert_allclose(found, ridge, atol=0.02)
    assert found[1] < 0.8


def test_draws_follow_from_the_seed_and_not_from_the_cores(draw, design):
    one, two = draw(design, FLAT, cores=1), draw(design, FLAT, cores=2)
    assert one.identical(two)
    assert not one.identical(draw(design, FLAT, seed=2))
    assert list(one) == sorted(one)


def test_the_basis_leaves_the_prior_as_it_is(design):
    from saturation.regression.posterior import basis

    priors = Priors(intercept=1.5, coefficient=0.7, spread=1.0)
    directions = basis(design.matrix, priors)
    np.testing.assert_allclose(directions @ directions.T, np.diag([1.5, 0.7, 0.7]) ** 2, atol=1e-12)
    rotated = design.matrix @ directions
    np.testing.assert_allclose(np.triu(rotated.T @ rotated, 1), 0, atol=1e-9)
