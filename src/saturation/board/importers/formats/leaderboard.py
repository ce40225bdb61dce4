"""A plain table of models with their scores."""

import math
from typing import Any

import pandas as pd

from saturation.board.importers import cells
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin, Score
from saturation.board.importers.stated import standard_error
from saturation.errors import InputError

REQUIRED = ("model", "score")
OPTIONAL = (
    *("standard_error", "standard_deviation", "n_items", "lower", "upper"),
    *("run", "configuration", "date", "task", "metric"),
)


def leaderboard(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One score a row.

    ``standard_deviation`` (of the items) is divided by the root of ``n_items``; ``lower`` and
    ``upper`` are read as an interval of the configured level.

    Parameters
    ----------
    table
        Columns `REQUIRED` and any of `OPTIONAL`.
    choice
        Task, where the table has several; metric; level of the intervals.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        For an unknown column.
    """
    allowed = [*REQUIRED, *OPTIONAL]
    unknown = [name for name in table.columns if name not in allowed]
    if unknown:
        raise InputError(
            [
                f"{origin.file}: column '{name}' is not known; allowed: {', '.join(allowed)}"
                for name in unknown
            ]
        )
    return Imported(
        scores=[
            _score(row, choice, origin, number)
            for number, row in cells.rows(table)
            if choice.task is None or row.get("task", choice.task) == choice.task
        ]
    )


def _score(row: cells.Row, choice: Choice, origin: Origin, number: int) -> Score:
    return Score(
        model=cells.text(row.get("model")),
        score=row["score"],
        metric=cells.text(row.get("metric")) or choice.metric or "score",
        task=cells.text(row.get("task")) or None,
        standard_error=_standard_error(row, choice.interval_level),
        n_items=cells.none_if_missing(row.get("n_items")),
        run=cells.text(row.get("run")),
        configuration=cells.text(row.get("configuration")) or origin.configuration,
        date=cells.text(row.get("date")) or origin.date,
        row=number,
    )


def _standard_error(row: cells.Row, level: float) -> Any:
    """The error in the file's unit; what should be a number and is none stays as it is."""
    names = ("standard_error", "standard_deviation", "lower", "upper")
    stated = [cells.none_if_missing(row.get(name)) for name in names]
    for value in stated:
        if value is not None and _number(value) is None:
            return value
    error, deviation, lower, upper = map(_number, stated)
    interval = None if lower is None or upper is None else (lower, upper)
    return standard_error(error, deviation, _number(row.get("n_items")), interval, level)


def _number(value: Any) -> float | None:
    try:
        number = math.nan if value is None else float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number


FORMATS = (
    Importer(
        name="leaderboard",
        title="a leaderboard",
        shape=Shape.TABLE,
        keys=REQUIRED,
        read=leaderboard,
    ),
)
