"""What a run was made from and what it made, each file with its hash.

The manifest has the same bytes for the same inputs, code, config and versions. What differs from
machine to machine (commit, Python, platform) stands apart, in the origin.
"""

import hashlib
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

UNVERSIONED = "not known: no repository here, or no git that may read it"
# What results follow from; what a user adds beside it is in the manifest.
CODE = ("Snakefile", "config", "envs", "resources", "src", "workflow")


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
    """The commit of a project's folder, or that it is not known.

    Marked ``-dirty`` where a file that results follow from differs from the commit's, or is not in
    it: a module that is found by itself need not be tracked. A repository further up is another's.

    Parameters
    ----------
    folder
        The project's folder.
    """
    try:
        named = _git(folder, "describe", "--always", "--abbrev=40")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=all", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return UNVERSIONED
    return f"{named}-dirty" if changed else named


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)},
    )  # fmt: skip
    return done.stdout.strip()


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
