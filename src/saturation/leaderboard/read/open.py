"""A file's bytes as they are meant: unpacked, not too many, UTF-8; else a sentence why not."""

import gzip
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO

from saturation.errors import InputError, reading

HEAD_BYTES = 4096
# What a compressed file may become: more than any evaluation writes, less than fills a machine.
LARGEST_EXPANDED = 4 * 2**30
# The same for one document or table, which is held as a whole.
LARGEST_WHOLE = 2**30
# The same for pages that people write (Markdown, HTML, YAML), which take 140 times their size.
LARGEST_PAGE = 2**25
# Cells of a table or values of a JSON document, which a few bytes may stand for: ten million
# answers in five columns.
MOST_CELLS = 5 * 10**7


def _lone_member(path: Path) -> Any:
    """Return the only file in a zip archive; the archive itself with several files or none."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
            if len(files) == 1 and files[0].filename != INSPECT_HEADER:
                return archive.open(files[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        pass  # damaged or locked: who reads it as an archive says how
    return path.open("rb")


def _zstd(path: Path) -> Any:
    import pyarrow as pa

    return pa.input_stream(str(path), compression="zstd")


_UNPACK: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"\x28\xb5\x2f\xfd": _zstd,
    b"PK\x03\x04": _lone_member,
}
# What may be the only file of an Inspect log, which is an archive all the same.
INSPECT_HEADER = "header.json"
# Files of other kinds, by how they begin.
_UNREAD = {
    rb"BZh|\xfd7zXZ|7z\xbc\xaf|Rar!": "packed by bzip2, xz, 7z or RAR; unpack it first (gzip and "
    "zstd are read)",
    rb"version https://git-lfs": "packed by Git LFS; unpack it first (`git lfs pull`)",
    rb"ARROW1|FEA1|\xd0\xcf\x11\xe0|PK.{28}mimetypeapplication/vnd\.oasis|SQLite|%PDF": "Arrow, "
    "Feather, OpenDocument, SQLite, PDF and Excel before 2007 are not read; save the table as CSV",
}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_KINDS = {b"[": "array", b"{": "object"}
# Whose first letter says nothing: a badge begins as a list does.
MARKDOWN = (".md", ".markdown", ".qmd")
PAGES = (*MARKDOWN, ".html", ".htm")
LOGS = (".txt", ".log")
# The files of a folder that are read, where there are none before: those that a tool calls results,
# tables and documents, what describes the folder, and printed text.
_TABLES = (
    r"(?!run_spec\.json|model_meta\.json).*"
    r"\.(csv|tsv|jsonl?|ya?ml|md|tex|html?|xlsx|parquet|eval)(\.(gz|zst|zip))?$"
)
_KINDS_OF_FILES = [
    re.compile(rf"(?i){kind}")
    for kind in (
        rf"results_{_TABLES}",
        rf"(?!(readme|licen[cs]e|contributing|changelog|citation)\b){_TABLES}",
        _TABLES,
        r".*\.(txt|log)$",
    )
]


def expand(path: Path) -> list[Path]:
    """Return the files that a path means: the file itself, or the files of a folder or pattern.

    Of a folder with lm-evaluation-harness's or lighteval's results files, these; a README beside
    other files is none of them. A pattern that matches nothing is sought in the folders below too.
    """
    if path.is_dir():
        every = sorted(file for file in path.rglob("*") if file.is_file())
        kinds = ([file for file in every if kind.match(file.name)] for kind in _KINDS_OF_FILES)
        if files := next(filter(None, kinds), []):
            return files
        raise InputError(f"{path}: no file in this folder is of a kind that is read")
    if path.exists() or not any(mark in path.name for mark in "*?["):
        return [path]
    return sorted(path.parent.glob(path.name)) or sorted(path.parent.rglob(path.name)) or [path]


def require_file(path: Path) -> None:
    """Refuse what is no file that can be read."""
    if path.is_dir():
        raise InputError(f"{path}: a folder; name the files in it")
    if path.is_symlink() and not path.exists():
        raise InputError(f"{path}: a link to a file that does not exist; correct the link")
    if not path.exists():
        raise InputError(f"{path}: the file does not exist")
    if not path.is_file():
        raise InputError(f"{path}: not a regular file; save its content as one")


def kind(path: Path) -> str:
    """``zip``, ``parquet``, ``array``, ``object`` or ``text``, from a file's first bytes."""
    with opened(path) as stream:
        head = stream.read(HEAD_BYTES)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise InputError(f"{path}: the file is empty")
    if start.startswith(b"PAR1"):
        return "parquet"
    for beginning, remedy in _UNREAD.items():
        if re.match(beginning, start, re.DOTALL):
            raise InputError(f"{path}: {remedy}")
    if start.startswith(b"PK\x03\x04"):
        return "zip"
    # Half of the bytes of Latin letters in UTF-16 are nothing.
    if head.startswith(_UTF16) or 3 * head[:64].count(0) > len(head[:64]):
        raise InputError(f"{path}: the text is UTF-16; save the file as UTF-8")
    if b"\x00" in head:
        raise InputError(
            f"{path}: byte {head.index(0) + 1} is NUL, so this is a binary or damaged file; give "
            "the text, JSON or Parquet file that the tool wrote"
        )
    # A link begins with a bracket too, and so does a date in a log.
    is_prose = path.suffix.lower() in (*MARKDOWN, *LOGS) and not re.match(rb'\[?\s*\{\s*"', start)
    return "text" if is_prose else _KINDS.get(start[:1], "text")


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Return the file's bytes, unpacked from gzip, zstd, or a zip archive of that single file."""
    try:
        with path.open("rb") as raw:
            start = raw.read(4)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    unpack = next((how for magic, how in _UNPACK.items() if start.startswith(magic)), None)
    if unpack is None:
        with path.open("rb") as raw:
            yield raw
        return
    try:
        with unpack(path) as stream, _Bounded(stream, path) as bounded:
            yield io.BufferedReader(bounded, 2**20)
    except (EOFError, zlib.error, zipfile.BadZipFile, OSError) as error:
        raise InputError(
            f"{path}: the compressed file is cut off or damaged ({error}); copy it again"
        ) from None


