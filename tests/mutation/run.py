"""Does a test notice a wrong line? Mutants of the statistics, each run against its module's tests.

    python tests/mutation/run.py                          the whole sample: 200 mutants of WHOLE
    python tests/mutation/run.py plateau/trends --all     every place of one module
    python tests/mutation/run.py index --sample 40 --seed 2

Places are drawn at random (a place is one operator, number or constant of the code), then one
mutation of each by Cosmic Ray's operators. Each runs in a copy of the project, compiled kernels as
plain Python. Survivors are printed with their difference and written to the file given by
--survivors; ``survivors.csv`` beside this file judges those of the last whole sample.
"""

import argparse
import ast
import collections
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec

ROOT = Path(__file__).resolve().parents[2]
# Each module with the tests that are to notice; by default the file that mirrors it.
MODULES: dict[str, list[str]] = {
    "index": ["test_index.py"],
    "plateau/uncertainty": [],
    "plateau/trends": [],
    "plateau/hypotheses": [],
    "statistics/comparisons": [],
    "statistics/paired": [],
    "statistics/standard_errors": [],
    "statistics/intervals": [],
    "statistics/bootstrap": [],
    "statistics/permutation": [],
    "statistics/ranks": [],
    "statistics/shrinkage": [],
    "statistics/top_gap": [],
    "board/entries": [],
    "board/leaders": [],
    "board/ties": ["board/test_leaders.py"],
    "board/top_index": [],
    "board/verdict": [],
    "own/card": [],
    "own/items": [],
    "plateau/controls": [],
    "plateau/dealt": [],
    "plateau/equal_top": [],
    "discriminability/bdi": [],
    "discriminability/windows": [],
    "discriminability/growth": [],
    "discriminability/projection": [],
    "robustness/consistency": [],
    "robustness/anova": [],
    "robustness/slopes": [],
    "multiverse/joint": [],
    "multiverse/tests": [],
    "forecast/backtest": [],
    "forecast/baselines": [],
    "forecast/outlook": [],
    "forecast/peer": [],
    "forecast/records": [],
    "forecast/scoring": [],
    "forecast/shared": [],
    "forecast/stacking": [],
    "forecast/survival": [],
    "forecast/tops": [],
    "regression/validation": [],
    "regression/design": [],
    "adaptive/fit": [],
    "adaptive/coordinates": [],
    "adaptive/blocks": [],
    "adaptive/abilities": ["adaptive/test_abilities.py", "adaptive/test_administration.py"],
}
# A decorator that compiles or declares changes no number; the others are equal in kind to it.
LEFT_OUT = ("core/RemoveDecorator",)
SAMPLE = 200
# What the whole sample is drawn from: what verdicts and intervals rest on.
WHOLE = [
    "index",
    "plateau/uncertainty",
    "plateau/trends",
    "plateau/hypotheses",
    "statistics/comparisons",
    "statistics/paired",
    "statistics/standard_errors",
    "board/entries",
    "board/leaders",
    "board/ties",
    "board/verdict",
    "own/card",
    "discriminability/bdi",
    "discriminability/windows",
    "discriminability/growth",
    "robustness/consistency",
    "multiverse/joint",
    "adaptive/fit",
    "adaptive/abilities",
]
SEED = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=[], metavar="MODULE")
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--all", action="store_true", help="every place, not a sample")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--survivors", type=Path, help="CSV to write the survivors to")
    given = parser.parse_args()
    unknown = set(given.modules) - MODULES.keys()
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(MODULES)}")
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        chosen = sample(copy, given.modules or WHOLE, given)
        report(run(copy, chosen), given.survivors)


