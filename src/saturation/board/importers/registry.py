"""Which importer reads a file: each says what it needs to see, and exactly one may match."""

import enum
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from saturation.board.importers import formats
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.board.importers.suggesting import renamed
from saturation.errors import InputError

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

    Parameters
    ----------
    name
        As ``imports.json`` and the table in ``docs/own.md`` call it.
    title
        What such a file is, for the list of what is understood.
    shape
        What `read` is handed as content: the parsed document (DOCUMENT), an iterator over number
        and object of each record (LINES, LIST), a data frame whose columns are stripped of spaces
        and whose index is the line (TABLE), or a
        :class:`saturation.board.importers.archives.Archive` (ARCHIVE).
    read
        ``read(content, choice, origin)`` gives back what the file holds.
    keys
        All of these stand at the top of the document, of the first record, among the columns, or
        among the archive's files.
    begins
        For a table that any columns may follow: one of these is the first of several columns. Such
        a format is taken only where no other matches.
    accepts
        Whether the content itself is of this format too: the document, the first record or the
        table. Keys that several tools use need it.
    holds
        What `accepts` looks for, in words.
    tasks
        The tasks that a file holds, where it can hold several; a card can be made of each.
    """

    name: str
    title: str
    shape: Shape
    read: Callable[[Any, Choice, Origin], Imported]
    keys: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    accepts: Callable[[Any], bool] | None = None
    holds: str = ""
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
    """Every importer of :mod:`saturation.board.importers.formats`.

    Raises
    ------
    ValueError
        If two have the same name.
    """
    every = tuple(importer for module in formats.modules() for importer in module.FORMATS)
    names = [importer.name for importer in every]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"importers of the same name: {', '.join(twice)}")
    return every


def matching(shape: Shape, present: Iterable[str], content: Any) -> list[Importer]:
    """The importers that claim a file; those that take any table only if no other does.

    Where one needs all keys of another and more, it is the one.

    Parameters
    ----------
    shape
        How the file is built up.
    present
        Its top-level keys or its columns, in the file's order.
    content
        The document, the first record, the table or the archive.
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


def choose(claims: Sequence[Importer], shape: Shape, present: Iterable[str], file: str) -> Importer:
    """The one importer that claims a file.

    Parameters
    ----------
    claims
        What :func:`matching` gives.
    shape, present, file
        The file's shape, keys or columns and name, for the message.

    Raises
    ------
    InputError
        If none does, listing what is understood of its kind (tables, or what is none) and, for a
        table, how its columns can be named; or if several do, naming them.
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
