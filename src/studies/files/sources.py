"""Registry of pinned public data: taken from a mirror or downloaded, used only if the hash fits."""

import shutil
import subprocess
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import schema
from saturation.files.tables import records
from saturation.provenance import sha256


def hashes(paths: Iterable[Path]) -> dict[str, str]:
    """SHA-256 of every file, of a folder's files too, by path and sorted."""
    files = set()
    for path in paths:
        files |= {file for file in path.rglob("*") if file.is_file()} if path.is_dir() else {path}
    return {path.as_posix(): sha256(path) for path in sorted(files)}


TIMEOUT_SECONDS = 60
LATEST = "main"
# A file at a commit of a repository: its path in the registry is OWNER/REPOSITORY/COMMIT/FILE.
GITHUB = "https://raw.githubusercontent.com/"
# What a licence that does not let others change or sell the data has in its name.
NOT_FREE = ("NC", "ND")
# What the Hugging Face Hub calls the revision that it answers with.
REVISION = "X-Repo-Commit"

# Of resources/sources.csv.
REGISTRY = schema.table(
    {
        "name": schema.text(unique=True),
        "path": schema.text(),
        "sha256": schema.text(),
        "bytes": schema.whole(),
        "licence": schema.text(),
        "url": schema.text(),
        "what": schema.text(),
    }
)


@dataclass(frozen=True)
class Source:
    """Pinned file: its place in a mirror, its URL, and its sha256."""

    name: str
    path: str
    sha256: str
    bytes: int
    licence: str
    url: str
    what: str


def registry(table: pd.DataFrame) -> dict[str, Source]:
    """Read the sources by name from the table ``resources/sources.csv``."""
    return {row["name"]: Source(**row) for row in records(table)}


def named(registry: Mapping[str, Source], name: str, file: str) -> Source:
    """Find a source by its name."""
    if name not in registry:
        raise InputError(f"{file}: no source '{name}'; known: {', '.join(registry)}")
    return registry[name]


def require_suffix(source: Source, suffix: str) -> None:
    """Raise unless the source has the required suffix."""
    right = Path(source.path).suffix.removeprefix(".")
    if suffix != right:
        raise InputError(f"source '{source.name}' is a file of the kind .{right}, not .{suffix}")


def check(path: Path, source: Source) -> None:
    """Raise unless the file matches the pinned sha256."""
    actual = sha256(path)
    if actual != source.sha256:
        raise InputError(
            f"{path}: sha256 is {actual}, but source '{source.name}' is pinned to {source.sha256}; "
            "the copy is damaged or another version: replace it, or delete it to have it fetched"
        )


def fetch(source: Source, mirror: Path | None, target: Path) -> None:
    """Fetch the source to `target`: from the mirror if the mirror has a copy, else from its URL.

    The hash is checked before the file appears at `target`.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        check(_copy(source, mirror, partial), source)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _copy(source: Source, mirror: Path | None, target: Path) -> Path:
    """Copy a source unchecked; return the mirror's copy, or the downloaded file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if mirror and (mirror / source.path).is_file():
        shutil.copyfile(mirror / source.path, target)
        return mirror / source.path
    try:
        _download(source.url, target)
    except OSError as error:
        place = f"no copy in the mirror {mirror}" if mirror else "no mirror is configured"
        raise InputError(
            f"source '{source.name}': {place}, and its URL {source.url} cannot be read "
            f"({error}); set sources.mirror in the config to a folder that holds the file"
        ) from None
    return target


def newest(source: Source, mirror: Path | None, target: Path) -> Source | None:
    """Fetch and pin a source's newest version at `target`; None without a new version.

    The newest version of a file on GitHub is the one at the head of its repository; a mirror says
    in a file OWNER/REPOSITORY/HEAD which commit that is.

    Raise if the licence does not allow it, no rule says where the newest version is, or it cannot
    be read.
    """
    owner, repository, commit, _ = source.path.split("/", 3)
    if any(word in source.licence for word in NOT_FREE):
        raise InputError(f"source '{source.name}': its licence is {source.licence}; not refreshed")
    if not source.url.startswith(f"{GITHUB}{owner}/{repository}/{commit}/"):
        raise InputError(f"source '{source.name}': {source.url} is not on GitHub; not refreshed")
    head = _head(f"{owner}/{repository}", mirror)
    moved = replace(
        source, path=source.path.replace(commit, head, 1), url=source.url.replace(commit, head, 1)
    )
    _copy(moved, mirror, target)
    digest = sha256(target)
    if digest == source.sha256:
        return None
    return replace(moved, sha256=digest, bytes=target.stat().st_size)


def _head(repository: str, mirror: Path | None) -> str:
    """Look up the newest commit of a repository on GitHub."""
    if mirror and (mirror / repository / "HEAD").is_file():
        return (mirror / repository / "HEAD").read_text("utf-8").strip()
    command = ["git", "ls-remote", f"https://github.com/{repository}", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        raise InputError(f"https://github.com/{repository} does not answer") from None
    if done.returncode or not done.stdout:
        reason = (done.stderr.strip() or "it has no commit").splitlines()[-1]
        raise InputError(f"https://github.com/{repository} cannot be read: {reason}")
    return done.stdout.split()[0]


def _download(url: str, target: Path) -> str:
    """Download a file; return its revision, where the server states the revision."""
    with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as reply, target.open("wb") as stream:
        shutil.copyfileobj(reply, stream)
        return str(reply.headers.get(REVISION) or LATEST)


LOCK = schema.table(
    {"path": schema.text(unique=True), "revision": schema.text(), "sha256": schema.text()}
)


def fetch_unpinned(
    targets: Mapping[str, Path], url: str, known: Mapping[Any, Mapping[Any, str]]
) -> pd.DataFrame:
    """Put files where they are wanted; ``path, revision, sha256`` of each for the lock."""
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
        address = f"{url}/{revision}/{path}"
        try:
            answered = _download(address, target)
        except OSError as error:
            raise InputError(f"{address} cannot be read ({error}); this needs a network") from None
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
