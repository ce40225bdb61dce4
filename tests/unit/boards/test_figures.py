"""Figures of the boards say what their tables say."""

import numpy as np
import pytest

from saturation.boards import figures
from saturation.boards.ranked import Settings
from saturation.pages import style

SETTINGS = Settings()


@pytest.fixture(scope="module")
def drawn_figures(tables):
    with style.style():
        yield figures.figures(tables, SETTINGS)


def test_titles_say_the_findings(drawn_figures, tables):
    titles = {name: figure.get_suptitle() for name, figure in drawn_figures.items()}
    assert " ".join(titles["overview"].split()) == (
        "One run separates first and fifth on 2 of 5 current leaderboards; without the error of "
        "runs, at least 2"
    )
    pooled = tables["pooled"].query("what == 'alpha' and over == 'all boards'").iloc[0]
    assert " ".join(titles["alpha"].split()) == (
        f"Item answers imply α = {pooled['value']:.2f} ({pooled['lower']:.2f} to "
        f"{pooled['upper']:.2f}), not 0.5"
    )
    assert " ".join(titles["course"].split()) == (
        "On 1 of 2 leaderboards the top ends closer than the items can show"
    )


def test_a_bar_excludes_no_gap_only_where_the_dot_is_filled(drawn_figures, tables):
    (axes,) = drawn_figures["overview"].axes
    whole = {round(bar.get_y() + bar.get_height() / 2): bar for bar in axes.patches
             if bar.get_facecolor()[:3] != (0, 114 / 255, 178 / 255)}  # fmt: skip
    rows = tables["noise"].query("current")
    assert len(whole) == len(rows)
    assert "GMAT  51, 2025-04" in [label.get_text() for label in axes.get_yticklabels()]
    dots = axes.collections[-1]
    for (gap, place), face in zip(dots.get_offsets(), dots.get_facecolors(), strict=True):
        bar = whole[round(place)]
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(gap)
        assert (bar.get_x() > 0) == (tuple(face[:3]) == (0, 0, 0))


@pytest.mark.parametrize("name", ["overview", "alpha", "course"])
def test_no_text_lies_on_another(drawn_figures, overlapping, name):
    assert overlapping(drawn_figures[name]) == []


def test_a_gap_that_the_items_cannot_show_is_hollow_and_said(drawn_figures, tables):
    by_board = tables["course"].groupby("board", sort=False)
    courses = [rows for name, rows in by_board if len(rows) > 3 and name != "gmat"]
    for axes, rows in zip(drawn_figures["course"].axes, courses, strict=True):
        dots = axes.collections[-1]
        np.testing.assert_allclose(dots.get_offsets()[:, 1], 100 * rows["gap"])
        hollow = [tuple(face) == (1, 1, 1, 1) for face in dots.get_facecolors()]
        assert hollow == (rows["gap"] < rows["detectable"]).tolist()
        assert axes.get_title(loc="left").endswith("too close" if hollow[-1] else "separated")


def test_a_run_without_dated_boards_has_an_empty_course(tables):
    with style.style():
        figure = figures.course(tables["course"].iloc[:0], 5)
    assert figure.get_suptitle().startswith("On 0 of 0 leaderboards")
