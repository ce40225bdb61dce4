"""Fit in and out of sample, on posteriors that are known in closed form."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation import seeds
from saturation.regression import validation as rf
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Specification

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
    assert table["elpd"].tolist() == pytest.approx([3.0, 2.4])
    # Standard deviations 1 and 0.9 of three benchmarks.
    assert table["se"].tolist() == pytest.approx([np.sqrt(3), 0.9 * np.sqrt(3)])
    assert table.loc[0, "difference_se"] == 0
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


def one_draw(prediction, outcome, saturated):
    """A Gaussian model whose one draw expects exactly the given predictions."""
    names = np.array([f"b{i:02d}" for i in range(len(prediction))])
    design = Design(["x"], prediction[:, None], outcome, saturated, names)
    return rf.Draws(np.ones((1, 1)), np.full(1, 0.5)), design


def test_measures_of_fit_are_those_of_r(golden):
    """AUROC as R's Mann-Whitney statistic, with ties; R2 as ratios of R's variances."""
    table, expected = golden("regression_predictions"), golden("regression_validation")
    expected = expected.set_index("measure")["value"]
    prediction, outcome = table["prediction"].to_numpy(), table["outcome"].to_numpy()
    saturated = table["saturated"].to_numpy()
    draws, design = one_draw(prediction, outcome, saturated)
    assert rf.auroc(prediction, saturated) == pytest.approx(expected["auroc"], abs=1e-9)
    assert rf.auroc_draws(draws, design, "gaussian", "s_index") == pytest.approx(expected["auroc"])
    assert rf.auroc_draws(draws, design, "gaussian", "log_gap") == pytest.approx(
        1 - expected["auroc"]
    )
    assert rf.r2_residual(draws, design, "gaussian") == pytest.approx(expected["r2_residual"])
    loo = table.assign(elpd=0.0)
    out = rf.out_of_sample(loo, "s_index", 10, np.random.default_rng(0)).set_index("measure")
    for measure, name in (("auroc_loo", "auroc"), ("r2_loo", "r2_loo")):
        assert out.loc[measure, "value"] == pytest.approx(expected[name], abs=1e-9)
    assert out.loc["r2_loo_ratio", "value"] == pytest.approx(expected["r2_loo_ratio"], abs=1e-9)


def test_modelled_r2_of_the_other_likelihoods_by_hand():
    matrix = np.array([[0.0], [np.log(3)]])
    design = Design(["x"], matrix, np.array([0.0, 1.0]), np.array([False, True]), np.array([*"ab"]))
    bernoulli = rf.Draws(np.array([[1.0]]), None)
    fit, residual = np.var([0.5, 0.75], ddof=1), np.mean([0.25, 0.1875])
    assert rf.r2_modelled(bernoulli, design, "bernoulli")[0] == pytest.approx(
        fit / (fit + residual)
    )
    gaussian = rf.Draws(np.array([[1.0], [2.0]]), np.array([0.5, 3.0]))
    fit = np.var([0.0, np.log(3)], ddof=1)
    np.testing.assert_allclose(
        rf.r2_modelled(gaussian, design, "gaussian"), [fit / (fit + 0.25), 4 * fit / (4 * fit + 9)]
    )


def test_the_bootstrap_weighs_benchmarks_by_a_flat_dirichlet(golden):
    table = golden("regression_predictions").assign(elpd=np.linspace(-1, 1, 24) ** 3)
    out = rf.out_of_sample(table, "s_index", 200, np.random.default_rng(9)).set_index("measure")
    weights = np.random.default_rng(9).dirichlet(np.ones(24), size=200)
    outcome, prediction = table["outcome"].to_numpy(), table["prediction"].to_numpy()
    positive = table["saturated"].to_numpy()
    pairs = prediction[positive][:, None] - prediction[~positive][None, :]
    by_hand = {"r2_loo": [], "r2_loo_ratio": [], "auroc_loo": []}
    for w in weights:
        residual = np.cov(outcome - prediction, aweights=w, ddof=0)
        fit = np.cov(prediction, aweights=w, ddof=0)
        by_hand["r2_loo"].append(1 - residual / np.cov(outcome, aweights=w, ddof=0))
        by_hand["r2_loo_ratio"].append(fit / (fit + residual))
        both = np.outer(w[positive], w[~positive])
        by_hand["auroc_loo"].append((both * ((pairs > 0) + 0.5 * (pairs == 0))).sum() / both.sum())
    for measure, values in by_hand.items():
        expected = [
            np.median(values), np.std(values, ddof=1), *np.quantile(values, [0.025, 0.975])
        ]  # fmt: skip
        row = out.loc[measure, ["median", "sd", "lower", "upper"]].astype(float)
        np.testing.assert_allclose(row, expected, rtol=1e-9)


def test_the_sum_of_log_densities_has_the_error_of_a_sum(golden):
    table = golden("regression_predictions").assign(elpd=np.linspace(-1, 1, 24) ** 3 + 0.25)
    row = rf.out_of_sample(table, "s_index", 5, np.random.default_rng(0)).iloc[-1]
    error = np.sqrt(24 * table["elpd"].var())
    assert row["measure"] == "elpd_loo"
    assert row[["value", "median", "sd", "lower", "upper"]].tolist() == pytest.approx(
        [6.0, 6.0, error, 6 - 1.96 * error, 6 + 1.96 * error]
    )


def test_held_out_predictions_of_weighted_draws_by_hand():
    draws = rf.Draws(np.array([[1.0], [2.0]]), np.array([1.0, 2.0]))
    design = Design(
        ["x"], np.array([[1.0], [3.0], [5.0]]), np.array([0.5, 0.5, 9.0]), np.ones(3, bool),
        np.array(["a", "a", "b"]),
    )  # fmt: skip
    mask = design.benchmark == "a"
    densities = [
        [stats.norm.pdf(0.5, 1, 1), stats.norm.pdf(0.5, 3, 1)],
        [stats.norm.pdf(0.5, 2, 2), stats.norm.pdf(0.5, 6, 2)],
    ]
    weighted = rf.held_out(draws, design, "gaussian", mask, np.log([0.8, 0.2]))
    assert weighted["prediction"] == pytest.approx(0.8 * 2 + 0.2 * 4)
    assert weighted["elpd"] == pytest.approx(
        np.log((0.8 * sum(densities[0]) + 0.2 * sum(densities[1])) / 2)
    )
    alike = rf.held_out(draws, design, "gaussian", mask)
    assert alike["prediction"] == pytest.approx(3.0)
    assert alike["elpd"] == pytest.approx(np.log(np.mean(densities)))


def test_importance_sampling_sums_to_the_exact_leave_one_out(problem):
    """Every benchmark of a conjugate normal model, with its exact predictive density."""
    design, _ = problem
    draws = normal_posterior(design.matrix, design.outcome, size=20_000)[0]
    loo = rf.leave_one_out(draws, design, "gaussian").set_index("benchmark_id")
    assert (loo["pareto_k"] < 0.5).all()
    exact = {}
    for place, name in enumerate(design.benchmark):
        keep = np.arange(50) != place
        mean, covariance = normal_posterior(design.matrix[keep], design.outcome[keep], size=1)[1:]
        row = design.matrix[place]
        scale = np.sqrt(0.25 + row @ covariance @ row)
        exact[name] = stats.norm.logpdf(design.outcome[place], row @ mean, scale)
        assert loo.loc[name, "prediction"] == pytest.approx(row @ mean, abs=0.02)
        assert loo.loc[name, "elpd"] == pytest.approx(exact[name], abs=0.03)
        assert loo.loc[name, "outcome"] == design.outcome[place]
        assert loo.loc[name, "saturated"] == design.saturated[place]
    assert loo["elpd"].sum() == pytest.approx(sum(exact.values()), abs=0.1)


def test_a_pareto_k_at_the_limit_can_be_trusted():
    loo = pd.DataFrame(
        {"benchmark_id": ["a", "b"], "prediction": 0.1, "elpd": 1.0, "pareto_k": [0.7, 0.7 + 1e-9]}
    )
    assert rf.with_refits(loo, [], 0.7)["how"].tolist() == ["importance", "unreliable"]


def test_a_summary_is_mean_median_deviation_and_central_95_percent():
    values = np.append(np.arange(40.0), 139.0)
    row = rf._summary("name", values)
    assert row == pytest.approx(
        {
            "measure": "name", "value": values.mean(), "median": 20.0,
            "sd": np.sqrt(((values - values.mean()) ** 2).sum() / 40), "lower": 1.0, "upper": 39.0,
        }
    )  # fmt: skip


def test_coefficients_of_known_draws():
    """Draws on a normal's quantiles: highest-density intervals are its central ones."""
    standard = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    rng = np.random.default_rng(0)
    shuffled = np.column_stack([rng.permutation(standard) + m for m in (0.0, 3.0, -3.0, 1.9)])
    design = Design(
        ["Intercept", "up", "down", "near"], np.full((3, 4), 0.1), np.zeros(3), np.ones(3, bool),
        np.array([*"abc"]),
    )  # fmt: skip
    flat = Priors(intercept=1.0, coefficient=None, spread=1.0)
    draws = rf.Draws(shuffled, np.ones(4000))
    table = rf.coefficients(draws, design, "gaussian", flat).set_index("column")
    np.testing.assert_allclose(table["mean"], [0, 3, -3, 1.9], atol=1e-9)
    np.testing.assert_allclose(table["sd"], 1, atol=0.01)
    for share, half in ((50, 0.674), (95, 1.96)):
        centre = (table[f"lower_{share}"] + table[f"upper_{share}"]) / 2
        np.testing.assert_allclose(centre, table["mean"], atol=0.12)
        width = table[f"upper_{share}"] - table[f"lower_{share}"]
        np.testing.assert_allclose(width, 2 * half, atol=0.02)
    assert table["excludes_zero"].tolist() == [False, True, True, False]
    np.testing.assert_allclose(table["p_positive"], stats.norm.cdf([0, 3, -3, 1.9]), atol=0.0005)
    assert (table["prior_sensitivity"] == 0).all()


