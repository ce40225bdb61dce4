"""Schemas of the plateau study's two input tables, embedded or your own."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from saturation.files import schema
from saturation.files.schema import Check, Column, Parser, Schema
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
CURATION = (
    "curated_by_experts",
    "curated_by_crowd",
    "generated_by_llm",
    "generated_by_program",
)
ISSUES = (
    "issue_contamination",
    "issue_noise",
    "issue_mislabelling",
    "issue_bias",
    "issue_other",
    "issue_none_known",
)


def _text(description: str, **options: Any) -> Column:
    return Column(str, coerce=True, description=description, **options)


def _one_of(allowed: Sequence[str], **options: Any) -> Column:
    description = f"one of: {', '.join(allowed)}"
    return Column(str, Check.isin(allowed), coerce=True, description=description, **options)


def _list_of(allowed: Sequence[str], **options: Any) -> Column:
    def known(column: pd.Series) -> pd.Series:
        return column.map(lambda text: set(text.split(";")) <= set(allowed), na_action="ignore")

    description = f"a list, separated by semicolons, out of: {', '.join(allowed)}"
    return Column(str, Check(known), coerce=True, nullable=True, description=description, **options)


def _yes_no(**options: Any) -> Column:
    # No dtype: coercion would turn any text, "no" too, into True.
    def known(column: pd.Series) -> pd.Series:
        return column.map(lambda value: str(value).lower() in ("true", "false"))

    return Column(None, Check(known), description="true or false", **options)


def _whole(at_least: int, what: str, **options: Any) -> Column:
    """Whole numbers; `Int64` where they may be missing, else plain integers."""

    def whole(column: pd.Series) -> pd.Series:
        numbers = pd.to_numeric(column, errors="coerce")
        return (numbers % 1 == 0) & (numbers >= at_least)

    def parsed(column: pd.Series) -> pd.Series:
        if not whole(column.dropna()).all():
            return column
        return column.astype("Int64" if options.get("nullable") or column.hasnans else "int64")

    description = f"{what}: a whole number of at least {at_least}"
    return _checked(parsed, whole, description, **options)


def _score(description: str, **options: Any) -> Column:
    def valid(column: pd.Series) -> pd.Series:
        return pd.to_numeric(column, errors="coerce").between(0, 100)

    def parsed(column: pd.Series) -> pd.Series:
        return column.astype(float) if valid(column.dropna()).all() else column

    return _checked(parsed, valid, description, **options)


def _checked(
    parsed: Callable[[pd.Series], pd.Series],
    valid: Callable[[pd.Series], pd.Series],
    description: str,
    **options: Any,
) -> Column:
    """Numbers that become numeric only when all are valid, so that a message says what was read.

    Coercion would cut 1.5 to 1, and would report a text twice, once as a failed comparison.
    """
    return Column(None, Check(valid), parsers=Parser(parsed), description=description, **options)


def _iso_date(column: pd.Series) -> pd.Series:
    return pd.to_datetime(column, format="%Y-%m-%d", errors="coerce").notna()


BENCHMARKS = Schema(
    {
        "benchmark_id": Column(
            str,
            Check.str_matches(r"^[a-z0-9_]+$"),
            coerce=True,
            unique=True,
            description="a unique name of lower-case letters, digits and underscores",
        ),
        "name": _text("the benchmark's name"),
        "released": Column(
            str,
            Check(_iso_date),
            coerce=True,
            description="the release date as YYYY-MM-DD",
        ),
        "age_months": _whole(0, "months since release"),
        "n_test": _whole(1, "number of test samples"),
        "citations": _whole(0, "citation count, or empty", nullable=True),
        "availability": _one_of(AVAILABILITY),
        "english_only": _yes_no(),
        "output_format": _one_of(OUTPUT_FORMATS, nullable=True),
        **{name: _yes_no() for name in (*CURATION, *ISSUES)},
        "templated": _yes_no(),
        "template_in_notes": _yes_no(required=False),
        "source_id": _whole(1, "the row's number in its source", required=False),
        "languages": _text(
            "languages, separated by semicolons, or empty", nullable=True, required=False
        ),
        "n_languages": _whole(1, "number of languages, or empty", nullable=True, required=False),
        "input_format": _one_of(INPUT_FORMATS, nullable=True, required=False),
        "metrics": _list_of(METRICS, required=False),
        "metric_family": _one_of(METRIC_FAMILIES, required=False),
        "recent_models_evaluated": _yes_no(required=False),
        "sota_at_release": _score(
            "the best score at release (unit of the scores, 0 to 100), or empty",
            nullable=True,
            required=False,
        ),
        "sota_model_at_release": _text(
            "the best model at release, or empty", nullable=True, required=False
        ),
        "score_sources": _text(
            "the sites that the scores were read from, separated by semicolons, or empty",
            nullable=True,
            required=False,
        ),
        "flags": _list_of(FLAGS, required=False),
    },
    strict=True,
)
"""One row a benchmark. An unknown column is an error: it may be a mistyped optional one."""

TOP_SCORES = Schema(
    {
        "benchmark_id": _text("the identifier of a benchmark of the benchmarks table"),
        "rank": _whole(1, "the model's rank"),
        "model": _text("the model's name, or empty", nullable=True, required=False),
        "score": _score("a number from 0 to 100 (percent) or from 0 to 1 (proportion)"),
    },
    unique=["benchmark_id", "rank"],
    strict=True,
)
"""One row a benchmark and rank."""


OPTIONAL = [name for name, column in BENCHMARKS.columns.items() if not column.required]

# A table without an optional column becomes one in which that column is empty.
PREPARED_BENCHMARKS = BENCHMARKS.update_columns(
    {name: {"required": True, "nullable": True} for name in OPTIONAL}
).add_columns({"months_at_observation": schema.number()})
"""Benchmarks as stage ``plateau_inputs`` writes them: every column, ages at the observation."""

PREPARED_SCORES = TOP_SCORES.update_columns(
    {
        "model": {"required": True},
        "score": {"checks": Check.in_range(0, 1), "description": "a proportion: from 0 to 1"},
    }
)
"""Top scores as stage ``plateau_inputs`` writes them: proportions."""

INDEX = schema.table(
    {
        "benchmark_id": schema.text(unique=True),
        "k": schema.whole(2),
        "alpha": schema.proportion(),
        "n_test": schema.whole(1),
        "s_1": schema.proportion(),
        "s_k": schema.proportion(),
        "se_delta": schema.number(0),
        "r_norm": schema.number(0),
        "s_index": schema.proportion(),
        "bin": schema.one_of(BINS),
        "statistically_similar": schema.flag(),
        "similar_at_ceiling": schema.flag(),
        "similar_below_ceiling": schema.flag(),
    }
)
"""The index of every benchmark at one k and alpha."""


def _keys(*names: str) -> dict[str, Column]:
    return {name: schema.text() for name in names}


def _estimates(*names: str) -> dict[str, Column]:
    """Numbers that are empty where a table is too small to give them."""
    return {name: schema.number(optional=True) for name in names}


_AGREEMENT = {
    "k": schema.whole(2),
    "alpha": schema.proportion(),
    "n": schema.whole(),
    **_estimates("mean_shift", "spearman", "spearman_lower", "spearman_upper"),
    **_estimates("same_bin", "neighbouring"),
}
_SUMMARY = {
    "n": schema.whole(),
    "n_saturated": schema.whole(),
    **_estimates("rate", "rate_lower", "rate_upper"),
    **_estimates("mean_s", "mean_s_lower", "mean_s_upper", "sd_s"),
}
_AGES = ("mean_age", "median_age", "mean_recorded_age", "median_recorded_age")

BY_INPUT_NAME = {
    "benchmarks": PREPARED_BENCHMARKS,
    "top_scores": PREPARED_SCORES,
    **dict.fromkeys(("index", "index_k3", "index_alpha0", "index_alpha1"), INDEX),
    "intervals": schema.table(
        {
            "benchmark_id": schema.text(unique=True),
            **{
                name: schema.proportion(optional=True)
                for name in (
                    "s_index",
                    *("s_lower", "s_upper"),
                    *("p_saturated", "p_saturated_lowest", "p_saturated_highest"),
                    *("s_lower_index_noise", "s_upper_index_noise", "p_again_index_noise"),
                    *("reranked_lower", "reranked_median", "reranked_upper"),
                    *("p_again_reranked", "p_again_if_equal"),
                )
            },
        }
    ),
    "permuted_n": schema.table(
        {
            **_keys("outcome"),
            **_estimates("spearman", "null_mean", "null_lower", "null_upper", "p_value"),
        }
    ),
    "comparisons": schema.table({**_keys("setting"), **_AGREEMENT}),
    "grid": schema.table({**_AGREEMENT, "n_saturated": schema.whole()}),
    "groups": schema.table(
        {**_keys("hypothesis", "grouping", "group"), **_estimates(*_AGES), **_SUMMARY}
    ),
    # A table of one's own in which every benchmark is of the same group has nothing to test.
    "tests": schema.table(
        {
            **_keys("hypothesis", "grouping", "test"),
            **_estimates("statistic", "p_value", "effect", "effect_lower", "effect_upper"),
            "n": schema.whole(),
        },
        may_be_empty=True,
    ),
    "trends": schema.table(
        {
            **_keys("trend", "reading"),
            **_estimates("estimate", "p_value", "lower", "upper"),
            "n": schema.whole(),
        }
    ),
    "controls": schema.table(
        {
            **_keys("conclusion", "adjusted", "measure", "control"),
            **_estimates("effect", "lower", "upper", "p_value"),
            "n": schema.whole(),
            "note": schema.text(optional=True),
        }
    ),
    "equal_top": schema.table(
        {
            **_keys("benchmark_id", "errors"),
            "models": schema.whole(2),
            **{
                name: schema.proportion()
                for name in (
                    "s_index",
                    "dependence",
                    "score",
                    "gap",
                    "expected_gap",
                    "p_larger",
                    "p_smaller",
                    "expected_s",
                    "p_saturated",
                )
            },
        },
        may_be_empty=True,
    ),
    "bins": schema.table({**_keys("binned_by", "bin"), **_SUMMARY}),
    "family": schema.table(
        {**_keys("hypothesis", "kind"), **_estimates("p_value", "holm", "benjamini_hochberg")},
        may_be_empty=True,
    ),
}
"""Schema of each of the study's own tables by the name that its rules give it as an input."""
