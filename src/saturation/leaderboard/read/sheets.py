"""Tables as people publish them (Markdown, HTML, YAML, JSON, Excel), in plain Python."""

import math
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError
from saturation.leaderboard.read import columns
from saturation.leaderboard.read.cells import plain, strip_links

if TYPE_CHECKING:
    import pandas as pd

# The column of keys of a document that may be models or tasks of one.
KEY = "key"
# Below how many keys a cell may lie, and half as deep as a list of rows may.
DEEPEST = 3
# Keys of the objects of a table, most of them in most objects.
MOST_KEYS = 200
# Rows of a table of scores; each is looked at cell by cell.
MOST_ROWS = 100_000
MOST_CELLS = 10**7
# Values of a YAML document whose text is shorter.
MOST_NODES = 10**6
# What a workbook may unpack to.
LARGEST_BOOK = 2**30
# Under the header of a table of Markdown, of Emacs or of a database.
_RULE = re.compile(r"[|+]?:?-+:?([|+]:?-+:?)*[|+]?")
# How a number begins, not '5-shot'.
_BEGINS_NUMBER = re.compile(r"[~≈<>+-]?\d+([.,]\d+)?\s*($|[%±(\[])")
# What is read beside a cell's value; the rest is its looks.
_ERROR = re.compile(r"std|stderr|(?i:^(se|sem|sd)$|standard.?error|deviation)")
# A name of a column or item that is one of many: sample_17.
_NUMBERED = re.compile(r"\D+\d+")
_TABULAR = re.compile(
    r"\\begin\{tabular[*x]?\}(?:\[\w\]|\{(?:[^{}]|\{[^{}]*\})*\})*(.*?)\\end\{tabular", re.DOTALL
)
_MULTIROW = re.compile(r"\\multirow(?:\[\w\])?\{(\d+)\}\{[^{}]*\}")
# Comments and lines between rows are none of a cell; a cell of several rows is its text.
_LATEX = (
    (re.compile(r"(?<!\\)%.*"), ""),
    (re.compile(r"\\(cmidrule|cline|color|cite\w*|footnote\w*)(\(.*?\))?\{[^{}]*\}"), ""),
    (_MULTIROW, ""),
    (re.compile(r"\\(\w+rule|hline|addlinespace)\b"), ""),
    (re.compile(r"\\pm"), "±"),
)
_COMMAND = re.compile(
    r"\\multicolumn\{\d+\}\{[^{}]*\}|\\[a-zA-Z]+\*?(?:\[[^\]]*\])?(?:\{([^{}]*)\})?"
)
_HEADING = re.compile(r"#{1,6}\s")


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

    @classmethod
    def convert(cls, frame: "pd.DataFrame") -> "Sheet":
        """Return the sheet of a data frame."""
        rows = frame.astype(object).to_numpy().tolist()
        return cls([str(name) for name in frame.columns], rows, [int(n) for n in frame.index])


