"""All rows of a benchmark brought to one unit and one direction, or refused with the reason."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from saturation.board.importers.rows import Imported, Score
from saturation.errors import InputError, shortened

SCORE_COLUMNS = [
    "benchmark",
    "model",
    "metric",
    "run",
    "configuration",
    "date",
    "score",
    "standard_error",
    "n_items",
]
RESPONSE_COLUMNS = ["benchmark", "model", "item", "cluster", "run", "configuration", "response"]
ROUNDING = 1e-9


@dataclass(frozen=True)
class Unit:
    """What the config declares of a benchmark's metric; None leaves it to the files.

    Parameters
    ----------
    minimum, maximum
        The metric's bounds in the files' own unit; scores become (score - minimum) / range.
    higher_is_better
        The metric's direction; where lower is better, scores are turned round.
    bounded
        False for ratings such as Elo, which keep their unit.
    n_items
        Number of items, where the files do not say it.
    """

    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    bounded: bool = True
    n_items: int | None = None


def scores(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Scores of all files as one table, higher is better, bounded metrics in [0, 1].

    Parameters
    ----------
    benchmark
        Name for the table and the messages.
    files
        Each file's name and what was read from it.
    unit
        What the config declares of the metric.

    Raises
    ------
    InputError
        With one line for every score that cannot be used: missing or infinite, out of range,
        without direction or bounds, a negative error, a non-positive n, an unreadable date, or the
        same model twice.
    """
    _one_version(files)
    violations: list[str] = []
    rows = []
    for file, imported in files:
        for score in imported.scores:
            where = _where(file, score.row, score.model)
            problems = list(_problems(score, unit, where))
            violations += problems
            if not problems:
                rows.append(_converted(benchmark, score, unit))
    frame = pd.DataFrame(rows, columns=SCORE_COLUMNS)
    violations += _duplicates(frame)
    if violations:
        raise InputError(shortened(violations))
    return frame.sort_values(["model", "configuration", "run", "date"], ignore_index=True)


