"""Standard error of a score, as a table states the error in a cell or in a further column."""

import math
from collections.abc import Sequence

from saturation.errors import InputError, Key
from saturation.leaderboard.read import cells, columns, rows
from saturation.leaderboard.read.board import Asked, Row, speaks_of_runs
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.counts import n_of_row
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import Choice, Origin

# What is further from n's error is in another unit, and refused.
MOST_ASKED = 30.0

Limits = tuple[float, float] | None


def error_of(board: Layout, place: int, row: Row, choice: Choice, origin: Origin) -> object:
    """Return the standard error that a row states, in the file's unit; text of another cell."""
    cell = row.value
    if not isinstance(cell, Value):
        return None
    level = columns.level_of(board.name(place)) or choice.interval_level
    n = _number_of_items(board, place, row)
    if cell.error is None:
        return _error_beside(board, place, row, choice, origin, cell, level, n)
    if columns.is_deviation(board.name(place)):
        return rows.standard_error(deviation=cell.error, n=n)
    # Half an interval, if the column's name or the user says so.
    half = (-cell.error, cell.error) if level else None
    return rows.standard_error(None if level else cell.error, interval=half, level=level)


def _number_of_items(board: Layout, place: int, row: Row) -> float | None:
    n = n_of_row(board, place, row)
    return n if isinstance(n, (int, float)) and n > 0 else None


def _error_beside(
    board: Layout,
    place: int,
    row: Row,
    choice: Choice,
    origin: Origin,
    cell: Value,
    level: float | None,
    n: float | None,
) -> object:
    interval = None if cell.low is None or cell.high is None else (cell.low, cell.high)
    stated: dict[str, Value | str | None] = {}
    for other in columns_of_errors(board, place):
        name, text = board.name(other), row.cells[board.name(other)]
        kind = _kind_of_error(name, choice)
        if kind:
            stated[kind] = cells.value(text)
        elif not cells.blank(text):
            interval = cells.ends_around(text, cell.number)
            level = columns.level_of(name) or choice.interval_level
    texts = [read for read in stated.values() if isinstance(read, str)]
    if texts:
        return texts[0]
    if (ends := _own_ends(board, place)) is not None:
        interval = _stated_ends(ends, row, cell.number, origin) or interval
    numbers = {key: read.number for key, read in stated.items() if isinstance(read, Value)}
    return rows.standard_error(**numbers, n=n, interval=interval, level=level or rows.CONFIDENCE)


def _kind_of_error(name: str, choice: Choice) -> str:
    """Return whether a column holds standard errors or deviations; nothing for intervals."""
    if columns.is_deviation(name):
        return "deviation"
    unsaid = choice.interval_level is None and not columns.says_of_what(name)
    return "error" if columns.level_of(name) == 0 or unsaid else ""


def columns_of_errors(board: Layout, place: int) -> list[int]:
    """Return the columns of errors that belong to a column of scores."""
    own = columns.words(board.name(place))
    every = [*board.scores, *board.aggregates]

    def belongs(other: int) -> bool:
        left = columns.words(board.name(other)) - columns.OF_ERRORS
        if left:
            named = [p for p in every if left <= columns.words(board.name(p))]
            return place in named and (len(named) == 1 or left == own - columns.OF_ERRORS)
        return len(every) == 1 or max((p for p in every if p < other), default=None) == place

    return [other for other in board.errors if belongs(other)]


def _own_ends(board: Layout, place: int) -> tuple[int, int] | None:
    own = columns.words(board.name(place))
    for pair in board.ends:
        left = columns.words(board.name(pair[0])) - columns.OF_ERRORS
        if left <= own or len(board.scores) == 1:
            return pair
    return None


def _stated_ends(
    ends: tuple[int, int], row: Row, score: float, origin: Origin
) -> tuple[float, float] | None:
    low, high = (row.values[place] for place in ends)
    if not isinstance(low, Value) or not isinstance(high, Value):
        return None
    if not low.number <= score <= high.number:
        raise InputError(
            f"{origin.file}, row {row.line}, model {row.model!r}: score {score:g} is outside its "
            f"interval {low.number:g} to {high.number:g}; correct the ends"
        )
    return low.number, high.number


