"""Fit in and out of sample, on posteriors that are known in closed form."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation import seeds
from saturation.files.tables import round_as_csv
from studies.regression import validation as rf
from studies.regression.design import Design, squeezed
from studies.regression.predictive import Predicted, predicted
from studies.regression.priors import Effort, Gate, Priors, Specification

WIDE = Priors(intercept=5.0, coefficient=5.0, spread=5.0)


def normal_posterior(matrix, outcome, sd=0.5, size=4000, seed=0):
    """Draws of a Gaussian regression with known standard deviation and prior N(0, 25)."""
    precision = matrix.T @ matrix / sd**2 + np.eye(matrix.shape[1]) / 25
    covariance = np.linalg.inv(precision)
    mean = covariance @ matrix.T @ outcome / sd**2
    rng = np.random.default_rng(seed)
    draws = rng.multivariate_normal(mean, covariance, size=size)
    return rf.Draws(draws, np.full((size, 1), sd)), mean, covariance


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(4)
    matrix = np.column_stack([np.ones(50), rng.normal(size=(50, 2))])
    outcome = matrix @ [0.3, 1.0, 0.0] + rng.normal(0, 0.5, 50)
    names = np.array([f"b{i:02d}" for i in range(50)])
    design = Design(["Intercept", "age", "noise"], matrix, outcome, outcome > 0.5, names)
    return design, normal_posterior(matrix, outcome)[0]


def said(draws, design, likelihood="gaussian"):
    rng = np.random.default_rng(0)
    return predicted(draws, design.matrix, design.outcome, likelihood, rng)


FIT = np.var([0.5, 0.75], ddof=1)
LOG_FIT = np.var([0.0, np.log(3)], ddof=1)


@pytest.mark.parametrize(
    ("likelihood", "spread", "fit", "residual"),
    [
        ("beta", [[9.0]], FIT, np.mean([0.25, 0.1875]) / 10),
        ("bernoulli", None, FIT, np.mean([0.25, 0.1875])),
        ("gaussian", [[0.5]], LOG_FIT, 0.25),
    ],
)
def test_modelled_r2_by_hand(likelihood, spread, fit, residual):
    matrix = np.array([[0.0], [np.log(3)]])
    # The density of a Beta variable is finite within its limits alone.
    outcome = np.array([0.5, 0.75] if likelihood == "beta" else [0.0, 1.0])
    design = Design(["x"], matrix, outcome, outcome > 0.5, np.array([*"ab"]))
    draws = rf.Draws(np.ones((1, 1)), None if spread is None else np.array(spread))
    made = said(draws, design, likelihood)
    assert rf.r2_modelled(made)[0] == pytest.approx(fit / (fit + residual))


@given(st.lists(st.integers(0, 9), min_size=4, max_size=30))
def test_auroc_is_the_share_of_ordered_pairs(scores):
    scores = np.array(scores, dtype=float)
    positive = np.arange(len(scores)) % 2 == 0
    pairs = scores[positive][:, None] - scores[~positive][None, :]
    share = np.mean((pairs > 0) + 0.5 * (pairs == 0))
    assert rf.auroc(scores, positive) == pytest.approx(share)
    flat = np.full((1, len(scores)), 1 / len(scores))
    assert rf._weighted_auroc(scores, positive, flat)[0] == pytest.approx(share)


def test_models_are_compared_by_paired_differences():
    first = pd.DataFrame({"benchmark_id": ["a", "b", "c"], "elpd": [0.0, 1.0, 2.0]})
    second = first.assign(elpd=first["elpd"] - [0.1, 0.2, 0.3])
    table = rf.compare({"worse": second, "better": first}, 1)
    stretched = rf.compare({"worse": second, "better": first}, 3)
    for error in ("se", "difference_se"):
        np.testing.assert_allclose(stretched[error], table[error] * np.sqrt(2.5))
    assert table["model"].tolist() == ["better", "worse"]
    assert table["difference"].tolist() == pytest.approx([0.0, -0.6])
    assert table.loc[1, "difference_se"] == pytest.approx(0.1 * np.sqrt(3))
    assert table["elpd"].tolist() == pytest.approx([3.0, 2.4])
    # Standard deviations 1 and 0.9 of three benchmarks.
    assert table["se"].tolist() == pytest.approx([np.sqrt(3), 0.9 * np.sqrt(3)])
    assert table.loc[0, "difference_se"] == 0
    with pytest.raises(ValueError, match="same benchmarks"):
        rf.compare({"worse": second.head(2), "better": first}, 1)


def one_draw(prediction, outcome, saturated):
    """A Gaussian model whose one draw expects exactly the given predictions."""
    names = np.array([f"b{i:02d}" for i in range(len(prediction))])
    design = Design(["x"], prediction[:, None], outcome, saturated, names)
    return rf.Draws(np.ones((1, 1)), np.full((1, 1), 0.5)), design


def test_measures_of_fit_are_those_of_r(golden):
    """AUROC as R's Mann-Whitney statistic, with ties; R2 as ratios of R's variances."""
    table, expected = golden("regression_predictions"), golden("regression_validation")
    expected = expected.set_index("measure")["value"]
    prediction, outcome = table["prediction"].to_numpy(), table["outcome"].to_numpy()
    saturated = table["saturated"].to_numpy()
    draws, design = one_draw(prediction, outcome, saturated)
    assert rf.auroc(prediction, saturated) == pytest.approx(expected["auroc"], abs=1e-9)
    made = said(draws, design)
    for outcome_name, area in (("s_index", expected["auroc"]), ("log_gap", 1 - expected["auroc"])):
        score = rf.saturation_score(made.mean, outcome_name)
        assert rf.auroc(score, saturated) == pytest.approx(area)
    assert rf.r2_residual(made, outcome) == pytest.approx(expected["r2_residual"])
    held = table.assign(elpd=0.0, lower=0.0, upper=1.0)
    out = rf.score_predictions(held, "s_index", 10, np.random.default_rng(0), parts=1).set_index(
        "measure"
    )
    for measure, name in (("auroc_prediction", "auroc"), ("r2_prediction", "r2_prediction")):
        assert out.loc[measure, "value"] == pytest.approx(expected[name], abs=1e-9)


@pytest.fixture
def held(golden):
    elpd = np.linspace(-1, 1, 24) ** 3 + 0.25
    return golden("regression_predictions").assign(elpd=elpd, lower=0.0, upper=1.0)


@pytest.mark.parametrize(("parts", "factor"), [(1, 1.0), (3, 2.5**0.5)])
def test_the_bootstrap_weighs_benchmarks_by_a_flat_dirichlet(held, parts, factor):
    """What refits share of their benchmarks stretches intervals about the value, to 1 at most."""
    out = rf.score_predictions(held, "s_index", 200, np.random.default_rng(9), parts=parts)
    out = out.set_index("measure")
    weights = np.random.default_rng(9).dirichlet(np.ones(24), size=200)
    outcome, prediction = held["outcome"].to_numpy(), held["prediction"].to_numpy()
    positive = held["saturated"].to_numpy()
    pairs = prediction[positive][:, None] - prediction[~positive][None, :]
    by_hand = {"r2_prediction": [], "auroc_prediction": []}
    for w in weights:
        residual = np.cov(outcome - prediction, aweights=w, ddof=0)
        by_hand["r2_prediction"].append(1 - residual / np.cov(outcome, aweights=w, ddof=0))
        both = np.outer(w[positive], w[~positive])
        wins = (pairs > 0) + 0.5 * (pairs == 0)
        by_hand["auroc_prediction"].append((both * wins).sum() / both.sum())
    for measure, values in by_hand.items():
        row = out.loc[measure].astype(float)
        limits = row["value"] + factor * (np.quantile(values, [0.025, 0.975]) - row["value"])
        expected = [np.median(values), factor * np.std(values, ddof=1), *np.minimum(limits, 1)]
        np.testing.assert_allclose(row[["median", "sd", "lower", "upper"]], expected, rtol=1e-9)
    error = factor * np.sqrt(24 * held["elpd"].var())
    total = [6.0, 6.0, error, 6 - 1.959963985 * error, 6 + 1.959963985 * error]
    found = out.loc["elpd", ["value", "median", "sd", "lower", "upper"]].tolist()
    assert found == pytest.approx(total)


def test_outcomes_on_the_limits_are_covered_and_yes_and_no_are_not_counted():
    table = pd.DataFrame(
        {"outcome": [0.1, 0.5, 0.9, 0.2], "prediction": [0.2, 0.4, 0.6, 0.8], "elpd": 0.0,
         "saturated": [False, False, True, True],
         "lower": [0.1, 0.2, 0.2, 0.3], "upper": [0.4, 0.5, 0.8, 0.9]}
    )  # fmt: skip
    rng = np.random.default_rng(0)
    row = (
        rf.score_predictions(table, "s_index", 5, rng, parts=1).set_index("measure").loc["covered"]
    )
    assert row["value"] == 0.5
    assert row["sd"] == 0.25
    assert [row["lower"], row["upper"]] == pytest.approx([0.150036, 0.849964], abs=1e-5)
    without = rf.score_predictions(table, "saturated", 5, rng, parts=1)
    assert without["measure"].tolist() == ["r2_prediction", "auroc_prediction", "elpd"]


def test_the_rows_of_a_benchmark_predict_it_as_a_mixture():
    design = Design(
        ["x"], np.zeros((3, 1)), np.array([0.5, 0.5, 9.0]), np.array([True, True, False]),
        np.array(["b", "b", "a"]),
    )  # fmt: skip
    density = np.array([[0.1, 0.4, 0.3], [0.2, 0.1, 0.5]])
    made = Predicted(
        np.array([[1.0, 2.0, 5.0], [3.0, 6.0, 7.0]]), np.ones((2, 3)), np.log(density),
        np.array([[0.0, 1.0, 4.0], [2.0, 3.0, 8.0]]),
    )  # fmt: skip
    table = rf.predictions(made, design)
    assert table["benchmark_id"].tolist() == ["a", "b"]
    assert table["prediction"].tolist() == [6.0, 3.0]
    np.testing.assert_allclose(table["elpd"], np.log([0.4, 0.2]))
    assert table["outcome"].tolist() == [9.0, 0.5]
    assert table["saturated"].tolist() == [False, True]
    np.testing.assert_allclose(table["lower"], [4.1, 0.075])
    np.testing.assert_allclose(table["upper"], [7.9, 2.925])


def test_coefficients_of_known_draws():
    """Draws on a normal's quantiles: highest-density intervals are its central ones."""
    standard = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    rng = np.random.default_rng(0)
    shuffled = np.column_stack([rng.permutation(standard) + m for m in (0.0, 3.0, -3.0, 1.9)])
    table = rf.coefficients(shuffled, ["Intercept", "up", "down", "near"]).set_index("column")
    np.testing.assert_allclose(table["mean"], [0, 3, -3, 1.9], atol=1e-9)
    np.testing.assert_allclose(table["sd"], 1, atol=0.01)
    for share, half in ((50, 0.674), (95, 1.96)):
        centre = (table[f"lower_{share}"] + table[f"upper_{share}"]) / 2
        np.testing.assert_allclose(centre, table["mean"], atol=0.12)
        width = table[f"upper_{share}"] - table[f"lower_{share}"]
        np.testing.assert_allclose(width, 2 * half, atol=0.02)
    assert table["excludes_zero"].tolist() == [False, True, True, False]


