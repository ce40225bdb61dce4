"""Plain tables of models with their scores: one score a row, or a column for each task."""

import pandas as pd

from saturation.board.importers import cells
from saturation.board.importers.choosing import choose
from saturation.board.importers.formats.responses import only_right_and_wrong, tasks
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin, Score
from saturation.board.importers.stated import standard_error
from saturation.board.importers.suggesting import item_columns
from saturation.errors import InputError, shortened

REQUIRED = ("model", "score")
OPTIONAL = (
    *("standard_error", "standard_deviation", "n_items", "lower", "upper"),
    *("run", "configuration", "date", "task", "metric"),
)
# What a row of a table with a column for each task may say beside its scores.
BESIDE = ("model", "run", "configuration", "date", "n_items")


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
        For an unknown column, several tasks of which none was chosen, a percent sign in some scores
        only, and an interval that does not hold its score.
    """
    allowed = [*REQUIRED, *OPTIONAL]
    unknown = [name for name in table.columns if name not in allowed]
    if unknown:
        raise InputError(_unknown(table, unknown, allowed, origin))
    task = origin.task or choice.task
    if "task" in table:
        task = choose(task, tasks(table, choice), "tasks", "task", origin.file)
        table = table[table["task"].astype(str) == task]
    cells.one_unit(table["score"], origin)
    rows = list(cells.rows(table))
    refused = [sentence for number, row in rows for sentence in _interval(row, origin, number)]
    if refused:
        raise InputError(shortened(refused))
    return Imported(scores=[_score(row, choice, origin, number) for number, row in rows])


def wide_leaderboard(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One task's column of a table with a column for each task.

    An empty cell is a task in which the model was not evaluated.

    Parameters
    ----------
    table
        ``model``, any other of `BESIDE`, and the tasks.
    choice
        The task.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If no task was chosen, or only some of its scores have a percent sign.
    """
    present = wide_tasks(table, choice)
    wanted = origin.task or choice.task
    if wanted is None:
        listed = ", ".join(f"'{name}'" for name in present[:12])
        raise InputError(
            f"{origin.file}: {_first_score(table)}, so the {len(present)} columns are taken "
            f"for scores in tasks ({listed}); choose one with the key 'task' of the benchmark, or "
            "set its key 'each_task' for a card of each. If they are items, correct the cell, or "
            "give them as rows: a first column 'item', then one a model"
        )
    task = choose(wanted, present, "tasks", "task", origin.file)
    beside = [name for name in BESIDE if name in table]
    cells.one_unit(table[task], origin)
    narrow = table[[*beside, task]].rename(columns={task: "score"})
    rows = [(n, row) for n, row in cells.rows(narrow) if cells.text(row["score"]).strip()]
    left_out = len(narrow) - len(rows)
    notes = [f"{left_out} models without a score in '{task}'"] if left_out else []
    scores = [_score(row, choice, origin, n)._replace(task=task) for n, row in rows]
    return Imported(scores=scores, notes=notes)


def wide_tasks(table: pd.DataFrame, _choice: Choice) -> list[str]:
    """The columns most of whose cells are numbers."""
    return [
        str(name) for name in table.columns if name not in BESIDE and _mostly_numbers(table[name])
    ]


def _mostly_numbers(column: pd.Series) -> bool:
    given = [cell for cell in column if cells.text(cell).strip()]
    numbers = [cell for cell in given if not isinstance(cells.number(cell), str)]
    return 2 * len(numbers) > len(given)


def _first_score(table: pd.DataFrame) -> str:
    """The first cell that is a number and neither 0 nor 1: it makes a table one of scores."""
    found = (
        f"row {number}, column '{name}' holds {cells.text(row[name])} and not 0 or 1"
        for number, row in cells.rows(table)
        for name in table.columns[1:]
        if not isinstance(value := cells.number(row[name]), str) and value not in (None, 0, 1)
    )
    return next(found, "not all cells are 0 or 1")


def _is_wide(table: pd.DataFrame) -> bool:
    return not only_right_and_wrong(table)


def _score(row: cells.Row, choice: Choice, origin: Origin, number: int) -> Score:
    return Score(
        model=cells.text(row.get("model")),
        score=cells.number(row["score"]),
        metric=cells.text(row.get("metric")) or choice.metric or "score",
        task=cells.text(row.get("task")) or None,
        standard_error=_standard_error(row, choice.interval_level),
        n_items=cells.number(row.get("n_items")),
        run=cells.text(row.get("run")),
        configuration=cells.text(row.get("configuration")) or origin.configuration,
        date=cells.text(row.get("date")) or origin.date,
        row=number,
    )


def _standard_error(row: cells.Row, level: float) -> object:
    """The error in the file's unit; what should be a number and is none stays as it is."""
    names = ("standard_error", "standard_deviation", "lower", "upper", "n_items")
    stated = [cells.number(row.get(name)) for name in names]
    for value in stated[:-1]:
        if isinstance(value, str):
            return value
    error, deviation, lower, upper, n = stated
    n = n if isinstance(n, (int, float)) and n > 0 else None
    interval = None if lower is None or upper is None else (lower, upper)
    return standard_error(error, deviation, n, interval, level)


def _unknown(
    table: pd.DataFrame, unknown: list[str], allowed: list[str], origin: Origin
) -> list[str]:
    """What is wrong with columns that no leaderboard has, and what they may be instead."""
    violations = [
        f"{origin.file}: column '{name}' is not known; allowed: {', '.join(allowed)}; "
        "leave it out, or name the columns to be read with the key 'columns'"
        for name in unknown
    ]
    if found := item_columns(table, unknown):
        named = {"model": "model", **found, "response": "score"}
        pairs = ", ".join(f"{ours}={theirs}" for ours, theirs in named.items())
        violations.append(
            f"{origin.file}: most models have several rows; if each is an answer to an item, say "
            f"so with the key 'columns': {pairs}"
        )
    return violations


def _interval(row: cells.Row, origin: Origin, number: int) -> list[str]:
    lower, score, upper = (cells.number(row.get(name)) for name in ("lower", "score", "upper"))
    ends = [end for end in (lower, score, upper) if isinstance(end, (int, float))]
    if ends == sorted(ends):
        return []
    return [
        f"{origin.file}, row {number}, model {cells.text(row.get('model'))!r}: score {score} is "
        f"outside its interval {lower} to {upper}; correct lower and upper"
    ]


FORMATS = (
    Importer(
        name="leaderboard",
        title="a leaderboard",
        shape=Shape.TABLE,
        keys=REQUIRED,
        tasks=tasks,
        read=leaderboard,
    ),
    Importer(
        name="wide_leaderboard",
        title="a leaderboard with a column for each task",
        shape=Shape.TABLE,
        begins=("model",),
        accepts=_is_wide,
        holds="other values than 0 and 1",
        tasks=wide_tasks,
        read=wide_leaderboard,
    ),
)
