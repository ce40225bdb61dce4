"""Parse a table's cells: a number with its additions, a date, or nothing."""

import functools
import html
import math
import re
from collections.abc import Iterable
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

_MATH = re.compile(r"\$([^$\\]*+\\[^$]*+|[\d.]++)\$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NARROW = str.maketrans("−（）％", "-()%")
# Cells that say nothing, in every shape of a table.
_NOTHING = re.compile(
    r"[-–—−‑?.…⏳ ]*|#?n/a|nan?|null|none|tbd|<na>|n\.a\.?|n/r|pending|unknown"
    r"|not (?:reported|available|evaluated|tested)"
)
# Longer texts hold no score. Forms are tried on texts without two spaces in a row: so each form
# takes a time that is linear in a cell's length.
LONGEST = 100
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_SCORE = rf"(?P<number>{_NUMBER}) ?(?P<percent>%?)"
_FORMS = [
    re.compile(form, re.ASCII)
    for form in (
        _SCORE,
        rf"{_SCORE} ?\(? ?(?:±|\+/?-|\\?pm) ?(?P<error>{_NUMBER}) ?%? ?\)?(?: ?\(.*)?",
        rf"{_SCORE} ?\(? ?\+(?P<above>{_NUMBER}) ?/ ?-(?P<below>{_NUMBER}) ?%? ?\)?",
        rf"{_SCORE} ?\(? ?-(?P<below>{_NUMBER}) ?/ ?\+(?P<above>{_NUMBER}) ?%? ?\)?",
        rf"{_SCORE} ?[\[(] ?(?P<low>{_NUMBER}) ?%? ?(?:,|;|–|to|-) ?(?P<high>{_NUMBER}) ?%? ?[\])]",
        rf"{_SCORE} ?\( ?(?P<solved>\d+) ?/ ?(?P<n>\d+) ?\)",
        rf"(?P<solved>\d+) ?(?:/|of|out of) ?(?P<n>\d+)(?: ?\( ?{_SCORE} ?\))?",
        rf"{_SCORE} ?\( ?n ?= ?(?P<n>\d+) ?\)",
        # A difference from another score.
        rf"{_SCORE} ?\( ?[-+] ?{_NUMBER} ?%? ?\)",
        # A mark, or how many runs failed.
        r"(?P<number>\d*\.\d+) ?(?P<percent>%?) ?\(\d\d?\)",
        # How numpy prints a number since version 2.
        rf"np\.float\d+\({_SCORE}\)",
    )
]
# 1,470 and 1 470 are numbers; 0,853 and 85,3 are not, unless all of a table has commas.
MARKS = r"'’ \xa0\u2009\u202f"
_THOUSANDS = re.compile(
    rf"(?<![\d.,])[1-9]\d{{0,2}}(?:([,{MARKS}])\d{{3}})(?:\1\d{{3}})*(?!\1?\d)", re.ASCII
)
COMMA = re.compile(r"(?<![\d,])(?:0,\d+|\d+,(?:\d\d?|\d{4,}))(?![\d,])")
# A score and its error, in a column whose name says that it holds errors.
IN_PARENTHESES = re.compile(rf"({_NUMBER} ?%?) ?\( ?({_NUMBER}) ?%? ?\)", re.ASCII)
# Of Wikipedia: [3], [a]; of Markdown: [^3]; of print: ^a, ^†.
FOOTNOTES = re.compile(r"(?: ?\[(?:\^?\d{1,3}|[a-z]|note \d+)\]| ?\^ ?[\w*†‡§]?)+$")
# Arrows, signs and pictures about a number.
_SIGNS = "[ ~≈*†‡§^¹²³⁴-⁹←-⇿■-⯿🀀-🿿\ufe0f]+"
_ORNAMENTS = re.compile(rf"^{_SIGNS}|{_SIGNS}$")
# What follows a number: a difference, the same in another form, or words in brackets.
REMARK = re.compile(r" ?(?:[·=↑↓▲▼].*|\((?![-+±–\d.,;/% ]*\))[^()]*\))$")
_DAY_FORMS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y"),
    *("%d.%m.%Y", "%Y-%m", "%b %Y", "%B %Y"),
)
# What stands for commands of LaTeX.
_COMMANDS = {
    "pm": "±",
    "uparrow": "↑",
    "downarrow": "↓",
    "Delta": "Δ",
    "tnote": "^",
    "textsuperscript": "^",
}


class Value(NamedTuple):
    """Score in a cell, with its additions."""

    number: float
    percent: bool = False
    error: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    decimals: int = 0


# A cell that is read: a number, text that is none, or nothing.
Read = Value | str | None


def numbers_of(cells: Iterable[Read]) -> list[float]:
    """Return the numbers that cells hold."""
    return [cell.number for cell in cells if isinstance(cell, Value)]


