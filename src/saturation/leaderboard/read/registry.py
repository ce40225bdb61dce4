"""Choose a file's importer: each states its requirements, and exactly 1 importer may match.

What none claims is a table, if it can be one at all.
"""

from __future__ import annotations

import enum
import functools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from saturation.errors import InputError, Key, NoResults, Violation, listed, reading, refuse
from saturation.leaderboard.read import (
    columns,
    documents,
    formats,
    latex,
    logs,
    open,
    roles,
    rst,
    sheets,
    tables,
)
from saturation.leaderboard.read import rows as read_rows
from saturation.leaderboard.read.open import Archive
from saturation.leaderboard.read.rows import AVERAGE, Choice, Imported, Origin, Response
from saturation.leaderboard.read.sheets import Sheet

if TYPE_CHECKING:
    import pandas as pd

# Letters of other scripts that look like Latin ones, and the dashes.
_LOOKALIKES = str.maketrans("асеорхуіјѕһԁԛԝαονρτυκι", "aceopxyijshdqwaovptuki") | dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"
)


def misspelt(names: Iterable[str], what: str, where: str, *, case: bool) -> list[str]:
    """Return a sentence for each pair of names that differ only in spelling.

    `what` they name, such as ``model``; with `case`, small and capital letters distinguish names.
    """
    problems: list[str] = []
    spellings: dict[str, str] = {}
    for name in sorted(names):
        if name and not _visible(name):
            problems.append(f"{where}: the {what} {name!r} has no visible letter; name it")
            continue
        spelling = spellings.setdefault(_key(name, case), name)
        if spelling != name:
            problems.append(
                f"{where}: the {what}s {spelling!a:.80} and {name!a:.80} differ only in case, "
                "spaces, invisible letters or the form of a letter; write one of them everywhere"
            )
    return problems


# Fillers of Hangul, Khmer and Braille, joiners and selectors of a variation are letters or marks.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def _visible(name: str) -> str:
    """Remove spaces, control and format letters, and further invisible letters from a name."""
    if name.isascii() and name.isprintable():
        return name.replace(" ", "")
    letters = (letter for letter in name if unicodedata.category(letter)[0] not in "ZC")
    return _INVISIBLE.sub("", "".join(letters))


def _key(name: str, case: bool) -> str:
    folded = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
    if not case:
        folded = unicodedata.normalize("NFKC", folded.casefold()).translate(_LOOKALIKES)
    return _visible(folded)


# A document or record, and records with their numbers.
Content = documents.Content
Records = Iterable[tuple[int, Content]]
MOST_SHOWN = 12
# What every workbook of Excel, itself a zip archive, has at its top.
WORKBOOK = "[Content_Types].xml"


class Shape(enum.Enum):
    """Shape of a file, which decides an importer's input; the value names the shape."""

    DOCUMENT = "JSON"
    LINES = "JSONL"
    LIST = "JSON list"
    TABLE = "CSV or Parquet"
    ARCHIVE = "zip archive"
    SHEETS = (
        "CSV, TSV, Markdown, reStructuredText, LaTeX, HTML, YAML, JSON, JSONL, printed text, Excel "
        "or Parquet"
    )


@dataclass(frozen=True)
class Importer:
    """One format: its name, how its files are built up, what tells them apart, and their reader.

    ``read(content, choice, origin)`` is handed the parsed document (DOCUMENT), an iterator over
    number and object of each record (LINES, LIST), a data frame whose columns are stripped
    of spaces and whose index is the line (TABLE), an archive (ARCHIVE), or every table of a file
    that no other claims (SHEETS).
    """

    name: str  #: as ``imports.json`` and the table in ``docs/files.md`` call it
    title: str  #: what such a file is, for the list of what is understood
    shape: Shape
    read: Callable[[Any, Choice, Origin], Imported]
    #: All of these are at the top of the document or of the first record, or among the columns or
    #: the archive's files.
    keys: tuple[str, ...] = ()
    #: Whether the document, first record or table itself is of this format too, where several tools
    #: use the keys; and what this looks for, in words. Without keys, such a format is taken only
    #: where no other matches.
    accepts: Callable[[Any], bool] | None = None
    holds: str = ""
    takes_sheets: bool = False  #: whether a table may come as it was read, without pandas
    #: The tasks that a file holds, where it can hold several; a card can be made of each.
    tasks: Callable[[Any, Choice, Origin], list[str]] | None = None

    def matches(self, present: Sequence[str], content: Any) -> bool:
        """Return whether a file with these keys or columns, and this content, is of this format."""
        return set(self.keys) <= set(present) and (self.accepts is None or self.accepts(content))

    def sentence(self) -> str:
        """Describe the format for people: its name, shape and required content."""
        needed = " and ".join(f"'{key}'" for key in self.keys)
        if self.shape is Shape.TABLE and self.keys:
            needed = f"the columns {', '.join(self.keys)}"
        content = ", ".join(filter(None, (needed, self.holds)))
        return f"{self.title} ({self.shape.value}{' with ' * bool(content)}{content})"


