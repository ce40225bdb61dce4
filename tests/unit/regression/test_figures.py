"""Figures of the regression draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

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


def test_each_panel_has_one_measure_on_both_sides_and_the_papers_line(fit):
    panels = rf.overfitting(fit, 0.7).axes
    by_hand = [
        ([0.3, 0.5, 0.7, 0.9], [0.05, -0.15, -0.35, -0.55]),
        ([0.34, 0.52, 0.7, 0.88], [0.2, 0.25, 0.3, 0.35]),
        ([0.75, 0.82, 0.89, 0.96], [0.62, 0.58, 0.54, 0.5]),
    ]
    for axes, sides in zip(panels, by_hand, strict=True):
        assert len(axes.containers) == 2
        for container, values in zip(axes.containers, sides, strict=True):
            assert list(container[0].get_xdata()) == [20, 26, 63, 67]
            assert list(container[0].get_ydata()) == pytest.approx(values)
    lines = [[list(line.get_ydata()) for line in axes.get_lines()] for axes in panels]
    assert [rf.PAPER_R2] * 2 in lines[1]
    assert [rf.PAPER_AUROC] * 2 in lines[2]
    assert [rf.PAPER_R2] * 2 not in lines[0]


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


def test_the_calibration_figure_has_a_panel_for_each_parameter():
    ranks = pd.DataFrame(
        {"simulation": [0, 1] * 7, "parameter": np.repeat([f"p{i}" for i in range(7)], 2),
         "rank": 3}
    )  # fmt: skip
    figure = rf.calibration(ranks, 99)
    assert sum(axes.get_visible() for axes in figure.axes) == 7


def title(axes):
    return axes.get_title() or axes.get_title(loc="left")


def test_the_overfitting_figure_names_threshold_rows_and_intervals(fit):
    figure = rf.overfitting(fit, 0.55)
    first, _, third = figure.axes
    assert first.get_ylabel() == "R² of the mean predictions"
    assert third.get_ylabel() == "AUROC of S ≥ 0.55"
    assert figure.get_suptitle() == (
        "Held out, R² of the predictions is at most 0.05; in sample it rises with the columns"
    )
    assert figure.get_supxlabel().startswith(
        "rows: 60 (115 where they repeat); bars: 95 % intervals; grey: no skill"
    )
    bars = first.containers[1][2][0].get_segments()
    np.testing.assert_allclose(bars[1][:, 1], [-0.15 - 0.1, -0.15 + 0.05])
    assert {text.get_text() for text in first.texts} == set(MODELS)
    assert {text.get_text() for text in third.texts} == {"paper: 0.98"}
    labels = [text.get_text() for text in third.get_legend().get_texts()]
    assert labels == ["in sample", "held out in folds"]
    same = rf.overfitting(fit.assign(rows=60), 0.7)
    assert same.get_supxlabel().startswith("rows: 60;")


def test_names_of_crowded_points_stand_on_the_left(fit):
    texts = {text.get_text(): text for text in rf.overfitting(fit, 0.7).axes[0].texts}
    # 63 and 67 columns are close on a range of 47; 20 and 26 are closer than 15 % too.
    assert texts["onehot"].get_ha() == "right"
    assert texts["interaction"].get_ha() == texts["exploded"].get_ha() == "left"
    assert texts["main"].get_ha() == "right"


def test_the_forest_draws_both_intervals_of_every_column(coefficients):
    figure = rf.forest(coefficients, 60, "interaction")
    axes = figure.axes[0]
    wide, narrow, means = axes.collections[:3]
    table = coefficients.iloc[:0:-1]
    for lines, share in ((wide, 95), (narrow, 50)):
        ends = np.array([segment[:, 0] for segment in lines.get_segments()])
        np.testing.assert_allclose(ends, table[[f"lower_{share}", f"upper_{share}"]])
    np.testing.assert_allclose(means.get_offsets()[:, 0], table["mean"])
    colours = [to_hex(colour) for colour in wide.get_colors()]
    red, blue = rf.PALETTE["vermilion"].lower(), rf.PALETTE["blue"].lower()
    assert colours == [blue, red, red]
    assert title(axes) == "Clear of zero in 'interaction': only age, log n"
    assert figure.get_supxlabel().startswith("n = 60 rows")
    none = coefficients.assign(excludes_zero=False)
    assert title(rf.forest(none, 60, "x").axes[0]) == "Clear of zero in 'x': 0 of 3"
    five = pd.concat([coefficients.assign(excludes_zero=True)] * 2)
    assert title(rf.forest(five, 60, "x").axes[0]).endswith("6 of 6")
    four = pd.concat([coefficients, coefficients.iloc[1:2]]).assign(excludes_zero=True)
    assert "only" in title(rf.forest(four, 60, "x").axes[0])


def test_the_artefact_figure_places_the_real_coefficient_in_its_own_null(coefficients):
    permutations = pd.DataFrame(
        {"control": ["n_test"] * 30 + ["age"] * 20, "log_n": np.linspace(-1, 0, 50),
         "age": np.linspace(0, 1, 50)}
    )  # fmt: skip
    located = pd.DataFrame(
        {"control": ["age", "age", "n_test", "n_test"], "predictor": ["log_n", "age"] * 2,
         "observed": [0.1, 0.2, 0.3, 0.4], "p_two_sided": [0.01, 0.02, 0.05, 0.06]}
    )  # fmt: skip
    figure = rf.artefact(permutations, located, coefficients, 58)
    sizes, ages, gap = figure.axes
    for axes, observed, p, total in ((sizes, 0.3, "0.05", 30), (ages, 0.2, "0.02", 20)):
        assert list(axes.get_lines()[0].get_xdata()) == [observed, observed]
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert set(labels) == {"permuted", f"real data: p = {p}"}
        assert axes.get_ylabel() == f"refits (of {total})"
        assert sum(patch.get_height() for patch in axes.patches) == total
    assert "outside" in figure.get_suptitle()  # p = 0.05 is not above 0.05
    assert sizes.get_xlabel().startswith("coefficient of log n, with n dealt out")
    assert ages.get_xlabel() == "coefficient of age, with ages dealt out at random"
    assert [label.get_text() for label in gap.get_yticklabels()] == ["age", "log n"]
    np.testing.assert_allclose(gap.collections[-1].get_offsets()[:, 0], [0.4, -0.5])
    assert figure.get_supxlabel() == "n = 58 benchmarks"


def test_the_sampling_figure_draws_the_chains_of_the_named_parameter():
    rng = np.random.default_rng(0)
    by_draw = ("chain", "draw")
    posterior = xr.Dataset(
        {"coefficient": ((*by_draw, "column"), rng.normal(size=(3, 50, 2))),
         "spread": (by_draw, rng.normal(size=(3, 50))),
         "energy": (by_draw, rng.normal(size=(3, 50)))},
        {"column": np.array(["Intercept", "a_name_that_is_longer_than_24"], dtype=object)},
    )  # fmt: skip
    worst = {"a": "a_name_that_is_longer_than_24", "b": "spread"}
    axes = rf.diagnostics({"a": posterior, "b": posterior}, worst).axes
    for trace, values in (
        (axes[0], posterior["coefficient"][..., 1]),
        (axes[2], posterior["spread"]),
    ):
        drawn = [line.get_ydata() for line in trace.get_lines()]
        np.testing.assert_array_equal(drawn, values)
    assert axes[0].get_ylabel() == "a\na_name_that_is_longer_t…"
    assert axes[2].get_ylabel() == "b\nspread"
    assert axes[2].get_xlabel() == "draw (3 chains of 50, a colour each)"
    energy = posterior["energy"].to_numpy()
    bfmi = min(np.mean(np.diff(chain) ** 2) / chain.var(ddof=1) for chain in energy)
    assert axes[1].texts[0].get_text() == f"smallest BFMI {bfmi:.2f}"


def test_checks_draw_the_replicated_range_and_the_observed_value():
    table = pd.DataFrame(
        {"statistic": ["mean", "sd"], "observed": [0.4, 0.31], "lower": [0.4, 0.1],
         "upper": [0.6, 0.3]}
    )  # fmt: skip
    other = table.assign(observed=[0.6, 0.3])
    figure = rf.checks({"first": table, "second": other}, {"first": 60, "second": 115})
    # On the edge of the range is inside.
    assert figure.get_suptitle().startswith("3 of 4 observed")
    mean, sd = figure.axes
    assert mean.get_xlabel() == "mean of the outcome"
    labels = [label.get_text() for label in mean.get_yticklabels()]
    assert labels == ["second (n = 115)", "first (n = 60)"]
    drawn = {
        tuple(np.round(dot.get_offsets()[0], 6).tolist()): to_hex(dot.get_facecolors()[0])
        for dot in sd.collections
        if isinstance(dot, PathCollection)
    }
    assert drawn == {
        (0.3, 0): rf.PALETTE["black"].lower(), (0.31, 1): rf.PALETTE["vermilion"].lower()
    }  # fmt: skip
    assert [list(s[:, 0]) for c in mean.collections[:1] for s in c.get_segments()] == [[0.4, 0.6]]


def test_the_calibration_figure_counts_ranks_in_ten_bins():
    ranks = pd.DataFrame({"simulation": range(40), "parameter": "p", "rank": [5] * 30 + [99] * 10})
    figure = rf.calibration(ranks, 99)
    heights = [patch.get_height() for patch in figure.axes[0].patches]
    assert heights == [30, 0, 0, 0, 0, 0, 0, 0, 0, 10]
    assert list(figure.axes[0].get_lines()[0].get_ydata()) == [4, 4]
    assert figure.get_suptitle() == (
        "Ranks of the true parameter among 99 draws, 40 simulated data sets"
    )


def test_the_auroc_figure_draws_the_posterior_and_the_held_out_value():
    fit = pd.DataFrame(
        {"model": ["a", "b"], "measure": "auroc", "median": [0.6, 0.7], "columns": [3, 4],
         "rows": [60, 115], "data": "folds"}
    )  # fmt: skip
    figure = rf.auroc_posterior({"a": np.full(10, 0.8), "b": np.full(4, 0.9)}, fit, 0.7)
    axes = figure.axes[0]
    assert axes.get_xlabel() == "AUROC of S ≥ 0.7 (dotted: median held out in folds)"
    lines = [line.get_xdata()[0] for line in axes.get_lines()]
    assert lines == [0.6, 0.7, rf.PAPER_AUROC]
    assert figure.get_supxlabel() == "n = 60 benchmarks"
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts == ["a: median 0.80, held out 0.60", "b: median 0.90, held out 0.70"]
