"""What is chosen: a design and an outcome, which together are a specification."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from saturation.multiverse.conclusions import ADJUSTMENTS, Conclusion

# The age of a design in which no age enters.
EITHER_AGE = "not_used"
# Columns that are counted in the design's age convention.
_AGED = {"age", "months", "log_months", "citations_per_month"}


@dataclass(frozen=True)
class Design:
    """Everything but the outcome: variable, covariates, benchmarks and test."""

    conclusion: str
    grouping: str
    adjustment: str
    age: str
    excluded: str
    test: str


@dataclass(frozen=True)
class Outcome:
    """How saturated a benchmark is; larger is more saturated."""

    k: int
    alpha: float
    error_model: str
    outcome: str


DESIGN_COLUMNS = [field.name for field in fields(Design)]
OUTCOME_COLUMNS = [field.name for field in fields(Outcome)]
CHOICES = [name for name in [*OUTCOME_COLUMNS, *DESIGN_COLUMNS] if name != "conclusion"]
# What the paper prints.
REFERENCE_OUTCOME = Outcome(5, 0.5, "independent", "s_index")


def outcome_name(threshold: float) -> str:
    """Name of the outcome 'saturated from this index on'."""
    return f"saturated_from_{threshold:g}"


def outcomes(choices: Mapping[str, Any]) -> list[Outcome]:
    """All outcomes: every k, alpha and error model with the index, z, and each threshold."""
    names = [name for name in choices["outcome"] if name != "saturated"]
    if "saturated" in choices["outcome"]:
        names += [outcome_name(threshold) for threshold in choices["saturated_from"]]
    return [
        Outcome(*values)
        for values in itertools.product(
            choices["k"], choices["alpha"], choices["error_model"], names
        )
    ]


def designs(conclusion: Conclusion, choices: Mapping[str, Any]) -> list[Design]:
    """All designs of a conclusion; where no age enters, its convention is no choice.

    Parameters
    ----------
    conclusion
        With its groupings and adjustments.
    choices
        The config's lists of choices: ``age``, ``excluded`` and ``test``.
    """
    listed = []
    for grouping, adjustment in itertools.product(conclusion.groupings, conclusion.adjustments):
        uses_age = bool(_AGED & {grouping, *ADJUSTMENTS[adjustment]})
        ages = choices["age"] if uses_age else [EITHER_AGE]
        listed += [
            Design(conclusion.name, grouping, adjustment, age, excluded, test)
            for age, excluded, test in itertools.product(ages, choices["excluded"], choices["test"])
        ]
    return listed
