"""Figures show the numbers of their tables, and their titles no more than the tests say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import Collection, LineCollection, PathCollection
from matplotlib.colors import to_rgba

from saturation.pages import style
from saturation.plateau import controls, equal_top, figures, groupings, hypotheses
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


def title(axes):
    return axes.get_title(loc="left")


def drawn(figure):
    """Draw it, so that layout and text are really done."""
    figure.canvas.draw()
    return figure


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


def test_every_figure_that_planning_names_is_drawn_and_can_be_read(results, overlapping):
    made = figures.figures(results, 5, 0.5, 0.7)
    assert sorted(made) == sorted(FIGURES)
    for name, figure in made.items():
        assert overlapping(figure) == [], name
        # Few marks stay lines and dots in a vector file.
        assert not any(marks.get_rasterized() for marks in figure.findobj(Collection)), name


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
    [(-0.5, "falls * more"), (-0.4, "That S falls"), (0.1, "That S rises"), (0.2, "falls * less")],
)
def test_the_title_says_whether_s_falls_beyond_its_formula(results, observed, said):
    control = results["permuted_n"].assign(spearman=observed, null_lower=-0.4, null_upper=0.1)
    found = title(figures.permuted_n(control, 60).axes[0])
    assert all(part in found for part in said.split(" * "))


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


SHOWN = {name: row for name, row in HYPOTHESES.items() if row.panel}


@pytest.fixture
def panels(results, data):
    return figures.panels(data, results)


def points(axes):
    """Of every set of points, one below the other."""
    sets = [
        artist.get_offsets() for artist in axes.collections if isinstance(artist, PathCollection)
    ]
    return np.concatenate(sets)


def segments(axes):
    return np.concatenate(
        [part.get_segments() for part in axes.collections if isinstance(part, LineCollection)]
    )


def by_title(figure):
    """The two axes of each hypothesis, by the title above them."""
    figure.canvas.draw()
    pairs = zip(figure.axes[::2], figure.axes[1::2], strict=True)
    return {rates.texts[0].get_text(): (rates, scatter) for rates, scatter in pairs}


def test_each_hypothesis_is_shown_in_its_reading(results, data, panels):
    assert list(panels) == list(SHOWN)
    compared = {(row.hypothesis, row.grouping): row.groups for row in groupings.comparisons(data)}
    pd.testing.assert_series_equal(panels["h3"].groups, compared["h3", "human_and_automatic"])
    pd.testing.assert_series_equal(panels["h6"].groups, compared["h6", "primary"])
    assert panels["h5"].groups.tolist() == hypotheses.age_bin(data["age_months"]).tolist()
    for panel in panels.values():
        counts = panel.rates.set_index("group")["n"]
        assert counts.to_dict() == panel.groups.value_counts().to_dict()


@pytest.mark.parametrize(("p", "found"), [(0.05, "a difference"), (0.0501, "no difference shown")])
def test_a_difference_is_claimed_up_to_five_percent(p, found):
    rows = [{"hypothesis": "h1", "grouping": "primary", "test": test, "effect": -0.1, "p_value": p}
            for test in ("permutation", "age_adjusted")]  # fmt: skip
    text = figures._group_finding("h1", pd.DataFrame(rows))
    assert text.startswith(f"{found} (in S −0.10, p = 0.05; at equal age −0.10")


def test_rates_and_benchmarks_of_each_group_are_drawn(data, panels):
    drawn = by_title(figures.hypotheses(data, panels, 0.7))
    assert sorted(drawn) == sorted(panel.title for panel in panels.values())
    for panel in panels.values():
        rates, scatter = drawn[panel.title]
        marks = [line.get_xdata()[0] for line in rates.lines]
        assert marks == pytest.approx((100 * panel.rates["rate"]).tolist())
        ends = segments(rates)[:, :, 0] / 100
        assert ends == pytest.approx(panel.rates[["rate_lower", "rate_upper"]].to_numpy(), abs=1e-9)
        assert [label.get_text() for label in rates.get_yticklabels()] == [
            f"{row.group.replace('_', ' ')}, n = {row.n}" for row in panel.rates.itertuples()
        ]
        assert len(points(scatter)) == panel.rates["n"].sum()
        looks = {(line.get_color(), line.get_marker()) for line in rates.lines}
        assert len({colour for colour, _ in looks}) == len({mark for _, mark in looks})
        assert len(looks) == len(panel.rates)


@pytest.fixture
def trend():
    return pd.Series({"estimate": 0.123, "p_value": 0.456})


def test_the_means_of_the_age_bins_stand_over_their_benchmarks(results, data, trend):
    (axes,) = figures.age_bins(data, results["bins"], trend).axes
    shown = results["bins"].query("binned_by == 'age_months'")
    assert title(axes) == "That S rises with age is not shown (Spearman 0.12, p = 0.46)"
    assert points(axes).tolist() == data[["age_months", "s_index"]].to_numpy(float).tolist()
    lines = segments(axes)
    flat, upright = lines[::2], lines[1::2]
    assert flat[:, 0, 1].tolist() == shown["mean_s"].tolist()
    assert upright[:, :, 1].tolist() == shown[["mean_s_lower", "mean_s_upper"]].to_numpy().tolist()
    labels = hypotheses.age_bin(data["age_months"])
    for (start, end), label in zip(flat[:, :, 0], shown["bin"]):
        members = data.loc[labels == label, "age_months"]
        assert (start, end) == (members.min(), members.max())
    # An interval stands half way along its mean.
    assert upright[:, 0, 0] == pytest.approx(flat[:, :, 0].mean(axis=1))
    assert [text.get_text() for text in axes.texts] == [
        f"n = {row.n}\n{100 * row.rate:.0f} %" for row in shown.itertuples()
    ]


@pytest.mark.parametrize(
    ("estimate", "p", "said"),
    [
        (0.2, 0.05, "S rises with age (Spearman 0.20, p = 0.05)"),
        (-0.2, 0.05, "S falls with age (Spearman -0.20, p = 0.05)"),
        (-0.2, 0.2, "That S falls with age is not shown (Spearman -0.20, p = 0.20)"),
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
    verdicts = controls.without_n(rows)
    marks = [text.get_text() for text in shown.axes[-1].texts]
    assert marks.count("stays") == verdicts["kept"].sum()
    assert marks.count("goes") == (verdicts["shown"] & ~verdicts["kept"]).sum()
    for axes, control in zip(shown.axes, ("index", "dealt_n", None, "gap_rank")):
        dots = [marks for marks in axes.collections if isinstance(marks, PathCollection)]
        found = np.sort(np.concatenate([marks.get_offsets()[:, 0] for marks in dots]))
        same_n = rows["control"].str.startswith("same_n")
        chosen = same_n if control is None else rows["control"] == control
        expected = np.sort(rows.loc[chosen, "effect"].dropna().to_numpy())
        assert np.asarray(found) == pytest.approx(expected)
    labels = [label.get_text() for label in shown.axes[0].get_yticklabels()]
    first = labels.index("H1 public − private")
    assert labels[first + 1 : first + 3] == ["at equal age", "H2 English-only − others"]


def test_the_equal_top_says_how_many_gaps_are_small(results):
    table = results["equal_top"]
    counts = equal_top.counted(table, 0.7).query("errors == 'items' and dependence == 0")
    saturated = counts[counts["saturated"]]
    with style.style():
        figure = figures.equal_top(table, 0.7)
        figure.canvas.draw()
        left, right = figure.axes
        assert figure.get_suptitle().startswith(
            f"At most {(saturated['n'] - saturated['larger']).max()} of 29 saturated benchmarks"
        )
        assert left.lines[0].get_ydata() == pytest.approx(saturated["n"] - saturated["larger"])
        assert "20 equal models" in right.get_xlabel()
        assert sum(len(dots.get_offsets()) for dots in right.collections) == 60
