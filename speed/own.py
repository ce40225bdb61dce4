"""Cost of reading a user's files, beside a plain pandas read of the same file.

Run it alone on the machine: ``python speed/own.py``. Writes speed/results/own.json.
"""

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

from saturation.own.imports import read

ROOT = Path(__file__).resolve().parent.parent
MODELS, ITEMS = 300, 15_000
BOARD = 2_000
ACCURACY = {"family": "accuracy", "score_range": [0, 1]}


def responses(path: Path) -> None:
    """A table of one response a row, of 300 models to 15,000 items."""
    rng = np.random.default_rng(0)
    items = [f"question-{item:05d}" for item in range(ITEMS)]
    with path.open("w") as stream:
        stream.write("model,item,response\n")
        for model in range(MODELS):
            right = rng.integers(0, 2, ITEMS)
            stream.writelines(
                f"model-{model:03d},{item},{value}\n" for item, value in zip(items, right)
            )


def leaderboard(path: Path) -> None:
    """A table of 2,000 models with their scores."""
    scores = np.random.default_rng(0).uniform(0.2, 0.95, BOARD).round(4)
    frame = pd.DataFrame({"model": [f"model-{i}" for i in range(BOARD)], "score": scores})
    frame.assign(n_items=1000).to_csv(path, index=False)


def imported(path: str) -> None:
    """As a card reads it."""
    read("speed", [{"path": path}], ACCURACY)


def plain(path: str) -> None:
    """As a notebook reads it."""
    pd.read_csv(path)


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
    """Measure and write."""
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (
            (f"responses, {MODELS} models x {ITEMS} items", responses),
            (f"scores, {BOARD} models", leaderboard),
        ):
            path = Path(folder) / "file.csv"
            write(path)
            costs = {work.__name__: measured(work, str(path)) for work in (imported, plain)}
            key = "processor_seconds"
            ratio = costs["imported"][key] / max(costs["plain"][key], 0.01)
            report[name] = {**costs, "ratio": round(ratio, 1)}
        report["the process alone"] = measured(nothing, "")
    text = json.dumps(report, indent=2) + "\n"
    (ROOT / "speed/results/own.json").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
