"""The permutation controls: the posterior mode they rest on, and what they find."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from scipy.special import expit

from saturation.errors import InputError
from saturation.index import saturation_index
from saturation.regression import artefact
from saturation.regression.design import Design, squeezed
from saturation.regression.priors import Priors

PRIORS = Priors(intercept=1.5, coefficient=1.0, spread=20.0)


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(400), rng.normal(size=(400, 2))])
    mean = expit(matrix @ [0.2, 0.8, -0.5])
    return matrix, np.clip(rng.beta(mean * 5, (1 - mean) * 5), 1e-6, 1 - 1e-6)


def test_the_gradient_is_that_of_the_density(drawn):
    matrix, outcome = drawn
    arguments = (matrix, outcome, np.log(outcome / (1 - outcome)), PRIORS.scales(3), PRIORS.spread)
    theta = np.array([0.1, 0.4, -0.3, 1.2])
    numeric = optimize.approx_fprime(
        theta, lambda t: artefact._negative_log_posterior(t, *arguments)[0], 1e-7
    )
    analytic = artefact._negative_log_posterior(theta, *arguments)[1]
    np.testing.assert_allclose(analytic, numeric, rtol=1e-4)


def test_the_density_is_that_of_the_model(drawn):
    matrix, outcome = drawn
    logit = np.log(outcome / (1 - outcome))

    def ours(theta):
        return artefact._negative_log_posterior(
            theta, matrix, outcome, logit, PRIORS.scales(3), PRIORS.spread
        )[0]

    def written_out(theta):
        mean, precision = expit(matrix @ theta[:-1]), np.exp(theta[-1])
        data = stats.beta.logpdf(outcome, mean * precision, (1 - mean) * precision).sum()
        return -data - PRIORS.log_density(theta[:-1], precision)

    one, other = np.array([0.1, 0.4, -0.3, 1.2]), np.array([0.5, -0.2, 0.3, 0.7])
    assert ours(one) - ours(other) == pytest.approx(written_out(one) - written_out(other))


def test_the_mode_recovers_what_generated_the_data(drawn):
    found = artefact.posterior_mode(*drawn, PRIORS)
    np.testing.assert_allclose(found, [0.2, 0.8, -0.5], atol=0.12)


def test_an_effect_by_construction_lies_inside_its_null_and_a_real_one_outside():
    rng = np.random.default_rng(3)
    n = 60
    n_test = np.exp(rng.uniform(4, 11, n)).round()
    age = rng.normal(size=n)
    s_1 = np.full(n, 0.85)
    gap = np.exp(rng.normal(-3.2 - 0.9 * age, 0.4))
    s_k = np.clip(s_1 - gap, 0.05, None)
    outcome = squeezed(saturation_index(s_1, s_k, n_test))
    names = np.array([f"b{i}" for i in range(n)])
    log_n = (np.log(n_test) - np.log(n_test).mean()) / np.log(n_test).std()
    design = Design(
        ["Intercept", "age", "log_n"], np.column_stack([np.ones(n), age, log_n]),
        outcome, outcome > 0.7, names,
    )  # fmt: skip
    scores = pd.DataFrame({"benchmark_id": names, "s_1": s_1, "s_k": s_k, "n_test": n_test})
    sizes = artefact.permuted_sizes(
        design, scores, PRIORS, alpha=0.5, epsilon=1e-12, permutations=60, rng=rng
    )
    ages = artefact.permuted_ages(design, PRIORS, 60, rng)
    place = artefact.located(pd.concat([sizes, ages]), design, PRIORS)
    place = place.set_index(["control", "predictor"])
    assert place.loc[("n_test", "log_n"), "null_upper"] < 0
    assert place.loc[("n_test", "log_n"), "p_two_sided"] > 0.1
    assert place.loc[("age", "age"), "p_two_sided"] < 0.05
    assert place.loc[("age", "age"), "null_lower"] < 0 < place.loc[("age", "age"), "null_upper"]


def test_a_design_without_the_followed_term_is_refused():
    design = Design(
        ["Intercept", "log_n"],
        np.ones((3, 2)),
        np.full(3, 0.5),
        np.ones(3, bool),
        np.array([*"abc"]),
    )
    with pytest.raises(InputError, match="no term 'age', which the permutation controls follow"):
        artefact.permuted_ages(design, PRIORS, 5, np.random.default_rng(0))