@functools.cache
def importers() -> tuple[Importer, ...]:
    """Return every importer of :mod:`saturation.leaderboard.read.formats`."""
    return tuple(importer for module in formats.modules() for importer in module.FORMATS)


def matching(shape: Shape, present: Iterable[str], content: Any) -> list[Importer]:
    """Return the importers that claim a file; those that take any table only if no other does.

    Where one needs all keys of another and more, it is the one. `present` are the file's top-level
    keys or its columns, in order; `content` is the document, the first record, the table or the
    archive.
    """
    keys = list(map(str, present))
    of_shape = (importer for importer in importers() if importer.shape is shape)
    claims = [importer for importer in of_shape if importer.matches(keys, content)]
    claims = [importer for importer in claims if importer.keys] or claims
    needed = [set(importer.keys) for importer in claims]
    return [
        importer
        for importer, keys in zip(claims, needed)
        if not any(keys < further for further in needed)
    ]


def importer_of(
    claims: Sequence[Importer], shape: Shape, present: Iterable[str], file: str
) -> Importer:
    """Return the only importer that claims a file, else a sentence."""
    if len(claims) == 1:
        return claims[0]
    if claims:
        names = " and ".join(sorted(importer.name for importer in claims))
        raise InputError(
            f"{file}: the file could be {names}; leave out the keys or columns of all but one"
        )
    contents = ", ".join(list(map(str, present))[:MOST_SHOWN]) or "nothing"
    raise NoResults(
        f"{file}: the format is not recognised ({shape.value} with: {contents}), and it holds no "
        "table; `saturation formats` lists what is read"
    )


T = TypeVar("T")
# A file's importer, and what it is handed.
Recognised = tuple[Importer, Any]


def load(origin: Origin, choice: Choice) -> Imported:
    """Return rows of a file of any format; stream JSONL and JSON lists.

    A task that the config names for the file goes before that of the benchmark.
    """
    choice = replace(choice, task=origin.task or choice.task)
    return _apply(
        origin,
        choice,
        lambda one, content: _rows(one, content, choice, origin).completed(one.name, origin),
    )


def _rows(importer: Importer, content: Any, choice: Choice, origin: Origin) -> Imported:
    """Return what an importer reads; of a suite's average a response for each task of a model."""
    is_suite = choice.task == AVERAGE or choice.suite is not None
    has_tasks = is_suite and importer.shape is Shape.DOCUMENT and importer.tasks
    present = importer.tasks(content, choice, origin) if has_tasks and importer.tasks else []
    if not present or AVERAGE in present:
        return importer.read(content, choice, origin)
    suite = Imported(suite=True, family="bounded_mean")
    responses = []
    for task in present:
        for score in importer.read(content, replace(choice, task=task), origin).scores:
            responses.append(Response(score.model, task, score.score, date=score.date))
            suite.minimum, suite.maximum = score.minimum, score.maximum
            suite.higher_is_better = score.higher_is_better
    suite.responses = responses
    return suite


def tasks(origin: Origin, choice: Choice) -> list[str]:
    """Return the tasks in a file; empty for a format of a single task."""
    return _apply(
        origin, choice, lambda one, content: one.tasks(content, choice, origin) if one.tasks else []
    )


