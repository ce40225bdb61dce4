"""JSON that need not fit into memory: a line at a time, or an array's element at a time."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeVar

from saturation.board.importers import opening
from saturation.errors import InputError

# Longer than any single evaluation record seen in practice; it bounds the memory of a read.
LONGEST_RECORD = 64 * 2**20
CHUNK = 2**20

T = TypeVar("T")


class _Unusable(ValueError):
    """JSON that can be parsed and still says nothing certain."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once each."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Unusable(f"the key {twice!r} stands twice in one object; remove one")
    return content


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def lines(stream: TextIO, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and object of each line of a JSONL stream; blank lines are skipped.

    Parameters
    ----------
    stream, file
        The open file, and its name for messages.

    Raises
    ------
    InputError
        For a line that is not a JSON object or is longer than `LONGEST_RECORD` characters.
    """
    number = 0
    while line := stream.readline(LONGEST_RECORD):
        number += 1
        if len(line) == LONGEST_RECORD:
            raise InputError(_too_long(f"{file}, line {number}"))
        if line.strip():
            yield number, _object(line, file, number, last=not line.endswith("\n"))


def elements(stream: TextIO, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and object of each element of a top-level JSON array, read in chunks.

    Parameters
    ----------
    stream, file
        The open file, and its name for messages.

    Raises
    ------
    InputError
        If the array is cut off, holds something else than objects, or one element is longer than
        `LONGEST_RECORD` characters.
    """
    buffer, number, ended = stream.read(CHUNK).lstrip("\ufeff \t\r\n")[1:], 0, False
    while True:
        buffer = buffer.lstrip(" \t\r\n,")
        if buffer.startswith("]"):
            return
        try:
            element, end = _DECODER.raw_decode(buffer)
        except json.JSONDecodeError:
            if ended:
                raise InputError(
                    f"{file}: the JSON ends inside element {number + 1} of its list; "
                    "the file is cut off or damaged: copy it again"
                ) from None
            if len(buffer) > LONGEST_RECORD:
                raise InputError(_too_long(f"{file}, element {number + 1}")) from None
            # At least doubling: the number of attempts to decode stays logarithmic.
            more = stream.read(max(CHUNK, len(buffer)))
            buffer, ended = buffer + more, not more
            continue
        except ValueError as error:
            raise InputError(f"{file}, element {number + 1}: {_plain(error)}") from None
        buffer, number = buffer[end:], number + 1
        if not isinstance(element, dict):
            raise InputError(f"{file}, element {number}: expected a JSON object, found {element!r}")
        yield number, element


def document(text: str, file: str) -> Any:
    """Parsed JSON document.

    Parameters
    ----------
    text, file
        The file's content, and its name for messages.

    Raises
    ------
    InputError
        Saying whether the text is cut off or not JSON, and where.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg:
            raise InputError(
                f"{file}: the JSON ends too early (line {error.lineno}); "
                "the file is cut off: copy it again"
            ) from None
        raise InputError(
            f"{file}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}; "
            "copy the file again, or write it again with the tool"
        ) from None
    except ValueError as error:
        raise InputError(f"{file}: {_plain(error)}") from None


def beside(path: Path) -> Any:
    """Parsed JSON document of a file that explains the one that is read.

    Raises
    ------
    InputError
        As :func:`document`.
    """
    return nested(lambda: document(decoded(path), str(path)), str(path))


def decoded(path: Path) -> str:
    """A whole file's text.

    Raises
    ------
    InputError
        If it is too large, damaged or not UTF-8.
    """
    try:
        return opening.whole(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(opening.not_utf8(path)) from None


def nested(read: Callable[[], T], file: str) -> T:
    """What `read` gives, or a sentence where its JSON is nested too deeply for any parser.

    Parameters
    ----------
    read
        Parses.
    file
        The file's name for the message.

    Raises
    ------
    InputError
        If the nesting has no end in sight.
    """
    try:
        return read()
    except RecursionError:
        raise InputError(
            f"{file}: nested too deeply; no evaluation tool writes such a file"
        ) from None


def _object(line: str, file: str, number: int, last: bool) -> dict[str, Any]:
    try:
        content = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        again = "copy it again"
        cause = f"the file is cut off: {again}" if last else f"not JSON: {error.msg}; {again}"
        raise InputError(f"{file}, line {number}: {cause}") from None
    except ValueError as error:
        raise InputError(f"{file}, line {number}: {_plain(error)}") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}, line {number}: expected a JSON object, found {content!r}")
    return content


def _plain(error: ValueError) -> str:
    """What a parser says of numbers and keys, without its advice to programmers."""
    if isinstance(error, _Unusable):
        return str(error)
    return "a number of more digits than any score or count has; correct it"


def _too_long(where: str) -> str:
    return f"{where}: longer than {LONGEST_RECORD // 2**20} MiB; allowed: shorter records"
