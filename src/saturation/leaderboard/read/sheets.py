"""Tables as people publish them (Markdown, HTML, YAML, JSON, Excel), in plain Python."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError
from saturation.leaderboard.read.cells import plain

if TYPE_CHECKING:
    import pandas as pd

# Rows of a table of scores; each is looked at cell by cell.
MOST_ROWS = 100_000
MOST_CELLS = 10**7
# What a workbook may unpack to.
LARGEST_BOOK = 2**30
# Under the header of a table of Markdown, of Emacs or of a database.
_RULE = re.compile(r"[|+]?:?-+:?([|+]:?-+:?)*[|+]?")
# How a number begins, not '5-shot'.
_BEGINS_NUMBER = re.compile(r"[~≈<>+-]?\d+([.,]\d+)?\s*($|[%±(\[])")
_HEADING = re.compile(r"(#{1,6})\s")
# Longer lines above a table are sentences.
LONGEST_CAPTION = 60
# What stands between the headings that name a table.
_PATH = " / "


@dataclass(frozen=True)
class Sheet:
    """A table of cells as its file holds them; `lines` are as an editor counts."""

    columns: list[str]
    rows: list[list[Any]]
    lines: list[int]
    name: str = ""  #: what distinguishes it from the file's other tables, such as its heading
    notes: list[str] = field(default_factory=list)
    ragged: list[str] = field(default_factory=list)  #: sentences on rows with too few cells
    about: str = ""  #: the text around it
    score: str | None = None  #: the column that the user calls the score
    leftovers: list[str] = field(default_factory=list)  #: the file's columns that it lacks

    def frame(self) -> "pd.DataFrame":
        """As a data frame whose index is the line; columns of text are categories."""
        import pandas as pd

        lines = pd.Index(self.lines, dtype=int)
        frame = pd.DataFrame(self.rows, lines, range(len(self.columns)), dtype=object)
        for place in frame:
            texts = frame[place].map(lambda cell: isinstance(cell, str))
            if texts.all():
                frame[place] = frame[place].astype("category")
            elif not texts.any():
                frame[place] = frame[place].infer_objects()
        frame.columns = pd.Index(self.columns)
        return frame

    def select(self, rows: Sequence[int]) -> "Sheet":
        """Return a sheet of some of the rows."""
        lines = [self.lines[row] for row in rows]
        return replace(self, rows=[self.rows[row] for row in rows], lines=lines)

    @classmethod
    def convert(cls, frame: "pd.DataFrame") -> "Sheet":
        """Return the sheet of a data frame."""
        rows = frame.astype(object).to_numpy().tolist()
        return cls([str(name) for name in frame.columns], rows, [int(n) for n in frame.index])


def sheet_of(
    header: Sequence[str], rows: Iterable[tuple[int, Sequence[Any]]], name: str = ""
) -> Sheet:
    """Return rows under a header, without rows of other numbers of cells."""
    titles = [str(cell).strip() for cell in header]
    # A name that stands twice tells nothing apart; the first column may lack a name.
    places = dict(zip(reversed(titles), range(len(titles), 0, -1)))
    columns = [
        title if title and places[title] == place else f"{title or 'column'} {place}"
        for place, title in enumerate(titles, start=1)
    ]
    columns[:1] = titles[:1]
    filled = [(line, list(cells)) for line, cells in rows if _texts_of(cells)]
    whole = [(line, cells) for line, cells in filled if len(cells) == len(columns)]
    # A row of a single text is a section's title.
    ragged = [
        f"row {line} has not as many cells as the header has columns"
        for line, cells in filled
        if len(cells) != len(columns) and len(_texts_of(cells)) > 1
    ]
    lines, bodies = [line for line, _ in whole], [cells for _, cells in whole]
    return Sheet(columns, bodies, lines, name, ragged=ragged)


def fill_gaps(cells: Iterable[str]) -> list[str]:
    """Return cells, each empty cell with the text before."""
    filled = [""]
    for cell in cells:
        filled.append(cell or filled[-1])
    return filled[1:]


def _texts_of(cells: Sequence[Any]) -> set[str]:
    return {str(cell).strip() for cell in cells} - {""}


def holds_markdown(text: str) -> bool:
    """Return whether a text holds a table of Markdown."""
    lines = [line for line in text.splitlines() if "|" in line or line.startswith("+-")]
    return any(map(_match_rule, lines[1:]))


def _match_rule(line: str) -> bool:
    """Return whether a line is that under a header."""
    return _RULE.fullmatch("".join(line.split())) is not None


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [plain(cell.replace("\\|", "|")).strip() for cell in re.split(r"(?<!\\)\|", inner)]


def markdown(text: str) -> list[Sheet]:
    """Return every table of a Markdown text, named by the heading before the table.

    Where two tables have the same heading, all are named by those above it too, and where these
    are the same, by the line above the table.
    """
    lines = text.splitlines()
    tables, captions, end = [], [], 0
    for place, (line, follows, name) in enumerate(zip(lines, lines[1:], _headings(lines))):
        ruled = _match_rule(follows) and set("|+") & set(follows)
        if place >= end and ruled and "|" in line:
            body = list(takewhile(lambda row: "|" in row, lines[place + 2 :]))
            end = place + 2 + len(body)
            # What a row lacks at its end is empty, and what it has beyond is no cell.
            header = _cells(line)
            cells = [[*_cells(row), *[""] * len(header)][: len(header)] for row in body]
            sheet = _with_spans(header, list(enumerate(cells, start=place + 3)), name)
            tables.append(replace(sheet, about=text))
            caption = plain(lines[place - 1].strip() or lines[place - 2]).strip("#*: ")
            is_other = name.endswith(caption) or len(caption) > LONGEST_CAPTION
            captions.append(name if is_other else f"{name}{_PATH}{caption}")
    last = [sheet.name.rpartition(_PATH)[2] for sheet in tables]
    names = last if len({*last}) == len(last) else captions
    return [replace(table, name=name) for table, name in zip(tables, names)]


def _headings(lines: Sequence[str]) -> Iterator[str]:
    """Yield the headings that each line is below, but for the title of the document."""
    headings: dict[int, str] = {}
    for line in lines:
        if mark := _HEADING.match(line):
            level = len(mark[1])
            above = {n: title for n, title in headings.items() if 1 < n < level}
            headings = {**above, level: plain(line.strip(" \t#"))}
        yield _PATH.join(headings.values())


def _with_spans(header: Sequence[str], rows: list[tuple[int, list[str]]], name: str) -> Sheet:
    """Return rows under a header, or under two rows if the first leaves cells of a span empty."""
    spans = "" in header[1:] and len(rows) > 1 and all(rows[0][1])
    if spans and (joined := join_header(fill_gaps(header), rows[0][1])):
        return sheet_of(joined, rows[1:], name)
    return sheet_of(header, rows, name)


class _Tables(HTMLParser):
    """The cells of every table of a page; a cell over several columns or rows stands in each."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[int, list[str]]]] = []
        self._open: list[list[tuple[int, list[tuple[str, int, int]]]]] = []
        self._cell: list[str] | None = None
        self._span = (1, 1)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open.append([])
        elif tag == "tr" and self._open:
            self._close()
            self._open[-1].append((self.getpos()[0], []))
        elif tag in ("td", "th") and self._open and self._open[-1]:
            self._close()
            across, down = (dict(attrs).get(name) or "" for name in ("colspan", "rowspan"))
            self._cell, self._span = [], (_times(across), _times(down))
        elif tag in ("sup", "sub", "br"):
            # A note's mark is no digit of the number before it.
            self.handle_data("^" if tag == "sup" else " ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table") and self._open:
            self._close()
        if tag == "table" and self._open:
            self.tables.append(_spread(self._open.pop()))

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _close(self) -> None:
        if self._cell is not None and self._open and self._open[-1]:
            text = " ".join("".join(self._cell).split())
            self._open[-1][-1][1].append((text, *self._span))
        self._cell = None