def check_errors(
    board: Layout,
    place: int,
    models: Sequence[Row],
    limits: Limits,
    n_items: int | None,
    choice: Choice,
    asked: Asked,
    notes: list[str],
) -> bool:
    """Return whether stated errors belong to scores: spreads over runs do not.

    What a ± is, is said, or asked where n contradicts a standard error.
    """
    if limits is not None and (said := speaks_of_runs(board.sheet.about)):
        if _states_errors(board, place, models):
            notes.append(
                f"the errors of '{board.name(place)}' are not read: they are over runs and leave "
                f"the items out ('{said}')"
            )
        return False
    if choice.interval_level is not None:
        return True
    ratio = _ratio(board, place, models, limits, n_items)
    beside = columns_of_errors(board, place)
    if (
        ratio is not None
        and not 1.85 < ratio < 2.1
        and beside
        and (rows.MOST_RATIO < ratio < MOST_ASKED or 1 / MOST_ASKED < ratio < rows.LEAST_RATIO)
    ):
        kept = {"model": board.name(board.model), "score": board.name(place)}
        sizes = board.n_of(place)
        kept |= {"n_items": board.name(sizes)} if sizes is not None else {}
        why = "an error over runs leaves the items out" if ratio < 1 else "no n items have such"
        asked.ask(
            f"the errors in {_listed(board, beside)} are {ratio:.2g} times those of n right or "
            f"wrong items: {why}; leave them out, so that n tells the error, with ",
            Key("columns", value=kept),
            columns=kept,
        )
        return True
    _ask_about_plus_minus(board, place, models, limits, ratio, asked, notes)
    return True


def _listed(board: Layout, places: Sequence[int]) -> str:
    return ", ".join(f"'{board.name(place)}'" for place in places)


def _states_errors(board: Layout, place: int, models: Sequence[Row]) -> bool:
    in_cells = any(isinstance(row.value, Value) and row.value.error is not None for row in models)
    return in_cells or bool(columns_of_errors(board, place))


def _stated_error(board: Layout, place: int, row: Row) -> float | None:
    """Return the number that a row states as a standard error or ±, but no interval."""
    if isinstance(row.value, Value) and row.value.error is not None:
        return row.value.error
    for other in columns_of_errors(board, place):
        name, read = board.name(other), row.values[other]
        spread = not columns.is_deviation(name) and not columns.level_of(name)
        if spread and isinstance(read, Value):
            return read.number
    return None


def _ratio(
    board: Layout, place: int, models: Sequence[Row], limits: Limits, n_items: int | None
) -> float | None:
    """Return the median ratio of stated errors to errors of n right or wrong items."""
    if limits is None or columns.level_of(board.name(place)):
        return None
    low, high = limits
    ratios = []
    for row in models:
        n = _number_of_items(board, place, row) or n_items
        error = _stated_error(board, place, row)
        if not n or not error or not isinstance(row.value, Value):
            continue
        if low < row.value.number < high:
            largest = math.sqrt((row.value.number - low) * (high - row.value.number) / n)
            ratios.append(error / largest)
    return sorted(ratios)[len(ratios) // 2] if ratios else None


def _ask_about_plus_minus(
    board: Layout,
    place: int,
    models: Sequence[Row],
    limits: Limits,
    ratio: float | None,
    asked: Asked,
    notes: list[str],
) -> None:
    """Say that ± is read as a standard error, or ask where n contradicts."""
    name = board.name(place)
    named = {p: board.name(p) for p in columns_of_errors(board, place)}
    beside = next((p for p in named if "±" in columns.words(named[p])), None)
    if columns.says_of_what(name if beside is None else named[beside]):
        return
    in_cells = any(isinstance(row.value, Value) and row.value.error is not None for row in models)
    if not in_cells and beside is None:
        return
    why = "" if limits else "ratings mostly come with half a 95 % interval"
    if ratio is not None and 1.85 < ratio < 2.1:
        why = "it is about 1.96 times the standard error of so many right or wrong items"
    if why:
        asked.ask(
            f"what the ± of '{name}' is: say it with ",
            Key("interval_level"),
            f": 0.95 if half a 95 % interval, 0.6827 if a standard error; {why}",
            interval_level=0.95,
        )
    else:
        notes.append(
            f"the ± of '{name}' is read as a standard error; interval_level: 0.95 reads it as half "
            "a 95 % interval"
        )
