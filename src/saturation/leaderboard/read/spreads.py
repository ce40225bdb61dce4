"""Standard error of a score, as a table states the error in a cell or in a further column."""

import math
from typing import Any

from saturation.errors import InputError, Key
from saturation.leaderboard.read import cells, columns, rows
from saturation.leaderboard.read.board import Reading, Row, speaks_of_runs
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.counts import n_of_row
from saturation.leaderboard.read.roles import Layout

# What is further from n's error is in another unit, and refused.
MOST_ASKED = 30.0
# Items of which a score would have an error that is rounded to 0.
MOST_PLAUSIBLE = 1e5
# How many standard errors half a 95 % interval has, with its rounding.
HALVES = (1.85, 2.1)


def error_of(reading: Reading, row: Row) -> Any:
    """Return the standard error that a row states, in the file's unit; text of another cell."""
    cell = row.value
    if not isinstance(cell, Value):
        return None
    level = columns.level_of(reading.name) or reading.choice.interval_level
    n = _number_of_items(reading, row)
    if cell.error is None:
        return _error_beside(reading, row, cell, level, n)
    if columns.names_deviation(reading.name):
        return rows.standard_error(deviation=cell.error, n=n)
    # Half an interval, if the column's name or the user says so.
    half = (-cell.error, cell.error) if level else None
    return rows.standard_error(None if level else cell.error, interval=half, level=level)


def _number_of_items(reading: Reading, row: Row) -> float | None:
    n = n_of_row(reading, row)
    return n if isinstance(n, (int, float)) and n > 0 else None


def _error_beside(
    reading: Reading, row: Row, cell: Value, level: float | None, n: float | None
) -> Any:
    interval = None if cell.low is None or cell.high is None else (cell.low, cell.high)
    numbers: dict[str, float] = {}
    for name in _names_of_errors(reading):
        kind, text = _kind_of_error(name, reading), row.cells[name]
        stated = cells.value(text) if kind else None
        if isinstance(stated, str):
            return stated
        if stated is not None:
            numbers[kind] = stated.number
        elif not kind and not cells.blank(text):
            interval = cells.ends_around(text, cell.number)
            level = columns.level_of(name) or reading.choice.interval_level
    interval = _stated_ends(reading, row, cell.number) or interval
    return rows.standard_error(**numbers, n=n, interval=interval, level=level or rows.CONFIDENCE)


def _kind_of_error(name: str, reading: Reading) -> str:
    """Return whether a column holds standard errors or deviations; nothing for intervals.

    The deviation of a rating is its standard error.
    """
    if columns.names_deviation(name):
        return "error" if columns.family_of(reading.name) == "rating" else "deviation"
    unsaid = reading.choice.interval_level is None and not columns.says_of_what(name)
    return "error" if columns.level_of(name) == 0 or unsaid else ""


def _names_of_errors(reading: Reading) -> list[str]:
    """Return the columns of errors that belong to the column of scores."""
    board = reading.board
    return [board.name(p) for p in board.errors if _belongs_to(board, p, reading.place)]


def _belongs_to(board: Layout, other: int, place: int) -> bool:
    """Return whether a column of errors belongs to a column of scores, by its name or place."""
    words = _words_of_score(board, other)
    if words:
        scores = [p for p in board.all_scores if words <= columns.words(board.name(p))]
        return place in scores and (len(scores) == 1 or words == _words_of_score(board, place))
    return (
        len(board.all_scores) == 1
        or max((p for p in board.all_scores if p < other), default=-1) == place
    )


def _words_of_score(board: Layout, place: int) -> frozenset[str]:
    return columns.words(board.name(place)) - columns.OF_ERRORS


def _stated_ends(reading: Reading, row: Row, score: float) -> tuple[float, float] | None:
    """Return the ends of a row's interval that stand in two columns."""
    board = reading.board
    fitting = (ends for ends in board.ends if _belongs_to(board, ends[0], reading.place))
    if (ends := next(fitting, None)) is None:
        return None
    low, high = (row.values[place] for place in ends)
    if not isinstance(low, Value) or not isinstance(high, Value):
        return None
    if not low.number <= score <= high.number:
        raise InputError(
            f"{reading.origin.file}, row {row.line}, model {row.model!r}: score {score:g} is "
            f"outside its interval {low.number:g} to {high.number:g}; correct the ends"
        )
    return low.number, high.number