@contextmanager
def text(path: Path) -> Iterator[io.TextIOWrapper]:
    """Return the file's text, without a byte order mark."""
    try:
        with opened(path) as stream:
            yield io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    except UnicodeDecodeError:
        raise InputError(describe_not_utf8(path)) from None


def whole(path: Path, most: int = 0) -> bytes:
    """Return all bytes of a document or table; refuse a large file before it is in memory."""
    with opened(path) as stream:
        size = 0
        while block := stream.read(2**20):
            size += len(block)
            require_size(size, path, most)
    with opened(path) as stream:
        return stream.read()


def require_size(size: int, path: Path, most: int = 0) -> None:
    """Refuse a document or table of more bytes than are held as a whole."""
    if size > (most := most or LARGEST_WHOLE):
        raise InputError(
            f"{path}: more than {most / 2**20:g} MiB in one document or table; "
            "split it, or give one record a line (JSONL)"
        )


def require_cells(cells: int, file: object) -> None:
    """Refuse a table or document of more cells than a machine of 16 GB can make a card of."""
    if cells > MOST_CELLS:
        raise InputError(f"{file}: {cells:,} cells; allowed: {MOST_CELLS:,}; split it")


def describe_not_utf8(path: Path) -> str:
    """Return a sentence that names the first line and byte that are not UTF-8."""
    with opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                problem = f"byte {error.start + 1} (0x{line[error.start]:02x}) is not UTF-8"
                return f"{path}, line {number}: {problem}; save the file as UTF-8"
    return f"{path}: the text is not UTF-8; save the file as UTF-8"


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more bytes than a compressed file may become."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream, self._path, self._left = stream, path, LARGEST_EXPANDED

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        content = self._stream.read(len(buffer))
        self._left -= len(content)
        if self._left < 0:
            raise InputError(
                f"{self._path}: unpacks to more than {LARGEST_EXPANDED / 2**20:g} MiB; unpack it "
                "and look what it holds"
            )
        buffer[: len(content)] = content
        return len(content)