def _apply(origin: Origin, choice: Choice, use: Callable[[Importer, Any], T]) -> T:
    """Return what `use` makes of a file; whatever goes wrong on the way is a sentence."""
    if origin.trial:
        raise NoResults(f"{origin.file}: a trial or raw file by its name, beside others")
    with reading(origin.file):
        open.require_file(origin.path)
        with _SOURCES[open.kind(origin.path)](origin, choice) as recognised:
            return use(*recognised)


@contextmanager
def _object(origin: Origin, choice: Choice) -> Iterator[Recognised]:
    """Return a JSON document or JSONL: a first line that is a whole object tells them apart.

    A single line may be either, and is whichever an importer claims.
    """
    with open.text(origin.path) as text:
        first = _first_object(text)
        has_lines = first is not None and bool(text.read(open.CHUNK).strip())
    claims = [] if first is None else matching(Shape.LINES, first, first)
    if not has_lines:
        # Anew, by the parser that refuses a key that stands twice.
        content = open.document(open.decoded(origin.path), origin.file)
        of_document = matching(Shape.DOCUMENT, content, content)
        keys = {importer.keys for importer in of_document}
        claims = [*of_document, *(claim for claim in claims if claim.keys not in keys)]
        if not claims or of_document:
            yield _claimed(claims, Shape.DOCUMENT, content, content, origin, choice)
            return
    with open.text(origin.path) as text:
        lines = open.lines(text, origin.file)
        if claims:
            yield importer_of(claims, Shape.LINES, first or (), origin.file), lines
        else:
            records = [record for _, record in lines]
            yield _claimed([], Shape.LINES, first, records, origin, choice)


@contextmanager
def _array(origin: Origin, choice: Choice) -> Iterator[Recognised]:
    with open.text(origin.path) as text:
        of_lists = _OF_LISTS.match(text.read(open.HEAD_BYTES))
    with open.text(origin.path) as text:
        numbered = open.elements(text, origin.file)
        first = [] if of_lists else list(islice(numbered, 1))
        record = first[0][1] if first else {}
        if claims := matching(Shape.LIST, record, record):
            importer = importer_of(claims, Shape.LIST, record, origin.file)
            yield importer, chain(first, numbered)
            return
    content = open.document(open.decoded(origin.path), origin.file)
    yield _claimed([], Shape.LIST, record, content, origin, choice)


def _claimed(
    claims: Sequence[Importer],
    shape: Shape,
    present: Any,
    content: Any,
    origin: Origin,
    choice: Choice,
) -> Recognised:
    """Return the importer that claims a document, or else the document's tables."""
    if "nbformat" in content:
        raise NoResults(f"{origin.file}: a notebook; export its table of results as CSV")
    all_sheets = [] if claims else documents.tables_of(content)
    if not all_sheets:
        return importer_of(claims, shape, present, origin.file), content
    return _general(all_sheets, origin, choice)


def _general(tables: Sequence[Sheet | pd.DataFrame], origin: Origin, choice: Choice) -> Recognised:
    """Return a file's tables with the importer that claims them, else the reader of any table."""
    tables = [roles.set_points(table) if isinstance(table, Sheet) else table for table in tables]
    if roles.ACROSS in (choice.columns or {}).values():
        tables = [roles.split_columns(sheet) or sheet for sheet in map(_as_sheet, tables)]
    tables = _meant(tables, origin, choice)
    if len(tables) == 1 and (claimed := _claimed_table(_as_log(tables[0], origin, choice), origin)):
        return claimed
    all_sheets = [replace(_as_sheet(table), score=choice.score) for table in tables]
    # A tool's own tables go before any table.
    fitting_importers = matching(Shape.SHEETS, (), all_sheets)
    return min(fitting_importers, key=lambda importer: importer.accepts is None), all_sheets


def _as_sheet(table: Sheet | pd.DataFrame) -> Sheet:
    """Return a table as a sheet, of one row more than is read: who reads it refuses it."""
    if isinstance(table, Sheet):
        return table
    return roles.set_points(Sheet.convert(table.head(sheets.MOST_ROWS + 1)))


