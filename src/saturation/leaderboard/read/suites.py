"""A suite's mean over tasks as a mean over items: the error is for other tasks of the kind."""

import math
from collections.abc import Sequence

from saturation.errors import InputError, Key, Violation, listed
from saturation.leaderboard.read import cells, columns
from saturation.leaderboard.read.board import (
    Questions,
    Reading,
    Row,
    day_of_board,
    remarks_on,
)
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import AVERAGE, Choice, Imported, Origin, Response
from saturation.leaderboard.read.scale import direction_by_name, direction_of, range_of

# How few tasks give no error of their mean.
FEWEST_TASKS = 5
# Largest difference of a stated average from the mean of the tasks, in units of the last digit.
MOST_DIGITS = 2.0
_ELSE = Violation("choose one with ", Key("task"), ", or a card of each with ", Key("each_task"))
MEANS = (
    "scores are means over {} tasks, which count as the items: errors are those of other tasks of "
    "this kind"
)


def averages(board: Layout) -> set[str]:
    """Return the names, in small letters, by which a table's mean over tasks is asked for."""
    if len(board.scores) < 2:
        return set()
    return {AVERAGE, *(board.name(place).lower() for place in board.aggregates)}


def suite(board: Layout, choice: Choice, origin: Origin) -> Imported:
    """Return a response for each model and task; models that lack a task are left out."""
    _require_a_mean(board, choice, origin)
    questions = Questions(origin.file)
    readings = [Reading(board, place, choice, origin, questions) for place in board.scores]
    low, high = _common_range(readings)
    notes = remarks_on(board, origin)
    day = day_of_board(board, origin, notes)
    higher = direction_of(readings[0])
    questions.settle()
    responses, left_out = complete(
        [_response(reading, row, day) for reading in readings for row in reading.models]
    )
    notes += [*left_out, MEANS.format(len({response.item for response in responses}))]
    return Imported(
        responses=responses,
        suite=True,
        notes=list(dict.fromkeys(notes)),
        minimum=low,
        maximum=high,
        higher_is_better=higher,
        family="bounded_mean",
    )


def _response(reading: Reading, row: Row, day: str | None) -> Response:
    board = reading.board
    number = row.value.number if isinstance(row.value, Value) else row.value
    cell = row.cells.get(board.name(board.date)) if board.date is not None else None
    date = cells.day_of(cell) if cell is not None else day
    return Response(row.model, reading.name, number, row=row.line, date=date)


def complete(responses: Sequence[Response]) -> tuple[list[Response], list[str]]:
    """Return the responses of models with every task: means over different tasks rank nobody.

    Tasks that most models lack are left out first.
    """
    models_of: dict[str, set[str]] = {}
    for response in responses:
        models_of.setdefault(response.item, set()).add(response.model)
    models = {response.model for response in responses}
    rare = {task for task, having in models_of.items() if 2 * len(having) < len(models)}
    tasks = set(models_of) - rare
    lacking = {model for model in models if any(model not in models_of[task] for task in tasks)}
    notes = [f"tasks that most models lack are left out: {listed(rare)}"] if rare else []
    if lacking:
        notes.append(
            f"{len(lacking)} models lack a task and are not ranked, since means over different "
            f"tasks cannot be compared: {listed(lacking)}"
        )
    if len(models - lacking) < 2 <= len(models):
        fewest = sorted(tasks, key=lambda task: len(models_of[task]))
        raise InputError(
            Violation(
                "hardly a model has a score in every task, so their means cannot be compared; "
                f"leave out the tasks that most lack, such as {listed(fewest[:3])}, or ",
                _ELSE,
            )
        )
    whole = [r for r in responses if r.item in tasks and r.model not in lacking]
    return whole, notes


def _require_a_mean(board: Layout, choice: Choice, origin: Origin) -> None:
    if len(board.scores) < FEWEST_TASKS:
        raise _explain(
            origin,
            f"the mean of {len(board.scores)} tasks has no known error (at least {FEWEST_TASKS} "
            "are needed)",
        )
    wished = [p for p in board.aggregates if board.name(p) == choice.task]
    if not matches_mean(board) or any(_differs(board, p) > 0 for p in wished):
        raise _explain(
            origin,
            f"{listed(board.name(p) for p in board.aggregates)} is not the mean of the "
            f"{len(board.scores)} columns of tasks, so its error is unknown",
        )
    stated = {direction_by_name(board, place) is not False for place in board.scores}
    if len(stated) > 1 and choice.higher_is_better is None:
        raise _explain(origin, "higher is better in some of the tasks, lower in others")


def _explain(origin: Origin, why: str, *remedy: str | Key) -> InputError:
    return InputError(Violation(f"{origin.file}: {why}; ", _ELSE, *remedy))


def _common_range(readings: Sequence[Reading]) -> tuple[float, float]:
    """Return the range that all tasks share; a task of zeros fits every range."""
    choice, origin = readings[0].choice, readings[0].origin
    ranges = {
        reading.name: range_of(reading)
        for reading in readings
        if choice.score_range or any(cell.number for cell in reading.numbers)
    }
    negative = [limits for limits in ranges.values() if limits and limits[0] < 0]
    if negative and choice.score_range is None:
        return negative[0]
    different = set(ranges.values())
    same_unit = choice.score_range or share_a_unit(readings[0].board)
    if same_unit and len(different) == 1 and (only := different.pop()) is not None:
        return only
    free = [name for name, limits in ranges.items() if limits is None]
    which = f" ({listed(free)} has scores outside 0 to 100)" if free else ""
    raise _explain(
        origin,
        f"the tasks have different ranges{which}, so their mean has none",
        ", or, if all have one, say it with ",
        Key("score_range"),
    )


def share_a_unit(board: Layout) -> bool:
    """Return whether no task has grades of at most ten beside a task of larger scores alone."""
    numbers = [[cell.number for cell in board.numbers(place)] for place in board.scores]
    filled = [values for values in numbers if any(values)]
    grades = any(max(values) <= 10 for values in filled)
    return not (grades and any(min(values) > 10 for values in filled))


def matches_mean(board: Layout) -> bool:
    """Return whether the table's own average, if any, is the mean of its tasks.

    A mean win rate over other models is a rank in another unit and speaks for no other mean.
    """
    stated = [p for p in board.aggregates if not columns.words(board.name(p)) & {"win", "winrate"}]
    return not stated or any(_differs(board, place) <= 0 for place in stated)


def _differs(board: Layout, place: int) -> float:
    """Return by how much a stated average differs from the tasks' mean, or sum, beyond digits."""
    worst, digits = -math.inf, 0
    for cells_of_row in zip(*(board.values[p] for p in (place, *board.scores))):
        numbers = [cell for cell in cells_of_row if isinstance(cell, Value)]
        if len(numbers) == len(cells_of_row):
            stated, *parts = (cell.number for cell in numbers)
            total = math.fsum(parts)
            worst = max(worst, min(abs(stated - total / k) for k in (1, len(parts))))
            digits = max(digits, numbers[0].decimals)
    return math.inf if worst < 0 else worst - MOST_DIGITS * 10.0 ** -min(digits, 2)


def leave_incomplete_out(every: Sequence[Imported]) -> list[str]:
    """Leave out of all files' responses the models that lack a task, and return remarks."""
    responses = [row for content in every for row in content.responses if isinstance(row, Response)]
    complete_responses, notes = complete(responses)
    comparable = set(complete_responses)
    for content in every:
        content.responses = [row for row in content.responses if row in comparable]
    return [*notes, MEANS.format(len({row.item for row in comparable}))]
