"""Processor time and memory of a forecast by how many benchmarks it has.

    python speed/forecast.py speed/results/forecast.json

Every size is a process of its own: past rises and the chance of the next year, on made benchmarks
that are watched for three years. Imports are not timed.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from saturation.files.tables import write_json
from studies.forecast import pooling

SIZES = (62, 125, 250, 500, 1000)
ORIGIN = pd.Timestamp("2026-08-01")
DATES = 18


def frontier(count: int) -> pd.DataFrame:
    """Make the best scores of benchmarks with a score every second month."""
    random = np.random.default_rng(0)
    days = pd.date_range(end=ORIGIN, periods=DATES, freq="2MS")
    place = random.normal(-1.5, 0.8, (count, 1)) + random.gamma(0.3, 0.5, (count, DATES)).cumsum(1)
    names = np.repeat([f"made-{number}" for number in range(count)], DATES)
    best = 1 / (1 + np.exp(-place))
    return pd.DataFrame({"series": names, "date": np.tile(days, count), "best": best.ravel()})


def measured(count: int) -> dict[str, float]:
    """Measure processor seconds and the highest memory of one size."""
    table = frontier(count)
    names = table["series"].unique()
    series = pd.DataFrame({"series": names, "benchmark": names, "best": 0.5})
    start = time.process_time()
    known = pooling.histories(table, ORIGIN)
    past = pooling.count_rises(pooling.year_rises(list(known.values())))
    pooling.chances(series, known, past, f"{ORIGIN:%Y-%m-%d}")
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"processor_seconds": round(seconds, 3), "peak_mb": round(peak)}


def main() -> None:
    """Measure one size, or all in processes of their own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    if options.size:
        print(json.dumps(measured(options.size)))
        return
    rows = {}
    for size in SIZES:
        command = [sys.executable, __file__, "--size", str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows[str(size)] = json.loads(done.stdout)
    seconds = [row["processor_seconds"] for row in rows.values()]
    power = float(np.polyfit(np.log(SIZES), np.log(seconds), 1)[0])
    write_json({"benchmarks": rows, "seconds_grow_with_the_power": round(power, 2)}, options.output)


if __name__ == "__main__":
    main()