def plain(text: str) -> str:
    """Return text without the marks of Markdown and HTML; of a link its words."""
    if not any(mark in text for mark in "[<&*`_~\\$"):
        return text
    text = _MATH.sub(lambda found: re.sub(r"\\\w+|[{}_^]", " ", set_signs(found[1])), text)
    text = re.sub(r"(?<=[^\s>])<sup>", "^", text)
    text = re.sub(
        r"\*\*|__|~~|`|(?<![\w\\])[*_](?=\S)|(?<=[^\s\\])[*](?!\w)|(?<=\w)_(?!\w)", "", text
    )
    text = strip_links(text.replace("\\\\", "/").replace("\\", ""))
    return " ".join(text.split())


def strip_links(text: str) -> str:
    """Return text without tags of HTML, and of a link its words; `__` and `*` stay."""
    if not any(mark in text for mark in "[<&"):
        return text
    return " ".join(html.unescape(_TAG.sub(" ", _LINK.sub(r"\1", text))).split())


def set_signs(text: str) -> str:
    """Return a text of LaTeX with the signs for its commands."""
    for command, sign in _COMMANDS.items():
        text = text.replace(rf"\{command}", sign)
    return text


def blank(cell: Any) -> bool:
    """Return whether a cell says nothing."""
    if isinstance(cell, float):
        return math.isnan(cell)
    if cell is None or isinstance(cell, int):
        return cell is None
    text = str(cell).strip().lower()
    return _NOTHING.fullmatch(text) is not None


def value(cell: Any, *, with_errors: bool = False) -> Read:
    """Read the number in a cell with its additions; None if blank, the text of other cells.

    In a column `with_errors`, parentheses after a number hold its error.
    """
    if blank(cell):
        return None
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, (int, float)):
        return Value(float(cell), decimals=_decimals(repr(cell)))
    return _value_of_text(str(cell), with_errors)


# A table is read for each of its tasks, and columns repeat their texts.
@functools.lru_cache(maxsize=2**18)
def _value_of_text(cell: str, with_errors: bool) -> Read:
    text = cell
    if len(text) > LONGEST and len(text := plain(text).strip()) > LONGEST:
        return cell
    text = " ".join(plain(text).translate(_NARROW).split())
    if with_errors:
        text = IN_PARENTHESES.sub(r"\1 ± \2", text)
    text = _ORNAMENTS.sub("", FOOTNOTES.sub("", text))
    bare = REMARK.sub("", text)
    spellings = dict.fromkeys([text, join_thousands(text), bare, join_thousands(bare)])
    for spelling, form in product(spellings, _FORMS):
        if match := form.fullmatch(spelling):
            return _value_of_parts(match.groupdict())
    return cell


def join_thousands(text: str) -> str:
    """Return a text whose numbers have nothing between their thousands."""
    return _THOUSANDS.sub(lambda match: re.sub(r"\D", "", match[0]), text)


def _value_of_parts(parts: dict[str, Any]) -> Value:
    solved, n = (None if parts.get(key) is None else int(parts[key]) for key in ("solved", "n"))
    if parts.get("number") is None and solved is not None:
        return Value(solved / n if n else math.nan, n=n, decimals=12)
    number = float(parts["number"])
    ends = {key: float(parts[key]) for key in ("low", "high", "above", "below") if parts.get(key)}
    if "above" in ends:
        ends = {"low": number - ends["below"], "high": number + ends["above"]}
    error = None if parts.get("error") is None else float(parts["error"])
    decimals = _decimals(parts["number"])
    return Value(number, bool(parts.get("percent")), error, **ends, n=n, decimals=decimals)


def _decimals(text: str) -> int:
    mantissa, _, exponent = text.lower().partition("e")
    return max(0, len(mantissa.partition(".")[2].rstrip("0")) - int(exponent or 0))


def ends_around(cell: Any, score: float) -> tuple[float, float] | None:
    """Return the ends that a cell of a column of errors gives a score, in the score's unit."""
    text = str(cell).strip()
    for spelling in (f"{score} {text}", f"{score} ± {text}", f"{score} [{text}]"):
        parsed = value(spelling)
        if isinstance(parsed, Value) and parsed.error is not None:
            return score - parsed.error, score + parsed.error
        if isinstance(parsed, Value) and parsed.low is not None and parsed.high is not None:
            return parsed.low, parsed.high
    return None


def day_of(cell: Any) -> str | None:
    """Return the ISO date of a cell in a common form; of a month the first day."""
    return _day_of_text(str(cell).strip()[:LONGEST])


@functools.lru_cache(maxsize=2**14)
def _day_of_text(text: str) -> str | None:
    text = re.sub(r"(?<=\d)(st|nd|rd|th)\b|[,.](?=\s)", "", text)
    if re.match(r"\d{4}-\d\d-\d\d", text):
        text = text[:10]
    for form in _DAY_FORMS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return None
