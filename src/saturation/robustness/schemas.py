"""Tables of the robustness study, each with what its columns may hold."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation.files.schema import (
    Check,
    Column,
    Schema,
    flag,
    number,
    one_of,
    proportion,
    table,
    text,
    whole,
)

KEYS = ["model", "dataset", "example_id"]
PAIR = ["model", "dataset"]
BEHAVIOURS = ["always_right", "mixed", "always_wrong"]
# No standard deviation of proportions is larger.
LARGEST_STD = 0.5


def predictions(factors: Sequence[str], low: float, high: float) -> Schema:
    """Schema of a user's table: one row a model, dataset, example and configuration."""
    named = {name: f"the name of the {name.removesuffix('_id')}, not empty" for name in KEYS}
    named |= {name: f"a level of the factor '{name}', not empty" for name in factors}
    named["prediction"] = (
        "the model's answer as text; write a refusal or an empty output as a word of your own, "
        "for example no_answer"
    )
    marks = {
        "reference": "True or False: is this an original, unperturbed configuration?",
        "synthetic": "True or False: was this row made up?",
    }
    score = Column(
        float,
        checks=Check(lambda cells: _between(cells, low, high), name="range"),
        coerce=True,
        description=f"a number from {low:g} to {high:g} (config key robustness.score_range)",
    )
    not_blank = Check(_not_blank, name="not_blank")
    return Schema(
        {
            **{name: Column(checks=not_blank, description=what) for name, what in named.items()},
            "score": score,
            **{
                name: Column(bool, required=False, description=what) for name, what in marks.items()
            },
        },
        strict="filter",
    )


def prepared(factors: Sequence[str], names: Sequence[str] | None = None) -> Schema:
    """Schema of the predictions that the study measures, or of some of their columns.

    Checks look at codes and at whole columns, and nothing is made into another type: ten million
    rows are checked in a fraction of a second and stay as small as they were.
    """
    kinds = {
        **{name: _category() for name in [*KEYS, *factors]},
        "score": Column(float, Check.in_range(0, 1), description="a proportion: from 0 to 1"),
        "reference": flag(),
        "synthetic": flag(),
        "configuration": Column("int64", Check.ge(0), description="a number from 0"),
        "answer": _category(),
    }
    return Schema({name: kinds[name] for name in (kinds if names is None else names)}, strict=True)


def _category() -> Column:
    return Column(
        checks=Check(_is_categorical, name="categorical"),
        description="a name as a category, none missing",
    )


def _is_categorical(cells: pd.Series) -> bool:
    return isinstance(cells.dtype, pd.CategoricalDtype)


def _not_blank(cells: pd.Series) -> pd.Series:
    """Which cells of a categorical hold text; each distinct text is looked at once."""
    # A missing cell has code -1: the last place.
    filled = [str(name).strip() != "" for name in cells.cat.categories] + [False]
    return pd.Series(np.array(filled)[cells.cat.codes], index=cells.index)


def _between(cells: pd.Series, low: float, high: float) -> pd.Series:
    """Which cells hold a number in the range; text that is none is reported by its type."""
    return pd.to_numeric(cells, errors="coerce").between(low, high)


def _with_interval(name: str, column: Column) -> dict[str, Column]:
    """A column and the ends of its interval, which may be missing."""
    end = number(optional=True)
    return {name: column, f"{name}_lower": end, f"{name}_upper": end}


_PAIR = {name: text() for name in PAIR}
_INTERVAL = {"lower": number(optional=True), "upper": number(optional=True)}
_MADE_UP = {"synthetic": flag()}

# The paper's facts, as embedded, and a table about the datasets that may be the user's.
PERFORMANCE = Schema({**_PAIR, "performance": proportion()}, unique=PAIR, strict=True)
DATASETS = Schema(
    {
        "dataset": Column(str, unique=True, description="the name of the dataset, once"),
        "n_answers": Column(
            "Int64",
            Check.ge(2),
            nullable=True,
            coerce=True,
            description="number of possible answers, at least 2; empty when free-form",
        ),
        "benchmark_id": Column(
            str,
            nullable=True,
            coerce=True,
            description="benchmark_id in the plateau study; empty when it has none",
        ),
    },
    strict=True,
)
DESIGN = Schema({"factor": text(), "level": text()}, unique=["factor", "level"], strict=True)
MODELS = table({"model": text(unique=True), "family": text()})

