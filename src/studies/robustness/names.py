"""Names that planning and statistics share: sources, pages, figures, the paper's design, titles.

Plain Python, so that planning the workflow need not wait for pandas.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Data sets asked in paraphrases: title and source.
VARIANTS = {
    "MATH-500": "variants_math500",
    "SimpleQA": "variants_simpleqa",
    "TruthfulQA": "variants_truthfulqa",
}
REPEATS = "repeats_llm_stability"
SENSITIVITY = "prompts_ukp"
# Tasks whose instruction was paraphrased, by suite.
PROMPTS = {
    "bbh": (
        "causal_judgement", "disambiguation_qa", "formal_fallacies", "geometric_shapes",
        "hyperbaton", "logical_deduction_five_objects", "logical_deduction_seven_objects",
        "logical_deduction_three_objects", "movie_recommendation", "navigate",
        "penguins_in_a_table", "ruin_names", "salient_translation_error_detection", "snarks",
        "sports_understanding",
    ),
    "lmentry": (
        "all_words_from_category", "any_words_from_category", "ends_with_word",
        "first_alphabetically", "homophones", "less_letters", "more_letters", "rhyming_word",
        "word_before", "word_not_containing",
    ),
}  # fmt: skip
PROMPT_SOURCES = {
    f"prompts_slab_{suite}_{task}": (suite, task)
    for suite, tasks in PROMPTS.items()
    for task in tasks
}
SOURCES = (
    *(f"{name}.pkl" for name in VARIANTS.values()),
    f"{REPEATS}.csv",
    f"{SENSITIVITY}.csv",
    *(f"{name}.csv" for name in PROMPT_SOURCES),
)
# The embedded tables, under resources/robustness/.
EMBEDDED = ("variants.parquet", "repeats.csv", "prompts.parquet", "sensitivity.csv")
# Those and the paper's facts, with the suffixes of their files.
FACTS = {
    **dict.fromkeys(("performance", "design", "models", "anova", "external_scores"), "csv"),
    **dict(file.split(".") for file in EMBEDDED),
}

# Tables of public answers and of the audit, each a file of this name.
TABLES = (
    *("variants", "variants_spread", "variants_alike", "trend_pairs", "trends"),
    *("trend_components", "trend_outliers", "prompts", "prompt_spreads", "repeats", "floor"),
    *("audit", "audit_datasets", "external", "quantities"),
)
PUBLIC, AUDIT = "Public answers", "Audit of the paper"
# Those that are items of the report too: label and section there.
PAGES = {
    "variants": ("Consistency by model and data set", PUBLIC),
    "trends": ("Slopes by measure and data set", PUBLIC),
    "prompts": ("Paraphrased instructions by task", PUBLIC),
    "audit": ("Tables C.1 and C.2 row by row", AUDIT),
    "audit_datasets": ("Implied observations", AUDIT),
}
# Each figure with its section in the report and its label there.
FIGURES = {
    "variants": (PUBLIC, "Consistency against performance"),
    "trends": (PUBLIC, "Slopes"),
    "prompts": (PUBLIC, "Paraphrased instructions"),
}

# The same of one's own predictions; beside these tables there is `examples`, as Parquet.
OWN_TABLES = (
    *("consistency", "std_distribution", "slopes", "variance_shares", "group_tests"),
    *("outliers", "anova"),
)
OWN_PAGES = {
    "consistency": ("Consistency by model and dataset", "Measures"),
    "slopes": ("Slopes", "Task or model"),
    "variance_shares": ("Shares of the variance", "Task or model"),
    "anova": ("Analysis of variance", "Configuration factors"),
}
OWN_FIGURES = {
    "regression": ("Task or model", "Consistency against performance (Figure 1)"),
    "consistency": ("Measures", "Consistency by dataset (Figure 2)"),
}

# What a trend is of: answers to small changes of the input, beside those to paraphrases; and over
# all data sets together.
INPUTS = "inputs"
ACROSS = "all"

# Questions that the paper asks of each dataset (appendix A.1).
PAPER_EXAMPLES = 100


def levels(table: "pd.DataFrame") -> dict[str, list[str]]:
    """Levels of each factor, in the order of the table (columns `factor`, `level`)."""
    return {
        str(factor): list(rows["level"]) for factor, rows in table.groupby("factor", sort=False)
    }


def n_configurations(design: Mapping[str, Sequence[str]]) -> int:
    """Count the combinations of the levels."""
    return math.prod(map(len, design.values()))
