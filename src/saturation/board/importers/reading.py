"""Opening a file, recognising its format from its content, and handing it to its importer."""

import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, TextIO

import pandas as pd

from saturation.board.importers import registry, streams
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError

HEAD_BYTES = 4096
# A name made of digits is still a name.
TEXT_COLUMNS = ("model", "item", "cluster", "run", "configuration")


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
    if origin.path.is_dir():
        raise InputError(f"{origin.file}: a folder; name the files in it")
    if not origin.path.is_file():
        raise InputError(f"{origin.file}: the file does not exist")
    with origin.path.open("rb") as stream:
        kind = _kind(stream.read(HEAD_BYTES), origin.file)
    try:
        if kind == "parquet":
            return _table(_parquet(origin), choice, origin)
        with origin.path.open(encoding="utf-8-sig") as text:
            return _TEXT[kind](text, choice, origin)
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise InputError(
            f"{origin.file}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from None
    # What a part of another type, size or depth than the tool writes makes Python raise.
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"{origin.file}: a part that the format requires is missing or of another type: "
            f"{error}; compare it with a file that the tool itself has written"
        ) from None
    except RecursionError:
        raise InputError(
            f"{origin.file}: nested too deeply; no evaluation tool writes such a file"
        ) from None


def _kind(head: bytes, file: str) -> str:
    """``parquet``, ``array``, ``object`` or ``text``, from a file's first bytes.

    Raises
    ------
    InputError
        For an empty file, an HTML page and a compressed or other binary file.
    """
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise InputError(f"{file}: the file is empty")
    if start.startswith(b"<"):
        raise InputError(
            f"{file}: this is an HTML page, not data; it was probably saved from a browser or is "
            "an error page of a download: fetch the raw file"
        )
    if start.startswith(b"PAR1"):
        return "parquet"
    if b"\x00" in head or start.startswith((b"\x1f\x8b", b"PK")):
        raise InputError(f"{file}: a compressed or binary file; unpack it first")
    return {b"[": "array", b"{": "object"}.get(start[:1], "text")


def _object(text: TextIO, choice: Choice, origin: Origin) -> Imported:
    """A JSON document or JSONL: a first line that is a whole object tells them apart.

    A single line may be either, and is whichever an importer claims.
    """
    first = _first_object(text.readline(streams.LONGEST_RECORD))
    alone = not text.read(streams.CHUNK).strip()
    text.seek(0)
    if first is None:
        content = streams.document(text.read(), origin.file)
        return _read(_only(Shape.DOCUMENT, content, origin), content, choice, origin)
    claims = registry.matching(Shape.LINES, first)
    if alone:
        claims += registry.matching(Shape.DOCUMENT, first)
    shape = Shape.DOCUMENT if alone else Shape.LINES
    importer = registry.choose(claims, shape, first, origin.file)
    numbered = streams.lines(text, origin.file)
    content = numbered if importer.shape is Shape.LINES else first
    return _read(importer, content, choice, origin)


def _array(text: TextIO, choice: Choice, origin: Origin) -> Imported:
    numbered: Iterator[tuple[int, dict[str, Any]]] = streams.elements(text, origin.file)
    first = list(islice(numbered, 1))
    importer = _only(Shape.LIST, first[0][1] if first else [], origin)
    return _read(importer, chain(first, numbered), choice, origin)


def _parquet(origin: Origin) -> pd.DataFrame:
    try:
        return pd.read_parquet(origin.path)
    except (ValueError, OSError) as error:
        raise InputError(f"{origin.file}: not readable as a table: {error}") from None


def _text(text: TextIO, choice: Choice, origin: Origin) -> Imported:
    options: dict[str, Any] = {"keep_default_na": False, "na_values": [""]}
    try:
        header = pd.read_csv(text, nrows=0, **options).columns
        text.seek(0)
        names = {name: str for name in header if str(name).strip() in TEXT_COLUMNS}
        frame = pd.read_csv(text, dtype=names, **options)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{origin.file}: not readable as a table: {error}") from None
    return _table(frame, choice, origin)


def _table(frame: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    return _read(_only(Shape.TABLE, frame.columns, origin), frame, choice, origin)


def _only(shape: Shape, present: Any, origin: Origin) -> Importer:
    """The one importer that claims a file of this shape with these keys."""
    claims = registry.matching(shape, present)
    return registry.choose(claims, shape, present, origin.file)


def _read(importer: Importer, content: Any, choice: Choice, origin: Origin) -> Imported:
    imported = importer.read(content, choice, origin)
    imported.format = importer.name
    return imported


def _first_object(line: str) -> dict[str, Any] | None:
    """The object that is the whole of a line; None if the line is not a whole object."""
    try:
        content = json.loads(line)
    except json.JSONDecodeError:
        return None
    return content if isinstance(content, dict) else None


_TEXT = {"object": _object, "array": _array, "text": _text}