def _sheet(
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
    """Return every table of a Markdown text, named by the heading before the table."""
    lines = text.splitlines()
    tables, heading, end = [], "", 0
    for place, (line, follows) in enumerate(pairwise([*lines, ""])):
        if _HEADING.match(line):
            heading = plain(line.strip(" \t#"))
        ruled = _match_rule(follows) and set("|+") & set(follows)
        if place >= end and ruled and "|" in line:
            body = list(takewhile(lambda row: "|" in row, lines[place + 2 :]))
            end = place + 2 + len(body)
            # What a row lacks at its end is empty, and what it has beyond is no cell.
            header = _cells(line)
            cells = ([*_cells(row), *[""] * len(header)][: len(header)] for row in body)
            sheet = _sheet(header, enumerate(cells, start=place + 3), heading)
            tables.append(replace(sheet, about=text))
    return tables


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
            self.handle_data(" ")  # a note's mark is no digit of the number before it

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
    return [replace(sheet, about=plain(text)) for rows in parser.tables for sheet in _headed(rows)]


def latex(text: str) -> list[Sheet]:
    """Return every table of a text in LaTeX."""
    tables = []
    for start, body in ((match.start(1), match[1]) for match in _TABULAR.finditer(text)):
        rows, line = [], text[:start].count("\n") + 1
        spans: dict[int, tuple[str, int]] = {}
        for place, row in enumerate(body.split(r"\\")):
            cells: list[str] = []
            for part in re.split(r"(?<!\\)&", row):
                cells += _latex_cells(part)
                if down := _MULTIROW.search(part):
                    spans[len(cells) - 1] = cells[-1], place + int(down[1])
            spanned = {column: above for column, (above, end) in spans.items() if place < end}
            line += row.count("\n")
            rows.append((line, [cell or spanned.get(n, "") for n, cell in enumerate(cells)]))
        tables += [replace(sheet, about=text) for sheet in _headed(rows)]
    return tables


def _latex_cells(text: str) -> list[str]:
    """Return the text of a cell, once for each column that the cell spans."""
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    span = re.match(r"\s*\\multicolumn\{(\d+)\}\{[^{}]*\}", text)
    macros = re.findall(r"\\([A-Za-z]{4,})", text)
    while (bare := _COMMAND.sub(r"\1", text)) != text:
        text = bare
    cell = " ".join(re.sub(r"[{}~$]", " ", re.sub(r"\\(?=[%_#&])", "", text)).split())
    # A name may be a macro of the paper's own.
    return [cell or "".join(macros[:1])] * (int(span[1]) if span else 1)


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
        rows = enumerate(_fill_merged_cells(sheet), start=1)
        filled = [(line, row) for line, row in rows if any(cell is not None for cell in row)]
        tables += _headed(filled, sheet.title)
    return tables


def _fill_merged_cells(sheet: Any) -> list[list[Any]]:
    """Return the cells of a worksheet; a merged cell stands in each place that it spans."""
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    for first, top, right, bottom in (span.bounds for span in sheet.merged_cells.ranges):
        for row in rows[top - 1 : bottom]:
            row[first - 1 : right] = [rows[top - 1][first - 1]] * (right - first + 1)
    return rows


def _headed(rows: Sequence[tuple[int, Sequence[Any]]], name: str = "") -> list[Sheet]:
    """Return the table below its single-cell titles; a header may span several columns."""
    texts = [["" if cell is None else str(cell).strip() for cell in row] for _, row in rows]
    start = next((place for place, row in enumerate(texts) if len({*row} - {""}) > 1), len(rows))
    if len(rows) < start + 2:
        return []
    header, body = texts[start], rows[start + 1 :]
    if len(body) > 1 and (joined := _join_header(header, texts[start + 1])):
        header, body = joined, body[1:]
    titles = "; ".join(text for row in texts[:start] for text in dict.fromkeys(row) if text)
    return [replace(_sheet(header, body, name), about=titles)]


def _join_header(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Join the two rows of a header that spans columns; nothing of a header of one row."""
    spans = any(first and first == second for first, second in pairwise(above))
    if not spans or any(map(_BEGINS_NUMBER.match, below)):
        return []
    return [
        low if low and below.count(low) == 1 else " ".join(dict.fromkeys([high, low])).strip()
        for high, low in zip(above, below)
    ]


def document(content: Any) -> list[Sheet]:
    """Return every table of a JSON or YAML document: rows, models as keys, or lists a column."""
    tables: list[Sheet] = []
    _collect(content, (), tables)
    if isinstance(content, Mapping):
        tables = tables or _tabulate_record(content)
        parts = [content, *(value for value in content.values() if isinstance(value, Mapping))]
        pairs = (pair for part in parts for pair in part.items())
        facts = [(k, v) for k, v in pairs if isinstance(v, (str, int, float))]
        counts = [f"{v} items" for k, v in facts if columns.words(k) in columns.WORDS_OF_N]
        about = "; ".join([f"{key} {value}" for key, value in facts] + counts)
        models = [v for k, v in facts if columns.words(k) in columns.WORDS_OF_MODEL]
        tables = [_name_model(replace(sheet, about=about), models) for sheet in tables]
    return tables


def _tabulate_record(content: Mapping[str, Any]) -> list[Sheet]:
    """Return an answer to an item, or the metrics of a model, as a table of one row."""
    parts = {
        key: part
        for key, part in content.items()
        if not (isinstance(part, Mapping) and len(part) > MOST_KEYS)
    }
    flat = dict(_flat(parts, ()))
    items = {key: "item" for key in flat if columns.numbers_items(key)}
    kind = bool if items else (int, float)
    names = (key.rpartition(".")[2] for key, cell in flat.items() if isinstance(cell, kind))
    if not any(columns.words(name) & columns.SUCCESSES for name in names):
        return []
    titles = [items.get(key, key) if key in list(items)[:1] else key for key in flat]
    return [Sheet(titles, [list(flat.values())], [1])]


def _name_model(sheet: Sheet, models: Sequence[Any]) -> Sheet:
    """Return a sheet with the model that its document names, where the rows are not models."""
    first = sheet.columns[0]
    keys = {first} & {"model", KEY}
    others = [name for name in sheet.columns if name not in keys]
    named = any(columns.words(name) & columns.MODEL - {"name"} for name in others)
    across = any(map(columns.looks_like_model, [*others, *(str(row[0]) for row in sheet.rows)]))
    if len(models) != 1 or named or across:
        return sheet
    titles = ["model", "task" if keys else first, *sheet.columns[1:]]
    return replace(sheet, columns=titles, rows=[[models[0], *row] for row in sheet.rows])


def _collect(content: Any, path: tuple[str, ...], found: list[Sheet]) -> None:
    sheet = _tabulate_part(content, " ".join(path))
    if sheet is not None:
        found.append(sheet)
        if not any(str(cell).startswith("[{") for row in sheet.rows for cell in row):
            return
    inside = dict(enumerate(content, start=1)) if isinstance(content, list) else content
    if len(path) < 2 * DEEPEST and isinstance(inside, Mapping):
        for key, value in inside.items():
            _collect(value, (*path, str(key)), found)


def _tabulate_part(content: Any, name: str) -> Sheet | None:
    """Return the table that a part of a document is, else None."""
    if isinstance(content, list) and content:
        return _tabulate_list(content, name)
    if isinstance(content, Mapping) and content:
        return (
            _tabulate_split(content, name)
            or _tabulate_objects(content, name)
            or _tabulate_columns(content, name)
        )
    return None


def _tabulate_list(content: Sequence[Any], name: str) -> Sheet | None:
    """Return the table of a list of rows: lists below a header, or objects."""
    if all(isinstance(row, list) and len(row) == len(content[0]) > 1 for row in content):
        header, *rows = ([_value(cell) for cell in row] for row in content)
        return _sheet(list(map(str, header)), enumerate(rows, start=2), name)
    if all(isinstance(row, Mapping) for row in content):
        nested = any(_holds_mappings(cell) for row in content for cell in row.values())
        if nested and (log := _tabulate_log(content, name)):
            return log
        if lists := [key for key in content[0] if _all_hold_records(content, key)]:
            return _tabulate_list(list(_unnested(content, lists[0])), name)
        return None if _holds_tables(content) else _tabulate_records(content, name)
    return None


def _tabulate_log(records: Sequence[Mapping[str, Any]], name: str) -> Sheet | None:
    """Return answers to items without what they are made of, such as a trace; else None."""
    rows = [dict(_facts_of_answer(record)) for record in records]
    keys = dict.fromkeys(key for row in rows for key in row)
    outcomes = [key for key in keys if _last(key) & columns.SUCCESSES]
    scores = [(k, row[k]) for row in rows for k in outcomes if isinstance(row.get(k), (int, float))]
    judged = scores and not any(score > 1 for key, score in scores if _last(key) & columns.COUNTED)
    items = [k for k in keys if columns.numbers_items(k.rpartition(".")[2]) or _last(k) == {"name"}]
    models = [str(row["model"]) for row in rows if "model" in row]
    if not (items and judged) or len(set(models)) > len(rows) / 2:
        return None
    if (item := _item_of(rows, items, models)) is not None:
        rows = [{**row, "item": row.get(item)} for row in rows]
    return _tabulate_records(rows, name)


def _item_of(
    rows: Sequence[Mapping[str, Any]], items: Sequence[str], models: Sequence[str]
) -> str | None:
    """Return the key that names items: of one model's the most, of several those they share."""
    texts = {key: [str(row.get(key)) for row in rows] for key in items}
    if not models:
        return max(items, key=lambda key: (len(set(texts[key])), len(key)))
    once = [key for key in items if len(set(zip(models, texts[key]))) == len(rows)]
    return min(once, key=lambda key: len(set(texts[key])), default=None)


def _facts_of_answer(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the plain cells of a record and, of what lies deeper, items and outcomes.

    Of a model or its provider that is an object, the name.
    """
    for key, cell in record.items():
        if isinstance(cell, Mapping) and columns.words(key) <= {"model", "provider"}:
            yield "model", next((cell[k] for k in ("id", "name", "label") if k in cell), None)
        elif isinstance(cell, Mapping):
            for place, value in _flat(cell, (key,)):
                named = columns.numbers_items(place.rpartition(".")[2])
                if isinstance(value, (bool, int, float, str)) and (
                    named or _last(place) & columns.SUCCESSES
                ):
                    yield place, value
        elif not _holds_mappings(cell):
            yield key, cell


def _last(key: str) -> frozenset[str]:
    """Return the words of the last part of a key."""
    return columns.words(key.rpartition(".")[2])


def _holds_mappings(cell: Any) -> bool:
    parts = cell if isinstance(cell, list) else [cell]
    return any(isinstance(part, (Mapping, list)) for part in parts)


def _tabulate_split(content: Mapping[str, Any], name: str) -> Sheet | None:
    """Return the table of an object that holds a header and rows under usual keys."""
    header = next((content[key] for key in ("columns", "header", "headers") if key in content), 0)
    bodies = (value for value in content.values() if value is not header)
    body = next((value for value in bodies if isinstance(value, list) and value), [0])
    if isinstance(header, list) and isinstance(body[0], list):
        return _tabulate_list([header, *body], str(content.get("title") or name))
    return None


def _tabulate_objects(content: Mapping[str, Any], name: str) -> Sheet | None:
    """Return the table of objects by the name of a model, or of a column of rows by number."""
    values = list(content.values())
    if len(values) < 2 or not all(isinstance(value, Mapping) for value in values):
        return None
    keys = set(values[0])
    if all(set(value) == keys for value in values) and all(str(key).isdigit() for key in keys):
        # As pandas writes a frame.
        return _tabulate_columns(
            {key: list(value.values()) for key, value in content.items()}, name
        )
    if lists := [key for key in values[0] if _all_hold_records(values, key)]:
        kind = _kind(content, name)
        rows = ({kind: key, lists[0]: value[lists[0]]} for key, value in content.items())
        return _tabulate_list(list(_unnested(list(rows), lists[0])), name)
    if _holds_tables(values) or len(keys.union(*values)) > MOST_KEYS:
        return None
    if (cells := _of_models_within(content)) is not None:
        return _tabulate_records(cells, name)
    # Numbers are names of items, of which a model's own log has an object each.
    if all(str(key).isdigit() for key in content):
        return _tabulate_list([{"item_id": key, **value} for key, value in content.items()], name)
    kind = min(columns.words(name.rpartition(" ")[2]) & columns.ROWS, default=_kind(content, name))
    sheet = _tabulate_records([{kind: key, **value} for key, value in content.items()], name)
    cells = len(sheet.rows) * len(sheet.columns)
    filled = sum(cell is not None for row in sheet.rows for cell in row)
    return None if len(sheet.columns) > MOST_KEYS and 20 * filled < cells else sheet


def _all_hold_records(values: Sequence[Mapping[str, Any]], key: str) -> bool:
    lists = [value.get(key) for value in values]
    return all(isinstance(r, list) and len(r) > 1 and isinstance(r[0], Mapping) for r in lists)


def _unnested(content: Sequence[Mapping[str, Any]], key: str) -> Iterator[dict[str, Any]]:
    """Yield the records of lists below a key, each with the plain cells beside its list."""
    for row in content:
        beside = {k: cell for k, cell in row.items() if not isinstance(cell, (Mapping, list))}
        yield from ({**beside, **record} for record in row[key])


def _kind(keys: Iterable[str], name: str) -> str:
    """Return ``model`` where keys are names of models; elsewhere what they are is open."""
    named = columns.words(name.rpartition(" ")[2]) & columns.MODEL - {"name"}
    return "model" if named or any(map(columns.looks_like_model, keys)) else KEY


def _of_models_within(content: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return rows of objects by task and, within, by model; None of other objects."""
    parts = {key: value["models"] for key, value in content.items() if "models" in value}
    content = parts or content
    within = [key for value in content.values() for key in value]
    cells = [cell for value in content.values() for cell in value.values()]
    models = sum(map(columns.looks_like_model, within))
    few = len(set(within)) < len(within) and 2 * models > len(within)
    if not few or not all(isinstance(cell, Mapping) for cell in cells):
        return None
    return [
        {"task": task, "model": model, **cell}
        for task, value in content.items()
        for model, cell in value.items()
    ]


def _tabulate_columns(content: Mapping[str, Any], name: str) -> Sheet | None:
    """Return the table of lists a column, or of a score for each model."""
    values = list(content.values())
    if all(map(_NUMBERED.fullmatch, content)) and all(isinstance(cell, list) for cell in values):
        return _tabulate_repeats(content, name)
    if len(values) > 1 and all(
        isinstance(value, list)
        and len(value) == len(values[0]) > 1
        and not isinstance(value[0], (Mapping, list))
        for value in values
    ):
        return _sheet(list(content), enumerate(zip(*values), start=1), name)
    if all(isinstance(value, (int, float)) for value in values) and len(values) > 2:
        # The metrics of one model have names of scores, and pairs outcomes.
        metrics = sum(bool(columns.words(key) & columns.NAMES_OF_SCORES) for key in content)
        outcomes = any(columns.words(key) & columns.OUTCOMES for key in content)
        if all(str(key).isdigit() for key in content):
            return _tabulate_items(content, name)
        kind = _kind(content, name)
        words = columns.words(name.rpartition(" ")[2])
        scored = not name or words & (columns.NAMES_OF_SCORES | {"leaderboard"})
        if outcomes or 3 * metrics >= len(content) or (kind == KEY and not scored):
            return None
        return _sheet([kind, "score"], enumerate(content.items(), start=1), name)
    return None


def _tabulate_items(content: Mapping[str, Any], name: str) -> Sheet | None:
    """Return right and wrong by the number of an item as answers; None of other numbers."""
    if not set(content.values()) <= {0, 1}:
        return None
    return _sheet(["item", "response"], enumerate(content.items(), start=1), name)


def _tabulate_repeats(content: Mapping[str, Any], name: str) -> Sheet | None:
    """Return lists of right and wrong by a numbered item as answers; None of other lists."""
    cells = [
        [item, run, cell] for item, runs in content.items() for run, cell in enumerate(runs, 1)
    ]
    if not all(isinstance(cell, bool) for *_, cell in cells):
        return None
    return _sheet(["item", "run", "response"], enumerate(cells, start=1), name)


def _holds_tables(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Check whether rows are containers of tables themselves, as leaderboards by name."""
    return any(
        isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping)
        for row in rows
        for value in row.values()
    )


def _tabulate_records(records: Sequence[Mapping[str, Any]], name: str) -> Sheet:
    """Return rows of the records, a column for each key; a missing value is blank."""
    flat = [dict(_flat(record, ())) for record in records]
    columns = list(dict.fromkeys(key for row in flat for key in row))
    rows = ([row.get(key) for key in columns] for row in flat)
    return Sheet(columns, list(rows), list(range(1, len(flat) + 1)), name)


def _flat(record: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        place, within = (*path, str(key)), isinstance(value, Mapping) and len(path) < DEEPEST
        looks = isinstance(value, Mapping) and "value" in value
        if looks or not within:
            yield ".".join(place), _value(value)
        if within:
            yield from _flat(
                {k: v for k, v in value.items() if not looks or _ERROR.search(str(k))}, place
            )


def _value(cell: Any) -> Any:
    """Return a cell, or the value of a cell with formatting."""
    if isinstance(cell, Mapping):
        return _value(cell.get("value", ""))
    if isinstance(cell, str):
        return strip_links(cell)
    return cell if isinstance(cell, (int, float, bool)) or cell is None else str(cell)


def _spelled_out(node: Any, sizes: dict[int, float]) -> float:
    """Return how many values a node of YAML is with its aliases spelled out."""
    if id(node) not in sizes:
        sizes[id(node)] = math.inf  # within itself
        inside = node.value if isinstance(getattr(node, "value", ""), list) else []
        pairs = (part if isinstance(part, tuple) else (part,) for part in inside)
        parts = (part for pair in pairs for part in pair)
        sizes[id(node)] = 1 + sum(_spelled_out(part, sizes) for part in parts)
    return sizes[id(node)]


def yaml(text: str, file: str) -> list[Sheet]:
    """Return the tables of a YAML or JSON document."""
    import yaml as reader

    loader = getattr(reader, "CSafeLoader", reader.SafeLoader)
    try:
        root = reader.compose(text, loader)
        if (nodes := _spelled_out(root, {})) > max(MOST_NODES, len(text)):
            raise InputError(
                f"{file}: with its aliases spelled out this is {nodes:.3g} values; write out what "
                "is meant, without aliases (*NAME)"
            )
        content = loader("").construct_document(root) if root else None
    except reader.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place else ""
        raise InputError(
            f"{file}{line}: not YAML: {getattr(error, 'problem', error)}; correct the line, or "
            "copy the file again"
        ) from None
    return document(content)
