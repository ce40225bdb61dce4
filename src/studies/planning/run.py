"""A run's beginning and end: a killed run's lock, what was wrong, what came out.

A run notes its process while it lasts. ``python -m studies.planning.run begin``, which ``make
results`` calls first, unlocks the folder of a run that was killed, once the stages that it started
have ended too: they outlive it, and would write beside the next run. ``end`` says what came out and
what differs from the run before.
"""

import contextlib
import csv
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

from saturation import provenance

NOTE = Path(".snakemake/running.json")
# Seconds by which two readings of a process's start may differ.
CLOCK_STEP = 2.0
# Of every file that an earlier plan has read: its state, and its hash.
HASHES = Path(".snakemake/saturation/hashes.json")
MANIFEST = Path("results/manifest.json")
EARLIER = Path(".snakemake/manifest.json")
# The report's front page, whose first section has the findings, and the ledger's counts.
LANDING = Path("results/dashboard/landing.rst")
CLAIMS = Path("results/ledger/summary.csv")
# What a reader opens first.
OPENED = Path("results/dashboard/index.html")
NAMED = 5
UNVERSIONED = "not known: no repository here, or no git that may read it"
# What results follow from; what a user adds beside it is in the manifest.
CODE = ("Snakefile", "config", "envs", "resources", "src", "workflow")


class Running(NamedTuple):
    """A process that runs the workflow: numbers of processes are used again, so its start too."""

    host: str
    process: int
    group: int
    started: float = 0.0  # Unix seconds; 0 if unknown

    @property
    def lives(self) -> bool:
        """Tell whether this very process is still there."""
        if not _lives(self.process):
            return False
        return not self.started or abs(_started(self.process) - self.started) < CLOCK_STEP


def note(folder: Path) -> None:
    """Write down that this process runs the workflow in a folder."""
    process = os.getpid()
    running = Running(socket.gethostname(), process, os.getpgrp(), _started(process))
    with contextlib.suppress(OSError):
        provenance.write_whole(folder / NOTE, running._asdict())


def _started(process: int) -> float:
    """Return a process's start in Unix seconds; 0 where the system does not report the start."""
    import psutil

    try:
        return float(psutil.Process(process).create_time())
    except psutil.Error:
        return 0.0


def forget(folder: Path) -> None:
    """Remove the note of a run that has ended."""
    (folder / NOTE).unlink(missing_ok=True)


def tokens(dated: Iterable[str], alone: bool) -> dict[str, str]:
    """Return a token of each recorded job, which changes with the files that the job read or wrote.

    `dated`: files by whose date Snakemake judges, as with an object store, where no record is; one
    that changed gets today's. Results of which it has forgotten everything get a date before that
    of every input: it would take them as they are. They are all below ``results`` where the
    workflow is `alone`, else those in a record. While a run is at work, nothing is marked.
    """
    # Also below the prefix of a workflow that takes this one in; a folder with runs is another's.
    below = Path().glob(f"*/{provenance.LOGS}")
    logs = [log for log in below if not (log.parents[1] / ".snakemake").exists()]
    logs.append(Path(provenance.LOGS))
    recorded = [record for log in logs for _, record in provenance.records(log)]
    if "--mode" in sys.argv or _detect_run(Path()):
        return {record.job: record.token for record in recorded}
    if not any([*Path(".snakemake").glob("metadata/*"), *Path(".snakemake").glob("metadata.db")]):
        outputs = {Path(name) for record in recorded for name in record.outputs}
        _date_back(Path("results").rglob("*") if alone else outputs)
    return doubts(logs, dated, HASHES)


def doubts(logs: Iterable[Path], dated: Iterable[str], noted: Path) -> dict[str, str]:
    """Token of every recorded job; those whose files have changed are marked, or no longer so.

    Of `dated` files, those without a record that have changed get today's date. What is missing is
    Snakemake's affair, and an intermediate may be.
    """
    hashes, tokens = provenance.Hashes(noted=noted), {}
    for logs_of in logs:
        for path, record in provenance.records(logs_of):
            differences = {
                name: now for name, now in provenance.changed(record, hashes).items() if now
            }
            state = json.dumps([record.made, differences], sort_keys=True).encode()
            doubt = hashlib.sha256(state).hexdigest()[:16] if differences else ""
            if doubt != record.doubt:
                record = replace(record, doubt=doubt)
                # Where nothing may be written, the next plan finds the same.
                with contextlib.suppress(OSError):
                    provenance.write_whole(path, asdict(record))
            tokens[record.job] = record.token
    # Of those in a record, the content was noted just now; others' files keep their dates.
    for file in filter(hashes.renewed, dated):
        with contextlib.suppress(OSError):
            os.utime(file)
    hashes.keep()
    return tokens


def _date_back(results: Iterable[Path]) -> None:
    """Give results a date before every input's date."""
    for path in results:
        # A link may lead to what is no result, and a file may be another user's.
        with contextlib.suppress(OSError):
            os.utime(path, (1, 1), follow_symlinks=False)


def _detect_run(folder: Path) -> bool:
    """Check whether another noted run lives on this machine."""
    noted = _noted(folder)
    if noted is None or noted.host != socket.gethostname() or noted.process == os.getpid():
        return False
    return noted.lives


