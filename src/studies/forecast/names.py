"""Name the pinned sources of dated scores and their columns; read while jobs are planned."""

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
LAYOUTS = {
    "aider_polyglot": Layout("Aider polyglot", "Percent correct", protocol="Edit format"),
    "anli": Layout("ANLI", "Score", floor=1 / 3, protocol="Shots"),
    "arc_agi": Layout("ARC-AGI", "Score"),
    "arc_ai2": Layout("ARC AI2", "Challenge score", floor=0.25, protocol="Shots"),
    "balrog": Layout("Balrog", "Average progress", error="Average Standard error"),
    "bbh": Layout("BBH", "Average", protocol="Shots"),
    "boolq": Layout("BoolQ", "Score", floor=0.5, protocol="Shots"),
    "cadeval": Layout("CadEval", "Overall pass (%)", protocol="Prompt"),
    "csqa2": Layout("CommonsenseQA 2.0", "Score", floor=0.5, protocol="Shots"),
    "cybench": Layout("Cybench", "Unguided % Solved"),
    "deepresearch": Layout("DeepResearch Bench", "Average score"),
    "factorio_learning_environment": Layout("Factorio Learning Environment", "Lab Success %"),
    "fictionlivebench": Layout("Fiction.LiveBench", "120k token score"),
    "geobench": Layout("GeoBench", "ACW Country %", protocol="Tools"),
    "gsm8k": Layout("GSM8K", "EM", protocol="Shots"),
    "gso_bench": Layout("GSO-Bench", "Score OPT@1"),
    "hellaswag": Layout("HellaSwag", "Overall accuracy", floor=0.25, protocol="Shots"),
    "lambada": Layout("LAMBADA", "Score", protocol="Shots"),
    "lech_mazur_writing": Layout("Lech Mazur Writing", "Mean score", scale=10),
    "livebench": Layout("LiveBench", "Global average", protocol="LiveBench Version"),
    "metr": Layout("METR Time Horizons", "average_score", scale=1),
    "mmlu": Layout("MMLU", "EM", floor=0.25, protocol="Shots"),
    "openbookqa": Layout("OpenBookQA", "Accuracy", floor=0.25, protocol="Shots"),
    "os_world": Layout("OSWorld", "Score"),
    "osuniverse": Layout("OSUniverse", "Weighted Score"),
    "piqa": Layout("PIQA", "Score", floor=0.5, protocol="Shots"),
    "scienceqa": Layout("ScienceQA", "Score", protocol="Shots"),
    "simple_bench": Layout("SimpleBench", "Score (AVG@5)", floor=1 / 6),
    "superglue": Layout("SuperGLUE", "Score"),
    "terminal_bench": Layout("Terminal Bench", "Accuracy mean", error="Accuracy SE"),
    "the_agent_company": Layout("The Agent Company", "% Resolved"),
    "triviaqa": Layout("TriviaQA", "EM", protocol="Shots"),
    "videomme": Layout("Video-MME", "Overall (no subtitles)", floor=0.25, protocol="Frames"),
    "vpct": Layout("VPCT", "Correct", floor=1 / 3),
    "weirdml": Layout("WeirdML", "Accuracy"),
    "winogrande": Layout("Winogrande", "Accuracy", floor=0.5, protocol="Shots"),
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
MEASURED, REPORTED = TIERS = ("measured", "reported")

BOARDS = "open_llm"
# Expected score of guessing on the first Open LLM Leaderboard; the second one subtracts it.
BOARD_FLOORS = {
    ("v1", "ARC"): 0.25,
    ("v1", "HellaSwag"): 0.25,
    ("v1", "MMLU"): 0.25,
    ("v1", "Winogrande"): 0.5,
}
