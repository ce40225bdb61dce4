"""Whether a run still lives, or was killed and left Snakemake's lock behind.

A run notes its process beside the lock. ``make results`` removes the lock of a process that is no
more, once the stages that it started have ended too: they outlive a run that was killed alone, and
would write beside the next one. A lock of another machine, or of nobody known, is left to the user.
"""

import json
import os
import socket
import sys
from pathlib import Path

LOCKS = Path(".snakemake/locks")
NOTE = Path(".snakemake/running.json")
SCRIPTS = Path(".snakemake/scripts")


def note(folder: Path) -> None:
    """Write down that this process runs the workflow in a folder."""
    path = folder / NOTE
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"host": socket.gethostname(), "process": os.getpid()}))


def locked(folder: Path) -> bool:
    """Whether Snakemake's lock is there."""
    return any((folder / LOCKS).glob("*.lock"))


def holder(folder: Path) -> str:
    """Who holds a lock: ``nobody``, ``living``, or ``unknown``, where this machine cannot tell."""
    try:
        noted = json.loads((folder / NOTE).read_text())
        host, process = noted["host"], int(noted["process"])
    except (OSError, ValueError, KeyError, TypeError):
        return "unknown"
    if host != socket.gethostname():
        return "unknown"
    return "living" if _lives(process) else "nobody"


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def left_over(folder: Path) -> list[int]:
    """The processes of stages that are at work in a folder, by the script that each was given."""
    scripts = os.fsencode(folder.resolve() / SCRIPTS) + b"/"
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if any(word.startswith(scripts) for word in words):
            found.append(int(command.parent.name))
    return sorted(found)


def release(folder: Path) -> str | None:
    """Remove the lock of a run that was killed.

    Returns
    -------
    str or None
        A sentence on why the folder stays locked; None where nothing is in the way any more.
    """
    if not locked(folder):
        return None
    match holder(folder):
        case "nobody" if stages := left_over(folder):
            numbers = ", ".join(map(str, stages))
            return (
                f"the run in {folder} was killed, and stages that it started are still at work "
                f"(processes {numbers}); wait for them, or stop them"
            )
        case "nobody":
            for path in (folder / LOCKS).glob("*.lock"):
                path.unlink(missing_ok=True)
            return None
        case "living":
            return f"another run is at work in {folder}; wait for it, or stop it"
    return (
        f"{folder} is locked, and which run did it is not known here (another machine may have "
        "started it); if none is at work, run `snakemake --unlock` and start again"
    )


if __name__ == "__main__":
    sys.exit(release(Path.cwd()))
