"""Which importer reads a file: each says what it needs to see, and exactly one may match."""

import enum
import functools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

import pandas as pd

from saturation.errors import InputError
from saturation.leaderboard.read import formats, open, tables
from saturation.leaderboard.read.open import Archive
from saturation.leaderboard.read.rows import Choice, Imported, Origin

# Letters of other scripts that look like Latin ones, and the dashes.
_LOOKALIKES = str.maketrans("асеорхуіјѕһԁԛԝαονρτυκι", "aceopxyijshdqwaovptuki") | dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"
)


def misspelt(names: Iterable[str], what: str, where: str, *, case: bool) -> list[str]:
    """A sentence for each name that differs from another only by how it is written.

    `what` they name, such as ``model``; with `case`, small and capital letters distinguish names.
    """
    found: list[str] = []
    spellings: dict[str, str] = {}
    for name in sorted(names):
        if name and not _visible(name):
            found.append(f"{where}: the {what} {name!r} has no visible letter; name it")
            continue
        other = spellings.setdefault(_key(name, case), name)
        if other != name:
            found.append(
                f"{where}: the {what}s {other!a} and {name!a} differ only in case, "
                "spaces, invisible letters or the form of a letter; write one of them everywhere"
            )
    return found


def _visible(name: str) -> str:
    """The name without spaces, control and format letters."""
    return "".join(letter for letter in name if unicodedata.category(letter)[0] not in "ZC")


def _key(name: str, case: bool) -> str:
    folded = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
    if not case:
        folded = unicodedata.normalize("NFKC", folded.casefold()).translate(_LOOKALIKES)
    return _visible(folded)


# An item is answered by many models; a column of the row's own, such as a time, by one.
LEAST_SHARED = 0.5
# Words that people write over columns of these kinds, in English and a few more languages.
_MODELS = re.compile(r"model|system|submission|user|respondent|method|^name$", re.IGNORECASE)
_SCORES = re.compile(
    r"score|acc|genauigkeit|average|mean|result|exact|\bf1\b|\bem\b|%|resolved", re.IGNORECASE
)
_ITEMS = re.compile(r"item|question|example|sample|instance|prompt", re.IGNORECASE)
_DATES = re.compile(r"\bdat(e|um)\b", re.IGNORECASE)
# Columns that say where a row stands or whose it is, and nothing that is measured.
_BESIDE = re.compile(r"^$|^#|rank|^rang$|place|org|provider|licen|type", re.IGNORECASE)


def renamed(names: Sequence[str], file: str) -> list[str]:
    """A sentence for each way in which a table may be meant, judged by its columns' names alone."""
    useful = [name for name in names if not _BESIDE.search(name)]
    if len(useful) < 2:
        return []
    say = f"{file}: if its rows are"
    if _ITEMS.search(names[0]):
        return [
            f"{say} items and the further columns models, give the key 'columns': item={names[0]}"
        ]
    model = _first(_MODELS, useful, useful[0])
    dates = [name for name in useful if _DATES.search(name)]
    others = [name for name in useful if name != model and name not in dates]
    if not others:
        return []
    columns = [f"model={model}", f"score={_first(_SCORES, others, others[0])}"]
    columns += [f"date={name}" for name in dates[:1]]
    said = [f"{say} models with a score each, give the key 'columns': {', '.join(columns)}"]
    if model == names[0] and len(names) > 2:
        said.append(
            f"{say} models and the further columns items or tasks, give the key 'columns': "
            f"model={model}"
        )
    return said


def _first(pattern: re.Pattern[str], names: Sequence[str], default: str) -> str:
    return next((name for name in names if pattern.search(name)), default)


def item_columns(table: pd.DataFrame, others: Sequence[str]) -> dict[str, str]:
    """The file's columns for item and, if a model repeats items, for task and run; else nothing.

    Of the `others`, columns that no leaderboard has, the item is the one whose values most models
    share and that leaves the fewest rows of a model alike; the run one that distinguishes these.
    """
    models = table["model"].nunique()
    if len(table) == models or models < 2:
        return {}
    sharing = {
        name: table.groupby(name, observed=True)["model"].nunique().mean() / models
        for name in others
    }
    distinct = {
        name: len(table[["model", name]].drop_duplicates())
        for name in others
        if sharing[name] >= LEAST_SHARED
    }
    item = max(distinct, key=lambda name: distinct[name], default=None)
    if item is None or distinct[item] < 2 * models:
        return {}
    if distinct[item] == len(table):
        return {"item": item}
    left = [name for name in others if name != item]
    telling = [name for name in left if not table.duplicated(["model", item, name]).any()]
    return {"item": item, "run": telling[0]} if telling else {"item": item}