def responses(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Item responses of all files as one table, higher is better, in [0, 1].

    Parameters
    ----------
    benchmark, files, unit
        As :func:`scores` takes them.

    Raises
    ------
    InputError
        As :func:`scores`, and if a model answers an item twice in one run and configuration.
    """
    violations: list[str] = []
    frames = [_responses(file, imported, unit, violations) for file, imported in files]
    if violations:
        raise InputError(shortened(violations))
    frames = [frame for frame in frames if not frame.empty]
    if not frames:
        return pd.DataFrame(columns=RESPONSE_COLUMNS)
    frame = pd.concat(frames, ignore_index=True)
    frame.insert(0, "benchmark", benchmark)
    repeated = frame.duplicated(["model", "item", "run", "configuration"])
    if repeated.any():
        raise InputError(
            shortened(
                [
                    f"benchmark '{benchmark}': model {row.model!r} answers item {row.item!r} twice "
                    "in one run and configuration; remove one, or name the run or configuration"
                    for row in frame[repeated].itertuples()
                ]
            )
        )
    return frame[RESPONSE_COLUMNS].sort_values(
        ["model", "configuration", "run", "item"], ignore_index=True
    )


def require_errors(scores: pd.DataFrame, responses: pd.DataFrame) -> None:
    """Refuse scores whose uncertainty cannot be known.

    A score needs n, a standard error, item responses, or repeated runs of the same model.

    Parameters
    ----------
    scores, responses
        As :func:`scores` and :func:`responses` give them.

    Raises
    ------
    InputError
        Naming each model.
    """
    known = set(responses["model"])
    runs = scores.groupby("model")["score"].transform("size")
    bare = scores[
        scores["n_items"].isna()
        & scores["standard_error"].isna()
        & (runs < 2)
        & ~scores["model"].isin(known)
    ]
    if not bare.empty:
        raise InputError(
            [
                f"benchmark '{row.benchmark}': the score of model {row.model!r} has neither n nor "
                "a standard error, so nothing can be said about ties; give the number of items "
                "with the key 'n_items', or supply standard errors, runs or item responses"
                for row in bare.itertuples()
            ]
        )


def _responses(file: str, imported: Imported, unit: Unit, violations: list[str]) -> pd.DataFrame:
    """One file's responses in [0, 1]; what is wrong is appended to `violations`."""
    frame = pd.DataFrame(imported.responses)
    if frame.empty:
        return frame
    values = pd.to_numeric(frame["response"], errors="coerce")
    low, high = _bounds(unit, imported.minimum, imported.maximum)
    higher = _direction(unit, imported.higher_is_better)
    if missing := list(_undeclared(low, high, higher, unit.bounded)):
        violations.append(f"{file}: {missing[0]}")
        return frame
    if unit.bounded:
        bad = values.isna() | (values < low - ROUNDING) | (values > high + ROUNDING)
        expected = f"expected a number from {low:g} to {high:g}"
    else:
        bad, expected = values.isna(), "expected a number"
    violations += [
        f"{_where(file, row.row, row.model)}, item {row.item!r}: response {row.response!r}; "
        + expected
        for row in frame[bad].itertuples()
    ]
    frame["response"] = _to_unit(values, low, high, bool(higher), unit.bounded)
    return frame


def _problems(score: Score, unit: Unit, where: str) -> Iterable[str]:
    if not score.model:
        yield f"{where}: the model's name is missing"
    value = _float(score.score)
    if value is None or not math.isfinite(value):
        yield f"{where}: score {score.score!r}; expected a finite number"
        return
    low, high = _bounds(unit, score.minimum, score.maximum)
    higher = _direction(unit, score.higher_is_better)
    yield from (f"{where}: {sentence}" for sentence in _undeclared(low, high, higher, unit.bounded))
    if unit.bounded and low is not None and not low - ROUNDING <= value <= high + ROUNDING:
        yield (
            f"{where}: score {value:g} is outside the metric's range {low:g} to {high:g}; "
            "is it a percentage? Declare the unit with the key 'score_range'"
        )
    error = _float(score.standard_error)
    if score.standard_error is not None and (error is None or not 0 <= error < math.inf):
        yield f"{where}: standard error {score.standard_error!r}; expected a number from 0"
    n = score.n_items
    if n is not None and (_float(n) is None or not float(n) >= 1 or float(n) % 1):
        yield f"{where}: n_items {n!r}; expected a whole number from 1"
    if score.date is not None and not _is_date(score.date):
        yield f"{where}: date {score.date!r}; expected an ISO date such as 2026-01-31"


def _converted(benchmark: str, score: Score, unit: Unit) -> dict[str, Any]:
    low, high = _bounds(unit, score.minimum, score.maximum)
    higher = bool(_direction(unit, score.higher_is_better))
    width = high - low if unit.bounded and low is not None and high is not None else 1.0
    error = _float(score.standard_error)
    n = score.n_items if score.n_items is not None else unit.n_items
    return {
        "benchmark": benchmark,
        "model": score.model,
        "metric": score.metric,
        "run": score.run,
        "configuration": score.configuration,
        "date": score.date,
        "score": _to_unit(float(score.score), low, high, higher, unit.bounded),
        "standard_error": None if error is None else error / width,
        "n_items": None if n is None else int(n),
    }


def _to_unit(value: Any, low: float | None, high: float | None, higher: bool, bounded: bool) -> Any:
    if not bounded or low is None or high is None:
        return value if higher else -value
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return share if higher else 1 - share


def _bounds(unit: Unit, low: float | None, high: float | None) -> tuple[Any, Any]:
    return (low, high) if unit.minimum is None else (unit.minimum, unit.maximum)


def _direction(unit: Unit, declared: bool | None) -> bool | None:
    return declared if unit.higher_is_better is None else unit.higher_is_better


def _undeclared(low: Any, high: Any, higher: bool | None, bounded: bool) -> Iterable[str]:
    if bounded and (low is None or high is None):
        yield (
            "the file does not say in which range the metric lies; declare it with the key "
            "'score_range', for example [0, 1] or [0, 100], or give the metric family 'rating'"
        )
    if higher is None:
        yield (
            "the file does not say whether a higher score is better; declare it with the key "
            "'higher_is_better'"
        )


def _duplicates(frame: pd.DataFrame) -> list[str]:
    key = ["model", "run", "configuration", "date"]
    return [
        f"benchmark '{row.benchmark}': model {row.model!r} has more than one score in the same "
        "run, configuration and date; remove one, or tell them apart with the column or key "
        "'run' or 'configuration'"
        for row in frame[frame.duplicated(key)].itertuples()
    ]


def _one_version(files: Sequence[tuple[str, Imported]]) -> None:
    versions = {imported.version for _, imported in files if imported.version}
    if len(versions) > 1:
        raise InputError(
            [
                f"{file}: schema version {imported.version}; the files of one benchmark mix the "
                f"versions {', '.join(sorted(versions))}: convert them to one"
                for file, imported in files
                if imported.version
            ]
        )


def _where(file: str, row: int | None, model: str) -> str:
    place = f", row {row}" if row is not None and not pd.isna(row) else ""
    return f"{file}{place}, model {model!r}"


def _float(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
