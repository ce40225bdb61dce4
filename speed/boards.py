"""How the boards' time grows with items and with models, on drawn boards.

Run it alone on the machine: ``python speed/boards.py``. Each part runs in this process; the best
processor time of three counts. The exponent is the slope of log time on log cells between the two
largest boards, with the number of models or of items held fixed.
Writes speed/results/boards.json and .md.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from saturation.statistics import components
from studies.boards import alpha, overview
from studies.boards.ranked import Ranked, Settings, all_ranked

ROOT = Path(__file__).resolve().parent.parent
BOARD = "livebench"
# Items by models: items grow, then models.
ITEMS = ((2_500, 40), (10_000, 40), (40_000, 40))
MODELS = ((2_000, 50), (2_000, 200), (2_000, 800))
# Models, items and runs whose errors are parted.
RUNS = (50, 2_000, 100)
REPEATS = 3


def drawn(n_items: int, n_models: int) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Responses and evaluations of one board, as they are read from files."""
    rng = np.random.default_rng(0)
    chance = special.expit(np.linspace(2, -1, n_models) + rng.normal(0, 1.5, (n_items, 1)))
    names = [f"model {place}" for place in range(n_models)]
    table = pd.DataFrame((rng.random(chance.shape) < chance).astype(float), columns=names)
    table.insert(0, "item", [f"item {row}" for row in range(n_items)])
    table.insert(1, "task", [f"task {row % 20}" for row in range(n_items)])
    listed = pd.DataFrame(
        {"board": BOARD, "evaluation": names, "model": names, "run": 1, "items": n_items,
         "answers": 1, "date": "2024-01-01"}
    )  # fmt: skip
    return {BOARD: table}, listed


def best(work: Callable[[], object]) -> float:
    """Least processor time of a few, in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measured(n_items: int, n_models: int) -> dict[str, float]:
    """Seconds of each part on one board."""
    responses, listed = drawn(n_items, n_models)
    boards: list[Ranked] = all_ranked(responses, listed, 0.8)
    return {
        "n_items": n_items,
        "n_models": n_models,
        "ranked": best(lambda: all_ranked(responses, listed, 0.8)),
        "alpha": best(lambda: alpha.measured(boards, Settings())),
        "overview": best(lambda: overview.overview(boards, Settings())),
    }


def estimate_from_runs() -> float:
    """Seconds for both errors of every pair of 50 models, from ten million answers with runs."""
    rng = np.random.default_rng(0)
    answers = [(rng.random(RUNS[1:]) < 0.6).astype(float) for _ in range(RUNS[0])]
    return best(lambda: components.decompose(components.estimate_from_runs(answers)).error())


def exponents(rows: list[dict[str, float]]) -> dict[str, float]:
    """Slope of log time on log cells between the last two rows."""
    before, after = rows[-2:]
    cells = [row["n_items"] * row["n_models"] for row in (before, after)]
    return {
        part: float(np.log(after[part] / before[part]) / np.log(cells[1] / cells[0]))
        for part in ("ranked", "alpha", "overview")
    }


def main() -> None:
    """Measure and write."""
    found: dict[str, tuple[list[dict[str, float]], dict[str, float]]] = {}
    for grows, sizes in (("items", ITEMS), ("models", MODELS)):
        rows = [measured(*size) for size in sizes]
        found[grows] = (rows, exponents(rows))
        print(grows, *found[grows], flush=True)
    output = ROOT / "speed" / "results"
    output.mkdir(exist_ok=True)
    named = {
        grows: {"seconds": rows, "exponent": slopes} for grows, (rows, slopes) in found.items()
    }
    runs = {"models_items_runs": RUNS, "seconds": estimate_from_runs()}
    (output / "boards.json").write_text(json.dumps({**named, "runs": runs}, indent=1) + "\n")
    parts = [f"# Boards, {len(os.sched_getaffinity(0))} cores"]
    for grows, (rows, slopes) in found.items():
        table = pd.DataFrame(rows).to_markdown(index=False, floatfmt=".3g")
        said = ", ".join(f"{part} {slope:.2f}" for part, slope in slopes.items())
        parts += [f"The number of {grows} grows; exponents: {said}", table]
    parts.append(f"Errors of items and runs from ten million answers: {runs['seconds']:.2g} s")
    (output / "boards.md").write_text("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
