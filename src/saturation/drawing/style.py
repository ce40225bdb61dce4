"""One style for every figure: colour-blind-safe palette, sizes and small helpers."""

import contextlib
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
from cycler import cycler

from saturation.drawing.palette import BIN_COLOURS, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BIN_COLOURS", "PALETTE", "footnote", "headline", "note", "style"]

CYCLE = ["blue", "orange", "green", "vermilion", "purple", "sky", "grey"]
LETTERS_AN_INCH = 17  # of a footnote

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
    "axes.prop_cycle": cycler(color=[PALETTE[name] for name in CYCLE]),
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
    """Matplotlib context with the project's style; figures made inside are closed after it."""
    with mpl.rc_context(_STYLE):
        try:
            yield
        finally:
            plt.close("all")


def note(axes: "Axes", text: str) -> None:
    """Small grey remark below the axes: sample size, source, what is synthetic.

    Parameters
    ----------
    axes
        What the remark stands under.
    text
        The remark.
    """
    axes.annotate(
        text,
        xy=(0, 0),
        xycoords="axes fraction",
        xytext=(0, -34),
        textcoords="offset points",
        fontsize=7.5,
        color="#555555",
        va="top",
    )


def headline(figure: "Figure", text: str) -> None:
    """Title over several panels.

    Parameters
    ----------
    figure
        Figure with several panels.
    text
        The finding.
    """
    figure.suptitle(text, x=0.01, ha="left", weight="bold")


def footnote(figure: "Figure", text: str) -> None:
    """Small grey remark below several panels, broken into lines that fit.

    Parameters
    ----------
    figure
        Figure with several panels; its width decides where lines break.
    text
        The remark.
    """
    lines = textwrap.fill(text, int(figure.get_figwidth() * LETTERS_AN_INCH))
    figure.supxlabel(lines, fontsize=7.5, color="#555555", x=0.01, ha="left")
