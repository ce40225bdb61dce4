"""Schemas of the plateau study's two input tables, embedded or your own."""

from collections.abc import Callable, Sequence

import pandas as pd

from saturation.files.schema import (
    Check,
    Column,
    Parser,
    Schema,
    flag,
    number,
    proportion,
    table,
    text,
    whole,
    words_column,
)
from saturation.index import BINS

AVAILABILITY = ("public", "private")
OUTPUT_FORMATS = ("multiple_choice", "free_form", "both")
INPUT_FORMATS = (
    "question_answering",
    "instruction",
    "coding",
    "agentic",
    "question_answering_and_instruction",
)
METRICS = (
    "accuracy",
    "f1",
    "pass_at_k",
    "judge",
    "bleu",
    "custom",
    "task_specific",
    "correlation",
    "recall",
    "human_expert",
    "factuality",
)
METRIC_FAMILIES = ("accuracy", "f1", "pass_at_k", "judge", "bleu", "custom", "mixed")
FLAGS = (
    "duplicate_model",
    "scores_not_in_order",
    "fifth_score_repeated",
    "n_not_test_set",
    "metric_not_accuracy",
)
CURATION = ("curated_by_experts", "curated_by_crowd", "generated_by_llm", "generated_by_program")
ISSUES = (
    "issue_contamination",
    "issue_noise",
    "issue_mislabelling",
    "issue_bias",
    "issue_other",
    "issue_none_known",
)


def _describe_text(description: str, *, nullable: bool = False) -> Column:
    return Column(str, coerce=True, nullable=nullable, description=description)


def _list_of(allowed: Sequence[str]) -> Column:
    def check_names(column: pd.Series) -> pd.Series:
        return column.map(lambda cell: set(cell.split(";")) <= set(allowed), na_action="ignore")

    description = f"a list, separated by semicolons, out of: {', '.join(allowed)}"
    return Column(str, Check(check_names), coerce=True, nullable=True, description=description)


def _yes_no() -> Column:
    # No dtype: coercion would turn any text, "no" too, into True.
    def check_boolean(column: pd.Series) -> pd.Series:
        return column.map(lambda value: str(value).lower() in ("true", "false"))

    return Column(None, Check(check_boolean), description="true or false")


def _whole(at_least: int, what: str, *, nullable: bool = False) -> Column:
    """Whole numbers; `Int64` where they may be missing, else plain integers."""

    def valid(column: pd.Series) -> pd.Series:
        numbers = pd.to_numeric(column, errors="coerce")
        return (numbers % 1 == 0) & (numbers >= at_least)

    def parsed(column: pd.Series) -> pd.Series:
        if not valid(column.dropna()).all():
            return column
        return column.astype("Int64" if nullable or column.hasnans else "int64")

    description = f"{what}: a whole number of at least {at_least}"
    return _checked(parsed, valid, description, nullable)


def _score(description: str, *, nullable: bool = False) -> Column:
    def valid(column: pd.Series) -> pd.Series:
        return pd.to_numeric(column, errors="coerce").between(0, 100)

    def parsed(column: pd.Series) -> pd.Series:
        return column.astype(float) if valid(column.dropna()).all() else column

    return _checked(parsed, valid, description, nullable)


def _checked(
    parsed: Callable[[pd.Series], pd.Series],
    valid: Callable[[pd.Series], pd.Series],
    description: str,
    nullable: bool,
) -> Column:
    """Numbers that become numeric only when all are valid, so that a message says what was read.

    Coercion would cut 1.5 to 1, and would report a text twice, once as a failed comparison.
    """
    parsers = Parser(parsed)
    return Column(None, Check(valid), parsers=parsers, nullable=nullable, description=description)


def _iso_date(column: pd.Series) -> pd.Series:
    return pd.to_datetime(column, format="%Y-%m-%d", errors="coerce").notna()


