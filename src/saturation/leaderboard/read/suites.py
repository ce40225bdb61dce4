"""A suite's mean over tasks as a mean over items: the error is for other tasks of the kind."""

import math
from collections.abc import Iterable, Mapping, Sequence

from saturation.errors import InputError, Key, Unsettled, Violation, group_values, listed
from saturation.leaderboard.read import columns
from saturation.leaderboard.read.board import Reading, day_of_board, remarks_on
from saturation.leaderboard.read.cells import Value, numbers_of
from saturation.leaderboard.read.counts import score_of_row
from saturation.leaderboard.read.duplicates import resolve
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import AVERAGE, Choice, Imported, Origin, Response, Score
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
    if board.task is not None:
        return {AVERAGE}
    if len(board.scores) < 2:
        return set()
    return {AVERAGE, *(board.name(place).lower() for place in board.aggregates)}


def suite(readings: Mapping[str, Reading]) -> Imported:
    """Return a response for each model and task; for a mean, of the models with all tasks.

    Where the tasks themselves are wanted (`Choice.suite`), the mean that a table states does not
    matter, tasks whose scores have no range are left out, and where less is better in some of the
    tasks, their scores are turned round.
    """
    first = next(iter(readings.values()))
    board, choice, origin = first.board, first.choice, first.origin
    notes = remarks_on(board, origin)
    day = day_of_board(board, origin, notes)
    mean = choice.suite is None
    if mean:
        _require_a_mean(board, choice, origin, list(readings.values()))
    else:
        # Scores have a range, or may have one that is asked for.
        readings = {
            task: reading
            for task, reading in readings.items()
            if range_of(reading) or min(numbers_of(reading.numbers)) < 0
        }
    low, high = _common_range(readings, choice, origin)
    lower = {task for task, reading in readings.items() if not direction_of(reading)}
    _settle(readings)
    higher = len(lower) < len(readings)
    responses = [
        Response(score.model, task, score.score, row=score.row, date=score.date)
        for task, reading in readings.items()
        for score in _one_score_a_model(reading, day, higher, low + high if task in lower else None)
    ]
    if mean:
        responses, left_out = complete(responses)
        notes += [*first.notes, *board.remarks_on_unread(), *left_out]
        notes.append(MEANS.format(len({response.item for response in responses})))
    return Imported(
        responses=responses,
        suite=True,
        notes=notes,
        minimum=low,
        maximum=high,
        higher_is_better=higher,
        family="bounded_mean",
    )


def _settle(readings: Mapping[str, Reading]) -> None:
    """Ask what is open in the tasks; no direction is proposed for tasks that do not ask for it."""
    questions = [reading.questions for reading in readings.values()]
    answers = {key: value for of_task in questions for key, value in of_task.answers.items()}
    if any("higher_is_better" not in of_task.answers for of_task in questions):
        answers |= dict.fromkeys({"higher_is_better"} & set(answers))
    if by_key := group_values(
        pair for of_task in questions for pair in zip(of_task.answers, of_task.sentences)
    ):
        lines = []
        for first, *further in (dict.fromkeys(group) for group in by_key.values()):
            more = f" (and so of {len(further)} more tasks)" if further else ""
            lines.append(Violation(first, more))
        raise Unsettled(lines, answers)


def _one_score_a_model(
    reading: Reading, day: str | None, higher: bool, ends: float | None
) -> list[Score]:
    """Return a score of each model that has any; which of several counts is a question.

    Where higher is better in other tasks alone, scores are subtracted from the ends' sum.
    """
    scores = []
    for row in reading.models:
        score = score_of_row(reading, row)
        if higher and ends is not None and isinstance(score.score, float):
            score = score._replace(score=ends - score.score)
        scores.append(
            score._replace(
                date=score.date or day, higher_is_better=higher, task="", run="", configuration=""
            )
        )
    resolved = resolve(scores, reading.choice, reading.origin.file)
    if resolved.question:
        sentence = Violation(f"{reading.origin.file}: ", resolved.question)
        raise Unsettled([sentence], {"duplicates": resolved.proposed})
    return resolved.scores


def complete(responses: Sequence[Response]) -> tuple[list[Response], list[str]]:
    """Return the responses of models with every task: means over different tasks rank nobody.

    Tasks that most models lack are left out first.
    """
    models_of: dict[str, set[str]] = {}
    for response in responses:
        models_of.setdefault(response.item, set()).add(response.model)
    models = {response.model for response in responses}
    common = {task for task, having in models_of.items() if 2 * len(having) >= len(models)}
    tasks = common or set(models_of)
    rare = set(models_of) - tasks
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


def _require_a_mean(
    board: Layout, choice: Choice, origin: Origin, readings: Sequence[Reading]
) -> None:
    if (tasks := len(readings)) < FEWEST_TASKS:
        raise _explain(
            choice,
            origin,
            f"the mean of {tasks} tasks has no known error (at least {FEWEST_TASKS} are needed)",
        )
    wished = [p for p in board.aggregates if board.name(p) == choice.task]
    differs = not matches_mean(board) or any(_differs(board, p) > 0 for p in wished)
    if board.task is None and differs:
        raise _explain(
            choice,
            origin,
            f"{listed(board.name(p) for p in board.aggregates)} is not the mean of the "
            f"{len(board.scores)} columns of tasks, so its error is unknown",
        )
    stated = {direction_by_name(board, reading.place) is not False for reading in readings}
    if len(stated) > 1 and choice.higher_is_better is None:
        raise _explain(choice, origin, "higher is better in some of the tasks, lower in others")


def _explain(choice: Choice, origin: Origin, why: str, *remedy: str | Key) -> InputError:
    other = _ELSE if choice.suite is None else "write all in one unit"
    return InputError(Violation(f"{origin.file}: {why}; ", other, *remedy))


def _common_range(
    readings: Mapping[str, Reading], choice: Choice, origin: Origin
) -> tuple[float, float]:
    """Return the range that all tasks share; a task of zeros fits every range."""
    numbers = {task: numbers_of(r.numbers) for task, r in readings.items()}
    filled = {task: values for task, values in numbers.items() if choice.score_range or any(values)}
    different = {range_of(readings[task]) for task in filled}
    if negative := [limits for limits in different if limits and limits[0] < 0]:
        return negative[0]
    same_unit = choice.score_range or share_a_unit(filled.values())
    if same_unit and len(different) == 1 and (only := different.pop()):
        return only
    highest = [(max(values), task) for task, values in filled.items()]
    ends = [f"'{task}' is at most {top:g}" for top, task in (min(highest), max(highest))]
    raise _explain(
        choice,
        origin,
        f"the tasks have different ranges ({', '.join(ends)}), so their mean has none",
        ", or, if all have one, say it with ",
        Key("score_range"),
    )


def share_a_unit(numbers: Iterable[Sequence[float]]) -> bool:
    """Return whether no task has grades of at most ten beside a task of larger scores alone."""
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
            stated, *parts = numbers_of(numbers)
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