def check_errors(reading: Reading, n_items: int | None) -> bool:
    """Return whether stated errors belong to scores: spreads over runs do not.

    What a ± is, is said, or asked where n contradicts a standard error.
    """
    ratios = _ratios(reading, n_items)
    sentence = speaks_of_runs(reading.board.sheet.about) or _evidence_of_runs(reading)
    if reading.limits is not None and sentence:
        if _holds_errors(reading) or _names_of_errors(reading):
            reading.notes.append(
                f"the errors of '{reading.name}' are not read: they are over runs and leave the "
                f"items out ('{sentence}')"
            )
        return False
    if reading.choice.interval_level is not None:
        return True
    ratio = ratios[len(ratios) // 2] if ratios else None
    is_half = ratio is not None and HALVES[0] < ratio < HALVES[1]
    if ratio is not None and not is_half and _names_of_errors(reading):
        large = rows.MOST_RATIO < ratio < MOST_ASKED
        if large or 1 / MOST_ASKED < ratio < rows.LEAST_RATIO:
            _ask_to_leave_out(reading, ratio)
            return True
    _ask_about_plus_minus(reading, is_half=is_half)
    return True


def _evidence_of_runs(reading: Reading) -> str:
    """Return why errors are no errors of items: one is 0, or only some rows have any."""
    errors = [row.value.error is not None for row in reading.models if isinstance(row.value, Value)]
    if 0 < 3 * sum(errors) < 2 * len(errors):
        return f"only {sum(errors)} of {len(errors)} rows have a ±"
    for row in reading.models if reading.limits is not None else ():
        if isinstance(row.value, Value) and _stated_error(reading, row) == 0:
            (low, high), number = reading.limits or (0, 1), row.value.number
            half_digit = 10.0**-row.value.decimals / 2
            if (number - low) * (high - number) > MOST_PLAUSIBLE * half_digit**2:
                return f"{number:g} ± 0 of {row.model}"
    return ""


def _ask_to_leave_out(reading: Reading, ratio: float) -> None:
    """Ask to leave out columns of errors that n contradicts."""
    board = reading.board
    names = {"model": board.name(board.model), "score": reading.name}
    if reading.sizes is not None:
        names["n_items"] = board.name(reading.sizes)
    names = reading.choice.complete(names)
    why = "an error over runs leaves the items out" if ratio < 1 else "no n items have such"
    errors = ", ".join(f"'{name}'" for name in _names_of_errors(reading))
    reading.questions.ask(
        f"the errors in {errors} are {ratio:.2g} times those of n right or wrong items: {why}; "
        "leave them out, so that n tells the error, with ",
        Key("columns", value=names),
        columns=names,
    )


def _holds_errors(reading: Reading) -> bool:
    """Return whether the cells of the scores hold a ±."""
    values = (row.value for row in reading.models)
    return any(isinstance(value, Value) and value.error is not None for value in values)


def _stated_error(reading: Reading, row: Row) -> float | None:
    """Return the number that a row states as a standard error or ±, but no interval."""
    if isinstance(row.value, Value) and row.value.error is not None:
        return row.value.error
    for name in _names_of_errors(reading):
        stated = cells.value(row.cells[name])
        spread = not columns.names_deviation(name) and not columns.level_of(name)
        if spread and isinstance(stated, Value):
            return stated.number
    return None


def _ratios(reading: Reading, n_items: int | None) -> list[float]:
    """Return the ratios of stated errors to errors of n right or wrong items, sorted."""
    if reading.limits is None or columns.level_of(reading.name):
        return []
    low, high = reading.limits
    ratios = []
    for row in reading.models:
        n = _number_of_items(reading, row) or n_items
        error = _stated_error(reading, row)
        if n and error and isinstance(row.value, Value) and low < row.value.number < high:
            largest = math.sqrt((row.value.number - low) * (high - row.value.number) / n)
            ratios.append(error / largest)
    return sorted(ratios)


def _ask_about_plus_minus(reading: Reading, *, is_half: bool) -> None:
    """Say that ± is read as a standard error, or ask where n contradicts."""
    name = reading.name
    beside = [error for error in _names_of_errors(reading) if "±" in columns.words(error)]
    if columns.says_of_what((beside or [name])[0]) or not (beside or _holds_errors(reading)):
        return
    why = "" if reading.limits else "ratings mostly come with half a 95 % interval"
    if is_half:
        why = "it is about 1.96 times the standard error of so many right or wrong items"
    if why:
        reading.questions.ask(
            f"what the ± of '{name}' is: say it with ",
            Key("interval_level"),
            f": 0.95 if half a 95 % interval, 0.6827 if a standard error; {why}",
            interval_level=0.95,
        )
    else:
        reading.notes.append(
            f"the ± of '{name}' is read as a standard error; interval_level: 0.95 reads it as half "
            "a 95 % interval"
        )
