"""What a file weighs as plain text, so that a job asks for enough before anybody reads the file."""

import functools
import zipfile
from collections.abc import Iterable
from pathlib import Path

# A cell of a Parquet table, as those of a text of 0 and 1; its file may be a hundredth of that.
PARQUET_CELL = 2
# What a file unpacks to that does not say it: JSON lines shrink to a twentieth at best.
MOST_UNPACKED = 20
_GZIP, _ZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"PAR1"


def megabytes(files: Iterable[str | Path]) -> float:
    """Size of several files once they are unpacked; those that do not exist weigh nothing."""
    return sum(_bytes(path) for path in map(Path, files) if path.is_file()) / 1e6


def heaviest(groups: Iterable[Iterable[str | Path]]) -> list[str | Path]:
    """The group of files that unpacks to most; empty without groups."""
    return list(max(map(list, groups), key=megabytes, default=[]))


def _bytes(path: Path) -> int:
    state = path.stat()
    return _weight(path, state.st_size, state.st_mtime_ns)


@functools.cache
def _weight(path: Path, size: int, _changed: int) -> int:
    """Never less than the file itself, which is what a damaged one weighs: who reads it says so.

    Opened once as long as it stays as it is: Snakemake asks again each time that it chooses jobs.
    """
    try:
        return max(size, _unpacked(path, size))
    except (OSError, ValueError, zipfile.BadZipFile):
        return size


def _unpacked(path: Path, size: int) -> int:
    with path.open("rb") as stream:
        start = stream.read(4)
        if start.startswith(_GZIP):
            stream.seek(-4, 2)
            # Of 4 GiB and more, and of several parts, it is that of the rest.
            return int.from_bytes(stream.read(4), "little")
    if start == _ZIP:
        with zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist())
    if start == _ZSTD:
        return MOST_UNPACKED * size
    if start == _PARQUET:
        # Slow to import, and few have such files.
        from pyarrow import parquet

        table = parquet.read_metadata(path)
        return int(table.num_rows * table.num_columns * PARQUET_CELL)
    return size
