"""The PyMC models against densities written with scipy, for every likelihood and prior."""

import numpy as np
import pytest
from pytensor.compile.mode import Mode
from scipy import stats

from studies.regression import model as rm
from studies.regression.design import Design
from studies.regression.priors import Priors, Specification

PLAIN = Mode(linker="py", optimizer=None)
FLAT = Priors(intercept=1.5, coefficient=None, spread=4.0)
NORMAL = Priors(intercept=1.5, coefficient=0.7, spread=4.0)
HORSESHOE = Priors(intercept=1.5, coefficient=0.7, spread=4.0, nonzero=1)


def made(likelihood, rows=25):
    rng = np.random.default_rng(5)
    matrix = np.column_stack([np.ones(rows), rng.normal(size=(rows, 2))])
    outcome = rng.beta(0.7, 0.9, rows)
    if likelihood == "bernoulli":
        outcome = (outcome > 0.5).astype(float)
    elif likelihood == "gaussian":
        outcome = rng.normal(size=rows)
    elif likelihood == "ordered_beta":
        outcome[:3], outcome[3:5] = 0.0, 1.0
    names = np.array([f"b{row:02d}" for row in range(rows)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


def of_parameters(likelihood, priors, point, rows=25):
    """Log prior density and coefficients, by scipy."""
    log = 0.0
    if likelihood != "bernoulli":
        log += stats.halfnorm.logpdf(point["spread"], scale=priors.spread)
    if likelihood == "ordered_beta":
        log += stats.norm.logpdf(point["lower_cut"], -2, 2)
        log += stats.lognorm.logpdf(point["cut_distance"], 1, scale=4)
    if priors.nonzero is None:
        return log, None
    tau, slab, local = point["global_scale"], point["slab"], point["local_scale"]
    log += stats.halfcauchy.logpdf(tau, scale=priors.global_scale(rows, 3))
    log += stats.invgamma.logpdf(slab, 2, scale=2 * priors.coefficient**2)
    log += stats.halfcauchy.logpdf(local).sum() + stats.norm.logpdf(point["factor"]).sum()
    log += stats.norm.logpdf(point["intercept"], 0, priors.intercept)
    scale = tau * local * np.sqrt(slab / (slab + (tau * local) ** 2))
    return log, np.array([point["intercept"], *(point["factor"] * scale)])


@pytest.mark.parametrize("priors", [FLAT, NORMAL, HORSESHOE], ids=["flat", "normal", "horseshoe"])
def test_the_density_is_that_of_scipy(likelihood, priors, of_rows):
    design = made(likelihood)
    built = rm.model(design, Specification("benchmarks", "s_index", likelihood, priors, "age"))
    rng, shapes, values, point = np.random.default_rng(1), built.eval_rv_shapes(), {}, {}
    for variable in built.free_RVs:
        drawn = rng.normal(scale=0.5, size=shapes[variable.name])
        # What is positive is sampled as its logarithm.
        positive = built.rvs_to_transforms[variable] is not None
        values[variable.name] = np.exp(drawn) if positive else drawn
        point[built.rvs_to_values[variable].name] = drawn
    found = built.compile_fn(built.logp(jacobian=False), mode=PLAIN)(point)
    log, coefficient = of_parameters(likelihood, priors, values)
    if coefficient is None:
        coefficient = rm.basis(design.matrix, priors) @ values["rotated"]
    if priors is NORMAL:
        log += stats.norm.logpdf(coefficient, scale=priors.scales(3)).sum()
        # The volume of the axes: a density of coefficients, not of the rotated ones.
        log += np.log(priors.scales(3)).sum()
    rows = of_rows(likelihood, design.matrix @ coefficient, design.outcome, values)
    # PyMC has single-precision constants in its half-normal and its probit.
    assert found == pytest.approx(log + rows.sum(), abs=5e-7)


def test_the_axes_leave_the_prior_as_it_is():
    matrix = made("beta").matrix
    axes = rm.basis(matrix, NORMAL)
    np.testing.assert_allclose(axes @ axes.T, np.diag([1.5, 0.7, 0.7]) ** 2, atol=1e-12)
    turned = matrix @ axes
    np.testing.assert_allclose(np.triu(turned.T @ turned, 1), 0, atol=1e-9)
    flat = rm.basis(matrix, FLAT)
    np.testing.assert_allclose(flat @ flat.T, np.eye(3), atol=1e-12)
