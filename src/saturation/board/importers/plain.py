"""Plain tables: a leaderboard, a response matrix (wide or long), or counts of attempts."""

from typing import Any

import pandas as pd
from scipy.stats import norm

from saturation.board.importers.rows import Choice, Imported, Origin, Response, Score
from saturation.errors import InputError

LEADERBOARD = ("model", "score")
LONG_RESPONSES = ("model", "item", "response")
ATTEMPTS = ("model", "item", "attempts", "correct")
_OPTIONAL_SCORE = ("standard_error", "standard_deviation", "n_items", "lower", "upper")
_OPTIONAL_TEXT = ("run", "configuration", "date", "task", "metric")


def kind(columns: list[str]) -> str | None:
    """Which plain table the columns belong to; None if to none."""
    for name, required in (
        ("leaderboard", LEADERBOARD),
        ("attempts", ATTEMPTS),
        ("long_responses", LONG_RESPONSES),
    ):
        if set(required) <= set(columns):
            return name
    if columns and columns[0] in ("model", "item") and len(columns) > 1:
        return "wide_responses"
    return None


def leaderboard(frame: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One score a row.

    ``standard_deviation`` (of the items) is divided by the root of ``n_items``; ``lower`` and
    ``upper`` are read as an interval of the configured level.

    Raises
    ------
    InputError
        For an unknown column.
    """
    allowed = [*LEADERBOARD, *_OPTIONAL_SCORE, *_OPTIONAL_TEXT]
    unknown = [name for name in frame.columns if name not in allowed]
    if unknown:
        raise InputError(
            [
                f"{origin.file}: column '{name}' is not known; allowed: {', '.join(allowed)}"
                for name in unknown
            ]
        )
    rows = [
        _score(row, choice, origin, number)
        for number, row in enumerate(frame.to_dict("records"), start=2)
        if choice.task is None or row.get("task", choice.task) == choice.task
    ]
    return Imported("leaderboard", scores=rows)


def long_responses(frame: pd.DataFrame, origin: Origin) -> Imported:
    """One response a row, with optional cluster, configuration and run."""
    return Imported(
        "long_responses",
        responses=[
            _response(row, row["response"], origin, number)
            for number, row in enumerate(frame.to_dict("records"), start=2)
        ],
    )


def attempts(frame: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Items as counts of attempts and successes, turned into pass@k.

    Raises
    ------
    InputError
        If k was not chosen or an item has fewer attempts than k.
    """
    from saturation.statistics.standard_errors import pass_at_k

    k = choice.pass_k
    if k is None:
        raise InputError(f"{origin.file}: give the k of pass@k with the key 'pass_k'")
    bad = frame[(frame["attempts"] < k) | (frame["correct"] > frame["attempts"])]
    if not bad.empty:
        raise InputError(
            [
                f"{origin.file}, row {index + 2}: {row.correct} of {row.attempts} attempts; "
                f"allowed: at least {k} attempts (pass_k), at most as many correct"
                for index, row in bad.iterrows()
            ]
        )
    values = pass_at_k(frame["attempts"].to_numpy(), frame["correct"].to_numpy(), k)
    rows = [
        _response(row, value, origin, number)
        for number, (row, value) in enumerate(zip(frame.to_dict("records"), values), start=2)
    ]
    return Imported("attempts", responses=rows, minimum=0.0, maximum=1.0, higher_is_better=True)


def wide_responses(frame: pd.DataFrame, origin: Origin) -> Imported:
    """Models as rows (first column ``model``) or items as rows (first column ``item``).

    An empty cell is an item that the model did not answer.

    Raises
    ------
    InputError
        If it is a long table without its column of responses, or a name is missing.
    """
    if {"model", "item"} <= set(frame.columns):
        raise InputError(
            f"{origin.file}: columns 'model' and 'item' are there, 'response' is missing; name the "
            "column of responses so"
        )
    first = str(frame.columns[0])
    other = "item" if first == "model" else "model"
    long = frame.melt(id_vars=first, var_name=other, value_name="response", ignore_index=False)
    long["row"] = long.index + 2
    answered = long.dropna(subset=["response"])
    responses = [
        _response(row, row["response"], origin, int(row["row"]))
        for row in answered.to_dict("records")
    ]
    empty = len(long) - len(answered)
    notes = [f"{empty} empty cells: items that a model did not answer"] if empty else []
    return Imported("wide_responses", responses=responses, notes=notes)


def _score(row: dict[Any, Any], choice: Choice, origin: Origin, number: int) -> Score:
    return Score(
        model=_text(row["model"]),
        score=row["score"],
        metric=_text(row.get("metric")) or choice.metric or "score",
        task=_text(row.get("task")) or None,
        standard_error=_standard_error(row, choice.interval_level),
        n_items=_none_if_missing(row.get("n_items")),
        run=_text(row.get("run")),
        configuration=_text(row.get("configuration")) or origin.configuration,
        date=_text(row.get("date")) or origin.date,
        row=number,
    )


def _standard_error(row: dict[Any, Any], level: float) -> float | None:
    stated = _none_if_missing(row.get("standard_error"))
    if stated is not None:
        return float(stated)
    deviation, n = (_none_if_missing(row.get(key)) for key in ("standard_deviation", "n_items"))
    if deviation is not None and n:
        return float(deviation) / float(n) ** 0.5
    lower, upper = (_none_if_missing(row.get(key)) for key in ("lower", "upper"))
    if lower is not None and upper is not None:
        return (float(upper) - float(lower)) / (2 * float(norm.ppf(0.5 + level / 2)))
    return None


def _response(row: dict[Any, Any], value: Any, origin: Origin, number: int) -> Response:
    return Response(
        model=_name(row, "model", origin, number),
        item=_name(row, "item", origin, number),
        response=value,
        cluster=_text(row.get("cluster")),
        run=_text(row.get("run")),
        configuration=_text(row.get("configuration")) or origin.configuration,
        row=number,
    )


def _name(row: dict[Any, Any], column: str, origin: Origin, number: int) -> str:
    name = _text(row[column])
    if not name:
        raise InputError(
            f"{origin.file}, row {number}, column '{column}': the value is missing; name it"
        )
    return name


def _text(value: Any) -> str:
    """Text of a cell; a missing one is empty."""
    return "" if value is None or pd.isna(value) else str(value)


def _none_if_missing(value: Any) -> Any:
    return None if value is None or pd.isna(value) else value
