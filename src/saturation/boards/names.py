"""Which boards are embedded and which sources each is made from; read while jobs are planned."""

from typing import NamedTuple


class Board(NamedTuple):
    """A leaderboard with item responses."""

    title: str
    kind: str  #: what a score is: ``right or wrong``, ``share of repetitions`` or ``graded``
    sources: tuple[str, ...]  #: files, as ``NAME.SUFFIX`` with names of ``resources/sources.csv``


MMLU_PRO_MODELS = (
    "gemini_1_5_pro_002",
    "gemini_1_5_flash_002",
    "meta_llama_3_1_70b_instruct",
    "meta_llama_3_1_70b",
    "meta_llama_3_70b",
    "qwen1_5_110b",
    "jamba_1_5_large",
)
_EPOCH = ("board_epoch_runs.csv",)
_NLU = {
    "snli": "SNLI",
    "hellaswag": "HellaSwag",
    "winogrande": "WinoGrande",
    "arc_challenge": "ARC challenge",
    "arc_easy": "ARC easy",
    "boolq": "BoolQ",
    "commonsenseqa": "CommonsenseQA",
    "piqa": "PIQA",
    "socialiqa": "Social IQa",
}
BOARDS = {
    "livebench": Board("LiveBench", "graded", ("board_livebench.parquet",)),
    "gpqa_diamond": Board("GPQA Diamond", "share of repetitions", _EPOCH),
    "otis_aime": Board("OTIS Mock AIME", "share of repetitions", _EPOCH),
    "swebench_epoch": Board("SWE-bench Verified (Epoch AI)", "right or wrong", _EPOCH),
    "frontiermath_public": Board("FrontierMath, public part", "right or wrong", _EPOCH),
    "mmlu_pro": Board(
        "MMLU-Pro",
        "right or wrong",
        tuple(f"board_mmlu_pro_{model}.zip" for model in MMLU_PRO_MODELS),
    ),
}
# The item response banks of the adaptive study: respondents are checkpoints of small models.
BANKS = {
    f"nlu_{name}": Board(title, "right or wrong", (f"nlu_{name}.csv",))
    for name, title in _NLU.items()
}
EMBEDDED = {**BOARDS, **BANKS}
# Who evaluated: boards of one origin share models and harness, and are alike for that too.
ORIGINS = {
    "livebench": "LiveBench",
    "mmlu_pro": "MMLU-Pro",
    **{name: "Epoch AI" for name, board in BOARDS.items() if board.sources == _EPOCH},
    **dict.fromkeys(BANKS, "NLU banks"),
}
# Of a model's checkpoints in the banks, the one that its authors took to be best stands for it.
CHECKPOINT = r"_(?:1|10|25|50|best)$"
BEST_CHECKPOINT = "_best"
# Items without a task hang together by what their names share: the repository of an issue.
GROUPED_BY_NAME = {"swebench_epoch": r"^(.*)-[^-]*$"}
# Release dates of the models.
DATES = "board_epoch_models.csv"
SOURCES = tuple(dict.fromkeys(file for board in EMBEDDED.values() for file in board.sources))
# The study's tables, each a file of this name.
TABLES = (
    *("alpha", "pairs", "pooled", "published", "overview", "models", "course", "subsets"),
    *("readings", "remarks", "quantities"),
)
# Figures, with their labels in the report.
FIGURES = {
    "overview": "What the items of real boards show",
    "alpha": "Alpha, measured",
    "course": "The top of dated boards, by quarter",
}