def copied(folder: Path) -> Path:
    """The project's code and tests, to be damaged."""
    for part in ("src", "tests", "resources", "workflow", "config", "envs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def sample(copy: Path, modules: list[str], given: argparse.Namespace) -> list[tuple]:
    """Mutations by module: places at random, one mutation each."""
    rng = random.Random(given.seed)
    places = collections.defaultdict(list)
    for module in modules:
        path = copy / "src/saturation" / f"{module}.py"
        skipped = annotations(path)
        for item in _all_work_items([path], {}):
            mutation = item.mutations[0]
            if mutation.operator_name not in LEFT_OUT and not inside(mutation, skipped):
                places[module, mutation.start_pos, mutation.end_pos].append(mutation)
    picked = (
        sorted(places) if given.all else rng.sample(sorted(places), min(given.sample, len(places)))
    )
    return [(place[0], rng.choice(places[place])) for place in sorted(picked)]


def annotations(path: Path) -> list[tuple]:
    """Where annotations stand, which the interpreter does not use: (line, column) from and to."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    noted = (getattr(node, name, None) for node in nodes for name in ("annotation", "returns"))
    return [
        ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        for node in noted
        if node is not None
    ]


def inside(mutation: MutationSpec, skipped: list[tuple]) -> bool:
    return any(start <= mutation.start_pos and mutation.end_pos <= end for start, end in skipped)


def tests_of(module: str) -> list[str]:
    folder, _, name = module.rpartition("/")
    files = MODULES[module] or [f"{folder}/test_{name}.py"]
    return [f"tests/unit/{file}" for file in files]


def run(copy: Path, chosen: list[tuple]) -> list[tuple]:
    """Outcome of every mutation, as (module, mutation, killed, difference)."""
    os.chdir(copy)
    # What the mutants' interpreters inherit.
    os.environ.update(
        PYTHONPATH=str(copy / "src"),
        NUMBA_DISABLE_JIT="1",
        PYTHONDONTWRITEBYTECODE="1",
        OMP_NUM_THREADS="1",
        OPENBLAS_NUM_THREADS="1",
    )
    done, limits = [], {}
    for count, (module, mutation) in enumerate(chosen, start=1):
        command = (
            f"{sys.executable} -m pytest -x -q -p no:cacheprovider -m 'not heavy' "
            + " ".join(tests_of(module))
        )
        if module not in limits:
            started = time.monotonic()
            subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
            limits[module] = 10 + 5 * (time.monotonic() - started)
        result = mutate_and_test([mutation], command, limits[module])
        killed = str(result.test_outcome.value) != "survived" if result.test_outcome else True
        done.append((module, mutation, killed, result.diff or ""))
        word = "killed" if killed else "SURVIVED"
        print(f"{count}/{len(chosen)} {module}:{mutation.start_pos[0]} "
              f"{mutation.operator_name.removeprefix('core/')} {word}", flush=True)  # fmt: skip
    return done


def report(done: list[tuple], path: Path | None) -> None:
    """The share that was killed, by module and in all, and the survivors."""
    counts = collections.Counter(row[0] for row in done)
    killed = collections.Counter(row[0] for row in done if row[2])
    survivors = [
        [
            module,
            mutation.start_pos[0],
            mutation.operator_name.removeprefix("core/"),
            *lines(diff),
            "",
        ]
        for module, mutation, dead, diff in done
        if not dead
    ]
    for module, line, operator, before, after, _ in survivors:
        print(f"\n{module}:{line} {operator}\n- {before}\n+ {after}")
    for module, count in counts.items():
        print(f"{module}: {killed[module]} of {count} killed")
    print(
        f"all: {killed.total()} of {counts.total()} killed ({killed.total() / counts.total():.1%})"
    )
    if path is not None:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["module", "line", "operator", "before", "after", "judgement"])
            writer.writerows(survivors)


def lines(difference: str) -> list[str]:
    """The first line that a mutation takes away, and the first that it puts there."""
    changed = [line for line in difference.splitlines() if line[:3] not in ("---", "+++")]
    return [
        next((line[1:].strip() for line in changed if line.startswith(sign)), "") for sign in "-+"
    ]


if __name__ == "__main__":
    main()
