"""Opening a file, recognising its format from its content, and handing it to its importer."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, NamedTuple, TextIO, TypeVar

import pandas as pd

from saturation.board.importers import opening, registry, streams, tabular
from saturation.board.importers.archives import Archive
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError

T = TypeVar("T")


class _Recognised(NamedTuple):
    """A file's importer, and what it is handed."""

    importer: Importer
    content: Any


def read(origin: Origin, choice: Choice) -> Imported:
    """Rows of one file, whatever its format; JSONL and JSON lists are read as a stream.

    Parameters
    ----------
    origin
        The file, and what the config says about it.
    choice
        What to take out of it.

    Raises
    ------
    InputError
        If the file is missing, is not UTF-8, is damaged or has an unknown format.
    """

    def imported(recognised: _Recognised) -> Imported:
        importer, content = recognised
        found = importer.read(content, choice, origin)
        found.format = importer.name
        return found

    return _with(origin, choice, imported)


def tasks(origin: Origin, choice: Choice) -> list[str]:
    """The tasks that a file holds; none if its format has only one.

    Parameters
    ----------
    origin, choice
        As :func:`read` takes them.

    Raises
    ------
    InputError
        As :func:`read`.
    """

    def listed(recognised: _Recognised) -> list[str]:
        importer, content = recognised
        return [] if importer.tasks is None else importer.tasks(content, choice)

    return _with(origin, choice, listed)


def _with(origin: Origin, choice: Choice, use: Callable[[_Recognised], T]) -> T:
    """What `use` makes of a file; whatever goes wrong on the way is a sentence."""
    opening.require_file(origin.path)
    kind = opening.kind(origin.path)
    file = origin.file

    def used() -> T:
        with _SOURCES[kind](origin, choice) as recognised:
            return use(recognised)

    try:
        return streams.nested(used, file)
    except InputError:
        raise
    # What a part of another type, size or depth than the tool writes makes Python raise.
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"{file}: a part that the format requires is missing or of another type: "
            f"{error}; compare it with a file that the tool itself has written"
        ) from None


@contextmanager
def _object(origin: Origin, _choice: Choice) -> Iterator[_Recognised]:
    """A JSON document or JSONL: a first line that is a whole object tells them apart.

    A single line may be either, and is whichever an importer claims.
    """
    with opening.text(origin.path) as text:
        first = _first_object(text)
        alone = first is not None and not text.read(streams.CHUNK).strip()
    if first is None:
        content = streams.document(streams.decoded(origin.path), origin.file)
        yield _Recognised(_only(Shape.DOCUMENT, content, content, origin), content)
        return
    claims = registry.matching(Shape.LINES, first, first)
    if alone:
        documents = registry.matching(Shape.DOCUMENT, first, first)
        told = {importer.keys for importer in documents}
        claims = [importer for importer in claims if importer.keys not in told] + documents
    shape = Shape.DOCUMENT if alone else Shape.LINES
    importer = registry.choose(claims, shape, first, origin.file)
    if importer.shape is Shape.DOCUMENT:
        # Anew, by the parser that refuses a key that stands twice.
        yield _Recognised(importer, streams.document(streams.decoded(origin.path), origin.file))
        return
    with opening.text(origin.path) as text:
        yield _Recognised(importer, streams.lines(text, origin.file))


@contextmanager
def _array(origin: Origin, _choice: Choice) -> Iterator[_Recognised]:
    with opening.text(origin.path) as text:
        numbered = streams.elements(text, origin.file)
        first = list(islice(numbered, 1))
        record = first[0][1] if first else {}
        importer = _only(Shape.LIST, record, record, origin)
        yield _Recognised(importer, chain(first, numbered))


@contextmanager
def _zip(origin: Origin, _choice: Choice) -> Iterator[_Recognised]:
    archive = Archive(origin.path)
    yield _Recognised(_only(Shape.ARCHIVE, archive.names, archive, origin), archive)


@contextmanager
def _parquet(origin: Origin, choice: Choice) -> Iterator[_Recognised]:
    yield _table(tabular.read_parquet(origin.path), origin, choice)


@contextmanager
def _text(origin: Origin, choice: Choice) -> Iterator[_Recognised]:
    yield _table(tabular.read_csv(origin.path), origin, choice)


def _table(table: pd.DataFrame, origin: Origin, choice: Choice) -> _Recognised:
    if choice.columns:
        table = _renamed(table, choice, origin)
    return _Recognised(_only(Shape.TABLE, table.columns, table, origin), table)


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
    claims = registry.matching(shape, present, content)
    return registry.choose(claims, shape, present, origin.file)


def _first_object(text: TextIO) -> dict[str, Any] | None:
    """The object that is the whole of the first line; None if that is not a whole object."""
    line = text.readline(streams.LONGEST_RECORD)
    while line and not line.strip():
        line = text.readline(streams.LONGEST_RECORD)
    try:
        content = json.loads(line)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


_SOURCES = {
    "object": _object,
    "array": _array,
    "zip": _zip,
    "parquet": _parquet,
    "text": _text,
}
