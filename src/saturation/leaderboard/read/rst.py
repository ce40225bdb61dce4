"""Tables in reStructuredText: of directives, of ruled columns, and of a drawn grid."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from saturation.leaderboard.read.cells import plain
from saturation.leaderboard.read.sheets import Sheet, headed

_DIRECTIVE = re.compile(r"\s*\.\. (list|csv)-table::(.*)")
_OPTION = re.compile(r"\s*:([\w-]+):(.*)")
_BULLET = re.compile(r"\s*(\* )?-( |$)")
# Above, below and under the header of a table of ruled columns; under a heading.
_RULE = re.compile(r"\s*=+(?: +=+)+\s*")
_UNDERLINE = re.compile(r"([=~^*#\"'+-])\1{2,}\s*")
# A link's address, a role and a picture are none of a cell.
_MARKUP = re.compile(r"\s*<[^<>]*>(?=`)|`_*|:\w+:(?=`)|\|\w[\w -]*\|(?!\w)")

Row = tuple[int, list[str]]


def tables_of(text: str) -> list[Sheet]:
    """Return every table of a text, named by its caption or the heading before it."""
    lines = text.splitlines()
    tables: list[Sheet] = []
    heading, end = "", 0
    for place, line in enumerate(lines):
        if place and _UNDERLINE.fullmatch(line) and lines[place - 1].strip():
            heading = lines[place - 1]
        if place < end:
            continue
        body, rows, caption = _table_at(lines[place:])
        end = place + len(body)
        numbered = [(place + number, list(map(_text, cells))) for number, cells in rows]
        name = plain(caption.strip() or heading.strip())
        tables += [replace(sheet, about=text) for sheet in headed(numbered, name)]
    return tables


def _table_at(lines: Sequence[str]) -> tuple[Sequence[str], list[Row], str]:
    """Return the lines of the table that begins on the first, with its rows and caption."""
    first = lines[0]
    if directive := _DIRECTIVE.match(first):
        depth = _depth(first)
        body = list(takewhile(lambda line: not line.strip() or _depth(line) > depth, lines[1:]))
        rows_of = _rows_of_list if directive[1] == "list" else _rows_of_values
        return [first, *body], list(rows_of(body)), directive[2]
    if _RULE.fullmatch(first):
        body = list(takewhile(str.strip, lines))
        return body, list(_rows_of_columns(body)), ""
    if first.lstrip().startswith("+-"):
        body = list(takewhile(lambda line: line.strip()[:1] in {"+", "|"}, lines))
        return body, list(_rows_of_grid(body)), ""
    return [], [], ""


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _text(cell: str) -> str:
    """Return a cell without its markup."""
    return plain(_MARKUP.sub("", cell)).strip()


def _rows_of_list(body: Sequence[str]) -> Iterable[Row]:
    """Return the rows of a list of lists."""
    rows: list[Row] = []
    for number, line in enumerate(body, start=2):
        first, dash, cell = f"{line} ".partition("- ") if _BULLET.match(line) else ("", "", line)
        if "*" in first:
            rows.append((number, []))
        if dash and rows:
            rows[-1][1].append(cell)
        elif rows:
            rows[-1][1][-1] += " " + line.strip()
    return rows


def _rows_of_values(body: Sequence[str]) -> Iterator[Row]:
    """Yield the header of a table of values between commas, then its rows."""
    for number, line in enumerate(body, start=2):
        option = _OPTION.match(line)
        if line.strip() and (not option or option[1] == "header"):
            yield (
                number,
                next(csv.reader([(option[2] if option else line).strip()], skipinitialspace=True)),
            )


def _rows_of_columns(body: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of columns below a rule; a line without a first cell goes on with a row."""
    starts = [match.start() for match in re.finditer("=+", body[0])]
    rows: list[Row] = []
    for number, line in enumerate(body, start=1):
        if _RULE.fullmatch(line) or not line.strip(" -"):
            continue
        cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None])]
        if rows and not cells[0]:
            rows[-1] = rows[-1][0], list(map(" ".join, zip(rows[-1][1], cells)))
        else:
            rows.append((number, cells))
    yield from rows


def _rows_of_grid(body: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a grid; the lines between two rules are a row."""
    lines = enumerate(map(str.strip, body), start=1)
    for inside, row in groupby(lines, key=lambda line: line[1].startswith("|")):
        if inside:
            numbers, texts = zip(*row)
            cells = zip(*(text.strip("|").split("|") for text in texts))
            yield numbers[-1], [" ".join(map(str.strip, parts)) for parts in cells]
