"""Figures show the numbers of their tables, and their titles no more than the tests say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import Collection, LineCollection, PathCollection
from matplotlib.colors import to_rgba

from saturation.pages import style
from studies.plateau import controls, equal_top, figures
from studies.plateau.names import FIGURES


@pytest.fixture(autouse=True)
def _styled():
    with style.style():
        yield
    plt.close("all")


@pytest.fixture
def names(results):
    return results["benchmarks"].set_index("benchmark_id")["name"]


def points(axes):
    """Of every set of points, one below the other."""
    sets = [
        artist.get_offsets() for artist in axes.collections if isinstance(artist, PathCollection)
    ]
    return np.concatenate(sets)


def drawn(figure):
    """Draw it, so that layout and text are really done."""
    figure.canvas.draw()
    return figure


def test_the_overview_ranks_every_benchmark_and_counts_the_bins(results, names):
    figure = drawn(figures.overview(results["index"], results["intervals"], names, 0.7))
    (axes,) = figure.axes
    ranked = results["index"].sort_values(["s_index", "benchmark_id"])
    saturated = (ranked["s_index"] >= 0.7).sum()
    certain = (results["intervals"]["s_lower"] >= 0.7).sum()
    assert figure.get_suptitle().replace("\n", " ") == (
        f"S ≥ 0.7 for {saturated} of 60 benchmarks; for {certain} by the whole interval"
    )
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert shown == names.loc[ranked["benchmark_id"]].tolist()
    values = points(axes)
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


def test_every_figure_that_planning_names_is_drawn_and_can_be_read(results, overlapping):
    made = figures.figures(results, 5, 0.5, 0.7)
    assert sorted(made) == sorted(FIGURES)
    for name, figure in made.items():
        assert overlapping(figure) == [], name
        # Few marks stay lines and dots in a vector file.
        assert not any(marks.get_rasterized() for marks in figure.findobj(Collection)), name


def test_of_more_benchmarks_than_a_page_can_name_the_figure_keeps_its_size(results, names):
    copies = [results["index"].assign(benchmark_id=lambda t, n=n: t["benchmark_id"] + f"_{n}")
              for n in range(10)]  # fmt: skip
    index = pd.concat(copies, ignore_index=True)
    intervals = index[["benchmark_id"]].assign(s_lower=index["s_index"], s_upper=1.0)
    figure = drawn(figures.overview(index, intervals, names, 0.7))
    (axes,) = figure.axes
    assert figure.get_figheight() == figures.UNNAMED_HEIGHT
    assert axes.get_ylabel() == "600 benchmarks, by S"
    assert len(points(axes)) == 600
    figures._lighten(figure)
    assert {marks.get_rasterized() for marks in axes.collections} == {True}


def segments(axes):
    return np.concatenate(
        [part.get_segments() for part in axes.collections if isinstance(part, LineCollection)]
    )


@pytest.fixture
def panels(results, data):
    return figures.panels(results, data)


def test_rates_of_each_group_are_drawn_in_the_reading_that_is_shown(panels, data):
    assert [panel.title[:2] for panel in panels] == ["H1", "H2", "H3", "H4", "H5", "H6"]
    assert set(panels[2].rates["grouping"]) == {"human_and_automatic"}
    figure = drawn(figures.hypotheses(panels, data, 0.7))
    for panel, axes in zip(panels, figure.axes[::2], strict=True):
        assert [text.get_text() for text in axes.texts] == [panel.title, panel.numbers]
        widths = [bar.get_width() for bar in axes.patches]
        assert widths == pytest.approx(100 * panel.rates["rate"])
        ends = segments(axes)[:, :, 0] / 100
        assert ends == pytest.approx(panel.rates[["rate_lower", "rate_upper"]].to_numpy(), abs=1e-9)
        assert [label.get_text() for label in axes.get_yticklabels()] == [
            f"{row.group.replace('_', ' ')} ({row.n})" for row in panel.rates.itertuples()
        ]


def test_crosses_of_a_panel_are_its_saturated_benchmarks(panels, data):
    figure = drawn(figures.hypotheses(panels, data, 0.7))
    for panel, axes in zip(panels, figure.axes[1::2], strict=True):
        grouped = data[data["benchmark_id"].map(panel.groups).notna()]
        for marker, expected in (("x", grouped["s_index"] >= 0.7), ("o", grouped["s_index"] < 0.7)):
            lines = [line for line in axes.lines if line.get_marker() == marker]
            heights = sorted(np.concatenate([line.get_ydata() for line in lines]))
            assert heights == sorted(grouped["s_index"][expected])


def test_the_panel_of_languages_says_what_one_n_leaves(panels, results):
    rows = results["controls"].query("conclusion == 'h2' and adjusted == 'none'")
    rows = rows[rows["control"].str.startswith("same_n_")]
    low, high = rows["effect"].min(), rows["effect"].max()
    assert f"with one n {low:+.2f} to {high:+.2f} (p = " in panels[1].numbers
    assert panels[1].significant
    assert panels[1].without_n is False
    assert panels[2].without_n is None
    title = figures.hypotheses(panels, results["benchmarks"].merge(results["index"]), 0.7)
    assert "(p ≤ 0.05), none" in title.get_suptitle().replace("\n", " ")


def test_the_grid_has_a_line_for_each_k(results):
    grid = results["grid"]
    (axes,) = drawn(figures.sensitivity(grid, 5, 0.5, 60)).axes
    for k in (3, 5):
        (line,) = [line for line in axes.lines if line.get_label() == f"k = {k}"]
        assert list(line.get_ydata()) == list(grid.query("k == @k")["n_saturated"])
        assert list(line.get_xdata()) == [0.0, 0.5, 1.0]
    default = grid.query("k == 5 and alpha == 0.5")["n_saturated"].iloc[0]
    assert axes.texts[0].xy == (0.5, default)
    low, high = grid["n_saturated"].min(), grid["n_saturated"].max()
    assert axes.figure.get_suptitle().startswith(f"Between {low} and {high} of 60")


def test_the_equal_top_says_how_many_gaps_are_larger(results):
    table = results["equal_top"]
    counts = equal_top.counted(table, 0.7).query("errors == 'items' and saturated")
    (axes,) = drawn(figures.equal_top(table, 0.7)).axes
    independent = counts[counts["dependence"] == 0]
    assert axes.lines[0].get_ydata() == pytest.approx(independent["larger"])
    assert axes.figure.get_suptitle().startswith(f"At least {counts['larger'].min()} of 29")


@pytest.mark.parametrize(("p", "finding"), [(0.05, "a difference"), (0.0501, "no difference")])
def test_a_difference_is_claimed_up_to_five_percent(results, p, finding):
    tests = results["tests"].assign(p_value=p, effect=-0.1)
    rates = results["groups"].query("hypothesis == 'h1'")
    panel = figures._describe_groups("h1", rates, pd.Series(), {**results, "tests": tests})
    assert panel.title.startswith(f"H1 accessibility: {finding}")
    assert panel.numbers.startswith("difference −0.10 (p = 0.05); at equal age −0.10 (p = 0.05)")


@pytest.fixture
def trend():
    return pd.Series({"estimate": 0.123, "p_value": 0.456})


@pytest.mark.parametrize(
    ("estimate", "p", "said"),
    [
        (0.2, 0.05, "S rises with age (Spearman 0.20, p = 0.05)"),
        (-0.2, 0.05, "S falls with age (Spearman -0.20, p = 0.05)"),
        (-0.2, 0.2, "No evidence that S falls with age (Spearman -0.20, p = 0.20)"),
        (np.nan, np.nan, "S and age: the correlation is not defined"),
    ],
)
def test_a_title_claims_what_is_shown(estimate, p, said):
    assert figures._trend_title("age", pd.Series({"estimate": estimate, "p_value": p})) == said


def test_citations_that_are_not_counted_are_said_and_none_is_one(results, data, trend):
    uncited = data.copy()
    uncited.loc[uncited["citations"].idxmin(), "citations"] = 0
    (axes,) = figures.citation_bins(uncited, results["bins"], trend).axes
    missing = int(data["citations"].isna().sum())
    assert f"{missing} without a count not shown" in axes.get_xlabel()
    lines = segments(axes)
    flat, upright = np.log(lines[::2, :, 0]), np.log(lines[1::2, 0, 0])
    assert upright == pytest.approx(flat.mean(axis=1))
    shown = points(axes)
    assert np.isfinite(shown[:, 0]).sum() == 60 - missing
    assert np.nanmin(shown[:, 0]) == 1


def test_every_panel_holds_its_control(results):
    rows = results["controls"]
    shown = figures.effects(rows)
    verdicts = controls.judge_without_n(rows)
    marks = [text.get_text() for text in shown.axes[-1].texts]
    assert marks.count("still") == verdicts["kept"].sum()
    assert marks.count("no longer") == (verdicts["shown"] & ~verdicts["kept"]).sum()
    for axes, control in zip(shown.axes, ("index", "dealt_n", None, "gap_rank")):
        found = np.sort(points(axes)[:, 0])
        same_n = rows["control"].str.startswith("same_n")
        chosen = same_n if control is None else rows["control"] == control
        expected = np.sort(rows.loc[chosen, "effect"].dropna().to_numpy())
        assert np.asarray(found) == pytest.approx(expected)
    labels = [label.get_text() for label in shown.axes[0].get_yticklabels()]
    first = labels.index("H1 public − private")
    assert labels[first + 1 : first + 3] == ["at equal age", "H2 English-only − others"]
