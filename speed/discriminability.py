"""Cost of the discriminability study: real data, synthetic leaderboards.

Run it alone on the machine: ``python speed/discriminability.py``.
Writes speed/results/discriminability.json.
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
import yaml

from saturation.files.tables import load_table, write_csv
from studies.discriminability import leaderboards, names, schemas, study
from studies.discriminability import sources as exports
from studies.files import sources

ROOT = Path(__file__).resolve().parent.parent
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text())["discriminability"]
SIZES = (10_000, 100_000, 1_000_000)
RESAMPLES = 1000


def synthetic(rows: int, path: Path) -> None:
    """A synthetic leaderboard of `rows` evaluations over two years and six benchmarks."""
    rng = np.random.default_rng(0)
    day = np.sort(rng.integers(0, 720, rows))
    frame = pd.DataFrame(
        {
            "model": [f"synthetic-{i // 6}" for i in range(rows)],
            "benchmark": [f"benchmark-{i % 6}" for i in range(rows)],
            "date": (pd.Timestamp("2023-01-01") + pd.to_timedelta(day, unit="D")).strftime(
                "%Y-%m-%d"
            ),
            "score": (100 * rng.beta(4 + day / 360, 3)).round(2),
        }
    )
    frame.to_csv(path, index=False)


def summarised(path: Path) -> leaderboards.Summary:
    """A leaderboard's file to its monthly summary, as the rule for own tables does it."""
    frame = load_table(path, engine="pyarrow", index_col=None)
    kept, _ = leaderboards.usable(frame, "long", (0, 100), "stop", path.name)
    return leaderboards.summarise(kept, leaderboards.OWN)


def stages(summary: leaderboards.Summary) -> None:
    """Every stage after the summary, without writing."""
    benchmarks = sorted(summary["bins"]["benchmark"].unique())
    known = pd.DataFrame({"benchmark": benchmarks, "kind": "other", "n_test": 1000.0})
    settings = CONFIG | {"resamples": RESAMPLES, "seed": 0}
    study.study(summary, known, settings)


def real() -> leaderboards.Summary:
    """The embedded summary of the two Open LLM Leaderboards."""
    folder = ROOT / "resources/discriminability"
    return {
        name: load_table(folder / f"{name}_monthly.csv", **schemas.AS_TEXT)
        for name in names.SUMMARY
    }


def real_sources() -> None:
    """The two exports to their summary."""
    registry = sources.registry(load_table(ROOT / "resources/sources.csv"))
    mirror = ROOT / yaml.safe_load((ROOT / "config/config.yaml").read_text())["sources"]["mirror"]
    files = {name: str(mirror / registry[f"open_llm_{name}"].path) for name in exports.EXPORTS}
    tables = {name: load_table(file) for name, file in files.items()}
    summary, dropped = exports.summarised(tables, files)
    with tempfile.TemporaryDirectory() as folder:
        for name, table in {**summary, "dropped": dropped}.items():
            write_csv(table, Path(folder) / f"{name}.csv")


def measured(work: Callable[..., Any], *arguments: Any) -> dict[str, float]:
    """Wall and processor time and peak memory of a function in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_timed, (work, *arguments))


def _timed(work: Callable[..., Any], *arguments: Any) -> dict[str, float]:
    start, processor = time.perf_counter(), time.process_time()
    work(*arguments)
    return {
        "seconds": round(time.perf_counter() - start, 2),
        "processor_seconds": round(time.process_time() - processor, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def on_real_data() -> None:
    """All stages on the embedded summary."""
    stages(real())


def on_synthetic(path: str) -> None:
    """A synthetic leaderboard from its file through all stages."""
    stages(summarised(Path(path)))


def main() -> None:
    """Measure and write."""
    report: dict[str, Any] = {
        "real, from the embedded summary": measured(on_real_data),
        "real, the two exports to the summary": measured(real_sources),
    }
    with tempfile.TemporaryDirectory() as folder:
        for rows in SIZES:
            path = Path(folder) / f"synthetic_{rows}.csv"
            synthetic(rows, path)
            report[f"synthetic, {rows} rows"] = measured(on_synthetic, str(path))
    key = "processor_seconds"
    first, last = (report[f"synthetic, {rows} rows"][key] for rows in (SIZES[0], SIZES[-1]))
    report["synthetic, cost ratio of 100 times the rows"] = round(last / first, 1)
    text = json.dumps(report, indent=2) + "\n"
    (ROOT / "speed/results/discriminability.json").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