def test_checks_count_the_index_that_was_moved_off_the_edges(data):
    """29 of the 60 benchmarks reach 0.7; two of them only before the index is moved."""
    index = data["s_index"].to_numpy()
    moved = squeezed(index)
    assert (moved >= 0.7).sum() == 27
    names = data["benchmark_id"].to_numpy(dtype=str)
    design = Design(["x"], np.zeros((60, 1)), moved, index >= 0.7, names)
    table = rf.predictive_checks(np.tile(moved, (3, 1)), design, "s_index", 0.7)
    row = table.set_index("statistic").loc["share at least 0.7"]
    assert row["observed"] * 60 == pytest.approx(29)
    assert row["replicated"] * 60 == pytest.approx(29)
    twice = Design(
        ["x"], np.zeros((120, 1)), np.repeat(moved, 2), np.repeat(index >= 0.7, 2),
        np.repeat(names, 2),
    )  # fmt: skip
    again = rf.predictive_checks(np.repeat(moved, 2)[None], twice, "s_index", 0.7)
    assert again.set_index("statistic").loc["mean", "observed"] == pytest.approx(index.mean())


def test_the_models_tables_hold_the_same_measures_of_each_kind_of_data(problem):
    design, draws = problem
    model = Specification("benchmarks", "log_gap", "gaussian", WIDE, "age + noise")
    made = said(draws, design)
    held = rf.HeldOut(
        rf.predictions(made, design), rf.summarise_draws(made, design, "log_gap"),
        pd.DataFrame({"fold": range(10)}),
    )  # fmt: skip
    tables = rf.tables(
        design, draws, {"folds": held, "singly": held}, model,
        saturated_from=0.7, bootstrap=20, seed=3,
    )  # fmt: skip
    assert list(tables) == ["validation", "coefficients", "checks"]
    validation = tables["validation"]
    measures = [
        "r2_modelled", "r2_residual", "auroc", "r2_prediction", "auroc_prediction", "elpd",
        "covered",
    ]  # fmt: skip
    for data in ("in_sample", "folds", "singly"):
        assert validation.loc[validation["data"] == data, "measure"].tolist() == measures
    assert validation[["rows", "columns"]].drop_duplicates().to_numpy().tolist() == [[50, 3]]
    again = rf.score_predictions(
        held.predictions, "log_gap", 20, seeds.generator(3, "bootstrap"), parts=10
    )
    np.testing.assert_array_equal(validation["lower"].tail(4), again["lower"])
    rng = seeds.generator(3, "checks")
    inside = predicted(draws, design.matrix, design.outcome, "gaussian", rng)
    assert tables["checks"].equals(rf.predictive_checks(inside.replicated, design, "log_gap", 0.7))
    expected = rf.summarise_draws(inside, design, "log_gap")
    np.testing.assert_array_equal(validation["value"].head(3), expected["value"])


