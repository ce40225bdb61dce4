"""Cost of single commands: processor seconds and memory of the whole process, start included.

Run it alone on the machine: ``python speed/commands.py``. Writes speed/results/commands.json; each
row also has its seconds in those of an interpreter that imports pandas, which differ less between
machines.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

RESULT = Path(__file__).resolve().parent / "results" / "commands.json"
SATURATION = str(Path(sys.executable).with_name("saturation"))
REPEATS = 3


def write_answers(path: Path, models: int, items: int) -> None:
    """Write answers that a two-parameter model gives, one a row."""
    rng = np.random.default_rng(0)
    slope, difficulty = rng.lognormal(0.2, 0.4, items), rng.normal(size=items)
    chance = 1 / (1 + np.exp(-slope * (rng.normal(0.5, 1, (models, 1)) - difficulty)))
    right = pd.DataFrame((rng.random(chance.shape) < chance).astype(int))
    long = (
        right.rename_axis("model")
        .reset_index()
        .melt("model", var_name="item", value_name="response")
    )
    long.assign(model="model-" + long["model"].astype(str)).to_csv(path, index=False)


def write_scores(path: Path, models: int) -> None:
    """Write a leaderboard's scores."""
    scores = np.random.default_rng(0).uniform(0.2, 0.95, models).round(4)
    names = [f"model-{number}" for number in range(models)]
    pd.DataFrame({"model": names, "score": scores, "n_items": 500}).to_csv(path, index=False)


def write_suite(folder: Path, tasks: int, items: int) -> tuple[list[str], list[str]]:
    """Write three runs of two versions on each task; the names of both versions' files."""
    rng = np.random.default_rng(1)
    sides: tuple[list[str], list[str]] = ([], [])
    for task in range(tasks):
        chance = rng.uniform(0.2, 0.95, (items, 1))
        for version, names in zip(("old", "new"), sides, strict=True):
            right = pd.DataFrame((rng.random((items, 3)) < chance).astype(int))
            long = right.rename_axis("item").reset_index()
            long = long.melt("item", var_name="run", value_name="response")
            name = f"{version}_task{task}.csv"
            long.assign(model="m", task=f"task{task}").to_csv(folder / name, index=False)
            names.append(name)
    return sides


def measure(command: list[str], folder: str) -> dict[str, float]:
    """Return the least processor seconds and the memory of a few runs."""
    seconds, peaks = [], []
    # As a user has it: after the first run, modules are compiled.
    written = {key: os.environ[key] for key in os.environ if key != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(REPEATS):
        process = subprocess.Popen(command, cwd=folder, env=written, stdout=subprocess.DEVNULL)
        _, code, usage = os.wait4(process.pid, 0)
        if code:
            raise RuntimeError(f"{' '.join(command)}: ended with {code}")
        seconds.append(usage.ru_utime + usage.ru_stime)
        peaks.append(usage.ru_maxrss / 1024)
    return {"processor_seconds": round(min(seconds), 2), "peak_mb": round(max(peaks))}


def main() -> None:
    """Measure each command."""
    with tempfile.TemporaryDirectory() as folder:
        write_answers(Path(folder) / "answers.csv", 30, 1000)
        write_scores(Path(folder) / "scores.csv", 2000)
        before, now = write_suite(Path(folder), 12, 1000)
        commands = {
            "import pandas": [sys.executable, "-c", "import pandas"],
            "status": [SATURATION, "status"],
            "card of 30 models x 1,000 answers": [SATURATION, "card", "answers.csv"],
            "card of 2,000 scores": [SATURATION, "card", "scores.csv"],
            "compare of 12 tasks x 1,000 items x 3 runs": [
                *(SATURATION, "compare", "--baseline", *before, "--candidate", *now),
            ],
            "subset of 200 of 5,021 items": [
                *(SATURATION, "subset", "nlu_hellaswag"),
                *("--size", "200", "--output", "subset"),
            ],
        }
        report = {name: measure(command, folder) for name, command in commands.items()}
    unit = report["import pandas"]["processor_seconds"]
    for row in report.values():
        row["ratio"] = round(row["processor_seconds"] / unit, 1)
    text = json.dumps(report, indent=2) + "\n"
    RESULT.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
