"""Memory and growth of the study of one's own predictions, up to ten million answers.

Tables are the synthetic study repeated under new example names. Each stage runs in a process of
its own through its script's `main`; its processor seconds and its largest memory are read when it
ends. Usage: python speed/robustness.py [--rows 1000000 3000000 10000000] [--folder DIR]
Writes speed/results/robustness.json and .md.
"""

import argparse
import importlib.util
import json
import multiprocessing
import os
import resource
import tempfile
from collections.abc import Callable
from multiprocessing.queues import Queue
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import numpy as np
import pandas as pd

from saturation.files import stages
from saturation.files.tables import load_table
from studies.files.stages import Paths
from studies.robustness import names as robustness_names
from studies.robustness import schemas
from validation import synthetic

ROOT = Path(__file__).resolve().parent.parent
Stage = Callable[[Path, Path], None]
Usage = dict[str, float]
Results: TypeAlias = "Queue[Usage]"  # subscriptable for type checkers only
RESOURCES = ROOT / "resources" / "robustness"
KNOWN = RESOURCES / "datasets.csv"
FACTORS = ["paraphrase", "demonstrations", "noise", "temperature"]


def stage(name: str) -> ModuleType:
    """A rule's script as a module."""
    path = ROOT / "workflow" / "scripts" / "robustness" / f"{name}.py"
    specification = importlib.util.spec_from_file_location(f"stage_{name}", path)
    if specification is None or specification.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def write_table(path: Path, rows: int) -> int:
    """A table with about `rows` answers; returns their exact number."""
    generator = np.random.default_rng(1)
    base, _ = synthetic.study(
        load_table(RESOURCES / "performance.csv"),
        robustness_names.levels(load_table(RESOURCES / "design.csv", dtype=str)),
        stages.read(KNOWN, schemas.DATASETS),
        synthetic.TRUTH,
        generator,
    )
    copies = round(rows / len(base))
    table = pd.concat([base.astype(dict.fromkeys(base.columns[:8], "category"))] * copies)
    numbers = np.repeat(np.arange(copies), len(base))
    table["example_id"] = pd.Categorical(
        [f"{copy}_{name}" for copy, name in zip(numbers, table["example_id"])]
    )
    if path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_parquet(path, index=False)
    return len(table)


def predictions(table: Path, folder: Path) -> None:
    """Check, normalise, sort."""
    stage("predictions").main(
        Paths({"predictions": table}),
        _files(folder, predictions="predictions.parquet", missing="missing.csv"),
        factors=FACTORS,
        score_range=(0, 1),
        normaliser="lower_strip",
        strict=True,
    )


def own(_: Path, folder: Path) -> None:
    """All measures of the predictions, their slopes and the tests of the factors."""
    stage("own").main(
        Paths({"predictions": folder / "predictions.parquet", "datasets": KNOWN}),
        _files(
            folder,
            examples="examples.parquet",
            **{name: f"{name}.csv" for name in robustness_names.OWN_TABLES},
        ),
        settings={"factors": FACTORS, "resamples": 1000},
    )


def nothing(_: Path, __: Path) -> None:
    """Start and imports alone, to be read beside the rest."""
    for name in ("predictions", "own"):
        stage(name)


def _files(folder: Path, **names: str) -> Paths:
    return Paths({name: folder / file for name, file in names.items()})


def measured(work: Stage, table: Path, folder: Path) -> Usage:
    """Processor seconds and largest memory (MB) of a function in a new process."""
    context = multiprocessing.get_context("spawn")
    results: Results = context.Queue()
    process = context.Process(target=_child, args=(work.__name__, table, folder, results))
    process.start()
    usage = results.get()
    process.join()
    return usage


def _child(name: str, table: Path, folder: Path, results: Results) -> None:
    globals()[name](table, folder)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # Not ru_maxrss: a process inherits its parent's.
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    megabytes = int(status["VmHWM"].split()[0]) // 1024
    results.put({"cpu_s": round(usage.ru_utime + usage.ru_stime, 1), "mb": megabytes})


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    records = []
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        for rows in options.rows:
            for suffix in (".parquet", ".csv") if rows == max(options.rows) else (".parquet",):
                table = folder / f"synthetic{suffix}"
                n = write_table(table, rows)
                work = [nothing, predictions, own]
                if suffix == ".csv":
                    work = [predictions]
                for function in work:
                    record = {"rows": n, "input": suffix[1:], "stage": function.__name__}
                    record |= measured(function, table, folder)
                    records.append(record)
                    print(record, flush=True)
                table.unlink()
    output = ROOT / "speed" / "results"
    output.mkdir(exist_ok=True)
    (output / "robustness.json").write_text(json.dumps(records, indent=1) + "\n")
    text = pd.DataFrame(records).to_markdown(index=False)
    cores = len(os.sched_getaffinity(0))
    (output / "robustness.md").write_text(f"# Robustness, {cores} cores\n\n{text}\n")


if __name__ == "__main__":
    main()
