"""Figures of the regression draw what their tables say."""

import numpy as np
import pandas as pd
import pytest

from studies.regression import figures as rf

pytestmark = pytest.mark.usefixtures("styled")

MODELS = {"main": 20, "interaction": 26, "onehot": 63, "exploded": 67}


@pytest.fixture
def fit():
    rows = []
    for place, (model, columns) in enumerate(MODELS.items()):
        for measure, data, value in (
            ("r2_prediction", "in_sample", 0.30 + 0.2 * place),
            ("r2_prediction", "folds", 0.05 - 0.2 * place),
            ("r2_residual", "in_sample", 0.34 + 0.18 * place),
            ("r2_residual", "folds", 0.2 + 0.05 * place),
            ("auroc", "in_sample", 0.75 + 0.07 * place),
            ("auroc", "folds", 0.62 - 0.04 * place),
        ):
            rows.append(
                {
                    "model": model, "columns": columns, "rows": 115 if place == 3 else 60,
                    "measure": measure, "value": value, "data": data,
                    "lower": value - 0.1, "upper": value + 0.05,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture
def coefficients():
    names = ["Intercept", "age", "log_n", "private"]
    mean = np.array([0.1, 0.4, -0.5, 0.05])
    return pd.DataFrame(
        {
            "column": names, "mean": mean, "lower_50": mean - 0.1, "upper_50": mean + 0.1,
            "lower_95": mean - 0.3, "upper_95": mean + 0.3,
            "excludes_zero": [False, True, True, False],
        }
    )  # fmt: skip


def test_figures_are_those_that_were_read_through(
    fit, coefficients, overlapping, figures_as_reviewed
):
    drawn = {
        "overfitting": rf.overfitting(fit, 0.7),
        "forest": rf.forest(coefficients, 60, "interaction"),
    }
    figures_as_reviewed("regression", drawn)
    assert overlapping(drawn["overfitting"]) == overlapping(drawn["forest"]) == []


def test_titles_at_their_edges(coefficients):
    none = coefficients.assign(excludes_zero=False)
    assert rf.forest(none, 60, "x").get_suptitle() == "0 of 3 coefficients are clear of zero"
    five = pd.concat([coefficients.assign(excludes_zero=True)] * 2)
    assert rf.forest(five, 60, "x").get_suptitle() == "6 of 6 coefficients are clear of zero"
    four = pd.concat([coefficients, coefficients.iloc[1:2]]).assign(excludes_zero=True)
    assert ":" in rf.forest(four, 60, "x").get_suptitle()
