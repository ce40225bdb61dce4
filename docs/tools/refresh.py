"""Fetch the newest version of every source that the status reads, and say whose status changed.

`make refresh`. What changed is pinned by hash in resources/sources.csv, the embedded tables are
made again, `forecast.as_of` in the config becomes today, and the status is judged again. Everything
that it writes lies in the repository, so that `git diff` shows it and `git checkout .` undoes it.
"""

import argparse
import datetime
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import fill_gaps, load_table, records, write_csv
from saturation.leaderboard.names import EXHAUSTED
from saturation.status.names import STALE, SUPERSEDED
from studies.boards import names as boards
from studies.files import sources
from studies.files.sources import REGISTRY, Source
from studies.forecast import names as forecast
from studies.status.sources import REPORTS
from studies.status.study import SAID

ROOT = Path(__file__).resolve().parents[2]
PINNED = ROOT / "resources" / "sources.csv"
CONFIG = ROOT / "config" / "config.yaml"
SAID_FILE = ROOT / "resources" / "status" / "said.csv"
STATUS = ROOT / "results" / "status" / "status.csv"
# Studies whose embedded tables are made again: their sources, and the tables.
REMADE = {
    "forecast": (forecast.SOURCES, ("series.csv", "scores.csv", "excluded.csv")),
    "boards": (
        {Path(file).stem for file in (*boards.SOURCES, boards.DATES)},
        ("evaluations.csv", "responses"),
    ),
    "status": ((REPORTS,), ("reported.csv",)),
}
# Statuses that one refresh settles: the first holds its error, the others rest on no score.
SURE = (EXHAUSTED, STALE, SUPERSEDED)


def settled(said: pd.DataFrame, status: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the statuses after a refresh, and a line on each benchmark whose status changed.

    A change to a status that is not in `SURE` is reported when it has held for two refreshes, so
    that a score at the threshold does not turn a status to and fro. A benchmark without scores any
    more keeps its status.
    """
    known = {row["benchmark"]: fill_gaps(row) for row in records(said)}
    lines = []
    for row in map(fill_gaps, records(status)):
        name, now = row["benchmark"], row["status"]
        old = known.get(name)
        if old and old["status"] == now:
            known[name] = old | {"seen": None}
        elif old and old["seen"] != now and now not in SURE:
            known[name] = old | {"seen": now}
        else:
            before = old["status"] if old else None
            known[name] = {"benchmark": name, "status": now, "since": row["as_of"]}
            known[name] |= {"before": before, "seen": None}
            change = f"{before} -> {now}" if before else f"new: {now}"
            lines.append(f"{name}: {change} ({row['why']}; newest score {row['date']})")
    return pd.DataFrame(list(known.values()), columns=list(SAID.columns)), lines


def newer(
    wanted: Iterable[Source], mirror: Path | None, folder: Path
) -> tuple[list[Source], list[str]]:
    """The sources that have a newer version, pinned to it; and why others could not be asked."""
    found, refused = [], []
    for source in wanted:
        try:
            new = sources.newest(source, mirror, folder / source.name)
        except InputError as error:
            refused += error.violations
            continue
        if new:
            found.append(new)
    return found, refused


def differences(before: pd.DataFrame, now: pd.DataFrame) -> Iterator[str]:
    """A line on each benchmark whose dated scores are others than before."""
    keys = ["benchmark", "protocol", "model", "date", "score"]
    old, new = (table[keys].fillna("").value_counts() for table in (before, now))
    change = new.sub(old, fill_value=0)
    for name, own in change[change != 0].groupby("benchmark"):
        yield f"{name}: {own[own > 0].sum():.0f} scores new, {own[own < 0].abs().sum():.0f} gone"


def scores(folder: Path) -> pd.DataFrame:
    """The dated scores of a folder, with the benchmark and protocol of their series."""
    return load_table(folder / "scores.csv").merge(load_table(folder / "series.csv"), on="series")


def main() -> int:
    """Refresh; 1 where nothing could be asked."""
    parser = argparse.ArgumentParser(description="Newest sources, and whose status changed.")
    parser.add_argument("--mirror", type=Path, help="local copies, with OWNER/REPOSITORY/HEAD")
    parser.add_argument("--day", default=f"{datetime.date.today()}", help="that scores are of")
    options = parser.parse_args()
    registry = sources.registry(stages.read(PINNED, REGISTRY))
    wanted = {name: study for study, (names, _) in REMADE.items() for name in sorted(names)}
    fresh = ROOT / ".cache" / "refresh"
    found, refused = newer((registry[name] for name in wanted), options.mirror, fresh)
    for sentence in dict.fromkeys(refused):
        print(sentence)
    if len(refused) == len(wanted):
        print("No source could be asked: is there a network? Nothing has changed.")
        return 1
    for source in found:
        old = registry[source.name]
        print(f"{source.name}: new version, {old.bytes} -> {source.bytes} bytes")
    if found:
        before = scores(ROOT / "resources" / "forecast")
        pin(registry | {source.name: source for source in found}, options.day)
        for study in dict.fromkeys(wanted[source.name] for source in found):
            remake(study, fresh, found)
        print("\n".join(differences(before, scores(ROOT / "resources" / "forecast"))))
    else:
        print("No source has changed.")
    run(str(STATUS.relative_to(ROOT)))
    for line in say():
        print(line)
    # The table says what this refresh changed.
    run(str(STATUS.relative_to(ROOT)))
    return 0


def say() -> Iterator[str]:
    """Keep the status of each benchmark; lines on what changed, and on what may have."""
    first = not SAID_FILE.is_file()
    said = pd.DataFrame(columns=list(SAID.columns)) if first else stages.read(SAID_FILE, SAID)
    now, lines = settled(said, load_table(STATUS))
    write_csv(now, SAID_FILE)
    yield from ["Every status is noted for the next time."] if first else lines
    for row in records(now[now["seen"].notna()]):
        yield f"{row['benchmark']}: {row['status']}, perhaps {row['seen']}: next time decides"
    if not first and not lines:
        yield "No status has changed."


def pin(registry: Mapping[str, Source], day: str) -> None:
    """Write down the new versions, and the day from which forecasts start."""
    write_csv(pd.DataFrame([vars(source) for source in registry.values()]), PINNED)
    text = CONFIG.read_text("utf-8")
    CONFIG.write_text(re.sub(r'(\n  as_of: )"[\d-]+"', rf'\1"{day}"', text, count=1), "utf-8")


def remake(study: str, fresh: Path, found: Iterable[Source]) -> None:
    """Make a study's embedded tables from the new versions."""
    for source in found:
        target = ROOT / "results" / "sources" / (source.name + Path(source.path).suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fresh / source.name, target)
    made = ROOT / "results" / study / "sources"
    run(*(str((made / name).relative_to(ROOT)) for name in REMADE[study][1] if "." in name))
    for name in REMADE[study][1]:
        kept = ROOT / "resources" / study / name
        if (made / name).is_dir():
            shutil.copytree(made / name, kept, dirs_exist_ok=True)
        else:
            shutil.copyfile(made / name, kept)


def run(*targets: str) -> None:
    """Make files with Snakemake; what it says goes to the error stream."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *targets, "--quiet", "all"]
    if subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode:
        raise SystemExit(
            "The new versions cannot be used, see above; `git checkout .` undoes them."
        )


if __name__ == "__main__":
    sys.exit(main())