# Columns that a table may lack.
OPTIONAL = [
    *("template_in_notes", "source_id", "languages", "n_languages", "input_format", "metrics"),
    *("metric_family", "recent_models_evaluated", "sota_at_release", "sota_model_at_release"),
    *("score_sources", "n_models_listed", "flags"),
]
BENCHMARKS = Schema(
    {
        "benchmark_id": Column(
            str,
            Check.str_matches(r"^[a-z0-9_]+$"),
            coerce=True,
            unique=True,
            description="a unique name of lower-case letters, digits and underscores",
        ),
        "name": _describe_text("the benchmark's name"),
        "released": Column(
            str, Check(_iso_date), coerce=True, description="the release date as YYYY-MM-DD"
        ),
        "age_months": _whole(0, "months since release"),
        "n_test": _whole(1, "number of test samples"),
        "citations": _whole(0, "citation count, or empty", nullable=True),
        "availability": words_column(AVAILABILITY),
        "english_only": _yes_no(),
        "output_format": words_column(OUTPUT_FORMATS, optional=True),
        **{name: _yes_no() for name in (*CURATION, *ISSUES)},
        "templated": _yes_no(),
        "template_in_notes": _yes_no(),
        "source_id": _whole(1, "the row's number in its source"),
        "languages": _describe_text("languages, separated by semicolons, or empty", nullable=True),
        "n_languages": _whole(1, "number of languages, or empty", nullable=True),
        "input_format": words_column(INPUT_FORMATS, optional=True),
        "metrics": _list_of(METRICS),
        "metric_family": words_column(METRIC_FAMILIES),
        "recent_models_evaluated": _yes_no(),
        "sota_at_release": _score(
            "the best score at release (unit of the scores, 0 to 100), or empty", nullable=True
        ),
        "sota_model_at_release": _describe_text(
            "the best model at release, or empty", nullable=True
        ),
        "score_sources": _describe_text(
            "the sites that the scores were read from, separated by semicolons, or empty",
            nullable=True,
        ),
        "n_models_listed": _whole(0, "how many models are listed"),
        "flags": _list_of(FLAGS),
    },
    strict=True,
).update_columns({name: {"required": False} for name in OPTIONAL})
"""One row a benchmark. An unknown column is an error: it may be a mistyped optional one."""

TOP_SCORES = Schema(
    {
        "benchmark_id": _describe_text("the identifier of a benchmark of the benchmarks table"),
        "rank": _whole(1, "the model's rank"),
        "model": _describe_text("the model's name, or empty", nullable=True),
        "score": _score("a number from 0 to 100 (percent) or from 0 to 1 (proportion)"),
    },
    unique=["benchmark_id", "rank"],
    strict=True,
).update_column("model", required=False)
"""One row a benchmark and rank."""


# A table without an optional column becomes one in which that column is empty.
PREPARED_BENCHMARKS = BENCHMARKS.update_columns(
    {name: {"required": True, "nullable": True} for name in OPTIONAL}
).add_columns({"months_at_observation": number()})
"""Benchmarks as stage ``plateau_inputs`` writes them: every column, ages at the observation."""

PREPARED_SCORES = TOP_SCORES.update_columns(
    {
        "model": {"required": True},
        "score": {"checks": Check.in_range(0, 1), "description": "a proportion: from 0 to 1"},
    }
)
"""Top scores as stage ``plateau_inputs`` writes them: proportions."""

INDEX = table(
    {
        "benchmark_id": text(unique=True),
        "k": whole(2),
        "alpha": proportion(),
        "n_test": whole(1),
        "s_1": proportion(),
        "s_k": proportion(),
        "se_delta": number(0),
        "r_norm": number(0),
        "s_index": proportion(),
        "bin": words_column(BINS),
        "statistically_similar": flag(),
        "similar_at_ceiling": flag(),
        "similar_below_ceiling": flag(),
    }
)
"""The index of every benchmark at one k and alpha."""


TABLE = Schema(
    {"benchmark_id": Column(str, coerce=True, required=False)}, metadata={"may_be_empty": True}
)
"""Any other table of the study, which its own stages alone read: identifiers are text."""

_BORDERS = {"benchmarks": PREPARED_BENCHMARKS, "top_scores": PREPARED_SCORES}


def schema_of(name: str) -> Schema:
    """Return the schema by which the study reads its own table of this name."""
    return INDEX if name.startswith("index") else _BORDERS.get(name, TABLE)
