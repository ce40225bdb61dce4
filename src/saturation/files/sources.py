"""Registry of pinned public data: taken from a mirror or downloaded, used only if the hash fits."""

import shutil
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files import columns
from saturation.files.manifest import sha256
from saturation.files.tables import records

TIMEOUT_SECONDS = 60

# Of resources/sources.csv.
REGISTRY = columns.table(
    {
        "name": columns.text(unique=True),
        "path": columns.text(),
        "sha256": columns.text(),
        "bytes": columns.whole(),
        "licence": columns.text(),
        "url": columns.text(),
        "what": columns.text(),
    }
)


@dataclass(frozen=True)
class Source:
    """One pinned file: where it lies in a mirror, where on the web, and its sha256."""

    name: str
    path: str
    sha256: str
    bytes: int
    licence: str
    url: str
    what: str


def registry(table: pd.DataFrame) -> dict[str, Source]:
    """Sources by name, from the table ``resources/sources.csv``."""
    return {row["name"]: Source(**row) for row in records(table)}


def named(registry: Mapping[str, Source], name: str, file: str) -> Source:
    """The source of a name.

    Parameters
    ----------
    registry
        Sources by name.
    name
        The source that is asked for.
    file
        Where the registry was read from.

    Raises
    ------
    InputError
        With the names that there are.
    """
    if name not in registry:
        raise InputError(f"{file}: no source '{name}'; known: {', '.join(registry)}")
    return registry[name]


def require_suffix(source: Source, suffix: str) -> None:
    """Raise unless the source has the suffix under which it is asked for.

    Parameters
    ----------
    source
        What is asked for.
    suffix
        Without its dot.

    Raises
    ------
    InputError
        With the right suffix.
    """
    right = Path(source.path).suffix.removeprefix(".")
    if suffix != right:
        raise InputError(f"source '{source.name}' is a file of the kind .{right}, not .{suffix}")


def check(path: Path, source: Source) -> None:
    """Raise unless the file is the pinned one.

    Parameters
    ----------
    path
        The copy.
    source
        What it should be.

    Raises
    ------
    InputError
        Naming the file and both hashes.
    """
    actual = sha256(path)
    if actual != source.sha256:
        raise InputError(
            f"{path}: sha256 is {actual}, but source '{source.name}' is pinned to {source.sha256}; "
            "the copy is damaged or another version: replace it, or delete it to have it fetched"
        )


def fetch(source: Source, mirror: Path | None, target: Path) -> None:
    """Put the source at `target`: from the mirror if it holds a copy, else from its URL.

    The hash is checked before the file appears at `target`.

    Parameters
    ----------
    source
        What is wanted.
    mirror
        Folder with copies, laid out as the registry says; None for none.
    target
        Where it is put.

    Raises
    ------
    InputError
        If the copy's hash does not fit, or the source can be had from neither place.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    copy = mirror / source.path if mirror is not None else None
    try:
        if copy is not None and copy.is_file():
            check(copy, source)
            shutil.copyfile(copy, partial)
        else:
            _download(source, mirror, partial)
        check(partial, source)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _download(source: Source, mirror: Path | None, target: Path) -> None:
    try:
        with (
            urllib.request.urlopen(source.url, timeout=TIMEOUT_SECONDS) as reply,
            target.open("wb") as stream,
        ):
            shutil.copyfileobj(reply, stream)
    except (urllib.error.URLError, OSError) as error:
        place = f"no copy in the mirror {mirror}" if mirror else "no mirror is configured"
        raise InputError(
            f"source '{source.name}': {place}, and its URL {source.url} cannot be read ({error}); "
            "set sources.mirror in the config to a folder that holds the file"
        ) from None