def _meant(
    tables: Sequence[Sheet | pd.DataFrame], origin: Origin, choice: Choice
) -> Sequence[Sheet | pd.DataFrame]:
    """Return the tables that the user's columns and name mean, or the only log of answers."""
    if named := choice.columns:
        fitting = [table for table in tables if set(named.values()) <= set(table.columns)]
        tables = [_renamed(table, named, origin) for table in fitting or tables[:1]]
    if choice.table is not None:
        tables = [t for t in tables if getattr(t, "name", "") == choice.table] or tables
    logs = [table for table in tables if isinstance(table, Sheet) and "item" in table.columns]
    return logs if len(logs) == 1 else tables


def _claimed_table(table: Sheet | pd.DataFrame, origin: Origin) -> Recognised | None:
    """Return the importer that claims a table by its columns, with the table; None if none does."""
    names = list(map(str, table.columns))
    if not (claims := matching(Shape.TABLE, names, table)):
        return None
    importer = importer_of(claims, Shape.TABLE, names, origin.file)
    if isinstance(table, Sheet):
        refuse(table.ragged)
        table = table if importer.takes_sheets else table.frame()
    return importer, table


def _as_log(table: Sheet | pd.DataFrame, origin: Origin, choice: Choice) -> Sheet | pd.DataFrame:
    """Return a log of items under our names; its model is one that the user or a column names."""
    names = list(map(str, table.columns))
    labels = columns.pair_of_labels(names)
    item = next(iter(columns.columns_of_items(names)), None)
    if model := next((name for name in names if columns.words(name) == {"model"}), None):
        return _rename_log(table, item, {model: "model"}) if labels and item else table
    if (stacked := _stack_predictions(table, item, origin, choice)) is not None:
        return stacked
    is_log = origin.model and (labels or item)
    return _rename_log(table, item, {}).assign(model=origin.model) if is_log else table


def _stack_predictions(
    table: Sheet | pd.DataFrame, item: str | None, origin: Origin, choice: Choice
) -> pd.DataFrame | None:
    """Return a row for each prediction, of a table with a column for each model and the truth."""
    cells: Any = table.frame() if isinstance(table, Sheet) else table
    truth, models = read_rows.find_predictions(cells)
    beside = {*cells} - {*models}
    if not models or any(columns.words(name) & columns.MODELS[1] for name in beside):
        return None
    if truth != "truth" and not all(columns.words(name) & columns.PREDICTED for name in models):
        question = f"if {listed(models)} are models' predictions of '{truth}', say so"
        raise read_rows.ask_for_columns(origin, choice, question, {"truth": truth})
    is_id = item and len({*cells[item]}) == len(cells[item])
    log = _rename_log(table, item if is_id else None, {truth: "truth"})
    return log.melt(["item", "truth"], models, "model", "prediction", ignore_index=False)


def _rename_log(
    table: Sheet | pd.DataFrame, item: str | None, named: Mapping[str, str]
) -> pd.DataFrame:
    """Return a log under our names; without a column of items, the rows are the items."""
    if isinstance(table, Sheet):
        refuse(table.ragged)
        table = table.frame()
    if item is None:
        table = table.assign(item=[str(place) for place in range(1, len(table) + 1)])
    runs = list(filter(columns.names_run, map(str, table.columns)))
    as_run = {} if "run" in runs else dict.fromkeys(runs[:1], "run")
    return table.rename(columns={str(item): "item", **as_run, **named})


@contextmanager
def _zip(origin: Origin, choice: Choice) -> Iterator[Recognised]:
    archive = Archive(origin.path)
    if WORKBOOK in archive.names:
        yield _general(sheets.excel(origin.path), origin, choice)
        return
    claims = matching(Shape.ARCHIVE, archive.names, archive)
    yield importer_of(claims, Shape.ARCHIVE, archive.names, origin.file), archive


@contextmanager
def _parquet(origin: Origin, choice: Choice) -> Iterator[Recognised]:
    yield _general([tables.load_parquet(origin.path)], origin, choice)