def _times(span: str) -> int:
    return max(1, min(int(span), 100)) if span.isdecimal() else 1


def _spread(rows: Sequence[tuple[int, Any]]) -> list[tuple[int, list[str]]]:
    """Return rows whose cells stand in every column and row that they span."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    for place, (_, cells) in enumerate(rows):
        first = 0
        for text, across, down in cells:
            while first in grid[place]:
                first += 1
            for row in grid[place : place + down]:
                row |= dict.fromkeys(range(first, first + across), text)
    lines = [line for line, _ in rows]
    if len(set(lines)) < len(lines):  # of a page on one line
        lines = list(range(1, len(rows) + 1))
    return [(line, [row[n] for n in sorted(row)]) for line, row in zip(lines, grid)]


def page(text: str) -> list[Sheet]:
    """Return every table of an HTML page that has a header and a row."""
    parser = _Tables()
    parser.feed(text)
    parser.close()
    return [replace(sheet, about=plain(text)) for rows in parser.tables for sheet in headed(rows)]


def _workbook(path: Path) -> Any:
    """Open a workbook that unpacks to no more than may be held."""
    import openpyxl

    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > LARGEST_BOOK:
        raise InputError(
            f"{path}: the workbook unpacks to {size / 2**20:,.0f} MiB; allowed: "
            f"{LARGEST_BOOK / 2**20:g} MiB; save its sheet as CSV"
        )
    with path.open("rb") as file:  # by its content, whatever its name ends in
        return openpyxl.load_workbook(file, data_only=True)


def excel(path: Path) -> list[Sheet]:
    """Return every sheet of a workbook."""
    tables = []
    for sheet in _workbook(path).worksheets:
        if sheet.max_row * sheet.max_column > MOST_CELLS:
            raise InputError(
                f"{path}: the sheet '{sheet.title}' reaches to {sheet.dimensions.split(':')[-1]}; "
                "delete the columns and rows beyond its table, or save that as CSV"
            )
        for block in _blocks(_fill_merged_cells(sheet)):
            tables += headed(block, sheet.title)
    return tables


def _blocks(rows: Sequence[Sequence[Any]]) -> Iterator[list[tuple[int, Sequence[Any]]]]:
    """Yield rows with their lines; below a table and an empty row, a row without numbers parts."""
    block: list[tuple[int, Sequence[Any]]] = []
    gap = is_table = False
    for line, row in enumerate(rows, start=1):
        texts = [str(cell) for cell in row if cell is not None]
        numbers = any(map(_BEGINS_NUMBER.match, texts))
        if is_table and gap and texts and not numbers:
            yield block
            block, is_table = [], False
        gap, is_table = not texts, is_table or numbers
        block += [(line, row)] * bool(texts)
    yield block


def _fill_merged_cells(sheet: Any) -> list[list[Any]]:
    """Return the cells of a worksheet; a merged cell stands in each place that it spans."""
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    for first, top, right, bottom in (span.bounds for span in sheet.merged_cells.ranges):
        for row in rows[top - 1 : bottom]:
            row[first - 1 : right] = [rows[top - 1][first - 1]] * (right - first + 1)
    return rows


def headed(rows: Sequence[tuple[int, Sequence[Any]]], name: str = "") -> list[Sheet]:
    """Return the table below its single-cell titles; a header may span several columns."""
    texts = [["" if cell is None else str(cell).strip() for cell in row] for _, row in rows]
    # A merged title stands in all of its rows.
    headers = (
        place
        for place, row in enumerate(texts)
        if len({*row} - {""}) > 1 and [row] != texts[place + 1 : place + 2]
    )
    start = next(headers, len(rows))
    if len(rows) < start + 2:
        return []
    header, body = texts[start], rows[start + 1 :]
    if len(body) > 1 and (joined := join_header(header, texts[start + 1])):
        header, body = joined, body[1:]
    titles = "; ".join(text for row in texts[:start] for text in dict.fromkeys(row) if text)
    return [replace(sheet_of(header, body, name), about=titles)]


def join_header(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Join the two rows of a header that spans columns; nothing of a header of one row.

    The names of an index of several lines are below cells that are empty.
    """
    spans = any(first and first == second for first, second in pairwise(above))
    index = not any(above[:2]) and len({*below}) > 2
    if not (spans or index) or any(map(_BEGINS_NUMBER.match, below)):
        return []
    return [
        low if low and below.count(low) == 1 else " ".join(dict.fromkeys([high, low])).strip()
        for high, low in zip(above, below)
    ]