# The statistics of an analysis of variance, in the order in which the paper prints them.
STATISTICS = ["f", "p", "eta_sq", "partial_eta_sq", "sum_sq"]
_TERM = {"anova_type": one_of(["II", "III"]), "dataset": text(), "factor": text()}
_AS_PRINTED = {
    name: Column(
        str,
        Check.str_matches(r"^[0-9]+\.[0-9]+(e-[0-9]+)?$"),
        description="a number with the printed digits",
    )
    for name in STATISTICS
}
PRINTED_ANOVA = Schema({**_TERM, **_AS_PRINTED}, unique=list(_TERM), strict=True)
_PER_CENT = Column(int, Check.in_range(0, 100), description="per cent, 0 to 100")
EXTERNAL = Schema(
    {"table": text(), **_PAIR, "measured": _PER_CENT, "published": _PER_CENT},
    unique=["table", *PAIR],
    strict=True,
)

# What the stages write for each other.
CONSISTENCY = table(
    {
        **_PAIR,
        "performance": proportion(),
        "output_consistency": proportion(),
        "random_baseline": proportion(optional=True),
        "score_std": number(0, LARGEST_STD),
        "pdr": number(optional=True),
        "n_examples": whole(1),
        "n_configurations": whole(1),
        "output_consistency_lower": proportion(),
        "output_consistency_upper": proportion(),
        **{name: proportion() for name in [*BEHAVIOURS, "consistent_wrong"]},
        "random_baseline_answers": proportion(optional=True),
        "random_baseline_configurations": proportion(optional=True),
        **_with_interval("excess", number(-1, 1, optional=True)),
        "excess_answers": number(-1, 1, optional=True),
        "pdr_usual": number(optional=True),
        "pdr_usual_dataset": number(optional=True),
        **_MADE_UP,
    }
)
_MEANS = {
    **_with_interval("performance", proportion()),
    **_with_interval("output_consistency", proportion()),
    **_with_interval("random_baseline", proportion(optional=True)),
    **_with_interval("excess", number(-1, 1, optional=True)),
    **_with_interval("pdr", number(optional=True)),
    **_MADE_UP,
}
DATASET_MEASURES = table({"dataset": text(unique=True), "n_models": whole(1), **_MEANS})
STD_DISTRIBUTION = table(
    {
        **_PAIR,
        "std_class": text(),
        "order": whole(),
        "n_examples": whole(),
        "share": proportion(),
        **_MADE_UP,
    }
)
SLOPES = table(
    {
        "reading": text(unique=True),
        "slope": number(),
        **_INTERVAL,
        "intercept": number(optional=True),
        "r_squared": number(upper=1, optional=True),
        "n": whole(1),
        **_MADE_UP,
    }
)
VARIANCE_SHARES = table(
    {
        "component": text(unique=True),
        "sd": number(0),
        "share": proportion(),
        **_INTERVAL,
        **_MADE_UP,
    }
)
OUTLIERS = table(
    {
        **_PAIR,
        "performance": proportion(),
        "output_consistency": proportion(),
        "fitted": number(),
        "residual": number(),
        "studentised": number(optional=True),
        "p_bonferroni": proportion(optional=True),
        "outlier": flag(),
        **_MADE_UP,
    }
)
ANOVA = table(
    {
        **_TERM,
        "df": whole(1),
        "df_error": whole(),
        "sum_sq": number(0, optional=True),
        "f": number(0, optional=True),
        "p": proportion(optional=True),
        "eta_sq": proportion(optional=True),
        "partial_eta_sq": proportion(optional=True),
        "cluster_f": number(optional=True),
        "cluster_df_error": whole(),
        "cluster_p": proportion(optional=True),
        "levels": number(2, optional=True),
        "n": whole(1),
        **_MADE_UP,
    }
)
# Of the plateau study's table, the columns that are used here.
INDEX = Schema(
    {
        "benchmark_id": text(unique=True),
        "s_index": proportion(optional=True),
        "bin": text(optional=True),
    },
    strict="filter",
)
SATURATION = table(
    {
        "dataset": text(unique=True),
        "benchmark_id": text(optional=True),
        "s_index": proportion(optional=True),
        "bin": text(optional=True),
        "s_index_own": proportion(optional=True),
        "n_models": whole(1),
        **_MEANS,
    }
)
CORRELATIONS = table(
    {
        "index": text(unique=True),
        "rho": number(-1, 1, optional=True),
        "p": proportion(optional=True),
        "n": whole(),
        **_MADE_UP,
    }
)
CHECKS = [
    "p_fits",
    "eta_fits",
    "partial_fits",
    "share_fits",
    "error_fits",
    "mean_square_fits",
    "types_fit",
]
AUDIT = table(
    {
        **_TERM,
        **_AS_PRINTED,
        "df": whole(1),
        "df_implied": number(1, optional=True),
        **{
            f"{name}_{end}": number()
            for name in ["p", "df_error", "error_ss"]
            for end in ["low", "high"]
        },
        **{name: flag() for name in [*CHECKS, "consistent"]},
        "inconsistent": text(optional=True),
    }
)
AUDIT_DATASETS = table(
    {
        "dataset": text(unique=True),
        "n_rows": whole(1),
        "n_consistent": whole(),
        "n_design": whole(1),
        "n_low": whole(),
        "n_high": whole(),
        "n_fits": flag(),
        "levels_differ": text(optional=True),
        "mean_low": number(optional=True),
        "mean_high": number(optional=True),
        "mean_table": proportion(),
        "mean_fits": one_of(["True", "False"], optional=True),
    }
)
EXTERNAL_CHECKED = table(
    {
        **EXTERNAL.columns,
        "table_a2": _PER_CENT,
        "fits": flag(),
        "found_under": text(optional=True),
    }
)
TRUTH = table(
    {
        **_PAIR,
        "performance": proportion(),
        "consistency": proportion(),
        "n_consistent": whole(),
        "n_always_right": whole(),
        "n_right_mixed": whole(),
        **_MADE_UP,
    }
)

