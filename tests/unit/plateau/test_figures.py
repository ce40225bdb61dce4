"""Figures show the numbers of their tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection

from saturation.drawing import style
from saturation.index import BINS
from saturation.plateau import figures, groupings, trends


@pytest.fixture(autouse=True)
def _styled():
    with style.style():
        yield


@pytest.fixture
def names(results):
    return results["benchmarks"].set_index("benchmark_id")["name"]


def points(axes):
    return sum(len(part.get_offsets()) for part in axes.collections
               if isinstance(part, PathCollection))  # fmt: skip


def drawn(figure):
    """Draw it, so that layout and text are really done."""
    figure.canvas.draw()
    return figure


def test_the_overview_ranks_every_benchmark_and_counts_the_bins(results, names):
    (axes,) = drawn(figures.overview(results["index"], names)).axes
    assert axes.get_title(loc="left").startswith("29 of 60 benchmarks")
    shown = [label.get_text() for label in axes.get_yticklabels()]
    ranked = results["index"].sort_values(["s_index", "benchmark_id"])["benchmark_id"]
    assert shown == names.loc[ranked].tolist()
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [f"{name.replace('_', ' ')}: {n}" for name, n in
                      zip(reversed(BINS), [14, 15, 11, 9, 11])]  # fmt: skip


def test_intervals_and_probabilities_of_every_benchmark_are_shown(results, names):
    table = results["intervals"]
    left, right = drawn(figures.intervals(table, names, 0.7)).axes
    assert points(left) == 60
    assert sorted(bar.get_width() for bar in right.patches) == sorted(table["p_saturated"])
    again = table.loc[table["s_index"] >= 0.7, "p_saturated"].sum()
    title = left.get_title(loc="left")
    assert title.startswith("29 of 60 benchmarks are saturated")
    assert f"{again:.0f} are expected" in title


def test_the_hypotheses_have_a_bar_a_group_and_a_point_a_benchmark(results, data):
    compared = {one.hypothesis: one.groups for one in groupings.comparisons(results["benchmarks"])
                if one.grouping == "primary"}  # fmt: skip
    ages = trends.age_bin(data[trends.AGE]).set_axis(data["benchmark_id"])
    by_age = results["bins"].query("binned_by == @trends.AGE").rename(columns={"bin": "group"})
    rates = pd.concat(
        [results["groups"].query("grouping == 'primary'"), by_age.assign(hypothesis="h5")]
    )
    figure = drawn(figures.hypotheses(data, compared | {"h5": ages}, rates, 0.7))
    panels = {axes.get_title(loc="left"): (axes, figure.axes[place + 1])
              for place, axes in enumerate(figure.axes) if axes.get_title(loc="left")}  # fmt: skip
    assert sorted(panels) == sorted(figures.HYPOTHESIS_TITLES.values())
    for name, title in figures.HYPOTHESIS_TITLES.items():
        bars, scatter = panels[title]
        part = rates[rates["hypothesis"] == name]
        heights = sorted(bar.get_height() for bar in bars.patches)
        assert heights == pytest.approx(sorted(100 * part["rate"]))
        assert points(scatter) == part["n"].sum()


def test_binned_means_say_n_and_rate(results, data):
    trend = results["trends"].set_index(["trend", "reading"]).loc[("age", "spearman")]
    (axes,) = drawn(figures.age_bins(data, results["bins"], trend)).axes
    labels = [label.get_text() for label in axes.get_xticklabels()]
    bins = results["bins"].query("binned_by == 'age_months'")
    assert [f"n = {n}\n" in label for n, label in zip(bins["n"], labels)] == [True] * 3
    assert "43 % saturated" in labels[0]
    assert f"Spearman {trend['estimate']:.2f}" in axes.get_title(loc="left")


def test_citation_bins_say_how_many_are_not_shown(results, data):
    trend = results["trends"].set_index(["trend", "reading"]).loc[("citations", "raw")]
    labels = trends.citation_bin(data["citations"])
    (axes,) = drawn(figures.citation_bins(data, results["bins"], labels, trend)).axes
    missing = data["citations"].isna().sum()
    assert f"({missing} without a count not shown)" in axes.get_xlabel()


def test_the_grid_has_a_line_for_each_k_in_each_panel(results):
    figure = drawn(figures.sensitivity(results["grid"], 5, 0.5, 60))
    assert len(figure.axes) == 3
    for axes, (column, factor) in zip(
        figure.axes, [("spearman", 1), ("same_bin", 100), ("n_saturated", 1)]
    ):
        for k in (3, 5):
            (line,) = [line for line in axes.lines if line.get_label() == f"k = {k}"]
            expected = factor * results["grid"].query("k == @k")[column]
            assert list(line.get_ydata()) == pytest.approx(list(expected))


def test_the_control_is_shown_beside_its_null(results):
    control = results["permuted_n"]
    (axes,) = drawn(figures.permuted_n(control, 60)).axes
    (observed,) = [part for part in axes.collections if part.get_label() == "observed"]
    shown = np.asarray(observed.get_offsets())[:, 0]
    assert shown.tolist() == pytest.approx(control["spearman"].tolist())
    assert "60 benchmarks" in axes.get_xlabel()


def test_palettes_name_every_bin_and_colours_differ():
    assert set(style.BIN_COLOURS) == set(BINS)
    assert len(set(style.PALETTE.values())) == len(style.PALETTE)
