"""Which files a benchmark's list of paths and patterns stands for."""

import glob
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from saturation.errors import InputError


def expand(
    entries: Sequence[str | Mapping[str, Any]], workflow: Path, *, made_later: bool = False
) -> list[dict[str, Any]]:
    """One mapping a file, patterns expanded in sorted order."""
    files, missing = [], []
    for entry in entries:
        declared = {"path": entry} if isinstance(entry, str) else dict(entry)
        paths = _matches(declared["path"]) or _matches(str(workflow / declared["path"]))
        if not paths and made_later and not glob.has_magic(declared["path"]):
            paths = [declared["path"]]
        if not paths:
            remedy = (
                "; files that are made later cannot be found by a pattern: name each of them"
                if made_later
                else ""
            )
            missing.append(
                f"config: own.benchmarks: no file matches '{declared['path']}'; looked in "
                f"{Path.cwd()} and in {workflow}{remedy}"
            )
        files += [{**declared, "path": path} for path in paths]
    if missing:
        raise InputError(missing)
    return files


def _matches(pattern: str) -> list[str]:
    """A file of exactly this name first: names may hold characters that mean something to glob."""
    if Path(pattern).is_file():
        return [pattern]
    # Path.glob takes no absolute patterns.
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207
    return sorted(path for path in paths if Path(path).is_file())
