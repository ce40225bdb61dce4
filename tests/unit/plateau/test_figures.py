"""Figures show the numbers of their tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba

from saturation.drawing import style
from saturation.index import BINS
from saturation.plateau import figures, groupings, trends
from saturation.plateau.names import FIGURES, HYPOTHESES


@pytest.fixture(autouse=True)
def _styled():
    with style.style():
        yield
    plt.close("all")


@pytest.fixture
def names(results):
    return results["benchmarks"].set_index("benchmark_id")["name"]


def scatters(axes):
    """Offsets of each set of points that has any."""
    drawn = [
        np.asarray(artist.get_offsets())
        for artist in axes.collections
        if isinstance(artist, PathCollection)
    ]
    return [offsets for offsets in drawn if len(offsets)]


def points(axes):
    return sum(map(len, scatters(axes)))


def title(axes):
    return axes.get_title(loc="left")


def drawn(figure):
    """Draw it, so that layout and text are really done."""
    figure.canvas.draw()
    return figure


def test_every_figure_that_planning_names_is_drawn(results):
    made = figures.figures(results, 5, 0.5, 0.7)
    assert sorted(made) == sorted(FIGURES)
    rows = results["trends"].set_index(["trend", "reading"])
    for name, reading in (
        ("figure3_age", ("age", "spearman_recorded")),
        ("figure4_citations", ("citations", "raw")),
    ):
        estimate, p_value = rows.loc[reading, ["estimate", "p_value"]]
        expected = f"(Spearman {estimate:.2f}, p = {p_value:.2f})"
        assert expected in title(made[name].axes[0])
    saturated = (results["index"]["s_index"] >= 0.7).sum()
    (mark,) = made["sensitivity"].axes[2].texts
    assert mark.get_text() == f"default: {saturated}"
    assert "60 benchmarks" in made["permuted_n"].axes[0].get_xlabel()


def test_the_overview_ranks_every_benchmark_and_counts_the_bins(results, names):
    (axes,) = drawn(figures.overview(results["index"], names)).axes
    ranked = results["index"].sort_values(["s_index", "benchmark_id"])
    counts = ranked["bin"].value_counts()
    saturated = counts["high"] + counts["very_high"]
    assert title(axes) == f"{saturated} of 60 benchmarks are highly or very highly saturated"
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert shown == names.loc[ranked["benchmark_id"]].tolist()
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [f"{name.replace('_', ' ')}: {counts[name]}" for name in reversed(BINS)]
    (values,) = scatters(axes)
    assert values[:, 0].tolist() == ranked["s_index"].tolist()
    assert values[:, 1].tolist() == list(range(60))
    colours = axes.collections[1].get_facecolors()
    assert [tuple(colour) for colour in colours] == [
        to_rgba(style.BIN_COLOURS[name]) for name in ranked["bin"]
    ]


def test_a_bin_without_benchmarks_is_counted_as_none(results, names):
    low = results["index"].query("bin == 'low'")
    (axes,) = drawn(figures.overview(low, names)).axes
    assert title(axes).startswith(f"0 of {len(low)} benchmarks")
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend[0] == "very high: 0"


def test_intervals_and_probabilities_of_every_benchmark_are_shown(results, names):
    table = results["intervals"].sort_values(["s_index", "benchmark_id"])
    figure = drawn(figures.intervals(table, names, 0.7))
    left, right = figure.axes
    (values,) = scatters(left)
    assert values[:, 0].tolist() == table["s_index"].tolist()
    for place, noise in enumerate(("_index_noise", "")):
        bars = np.array(left.collections[place].get_segments())[:, :, 0]
        ends = table[[f"s_lower{noise}", f"s_upper{noise}"]]
        assert bars.tolist() == ends.to_numpy().tolist()
    (probabilities,) = scatters(right)
    assert probabilities[:, 0].tolist() == table["p_saturated"].tolist()
    ranges = np.array(right.collections[0].get_segments())[:, :, 0]
    ends = table[["p_saturated_lowest", "p_saturated_highest"]]
    assert ranges.tolist() == ends.to_numpy().tolist()
    decided = [
        int(((table[f"s_lower{noise}"] >= 0.7) | (table[f"s_upper{noise}"] < 0.7)).sum())
        for noise in ("", "_index_noise")
    ]
    assert decided[0] > decided[1]
    assert figure.get_suptitle() == (
        f"By the error of n items {decided[0]} of 60 benchmarks are clearly above or below 0.7;\n"
        f"by the error that the index itself assumes {decided[1]} are"
    )
    assert left.lines[0].get_xdata()[0] == 0.7


@pytest.mark.parametrize(("end", "decided"), [(0.7, 1), (np.nextafter(0.7, 0), 0)])
def test_an_interval_that_starts_at_the_threshold_is_above_it(results, names, end, decided):
    table = results["intervals"].head(1).assign(s_lower=end, s_upper=0.7)
    figure = drawn(figures.intervals(table, names, 0.7))
    assert figure.get_suptitle().startswith(f"By the error of n items {decided} of 1 benchmarks")


def test_the_panels_show_each_hypothesis_in_its_reading(results, data):
    labels, rates = figures.panels(data, results["groups"], results["bins"])
    assert sorted(labels) == sorted(rates["hypothesis"].unique()) == [
        "h1", "h2", "h3", "h4", "h5", "h6"]  # fmt: skip
    compared = {(row.hypothesis, row.grouping): row.groups for row in groupings.comparisons(data)}
    pd.testing.assert_series_equal(labels["h3"], compared["h3", "human_and_automatic"])
    pd.testing.assert_series_equal(labels["h6"], compared["h6", "primary"])
    assert labels["h5"].tolist() == trends.age_bin(data["age_months"]).tolist()
    for name, groups in labels.items():
        counts = rates[rates["hypothesis"] == name].set_index("group")["n"]
        assert counts.to_dict() == groups.value_counts().to_dict()


def test_the_hypotheses_have_a_bar_a_group_and_a_point_a_benchmark(results, data):
    groups, rates = figures.panels(data, results["groups"], results["bins"])
    figure = drawn(figures.hypotheses(data, groups, rates, 0.7))
    assert len(figure.axes) == 12
    panels = {title(axes): (axes, figure.axes[place + 1])
              for place, axes in enumerate(figure.axes) if title(axes)}  # fmt: skip
    shown = {name: row for name, row in HYPOTHESES.items() if row.panel}
    assert sorted(panels) == sorted(row.title for row in shown.values())
    for name, hypothesis in shown.items():
        bars, scatter = panels[hypothesis.title]
        expected = rates[rates["hypothesis"] == name]
        heights = [bar.get_height() for bar in bars.patches]
        assert heights == pytest.approx((100 * expected["rate"]).tolist())
        labels = [label.get_text() for label in bars.get_xticklabels()]
        assert labels == [f"{group.replace('_', ' ')}\nn = {n}" for group, n in
                          zip(expected["group"], expected["n"])]  # fmt: skip
        (errors,) = [artist for artist in bars.collections if hasattr(artist, "get_segments")]
        ends = np.array(errors.get_segments())[:, :, 1] / 100
        assert ends == pytest.approx(expected[["rate_lower", "rate_upper"]].to_numpy(), abs=1e-9)
        assert points(scatter) == expected["n"].sum()
        assert scatter.get_xlabel() == "age, months"
        # Both kinds of mark: above the threshold, and below it.
        highest = [offsets[:, 1].max() < 0.7 or offsets[:, 1].min() >= 0.7 for offsets in
                   scatters(scatter)]  # fmt: skip
        assert all(highest)
    headings = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert headings == list(figures.PANELS.values())
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["S ≥ 0.7", "S < 0.7"]


@pytest.fixture
def without_h6():
    """The hypotheses without H6; put back in their order."""
    whole = dict(HYPOTHESES)
    del HYPOTHESES["h6"]
    yield
    HYPOTHESES.clear()
    HYPOTHESES.update(whole)


@pytest.mark.usefixtures("without_h6")
def test_panels_of_unequal_length_leave_the_rest_of_their_column_empty(results, data):
    groups, rates = figures.panels(data, results["groups"], results["bins"])
    figure = drawn(figures.hypotheses(data, groups, rates, 0.7))
    assert [axes.axison for axes in figure.axes].count(False) == 2


def test_binned_means_say_n_and_rate(results, data):
    trend = pd.Series({"estimate": 0.123, "p_value": 0.456})
    (axes,) = drawn(figures.age_bins(data, results["bins"], trend)).axes
    bins = results["bins"].query("binned_by == 'age_months'")
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        f"{row['bin']}\nn = {row['n']}\n{100 * row['rate']:.0f} % saturated"
        for row in bins.to_dict("records")
    ]
    assert title(axes) == "Saturation and age: weak (Spearman 0.12, p = 0.46)"
    assert points(axes) == 60
    labels = trends.age_bin(data["age_months"])
    for place, (label, offsets) in enumerate(zip(bins["bin"], scatters(axes))):
        assert sorted(offsets[:, 1]) == sorted(data.loc[labels == label, "s_index"])
        assert np.abs(offsets[:, 0] - place).max() == pytest.approx(0.16)
    (means,) = axes.containers
    assert list(means.lines[0].get_ydata()) == bins["mean_s"].tolist()
    lengths = np.diff(np.array(means.lines[2][0].get_segments())[:, :, 1]).ravel()
    assert lengths == pytest.approx((2 * bins["sd_s"]).to_numpy())


def test_a_bin_of_one_stands_in_its_middle(data):
    bins = pd.DataFrame({"binned_by": ["age_months"], "bin": ["up to 24"], "n": [1], "rate": [1.0],
                         "mean_s": [0.9], "sd_s": [0.0]})  # fmt: skip
    young = data[data["age_months"] <= 24].head(1)
    (axes,) = drawn(figures.age_bins(young, bins, pd.Series({"estimate": np.nan}))).axes
    assert scatters(axes)[0].tolist() == [[0, young["s_index"].iloc[0]]]
    assert title(axes).endswith("the correlation is not defined")


@pytest.mark.parametrize(
    ("estimate", "word"),
    [(0.0, "weak"), (-0.19, "weak"), (0.2, "modest"), (-0.39, "modest"), (0.4, "strong")],
)
def test_a_correlation_is_called_weak_modest_or_strong(data, results, estimate, word):
    trend = pd.Series({"estimate": estimate, "p_value": 0.5})
    (axes,) = figures.age_bins(data, results["bins"], trend).axes
    assert title(axes) == f"Saturation and age: {word} (Spearman {estimate:.2f}, p = 0.50)"


def test_citation_bins_say_how_many_are_not_shown(results, data):
    trend = results["trends"].set_index(["trend", "reading"]).loc[("citations", "raw")]
    labels = trends.citation_bin(data["citations"])
    (axes,) = drawn(figures.citation_bins(data, results["bins"], labels, trend)).axes
    missing = data["citations"].isna().sum()
    assert f"({missing} without a count not shown)" in axes.get_xlabel()
    assert points(axes) == 60 - missing


def test_the_grid_has_a_line_for_each_k_in_each_panel(results):
    grid = results["grid"]
    figure = drawn(figures.sensitivity(grid, 5, 0.5, 60))
    for axes, (column, factor) in zip(
        figure.axes, [("spearman", 1), ("same_bin", 100), ("n_saturated", 1)], strict=True
    ):
        for k in (3, 5):
            (line,) = [line for line in axes.lines if line.get_label() == f"k = {k}"]
            expected = factor * grid.query("k == @k")[column]
            assert list(line.get_ydata()) == pytest.approx(list(expected))
            assert list(line.get_xdata()) == [0.0, 0.5, 1.0]
    low, high = grid["n_saturated"].min(), grid["n_saturated"].max()
    assert title(figure.axes[2]) == f"Saturated: {low} to {high}"
    assert title(figure.axes[0]) == f"Ranks: {grid['spearman'].min():.2f} to 1"
    default = grid.query("k == 5 and alpha == 0.5")["n_saturated"].iloc[0]
    assert [text.get_text() for text in figure.axes[2].texts] == [f"default: {default}"]
    assert scatters(figure.axes[2])[0].tolist() == [[0.5, default]]


def test_a_default_that_is_not_in_the_grid_is_not_marked(results):
    figure = drawn(figures.sensitivity(results["grid"], 4, 0.5, 60))
    assert not list(figure.axes[2].texts)
    assert points(figure.axes[2]) == 0


def test_more_lines_than_the_palette_has_are_told_apart():
    for n in (1, 5, 6, 9):
        shades = [to_rgba(shade) for shade in figures._shades(n)]
        assert len(set(shades)) == n


def test_the_control_is_shown_beside_its_null(results):
    control = results["permuted_n"]
    (axes,) = drawn(figures.permuted_n(control, 60)).axes
    observed, mean = (
        np.asarray(artist.get_offsets())[:, 0].tolist()
        for label in ("observed", "n dealt at random: mean")
        for artist in axes.collections
        if artist.get_label() == label
    )
    assert observed == control["spearman"].tolist()
    assert mean == control["null_mean"].tolist()
    bars = np.array(axes.collections[0].get_segments())[:, :, 0]
    assert bars.tolist() == control[["null_lower", "null_upper"]].to_numpy().tolist()
    assert [text.get_text() for text in axes.texts] == [f"p = {p:.2f}" for p in control["p_value"]]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "saturation index S", "raw gap $s_1 - s_k$"]  # fmt: skip


def test_a_control_that_is_not_defined_says_so(results):
    control = results["permuted_n"].assign(p_value=np.nan)
    (axes,) = drawn(figures.permuted_n(control, 60)).axes
    assert {text.get_text() for text in axes.texts} == {"not defined"}