def test_checks_count_a_benchmark_on_the_threshold():
    outcome = np.array([0.1, 0.09, 0.6, 0.59, 0.8])
    design = Design(["x"], np.zeros((5, 1)), outcome, np.ones(5, bool), np.array([*"abcde"]))
    draws = rf.Draws(np.zeros((400, 1)), np.full(400, 8.0))
    rng = np.random.default_rng(2)
    table = rf.predictive_checks(draws, design, "beta", 0.6, rng).set_index("statistic")
    assert list(table.index) == ["mean", "sd", "share below 0.1", "share at least 0.6"]
    assert table["observed"].tolist() == pytest.approx(
        [outcome.mean(), outcome.std(ddof=1), 0.2, 0.4]
    )
    null = np.random.default_rng(2).beta(4.0, 4.0, (400, 5))
    low = (null < 0.1).mean(axis=1)
    row = table.loc["share below 0.1"]
    assert [row["lower"], row["upper"]] == pytest.approx(list(np.quantile(low, [0.025, 0.975])))
    assert row["p_at_least"] == pytest.approx((low >= 0.2).mean())
    shares = (null >= 0.6).mean(axis=1)
    row = table.loc["share at least 0.6"]
    assert row["replicated"] == pytest.approx(shares.mean())
    assert [row["lower"], row["upper"]] == pytest.approx(list(np.quantile(shares, [0.025, 0.975])))
    assert row["p_at_least"] == pytest.approx((shares >= 0.4).mean())
    assert table.loc["sd", "replicated"] == pytest.approx(null.std(axis=1, ddof=1).mean())


