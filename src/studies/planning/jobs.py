"""Group the user's benchmarks into jobs, and size each job's resources by its files."""

import functools
import hashlib
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from saturation.planning.code import fingerprint, packages

Paths = Iterable[str | Path | None]

# A job's start costs as much as six cards, and what Snakemake notes of one job grows with the
# square of its files.
MOST_ON_AVERAGE = 32
# A cell of a Parquet table, as those of a text of 0 and 1; its file may be a hundredth of that.
PARQUET_CELL = 2
# What a file unpacks to that does not say it: JSON lines shrink to a twentieth at best.
MOST_UNPACKED = 20


def batches(names: Collection[str]) -> dict[int, list[str]]:
    """Sorted names of the benchmarks of each job: a further benchmark changes its own job alone.

    A name's job follows from its hash; the number of jobs doubles when they would have more than
    `MOST_ON_AVERAGE` benchmarks on average, and only then do others change.
    """
    jobs = 1
    while len(names) > jobs * MOST_ON_AVERAGE:
        jobs *= 2
    by_job: dict[int, list[str]] = {}
    for name in sorted(names):
        digest = hashlib.sha256(name.encode()).digest()
        by_job.setdefault(int.from_bytes(digest[:8]) % jobs, []).append(name)
    return dict(sorted(by_job.items()))


def megabytes(files: Iterable[str | Path]) -> float:
    """Size of several files once they are unpacked; those that do not exist weigh nothing."""
    sizes = 0
    for path in map(Path, files):
        if path.is_file():
            state = path.stat()
            sizes += _unpacked(path, state.st_size, state.st_mtime_ns)
    return sizes / 1e6


def growing(
    amount: float, per_mb: float = 0, files: Paths | Callable[[Any], Paths] = ()
) -> Callable[[Any, int], int]:
    """Size a job's resource by the user's files, with growth at every retry.

    `per_mb` is what each megabyte of them adds once they are unpacked, measured by speed/scale.py
    and speed/own.py --weights. None means no files; a function is given the wildcards.
    """

    def needed(wildcards: Any, attempt: int) -> int:
        named = files(wildcards) if callable(files) else files
        return round((amount + per_mb * megabytes(filter(None, named))) * attempt)

    return needed


def heaviest(groups: Iterable[Iterable[str | Path]]) -> list[str | Path]:
    """Find the group of files that unpacks to most; empty without groups."""
    return list(max(map(list, groups), key=megabytes, default=[]))


@functools.cache
def _unpacked(path: Path, size: int, _changed: int) -> int:
    """Estimate the unpacked size, at least the file's own size; a reader reports a damaged file.

    Opened once as long as it stays as it is: Snakemake asks again each time that it chooses jobs.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
            if start.startswith(b"\x1f\x8b"):
                stream.seek(-4, 2)
                # Of 4 GiB and more, and of several parts, it is that of the rest.
                return max(size, int.from_bytes(stream.read(4), "little"))
        match start:
            case b"PK\x03\x04":
                with zipfile.ZipFile(path) as archive:
                    return max(size, sum(member.file_size for member in archive.infolist()))
            case b"PAR1":
                # Slow to import, and few have such files.
                from pyarrow import parquet

                table = parquet.read_metadata(path)
                return max(size, int(table.num_rows * table.num_columns * PARQUET_CELL))
            case b"\x28\xb5\x2f\xfd":
                return MOST_UNPACKED * size
    except (OSError, ValueError, zipfile.BadZipFile):
        pass
    return size


def tables_of(study: str, *names: str) -> dict[str, str]:
    """Files of a study's tables by name."""
    return {name: f"results/{study}/{name}.csv" for name in names}


def named(**settings: Any) -> dict[str, Any]:
    """Name a job's settings beside their values; a setting may be a function of the wildcards.

    Snakemake compares values alone, and misses two that are exchanged.
    """

    def by_name(wildcards: Any) -> dict[str, Any]:
        return {
            name: value(wildcards) if callable(value) else value for name, value in settings.items()
        }

    return {**settings, "by_name": by_name}


def settings_of(section: Mapping[str, Any], *keys: str, **more: Any) -> dict[str, Any]:
    """Select some settings of a section of the config, and add further settings."""
    return named(**{key: section[key] for key in keys}, **more)


def followed(
    root: Path, script: str, part: object, wildcards: Any, tokens: Mapping[str, str]
) -> dict[str, str]:
    """Collect what a job follows from beside its settings: code, packages, a token of its files.

    `part` says which of several rules it is that have the same script, or what a user's code does.
    """
    path, source = root / "workflow/scripts" / script, root / "src"
    job = " ".join(map(str, [script, part, *wildcards.items()]))
    return {
        "job": job,
        "code": f"workflow/scripts/{script} {fingerprint(path, source)}",
        "packages": packages(path, source),
        "made": tokens.get(job, ""),
    }
