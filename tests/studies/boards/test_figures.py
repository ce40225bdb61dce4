"""Figures of the boards say what their tables say."""

import pytest

from studies import style
from studies.boards import figures
from studies.boards.ranked import Settings

SETTINGS = Settings()


@pytest.fixture(scope="module")
def drawn_figures(tables):
    with style.style():
        yield figures.figures(tables, SETTINGS)


def test_figures_are_those_that_were_read_through(drawn_figures, figures_as_reviewed):
    figures_as_reviewed("boards", drawn_figures)


@pytest.mark.parametrize("name", ["overview", "alpha"])
def test_no_text_lies_on_another(drawn_figures, overlapping, name):
    assert overlapping(drawn_figures[name]) == []
