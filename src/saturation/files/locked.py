"""Public files that are not pinned: the first fetch locks their revision and hashes.

Unlike a pinned source (:mod:`saturation.files.sources`), nobody of this project has seen what the
first fetch brings. From then on the lock file says what it was, and anything else is refused.
"""

import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files import columns
from saturation.files.manifest import sha256
from saturation.files.sources import TIMEOUT_SECONDS
from saturation.files.tables import write_csv

LATEST = "main"
# What the Hugging Face Hub calls the revision that it answers with.
REVISION = "X-Repo-Commit"

LOCK = columns.table(
    {"path": columns.text(unique=True), "revision": columns.text(), "sha256": columns.text()}
)


def fetch(
    targets: Mapping[str, Path], url: str, known: Mapping[str, Mapping[str, str]]
) -> pd.DataFrame:
    """Put files where they are wanted, and say what they are.

    Parameters
    ----------
    targets
        Where each file is put, by its path in the data set; at least one.
    url
        Where they lie: a revision and a file's path are appended.
    known
        ``revision`` and ``sha256`` by path, of an earlier fetch; empty at the first.

    Returns
    -------
    pandas.DataFrame
        ``path, revision, sha256``: what the lock file holds.

    Raises
    ------
    InputError
        If a file cannot be had, the lock lacks it, or it is not the locked one.
    """
    lacking = [path for path in targets if known and path not in known]
    if lacking:
        raise InputError(
            f"the lock file lacks {', '.join(lacking)}; delete it to lock the data set anew"
        )
    rows = []
    # All files are of the revision that the first one came with.
    revision = known[next(iter(targets))]["revision"] if known else LATEST
    for path, target in targets.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        answered = _download(f"{url}/{revision}/{path}", target)
        revision = answered if revision == LATEST else revision
        digest = sha256(target)
        if known and digest != known[path]["sha256"]:
            target.unlink()
            raise InputError(
                f"{path}: sha256 is {digest}, but the lock file has {known[path]['sha256']}; the "
                "data set has changed: delete the lock file to take it as it is now"
            )
        rows.append((path, revision, digest))
    return pd.DataFrame(rows, columns=["path", "revision", "sha256"])


def by_path(lock: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Revision and hash of each file of a lock, as :func:`fetch` takes them.

    Parameters
    ----------
    lock
        Rows ``path, revision, sha256``.
    """
    columns_of = zip(lock["path"], lock["revision"], lock["sha256"], strict=True)
    return {path: {"revision": revision, "sha256": digest} for path, revision, digest in columns_of}


def write(lock: pd.DataFrame, path: Path) -> None:
    """Write a lock file where there is none; one that is there stays as it is.

    Parameters
    ----------
    lock
        As :func:`fetch` gives it.
    path
        The lock file.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_csv(lock, path)


def _download(url: str, target: Path) -> str:
    """Download a file; the revision that it came with."""
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as reply:
            target.write_bytes(reply.read())
            return str(reply.headers.get(REVISION) or LATEST)
    except (urllib.error.URLError, OSError) as error:
        raise InputError(f"{url} cannot be read ({error}); this needs a network") from None