LOOSE = Gate(rhat=1.5, ess=5, divergences=0)


@pytest.fixture
def six():
    rng = np.random.default_rng(1)
    matrix = np.column_stack([np.ones(6), rng.normal(size=6)])
    names = np.array(["a", "b", "b", "c", "d", "e"])
    saturated = np.array([True, False, False, True, False, True])
    return Design(["Intercept", "age"], matrix, rng.uniform(0.2, 0.8, 6), saturated, names)


@given(
    rows=st.lists(st.integers(0, 30), min_size=2, max_size=80),
    folds=st.integers(2, 12),
    seed=st.integers(0, 99),
)
def test_rows_of_a_benchmark_leave_together_in_parts_of_like_size(rows, folds, seed):
    names = np.array([f"b{row:02d}" for row in rows])
    fold = rf.fold_of_rows(names, "folds", folds, seed)
    of_benchmark = {name: set(fold[names == name]) for name in names}
    assert all(len(numbers) == 1 for numbers in of_benchmark.values())
    sizes = np.bincount([next(iter(numbers)) for numbers in of_benchmark.values()])
    assert sizes.max() - sizes.min() <= 1
    assert len(sizes) == min(folds, len(of_benchmark))
    singly = rf.fold_of_rows(names, "singly", folds, seed)
    assert len(set(singly)) == len(of_benchmark)
    assert all(len(set(names[singly == number])) == 1 for number in singly)


