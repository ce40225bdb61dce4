"""Which public answers are embedded and which sources each table is made from."""

import math
from collections.abc import Mapping, Sequence

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
        "causal_judgement",
        "disambiguation_qa",
        "formal_fallacies",
        "geometric_shapes",
        "hyperbaton",
        "logical_deduction_five_objects",
        "logical_deduction_seven_objects",
        "logical_deduction_three_objects",
        "movie_recommendation",
        "navigate",
        "penguins_in_a_table",
        "ruin_names",
        "salient_translation_error_detection",
        "snarks",
        "sports_understanding",
    ),
    "lmentry": (
        "all_words_from_category",
        "any_words_from_category",
        "ends_with_word",
        "first_alphabetically",
        "homophones",
        "less_letters",
        "more_letters",
        "rhyming_word",
        "word_before",
        "word_not_containing",
    ),
}
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

# What a trend is of: answers to small changes of the input, beside those to paraphrases; and over
# all data sets together.
INPUTS = "inputs"
ACROSS = "all"


# The robustness paper's design (Table A.1): its factors, their levels, its configurations.

# Questions that the paper asks of each dataset (appendix A.1).
PAPER_EXAMPLES = 100
# Level at which the paper calls the effect of a factor significant.
SIGNIFICANT = 0.05


def levels(table: pd.DataFrame) -> dict[str, list[str]]:
    """Levels of each factor, in the order of the table (columns `factor`, `level`)."""
    return {
        str(factor): list(rows["level"]) for factor, rows in table.groupby("factor", sort=False)
    }


def n_levels(design: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Number of levels of each factor."""
    return {factor: len(names) for factor, names in design.items()}


def n_configurations(design: Mapping[str, Sequence[str]]) -> int:
    """Number of combinations of the levels."""
    return math.prod(n_levels(design).values())


def slug(name: str) -> str:
    """Name as part of an identifier: lower case, everything else an underscore."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())


# How titles and footnotes say that predictions are made up: everywhere in the same words.


def of_table(title: str, table: pd.DataFrame) -> str:
    """The title of a table, with its origin where its predictions are made up."""
    return f"{title} (synthetic predictions)" if table["synthetic"].any() else title


def of_figure(finding: str, table: pd.DataFrame) -> str:
    """The title of a figure: its finding; that its predictions are made up comes before it."""
    if table["synthetic"].any():
        return f"SYNTHETIC DATA: {finding}"
    return finding[:1].upper() + finding[1:]


def source(remark: str, table: pd.DataFrame) -> str:
    """Remark below a figure, with the origin of made-up predictions."""
    if table["synthetic"].any():
        return f"{remark}; synthetic predictions, drawn with a known truth"
    return remark
