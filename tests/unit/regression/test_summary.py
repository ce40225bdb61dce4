"""What is said over all models, and the names under which the ledger finds it."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from saturation.regression import summary


@pytest.fixture
def coefficients():
    rows = [
        ("a", "age", 0.5, 0.1, 0.9, True),
        ("b", "age", 0.4, -0.1, 0.9, False),
        ("a", "private", 0.2, -0.5, 0.9, False),
        ("b", "private", -0.2, -0.9, 0.5, False),
        ("a", "age:log_n", 0.1, -0.1, 0.3, False),
        ("a", "metrics[f1;recall]", 0.1, -0.1, 0.3, False),
    ]
    columns = ["model", "column", "mean", "lower_95", "upper_95", "excludes_zero"]
    return pd.DataFrame(rows, columns=columns)


def test_an_effect_counts_the_models_that_contain_it(coefficients):
    effects = summary.effects(coefficients).set_index("column")
    assert effects.loc["age", ["models", "excludes_zero", "share"]].tolist() == [2, 1, 0.5]
    assert effects.loc["age", "sign_kept"]
    assert not effects.loc["private", "sign_kept"]
    assert "log_n" not in effects.index


def test_without_a_beta_model_there_are_no_effects_and_the_largest_share_is_missing():
    none = summary.effects(pd.DataFrame(columns=["column", "model", "mean", "excludes_zero"]))
    assert none.empty
    fit = pd.DataFrame(columns=["model", "measure", "value", "data"])
    located = pd.DataFrame(columns=["control", "predictor"])
    table = summary.quantities(fit, pd.DataFrame(columns=["column", "model"]), none, located)
    assert table.set_index("quantity")["value"].isna()["share_excluding_zero_most_other"]


def test_every_quantity_is_named_once_as_the_ledger_expects(coefficients):
    fit = pd.DataFrame(
        {
            "model": "a",
            "measure": ["r2_modelled", "auroc", "r2_prediction"] * 3,
            "data": np.repeat(["in_sample", "folds", "singly"], 3),
            "value": [0.4, 0.75, 0.1, 0.5, 0.65, 0.2, 0.6, 0.55, 0.3],
            "median": [0.4, 0.76, 0.1, 0.5, 0.66, 0.2, 0.6, 0.56, 0.3],
            "sd": 0.05,
            "lower": 0.0,
            "upper": 1.0,
            "rows": 60,
            "columns": 3,
        }
    )
    located = pd.DataFrame(
        [("n_test", "log_n", -0.4, -0.8, -0.1, 0.3, 200)],
        columns=[
            "control", "predictor", "null_mean", "null_lower", "null_upper", "p_two_sided",
            "permutations",
        ],
    )  # fmt: skip
    table = summary.quantities(fit, coefficients, summary.effects(coefficients), located)
    assert not table["quantity"].duplicated().any()
    named = table.set_index("quantity")["value"]
    assert named["r2_bayes__a_modelled"] == 0.4
    assert named["r2_bayes_sd__a_modelled"] == 0.05
    assert named["auroc__a"] == 0.76
    assert named["r2_in_sample_a"] == 0.1
    assert named["r2_bayes_held_out__a_modelled"] == 0.5
    assert named["auroc_draws_held_out__a"] == 0.66
    assert named["r2_held_out_a"] == 0.2
    assert named["r2_bayes_leave_one_out__a_modelled"] == 0.6
    assert named["r2_leave_one_out_a"] == 0.3
    assert "r2_bayes_sd_held_out__a_modelled" not in named
    assert named["coefficient_a_age_log_n"] == 0.1
    assert named["share_excluding_zero_most_other"] == 0.0
    assert named["permuted_n_test_log_n_p"] == 0.3
    assert not any("metrics" in name for name in named.index)


def test_effects_at_their_edges(coefficients):
    effects = summary.effects(coefficients).set_index("column")
    assert list(effects.index) == ["age", "private"]
    assert effects.loc["age", ["predictor", "lowest", "highest"]].tolist() == ["age", 0.4, 0.5]
    assert effects.loc["private", ["lowest", "highest"]].tolist() == [-0.2, 0.2]
    negative = coefficients.assign(mean=[-0.5, -0.4, -0.2, -0.2, 0.1, 0.1])
    assert summary.effects(negative).set_index("column")["sign_kept"].tolist() == [True, True]


def test_coefficients_of_named_columns_become_quantities_with_their_interval(coefficients):
    empty = pd.DataFrame(columns=["model", "measure", "value", "data"])
    located = pd.DataFrame(columns=["control", "predictor"])
    table = summary.quantities(empty, coefficients, summary.effects(coefficients), located)
    table = table.set_index("quantity")
    row = table.loc["coefficient_b_age"]
    assert row[["value", "lower", "upper"]].tolist() == [0.4, -0.1, 0.9]
    assert table.loc["share_excluding_zero_age", "value"] == 0.5
    assert table.loc["share_excluding_zero_private", "value"] == 0.0
    assert "of the 2 Beta models" in table.loc["share_excluding_zero_age", "note"]
    # Age and test-set size do not count among the others.
    assert table.loc["share_excluding_zero_most_other", "value"] == 0.0


def test_names_of_quantities_hold_letters_digits_and_underscores():
    assert summary.identifier("Age:log_n [T.x]") == "age_log_n_t_x"


def test_tables_lie_one_under_the_other_with_their_name_in_front():
    tables = {"b": pd.DataFrame({"x": [1, 2]}), "a": pd.DataFrame({"x": [3]})}
    made = summary.stacked(tables)
    assert made.to_dict("list") == {"model": ["b", "b", "a"], "x": [1, 2, 3]}
    assert list(made.index) == [0, 1, 2]
    assert list(tables["b"]) == ["x"]
    assert list(summary.stacked(tables, "outcome")) == ["outcome", "x"]


def test_the_forest_is_of_the_papers_interactions_if_they_ran():
    assert summary.drawn_as_forest(["main", "interaction"]) == "interaction"
    assert summary.drawn_as_forest(["onehot", "main"]) == "onehot"


def test_models_are_compared_within_an_outcome_and_effects_are_those_of_saturation(specified):
    names = list(specified)
    held = {
        name: pd.DataFrame({"benchmark_id": ["x", "y"], "elpd": [float(i), 1.0]})
        for i, name in enumerate(names)
    }
    estimates = {
        name: pd.DataFrame(
            {"column": ["age"], "mean": [0.1 * (i + 1)], "lower_95": [0.01], "upper_95": [0.9],
             "excludes_zero": [name != "interaction"]}
        )
        for i, name in enumerate(names)
    }  # fmt: skip
    fits = {
        name: pd.DataFrame(
            {"measure": ["auroc"], "value": 0.7, "median": 0.7, "sd": 0.1, "lower": 0.5,
             "upper": 0.9, "data": "in_sample", "rows": 60, "columns": 3}
        )
        for name in names
    }  # fmt: skip
    located = pd.DataFrame(columns=["control", "predictor"])
    made = summary.tables(specified, fits, estimates, held, located, 10)
    assert list(made) == ["fit", "effects", "comparison", "quantities"]
    assert made["fit"]["model"].tolist() == names
    comparison = made["comparison"]
    assert comparison["outcome"].tolist() == ["s_index", "s_index", "log_gap", "saturated"]
    assert comparison["model"].tolist() == ["interaction", "reference", "gap", "yes_or_no"]
    # Three models of saturation, without that of the gap; two of them have the Beta likelihood.
    assert made["effects"][["models", "excludes_zero"]].to_numpy().tolist() == [[3, 2]]
    quantities = made["quantities"].set_index("quantity")
    assert quantities.loc["share_excluding_zero_age", "value"] == 0.5
    assert summary.judged_models(specified) == ["reference", "interaction"]
    assert "coefficient_gap_age" in quantities.index


def test_a_horseshoe_another_link_and_all_products_do_not_change_what_is_judged(specified):
    main = specified["reference"]
    priors = dataclasses.replace(main.priors, nonzero=2)
    models = {
        "main": main,
        "sparse": dataclasses.replace(main, priors=priors),
        "probit": dataclasses.replace(main, likelihood="beta_probit"),
        "pairs": dataclasses.replace(main, formula="(age + log_n) ** 2"),
    }
    assert summary.judged_models(models) == ["main"]
