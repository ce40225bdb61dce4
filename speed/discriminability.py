"""Cost of the discriminability study: real data, synthetic leaderboards, bootstrap against a loop.

Run it alone on the machine: ``python speed/discriminability.py``.
Writes speed/results/discriminability.json.
"""

import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from saturation.discriminability import (
    bdi,
    bin_choice,
    growth,
    index_over_time,
    leaderboards,
    population,
    retirement,
    summaries,
)
from saturation.files import sources
from saturation.files.tables import read_table

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


def summarised(path: Path) -> summaries.Summary:
    """A leaderboard's file to its monthly summary, as the rule for own tables does it."""
    frame = read_table(path, engine="pyarrow", index_col=None)
    kept, _ = leaderboards.screen(leaderboards.numbered(frame, path.name), (0, 100), path.name)
    return summaries.summarise(kept, "own")


def stages(summary: summaries.Summary) -> None:
    """Every stage after the summary, without writing."""
    tables, _ = summaries.windowed(summary, "month", 3, CONFIG["min_models"])
    counts = summaries.histograms(tables["bins"])
    top = tables["top"].query("scope == 'window'")
    scores = {key: group.to_numpy() for key, group in top.groupby(summaries.KEYS)["score"]}
    rng = np.random.default_rng(0)
    bins, level = CONFIG["bins"], CONFIG["level"]
    draws, gaps = {}, {}
    for key, fine in counts.iterrows():
        coarse = bdi.rebin(fine.to_numpy(), bins)
        draws[key] = bdi.resample_bdi(coarse, RESAMPLES, rng)
        gaps[key] = bdi.resample_top_gaps(scores[key], fine, RESAMPLES, rng)
    monthly = bdi.monthly_table(tables["windows"], counts, top, draws, gaps, bins, level)
    changes = bdi.changes(monthly, draws, CONFIG["min_last_models"], level)
    bin_choice.bins_summary(bin_choice.bins_table(counts, CONFIG["bins_sweep"]), bins)
    growth.growth_table(monthly, growth.Demands(**CONFIG["growth"]), level)
    population.fixed_population(
        tables["population"], changes, bins, RESAMPLES, level, rng, summaries.FINE_BINS
    )
    population.dynamic_bdi(tables["bins"], bins)
    retirement.retirement_table(monthly, retirement.Thresholds(**CONFIG["retirement"]))
    names = sorted(monthly["benchmark"].unique())
    known = pd.DataFrame({"benchmark": names, "kind": "other", "n_test": 1000.0})
    index = index_over_time.index_over_time(tables["top"], known, 5, 0.5)
    index_over_time.agreement(monthly, index)


def real() -> summaries.Summary:
    """The embedded summary of the two Open LLM Leaderboards."""
    folder = ROOT / "resources/discriminability"
    return {name: read_table(folder / f"{name}_monthly.csv") for name in summaries.TABLES}


def real_sources() -> None:
    """The two exports to their summary."""
    sys.path.insert(0, str(ROOT / "workflow/scripts/discriminability"))
    import sources as script

    registry = sources.registry(read_table(ROOT / "resources/sources.csv"))
    mirror = ROOT / yaml.safe_load((ROOT / "config/config.yaml").read_text())["sources"]["mirror"]
    with tempfile.TemporaryDirectory() as folder:
        targets = {name: Path(folder) / f"{name}.csv" for name in summaries.TABLES}
        script.main(
            mirror / registry["open_llm_v1"].path,
            mirror / registry["open_llm_v2"].path,
            targets,
            Path(folder) / "dropped.csv",
        )


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


def bootstrap_ratio() -> dict[str, float]:
    """The multinomial bootstrap against resampling models and building histograms."""
    rng = np.random.default_rng(0)
    scores = 100 * rng.beta(5, 3, 1000)
    counts, _ = np.histogram(scores, 20, (0, 100))

    def loop() -> None:
        for _ in range(RESAMPLES):
            drawn, _ = np.histogram(rng.choice(scores, len(scores)), 20, (0, 100))
            bdi.bdi(drawn)

    def multinomial() -> None:
        drawn = rng.multinomial(len(scores), counts / len(scores), size=RESAMPLES)
        bdi.bdi(drawn)

    seconds = {}
    for work in (loop, multinomial):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        seconds[work.__name__] = min(times)
    return {**seconds, "ratio": round(seconds["loop"] / seconds["multinomial"], 1)}


def main() -> None:
    """Measure and write."""
    report: dict[str, Any] = {
        "bootstrap, 1,000 models, 1,000 resamples": bootstrap_ratio(),
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
