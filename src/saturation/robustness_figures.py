"""What the robustness study's figures share: who gets which colour, and what is synthetic."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, TypeVar

from saturation.figures import CYCLE, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value = TypeVar("Value")
COLOURS = [PALETTE[name] for name in [*CYCLE, "black"]]
LETTERS_AN_INCH = 17
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "p", "<", ">", "h"]


def assigned(names: Iterable[str], values: Sequence[Value]) -> dict[str, Value]:
    """Each distinct name with a value, in order of appearance; values repeat when they run out."""
    return dict(zip(dict.fromkeys(names), cycle(values)))


def title(text: str, synthetic: bool) -> str:
    """Title that says first of all when the data are made up."""
    return f"SYNTHETIC DATA: {text}" if synthetic else text[:1].upper() + text[1:]


def source(text: str, synthetic: bool) -> str:
    """Remark below a figure, with the origin of made-up data."""
    return f"{text}; synthetic predictions, drawn with a known truth" if synthetic else text


def headline(figure: "Figure", text: str) -> None:
    """Title over several panels."""
    figure.suptitle(text, x=0.01, ha="left", weight="bold")


def footnote(figure: "Figure", text: str) -> None:
    """Small grey remark below the panels, broken into lines that fit."""
    lines = textwrap.fill(text, int(figure.get_figwidth() * LETTERS_AN_INCH))
    figure.supxlabel(lines, fontsize=7.5, color="#555555", x=0.01, ha="left")
