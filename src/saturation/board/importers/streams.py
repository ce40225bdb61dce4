"""JSON that need not fit into memory: a line at a time, or an array's element at a time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from saturation.errors import InputError

# Longer than any single evaluation record seen in practice; it bounds the memory of a read.
LONGEST_RECORD = 64 * 2**20
CHUNK = 2**20


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
    decoder = json.JSONDecoder()
    buffer, number, ended = stream.read(CHUNK).lstrip("\ufeff \t\r\n")[1:], 0, False
    while True:
        buffer = buffer.lstrip(" \t\r\n,")
        if buffer.startswith("]"):
            return
        try:
            element, end = decoder.raw_decode(buffer)
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
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg:
            raise InputError(
                f"{file}: the JSON ends too early (line {error.lineno}); "
                "the file is cut off: copy it again"
            ) from None
        raise InputError(
            f"{file}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        ) from None


def beside(path: Path) -> Any:
    """Parsed JSON document of a file that explains the one that is read.

    Raises
    ------
    InputError
        As :func:`document`.
    """
    return document(path.read_text(encoding="utf-8-sig"), str(path))


def _object(line: str, file: str, number: int, last: bool) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        cause = "the file is cut off: copy it again" if last else f"not JSON: {error.msg}"
        raise InputError(f"{file}, line {number}: {cause}") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}, line {number}: expected a JSON object, found {content!r}")
    return content


def _too_long(where: str) -> str:
    return f"{where}: longer than {LONGEST_RECORD // 2**20} MiB; allowed: shorter records"
