"""Everything that a card says, put together: the verdict with its basis, the course, the items."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.board.names import bounded
from saturation.errors import InputError
from saturation.own import card, course, earlier, items
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
        "observed_on": observed_on((scores, responses), declared.get("observed_on"), benchmark),
        "released": declared.get("released"),
        "synthetic": bool(declared.get("synthetic", False)),
        "earlier": earlier.earlier(benchmark, scores, responses, declared, settings.card),
        "history": _history(scores, benchmark, family, settings),
        **_items(responses, settings.level),
        "import": record,
        "stale": None,
    }
    return result


def observed_on(tables: Sequence[pd.DataFrame], declared: str | None, benchmark: str) -> str:
    """The card's date: the declared one, else the latest of the data.

    Parameters
    ----------
    tables
        ``date``: ISO dates, missing or empty where a file has none; a table may lack the column.
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
    stated = [table["date"].dropna().unique() for table in tables if "date" in table]
    dates = [str(date) for unique in stated for date in unique if date]
    if not dates:
        raise InputError(
            f"benchmark '{benchmark}': the files give no date, and a card needs one; "
            "declare it with the key 'observed_on'"
        )
    return max(dates)


def _history(
    scores: pd.DataFrame, benchmark: str, family: str, settings: Settings
) -> dict[str, Any]:
    if not bounded(family):
        return {"abstains": "the metric has no lowest and highest score"}
    return course.history(scores, benchmark, settings.course)


def _items(responses: pd.DataFrame, level: float) -> dict[str, Any]:
    """What the item responses say; over runs and configurations the first answer of a model."""
    return {
        "items": items.measurement(standard_errors.first_answers(responses), level),
        "consistency": items.consistency(responses),
    }