class Sampler:
    """Stands in for the sampler; notes what it was asked for, and fails where it is told to."""

    def __init__(self, posterior_of, failing=()):
        self.calls = []
        self._posterior_of, self._failing = posterior_of, failing

    def __call__(self, design, seed, effort):
        self.calls.append((design, effort, seed))
        posterior = self._posterior_of(design, "beta", seed, effort.draws)
        if len(self.calls) in self._failing:
            posterior["sample_stats"]["diverging"][0, 0] = True
        return posterior


def test_a_row_is_predicted_by_a_posterior_that_has_not_seen_it(six, specified, posterior_of):
    sampler, model = Sampler(posterior_of), specified["reference"]
    fold = np.array([0, 1, 1, 0, 2, 2])
    held = rf.predict_held_out(
        sampler, six, model, fold, effort=Effort(60, 10, 2), gate=LOOSE, seed=5
    )
    said = Predicted(*(np.empty((120, 6)) for _ in range(4)))
    for number, (seen, effort, seed) in enumerate(sampler.calls):
        out = fold == number
        np.testing.assert_array_equal(seen.benchmark, six.benchmark[~out])
        np.testing.assert_array_equal(seen.outcome, six.outcome[~out])
        assert effort == Effort(60, 10, 2)
        assert seed == seeds.derive(5, number)
        part = predicted(
            rf.Draws.extract(posterior_of(seen, "beta", seed, 60)), six.matrix[out],
            six.outcome[out], "beta", seeds.generator(5, number, "replicated"),
        )  # fmt: skip
        for name, values in vars(part).items():
            getattr(said, name)[:, out] = values
    assert held.predictions.equals(round_as_csv(rf.predictions(said, six)))
    assert held.measures.equals(round_as_csv(rf.summarise_draws(said, six, "s_index")))
    assert held.refits["fold"].tolist() == [0, 1, 2]
    assert held.refits["benchmarks"].tolist() == [2, 1, 2]
    assert held.refits["draws"].tolist() == [60] * 3
    assert held.refits["divergences"].tolist() == [0] * 3
    assert held.refits["rhat"].between(0.9, 1.5).all()
    assert held.refits["ess"].between(5, 500).all()


