"""Which embedded boards are banks, and where the fluid benchmarking paper's data set lies.

Plain Python, so that planning the workflow need not wait for pandas.
"""

# The data set is public (CC BY 4.0) and is not pinned here: the first fetch writes its revision and
# hashes to a lock file, every later one is checked against that.
FLUID_URL = "https://huggingface.co/datasets/allenai/fluid-benchmarking/resolve"
FLUID_FOLDER = "results/adaptive/fluid"
FLUID_LOCK = "config/fluid.lock.csv"
FLUID_BENCHMARKS = (
    "arc_challenge",
    "gsm8k",
    "hellaswag",
    "mmlu",
    "truthfulqa_mc2",
    "winogrande",
)
FLUID_MODELS = ("amber-7b", "k2-65b", "olmo1-7b", "olmo2-7b", "pythia-3b", "pythia-7b")
FLUID_RESULTS = tuple(f"lm_eval_results/{model}.csv" for model in FLUID_MODELS)
FLUID_FILES = (
    *(f"irt_models/{benchmark}.csv" for benchmark in FLUID_BENCHMARKS),
    *FLUID_RESULTS,
    "open_llm_leaderboard_results.json",
)

# Boards whose respondents' families are known, with the table that says them.
RESPONDENTS = {
    **dict.fromkeys(
        (
            *("nlu_arc_challenge", "nlu_arc_easy", "nlu_boolq", "nlu_commonsenseqa"),
            *("nlu_hellaswag", "nlu_piqa", "nlu_snli", "nlu_socialiqa", "nlu_winogrande"),
        ),
        "nlu_respondents",
    ),
    "livebench": "livebench_respondents",
}
