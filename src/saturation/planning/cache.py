"""What earlier runs left to be used again: copies of pinned sources, and compiled code.

A copy is used only while its hash fits, and compiled code only where it is whole. Read while the
workflow is planned, so it needs the standard library alone.
"""

import csv
import hashlib
from pathlib import Path


def set_aside(folder: Path, registry: Path) -> list[Path]:
    """Rename every cached copy that is not the pinned file; returns the names they had."""
    if not folder.is_dir():
        return []
    with registry.open(encoding="utf-8", newline="") as stream:
        pinned = {row["name"]: row["sha256"] for row in csv.DictReader(stream)}
    damaged = []
    for path in sorted(folder.iterdir()):
        known = pinned.get(path.stem)
        if path.suffix != ".damaged" and known is not None and _sha256(path) != known:
            path.replace(path.with_name(path.name + ".damaged"))
            damaged.append(path)
    return damaged


def unreadable(folder: Path) -> list[Path]:
    """Delete compiled code that was overwritten or cut short, over which numba would stop.

    Returns
    -------
    list of pathlib.Path
        What was deleted; numba compiles it again.
    """
    broken = [path for path in sorted(folder.rglob("*.nb[ic]")) if not _pickled(path)]
    for path in broken:
        path.unlink(missing_ok=True)
    return broken


def _pickled(path: Path) -> bool:
    """Whether a file begins and ends as pickles of protocol 2 and later do."""
    content = path.read_bytes()
    return content.startswith(b"\x80") and content.endswith(b".")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
