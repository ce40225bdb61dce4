"""What is said when a run ends: what came out, what differs, what to open; or what was wrong.

After ``make results``, compares the run's manifest with that of the run before, of which it keeps a
copy. After a run that failed, gathers what every failed job wrote to its log.
"""

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

MANIFEST = Path("results/manifest.json")
EARLIER = Path(".snakemake/manifest.json")
# What a reader opens first, where it was made, and what it is.
OPENED = {
    "results/dashboard/index.html": "all benchmarks on one page",
    "results/ledger/ledger.html": "the papers' claims beside what is computed here",
    "results/plateau/index.html": "the saturation index",
    "results/own/cards.html": "your own benchmarks",
}
NAMED = 5
# A job that failed, as Snakemake's own log has it, with the log that it wrote itself.
_FAILED = re.compile(r"^Error in rule \w+:\n(?:    .*\n)*?    log: ([^\n(]+)", re.MULTILINE)
_SENTENCE = "Error: "


def summary(folder: Path) -> str:
    """The text, some lines; the manifest becomes the one that the next run is compared with."""
    made = _outputs(folder / MANIFEST)
    if made is None:
        return f"done, without {MANIFEST}: only a part of the default run was asked for"
    before = _outputs(folder / EARLIER)
    shutil.copyfile(folder / MANIFEST, folder / EARLIER)
    counts = Counter(_study(path) for path in made)
    parts = ", ".join(f"{study} {count}" for study, count in sorted(counts.items()))
    lines = [f"{len(made)} results in {folder / 'results'} ({parts})", *_compared(made, before)]
    lines += [f"open {path}: {what}" for path, what in OPENED.items() if (folder / path).is_file()]
    return "\n".join(lines)


def failures(logs: Iterable[str | Path], folder: Path) -> str:
    """What was wrong, job after job: the sentences that stand in the failed jobs' logs.

    Jobs that need nothing from a failed one go on, so that its message may be far above.

    Returns
    -------
    str
        Empty where no job said what was wrong.
    """
    said: dict[str, None] = {}
    texts = (Path(log).read_text(encoding="utf-8", errors="replace") for log in logs)
    for found in (found for text in texts for found in _FAILED.finditer(text)):
        path = folder / found[1].strip()
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        said |= dict.fromkeys(line for line in lines if line.startswith(_SENTENCE))
    return "\n".join(["What was wrong in this run:", *said]) if said else ""


def _outputs(manifest: Path) -> Mapping[str, str] | None:
    """Hash of each output; None without a manifest that can be read."""
    try:
        outputs: Mapping[str, str] = json.loads(manifest.read_text(encoding="utf-8"))["outputs"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return outputs


def _compared(made: Mapping[str, str], before: Mapping[str, str] | None) -> Iterator[str]:
    if before is None:
        yield "there is no earlier run to compare them with"
        return
    changed = [path for path in made if path in before and before[path] != made[path]]
    groups = (
        ("differ from the last run", changed),
        ("are new", [path for path in made if path not in before]),
        ("are no longer made", [path for path in before if path not in made]),
    )
    if not any(paths for _, paths in groups):
        yield "every one is the same as in the last run"
    for what, paths in groups:
        if paths:
            yield f"{len(paths)} {what}: {_named(paths)}"


def _named(paths: Iterable[str]) -> str:
    listed = sorted(paths)
    more = f" and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
    return ", ".join(listed[:NAMED]) + more


def _study(path: str) -> str:
    parts = Path(path).parts
    return parts[2] if parts[1:2] == ("figures",) else parts[1]


if __name__ == "__main__":
    sys.stdout.write(summary(Path.cwd()) + "\n")
