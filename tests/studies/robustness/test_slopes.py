"""Slopes and components against R, lme4 and statsmodels; slopes of public answers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.files.tables import load_table
from studies.robustness import slopes

GOLDEN = Path(__file__).parents[2] / "golden"


def golden(name, index):
    return load_table(GOLDEN / f"robustness_{name}.csv").set_index(index)


def drawn(n_models, n_datasets, model_sd, dataset_sd, residual_sd, seed):
    generator = np.random.default_rng(seed)
    model = np.repeat(np.arange(n_models), n_datasets)
    dataset = np.tile(np.arange(n_datasets), n_models)
    x = generator.uniform(0.3, 1, len(model))
    y = (
        -0.16
        + 1.05 * x
        + generator.normal(0, model_sd, n_models)[model]
        + generator.normal(0, dataset_sd, n_datasets)[dataset]
        + generator.normal(0, residual_sd, len(model))
    )
    return pd.DataFrame(
        {
            "model": [f"m{i}" for i in model],
            "dataset": [f"d{i}" for i in dataset],
            "performance": x,
            "output_consistency": y,
        }
    )


def criterion(pairs, model_variance, dataset_variance):
    """REML criterion at relative variances, from the covariance of all pairs."""
    x, y = (pairs[name].to_numpy() for name in ("performance", "output_consistency"))
    fixed = np.column_stack([np.ones_like(x), x])
    groups = [pd.get_dummies(pairs[name]).to_numpy(float) for name in ("model", "dataset")]
    parts = [each @ each.T for each in groups]
    spread = np.eye(len(x)) + model_variance * parts[0] + dataset_variance * parts[1]
    inverse = np.linalg.inv(spread)
    information = fixed.T @ inverse @ fixed
    rest = y - fixed @ np.linalg.solve(information, fixed.T @ inverse @ y)
    determinants = np.linalg.slogdet(spread)[1] + np.linalg.slogdet(information)[1]
    return determinants + (len(x) - 2) * np.log(rest @ inverse @ rest)


def test_nothing_on_a_grid_is_more_likely_than_the_fit():
    """By a standard deviation the criterion is flat at zero, where a search can end too early."""
    grid = [0.0, *np.geomspace(1e-3, 30, 12)]
    for seed in range(4):
        pairs = drawn(9, 6, model_sd=0.02, dataset_sd=0.06, residual_sd=0.06, seed=seed)
        fit = slopes.fit_crossed(slopes.Design.build(pairs))
        least = min(criterion(pairs, models, datasets) for models in grid for datasets in grid)
        assert criterion(pairs, *fit.relative[:2]) <= least + 1e-7


@pytest.fixture(scope="module")
def measured():
    return load_table(GOLDEN / "robustness_slopes_data.csv")


def test_readings_are_those_of_r(measured):
    """Least squares, its HC3 errors by sandwich, and the mixed model of lme4."""
    table = slopes.readings(measured, 0.9).set_index("reading")
    expected = golden("slopes", "reading")
    assert list(table.index) == list(expected.index)
    columns = ["slope", "lower", "upper", "intercept", "r_squared"]
    # Models and datasets both have effects here: all pairs are not independent.
    expected.loc[list(slopes.PLAIN), ["lower", "upper"]] = np.nan
    # The mixed model is found by iteration, here and there.
    for reading, precision in zip(expected.index, [1e-9] * 2 + [1e-6]):
        row = expected.loc[reading, columns].tolist()
        values = pytest.approx(row, rel=precision, abs=precision, nan_ok=True)
        assert table.loc[reading, columns].tolist() == values
    assert (table["n"] == len(measured)).all()


def test_components_are_those_of_lme4(measured):
    fit = slopes.fit_crossed(slopes.Design.build(measured))
    sds = golden("components", "component")["sd"]
    # The criterion is flat at its minimum: both stop within a few millionths of it.
    assert fit.sds == pytest.approx(sds[["model", "dataset", "Residual"]].to_numpy(), rel=2e-5)


def test_group_tests_are_those_of_r(measured):
    table = slopes.group_tests(measured).set_index("term")
    expected = golden("group_tests", "term")
    assert (table.pop("note") == "").all()
    pd.testing.assert_frame_equal(table, expected, check_dtype=False, rtol=1e-8)


def test_outliers_are_those_of_r(measured):
    table = slopes.outliers(measured, 0.13)
    expected = load_table(GOLDEN / "robustness_outliers.csv")
    pd.testing.assert_frame_equal(table[expected.columns], expected, rtol=1e-8, atol=1e-12)
    assert table["outlier"].tolist() == [True] + [False] * 38
    columns = ["model", "dataset", "performance", "output_consistency"]
    pd.testing.assert_frame_equal(
        table[columns].sort_values(columns, ignore_index=True),
        measured[columns].sort_values(columns, ignore_index=True),
    )


def test_an_outlier_lies_below_the_level_not_at_it(measured):
    p = slopes.outliers(measured, 0.05)["p_bonferroni"].iloc[0]
    assert not slopes.outliers(measured, p)["outlier"].any()
    assert slopes.outliers(measured, np.nextafter(p, 1))["outlier"].sum() == 1


def test_more_pairs_than_effects_have_the_criterion_of_all_pairs():
    """The model is solved in as many coordinates as it has columns."""
    pairs = drawn(12, 9, 0.05, 0.1, 0.05, seed=2)
    design = slopes.Design.build(pairs)
    assert design.further == 108 - (12 + 9 + 2 + 1)
    solved = [slopes._solve(design, place) for place in ((0.5, 2.0), (1.0, 0.0))]
    difference = solved[0].criterion - solved[1].criterion
    expected = criterion(pairs, 0.5, 2.0) - criterion(pairs, 1.0, 0.0)
    assert difference == pytest.approx(expected)


def test_plain_readings_have_intervals_where_one_group_has_no_effect():
    pairs = drawn(9, 6, model_sd=0.0, dataset_sd=0.0, residual_sd=0.04, seed=3)
    fit = slopes.fit_crossed(slopes.Design.build(pairs))
    assert fit.sds.min() == 0
    plain = slopes.readings(pairs, 0.95).set_index("reading").loc["ols"]
    found = stats.linregress(pairs["performance"], pairs["output_consistency"])
    half = stats.t.ppf(0.975, len(pairs) - 2) * found.stderr
    assert plain["upper"] - found.slope == pytest.approx(half)
    assert found.slope - plain["lower"] == pytest.approx(half)


def test_shares_are_those_of_draws_from_the_prior_weighted_by_the_likelihood():
    """The same posterior without a grid: coefficients and error integrated over all pairs."""
    pairs = drawn(6, 5, 0.1, 0.05, 0.05, 7)
    table = slopes.variance_shares(pairs, 0.8, np.random.default_rng(1)).set_index("component")
    generator = np.random.default_rng(2)
    x, y = (pairs[name].to_numpy() for name in ("performance", "output_consistency"))
    fixed = np.column_stack([np.ones_like(x), x])
    model, dataset = (
        each @ each.T for name in ("model", "dataset")
        for each in [pd.get_dummies(pairs[name]).to_numpy(float)]
    )  # fmt: skip
    relative = generator.standard_cauchy((10_000, 2, 1, 1)) ** 2
    spread = np.eye(len(x)) + relative[:, 0] * model + relative[:, 1] * dataset
    inverse = np.linalg.inv(spread)
    covariance = np.linalg.inv(fixed.T @ inverse @ fixed)
    middle = covariance @ (fixed.T @ inverse @ y)[..., None]
    rest = y - (fixed @ middle)[..., 0]
    squares = np.einsum("ni,nij,nj->n", rest, inverse, rest)
    likelihood = np.linalg.slogdet(covariance)[1] - np.linalg.slogdet(spread)[1]
    likelihood = (likelihood - (len(x) - 2) * np.log(squares)) / 2
    weights = np.exp(likelihood - likelihood.max())
    kept = generator.choice(len(weights), 10_000, p=weights / weights.sum())
    error = squares[kept] / generator.chisquare(len(x) - 2, len(kept))
    wide = np.sqrt(error * covariance[kept, 1, 1])
    slope = middle[kept, 1, 0] + wide * generator.standard_normal(len(kept))
    model_variance, dataset_variance = error * relative[kept, :, 0, 0].T
    variances = [slope**2 * x.var(ddof=1), dataset_variance, model_variance, error]
    draws = variances / np.sum(variances, axis=0)
    assert table["share"].tolist() == pytest.approx(draws.mean(axis=1), abs=0.02)
    expected = np.quantile(draws, [0.1, 0.9], axis=1).T
    assert table[["lower", "upper"]].to_numpy() == pytest.approx(expected, abs=0.03)
    assert table["share"].sum() == pytest.approx(1)


def test_an_exact_line_leaves_no_variance():
    x = np.linspace(0.2, 0.9, 12)
    pairs = pd.DataFrame(
        {
            "model": [f"m{i % 4}" for i in range(12)],
            "dataset": [f"d{i // 4}" for i in range(12)],
            "performance": x,
            "output_consistency": 0.1 + 0.5 * x,
        }
    )
    fit = slopes.fit_crossed(slopes.Design.build(pairs))
    assert fit.coefficients == pytest.approx([0.1, 0.5])
    assert fit.sds.max() < 1e-5


def public(models=12, datasets=("a", "b", "c"), slope=0.8, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for place, dataset in enumerate(datasets):
        for model in range(models):
            x = 0.2 + 0.05 * model + 0.05 * place + rng.normal(0, 0.02)
            rows.append((f"m{model}", dataset, x, 0.1 + slope * x + rng.normal(0, noise)))
    table = pd.DataFrame(rows, columns=["model", "dataset", "performance", "output_consistency"])
    return pd.concat([table.assign(measure=name) for name in slopes.MAIN], ignore_index=True)


def test_too_few_models_have_no_slope():
    table = slopes.trends(public(models=slopes.FEWEST - 1), 0.95)
    inside = table[table["dataset"] != "all"]
    assert inside["slope"].isna().all()
    assert inside["n"].eq(slopes.FEWEST - 1).all()
    assert table.loc[table["dataset"] == "all", "slope"].notna().all()
    alone = slopes.trends(public(datasets=("a",), models=slopes.FEWEST), 0.95)
    assert alone["slope"].notna().all()
    assert "all" not in set(alone["dataset"])


def runs():
    """Five models; a sixth has no prompt q on d, and data set e has two models."""
    rows = [("d", f"m{m}", "p", seed, 0.5 + m / 100, 0.3) for m in range(6) for seed in (1, 2)]
    rows += [("d", f"m{m}", "q", 1, 0.9, 0.1) for m in range(5)]
    rows += [("e", f"m{m}", "p", 1, 0.4, 0.2) for m in range(2)]
    names = ["dataset", "model", "prompt", "seed", "accuracy", "sensitivity"]
    return pd.DataFrame(rows, columns=names)


def test_only_prompts_that_all_models_had_are_compared():
    table = slopes.measure_runs(runs())
    assert table["dataset"].unique().tolist() == ["d"]
    assert table["performance"].tolist() == pytest.approx([0.5 + m / 100 for m in range(6)])
    assert table["output_consistency"].tolist() == pytest.approx([0.7] * 6)
    without = runs()[lambda rows: rows["model"] != "m5"]
    both = slopes.measure_runs(without)
    # Prompts weigh the same, however many seeds they had.
    assert both["performance"].iloc[0] == pytest.approx((0.5 + 0.9) / 2)
    assert both["output_consistency"].iloc[0] == pytest.approx((0.7 + 0.9) / 2)


def test_pairs_hold_every_measure_that_is_known():
    variants = pd.DataFrame(
        {
            "model": ["a", "b"],
            "dataset": "d",
            "performance": [0.2, 0.4],
            **{column: [0.1, 0.2] for column in slopes.PARAPHRASES.values()},
        }
    ).assign(answer_consistency=[np.nan, 0.3])
    table = slopes.trend_pairs(variants, runs())
    assert table["measure"].value_counts().to_dict() == {
        "verdicts": 2, "answers": 1, "always_right": 2, "score_std": 2, "std_skewness": 2,
        "drop": 2, "inputs": 6,
    }  # fmt: skip


ESTIMATES = ["slope", "lower", "upper", "intercept", "r_squared"]


@pytest.mark.parametrize(
    ("shape", "estimable"),
    [
        ((1, 6), {"ols", "ols_hc3"}),
        ((6, 1), {"ols", "ols_hc3"}),
        ((2, 2), {"ols", "ols_hc3"}),
        ((2, 3), {"ols", "ols_hc3", "mixed"}),
        ((2, 1), set()),
    ],
)
def test_readings_without_an_error_are_empty_and_say_why(shape, estimable):
    table = slopes.readings(drawn(*shape, 0.02, 0.06, 0.06, seed=1), 0.95).set_index("reading")
    assert set(table.index[table["slope"].notna()]) == estimable
    empty = table[table["slope"].isna()]
    assert empty[ESTIMATES].isna().all(axis=None)
    assert empty["note"].str.startswith("not estimable: ").all()
    assert (table.loc[list(estimable), "note"] == "").all()


@pytest.mark.parametrize(("shape", "estimable"), [((1, 6), 0), ((6, 1), 0), ((2, 3), 1)])
def test_effects_of_one_level_have_no_shares_and_no_tests(shape, estimable):
    pairs = drawn(*shape, 0.02, 0.06, 0.06, seed=1)
    shares = slopes.variance_shares(pairs, 0.95, np.random.default_rng(1))
    tests = slopes.group_tests(pairs)
    assert shares["component"].tolist() == slopes.SHARES
    assert shares[["share", "lower", "upper"]].notna().all(axis=None) == estimable
    assert tests[["f", "p"]].notna().all(axis=None) == estimable
    for table in (shares, tests):
        assert table["note"].str.contains("models: ").all() != estimable


def test_equal_scores_have_no_slope():
    pairs = drawn(4, 3, 0.02, 0.06, 0.06, seed=1)
    for column, measure in (("performance", "performance"), ("output_consistency", "consistency")):
        table = slopes.readings(pairs.assign(**{column: 1.0}), 0.95)
        assert table[ESTIMATES].isna().all(axis=None)
        assert table["note"].str.contains(f"{measure} does not vary").all()
    assert not slopes.outliers(pairs.assign(performance=1.0), 0.05)["outlier"].any()


def test_pair_beside_pairs_on_a_line_is_not_judged():
    pairs = drawn(1, 4, 0, 0, 0, seed=1).assign(
        performance=[0.0, 1.0, 2.0, 3.0], output_consistency=[0.0, 0.0, 0.0, 1.0]
    )
    table = slopes.outliers(pairs, 0.05)
    assert table["outlier"].sum() == 0
    assert table["studentised"].isna().sum() == 1
