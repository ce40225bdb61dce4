"""How processor time and memory grow with the input: each study at three sizes.

plateau: the embedded table repeated, with other scores, up to 5,000 benchmarks. multiverse: the
full one's specifications a conclusion. leaderboard: a card of one's own table of models. grid: the
plateau's settings, 20 times as many. cards: so many of one's own leaderboards of 20 models.
Each runs in a copy of the project; seconds include Snakemake's own.
Usage: python speed/scale.py [--parts plateau ...]. Writes speed/results/scale.json and .md.
"""

import argparse
import json
import math
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "speed/results/scale.json"
# One permutation test needs 0.4 s a comparison at any size; the defaults, which users run.
Case = tuple[dict[str, Any], list[str]]


def plateau(size: int, folder: Path) -> Case:
    """So many benchmarks: the embedded ones again and again, each with other scores."""
    rng = np.random.default_rng(0)
    tables = {}
    for name in ("benchmarks", "top_scores"):
        table = pd.read_csv(ROOT / f"resources/plateau/{name}.csv", dtype=str)
        copies = math.ceil(size / 60)
        many = pd.concat([table.assign(copy=copy) for copy in range(copies)], ignore_index=True)
        kept = many["benchmark_id"].drop_duplicates()
        many["benchmark_id"] = many["benchmark_id"] + "_" + many["copy"].astype(str)
        kept = many["benchmark_id"].drop_duplicates()[:size]
        many = many[many["benchmark_id"].isin(kept)].drop(columns="copy")
        tables[name] = many
    tables["benchmarks"]["name"] = tables["benchmarks"]["benchmark_id"]
    tables["benchmarks"]["source_id"] = np.arange(1, size + 1)
    scores = tables["top_scores"]
    factor = dict(zip(tables["benchmarks"]["benchmark_id"], rng.uniform(0.7, 1, size)))
    moved = scores["score"].astype(float) * scores["benchmark_id"].map(factor)
    # A small step from rank to rank, so that each copy has gaps of its own.
    spread = scores["rank"].astype(int) * scores["benchmark_id"].map(factor) * 0.3
    tables["top_scores"]["score"] = (moved - spread).clip(lower=0).round(2)
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    own = {name: str(folder / f"{name}.csv") for name in tables}
    return {"plateau": own}, ["plateau"]


def multiverse(size: int, _folder: Path) -> Case:
    """So many specifications a conclusion, with the default run's permutations, in four chunks."""
    full = {"specifications": size, "permutations": 99, "chunks": 4}
    return {"multiverse": {"full": full}}, ["results/multiverse/full/joint.csv"]


def leaderboard(size: int, folder: Path) -> Case:
    """A card of a leaderboard of so many models."""
    entry = _board(size, folder / "board.csv", np.random.default_rng(0))
    return {"own": {"benchmarks": {"board": entry}}}, ["results/own/benchmarks/board/card.html"]


def cards(size: int, folder: Path) -> Case:
    """Cards of so many leaderboards of 20 models."""
    rng = np.random.default_rng(0)
    entries = {f"board{i}": _board(20, folder / f"board{i}.csv", rng) for i in range(size)}
    return {"own": {"benchmarks": entries}}, ["results/own/cards.csv"]


def _board(models: int, path: Path, rng: np.random.Generator) -> dict[str, Any]:
    """A leaderboard's file, and what the config says of it."""
    scores = rng.beta(4, 3, models).round(5)
    frame = pd.DataFrame({"model": [f"model-{i}" for i in range(models)], "score": scores})
    frame.assign(n_items=1000).to_csv(path, index=False)
    declared = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-01"}
    return declared | {"files": [{"path": str(path)}]}


def grid(size: int, _folder: Path) -> Case:
    """The plateau's grid of settings, with so many values of alpha."""
    alphas = [round(float(value), 4) for value in np.linspace(0, 1, size)]
    settings = {"k": [2, 3, 4, 5], "alpha": alphas}
    return {"plateau": {"sensitivity": settings}}, ["results/plateau/grid.csv"]


PARTS: dict[str, tuple[Callable[[int, Path], Case], tuple[int, ...]]] = {
    "plateau": (plateau, (60, 600, 5000)),
    "multiverse": (multiverse, (2000, 20_000, 200_000)),
    "leaderboard": (leaderboard, (1000, 10_000, 100_000)),
    "grid": (grid, (5, 21, 100)),
    "cards": (cards, (10, 100, 1000)),
}


def run(part: str, size: int) -> list[dict[str, Any]]:
    """Processor seconds of a case, and the most memory that one of its processes held."""
    make, _ = PARTS[part]
    with tempfile.TemporaryDirectory() as scratch:
        folder = runpy.run_path(str(ROOT / "speed/workflow.py"))["copied"](Path(scratch))
        config, targets = make(size, folder)
        (folder / "speed.yaml").write_text(yaml.safe_dump(config))
        command = [sys.executable, "-m", "snakemake", *targets, "--cores", "1"]
        command += ["--configfile", "speed.yaml", "--quiet", "all"]
        with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as started:
            said = started.stderr.read() if started.stderr else ""
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode:
            raise SystemExit(f"{part}, {size}: {said[-4000:]}")
        spent = round(used.ru_utime + used.ru_stime, 1)
        # Of the process that held most.
        peak = round(used.ru_maxrss / 1024)
        return [{"part": part, "size": size, "rule": "all", "cpu_s": spent, "peak_mb": peak}]


def page(rows: list[dict[str, Any]]) -> str:
    """The whole runs as a table, with the exponent of growth from the size before."""
    table = pd.DataFrame(rows)
    table = table[table["rule"].str.startswith("all")]
    ratio = table.groupby("part")[["size", "cpu_s"]].transform(lambda value: value / value.shift())
    table["exponent"] = (np.log(ratio["cpu_s"]) / np.log(ratio["size"])).round(2)
    text: str = table.to_markdown(index=False)
    return f"# Growth with the input\n\n{text}\n"


def main() -> None:
    """Measure and write; parts measured before stay."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--sizes", nargs="+", type=int, default=None)
    options = parser.parse_args()
    earlier = json.loads(OUTPUT.read_text()) if OUTPUT.exists() else []
    for part in options.parts:
        for size in options.sizes or PARTS[part][1]:
            measured = run(part, size)
            print(pd.DataFrame(measured).to_string(index=False), flush=True)
            same = (part, size)
            earlier = [row for row in earlier if (row["part"], row["size"]) != same] + measured
    order = list(PARTS)
    earlier.sort(key=lambda row: (order.index(row["part"]), row["size"]))
    OUTPUT.write_text(json.dumps(earlier, indent=1) + "\n")
    OUTPUT.with_suffix(".md").write_text(page(earlier))


if __name__ == "__main__":
    main()
