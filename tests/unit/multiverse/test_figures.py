"""Figures of the multiverse draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from saturation.drawing import style
from saturation.drawing.style import PALETTE
from saturation.multiverse import figures, joint
from saturation.multiverse.choices import CHOICES
from saturation.multiverse.names import TITLES


@pytest.fixture(autouse=True)
def styled():
    with style.style():
        yield


@pytest.fixture(scope="module")
def tables():
    """Two conclusions of eighty specifications; the second agrees in few of them."""
    rng = np.random.default_rng(3)
    rows = []
    for name, shift in (("h1", 0.0), ("age", 0.1)):
        table = pd.DataFrame(dict.fromkeys(CHOICES, "same"), index=range(80))
        table["k"] = np.where(np.arange(80) < 40, 3, 5)
        effect = np.linspace(-0.4, 0.4, 80) + shift
        rows.append(table.assign(conclusion=name, effect=effect, z=6 * effect, possible=500))
    evaluated = pd.concat(rows, ignore_index=True)
    null = rng.normal(0, 0.1, (160, 50))
    made = joint.tables(evaluated, null, 6 * null, 0.05)
    return made["curve"], made["joint"].set_index("conclusion")


def points(axes):
    """Positions and colours of the drawn specifications."""
    dots = next(c for c in axes.collections if len(getattr(c, "get_offsets", list)()) == 80)
    return np.asarray(dots.get_offsets()), [to_hex(colour) for colour in dots.get_facecolors()]


def test_the_overview_draws_every_curve_under_its_title(tables):
    curve, tests = tables
    figure = figures.overview(curve, tests)
    shown = [axes for axes in figure.axes if axes.get_title() or axes.get_title(loc="left")]
    assert len(shown) == 2
    for axes, name in zip(shown, ("h1", "age")):
        row = tests.loc[name]
        title = axes.get_title() or axes.get_title(loc="left")
        assert title == (
            f"{TITLES[name]}: {row['agreement']:.0%} agree\n"
            f"paper: {figures.EXPECTED[row['expected']]}\njoint p = {row['p_median_holm']:.2g}"
        )
        assert axes.get_xlabel() == "80 specifications"
        own = curve[curve["conclusion"] == name].set_index("rank")
        offsets, colours = points(axes)
        by_rank = own.loc[offsets[:, 0].astype(int)]
        np.testing.assert_allclose(offsets[:, 1], by_rank["effect"])
        assert colours == [
            PALETTE["blue" if agreed else "vermilion"].lower() for agreed in by_rank["agrees"]
        ]
        band = axes.collections[0].get_paths()[0].vertices
        assert band[:, 1].min() == pytest.approx(own["null_lower"].min())
        assert band[:, 1].max() == pytest.approx(own["null_upper"].max())
    assert figure.axes[0].get_ylabel() == figures.EFFECT_LABEL
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["95 % of permutations", "agrees with the paper", "does not"]


def test_the_title_counts_the_conclusions_that_hold_in_more_than_half(tables):
    curve, tests = tables
    for agreement, held in (([0.5, 0.51], 1), ([0.2, 0.5], 0), ([0.9, 0.8], 2)):
        figure = figures.overview(curve, tests.assign(agreement=agreement))
        assert figure.get_suptitle().startswith(f"{held} of 2 conclusions hold")


def test_more_than_five_conclusions_take_a_second_line(tables):
    curve, tests = tables
    six = pd.concat([tests.loc[["h1"]].rename({"h1": name}) for name in list(TITLES)[:6]])
    assert len(figures.overview(curve, six).axes) == 10
    assert len(figures.overview(curve, six.head(5)).axes) == 5


def test_one_curve_stands_above_the_choices_that_lead_to_it(tables):
    curve, tests = tables
    figure = figures.one_curve(curve, tests, "age")
    top, bottom, bar = figure.axes
    title = top.get_title() or top.get_title(loc="left")
    row = tests.loc["age"]
    assert title == (
        f"Age: {row['agreement']:.0%} of 80 specifications agree that\n{row['statement']}\n"
        f"(joint p = {row['p_median_holm']:.2g})"
    )
    np.testing.assert_allclose(
        np.sort(points(top)[0][:, 1]), curve.loc[curve["conclusion"] == "age", "effect"]
    )
    # Only k differs; its values fill the halves of the curve.
    assert [label.get_text() for label in bottom.get_yticklabels()] == ["k: 3", "k: 5"]
    shares = np.asarray(bottom.images[0].get_array())
    assert shares.shape == (2, figures.COLUMNS)
    np.testing.assert_array_equal(shares[0], np.arange(40) < 20)
    np.testing.assert_array_equal(shares.sum(axis=0), np.ones(40))
    assert bottom.images[0].get_extent() == [0.5, 80.5, 1.5, -0.5]
    assert bar.get_ylabel() == "share of the specifications here"


def test_a_short_curve_has_a_piece_for_each_specification(tables):
    curve = tables[0][tables[0]["conclusion"] == "h1"].head(7)
    shares = figures._shares(curve.assign(k=[2, 3, 3, 3, 3, 3, 2]))
    assert shares.loc["k", :].to_numpy().tolist() == [
        [1, 0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 0],
    ]  # fmt: skip
