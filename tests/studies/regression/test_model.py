"""The PyMC models against densities written with scipy, for every likelihood."""

import numpy as np
import pytest
from pytensor.compile.mode import Mode
from scipy import stats

from studies.regression import model as rm
from studies.regression.design import Design
from studies.regression.priors import Priors, Specification

PLAIN = Mode(linker="py", optimizer=None)
PRIORS = Priors(intercept=1.5, coefficient=0.7, spread=4.0)


def made(likelihood, rows=25):
    rng = np.random.default_rng(5)
    matrix = np.column_stack([np.ones(rows), rng.normal(size=(rows, 2))])
    outcome = rng.beta(0.7, 0.9, rows)
    if likelihood == "bernoulli":
        outcome = (outcome > 0.5).astype(float)
    elif likelihood == "gaussian":
        outcome = rng.normal(size=rows)
    names = np.array([f"b{row:02d}" for row in range(rows)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


def test_the_density_is_that_of_scipy(likelihood, of_rows):
    design = made(likelihood)
    built = rm.model(design, Specification("benchmarks", "s_index", likelihood, PRIORS, "age"))
    rng, shapes, values, point = np.random.default_rng(1), built.eval_rv_shapes(), {}, {}
    for variable in built.free_RVs:
        drawn = rng.normal(scale=0.5, size=shapes[variable.name])
        # Positive parameters are sampled as their logarithm.
        positive = built.rvs_to_transforms[variable] is not None
        values[variable.name] = np.exp(drawn) if positive else drawn
        point[built.rvs_to_values[variable].name] = drawn
    density = built.compile_fn(built.logp(jacobian=False), mode=PLAIN)(point)
    coefficient = rm.basis(design.matrix, PRIORS) @ values["rotated"]
    scales = PRIORS.scales(3)
    # The volume of the axes: a density of coefficients, not of the rotated ones.
    expected = stats.norm.logpdf(coefficient, scale=scales).sum() + np.log(scales).sum()
    if likelihood != "bernoulli":
        expected += stats.halfnorm.logpdf(values["spread"], scale=PRIORS.spread)
    expected += of_rows(likelihood, design.matrix @ coefficient, design.outcome, values).sum()
    # PyMC has single-precision constants in its half-normal.
    assert density == pytest.approx(expected, abs=5e-7)


def test_the_intercept_has_a_scale_of_its_own():
    assert PRIORS.scales(3).tolist() == [1.5, 0.7, 0.7]


def test_the_axes_leave_the_prior_as_it_is():
    matrix = made("beta").matrix
    axes = rm.basis(matrix, PRIORS)
    np.testing.assert_allclose(axes @ axes.T, np.diag([1.5, 0.7, 0.7]) ** 2, atol=1e-12)
    turned = matrix @ axes
    np.testing.assert_allclose(np.triu(turned.T @ turned, 1), 0, atol=1e-9)
