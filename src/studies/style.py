"""One style of figures, and their files."""

import contextlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saturation.files.tables import prepare_folder
from saturation.pages.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Ordered, from light to dark with rising saturation, readable in greyscale.
BIN_COLOURS = {
    "very_low": "#E8B800",
    "low": "#6CCE59",
    "moderate": "#21908D",
    "high": "#3B528B",
    "very_high": "#440154",
}


BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW, GREY, BLACK = PALETTE.values()


CYCLE = [BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, GREY]


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

    with mpl.rc_context({**_STYLE, "axes.prop_cycle": cycler(color=CYCLE)}):
        try:
            yield
        finally:
            plt.close("all")


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


def caption(figure: "Figure", title: str, remark: str, room: int = 0) -> None:
    """Write the title over a whole figure, and the remark below it."""
    headline(figure, title)
    footnote(figure, remark, room)


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


_DOTS_AN_INCH = 200  # of a figure as PNG


def write_figure(figure: "Figure", paths: Sequence[str | Path]) -> None:
    """Save a figure once per path (PNG, PDF, SVG by suffix), without dates or random ids."""
    import matplotlib as mpl

    undated = {".pdf": {"CreationDate": None, "ModDate": None}, ".svg": {"Date": None}}
    settings = {"svg.hashsalt": "saturation", "svg.fonttype": "none"}
    # Laid out once, and without an engine from then on: else each format is drawn twice.
    with mpl.rc_context({**settings, "figure.constrained_layout.use": False}):
        if (engine := figure.get_layout_engine()) is not None:
            figure.set_dpi(_DOTS_AN_INCH)
            engine.execute(figure)
            figure.set_layout_engine(None)
            # The engine's last bits differ from run to run, and SVG's ids with them.
            for axes in figure.axes:
                axes.set_position(np.round(axes.get_position(original=True).bounds, 9).tolist())
        for path in map(Path, paths):
            if path.suffix == ".png":
                _write_png(figure, prepare_folder(path))
            else:
                figure.savefig(
                    prepare_folder(path), dpi=_DOTS_AN_INCH, metadata=undated.get(path.suffix)
                )


def _write_png(figure: "Figure", path: Path) -> None:
    """Save a figure with at most 256 colours: a third of the size, and no eye sees which are gone.

    PDF and SVG keep every colour.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(_DOTS_AN_INCH)
    # Any: its methods have no types.
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    few = (
        Image.fromarray(np.asarray(canvas.buffer_rgba()))
        .convert("RGB")
        .quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    # The last levels of compression take five times as long for an eighth of the size.
    few.save(path, compress_level=7, dpi=(_DOTS_AN_INCH, _DOTS_AN_INCH))


def write_figures(figures: "Mapping[str, Figure]", paths: Iterable[str | Path]) -> None:
    """Save to each path the figure that its name without suffix names."""
    for path in map(Path, paths):
        write_figure(figures[path.stem], [path])
