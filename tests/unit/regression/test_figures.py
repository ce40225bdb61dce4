"""Figures of the regression draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from saturation.pages import style
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
        for line, bars, values in zip(axes.lines, axes.collections, sides, strict=False):
            # From the most columns, at the bottom, to the fewest.
            assert list(line.get_xdata()) == pytest.approx(values[::-1])
            ends = np.array(bars.get_segments())[:, :, 0]
            np.testing.assert_allclose(ends, [[v - 0.1, v + 0.05] for v in values[::-1]])
        seen, held = axes.lines[:2]
        assert seen.get_marker() != held.get_marker()
    lines = [[line.get_xdata()[0] for line in axes.lines[2:]] for axes in panels]
    assert lines == [[0], [rf.PAPER_R2], [0.5, rf.PAPER_AUROC]]


def test_names_and_numbers_do_not_lie_on_each_other(fit, coefficients, overlapping):
    assert overlapping(rf.overfitting(fit, 0.7)) == []
    assert overlapping(rf.forest(coefficients, 60, "interaction")) == []


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
    fills = [to_hex(colour) for colour in means.get_facecolors()]
    assert fills == ["#ffffff", red, red]
    weights = [label.get_fontweight() for label in axes.get_yticklabels()]
    assert weights == ["normal", "bold", "bold"]
    assert figure.get_suptitle() == "2 of 3 coefficients are clear of zero: age, log n"
    assert figure.get_supxlabel().startswith("Model: with interactions, n = 60 rows")
    none = coefficients.assign(excludes_zero=False)
    assert rf.forest(none, 60, "x").get_suptitle() == "0 of 3 coefficients are clear of zero"
    five = pd.concat([coefficients.assign(excludes_zero=True)] * 2)
    assert rf.forest(five, 60, "x").get_suptitle() == "6 of 6 coefficients are clear of zero"
    four = pd.concat([coefficients, coefficients.iloc[1:2]]).assign(excludes_zero=True)
    assert ":" in rf.forest(four, 60, "x").get_suptitle()


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
        assert axes.texts[0].get_text() == f" real: p = {p}"
        assert axes.get_ylabel() == f"refits (of {total})"
        assert axes.patches[0].get_data().values.sum() == total
    assert "outside" in figure.get_suptitle()  # p = 0.05 is not above 0.05
    assert sizes.get_title(loc="left") == "test-set size: outside"
    assert sizes.get_xlabel().startswith("coefficient of log n")
    assert ages.get_xlabel().startswith("coefficient of age")
    assert [label.get_text() for label in gap.get_yticklabels()] == ["age", "log n"]
    np.testing.assert_allclose(gap.collections[-1].get_offsets()[:, 0], [0.4, -0.5])
    assert figure.get_supxlabel().startswith("n = 58 benchmarks")


def test_the_calibration_figure_counts_ranks_in_ten_bins():
    ranks = pd.DataFrame({"simulation": range(40), "parameter": "p", "rank": [5] * 30 + [99] * 10})
    figure = rf.calibration(ranks, 99)
    band, bars = figure.axes[0].patches
    assert bars.get_data().values.tolist() == [30, 0, 0, 0, 0, 0, 0, 0, 0, 10]
    half = 1.96 * np.sqrt(40 * 0.1 * 0.9)
    assert (band.get_y(), band.get_height()) == pytest.approx((4 - half, 2 * half))
    assert list(figure.axes[0].get_lines()[0].get_ydata()) == [4, 4]
    # Eight times none, thirty and ten: all off four by more than 3.7.
    assert " ".join(figure.get_suptitle().split()) == (
        "0 of 10 bars of ranks lie where those of a calibrated sampler do"
    )
    assert "among 99 draws, 40 simulated data sets" in figure.get_supxlabel()
    flat = pd.DataFrame({"simulation": range(100), "parameter": "p", "rank": range(100)})
    assert rf.calibration(flat, 99).get_suptitle().startswith("10 of 10 bars")
