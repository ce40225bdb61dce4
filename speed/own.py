"""Cost of reading a user's files and of their cards, beside plain pandas reads of the same files.

Run it alone on the machine: ``python speed/own.py``. Writes speed/results/own.json. With the option
``--weights`` it measures what a megabyte of each kind of file costs a card instead, on which memory
and time of the rules rest, and writes speed/results/weights.json.
"""

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.own.cards import PAGES, make
from saturation.own.imports import join_tables, load
from saturation.own.study import shipped_context
from studies.planning import jobs

ROOT = Path(__file__).resolve().parent.parent
MODELS, ITEMS = 300, 15_000
BOARD = 2_000
BENCHMARKS, OF_EACH = 500, 20
ACCURACY = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-01"}


def responses(path: Path) -> None:
    """A table of one response a row, of 300 models to 15,000 items, as a two-parameter model says.

    Abilities and difficulties are standard normal, slopes log-normal.
    """
    rng = np.random.default_rng(0)
    ability = rng.normal(size=(MODELS, 1))
    slope, difficulty = rng.lognormal(0, 0.4, ITEMS), rng.normal(size=ITEMS)
    chance = 1 / (1 + np.exp(-slope * (ability - difficulty)))
    _write(path, rng.random(chance.shape) < chance)


def coins(path: Path) -> None:
    """The same table of coin flips: the item model looks longest for an ability."""
    _write(path, np.random.default_rng(0).integers(0, 2, (MODELS, ITEMS)) == 1)


def _write(path: Path, right: np.ndarray) -> None:
    items = [f"question-{item:05d}" for item in range(ITEMS)]
    with path.open("w") as stream:
        stream.write("model,item,response\n")
        for model, answers in enumerate(right.astype(int)):
            stream.writelines(
                f"model-{model:03d},{item},{value}\n" for item, value in zip(items, answers)
            )


def wide(path: Path, models: int, items: int) -> None:
    """A matrix of coin flips, of which a cell takes two bytes; packed if the name ends so."""
    right = np.random.default_rng(0).integers(0, 2, (models, items))
    frame = pd.DataFrame(right, columns=[f"q{item}" for item in range(items)])
    frame.insert(0, "model", [f"m{model}" for model in range(models)])
    frame.to_csv(path, index=False)


def parquet(path: Path, models: int, items: int) -> None:
    """The same, one response a row, as a Parquet file."""
    cells = np.arange(models * items)
    names = {"model": "m" + pd.Series(cells // items).astype(str), "item": cells % items}
    right = np.random.default_rng(0).integers(0, 2, len(cells))
    pd.DataFrame({**names, "response": right}).astype({"item": str}).to_parquet(path)


def scored(path: Path, models: int, _items: int) -> None:
    """A leaderboard of so many models."""
    leaderboard(path, models)


# What makes a file, how it ends, and its models and items; up to what one board or matrix may be.
WEIGHED: tuple[tuple[Callable[[Path, int, int], None], str, int, int], ...] = (
    (wide, "csv", 300, 3000),
    (wide, "csv", 3000, 30),
    (wide, "csv", 10_000, 100),
    (wide, "csv", 100_000, 30),
    (wide, "csv", 300, 100_000),
    (wide, "csv.gz", 300, 3000),  # pandas packs it
    (parquet, "parquet", 1000, 5000),
    (scored, "csv", 3000, 0),
    (scored, "csv", 100_000, 0),
)


def weighed() -> list[dict[str, Any]]:
    """Memory and time of a card of each kind of file, with its megabytes once it is unpacked."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for write, suffix, models, items in WEIGHED:
            path = Path(folder) / f"file.{suffix}"
            write(path, models, items)
            row = {"kind": f"{write.__name__}.{suffix}", "models": models, "items": items}
            row["megabytes"] = round(jobs.megabytes([path]), 2)
            rows.append({**row, **measured(carded, str(path))})
            print(rows[-1], flush=True)
    return rows


def leaderboard(path: Path, models: int = BOARD, seed: int = 0) -> None:
    """A table of models with their scores."""
    scores = np.random.default_rng(seed).uniform(0.2, 0.95, models).round(4)
    frame = pd.DataFrame({"model": [f"model-{i}" for i in range(models)], "score": scores})
    frame.assign(n_items=1000).to_csv(path, index=False)


def leaderboards(path: Path) -> None:
    """A folder of tables of 20 models each."""
    path.mkdir()
    for number in range(BENCHMARKS):
        leaderboard(path / f"b{number}.csv", OF_EACH, number)


def files(path: str) -> list[Path]:
    """The file, or the files of the folder."""
    return sorted(Path(path).glob("*.csv")) if Path(path).is_dir() else [Path(path)]


def imported(path: str) -> None:
    """As a card reads it."""
    for file in files(path):
        join_tables("speed", load([{"path": file}], ACCURACY), ACCURACY)


def carded(path: str) -> None:
    """As a job of the workflow makes the cards of it, with their pages."""
    named = {file.stem: [{"path": file}] for file in files(path)}
    templates = {
        name: (ROOT / f"workflow/templates/{file}.j2").read_text() for name, file in PAGES.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        benchmarks = dict.fromkeys(named, ACCURACY)
        make(benchmarks, named, Path(folder), shipped_context(), templates)


def plain(path: str) -> None:
    """As a notebook reads it."""
    for file in files(path):
        pd.read_csv(file)


def nothing(_path: str) -> None:
    """What the process costs by itself."""


def measured(work: Callable[[str], Any], path: str) -> dict[str, float]:
    """Processor time and peak memory of a function in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_timed, (work, path))


def _timed(work: Callable[[str], Any], path: str) -> dict[str, float]:
    start = time.process_time()
    work(path)
    return {
        "processor_seconds": round(time.process_time() - start, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    """Measure and write what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", action="store_true")
    if parser.parse_args().weights:
        text = json.dumps(weighed(), indent=1) + "\n"
        (ROOT / "speed/results/weights.json").write_text(text)
    else:
        beside_pandas()


def beside_pandas() -> None:
    """Reading and cards beside plain reads of the same files."""
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (
            (f"responses, {MODELS} models x {ITEMS} items", responses),
            (f"coin flips, {MODELS} models x {ITEMS} items", coins),
            (f"scores, {BOARD} models", leaderboard),
            (f"{BENCHMARKS} benchmarks, scores of {OF_EACH} models each", leaderboards),
        ):
            path = Path(folder) / f"{write.__name__}.csv"
            write(path)
            works = (plain, imported, carded)
            costs = {work.__name__: measured(work, str(path)) for work in works}
            key = "processor_seconds"
            least = max(costs["plain"][key], 0.01)
            ratios = {
                f"ratio_{work.__name__}": round(costs[work.__name__][key] / least, 1)
                for work in works[1:]
            }
            report[name] = {**costs, **ratios}
        report["the process alone"] = measured(nothing, "")
    text = json.dumps(report, indent=2) + "\n"
    (ROOT / "speed/results/own.json").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
