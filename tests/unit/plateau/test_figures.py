"""Figures show the numbers of their tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import Collection, PathCollection
from matplotlib.colors import to_rgba

from saturation.pages import style
from saturation.plateau import figures
from saturation.plateau.names import FIGURES


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
    figure = drawn(figures.overview(results["index"], results["intervals"], names, 0.7))
    (axes,) = figure.axes
    ranked = results["index"].sort_values(["s_index", "benchmark_id"])
    saturated = (ranked["s_index"] >= 0.7).sum()
    assert figure.get_suptitle() == f"{saturated} of 60 benchmarks are saturated (S ≥ 0.7)"
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert shown == names.loc[ranked["benchmark_id"]].tolist()
    (values,) = scatters(axes)
    assert values[:, 0].tolist() == ranked["s_index"].tolist()
    assert values[:, 1].tolist() == list(range(60))
    colours = axes.collections[1].get_facecolors()
    assert [tuple(colour) for colour in colours] == [
        to_rgba(style.BIN_COLOURS[name]) for name in ranked["bin"]
    ]
    bars = np.array(axes.collections[0].get_segments())[:, :, 0]
    errors = results["intervals"].set_index("benchmark_id").loc[ranked["benchmark_id"]]
    assert bars.tolist() == errors[["s_lower", "s_upper"]].to_numpy().tolist()
    assert axes.lines[0].get_xdata()[0] == 0.7


def test_no_text_lies_on_another(results, names, overlapping):
    made = figures.figures(results, 5, 0.5, 0.7)
    for name, figure in made.items():
        assert overlapping(figure) == [], name


def test_each_bin_is_named_and_counted_beside_its_rows(results, names):
    (axes,) = drawn(figures.overview(results["index"], results["intervals"], names, 0.7)).axes
    ranked = results["index"].sort_values(["s_index", "benchmark_id"], ignore_index=True)
    said = {text.get_text(): text.get_position()[1] for text in axes.texts}
    expected = {
        f"{name.replace('_', ' ')}: {len(rows)}": (rows.index[0] + rows.index[-1]) / 2
        for name, rows in ranked.groupby("bin")
    }
    assert said == expected
    low = results["index"].query("bin == 'low'")
    figure = drawn(figures.overview(low, results["intervals"], names, 0.7))
    assert figure.get_suptitle().startswith(f"0 of {len(low)} benchmarks")
    assert [text.get_text() for text in figure.axes[0].texts] == [f"low: {len(low)}"]


def lines_of(axes, ending):
    """Marks by what they say: above, below or open."""
    return {
        line.get_label().split(":")[0]: line
        for line in axes.lines
        if line.get_label().startswith(("above", "below", "open"))
    }[ending]


def test_intervals_of_every_benchmark_are_shown(results, names):
    table = results["intervals"].sort_values(["s_index", "benchmark_id"])
    figure = drawn(figures.intervals(table, names, 0.7))
    (left,) = figure.axes
    assumed = np.array(left.collections[0].get_segments())[:, :, 0]
    ends = table[["s_lower_index_noise", "s_upper_index_noise"]]
    assert assumed.tolist() == ends.to_numpy().tolist()
    kinds = {
        "above": table["s_lower"] >= 0.7,
        "below": table["s_upper"] < 0.7,
        "open": (table["s_lower"] < 0.7) & (table["s_upper"] >= 0.7),
    }
    assert sum(map(sum, kinds.values())) == 60
    for (kind, chosen), bars in zip(kinds.items(), left.collections[1:], strict=True):
        some = table[chosen]
        assert lines_of(left, kind).get_label() == f"{kind}: {len(some)}"
        assert lines_of(left, kind).get_xdata().tolist() == some["s_index"].tolist()
        shown = np.array(bars.get_segments())[:, :, 0]
        assert shown.tolist() == some[["s_lower", "s_upper"]].to_numpy().tolist()
        hollow = lines_of(left, kind).get_markerfacecolor() == "white"
        assert hollow == (kind == "open")
    noisy = (table["s_lower_index_noise"] < 0.7) & (table["s_upper_index_noise"] >= 0.7)
    assert kinds["open"].sum() < noisy.sum()
    assert " ".join(figure.get_suptitle().split()) == (
        f"Whether S ≥ 0.7 is open for {kinds['open'].sum()} of 60 benchmarks by the error of n "
        f"items, for {noisy.sum()} by the error that S itself assumes"
    )
    assert left.lines[-1].get_xdata()[0] == 0.7


@pytest.mark.parametrize(("end", "unclear"), [(0.7, 0), (np.nextafter(0.7, 0), 1)])
def test_an_interval_that_starts_at_the_threshold_is_above_it(results, names, end, unclear):
    table = results["intervals"].head(1).assign(s_lower=end, s_upper=0.7)
    figure = drawn(figures.intervals(table, names, 0.7))
    assert f"is open for {unclear} of 1 benchmarks" in figure.get_suptitle()


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
    assert " ".join(figure.get_suptitle().split()) == (
        f"The choice of k and α decides: {low} to {high} of 60 saturated, "
        f"ranks agree {grid['spearman'].min():.2f} to 1 with the default"
    )
    default = grid.query("k == 5 and alpha == 0.5")["n_saturated"].iloc[0]
    (mark,) = figure.axes[2].texts
    assert mark.get_text() == f"default: {default}"
    assert mark.xy == (0.5, default)


def test_a_default_that_is_not_in_the_grid_is_not_marked(results):
    figure = drawn(figures.sensitivity(results["grid"], 4, 0.5, 60))
    assert not list(figure.axes[2].texts)


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


@pytest.mark.parametrize(
    ("observed", "said"),
    [
        (-0.5, "S falls with test-set size more than its formula makes it"),
        (-0.4, "That S falls with test-set size is what its formula makes it do"),
        (0.1, "That S rises with test-set size is what its formula makes it do"),
        (0.2, "S falls with test-set size less than its formula makes it"),
    ],
)
def test_the_title_says_whether_s_falls_beyond_its_formula(results, observed, said):
    control = results["permuted_n"].assign(spearman=observed, null_lower=-0.4, null_upper=0.1)
    assert title(figures.permuted_n(control, 60).axes[0]) == said


def test_a_control_that_is_not_defined_says_so(results):
    control = results["permuted_n"].assign(p_value=np.nan)
    (axes,) = drawn(figures.permuted_n(control, 60)).axes
    assert {text.get_text() for text in axes.texts} == {"not defined"}
    assert title(axes).endswith("the correlation is not defined")


def test_of_more_benchmarks_than_a_page_can_name_the_figure_keeps_its_size(results, names):
    copies = [results["index"].assign(benchmark_id=lambda t, n=n: t["benchmark_id"] + f"_{n}")
              for n in range(10)]  # fmt: skip
    index = pd.concat(copies, ignore_index=True)
    intervals = index[["benchmark_id"]].assign(s_lower=index["s_index"], s_upper=1.0)
    figure = drawn(figures.overview(index, intervals, names, 0.7))
    (axes,) = figure.axes
    assert figure.get_figheight() == figures.UNNAMED_HEIGHT
    assert axes.get_ylabel() == "600 benchmarks, by S"
    (points,) = scatters(axes)
    assert len(points) == 600
    figures._lighten(figure)
    assert {marks.get_rasterized() for marks in axes.collections} == {True}


def test_few_marks_stay_lines_and_dots_in_a_vector_file(results):
    for figure in figures.figures(results, 5, 0.5, 0.7).values():
        assert not any(marks.get_rasterized() for marks in figure.findobj(Collection))
