"""Copies of pinned sources that an earlier run left: used again only while their hash fits.

Read while the workflow is planned, so it needs the standard library alone.
"""

import csv
import hashlib
from pathlib import Path


def set_aside(folder: Path, registry: Path) -> list[Path]:
    """Rename every cached copy that is not the pinned file; returns the names they had.

    Parameters
    ----------
    folder
        Where the copies lie, as NAME.SUFFIX with the source's name.
    registry
        The table ``resources/sources.csv``.
    """
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


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
