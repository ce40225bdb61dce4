"""One style for figures and pages: colour-blind-safe palette, sizes and small helpers.

Pages need no Matplotlib, so it is imported where a figure is drawn.
"""

import contextlib
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Okabe and Ito (2008): distinguishable with every common form of colour blindness.
PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "grey": "#8A8A8A",
    "black": "#222222",
}
# Ordered, from light to dark with rising saturation, readable in greyscale.
BIN_COLOURS = {
    "very_low": "#E8B800",
    "low": "#6CCE59",
    "moderate": "#21908D",
    "high": "#3B528B",
    "very_high": "#440154",
}

# Colours of pages by their names in the style sheets, on light and on dark ground. Text and links
# are darker or lighter than the palette's: they need more contrast than marks do.
PAGE = {
    "light": {
        "ink": "#1f2328",
        "soft": "#59636e",
        "line": "#d1d9e0",
        "ground": "#ffffff",
        "panel": "#f6f8fa",
        "link": "#0058a3",
        "good": "#00614a",
        "bad": "#a33c00",
        "focus": PALETTE["blue"].lower(),
        "mark": PALETTE["blue"].lower(),
        "tie": PALETTE["vermilion"].lower(),
        "warn": PALETTE["yellow"].lower(),
    },
    "dark": {
        "ink": "#e6edf3",
        "soft": "#9aa4af",
        "line": "#3d444d",
        "ground": "#0d1117",
        "panel": "#151b23",
        "link": "#79c0ff",
        "good": "#56d4a4",
        "bad": "#ffa264",
        "focus": PALETTE["sky"].lower(),
        "mark": PALETTE["sky"].lower(),
        "tie": PALETTE["orange"].lower(),
        "warn": PALETTE["yellow"].lower(),
    },
}


CYCLE = ["blue", "orange", "green", "vermilion", "purple", "sky", "grey"]
COLUMN = 5.5  # inches: of a paper, in which a figure of this width keeps its sizes
SMALLEST = 6.5  # points: text under it cannot be read there
FOOTNOTE_SIZE = 7.5
LETTERS_AN_INCH = 17  # of a footnote
HEADLINE_LETTERS_AN_INCH = 10.7

_STYLE = {
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Apply the project's Matplotlib style; close figures of the context at its exit."""
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib import pyplot as plt

    cycle = cycler(color=[PALETTE[name] for name in CYCLE])
    with mpl.rc_context({**_STYLE, "axes.prop_cycle": cycle}):
        try:
            yield
        finally:
            plt.close("all")


def short(text: str, most: int) -> str:
    """Shorten a name to some letters; the last says that letters are left out."""
    return text if len(text) <= most else text[: most - 1] + "…"


def note(axes: "Axes", text: str) -> None:
    """Small grey remark below the axes: sample size, source, what is synthetic."""
    axes.annotate(
        text,
        xy=(0, 0),
        xycoords="axes fraction",
        xytext=(0, -34),
        textcoords="offset points",
        fontsize=FOOTNOTE_SIZE,
        color="#555555",
        va="top",
    )


def headline(figure: "Figure", text: str) -> None:
    """Title over the whole figure, each of its lines broken into lines that fit."""
    letters = int(figure.get_figwidth() * HEADLINE_LETTERS_AN_INCH)
    lines = [part for line in text.splitlines() for part in _broken(line, letters)]
    figure.suptitle("\n".join(lines), x=0.01, ha="left", weight="bold")


def _broken(text: str, letters: int) -> list[str]:
    """Lines of at most so many letters; a percent sign stays with its number."""
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), letters)
    return [line.replace("\u00a0", " ") for line in lines]


def footnote(figure: "Figure", text: str, room: int = 0) -> int:
    """Small grey remark below several panels, broken into lines that fit; returns their number."""
    lines = _broken(text, int(figure.get_figwidth() * LETTERS_AN_INCH))
    figure.supxlabel(
        "\n".join([" "] * room + lines), fontsize=FOOTNOTE_SIZE, color="#555555", x=0.01, ha="left"
    )
    return len(lines)


def key(figure: "Figure", axes: "Axes", text: str, columns: int = 4) -> None:
    """Draw the legend of a panel's marks below all panels, and a remark under the legend.

    The layout makes room at the bottom for the larger of a legend and a remark, not for both: the
    remark has empty lines here, on which the legend stands.
    """
    handles, labels = axes.get_legend_handles_labels()
    rows = -(-len(labels) // columns)
    lines = footnote(figure, text, room=2 * rows)
    height = 1.25 * FOOTNOTE_SIZE * lines / 72
    figure.legend(
        handles,
        labels,
        ncols=columns,
        loc="lower left",
        bbox_to_anchor=(0, height / figure.get_figheight()),
    )
