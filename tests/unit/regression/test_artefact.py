"""The permutation controls: the posterior mode they rest on, and what they find."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from scipy.special import expit

from saturation import seeds
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
    mode = artefact.posterior_mode(*drawn, PRIORS)
    np.testing.assert_allclose(mode, [0.2, 0.8, -0.5], atol=0.12)


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


def test_the_mode_of_a_grid_is_found():
    """The mode of a model with an intercept alone, against the best point of a fine grid."""
    rng = np.random.default_rng(5)
    outcome = rng.beta(3, 2, 40)
    matrix = np.ones((40, 1))
    mode = artefact.posterior_mode(matrix, outcome, PRIORS)[0]
    grid = np.linspace(mode - 0.02, mode + 0.02, 41)
    precision = np.exp(np.linspace(0, 3, 301))

    def density(coefficient):
        mean = expit(coefficient)
        data = stats.beta.logpdf(outcome[:, None], mean * precision, (1 - mean) * precision).sum(
            axis=0
        )
        prior = stats.norm.logpdf(coefficient, 0, 1.5) + stats.halfnorm.logpdf(precision, scale=20)
        return (data + prior).max()

    best = grid[np.argmax([density(value) for value in grid])]
    assert mode == pytest.approx(best, abs=0.0011)


@pytest.fixture
def small():
    """Twelve benchmarks with a design of age and log n, and their scores."""
    rng = np.random.default_rng(8)
    n_test = np.exp(rng.uniform(4, 9, 12)).round()
    names = np.array([f"b{i:02d}" for i in range(12)])
    scores = pd.DataFrame(
        {"benchmark_id": names, "s_1": 0.9, "s_k": rng.uniform(0.8, 0.9, 12), "n_test": n_test}
    )
    outcome = squeezed(saturation_index(0.9, scores["s_k"], n_test))
    matrix = np.column_stack([np.ones(12), rng.normal(size=12), np.log(n_test) - 6])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.7, names), scores


def test_sizes_are_dealt_out_before_the_index_is_computed(small):
    design, scores = small
    table = artefact.permuted_sizes(
        design, scores.sample(frac=1, random_state=1), PRIORS,
        alpha=0.5, epsilon=1e-12, permutations=2, rng=np.random.default_rng(4),
    )  # fmt: skip
    assert list(table) == ["control", "permutation", "log_n", "age"]
    assert table["control"].tolist() == ["n_test", "n_test"]
    assert table["permutation"].tolist() == [0, 1]
    order = np.random.default_rng(4).permutation(12)
    n_test = scores["n_test"].to_numpy()[order]
    matrix = design.matrix.copy()
    matrix[:, 2] = matrix[order, 2]
    outcome = squeezed(saturation_index(scores["s_1"], scores["s_k"], n_test))
    mode = artefact.posterior_mode(matrix, outcome, PRIORS)
    assert table.loc[0, ["age", "log_n"]].tolist() == pytest.approx(mode[1:].tolist(), rel=1e-9)


def test_ages_are_dealt_out_and_the_outcome_stays(small):
    design, _ = small
    table = artefact.permuted_ages(design, PRIORS, 2, np.random.default_rng(4))
    assert table["control"].tolist() == ["age", "age"]
    matrix = design.matrix.copy()
    matrix[:, 1] = matrix[np.random.default_rng(4).permutation(12), 1]
    mode = artefact.posterior_mode(matrix, design.outcome, PRIORS)
    assert table.loc[0, ["age", "log_n"]].tolist() == pytest.approx(mode[1:].tolist(), rel=1e-9)


def test_places_in_the_null_by_hand(small):
    design, _ = small
    age, log_n = artefact.posterior_mode(design.matrix, design.outcome, PRIORS)[1:]
    null = pd.DataFrame(
        {
            "control": "n_test",
            "permutation": range(4),
            # Around a centre of 0.05 below the real one: two at most, two as far away.
            "log_n": log_n + np.array([-0.1, -0.1, 0.0, 0.0]),
            "age": age + np.array([1.0, 2.0, 3.0, 4.0]),
        }
    )
    place = artefact.located(null, design, PRIORS).set_index("predictor")
    assert place.loc["log_n", "observed"] == pytest.approx(log_n)
    assert place.loc["log_n", "null_mean"] == pytest.approx(log_n - 0.05)
    assert place.loc["log_n", "p_lower"] == 1.0
    assert place.loc["log_n", "null_lower"] == pytest.approx(log_n - 0.1)
    assert place.loc["log_n", "null_upper"] == pytest.approx(log_n)
    # 2.5 away from the centre; the refits are 1.5 and 0.5 away.
    assert place.loc["age", "p_lower"] == place.loc["age", "p_two_sided"] == pytest.approx(1 / 5)
    assert (place["permutations"] == 4).all()


def test_both_controls_stand_one_under_the_other_with_streams_of_their_own(small):
    design, scores = small
    tables = artefact.controls(
        design, scores, PRIORS, alpha=0.5, epsilon=1e-12, permutations=3, seed=1
    )
    null = tables["permutations"]
    assert null["control"].tolist() == ["n_test"] * 3 + ["age"] * 3
    ages = artefact.permuted_ages(design, PRIORS, 3, seeds.generator(1, "regression", "age"))
    assert null.tail(3).reset_index(drop=True).equals(ages)
    pd.testing.assert_frame_equal(tables["located"], artefact.located(null, design, PRIORS))
    assert tables["located"][["control", "predictor"]].to_numpy().tolist() == [
        ["age", "log_n"], ["age", "age"], ["n_test", "log_n"], ["n_test", "age"],
    ]  # fmt: skip