def test_replicated_data_have_the_likelihoods_moments():
    matrix, zeros = np.ones((4000, 1)), np.zeros(4000)
    design = Design(["x"], matrix, zeros, np.ones(4000, bool), np.array(["a"] * 4000))
    for likelihood, coefficient, mean, sd in (
        ("bernoulli", np.log(3), 0.75, np.sqrt(0.1875)),
        ("gaussian", 2.0, 2.0, 3.0),
        # Beta: mean 0.75, precision 3, variance 0.1875 / 4.
        ("beta", np.log(3), 0.75, np.sqrt(0.1875 / 4)),
    ):
        draws = rf.Draws(np.full((30, 1), coefficient), np.full(30, 3.0))
        if likelihood == "bernoulli":
            draws = rf.Draws(draws.coefficient, None)
        table = rf.predictive_checks(draws, design, likelihood, 0.7, np.random.default_rng(0))
        replicated = table.set_index("statistic")["replicated"]
        assert replicated["mean"] == pytest.approx(mean, rel=0.01)
        assert replicated["sd"] == pytest.approx(sd, rel=0.02)


def test_the_models_tables_name_rows_columns_and_what_was_refitted(problem):
    design, draws = problem
    loo = rf.leave_one_out(draws, design, "gaussian")
    loo.loc[:2, "pareto_k"] = [0.8, 0.9, 0.95]
    refit = loo.loc[[1], ["benchmark_id", "prediction", "elpd"]]
    model = Specification("benchmarks", "s_index", "gaussian", WIDE, "age + noise")
    made = rf.tables(
        design, draws, rf.with_refits(loo, [refit], 0.7), model,
        saturated_from=0.7, bootstrap=20, seed=3,
    )  # fmt: skip
    assert list(made) == ["held_out", "validation", "coefficients", "checks"]
    validation = made["validation"]
    assert validation["measure"].tolist() == [
        "r2_modelled", "r2_residual", "auroc", "r2_loo", "r2_loo_ratio", "auroc_loo", "elpd_loo",
    ]  # fmt: skip
    assert validation["held_out"].tolist() == [False] * 3 + [True] * 4
    counts = validation[["rows", "columns", "exact_refits", "unreliable"]].drop_duplicates()
    assert counts.to_numpy().tolist() == [[50, 3, 1, 2]]
    again = rf.out_of_sample(made["held_out"], "s_index", 20, seeds.generator(3, "bootstrap"))
    np.testing.assert_array_equal(validation["lower"].tail(4), again["lower"])
    checks = rf.predictive_checks(draws, design, "gaussian", 0.7, seeds.generator(3, "checks"))
    assert made["checks"].equals(checks)
