"""Figures of the regression draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from saturation.drawing import style
from saturation.regression import figures as rf

MODELS = {"main": 20, "interaction": 26, "onehot": 63, "exploded": 67}


@pytest.fixture(autouse=True)
def styled():
    with style.style():
        yield


@pytest.fixture
def fit():
    rows = []
    for place, (model, columns) in enumerate(MODELS.items()):
        for measure, value in (
            ("r2_residual", 0.34 + 0.18 * place),
            ("r2_loo", 0.05 - 0.2 * place),
            ("auroc", 0.75 + 0.07 * place),
            ("auroc_loo", 0.62 - 0.04 * place),
        ):
            rows.append(
                {
                    "model": model, "columns": columns, "rows": 115 if place == 3 else 60,
                    "measure": measure, "value": value,
                    "lower": value - 0.1, "upper": value + 0.05, "unreliable": 0,
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


def test_the_overfitting_curve_has_both_curves_and_the_papers_lines(fit):
    panels = rf.overfitting(fit, 0.7).axes
    for axes, paper in zip(panels, (rf.PAPER_R2, rf.PAPER_AUROC)):
        assert len(axes.containers) == 2
        assert any(list(line.get_ydata()) == [paper, paper] for line in axes.get_lines())
        assert list(axes.containers[0][0].get_xdata()) == [20, 26, 63, 67]
    held_out = panels[0].containers[1][0].get_ydata()
    assert list(held_out) == pytest.approx([0.05, -0.15, -0.35, -0.55])


def test_held_out_points_that_are_not_to_be_trusted_are_open_and_named(fit):
    fit.loc[fit["model"] == "onehot", "unreliable"] = 41
    figure = rf.overfitting(fit, 0.7)
    opened = figure.axes[0].get_lines()
    assert any(list(line.get_xdata()) == [63] for line in opened)
    assert "(onehot 41)" in figure.get_supxlabel()
    assert "R² is at most" not in figure.get_suptitle()


def test_the_forest_names_what_excludes_zero_and_leaves_the_intercept_out(coefficients):
    axes = rf.forest(coefficients, 60, "interaction").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["private", "log n", "age"]
    assert axes.get_title(loc="left").endswith("only age, log n")


def test_the_title_of_the_artefact_figure_follows_the_p_value(coefficients):
    rng = np.random.default_rng(0)
    permutations = pd.DataFrame(
        {"control": ["n_test"] * 100 + ["age"] * 100, "log_n": rng.normal(-0.5, 0.1, 200),
         "age": rng.normal(0, 0.1, 200)}
    )  # fmt: skip
    for p, said in ((0.4, "inside"), (0.01, "outside")):
        located = pd.DataFrame(
            {"control": ["n_test", "age"], "predictor": ["log_n", "age"],
             "observed": [-0.4, 0.2], "p_two_sided": [p, 0.3]}
        )  # fmt: skip
        figure = rf.artefact(permutations, located, coefficients, 60)
        assert said in figure.get_suptitle()
        assert len(figure.axes) == 3
    assert len(rf.artefact(permutations, located, None, 60).axes) == 2


def test_a_statistic_outside_its_interval_is_counted():
    table = pd.DataFrame(
        {"statistic": ["mean", "sd"], "observed": [0.5, 0.9], "lower": [0.4, 0.1],
         "upper": [0.6, 0.3]}
    )  # fmt: skip
    assert rf.checks({"main": table}, {"main": 60}).get_suptitle().startswith("1 of 2 observed")


def test_the_sampling_figure_has_a_line_for_each_model():
    rng = np.random.default_rng(0)
    by_draw = ("chain", "draw")
    posterior = xr.Dataset(
        {"coefficient": ((*by_draw, "column"), rng.normal(size=(4, 50, 2))),
         "spread": (by_draw, rng.normal(size=(4, 50))),
         "energy": (by_draw, rng.normal(size=(4, 50)))},
        {"column": np.array(["Intercept", "age"], dtype=object)},
    )  # fmt: skip
    figure = rf.diagnostics({"a": posterior, "b": posterior}, {"a": "age", "b": "spread"})
    assert len(figure.axes) == 4


@pytest.mark.parametrize(("unreliable", "said"), [(0, "held out 0.60"), (7, "held out 0.60*")])
def test_the_auroc_figure_stars_what_is_not_to_be_trusted(unreliable, said):
    fit = pd.DataFrame(
        {"model": ["a"], "measure": "auroc_loo", "value": 0.6, "columns": 3, "rows": 60,
         "unreliable": unreliable}
    )  # fmt: skip
    legend = rf.auroc_posterior({"a": np.full(10, 0.8)}, fit, 0.7).axes[0].get_legend()
    assert legend.get_texts()[0].get_text() == f"a: median 0.80, {said}"


def test_the_calibration_figure_has_a_panel_for_each_parameter():
    ranks = pd.DataFrame(
        {"simulation": [0, 1] * 7, "parameter": np.repeat([f"p{i}" for i in range(7)], 2),
         "rank": 3}
    )  # fmt: skip
    figure = rf.calibration(ranks, 99)
    assert sum(axes.get_visible() for axes in figure.axes) == 7
