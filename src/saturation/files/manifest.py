"""What a run was made from and what it made, each file with its hash.

The manifest has the same bytes for the same inputs, code, config and versions. What differs from
machine to machine (commit, Python, platform) stands apart, in the origin.
"""

import hashlib
import platform
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

UNVERSIONED = "not under version control"


def manifest(
    config: Mapping[str, Any], lock: Path, inputs: Iterable[Path], outputs: Iterable[Path]
) -> dict[str, Any]:
    """The content of ``results/manifest.json``.

    Parameters
    ----------
    config
        The whole config that was used, defaults included.
    lock
        The file that holds the versions of all packages.
    inputs, outputs
        What was read that no rule makes, and what was asked for.
    """
    return {
        "config": config,
        "lock": {str(lock): sha256(lock)},
        "inputs": hashes(inputs),
        "outputs": hashes(outputs),
    }


def origin(committed: str) -> dict[str, str]:
    """The content of ``results/origin.json``: where a run was made.

    Parameters
    ----------
    committed
        Its code, see :func:`commit`.
    """
    return {
        "commit": committed,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.platform(),
    }


def commit(folder: Path) -> str:
    """The commit of a folder, marked where its files are changed, or that there is none."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return UNVERSIONED
    return done.stdout.strip() or UNVERSIONED


def hashes(paths: Iterable[Path]) -> dict[str, str]:
    """SHA-256 of every file, of a folder's files too, by path and sorted."""
    files: set[Path] = set()
    for path in paths:
        files |= {file for file in path.rglob("*") if file.is_file()} if path.is_dir() else {path}
    return {path.as_posix(): sha256(path) for path in sorted(files)}


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
