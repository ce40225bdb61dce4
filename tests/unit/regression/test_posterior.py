"""The sampler against posteriors that are known, and around it."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from saturation import seeds
from saturation.errors import InputError
from saturation.regression import gate, kernel, nuts, posterior
from saturation.regression.design import Design
from saturation.regression.draws import Draws, expected, log_likelihood
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification

FLAT = Priors(intercept=1.0, coefficient=None, spread=5.0)
EFFORT = Effort(1000, 500, 4)


@pytest.fixture(scope="module")
def design():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    outcome = matrix @ [0.4, 1.0, -0.5] + rng.normal(scale=0.3, size=80)
    names = np.array([f"b{i:02d}" for i in range(80)])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.5, names)


def specification(likelihood, priors, outcome="s_index"):
    return Specification("benchmarks", outcome, likelihood, priors, "age + log_n")


def draw(design, priors, seed=1, effort=EFFORT):
    return posterior.draw(design, specification("gaussian", priors), effort, seed)


def test_under_a_flat_prior_the_posterior_is_that_of_least_squares(design):
    drawn = draw(design, FLAT)
    coefficient = drawn["coefficient"].to_numpy().reshape(-1, 3)
    fitted, residual, *_ = np.linalg.lstsq(design.matrix, design.outcome, rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(design.matrix.T @ design.matrix)) * residual / 77)
    np.testing.assert_allclose(coefficient.mean(axis=0), fitted, atol=0.1 * error.min())
    np.testing.assert_allclose(coefficient.std(axis=0), error, rtol=0.1)
    assert drawn["spread"].mean() == pytest.approx(np.sqrt(residual[0] / 77), rel=0.05)


def test_a_narrow_prior_pulls_as_ridge_regression_does(design):
    priors = Priors(intercept=5.0, coefficient=0.05, spread=5.0)
    drawn = draw(design, priors)
    precision = 1 / float(drawn["spread"].mean()) ** 2
    penalty = np.diag(1 / priors.scales(3) ** 2)
    ridge = np.linalg.solve(
        precision * design.matrix.T @ design.matrix + penalty,
        precision * design.matrix.T @ design.outcome,
    )
    mean = drawn["coefficient"].mean(("chain", "draw")).to_numpy()
    np.testing.assert_allclose(mean, ridge, atol=0.02)
    assert mean[1] < 0.8


def test_draws_follow_from_the_seed(design):
    first, again = draw(design, FLAT), draw(design, FLAT)
    assert first.identical(again)
    assert not first.identical(draw(design, FLAT, seed=2))
    assert list(first) == sorted(first) == sorted([*nuts.STATISTICS, "coefficient", "spread"])
    assert first["coefficient"].dims == ("chain", "draw", "column")
    assert first["coefficient"].shape == (4, 1000, 3)
    assert first["column"].to_numpy().tolist() == design.columns
    assert first["diverging"].dtype == np.int8


def test_the_basis_leaves_the_prior_as_it_is(design):
    priors = Priors(intercept=1.5, coefficient=0.7, spread=1.0)
    directions = posterior.basis(design.matrix, priors)
    np.testing.assert_allclose(directions @ directions.T, np.diag([1.5, 0.7, 0.7]) ** 2, atol=1e-12)
    rotated = design.matrix @ directions
    np.testing.assert_allclose(np.triu(rotated.T @ rotated, 1), 0, atol=1e-9)


def test_the_basis_of_a_flat_prior_is_a_rotation(design):
    directions = posterior.basis(design.matrix, FLAT)
    np.testing.assert_allclose(directions @ directions.T, np.eye(3), atol=1e-12)


def test_the_horseshoe_keeps_its_own_axes(design):
    priors = Priors(intercept=1.5, coefficient=2.0, spread=1.0, nonzero=1)
    np.testing.assert_array_equal(posterior.basis(design.matrix, priors), np.eye(3))


def test_the_density_is_given_the_rotated_design_and_the_logs_of_the_outcome(design):
    priors = Priors(intercept=1.5, coefficient=0.7, spread=4.0)
    inside = dataclasses.replace(design, outcome=np.linspace(0, 1, 80))
    matrix, outcome, family, link, shrinks, horseshoe, scales = posterior.arguments(
        inside, specification("ordered_beta", priors)
    )
    rotated = design.matrix @ posterior.basis(design.matrix, priors)
    np.testing.assert_allclose(matrix, rotated)
    np.testing.assert_allclose(outcome[1:-1, 1], np.log(inside.outcome[1:-1]))
    np.testing.assert_allclose(outcome[1:-1, 2], np.log(1 - inside.outcome[1:-1]))
    assert outcome[[0, -1], 0].tolist() == [0, 1]
    assert np.isfinite(outcome).all()
    assert (family, link) == (kernel.ORDERED, kernel.LOGIT)
    assert shrinks.tolist() == [1, 1, 1]
    assert (horseshoe, scales[0]) == (False, 4.0)
    assert posterior.arguments(design, specification("gaussian", FLAT))[4].tolist() == [0, 0, 0]
    sparse = Priors(intercept=1.5, coefficient=2.0, spread=4.0, nonzero=1)
    given = posterior.arguments(design, specification("gaussian", sparse))
    assert given[5:] == (True, (4.0, *sparse.horseshoe(80, 3)))


@pytest.mark.parametrize(
    ("likelihood", "nonzero", "names"),
    [
        ("bernoulli", None, []),
        ("beta", None, ["log_spread"]),
        ("ordered_beta", None, ["log_spread", "lower_cut", "log_gap"]),
        ("beta", 1, ["log_spread", "log_global", "log_slab", "log_local_1", "log_local_2"]),
    ],
)
def test_every_parameter_has_a_name(likelihood, nonzero, names):
    priors = Priors(intercept=1.5, coefficient=2.0, spread=4.0, nonzero=nonzero)
    assert posterior.parameters(specification(likelihood, priors), 3) == names


@pytest.mark.parametrize("nonzero", [None, 1])
@pytest.mark.parametrize("likelihood", kernel.CODES)
def test_the_density_of_a_draw_is_likelihood_and_prior(likelihood, nonzero, design):
    """What the sampler says of its draws, from the draws as they are kept."""
    rng = np.random.default_rng(3)
    outcome = rng.beta(2, 1, 80)
    if likelihood == "bernoulli":
        outcome = (outcome > 0.5).astype(float)
    elif likelihood == "ordered_beta":
        outcome[:4] = [0, 0, 1, 1]
    made = dataclasses.replace(design, outcome=outcome)
    priors = Priors(intercept=1.5, coefficient=0.7, spread=4.0, nonzero=nonzero)
    model = specification(likelihood, priors)
    drawn = posterior.draw(made, model, Effort(60, 100, 2), 1)
    draws = Draws.of(drawn)
    log = log_likelihood(draws, made.matrix, outcome, likelihood).sum(axis=1)
    if draws.spread is not None:
        log += stats.halfnorm.logpdf(draws.spread, scale=4.0) + np.log(draws.spread)
    if "other" in drawn:
        other = {
            name: drawn["other"].sel(parameter=name).to_numpy().ravel()
            for name in drawn["parameter"].to_numpy()
        }
    if likelihood == "ordered_beta":
        log += stats.norm.logpdf(other["lower_cut"], *kernel.LOWER_CUT)
        log += stats.norm.logpdf(other["log_gap"], *kernel.LOG_GAP)
    if nonzero is None:
        log += stats.norm.logpdf(draws.coefficient / priors.scales(3)).sum(axis=1)
    else:
        intercept, overall, slab = priors.horseshoe(80, 3)
        tau, squared = np.exp(other["log_global"]), np.exp(other["log_slab"])
        log += stats.halfcauchy.logpdf(tau, scale=overall) + np.log(tau)
        log += stats.invgamma.logpdf(squared, 2, scale=2 * slab**2) + np.log(squared)
        log += stats.norm.logpdf(draws.coefficient[:, 0] / intercept)
        for place in (1, 2):
            local = np.exp(other[f"log_local_{place}"])
            scale = tau * local * np.sqrt(squared / (squared + (tau * local) ** 2))
            log += stats.halfcauchy.logpdf(local) + np.log(local)
            log += stats.norm.logpdf(draws.coefficient[:, place] / scale)
    # The constants of the normal priors of the coefficients are left out.
    constant = 3 * stats.norm.logpdf(0)
    np.testing.assert_allclose(drawn["logp"].to_numpy().ravel(), log - constant, rtol=1e-8)


def test_the_horseshoe_leaves_the_large_and_shrinks_the_rest():
    rng = np.random.default_rng(8)
    matrix = np.column_stack([np.ones(80), rng.normal(size=(80, 12))])
    truth = np.zeros(13)
    truth[3] = 2.0
    outcome = matrix @ truth + rng.normal(scale=1.0, size=80)
    design = Design(
        ["Intercept", *(f"x{i}" for i in range(1, 13))], matrix, outcome, outcome > 0,
        np.array([f"b{i:02d}" for i in range(80)]),
    )  # fmt: skip
    sparse = Priors(intercept=1.0, coefficient=2.5, spread=2.0, nonzero=1)
    wide = Priors(intercept=1.0, coefficient=2.5, spread=2.0)
    shrunk, free = (
        abs(draw(design, priors)["coefficient"].mean(("chain", "draw")).to_numpy())
        for priors in (sparse, wide)
    )
    assert shrunk[3] == pytest.approx(free[3], abs=0.15)
    others = [place for place in range(1, 13) if place != 3]
    assert shrunk[others].mean() < 0.6 * free[others].mean()


def test_an_ordered_beta_finds_the_share_of_each_end():
    rng = np.random.default_rng(9)
    outcome = rng.beta(3, 3, 300)
    outcome[:60], outcome[60:90] = 0.0, 1.0
    design = Design(
        ["Intercept"], np.ones((300, 1)), outcome, outcome > 0.5,
        np.array([f"b{i:03d}" for i in range(300)]),
    )  # fmt: skip
    priors = Priors(intercept=1.5, coefficient=1.0, spread=20.0)
    drawn = posterior.draw(design, specification("ordered_beta", priors), EFFORT, 1)
    draws = Draws.of(drawn)
    row = np.ones((1, 1))
    for end, share in ((0.0, 0.2), (1.0, 0.1)):
        chance = np.exp(log_likelihood(draws, row, np.array([end]), "ordered_beta")).mean()
        assert chance == pytest.approx(share, abs=0.02)
    mean = expected(draws, row, "ordered_beta").mean()
    assert mean == pytest.approx(outcome.mean(), abs=0.02)


def test_every_model_gets_its_posterior_from_a_seed_of_its_own(design, specified):
    loose = gate.Gate(rhat=1.5, ess=5, divergences=10)
    inside = dataclasses.replace(design, outcome=np.linspace(0.1, 0.9, 80))
    yes = dataclasses.replace(design, outcome=design.saturated.astype(float))
    designs = {"reference": inside, "interaction": inside, "gap": design, "yes_or_no": yes}
    effort = Effort(100, 100, 2)
    passed = posterior.posteriors(designs, specified, effort, loose, seed=3)
    assert list(passed) == list(specified)
    for name, (drawn, measured) in passed.items():
        own = seeds.derive(3, "regression", "posterior", name)
        assert drawn.identical(posterior.draw(designs[name], specified[name], effort, own))
        assert measured.equals(gate.diagnostics(drawn))
    table = gate.diagnostics_table(passed["reference"][1])
    assert list(table) == ["parameter", "rhat", "ess_bulk", "ess_tail", "divergences"]
    assert table["parameter"].tolist() == ["Intercept", "age", "log_n", "spread"]


def test_a_posterior_that_fails_its_gate_stops_all_of_them(design, specified):
    strict = gate.Gate(rhat=1.0, ess=1e6, divergences=0)
    inside = dataclasses.replace(design, outcome=np.linspace(0.1, 0.9, 80))
    with pytest.raises(InputError, match=r"model 'reference': rhat of"):
        posterior.posteriors(
            {"reference": inside}, {"reference": specified["reference"]}, Effort(50, 50, 2),
            strict, seed=3,
        )  # fmt: skip