# JSON that need not fit into memory: a line at a time, or an array's element at a time.

# Longer than any single evaluation record seen in practice; it bounds the memory of a read.
LONGEST_RECORD = 64 * 2**20
# Each takes a kilobyte on the way to a card, as some cells of a table do.
CELLS_OF_RECORD = 5
CHUNK = 2**20


class _Unusable(ValueError):
    """JSON that can be parsed and still says nothing certain."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys stand once each."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Unusable(f"the key {twice!r} stands twice in one object; remove one")
    return content


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def lines(stream: TextIO, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return number and object of each line of a JSONL stream; blank lines are skipped."""
    number = 0
    while line := stream.readline(LONGEST_RECORD):
        number += 1
        require_cells(CELLS_OF_RECORD * number, file)
        if len(line) == LONGEST_RECORD:
            raise InputError(_too_long(f"{file}, line {number}"))
        if line.strip():
            yield number, _object(line, file, number, last=not line.endswith("\n"))


def elements(stream: TextIO, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return number and object of each element of a top-level JSON array, read in chunks."""
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
        require_cells(CELLS_OF_RECORD * number, file)
        if not isinstance(element, dict):
            raise InputError(f"{file}, element {number}: expected a JSON object, found {element!r}")
        yield number, element


def document(text: str, file: str) -> Any:
    """Return parsed JSON document."""
    require_cells(sum(map(text.count, ",[{")), file)
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


def parse_beside(path: Path) -> Any:
    """Parse the JSON document of a file that explains the current file."""
    with reading(path):
        return document(decoded(path), str(path))


def decoded(path: Path, most: int = 0) -> str:
    """Return a whole file's text."""
    try:
        return whole(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(describe_not_utf8(path)) from None


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
    """Return what a parser says of numbers and keys, without its advice to programmers."""
    if isinstance(error, _Unusable):
        return str(error)
    return "a number of more digits than any score or count has; correct it"


def _too_long(where: str) -> str:
    return f"{where}: longer than {LONGEST_RECORD // 2**20} MiB; allowed: shorter records"


# Members of a zip archive, which may be compressed in ways that Python does not know.

ZSTD = 93
LARGEST_MEMBER = 256 * 2**20
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")


class Archive:
    """JSON files in a zip archive."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as opened:
            self._members = {info.filename: info for info in opened.infolist()}

    @property
    def names(self) -> list[str]:
        """List the names of the archive's files, in the archive's order."""
        return list(self._members)

    def json(self, name: str) -> Any:
        """Parse a JSON file of the archive."""
        where = f"{self.path}, {name} in it"
        size = self._members[name].file_size
        if size > LARGEST_MEMBER:
            raise InputError(
                f"{where}: unpacks to {size / 2**20:.0f} MiB; allowed: "
                f"{LARGEST_MEMBER / 2**20:g} MiB"
            )
        with reading(where):
            text = self._bytes(name).decode("utf-8-sig")
        return document(text, where)

    def _bytes(self, name: str) -> bytes:
        info = self._members[name]
        if info.compress_type != ZSTD:
            with zipfile.ZipFile(self.path) as opened:
                return opened.read(name)
        with self.path.open("rb") as stream:
            stream.seek(info.header_offset)
            *_, name_length, extra_length = _LOCAL_HEADER.unpack(stream.read(_LOCAL_HEADER.size))
            stream.seek(name_length + extra_length, 1)
            packed = stream.read(info.compress_size)
        import pyarrow as pa

        unpacked: bytes = pa.Codec("zstd").decompress(packed, info.file_size, asbytes=True)
        if zlib.crc32(unpacked) != info.CRC:
            raise ValueError("its checksum does not fit")
        return unpacked
