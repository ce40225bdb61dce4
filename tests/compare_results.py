"""Do two runs give the same results? For changes that are to change little, or nothing.

    python tests/compare_results.py BEFORE/results AFTER/results [--moved OLD=NEW ...]

Compares every file byte for byte, logs, measured times and the run's origin left out; a path of the
earlier run is looked for under its new name if it starts with OLD. Prints what differs, is missing
or is new, and exits with 1 if a file differs or is missing.

With --numbers, for runs on different processors: words and other discrete choices have to be equal,
numbers to 1e-8; of results that are sampled, the verdicts of the ledger alone. What is drawn from
tables (figures) is not compared, nor are hashes.
"""

import argparse
import csv
import filecmp
import re
from pathlib import Path

# Logs, measured times, and what names the commit and the machine of a run.
LEFT_OUT = {"logs", "costs", "benchmarks", "origin.json", "landing.rst", ".gitkeep"}


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
CLOSE = 1e-8
# Draws by a sampler, and what quotes them.
SAMPLED = (
    "regression/",
    "ledger/",
    "dashboard/",
)
DRAWN = ("figures/", "manifest.json")


def apart(before: Path, after: Path) -> float:
    """Largest difference of two texts' numbers, relative above 1; infinite if words differ."""
    try:
        texts = [path.read_text("utf-8") for path in (before, after)]
    except UnicodeDecodeError:
        return float("inf")
    words, others = (NUMBER.split(text) for text in texts)
    if words != others:
        return float("inf")
    pairs = zip(*([float(found) for found in NUMBER.findall(text)] for text in texts), strict=True)
    return max((abs(x - y) / max(1.0, abs(x)) for x, y in pairs), default=0.0)


def verdicts(results: Path) -> list[tuple[str, str]]:
    if not (results / "ledger/ledger.csv").exists():
        return []
    with (results / "ledger/ledger.csv").open(encoding="utf-8", newline="") as stream:
        return [(row["claim_id"], row["verdict"]) for row in csv.DictReader(stream)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--moved", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("--only", default="", metavar="PREFIX", help="compare only these paths")
    parser.add_argument("--numbers", action="store_true", help="for runs on different processors")
    given = parser.parse_args()
    moves = dict(move.split("=", 1) for move in given.moved)
    before = {renamed(name, moves): name for name in listed(given.before)}
    before = {new: old for new, old in before.items() if new.startswith(given.only)}
    after = {name for name in listed(given.after) if name.startswith(given.only)}
    both = sorted(before.keys() & after)
    differing = [
        name
        for name in both
        if not filecmp.cmp(given.before / before[name], given.after / name, shallow=False)
    ]
    if given.numbers:
        found = {
            name: apart(given.before / before[name], given.after / name)
            for name in differing
            if not name.startswith(DRAWN)
        }
        for name in sorted(found, key=found.__getitem__):
            print(f"{found[name]:.1e} {'sampled ' * name.startswith(SAMPLED)}{name}")
        differing = [
            name for name, by in found.items() if by > CLOSE and not name.startswith(SAMPLED)
        ]
        if verdicts(given.before) != verdicts(given.after):
            differing.append("a verdict of ledger/ledger.csv")
    missing, new = sorted(before.keys() - after), sorted(after - before.keys())
    for word, names in (("differs", differing), ("missing", missing), ("new", new)):
        print(*(f"{word}: {name}" for name in names), sep="\n", end="\n" if names else "")
    moved = sum(before[name] != name for name in both)
    print(
        f"{len(both) - len(differing)} of {len(before)} files have the same bytes ({moved} moved); "
        f"{len(differing)} differ, {len(missing)} are missing, {len(new)} are new"
    )
    return int(bool(differing or missing))


def listed(results: Path) -> list[str]:
    paths = (path.relative_to(results) for path in results.rglob("*") if path.is_file())
    return [path.as_posix() for path in paths if not LEFT_OUT & set(path.parts)]


def renamed(name: str, moves: dict[str, str]) -> str:
    """The name of a file today: the longest prefix that moved is replaced."""
    old = max((old for old in moves if name.startswith(old)), key=len, default=None)
    return name if old is None else moves[old] + name.removeprefix(old)


if __name__ == "__main__":
    raise SystemExit(main())
