"""Schemas of the tables that a user hands in, and how embedded tables are read."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from saturation.files.schema import Check, Column, Schema

KEYS = ["model", "dataset", "example_id"]
PAIR = ["model", "dataset"]
# The statistics of an analysis of variance, in the order in which the paper prints them.
STATISTICS = ["f", "p", "eta_sq", "partial_eta_sq", "sum_sq"]


def predictions(factors: Sequence[str], low: float, high: float) -> Schema:
    """Build the schema of a user's table: a row a model, dataset, example and configuration."""
    descriptions = {name: f"the name of the {name.removesuffix('_id')}, not empty" for name in KEYS}
    descriptions |= {name: f"a level of the factor '{name}', not empty" for name in factors}
    descriptions["prediction"] = (
        "the model's answer as text; write a refusal or an empty output as a word of your own, "
        "for example no_answer"
    )
    marks = {
        "reference": "True or False: is this an original, unperturbed configuration?",
        "synthetic": "True or False: was this row made up?",
    }
    score = Column(
        float,
        # Text is not in the range, and is reported by its type.
        checks=Check(
            lambda cells: pd.Series(pd.to_numeric(cells, errors="coerce")).between(low, high),
            name="range",
        ),
        coerce=True,
        description=f"a number from {low:g} to {high:g} (config key robustness.score_range)",
    )
    not_blank = Check(_mask_text, name="not_blank")
    return Schema(
        {
            **{
                name: Column(checks=not_blank, description=description)
                for name, description in descriptions.items()
            },
            "score": score,
            **{
                name: Column(bool, required=False, description=description)
                for name, description in marks.items()
            },
        },
        strict="filter",
    )


def _mask_text(cells: pd.Series) -> pd.Series:
    """Mask the cells of a categorical with text; each distinct text is checked once."""
    # A missing cell has code -1: the last place.
    filled = [str(name).strip() != "" for name in cells.cat.categories] + [False]
    return pd.Series(np.array(filled)[cells.cat.codes], index=cells.index)


# A table about the datasets, which may be the user's.
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
    },
    strict="filter",
)
# How embedded tables are read: printed digits and levels are text, whatever they look like.
AS_TEXT: dict[str, dict[str, Any]] = {
    **{name: {"dtype": str} for name in ("design", "anova")},
    "repeats": {"dtype": {"shots": str}},
}
# The same of names in the study's own tables.
NAMES_AS_TEXT: dict[str, Any] = {"dtype": {"model": str, "dataset": str}}
