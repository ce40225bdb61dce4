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


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_titles_say_the_findings(drawn_figures, tables):
    titles = {name: figure.get_suptitle() for name, figure in drawn_figures.items()}
    assert " ".join(titles["overview"].split()) == (
        "Items separate first and fifth on 2 of 4 leaderboards of language models with 10 models "
        "or more"
    )
    pooled = tables["pooled"].query("what == 'alpha' and over == 'all boards'").iloc[0]
    assert " ".join(titles["alpha"].split()) == (
        f"Items imply α = {pooled['value']:.2f} ({pooled['lower']:.2f} to {pooled['upper']:.2f}): "
        "0 of 60 benchmarks saturated; at the paper's 0.5, 29"
    )
    assert titles["course"] == "On 2 of 3 boards the top is now closer than the items can show"


def test_an_interval_excludes_no_gap_only_where_the_top_is_separated(drawn_figures, tables):
    """Intervals hold over all pairs of a leaderboard, as the verdict of its ties does."""
    gaps = drawn_figures["overview"].axes[0]
    lowest = sorted(
        (segment[0, 1], segment[:, 0].min())
        for bars in gaps.collections
        for segment in bars.get_segments()
        if len(segment) == 2 and segment[0, 1] == segment[1, 1]
    )
    separated = (~tables["overview"]["kth_tied"].astype(bool)).iloc[::-1].tolist()
    assert [low > 0 for _, low in lowest[-len(separated) :]] == separated


@pytest.mark.parametrize("name", ["overview", "alpha", "course"])
def test_no_text_lies_on_another(drawn_figures, overlapping, name):
    assert overlapping(drawn_figures[name]) == []


def test_every_board_has_a_row_with_its_numbers(drawn_figures, tables):
    gaps, items, _ = drawn_figures["overview"].axes
    assert [label.get_text() for label in gaps.get_yticklabels()] == list(
        tables["overview"]["title"].iloc[::-1]
    )
    assert "1,136" in texts(drawn_figures["overview"])
    widths = np.array([bar.get_width() for bar in items.patches]).reshape(3, -1)
    assert widths.sum(axis=0) == pytest.approx(100)


def test_a_gap_that_the_items_cannot_show_is_hollow_and_said(drawn_figures, tables):
    courses = [rows for _, rows in tables["course"].groupby("board", sort=False) if len(rows) > 2]
    for axes, rows in zip(drawn_figures["course"].axes, courses, strict=True):
        dots = axes.collections[-1]
        np.testing.assert_allclose(dots.get_offsets()[:, 1], 100 * rows["gap"])
        hollow = [tuple(face) == (1, 1, 1, 1) for face in dots.get_facecolors()]
        assert hollow == (rows["gap"] < rows["detectable"]).tolist()
        assert axes.get_title(loc="left").endswith("too close" if hollow[-1] else "now apart")


def test_a_run_without_dated_boards_has_an_empty_course(tables):
    with style.style():
        figure = figures.course(tables["course"].iloc[:0], 5)
    assert figure.get_suptitle().startswith("On 0 of 0 boards")
