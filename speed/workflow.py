"""What the workflow adds to its stages' own time, on two cores.

run: wall time of the whole default run over half its processor time. second: a run that has nothing
to do over the dry run of an empty workflow.
multiverse: parallel efficiency of the full multiverse's chunks from one core to two.
paired: the targets that an earlier commit has too, alternated with its own, each from a clone with
cold caches, --pairs times. whole: the whole default run likewise. Both only when asked for.
Runs in a copy of the project. Usage: python speed/workflow.py
[--parts run second multiverse paired whole] [--specifications 2000] [--folder DIR]
[--earlier COMMIT] [--pairs 3]; `second` needs `run` before it, here or in the folder given.
Writes speed/results/workflow.json and .md.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("Snakefile", "config", "envs", "profiles", "resources", "src", "workflow")
REPEATS = 5
CHUNKS = 4
PARTS = ["run", "second", "multiverse", "paired", "whole"]
ASKED_FOR = ("paired", "whole")
# What is compared with, and the targets that it and today's workflow both have.
EARLIER = "fa9e48d"
SHARED = ("plateau", "discriminability", "robustness", "regression", "multiverse_reduced")
OUTPUT = ROOT / "speed/results/workflow.json"
PERMUTATIONS = 999


def copied(folder: Path) -> Path:
    """The project in a folder of its own, without results."""
    for part in COPIED:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / part, folder / part)
    return folder


def seconds(folder: Path, *arguments: str | Path) -> float:
    """Wall time of Snakemake in the folder."""
    return costs(folder, *arguments)[0]


def costs(folder: Path, *arguments: str | Path) -> tuple[float, float]:
    """Wall and processor time of Snakemake in the folder, its jobs included."""
    # Last, because --quiet takes every word up to the next option.
    command = [sys.executable, "-m", "snakemake", *map(str, arguments), "--quiet", "all"]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(folder: Path) -> list[dict[str, object]]:
    """The default run: wall time over half its processor time, that is over two busy cores."""
    wall, cpu = costs(folder, "--cores", "2")
    return [
        {
            "part": "run",
            "what": "default run over half its processor time",
            "seconds": wall,
            "against": cpu / 2,
            "ratio": wall / (cpu / 2),
            "target": "at most 1.3",
        }
    ]


def second(folder: Path) -> list[dict[str, object]]:
    """Nothing to do, against an empty workflow; alternating, the best of each."""
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    (empty / "Snakefile").write_text("rule all:\n    input: []\n")
    pairs = [(seconds(folder, "--cores", "2"), seconds(empty, "--dry-run")) for _ in range(REPEATS)]
    ours, theirs = map(min, zip(*pairs))
    return [
        {
            "part": "second",
            "what": "nothing to do over an empty workflow's dry run",
            "seconds": ours,
            "against": theirs,
            "ratio": ours / theirs,
            "target": "at most 1.5",
        }
    ]


def multiverse(folder: Path, specifications: int) -> list[dict[str, object]]:
    """The chunks of the full multiverse on one core and on two, Snakemake's own time included."""
    settings = {
        "specifications": specifications, "permutations": PERMUTATIONS, "chunks": CHUNKS,
    }  # fmt: skip
    config = folder / "speed.yaml"
    config.write_text(yaml.safe_dump({"multiverse": {"full": settings}}))
    seconds(folder, "results/multiverse/full/joint.csv", "--cores", "2", "--configfile", config)
    taken = {}
    for cores in (1, 2):
        shutil.rmtree(folder / "results/multiverse/full/evaluation", ignore_errors=True)
        chunks = [
            f"results/multiverse/full/evaluation/{chunk + 1}-of-{CHUNKS}.csv"
            for chunk in range(CHUNKS)
        ]
        taken[cores] = seconds(
            folder, *chunks, "--cores", str(cores), "--configfile", config, "--notemp"
        )
    return [
        {
            "part": "multiverse",
            "what": f"efficiency from 1 to 2 cores, {specifications} specifications a conclusion",
            "seconds": taken[1],
            "against": 2 * taken[2],
            "ratio": taken[1] / (2 * taken[2]),
            "target": "at least 0.9",
        }
    ]


def paired(
    part: str, targets: Sequence[str], folder: Path, earlier: str, pairs: int
) -> list[dict[str, object]]:
    """The same targets of two commits in turn; wall and processor time of the median pair."""
    wall, cpu = [], []
    for number in range(pairs):
        taken = []
        for commit in (earlier, "HEAD"):
            copy = folder / f"{commit}-{number}"
            shutil.rmtree(copy, ignore_errors=True)
            subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
            subprocess.run(["git", "checkout", "--quiet", _hash(commit)], cwd=copy, check=True)
            taken.append(costs(copy, *targets, "--cores", "2"))
            shutil.rmtree(copy)
        (then, then_cpu), (now, now_cpu) = taken
        wall.append((now / then, now, then))
        cpu.append((now_cpu / then_cpu, now_cpu, then_cpu))
    rows: list[dict[str, object]] = []
    for what, measured in (("wall time", wall), ("processor time", cpu)):
        ratio, now, then = sorted(measured)[pairs // 2]
        rows.append(
            {
                "part": part,
                "what": f"{what} of {', '.join(targets) or 'the whole default run'} over that of "
                f"{earlier}, {pairs} pairs",
                "seconds": now,
                "against": then,
                "ratio": ratio,
                "target": "at most 0.6" if targets else "at most 1",
            }
        )
    return rows


def _hash(commit: str) -> str:
    """The commit of the project itself, since a clone's HEAD may be another branch's."""
    done = subprocess.run(
        ["git", "rev-parse", commit], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def main() -> None:
    """Measure and write; parts measured before stay."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=PARTS,
        default=[part for part in PARTS if part not in ASKED_FOR],
    )
    parser.add_argument("--specifications", type=int, default=2000)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--earlier", default=EARLIER)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = copied(options.folder or Path(scratch))
        if "run" in options.parts:
            record("run", run(folder))
        if "second" in options.parts:
            record("second", second(folder))
        if "multiverse" in options.parts:
            record("multiverse", multiverse(folder, options.specifications))
        if "paired" in options.parts:
            record("paired", paired("paired", SHARED, folder, options.earlier, options.pairs))
        if "whole" in options.parts:
            record("whole", paired("whole", (), folder, options.earlier, options.pairs))


def record(part: str, measured: list[dict[str, object]]) -> None:
    """Put a part's rows in the place of its earlier ones."""
    earlier = json.loads(OUTPUT.read_text()) if OUTPUT.exists() else []
    records = [row for row in earlier if row["part"] != part]
    records = sorted(records + measured, key=lambda row: PARTS.index(row["part"]))
    OUTPUT.write_text(json.dumps(records, indent=1) + "\n")
    text = pd.DataFrame(records).round(2).drop(columns="part").to_markdown(index=False)
    cores = len(os.sched_getaffinity(0))
    OUTPUT.with_suffix(".md").write_text(f"# The workflow, {cores} cores\n\n{text}\n")
    print(text, flush=True)


if __name__ == "__main__":
    main()
