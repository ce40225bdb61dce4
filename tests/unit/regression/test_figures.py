"""Figures of the regression draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.collections import PathCollection
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
    assert sizes.get_xlabel().startswith("coefficient of log n, with n dealt")
    assert ages.get_xlabel().startswith("coefficient of age, with ages")
    assert [label.get_text() for label in gap.get_yticklabels()] == ["age", "log n"]
    np.testing.assert_allclose(gap.collections[-1].get_offsets()[:, 0], [0.4, -0.5])
    assert figure.get_supxlabel().startswith("n = 58 benchmarks")


def sampled(shift=0.0):
    """A posterior of three chains, the first of which may be elsewhere."""
    rng = np.random.default_rng(0)
    by_draw = ("chain", "draw")
    coefficient = rng.normal(size=(3, 200, 2))
    coefficient[0] += shift
    drawn = xr.Dataset(
        {"coefficient": ((*by_draw, "column"), coefficient),
         "spread": (by_draw, rng.normal(size=(3, 200)))},
        {"column": np.array(["Intercept", "a_name_that_is_longer_than_24"], dtype=object)},
    )  # fmt: skip
    chains = {"chain": np.arange(3), "draw": np.arange(200)}
    energy = xr.Dataset({"energy": (by_draw, rng.normal(size=(3, 200)))}, chains)
    return xr.DataTree.from_dict({"posterior": drawn, "sample_stats": energy})


def diagnosed(worst, rhat=1.004):
    return pd.DataFrame(
        {"parameter": [worst, "other"], "rhat": [rhat, 1.0], "ess_bulk": [900.0, 2000.0],
         "ess_tail": [1500.0, 800.0], "divergences": 1}
    )  # fmt: skip


def test_the_sampling_figure_draws_the_ranks_of_the_worst_parameter():
    tables = {"a": diagnosed("a_name_that_is_longer_than_24"), "b": diagnosed("spread")}
    figure = rf.diagnostics({"a": sampled(), "b": sampled()}, tables)
    axes = figure.axes
    for panel, values in (
        (axes[0], sampled()["posterior"]["coefficient"][..., 1]),
        (axes[2], sampled()["posterior"]["spread"]),
    ):
        ranks = values.to_numpy().ravel().argsort().argsort().reshape(3, 200)
        lines = [patch for patch in panel.patches if hasattr(patch, "get_data")]
        for chain, line in enumerate(lines):
            counts = [np.sum((ranks[chain] >= 30 * i) & (ranks[chain] < 30 * (i + 1)))
                      for i in range(20)]  # fmt: skip
            np.testing.assert_allclose(line.get_data().values, chain + np.array(counts) / 20)
        assert len(lines) == 3
        # 95 % of ten draws of 200 that fall into one of twenty pieces.
        band = next(patch for patch in panel.patches if not hasattr(patch, "get_data"))
        half = 0.5 * 1.96 * np.sqrt(200 * 0.05 * 0.95) / 10
        assert (band.get_y(), band.get_height()) == pytest.approx((0.5 - half, 2 * half))
        assert [label.get_text() for label in panel.get_yticklabels()] == ["1", "2", "3"]
    assert axes[0].get_title(loc="left") == "a: a name that is longer t…, R-hat 1.004"
    energy = sampled()["sample_stats"]["energy"].to_numpy()
    bfmi = min(np.mean(np.diff(chain) ** 2) / chain.var(ddof=1) for chain in energy)
    assert axes[1].get_title(loc="left") == f"energy: BFMI {bfmi:.2f}"
    assert " ".join(figure.get_suptitle().split()) == (
        "The chains agree: R-hat at most 1.004, at least 800 effective draws, 2 divergences, "
        f"BFMI at least {bfmi:.2f}"
    )


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
    assert mean.get_xlabel() == "mean of S"
    assert rf._statistic("share below 0.1") == "share of S\nbelow 0.1"
    labels = [label.get_text() for label in mean.get_yticklabels()]
    assert labels == ["second\n(n = 115)", "first\n(n = 60)"]
    # Inside is a dot, outside a cross.
    kinds = [len(dot.get_paths()[0].vertices) for dot in sd.collections if
             isinstance(dot, PathCollection)]  # fmt: skip
    assert kinds[0] != kinds[1]
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
    band, bars = figure.axes[0].patches
    assert bars.get_data().values.tolist() == [30, 0, 0, 0, 0, 0, 0, 0, 0, 10]
    half = 1.96 * np.sqrt(40 * 0.1 * 0.9)
    assert (band.get_y(), band.get_height()) == pytest.approx((4 - half, 2 * half))
    assert list(figure.axes[0].get_lines()[0].get_ydata()) == [4, 4]
    # Eight times none, thirty and ten: all off four by more than 3.7.
    assert figure.get_suptitle() == (
        "0 of 10 bars of ranks lie where those of a calibrated sampler do"
    )
    assert "among 99 draws, 40 simulated data sets" in figure.get_supxlabel()
    flat = pd.DataFrame({"simulation": range(100), "parameter": "p", "rank": range(100)})
    assert rf.calibration(flat, 99).get_suptitle().startswith("10 of 10 bars")


def test_the_auroc_figure_draws_the_posterior_and_the_held_out_value():
    fit = pd.DataFrame(
        {"model": ["a", "onehot"], "measure": "auroc", "median": [0.6, 0.7], "columns": [3, 4],
         "lower": [0.5, 0.65], "upper": [0.7, 0.72], "rows": [60, 115], "data": "folds"}
    )  # fmt: skip
    areas = {"a": np.full(10, 0.802), "onehot": np.full(4, 0.902)}
    figure = rf.auroc_posterior(areas, fit, 0.7)
    axes = figure.axes[0]
    assert axes.get_xlabel() == "AUROC of S ≥ 0.7"
    held = [line.get_xdata()[0] for line in axes.lines]
    assert held == [0.7, 0.6, 0.5, rf.PAPER_AUROC]
    ends = [bars.get_segments()[0][:, 0].tolist() for bars in axes.collections]
    assert ends == [[0.65, 0.72], [0.5, 0.7]]
    assert [patch.get_data().edges[0] for patch in axes.patches] == pytest.approx([0.9, 0.8])
    assert figure.get_supxlabel().split("\n")[-1].startswith("n = 60 benchmarks")
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "a column a category\n0.90 in sample\n0.70 held out", "a\n0.80 in sample\n0.60 held out",
    ]  # fmt: skip
    assert figure.get_suptitle() == "AUROC: at most 0.90 in sample, 0.70 on unseen benchmarks"
    assert axes.get_xlim()[0] == 0.4
    low = rf.auroc_posterior(areas, fit.assign(lower=0.2), 0.7)
    assert low.axes[0].get_xlim()[0] == pytest.approx(0.18)
