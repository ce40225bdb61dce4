"""Figures 2 to 4 show the numbers of their tables, and their titles no more than the tests say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection

from saturation.pages import style
from saturation.plateau import figures, groupings, hypotheses
from saturation.plateau.names import HYPOTHESES

SHOWN = {name: row for name, row in HYPOTHESES.items() if row.panel}


@pytest.fixture(autouse=True)
def _styled():
    with style.style():
        yield
    plt.close("all")


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


def title(axes):
    return axes.get_title(loc="left")


def rows(figure):
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


def test_titles_say_what_the_tests_of_the_reading_say(results, panels):
    tests = results["tests"].set_index(["hypothesis", "grouping", "test"])
    for name, panel in panels.items():
        assert panel.title.startswith(f"{HYPOTHESES[name].title}: ")
    for name, test in (("h1", "permutation"), ("h2", "permutation"), ("h3", "anova")):
        row = tests.loc[(name, HYPOTHESES[name].shown, test)]
        assert ("no difference shown" in panels[name].title) == (row["p_value"] > 0.05)
    effect = tests.loc[("h2", "primary", "permutation"), "effect"]
    assert f"in S {effect:+.2f}".replace("-", "−") in panels["h2"].title
    trend = results["trends"].set_index(["trend", "reading"]).loc[("age", "spearman_recorded")]
    assert f"Spearman {trend['estimate']:+.2f}" in panels["h5"].title


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0005, "p < 0.001"), (0.002, "p = 0.002"), (0.012, "p = 0.01"), (np.nan, "p not defined")],
)
def test_small_p_values_keep_their_digits(p, text):
    assert figures._p(p) == text


@pytest.mark.parametrize(("p", "found"), [(0.05, "S changes"), (0.0501, "no trend shown")])
def test_a_trend_is_claimed_up_to_five_percent(p, found):
    trend = pd.Series({"estimate": 0.2, "p_value": p})
    assert figures._trend_finding(trend).startswith(found)


@pytest.mark.parametrize(("p", "found"), [(0.05, "a difference"), (0.0501, "no difference shown")])
def test_a_difference_is_claimed_up_to_five_percent(p, found):
    rows = [{"hypothesis": "h1", "grouping": "primary", "test": test, "effect": -0.1, "p_value": p}
            for test in ("permutation", "age_adjusted")]  # fmt: skip
    text = figures._group_finding("h1", pd.DataFrame(rows))
    assert text.startswith(f"{found} (in S −0.10, p = 0.05; at equal age −0.10")


def test_groups_that_cannot_be_compared_say_so():
    none = pd.DataFrame(columns=["hypothesis", "grouping", "test", "effect", "p_value"])
    assert figures._group_finding("h1", none) == "nothing to compare"


def test_rates_and_benchmarks_of_each_group_are_drawn(data, panels):
    drawn = rows(figures.hypotheses(data, panels, 0.7))
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


def test_saturated_benchmarks_are_filled(data, panels):
    drawn = rows(figures.hypotheses(data, {"h1": panels["h1"]}, 0.7))
    ((_, scatter),) = drawn.values()
    filled = [face[3] > 0 for part in scatter.collections for face in part.get_facecolors()]
    assert filled == (points(scatter)[:, 1] >= 0.7).tolist()


def test_a_half_without_hypotheses_is_left_out(data, panels):
    figure = figures.hypotheses(data, {"h2": panels["h2"]}, 0.7)
    assert [part.get_suptitle() for part in figure.subfigs] == [figures.PANELS["right"]]


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
