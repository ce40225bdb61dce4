"""Fit in and out of sample, on posteriors that are known in closed form."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.regression import validation as rf
from saturation.regression.design import Design
from saturation.regression.priors import Priors

WIDE = Priors(intercept=5.0, coefficient=5.0, spread=5.0)


def normal_posterior(matrix, outcome, sd=0.5, size=4000, seed=0):
    """Draws of a Gaussian regression with known standard deviation and prior N(0, 25)."""
    precision = matrix.T @ matrix / sd**2 + np.eye(matrix.shape[1]) / 25
    covariance = np.linalg.inv(precision)
    mean = covariance @ matrix.T @ outcome / sd**2
    rng = np.random.default_rng(seed)
    draws = rng.multivariate_normal(mean, covariance, size=size)
    return rf.Draws(draws, np.full(size, sd)), mean, covariance


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(4)
    matrix = np.column_stack([np.ones(50), rng.normal(size=(50, 2))])
    outcome = matrix @ [0.3, 1.0, 0.0] + rng.normal(0, 0.5, 50)
    names = np.array([f"b{i:02d}" for i in range(50)])
    design = Design(["Intercept", "age", "noise"], matrix, outcome, outcome > 0.5, names)
    return design, normal_posterior(matrix, outcome)[0]


def test_both_r2_agree_with_the_share_that_generated_the_data(problem):
    design, draws = problem
    for r2 in (rf.r2_modelled, rf.r2_residual):
        assert r2(draws, design, "gaussian").mean() == pytest.approx(0.8, abs=0.08)


def test_beta_r2_by_hand():
    matrix = np.array([[0.0], [np.log(3)]])
    design = Design(["x"], matrix, np.array([0.5, 0.75]), np.array([False, True]), np.array("ab"))
    draws = rf.Draws(np.array([[1.0]]), np.array([9.0]))
    fit = np.var([0.5, 0.75], ddof=1)
    residual = np.mean([0.25, 0.1875]) / 10
    assert rf.r2_modelled(draws, design, "beta")[0] == pytest.approx(fit / (fit + residual))
    assert rf.r2_residual(draws, design, "beta")[0] == pytest.approx(1.0)


@given(st.lists(st.integers(0, 9), min_size=4, max_size=30))
def test_auroc_is_the_share_of_ordered_pairs(scores):
    scores = np.array(scores, dtype=float)
    positive = np.arange(len(scores)) % 2 == 0
    pairs = scores[positive][:, None] - scores[~positive][None, :]
    share = np.mean((pairs > 0) + 0.5 * (pairs == 0))
    assert rf.auroc(scores, positive) == pytest.approx(share)
    flat = np.full((1, len(scores)), 1 / len(scores))
    assert rf._weighted_auroc(scores, positive, flat)[0] == pytest.approx(share)


def test_importance_sampling_agrees_with_leaving_out_for_real(problem):
    design, draws = problem
    loo = rf.leave_one_out(draws, design, "gaussian")
    assert (loo["pareto_k"] < 0.7).all()
    for place in (0, 17):
        keep = np.arange(50) != place
        _, mean, covariance = normal_posterior(design.matrix[keep], design.outcome[keep])
        row = design.matrix[place]
        exact = stats.norm.logpdf(
            design.outcome[place], row @ mean, np.sqrt(0.25 + row @ covariance @ row)
        )
        assert loo.loc[place, "elpd"] == pytest.approx(exact, abs=0.05)
        assert loo.loc[place, "prediction"] == pytest.approx(row @ mean, abs=0.03)


def test_held_out_fit_is_worse_than_in_sample(problem):
    design, draws = problem
    loo = rf.leave_one_out(draws, design, "gaussian")
    out = rf.out_of_sample(loo, "s_index", 500, np.random.default_rng(0)).set_index("measure")
    inside = rf.in_sample(draws, design, "gaussian", "s_index").set_index("measure")
    assert out.loc["r2_loo", "value"] < inside.loc["r2_residual", "value"] + 0.02
    assert out.loc["r2_loo", "lower"] < out.loc["r2_loo", "value"] < out.loc["r2_loo", "upper"]


def test_repeated_rows_leave_together_as_one_benchmark(problem):
    design, draws = problem
    twice = Design(
        design.columns, *(np.repeat(x, 2, axis=0) for x in (design.matrix, design.outcome)),
        np.repeat(design.saturated, 2), np.repeat(design.benchmark, 2),
    )  # fmt: skip
    loo = rf.leave_one_out(draws, twice, "gaussian")
    both = rf.log_likelihood(draws, design.matrix, design.outcome, "gaussian") * 2
    assert len(loo) == 50
    weights = rf.array_stats.psislw(both[:, 0])[0]
    assert loo.loc[0, "elpd"] == pytest.approx(
        rf.held_out(draws, design, "gaussian", design.benchmark == "b00", weights)["elpd"]
    )


def test_refits_take_the_place_of_what_they_replace():
    loo = pd.DataFrame(
        {
            "benchmark_id": ["a", "b", "c"],
            "prediction": [0.1, 0.2, 0.3],
            "elpd": [1.0, 2.0, 3.0],
            "pareto_k": [0.1, 0.8, 0.9],
        }
    )
    refits = pd.DataFrame(
        {"benchmark_id": ["b"], "prediction": [0.7], "elpd": [-3.0], "rhat": [1.0]}
    )
    merged = rf.with_refits(loo, [refits], 0.7)
    assert merged["prediction"].tolist() == [0.1, 0.7, 0.3]
    assert merged["elpd"].tolist() == [1.0, -3.0, 3.0]
    assert merged["how"].tolist() == ["importance", "exact", "unreliable"]
    assert rf.with_refits(loo, [], 1.0)["how"].unique().tolist() == ["importance"]


def test_a_predictor_of_the_gap_scores_saturation_with_the_other_sign():
    assert rf.saturation_score(np.array([1.0]), "log_gap")[0] == -1.0
    assert rf.saturation_score(np.array([1.0]), "s_index")[0] == 1.0


def test_models_are_compared_by_paired_differences():
    first = pd.DataFrame(
        {"benchmark_id": ["a", "b", "c"], "elpd": [0.0, 1.0, 2.0], "how": "importance"}
    )
    second = first.assign(elpd=first["elpd"] - [0.1, 0.2, 0.3], how="unreliable")
    table = rf.compare({"worse": second, "better": first})
    assert table["model"].tolist() == ["better", "worse"]
    assert table["difference"].tolist() == pytest.approx([0.0, -0.6])
    assert table["unreliable"].tolist() == [0, 3]
    assert table.loc[1, "difference_se"] == pytest.approx(0.1 * np.sqrt(3))
    with pytest.raises(ValueError, match="same benchmarks"):
        rf.compare({"worse": second.head(2), "better": first})


def test_coefficients_see_the_effect_the_noise_and_a_narrow_prior(problem):
    design, draws = problem
    wide = rf.coefficients(draws, design, "gaussian", WIDE).set_index("column")
    assert wide.loc["age", "excludes_zero"]
    assert not wide.loc["noise", "excludes_zero"]
    assert wide.loc["age", "lower_95"] < wide.loc["age", "lower_50"] < wide.loc["age", "mean"]
    assert (wide["prior_sensitivity"] < 0.05).all()
    narrow = Priors(intercept=5.0, coefficient=0.02, spread=5.0)
    pulled = rf.coefficients(draws, design, "gaussian", narrow).set_index("column")
    assert pulled.loc["age", "prior_sensitivity"] > 0.05


def test_predictive_checks_find_an_outcome_the_model_cannot_make(problem):
    design, draws = problem
    good = rf.predictive_checks(draws, design, "gaussian", 0.7, np.random.default_rng(0))
    shifted = Design(
        design.columns, design.matrix, design.outcome + 3, design.saturated, design.benchmark
    )
    bad = rf.predictive_checks(draws, shifted, "gaussian", 0.7, np.random.default_rng(0))
    assert good.set_index("statistic").loc["mean", "p_at_least"] == pytest.approx(0.5, abs=0.25)
    assert bad.set_index("statistic").loc["mean", "p_at_least"] == 0