# Public answers, as embedded.
VERDICT_COUNTS = Schema(
    {
        "dataset": text(),
        "model": text(),
        "item": whole(),
        "wordings": whole(1),
        "right": whole(),
        "wrong": whole(),
        "abstained": whole(),
        "original": one_of(["right", "wrong", "abstained"]),
        "distinct_answers": number(1, optional=True),
    },
    unique=[*PAIR, "item"],
    strict=True,
)
REPEATED_RUNS = table(
    {
        "model": text(),
        "task": text(),
        "shots": text(),
        "run": whole(1),
        "repetitions": whole(2),
        "questions": whole(1),
        **{
            name: whole()
            for name in ["right", "same_answer", "same_text", "always_right", "ever_right"]
        },
    }
)
PROMPT_SCORES = table(
    {"suite": text(), "task": text(), "paraphrase": whole(), "model": text(), "score": proportion()}
)
SENSITIVITY = table(
    {
        **_PAIR,
        "prompt": text(),
        "shots": whole(),
        "seed": number(optional=True),
        "questions": whole(1),
        "accuracy": proportion(),
        "sensitivity": proportion(),
    }
)
# What is measured on them.
VARIANTS = table(
    {
        **_PAIR,
        "examples": whole(1),
        "wordings": number(2),
        "performance": proportion(),
        **_with_interval("answer_consistency", proportion(optional=True)),
        **_with_interval("verdict_consistency", proportion()),
        **_with_interval("always_right", proportion()),
        "always_wrong": proportion(),
        "always_abstained": proportion(),
        "chance": proportion(),
        **_with_interval("excess", number(-1, 1)),
        "score_std": number(0, LARGEST_STD),
        "pdr": number(optional=True),
        "pdr_usual": number(optional=True),
    }
)
VARIANTS_ALIKE = table(
    {
        "dataset": text(unique=True),
        "models": whole(2),
        "cramers_v": proportion(),
        "p": proportion(),
        "least_constant": proportion(),
        "most_constant": proportion(),
        "p_holm": proportion(),
    }
)
TREND_PAIRS = table(
    {**_PAIR, "performance": proportion(), "measure": text(), "output_consistency": proportion()}
)
TRENDS = table(
    {
        "measure": text(),
        "dataset": text(),
        "reading": one_of(["models", "mixed"]),
        "n": whole(1),
        "slope": number(optional=True),
        **_INTERVAL,
        "r_squared": number(upper=1, optional=True),
        **_with_interval("correlation", number(-1, 1, optional=True)),
    }
)
TREND_COMPONENTS = table(
    {
        "measure": text(),
        "component": text(),
        "sd": number(0),
        "share": proportion(),
        **_INTERVAL,
        "p": proportion(optional=True),
        "partial_eta_sq": proportion(optional=True),
    }
)
TREND_OUTLIERS = table(
    {
        "measure": text(),
        **_PAIR,
        "performance": proportion(),
        "output_consistency": number(),
        "fitted": number(),
        "residual": number(),
        "studentised": number(optional=True),
        "p_bonferroni": proportion(optional=True),
        "outlier": flag(),
    }
)
PROMPTS = table(
    {
        "suite": text(),
        "task": text(),
        "paraphrases": whole(2),
        "models": whole(2),
        "performance": proportion(),
        **{name: proportion() for name in ["model", "paraphrase", "interaction"]},
        "share_of_answers": proportion(),
        "share_by_chance": proportion(),
        "f": number(0),
        "p": proportion(),
        "p_holm": proportion(),
    }
)
PROMPT_SPREADS = table(
    {
        "suite": text(),
        "task": text(),
        "model": text(),
        "paraphrases": whole(2),
        "performance": proportion(),
        "spread": number(0, LARGEST_STD),
        "by_chance": number(0, LARGEST_STD),
        "lowest": proportion(),
        "highest": proportion(),
    }
)
_AGREEMENT = {
    key: value
    for name in ("answer", "text")
    for key, value in _with_interval(f"{name}_consistency", proportion()).items()
}
REPEATS = table(
    {
        "model": text(),
        "task": text(),
        "shots": text(),
        "run": whole(1),
        "repetitions": whole(2),
        "questions": whole(1),
        "performance": proportion(),
        "always_right": proportion(),
        "always_wrong": proportion(),
        **_AGREEMENT,
    }
)
FLOOR = table(
    {
        "model": text(unique=True),
        "tasks": whole(1),
        "answer_consistency": proportion(),
        **_INTERVAL,
    }
)
# Tables that stages hand on, by the names of a job's inputs.
BY_INPUT_NAME = {
    "anova": ANOVA,
    "audit_datasets": AUDIT_DATASETS,
    "consistency": CONSISTENCY,
    "correlations": CORRELATIONS,
    "datasets": DATASET_MEASURES,
    "external": EXTERNAL_CHECKED,
    "floor": FLOOR,
    "outliers": OUTLIERS,
    "prompt_spreads": PROMPT_SPREADS,
    "prompts": PROMPTS,
    "repeats": REPEATS,
    "saturation": SATURATION,
    "slopes": SLOPES,
    "std_distribution": STD_DISTRIBUTION,
    "trend_components": TREND_COMPONENTS,
    "trend_outliers": TREND_OUTLIERS,
    "trend_pairs": TREND_PAIRS,
    "trends": TRENDS,
    "variance_shares": VARIANCE_SHARES,
    "variants": VARIANTS,
    "variants_alike": VARIANTS_ALIKE,
}