def _noted(folder: Path) -> Running | None:
    """Read the note of the run that has not ended."""
    try:
        return Running(**json.loads((folder / NOTE).read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def begin(folder: Path) -> str | None:
    """Unlock a folder whose run was killed; a sentence where another may be at work."""
    noted = _noted(folder)
    if noted is None:
        return None
    host, process, group = noted[:3]
    if host != socket.gethostname():
        return (
            f"a run in {folder} began on the machine {host} and has not ended; if none is at work, "
            "run `snakemake --unlock` and `rm .snakemake/running.json`, and start again"
        )
    if noted.lives:
        return f"another run is at work in {folder} (process {process}); wait for it, or stop it"
    # Of this process's own group something lives for certain; a leader that is younger than the run
    # is another program's, to which the number went.
    is_its_own = not noted.started or _started(group) < noted.started + CLOCK_STEP
    if group != os.getpgrp() and is_its_own and _lives(-group):
        return (
            f"the run in {folder} was killed, and stages that it started are still at work "
            f"(process group {group}); wait for them, or stop them"
        )
    # Where it fails, the run that follows says why.
    unlock = [sys.executable, "-m", "snakemake", "--unlock"]
    subprocess.run(unlock, cwd=folder, capture_output=True)
    forget(folder)
    return None


def _lives(process: int) -> bool:
    """Check whether a process exists, or any of a group if the number is negative."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def failures(folder: Path) -> str:
    """Collect what was wrong: the sentences in the logs of this run's jobs, each once.

    Jobs that need nothing from a failed one go on, so that its message may be far above.
    """
    since = (folder / NOTE).stat().st_mtime
    logs = sorted((folder / "results/logs").rglob("*.log"))
    texts = [log.read_text("utf-8", "replace") for log in logs if log.stat().st_mtime >= since]
    lines = [line for text in texts for line in text.splitlines() if line.startswith("Error: ")]
    return "\n".join(["What was wrong in this run:", *dict.fromkeys(lines)]) if lines else ""


def summary(folder: Path) -> str:
    """Summarise results, changed counts and pages to open, and note them for the next run."""
    outputs = _outputs(folder / MANIFEST)
    if outputs is None:
        return f"done, without {MANIFEST}: only a part of the default run was asked for"
    before = _outputs(folder / EARLIER)
    claims, claimed = _claims(folder / CLAIMS), _claims(folder / EARLIER.with_name("summary.csv"))
    for file in (MANIFEST, CLAIMS):
        if (folder / file).is_file():
            shutil.copyfile(folder / file, folder / EARLIER.with_name(file.name))
    lines = [*_findings(folder / LANDING)]
    lines += [f"{len(outputs)} results in {folder / 'results'}", *_compared(outputs, before)]
    counts = [
        f"{count} {verdict}" + (f" (before: {was})" if was != count else "")
        for verdict, count in claims.items()
        for was in [claimed.get(verdict, count)]
    ]
    lines += [f"claims of the papers: {', '.join(counts)}"] * bool(counts)
    lines += [f"open {OPENED}"] * (folder / OPENED).is_file()
    return "\n".join(lines)


def _findings(landing: Path) -> list[str]:
    """Read the findings of the report's front page as plain text."""
    text = landing.read_text("utf-8") if landing.is_file() else ""
    listed = re.findall(r"(?m)^- .*\n(?:  .*\n)*", text.partition("How to read it\n")[0])
    plain = (re.sub(r"\s*\((?:`[^`]*`__[,\s]*)+\)|\*\*", "", point) for point in listed)
    return [textwrap.fill(" ".join(point.split()), 100, subsequent_indent="  ") for point in plain]


def _claims(summary: Path) -> dict[str, str]:
    """Read the ledger's counts over all papers, by verdict; empty without a ledger."""
    if not summary.is_file():
        return {}
    with summary.open(encoding="utf-8", newline="") as stream:
        *_, counts = csv.DictReader(stream)
    return {name: count for name, count in counts.items() if name not in ("paper", "sense")}


def _outputs(manifest: Path) -> dict[str, str] | None:
    """Hash of each output; None without a manifest that can be read."""
    try:
        return dict(json.loads(manifest.read_text("utf-8"))["outputs"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _compared(outputs: Mapping[str, str], before: Mapping[str, str] | None) -> Iterator[str]:
    if before is None:
        yield "there is no earlier run to compare them with"
        return
    if outputs == before:
        yield "every one is the same as in the last run"
    changed = [path for path in outputs if before.get(path, outputs[path]) != outputs[path]]
    for change, paths in (
        ("differ from the last run", changed),
        ("are new", outputs.keys() - before.keys()),
        ("are no longer made", before.keys() - outputs.keys()),
    ):
        if paths:
            names = f": {', '.join(sorted(paths))}" if len(paths) <= NAMED else ""
            yield f"{len(paths)} {change}{names}"


def commit(folder: Path) -> str:
    """Look up the commit of a project's folder, or report an unknown commit.

    Marked ``-dirty`` where a file that results follow from differs from the commit's, or is not in
    it: a module that is found by itself need not be tracked. A repository further up is another's.
    """
    try:
        version = _git(folder, "describe", "--always", "--abbrev=40")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=all", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return UNVERSIONED
    return f"{version}-dirty" if changed else version


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)},
    )
    return done.stdout.strip()


if __name__ == "__main__":
    if sys.argv[1:] == ["begin"]:
        sys.exit(begin(Path.cwd()))
    sys.stdout.write(summary(Path.cwd()) + "\n")