MOST_SHOWN = 12
# What every workbook of Excel, itself a zip archive, has at its top.
WORKBOOK = "[Content_Types].xml"


class Shape(enum.Enum):
    """How a file is built up, which decides what an importer is handed; the value names it."""

    DOCUMENT = "JSON"
    LINES = "JSONL"
    LIST = "JSON list"
    TABLE = "CSV or Parquet"
    ARCHIVE = "zip archive"


@dataclass(frozen=True)
class Importer:
    """One format: its name, how its files are built up, what tells them apart, and their reader.

    ``read(content, choice, origin)`` is handed the parsed document (DOCUMENT), an iterator over
    number and object of each record (LINES, LIST), a data frame whose columns are stripped
    of spaces and whose index is the line (TABLE), or an archive (ARCHIVE).
    """

    name: str  #: as ``imports.json`` and the table in ``docs/own.md`` call it
    title: str  #: what such a file is, for the list of what is understood
    shape: Shape
    read: Callable[[Any, Choice, Origin], Imported]
    #: All of these are at the top of the document or of the first record, or among the columns or
    #: the archive's files.
    keys: tuple[str, ...] = ()
    #: For a table that any columns may follow: one of these is the first of several columns. Such a
    #: format is taken only where no other matches.
    begins: tuple[str, ...] = ()
    #: Whether the document, first record or table itself is of this format too, where several tools
    #: use the keys; and what this looks for, in words.
    accepts: Callable[[Any], bool] | None = None
    holds: str = ""
    #: The tasks that a file holds, where it can hold several; a card can be made of each.
    tasks: Callable[[Any, Choice], list[str]] | None = None

    def __post_init__(self) -> None:
        if bool(self.keys) == bool(self.begins):
            raise ValueError(f"importer {self.name}: give either keys or begins")

    def matches(self, present: Sequence[str], content: Any) -> bool:
        """Whether a file with these keys or columns, and this content, is of this format."""
        if self.begins:
            fits = len(present) > 1 and present[0] in self.begins
        else:
            fits = set(self.keys) <= set(present)
        return fits and (self.accepts is None or self.accepts(content))

    def sentence(self) -> str:
        """What is read, for people: what it is, its shape and what it needs to hold."""
        if self.shape is not Shape.TABLE:
            needed = " and ".join(f"'{key}'" for key in self.keys)
        elif self.keys:
            needed = f"the columns {', '.join(self.keys)}"
        else:
            first = " or ".join(f"'{name}'" for name in self.begins)
            needed = f"a first column {first} and further ones"
        held = f", {self.holds}" if self.holds else ""
        return f"{self.title} ({self.shape.value} with {needed}{held})"


@functools.cache
def importers() -> tuple[Importer, ...]:
    """Every importer of :mod:`saturation.leaderboard.read.formats`."""
    every = tuple(importer for module in formats.modules() for importer in module.FORMATS)
    names = [importer.name for importer in every]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"importers of the same name: {', '.join(twice)}")
    return every


