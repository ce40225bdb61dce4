"""Between two stages: the files that a job is given, its log, and tables read by their schema."""

import contextlib
import errno
import functools
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from saturation import provenance
from saturation.errors import InputError, collect
from saturation.files.schema import Schema
from saturation.files.stages import read as read
from saturation.files.tables import prepare_folder

_LOG = logging.getLogger(__name__)


# What a job depends on and no script reads: its code, settings that it has once more with their
# names, and files that importers look for.
NOT_READ = ("code", "by_name", "beside")


class Paths(Mapping[str, Path]):
    """The files of a job by the names that its rule gives them."""

    def __init__(self, named: Mapping[str, Any]) -> None:
        self._named = {
            name: [Path(paths)] if isinstance(paths, str | Path) else list(map(Path, paths))
            for name, paths in named.items()
        }

    def __getitem__(self, name: str) -> Path:
        """Return the only file of this name."""
        paths = self._named[name]
        if len(paths) != 1:
            raise KeyError(f"{name}: {len(paths)} files have this name, not one; use each()")
        return paths[0]

    def each(self, name: str) -> list[Path]:
        """All files of this name, in the rule's order."""
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)


def run(main: Callable[..., None], script: Mapping[str, Any]) -> None:
    """Call a script's `main` with what its rule declares, its log open; the foot of every script.

    What it read and wrote is recorded beside its log.

    Outside a job, where a test imports the script, nothing happens.
    """
    if job := script.get("snakemake"):
        # Now, since a file may change while the job runs.
        contents = provenance.contents(job.input)
        with logged(job.log[0]):
            main(
                Paths(_paths_by_name(job.input)),
                Paths(_paths_by_name(job.output)),
                **{**dict(job.wildcards.items()), **_select_read(job.params)},
            )
        outputs = provenance.contents(job.output)
        record = provenance.Record(**job.params["code"], inputs=contents, outputs=outputs)
        provenance.write(record, Path(job.log[0]))


def _paths_by_name(files: Any) -> dict[str, Any]:
    """Files by name, those that are not read left out; files without a name as ``files``."""
    return _select_read(files) or {"files": list(files)}


def _select_read(items: Any) -> dict[str, Any]:
    """Select the items that have a name, which the script reads."""
    return {name: item for name, item in items.items() if name not in NOT_READ}


def load_several(paths: Sequence[Path], schema: Schema) -> list[pd.DataFrame]:
    """Read several tables of a single schema."""
    return collect(functools.partial(read, path, schema) for path in paths)


# What the operating system says when a result cannot be kept.
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def logged(path: str | Path) -> Iterator[None]:
    """Send what a job prints, warns and raises to its log."""
    with (
        prepare_folder(path).open("w", encoding="utf-8") as log,
        _forward_records(log),
        contextlib.redirect_stdout(log),
        contextlib.redirect_stderr(log),
    ):
        try:
            yield
            _LOG.info("done in %.1f s of processor time", time.process_time())
        except InputError as error:
            log.writelines(f"Error: {line}\n" for line in error.violations)
            raise SystemExit(1) from None
        except OSError as error:
            if error.errno not in _NO_SPACE:
                traceback.print_exc(file=log)
                raise
            log.write(f"Error: {error.strerror}: the results cannot be written. ")
            log.write("Free some space and run again; what was half written is deleted\n")
            raise SystemExit(1) from None
        except BaseException:
            traceback.print_exc(file=log)
            raise


@contextlib.contextmanager
def _forward_records(stream: TextIO) -> Iterator[None]:
    """For a while, records from INFO up go to a stream."""
    log, handler = logging.getLogger(), logging.StreamHandler(stream)
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