def test_a_longer_refit_is_thinned_to_the_draws_of_the_others(six, specified, posterior_of):
    sampler = Sampler(posterior_of, failing=(1, 2))
    fold = np.array([0, 1, 1, 0, 1, 1])
    held = rf.predict_held_out(
        sampler, six, specified["reference"], fold,
        effort=Effort(60, 10, 2), gate=LOOSE, seed=5,
    )  # fmt: skip
    assert [call[1].draws for call in sampler.calls] == [60, 120, 240, 60]
    assert held.refits["draws"].tolist() == [240, 60]
    seen = six.drop_rows(fold == 0)
    draws = rf.Draws.extract(posterior_of(seen, "beta", seeds.derive(5, 0), 240)).thin(4)
    part = predicted(draws, six.matrix[[0]], six.outcome[[0]], "beta", np.random.default_rng(0))
    assert held.predictions.loc[0, "prediction"] == pytest.approx(part.mean.mean())


def test_a_model_leaves_by_the_scheme_with_seeds_of_its_own(six, specified, posterior_of):
    section = {"folds": 3, "draws": 60, "tune": 10, "chains": 2, "rhat": 1.5, "ess": 5}
    drawn = set()
    for name in ("a", "b"):
        sampler = Sampler(posterior_of)
        held = rf.refitted(
            sampler, six, specified["reference"], rf.SINGLY,
            refits=section, divergences=0, seed=7, name=name,
        )  # fmt: skip
        assert len(held.refits) == 5
        assert {effort for _, effort, _ in sampler.calls} == {Effort(60, 10, 2)}
        own = seeds.derive(7, "regression", "refits", name, rf.SINGLY)
        assert sampler.calls[0][2] == seeds.derive(own, 0)
        drawn |= {seed for *_, seed in sampler.calls}
    assert len(drawn) == 10