def matching(shape: Shape, present: Iterable[str], content: Any) -> list[Importer]:
    """The importers that claim a file; those that take any table only if no other does.

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
        if not any(keys < others for others in needed)
    ]


def importer_of(
    claims: Sequence[Importer], shape: Shape, present: Iterable[str], file: str
) -> Importer:
    """The one importer that claims a file, else a sentence.

    Where none does it lists what is understood of its kind (tables, or what is none) and, for a
    table, how its columns can be named.
    """
    if len(claims) == 1:
        return claims[0]
    if claims:
        names = " and ".join(sorted(importer.name for importer in claims))
        raise InputError(
            f"{file}: the file could be {names}; leave out the keys or columns of all but one"
        )
    columns = list(map(str, present))
    shown = ", ".join(columns[:MOST_SHOWN]) or "nothing"
    is_table = shape is Shape.TABLE
    first = f"{file}: the format is not recognised ({shape.value} with: {shown}); "
    if WORKBOOK in columns:
        raise InputError(f"{first}it is a spreadsheet's workbook: save its sheet as CSV")
    alike = [importer for importer in importers() if (importer.shape is Shape.TABLE) == is_table]
    raise InputError(
        [
            f"{first}understood are:",
            *(f"  - {importer.sentence()}" for importer in alike),
            "  - any table whose columns the key 'columns' calls by these names",
            *(renamed(columns, file) if is_table else []),
        ]
    )


T = TypeVar("T")
# A file's importer, and what it is handed.
Recognised = tuple[Importer, Any]


def read(origin: Origin, choice: Choice) -> Imported:
    """Rows of one file, whatever its format; JSONL and JSON lists are read as a stream.

    Raises
    ------
    InputError
        If the file is missing, is not UTF-8, is damaged or has an unknown format.
    """
    return _with(
        origin,
        choice,
        lambda one, content: one.read(content, choice, origin).completed(one.name, origin),
    )


def tasks(origin: Origin, choice: Choice) -> list[str]:
    """The tasks that a file holds; none if its format has only one."""
    return _with(
        origin, choice, lambda one, content: one.tasks(content, choice) if one.tasks else []
    )


def _with(origin: Origin, choice: Choice, use: Callable[[Importer, Any], T]) -> T:
    """What `use` makes of a file; whatever goes wrong on the way is a sentence."""
    open.require_file(origin.path)
    kind = open.kind(origin.path)
    file = origin.file

    def used() -> T:
        with _SOURCES[kind](origin, choice) as recognised:
            return use(*recognised)

    try:
        return open.nested(used, file)
    except InputError:
        raise
    # What a part of another type, size or depth than the tool writes makes Python raise.
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"{file}: a part that the format requires is missing or of another type: "
            f"{error}; compare it with a file that the tool itself has written"
        ) from None


@contextmanager
def _object(origin: Origin, _choice: Choice) -> Iterator[Recognised]:
    """A JSON document or JSONL: a first line that is a whole object tells them apart.

    A single line may be either, and is whichever an importer claims.
    """
    with open.text(origin.path) as text:
        first = _first_object(text)
        alone = first is not None and not text.read(open.CHUNK).strip()
    if first is None:
        content = open.document(open.decoded(origin.path), origin.file)
        yield _only(Shape.DOCUMENT, content, content, origin), content
        return
    claims = matching(Shape.LINES, first, first)
    if alone:
        documents = matching(Shape.DOCUMENT, first, first)
        told = {importer.keys for importer in documents}
        claims = [importer for importer in claims if importer.keys not in told] + documents
    shape = Shape.DOCUMENT if alone else Shape.LINES
    importer = importer_of(claims, shape, first, origin.file)
    if importer.shape is Shape.DOCUMENT:
        # Anew, by the parser that refuses a key that stands twice.
        yield importer, open.document(open.decoded(origin.path), origin.file)
        return
    with open.text(origin.path) as text:
        yield importer, open.lines(text, origin.file)


@contextmanager
def _array(origin: Origin, _choice: Choice) -> Iterator[Recognised]:
    with open.text(origin.path) as text:
        numbered = open.elements(text, origin.file)
        first = list(islice(numbered, 1))
        record = first[0][1] if first else {}
        importer = _only(Shape.LIST, record, record, origin)
        yield importer, chain(first, numbered)


@contextmanager
def _zip(origin: Origin, _choice: Choice) -> Iterator[Recognised]:
    archive = Archive(origin.path)
    yield _only(Shape.ARCHIVE, archive.names, archive, origin), archive


@contextmanager
def _table(
    read: Callable[[Path], pd.DataFrame], origin: Origin, choice: Choice
) -> Iterator[Recognised]:
    table = read(origin.path)
    if choice.columns:
        table = _renamed(table, choice, origin)
    yield _only(Shape.TABLE, table.columns, table, origin), table


def _renamed(table: pd.DataFrame, choice: Choice, origin: Origin) -> pd.DataFrame:
    """The columns that the config names, by the names that they have here, and no others.

    If it names a single one, that of a matrix, all others stay.
    """
    named = dict(choice.columns or {})
    if lacking := [theirs for theirs in named.values() if theirs not in table.columns]:
        present = ", ".join(map(str, table.columns))
        raise InputError(
            [
                f"{origin.file}: column '{name}' is missing, which the key 'columns' names; the "
                f"file has: {present}"
                for name in lacking
            ]
        )
    if len(named) == 1:  # the first column of a matrix, whose others keep their names
        return table.rename(columns={theirs: ours for ours, theirs in named.items()})
    return pd.DataFrame({ours: table[theirs] for ours, theirs in named.items()})


def _only(shape: Shape, present: Any, content: Any, origin: Origin) -> Importer:
    """The one importer that claims a file of this shape with these keys."""
    claims = matching(shape, present, content)
    return importer_of(claims, shape, present, origin.file)


def _first_object(text: TextIO) -> dict[str, Any] | None:
    """The object that is the whole of the first line; None if that is not a whole object."""
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
    "parquet": functools.partial(_table, tables.read_parquet),
    "text": functools.partial(_table, tables.read_csv),
}
