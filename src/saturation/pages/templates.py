"""Render pages from templates; escape every value for the format of its page."""

import html
import math
import re
import shutil
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from saturation.pages.style import PAGE

# What a template is filled with, by name.
Content = Mapping[str, Any]
# Characters that mean something in Markdown, also inside a table.
# With what a spreadsheet takes for the beginning of a formula.
_MARKDOWN = re.compile(r"([\\`*_\[\]#|~]|^[=+@-])")
# Columns of a terminal: where none is attached, and as few as words still fit into.
WIDEST, NARROWEST = 96, 52
# P-values are shown with three decimals.
SMALLEST_P = 0.001
# What the quoted papers' formulas have.
_SYMBOLS = {
    **{r"\rho": "ρ", r"\alpha": "α", r"\theta": "θ", r"\Delta": "Δ", r"\geq": "≥", r"\in": "∈"},
    **{r"\pm": "±", r"\{": "{", r"\}": "}", "^2": "²", "^*": "∗"},
}
_LATEX = re.compile("|".join(map(re.escape, _SYMBOLS)))
# Stand for the ends of a name until a text is HTML; private to this module.
_NAME, _END = "\ue000", "\ue001"
# What moves a terminal's cursor or turns round the text beside it; no name needs them: controls
# other than tab and newline; marks, embeddings, overrides and isolates of direction.
_MOVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def page(template: str, content: Content) -> str:
    """HTML or SVG from a Jinja template; all values are escaped."""
    return _environment(autoescape=True).from_string(template).render(content)


def load_together(templates: Mapping[str, str]) -> Callable[[str, Content], str]:
    """Pages from templates that may extend, include and import each other by name.

    The function takes a name and the content as :func:`page` does, and gives back the page.
    """
    environment = _environment(autoescape=True)
    environment.loader = DictLoader(templates)
    return lambda name, content: environment.get_template(name).render(content)


def markdown(template: str, content: Content) -> str:
    """Markdown from a Jinja template; values are escaped by its filter ``md``."""
    return _environment(autoescape=False).from_string(template).render(content)


def escape_markdown(value: Any) -> str:
    """Escape a value as a line of literal Markdown text: no markup, no HTML, no table cells."""
    line = " ".join(plain(value).split())
    return _MARKDOWN.sub(r"\\\1", html.escape(line, quote=False))


def percent(value: float | None, digits: int = 1, unit: str = "%") -> str:
    """Format a proportion as a percentage, or in hundredths of another name; a dash if missing.

    Examples
    --------
    >>> percent(0.4567)
    '45.7 %'
    """
    if value is None or math.isnan(value):
        return "–"
    return f"{100 * float(value):.{digits}f} {unit}"


def quoting(template: str, named: Content) -> str:
    """Fill numbers into a text, percentages as everywhere: ``46 %``."""
    return re.sub(r"(?<=\d)%", " %", template.format(**named))


def points(value: float | None) -> str:
    """Format a difference of two proportions in percentage points; a dash if missing.

    Examples
    --------
    >>> points(0.0234)
    '2.3 points'
    """
    return percent(value, unit="points")


def counted(count: int, what: str) -> str:
    """Format a number with the noun that is counted: ``1 date``, ``2 dates``.

    Examples
    --------
    >>> counted(2, "date")
    '2 dates'
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def number(value: float | None, digits: int = 2) -> str:
    """Format a number, whole numbers with thousands separators; a dash if missing."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    # z: what rounds to zero is 0, not -0.
    return f"{value:z,.0f}" if digits == 0 else f"{value:z.{digits}f}"


def about(value: float) -> str:
    """Round an estimated number to two digits, for example a design's number of items.

    Examples
    --------
    >>> about(1234.0)
    'about 1,200'
    """
    return f"about {float(f'{value:.2g}'):,.0f}"


def probability(value: float | None) -> str:
    """Format a p-value as ``p = 0.031``; below a thousandth as ``p < 0.001``.

    Examples
    --------
    >>> probability(0.0312)
    'p = 0.031'
    """
    if value is not None and value < SMALLEST_P:
        return f"p < {SMALLEST_P}"
    return f"p = {number(value, 3)}"


def plain(value: Any) -> str:
    """Text in which characters that move or turn round other text are shown as codes."""
    return _MOVING.sub(lambda found: f"<U+{ord(found[0]):04X}>", str(value))


def terminal_width() -> int:
    """Return the columns of the terminal, at most 96; 96 where no terminal is attached."""
    return max(NARROWEST, min(shutil.get_terminal_size((WIDEST, 0)).columns, WIDEST))


def wrap(text: str, indent: str, first: str = "") -> list[str]:
    """Wrap a sentence to the terminal's width, later lines behind an indent."""
    return textwrap.wrap(
        text,
        terminal_width(),
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def isolated(value: str) -> str:
    """Mark a name so that the filter ``names`` keeps its direction of writing to itself."""
    return f"{_NAME}{value.replace(_NAME, '').replace(_END, '')}{_END}"


def names(value: str) -> Markup:
    """Text as HTML, in which names that :func:`isolated` marked are isolated."""
    text = str(escape(plain(value)))
    return Markup(text.replace(_NAME, "<bdi>").replace(_END, "</bdi>"))


def readable(value: str) -> str:
    """Text whose LaTeX formulas are plain characters: ``$S_{5}^2$`` becomes ``S_5²``."""
    text = re.sub(r"\$([^$]+)\$", r"\1", value)
    text = re.sub(r"\\text\{(\w+)\}", r"\1", text)
    text = re.sub(r"_\{([^{}]+)\}", r"_\1", text)
    return _LATEX.sub(lambda found: _SYMBOLS[found[0]], text)


def emphasis(value: str) -> Markup:
    """Text in which ``*words*`` are set off; lone asterisks and what makes formulas go."""
    text = str(escape(readable(plain(value))))
    pairs = re.sub(r"\*(?=\S)([^*]+)(?<=\S)\*", r"<em>\1</em>", text)
    # One whose fellow was not quoted.
    return Markup(re.sub(r"(?<=\S)\*|\*(?=\S)", "", pairs))


def words(value: str) -> str:
    """Write an identifier in words.

    Examples
    --------
    >>> words("very_high")
    'very high'
    """
    return str(value).replace("_", " ")


def _environment(autoescape: bool) -> Environment:
    environment = Environment(
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Bidirectional and control characters become ``<U+202E>``.
        finalize=lambda value: plain(value) if type(value) is str else value,
    )
    filters = {
        "percent": percent,
        "number": number,
        "words": words,
        "emphasis": emphasis,
        "readable": readable,
        "md": escape_markdown,
        "names": names,
        "probability": probability,
    }
    environment.filters.update(filters)
    environment.globals["page_colours"] = PAGE
    return environment