def test_a_simulated_outcome_has_the_moments_of_its_parameters():
    priors = Priors(intercept=0.3, coefficient=0.2, spread=20.0)
    truth, outcome = rf.simulated(np.ones((20_000, 1)), priors, np.random.default_rng(1))
    mean = 1 / (1 + np.exp(-truth[0]))
    assert outcome.mean() == pytest.approx(mean, rel=0.01)
    assert outcome.var() == pytest.approx(mean * (1 - mean) / (1 + truth[1]), rel=0.05)


def test_every_simulation_has_its_own_stream_and_ranks_all_parameters(posterior_of):
    rng = np.random.default_rng(0)
    matrix = np.column_stack([np.ones(8), rng.normal(size=8)])
    names = np.array([f"b{i}" for i in range(8)])
    design = Design(["Intercept", "age"], matrix, np.full(8, 0.5), np.ones(8, bool), names)
    priors = Priors(intercept=0.3, coefficient=0.2, spread=20.0)
    calls = []

    def draw(design, seed, effort):
        calls.append((design, effort, seed))
        return posterior_of(design, "beta", seed, effort.draws)

    table = rf.calibrated(draw, design, priors, Effort(40, 10, 2), simulations=3, ranked=9, seed=5)
    assert table["simulation"].tolist() == [0] * 3 + [1] * 3 + [2] * 3
    assert table["parameter"].tolist() == ["Intercept", "age", "spread"] * 3
    for simulation, (made, effort, seed) in enumerate(calls):
        rng = seeds.generator(5, "regression", "calibration", simulation)
        truth, outcome = rf.simulated(matrix, priors, rng)
        np.testing.assert_array_equal(made.outcome, outcome)
        np.testing.assert_array_equal(made.matrix, matrix)
        assert effort == Effort(40, 10, 2)
        assert seed == int(rng.integers(2**31))
        drawn = rf.Draws.extract(posterior_of(made, "beta", seed, 40))
        draws = np.column_stack([drawn.coefficient, drawn.spread]).T
        ranks = table.loc[table["simulation"] == simulation, "rank"].tolist()
        assert ranks == rf.simulation_ranks(truth, draws, 9).tolist()


def test_a_rank_counts_the_thinned_draws_below_the_truth():
    draws = np.array([np.arange(10.0), np.full(10, 2.0)])
    # Four of ten, evenly over all: places 0, 3, 6 and 9.
    assert rf.simulation_ranks(np.array([6.0, 2.0]), draws, 4).tolist() == [2, 0]
    assert rf.simulation_ranks(np.array([6.1, 2.1]), draws, 4).tolist() == [3, 4]
    assert rf.simulation_ranks(np.array([-1.0, 3.0]), draws, 10).tolist() == [0, 10]


def test_the_expected_share_of_a_bin_is_its_number_of_ranks():
    """Ranks 0..9 in three bins hold 3, 4 and 3 ranks."""
    for counts, by_hand in (([3, 4, 3], 0), ([4, 4, 2], 1 / 3 + 0 + 1 / 3)):
        table = pd.DataFrame({"parameter": "p", "rank": np.repeat([1, 5, 8], counts)})
        found = rf.rank_uniformity(table.assign(simulation=range(10)), 9, bins=3)
        assert found["chi_squared"].item() == pytest.approx(by_hand)
