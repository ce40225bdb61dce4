"""Tables in LaTeX."""

import re
from dataclasses import replace
from textwrap import shorten

from saturation.leaderboard.read.cells import set_signs
from saturation.leaderboard.read.sheets import Sheet, headed

# A table, with its caption above and what is below it in its float.
_TABULAR = re.compile(
    r"(?:\\caption(?:(?!\\(?:begin|end)\{tab).)*)?"
    r"\\begin\{tabular[*x]?\}(?:\[\w\]|\{(?:[^{}]|\{[^{}]*\})*\})*(.*?)\\end\{tabular"
    r"(?:(?!\\(?:begin|end)\{tab).)*",
    re.DOTALL,
)
_CAPTION = re.compile(r"\\caption\*?\{((?:[^{}]|\{[^{}]*\})*)\}")
# Rows of a table that another file begins and ends.
_BODY = re.compile(r"(?:\A|(?<=\n))((?:[^&\n]*(?<!\\)&.*\\\\.*(?:\n|\Z)|[ \t]*\\\w+rule.*\n)+)")
_MULTIROW = re.compile(r"\\multirow(?:\[\w\])?\{(\d+)\}\{[^{}]*\}")
# A cell of several lines, whose ends are none of rows.
_LINES = re.compile(r"\\(?:makecell|thead|shortstack)(?:\[\w\])?\{(?:[^{}]|\{[^{}]*\})*\}")
# Comments and lines between rows are none of a cell; a cell of several rows is its text.
_LATEX = re.compile(
    r"(?<!\\)%.*"
    r"|\\(cmidrule|cline|\w*color(?:box)?|cite\w*|footnote\w*)([(\[].*?[)\]])?\{[^{}]*\}|"
    + _MULTIROW.pattern
)
_COMMAND = re.compile(
    r"\\multicolumn\{\d+\}\{[^{}]*\}|\\[a-zA-Z]+\*?(?:\[[^\]]*\])?(?:\{([^{}]*)\})?"
)


def tables_of(text: str) -> list[Sheet]:
    """Return every table of a text in LaTeX; a text of rows alone is a table's body."""
    tables = []
    for match in _TABULAR.finditer(text) if _TABULAR.search(text) else _BODY.finditer(text):
        first = text[: match.start(1)].count("\n") + 1
        [caption] = _cells(" ".join(_CAPTION.findall(match[0])))
        # The first sentence says what the table is.
        name = shorten(re.split(r"(?<=\w\w\w|\w\w\))[.:] (?=[A-Z])", caption)[0], 72)
        tables += [replace(sheet, about=text) for sheet in headed(_rows(match[1], first), name)]
    return tables


def holds_rows(text: str) -> bool:
    """Return whether a text begins with rows of a table."""
    return _BODY.match(text.lstrip()) is not None


def _rows(body: str, line: int) -> list[tuple[int, list[str]]]:
    """Return the rows of a table with their lines; a cell of several rows stands in each."""
    rows = []
    spans: dict[int, tuple[str, int]] = {}
    body = _LINES.sub(lambda cell: cell[0].replace(r"\\", " "), body)
    for place, row in enumerate(body.split(r"\\")):
        cells: list[str] = []
        for part in re.split(r"(?<!\\)&", row):
            cells += _cells(part)
            if down := _MULTIROW.search(part):
                spans[len(cells) - 1] = cells[-1], place + int(down[1])
        spanned = {column: above for column, (above, end) in spans.items() if place < end}
        line += row.count("\n")
        # Rules end in a line break too.
        if any(cells):
            rows.append((line, [cell or spanned.get(n, "") for n, cell in enumerate(cells)]))
    return rows


def _cells(text: str) -> list[str]:
    """Return the text of a cell, once for each column that the cell spans."""
    text = _LATEX.sub("", set_signs(text))
    span = re.match(r"\s*\\multicolumn\{(\d+)\}\{[^{}]*\}", text)
    macros = re.findall(r"\\((?!\w*rule\b|hline|addlinespace)[A-Za-z]{4,})", text)
    while (bare := _COMMAND.sub(r"\1", text)) != text:
        text = bare
    text = re.sub(r"_\{([^{}]*)\}", r" (\1)", text)
    cell = " ".join(re.sub(r"[{}~$]|\\[,;: ]", " ", re.sub(r"\\(?=[%_#&])", "", text)).split())
    # A name may be a macro of the paper's own.
    return [cell or "".join(macros[-1:])] * (int(span[1]) if span else 1)
