"""The check that all figures go through finds what it looks for."""

import matplotlib.pyplot as plt

from studies.style import COLUMN, SMALLEST, style


def drawn(width=COLUMN, size=SMALLEST, text="said"):
    # Not by pyplot, whose figures are checked when these tests are done.
    figure = plt.Figure(figsize=(width, 2))
    figure.add_subplot().text(0, 0, text, fontsize=size)
    return figure


def test_what_is_just_large_enough_passes(unreadable):
    with style():
        plt.figure(figsize=(COLUMN, 1))
        assert unreadable(drawn()) == []


def test_wide_figures_and_small_texts_are_named(unreadable):
    with style():
        assert unreadable(drawn(width=COLUMN + 0.1)) == ["5.6 inches wide, more than 5.5"]
        assert unreadable(drawn(size=5.9)) == ["'said' has 5.9 points, less than 6.5"]
        assert unreadable(drawn(size=5, text=" ")) == []


def test_texts_on_each_other_are_named(overlapping):
    with style():
        figure, axes = plt.subplots(figsize=(3, 2))
        axes.text(0.5, 0.5, "one")
        assert overlapping(figure) == []
        axes.text(0.52, 0.52, "two")
        assert overlapping(figure) == [("one", "two")]
