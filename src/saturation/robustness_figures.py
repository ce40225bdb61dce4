"""What the robustness study's figures share: who gets which colour, and what is synthetic."""

from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import TypeVar

from saturation.figures import CYCLE, PALETTE

Value = TypeVar("Value")
COLOURS = [PALETTE[name] for name in [*CYCLE, "black"]]
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