@contextmanager
def _text(origin: Origin, choice: Choice) -> Iterator[Recognised]:
    """Read Markdown, HTML or YAML by the text's content, else CSV."""
    with open.opened(origin.path) as stream:
        head = stream.read(open.CHUNK).decode("utf-8", "replace").removeprefix("\ufeff")
        is_short = not stream.read(1)
    suffix = Path(origin.path.name.removesuffix(".gz")).suffix.lower()
    is_open = suffix not in (".csv", ".tsv")  # whose cells may hold a table
    is_page = (
        (is_open and sheets.holds_markdown(head))
        or head.lstrip().startswith("<")
        or suffix in open.PAGES
    )
    is_yaml = is_open and suffix not in open.LOGS and _YAML.match(head)
    reader = latex.tables_of if latex.holds_rows(head) else _tables_of_page if is_page else None
    all_sheets: Sequence[Sheet | pd.DataFrame] = []
    if tables_of := _MARKUPS.get(suffix, reader):
        text = open.decoded(origin.path, open.LARGEST_PAGE)
        if not (all_sheets := tables_of(text) or logs.tables_of(text)):
            raise NoResults(
                f"{origin.file}: a page without a table; if a browser saved it, or it is an "
                "error page of a download, fetch the raw file"
            )
    elif suffix in (".yml", ".yaml") or is_yaml:
        all_sheets = documents.yaml(open.decoded(origin.path, open.LARGEST_PAGE), origin.file)
    elif is_short and (suffix in open.LOGS or "%WER" in head):
        all_sheets = logs.tables_of(open.decoded(origin.path))
    yield _general(all_sheets or [tables.load_csv(origin.path)], origin, choice)


def _tables_of_page(text: str) -> list[Sheet]:
    """Return the tables of Markdown and of HTML."""
    return [*sheets.markdown(text), *sheets.page(text)]


_MARKUPS = {".tex": latex.tables_of, ".rst": rst.tables_of}
_OF_LISTS = re.compile(r"\ufeff?\s*\[\s*\[")
# The first line of what is no CSV: an item or a key.
_YAML = re.compile(
    r"(?:[^\S\n]*+(?:#.*)?\n|---[^\S\n]*+\n)*+(?:- +)?[A-Za-z_]\w*:(?: [^,;\t\n]*)?\n"
)


def _renamed(table: Any, named: Mapping[str, str], origin: Origin) -> Any:
    """Rename the columns that the config names to our names; beside a named score, select them."""
    present = list(map(str, table.columns))
    if lacking := [theirs for theirs in named.values() if theirs not in present]:
        raise NoResults(
            [
                Violation(
                    f"{origin.file}: column '{name}' is missing, which ",
                    Key("columns"),
                    f" names; the file has: {', '.join(present)}",
                )
                for name in lacking
            ]
        )
    # A score keeps its name, which says what it is; a response belongs to an item.
    is_log = "item" in {*named, *present} or named.keys() == {"response"}
    titles = () if is_log else ("score", "response")
    ours = {theirs: ours for ours, theirs in named.items() if ours not in titles}
    selection = _columns_to_keep(present, named)
    if isinstance(table, Sheet):
        places = [present.index(name) for name in selection]
        rows = [[row[place] for place in places] for row in table.rows]
        return replace(table, columns=[ours.get(name, name) for name in selection], rows=rows)
    return table[selection].rename(columns=ours)


def _columns_to_keep(present: Sequence[str], named: Mapping[str, str]) -> list[str]:
    """Return only the named columns where the score's items, or their number, are among them.

    Else return all but those that a named replaces.
    """
    selection = list(named.values())
    if named.keys() & {"item", "n_items"} and named.keys() & {"score", "response"}:
        return selection
    return [name for name in present if name in selection or name not in named]


def _first_object(text: TextIO) -> dict[str, Any] | None:
    """Return the object that is the whole of the first line; None if that is not a whole object."""
    line = text.readline(open.LONGEST_RECORD)
    while line and not line.strip():
        line = text.readline(open.LONGEST_RECORD)
    try:
        content = json.loads(line)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


_SOURCES: dict[str, Callable[[Origin, Choice], AbstractContextManager[Recognised]]] = {
    "object": _object,
    "array": _array,
    "zip": _zip,
    "parquet": _parquet,
    "text": _text,
}
