"""Which public answers are embedded and which sources each table is made from."""

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
