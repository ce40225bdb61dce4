"""Name the pinned sources of dated scores and their columns; read while jobs are planned."""

import csv
from pathlib import Path
from typing import NamedTuple

# Tables that the study's one job writes beside the archive.
TABLES = (
    "series",
    "frontier",
    "chances",
    "rises",
    "backtest",
    "record",
    "reliability",
    "archive_scored",
    "indices_cases",
    "indices",
    "lifespans",
    "lifespans_medians",
    "quantities",
)
# Each figure with its label in the report.
FIGURES = {"record": "The record of past chances"}


class Layout(NamedTuple):
    """Columns of a table of Epoch AI's hub that a series needs."""

    benchmark: str
    score: str
    # A full score in that column, 100 where cells may also be written ``42%``.
    scale: float = 100
    floor: float = 0  # expected score of guessing, a proportion
    error: str = ""  # column of the standard error, or empty
    protocol: str = ""  # column that separates evaluations that are not one series, or empty


ECI = "history_epoch_eci"
NLP = "history_sota_nlp"
RUNS = "history_epoch_runs"
VERSIONS = "history_epoch_versions"
_FILE = Path(__file__).parents[3] / "resources" / "forecast" / "layouts.csv"


LAYOUTS = {
    row["table"]: Layout(
        row["benchmark"],
        row["score"],
        float(row["scale"]),
        1 / int(row["options"]) if row["options"] else 0.0,
        row["error"],
        row["protocol"],
    )
    for row in csv.DictReader(_FILE.read_text("utf-8").splitlines())
}
# A rating has no range in which a share of it could be reached.
RATINGS = {"mcbench": "a rating has no floor and no ceiling"}
# Expected score of guessing on benchmarks that Epoch AI ran itself.
RUN_FLOORS = {"GPQA diamond": 0.25}
EPOCH_TABLES = tuple(f"history_epoch_{name}" for name in (*LAYOUTS, *RATINGS))
SOURCES = (ECI, NLP, RUNS, VERSIONS, *EPOCH_TABLES)

# Spellings of one source in the table of the capabilities index; the numbers of series follow.
SAME_SOURCE = {
    "https://arcprize.org/leaderboard": "ARC Prize Leaderboard",
    "https://htihle.github.io/weirdml.html": "WeirdML Leaderboard",
    "https://www.tbench.ai/leaderboard/terminal-bench/2.0": "Terminal-Bench v2 Leaderboard",
}
UNSTATED = "not stated"
# Where no row of a benchmark names its source, all come from one table of the hub.
HUB = "one table of the hub"

# Scores by the benchmark's own site or by a third party, and by the developers of the models.
MEASURED, REPORTED = ("measured", "reported")

BOARDS = "open_llm"
# Expected score of guessing on the first Open LLM Leaderboard; the second one subtracts it.
BOARD_FLOORS = {
    ("v1", "ARC"): 0.25,
    ("v1", "HellaSwag"): 0.25,
    ("v1", "MMLU"): 0.25,
    ("v1", "Winogrande"): 0.5,
}
