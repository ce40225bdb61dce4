"""Record by content what each job read and wrote; the record lies beside the job's log.

A plan reads the records of all earlier jobs, and doubts one whose files are no longer what it says;
``saturation check`` shows the same to a reviewer. Plain Python, since planning imports it.
"""

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

# Of one changed so shortly before it is read, a later change may leave the state as it is.
SETTLED = 10**9
LOGS = "results/logs"
A_DAY = 86_400
# What Snakemake adds to a folder after its job.
DATED = ".snakemake_timestamp"


@dataclass(frozen=True)
class Record:
    """Job with its code, its packages, and the hashes of its input and output files.

    `doubt` stands for what its files have become, if they are not what it says; `made` is the doubt
    that the job itself was made in.
    """

    job: str
    code: str
    packages: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    made: str = ""
    doubt: str = ""

    @property
    def is_whole(self) -> bool:
        """Tell whether each part has its type, as in a file that nobody has damaged."""
        texts = [self.job, self.code, self.packages, self.made, self.doubt]
        for files in (self.inputs, self.outputs):
            if not isinstance(files, dict):
                return False
            texts += [*files, *files.values()]
        return all(isinstance(text, str) for text in texts)

    @property
    def token(self) -> str:
        """Return a text that changes if and only if the job's files do."""
        return self.doubt or self.made


class Hashes:
    """SHA-256 of files below a folder, computed again only for changed files."""

    def __init__(self, folder: Path = Path(), noted: Path | None = None) -> None:
        self._known = {}
        self._found: dict[str, str | None] = {}
        self._folder, self._noted, self._changed = folder, noted, False
        if noted:
            with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
                self._known = {
                    path: (list(state), str(digest))
                    for path, (state, digest) in dict(json.loads(noted.read_text("utf-8"))).items()
                }

    def of(self, path: str | Path) -> str | None:
        """Hash of a file, or of a folder's names and hashes; None of what is not there.

        Each is looked at once: what one job writes, several read.
        """
        name = str(path)
        if name not in self._found:
            self._found[name] = self._look_at(self._folder / path)
        return self._found[name]

    def _look_at(self, path: Path) -> str | None:
        if path.is_dir():
            inside = (file for file in path.rglob("*") if not file.is_dir())
            files = sorted(file for file in inside if file.name != DATED)
            entries = [f"{file.relative_to(path).as_posix()}\0{self.of(file)}\0" for file in files]
            return hashlib.sha256("".join(entries).encode()).hexdigest()
        try:
            state = path.stat()
        except OSError:
            return None
        # Nobody can set the last of them back.
        state_now = [state.st_size, state.st_mtime_ns, state.st_ino, state.st_ctime_ns]
        before, old_digest = self._known.get(str(path), (None, ""))
        if before == state_now:
            return old_digest
        digest, settled = sha256(path), state.st_ctime_ns < time.time_ns() - SETTLED
        self._known[str(path)], self._changed = (state_now if settled else [], digest), True
        return digest

    def renewed(self, path: str | Path) -> bool:
        """Check whether a file's content changed since its last hash."""
        _, digest = self._known.get(str(self._folder / path), ([], None))
        now = self.of(path)
        return None not in (digest, now) and digest != now

    def keep(self) -> None:
        """Note the hashes for the next plan, where anything may be written."""
        if self._noted and self._changed:
            with contextlib.suppress(OSError):
                write_whole(self._noted, self._known)


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def contents(paths: Iterable[str | Path]) -> dict[str, str]:
    """Hash of each file and folder, by its path."""
    hashes = Hashes()
    return {str(path): hashes.of(path) or "" for path in paths}


def write(record: Record, log: Path) -> None:
    """Keep the record of a job that has ended beside its log."""
    write_whole(log.with_suffix(".json"), asdict(record))


def records(folder: Path) -> Iterator[tuple[Path, Record]]:
    """Read every record below a folder of logs; a damaged record is passed over."""
    for path in sorted(folder.rglob("*.json")):
        record = None
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
            record = Record(**json.loads(path.read_text("utf-8")))
        if record and record.is_whole:
            yield path, record


def changed(record: Record, hashes: Hashes) -> dict[str, str | None]:
    """Return the job's files with new content and their hash; None for a missing file."""
    files = {**record.inputs, **record.outputs}
    return {path: now for path, then in files.items() if (now := hashes.of(path)) != then}


def cache_of_code(*texts: Path) -> Path | None:
    """Folder for what is compiled from some files; None where no cache can be written.

    Numba itself looks at the date and size of the file of the called function alone, and freezes
    constants of others. Folders of other texts go when nobody has used them for a day.
    """
    cache = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    home = Path(cache or Path("~/.cache").expanduser())
    code = hashlib.sha256(b"".join(path.read_bytes() for path in texts)).hexdigest()[:16]
    folder = home / "saturation/numba" / code
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for sibling in folder.parent.iterdir():
            if time.time() - sibling.stat().st_mtime > A_DAY:
                shutil.rmtree(sibling, ignore_errors=True)
    except OSError:
        return None
    return folder


def write_whole(path: Path, content: object) -> None:
    """Write a file at once, so that readers never see half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(content, indent=1), "utf-8")
    part.replace(path)
