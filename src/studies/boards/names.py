"""List the embedded boards and their sources; read while jobs are planned."""

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
# Kinds of scores: shares are over repeated answers, of which a leaderboard usually has one.
SHARES, BINARY = "share of repetitions", "right or wrong"
_EPOCH = ("board_epoch_runs.csv",)
# Tables of answers of the open models of 2023 to 2025, sampled at temperature 0.7, by their titles;
# the first four with about 1,100 answers of a model to an item, the others with about 11.
_SAMPLED = {
    "highk_aime2024_cot": "AIME 2024",
    "highk_aime2025_cot": "AIME 2025",
    "highk_human_eval_plus": "HumanEval+",
    "highk_math500_cot": "MATH-500",
    "lowk_ap_cot": "AP exams",
    "lowk_cruxeval_input_cot": "CRUXEval, input",
    "lowk_cruxeval_output_cot": "CRUXEval, output",
    "lowk_ds1000": "DS-1000",
    "lowk_gmat_cot": "GMAT",
    "lowk_gpqa_cot": "GPQA",
    "lowk_gre_physics_cot": "GRE physics",
    "lowk_human_eval": "HumanEval",
    "lowk_jeebench_chat_cot": "JEEBench",
    "lowk_leetcode": "LeetCode",
    "lowk_lsat_cot": "LSAT",
    "lowk_mbpp": "MBPP",
}
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
    "gpqa_diamond": Board("GPQA Diamond", SHARES, _EPOCH),
    "otis_aime": Board("OTIS Mock AIME", SHARES, _EPOCH),
    "swebench_epoch": Board("SWE-bench Verified (Epoch AI)", BINARY, _EPOCH),
    "frontiermath_public": Board("FrontierMath, public part", BINARY, _EPOCH),
    "mmlu_pro": Board(
        "MMLU-Pro", BINARY, tuple(f"board_mmlu_pro_{model}.zip" for model in MMLU_PRO_MODELS)
    ),
    "livecodebench": Board("LiveCodeBench", SHARES, ("items_main_lcb_codegen_v6.csv",)),
    "swebench_lite": Board("SWE-bench Lite", BINARY, ("items_main_swebench_lite.csv",)),
    **{
        name.partition("_")[2].removesuffix("_cot").removesuffix("_chat"): Board(
            title, SHARES, (f"items_{name}.csv",)
        )
        for name, title in _SAMPLED.items()
    },
    "arc_challenge": Board("ARC challenge", BINARY, ("items_main_arc_challenge.csv",)),
    "gsm8k": Board("GSM8K", BINARY, ("items_main_gsm8k.csv",)),
    "mbpp_plus": Board("MBPP+", BINARY, ("items_main_mbpp_plus.csv",)),
}
# Those of which a table counts the answers to each item, with its file.
COUNTED = {name: one.sources[0] for name, one in BOARDS.items() if "items_" in one.sources[0]}
# The item response banks of the adaptive study: respondents are checkpoints of small models. They
# are no boards of this study.
BANKS = {f"nlu_{name}": Board(title, BINARY, (f"nlu_{name}.csv",)) for name, title in _NLU.items()}
EMBEDDED = {**BOARDS, **BANKS}
# The newest model with a known date is older than two years at the time of writing.
OLDER = ("arc_challenge", "gsm8k", "mbpp_plus", "mmlu_pro")
# Who evaluated: boards of one origin share models and harness, and are alike for that too.
ORIGINS = {
    "livebench": "LiveBench",
    "mmlu_pro": "MMLU-Pro",
    "livecodebench": "LiveCodeBench",
    "swebench_lite": "SWE-bench Lite",
    "mbpp_plus": "EvalPlus",
    **dict.fromkeys(("arc_challenge", "gsm8k"), "base models"),
    **{name: "Epoch AI" for name, board in BOARDS.items() if board.sources == _EPOCH},
}
SAMPLED = "open models, sampled"
ORIGINS |= {name: SAMPLED for name in BOARDS if name not in ORIGINS}
# Items without a task hang together by what their names share: the repository of an issue.
GROUPED_BY_NAME = dict.fromkeys(("swebench_epoch", "swebench_lite"), r"^(.*)-[^-]*$")
# Release dates of the models.
DATES = "board_epoch_models.csv"
SOURCES = tuple(dict.fromkeys(file for board in EMBEDDED.values() for file in board.sources))
# The study's tables, each a file of this name.
TABLES = (
    *("alpha", "pooled", "published", "overview", "models"),
    *("noise", "readings", "remarks", "quantities"),
)
# Figures, with their labels in the report.
FIGURES = {"overview": "First and fifth on recent leaderboards", "alpha": "Alpha, measured"}
