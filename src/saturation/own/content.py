"""Everything that a card says, put together: the verdict with its basis, the course, the items."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.board.names import bounded
from saturation.errors import InputError
from saturation.own import card, course, items
from saturation.own.settings import Settings
from saturation.statistics import standard_errors


def content(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    record: Mapping[str, Any],
    declared: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The whole card of one benchmark.

    Parameters
    ----------
    benchmark
        Name.
    scores, responses
        Tables of :mod:`saturation.board.schemas`; either may be empty.
    record
        What was read, and how; the card keeps it.
    declared
        The benchmark's entry in the config: ``family`` and, optionally, ``observed_on, released,
        synthetic, meaningful_difference, label_noise``.
    settings
        :func:`saturation.own.settings.from_config`.

    Raises
    ------
    InputError
        If nothing gives the card a date.
    """
    family = declared["family"]
    result = card.assemble(benchmark, scores, responses, declared, settings.card)
    result |= {
        "observed_on": observed_on(scores, declared.get("observed_on"), benchmark),
        "released": declared.get("released"),
        "synthetic": bool(declared.get("synthetic", False)),
        "history": _history(scores, benchmark, family, settings),
        **_items(responses, settings.level),
        "import": record,
    }
    return result


def observed_on(scores: pd.DataFrame, declared: str | None, benchmark: str) -> str:
    """The card's date: the declared one, else the latest of the scores.

    Parameters
    ----------
    scores
        ``date``: ISO dates, missing where a file has none.
    declared
        The date that the config gives, if any.
    benchmark
        Name for the message.

    Raises
    ------
    InputError
        If there is none.
    """
    if declared:
        return str(declared)
    dates = scores["date"].dropna()
    if dates.empty:
        raise InputError(
            f"benchmark '{benchmark}': the files give no date, and a card needs one; "
            "declare it with the key 'observed_on'"
        )
    return str(dates.max())


def _history(
    scores: pd.DataFrame, benchmark: str, family: str, settings: Settings
) -> dict[str, Any]:
    if not bounded(family):
        return {"abstains": "the metric has no lowest and highest score"}
    return course.history(scores, benchmark, settings.course)


def _items(responses: pd.DataFrame, level: float) -> dict[str, Any]:
    """What the item responses say; over runs and configurations the first answer of a model."""
    first = responses.drop_duplicates(["model", "item"])
    matrix, _ = standard_errors.item_matrix(first)
    return {
        "items": items.measurement(matrix, level),
        "consistency": items.consistency(responses),
    }
