"""What is said over all models, and the names under which the ledger finds it."""

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
    fit = pd.DataFrame(columns=["model", "measure", "value", "held_out"])
    located = pd.DataFrame(columns=["control", "predictor"])
    table = summary.quantities(fit, pd.DataFrame(columns=["column", "model"]), none, located)
    assert table.set_index("quantity")["value"].isna()["share_excluding_zero_most_other"]


def test_every_quantity_is_named_once_as_the_ledger_expects(coefficients):
    fit = pd.DataFrame(
        {
            "model": "a",
            "measure": ["r2_modelled", "auroc", "r2_loo"],
            "held_out": [False, False, True],
            "exact_refits": 2,
            "unreliable": 0,
            "value": [0.4, 0.75, 0.1],
            "median": [0.4, 0.76, 0.1],
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
    doubtful = fit.tail(1).assign(measure="auroc_loo", unreliable=5)
    fit = pd.concat([fit, doubtful])
    table = summary.quantities(fit, coefficients, summary.effects(coefficients), located)
    assert not table["quantity"].duplicated().any()
    named = table.set_index("quantity")["value"]
    assert named["r2_bayes__a_modelled"] == 0.4
    assert named["r2_bayes_sd__a_modelled"] == 0.05
    assert named["auroc__a"] == 0.76
    assert named["r2_loo_a"] == 0.1
    assert pd.isna(named["auroc_loo_a"])
    assert "(5); their exact refits" in table.set_index("quantity").loc["auroc_loo_a", "note"]
    assert named["coefficient_a_age_log_n"] == 0.1
    assert named["share_excluding_zero_most_other"] == 0.0
    assert named["permuted_n_test_log_n_p"] == 0.3
    assert not any("metrics" in name for name in named.index)
