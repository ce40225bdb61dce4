"""Figures of the multiverse draw what their tables say."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

from saturation.multiverse import figures, joint
from saturation.multiverse.specifications import CHOICES
from saturation.pages import style
from saturation.plateau.names import CONCLUSION_TITLES


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
    """Positions of the drawn specifications by what they say."""
    return {
        dots.get_label().split(" (")[0]: np.asarray(dots.get_offsets())
        for dots in axes.collections
        if isinstance(dots, PathCollection)
    }


def test_the_overview_has_a_row_a_conclusion(tables, overlapping):
    _, tests = tables
    figure = figures.overview(tests)
    assert overlapping(figure) == []
    shares, effects = figure.axes
    bars = {round(bar.get_y() + bar.get_height() / 2): bar.get_width() for bar in shares.patches}
    fills = [to_hex(bar.get_facecolor()) for bar in shares.patches]
    sided = [fill == style.PALETTE["blue"].lower() for fill in fills]
    assert sided == [width > 50 for width in (bar.get_width() for bar in shares.patches)]
    assert bars == pytest.approx(dict(zip([1, 0], 100 * tests["agreement"])))
    assert [text.get_text() for text in shares.texts] == [
        f"{100 * a:.0f} %" for a in tests["agreement"]
    ]
    assert [label.get_text() for label in shares.get_yticklabels()] == [
        f"{CONCLUSION_TITLES[name]}\npaper: {figures.EXPECTED[tests.loc[name, 'expected']]}"
        for name in ("h1", "age")
    ]
    ends = np.array(effects.collections[0].get_segments())[:, :, 0]
    np.testing.assert_allclose(ends, tests[["effect_lower", "effect_upper"]])
    assert effects.lines[0].get_xdata().tolist() == tests["median_effect"].tolist()
    assert [text.get_text() for text in effects.texts] == [
        f"joint p = {p:.2g}" for p in tests["p_median_holm"]
    ]


def test_the_title_counts_the_conclusions_that_hold_in_more_than_half(tables):
    _, tests = tables
    for agreement, held in (([0.5, 0.51], 1), ([0.2, 0.5], 0), ([0.9, 0.8], 2)):
        figure = figures.overview(tests.assign(agreement=agreement))
        title = " ".join(figure.get_suptitle().split())
        assert title.endswith(f"on {held} of 2 conclusions")


def test_one_curve_stands_above_the_choices_that_lead_to_it(tables):
    curve, tests = tables
    figure = figures.one_curve(curve, tests, "age")
    top, bottom, bar = figure.axes
    title = " ".join(figure.get_suptitle().split())
    row = tests.loc["age"]
    assert title == (
        f"Age: {100 * row['agreement']:.0f} % of 80 specifications agree that {row['statement']} "
        f"(joint p = {row['p_median_holm']:.2g})"
    )
    own = curve[curve["conclusion"] == "age"]
    drawn = points(top)
    for said, chosen in (("agrees with the paper", own["agrees"]), ("does not", ~own["agrees"])):
        assert 0 < len(drawn[said]) < 80
        np.testing.assert_allclose(drawn[said], own.loc[chosen, ["rank", "effect"]])
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
