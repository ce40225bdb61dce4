"""Plain tables of models with their scores: one score a row, or a column for each task."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from saturation.errors import InputError, refuse
from saturation.leaderboard.read import rows as read_rows
from saturation.leaderboard.read.registry import Importer, Shape, item_columns
from saturation.leaderboard.read.rows import (
    SHARE,
    Choice,
    Imported,
    Origin,
    Score,
    choose,
    standard_error,
)

RESPONSES_OPTIONAL = ("cluster", "run", "configuration", "date")
FIRST = ("model", "item")
LONG = ("model", "item", "response")


def long_responses(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One response a row, with optional cluster, configuration, run, date and task."""
    notes = []
    if present := tasks(table, choice):
        task = choose(origin.task or choice.task, present, "tasks", "task", origin.file)
        named = read_rows.labels(table, "task").astype(str)
        if nameless := int((named == "").sum()):
            notes = [f"{nameless} rows without a task are left out"]
        table = table[(named == task).to_numpy()]
    found = labelled(table, read_rows.responses(table["response"]), origin)
    return Imported(responses=found, notes=notes)


def tasks(table: pd.DataFrame, _choice: Choice) -> list[str]:
    """The tasks that the rows of a table name."""
    if "task" not in table:
        return []
    return [name for name in map(read_rows.text, table["task"].unique()) if name]


def labelled(table: pd.DataFrame, values: pd.Series, origin: Origin) -> pd.DataFrame:
    """Responses with the names that stand in the rows of their table."""
    return pd.DataFrame(
        {name: read_rows.names(table, name, origin) for name in FIRST}
        | {"response": values}
        | {name: read_rows.labels(table, name) for name in RESPONSES_OPTIONAL}
        | {"row": table.index.to_numpy()}
    )


def _without_responses(table: pd.DataFrame, file: str) -> str:
    others = table.drop(columns=[*FIRST, *RESPONSES_OPTIONAL], errors="ignore")
    numbers = others.columns[others.apply(pd.to_numeric, errors="coerce").notna().any()]
    name = numbers[0] if len(numbers) else "NAME"
    return (
        f"{file}: columns 'model' and 'item' are there, 'response' is missing; say which it is "
        f"with the key 'columns': response={name}"
    )


def wide_responses(table: pd.DataFrame, _choice: Choice, origin: Origin) -> Imported:
    """Models as rows (first column ``model``) or items as rows (first column ``item``).

    An empty cell is an item that the model did not answer.
    """
    if set(FIRST) <= set(table.columns):
        raise InputError(_without_responses(table, origin.file))
    first, *others = map(str, table.columns)
    other = "item" if first == "model" else "model"
    columns = [read_rows.responses(table[name]) for name in others]
    values = np.concatenate([column.to_numpy() for column in columns])
    names = read_rows.names(table, first, origin)
    codes = np.tile(names.cat.codes.to_numpy(), len(others))
    labels = {
        first: read_rows.categories(list(names.cat.categories), codes),
        other: read_rows.categories(others, np.repeat(np.arange(len(others)), len(table))),
    }
    long = pd.DataFrame(labels | {"response": values})
    for name in RESPONSES_OPTIONAL:
        long[name] = read_rows.labels(long, name)
    long["row"] = np.tile(table.index.to_numpy(), len(others))
    answered = long[long["response"].notna()]
    empty = len(long) - len(answered)
    notes = [f"{empty} empty cells: items that a model did not answer"] if empty else []
    return Imported(responses=answered, notes=notes)


def only_right_and_wrong(table: pd.DataFrame) -> bool:
    """Whether all cells but those of the first column are 0, 1, empty, or no numbers at all.

    Models down and items across look like models down and tasks across; what tells them apart is
    that a model's score in a task is hardly ever 0 or 1. A table of items down needs no such test:
    its columns are models.
    """
    if table.columns[0] == "item" or set(FIRST) <= set(table.columns):
        return True
    for name in table.columns[1:]:
        values = read_rows.responses(table[name])
        if values.dtype.kind == "f" and not values.dropna().isin([0, 1]).all():
            return False
        if values.dtype.kind != "f" and any(
            isinstance(value, float) and value not in (0, 1) and value == value for value in values
        ):
            return False
    return True


# Plain tables of attempts: how often each model solved each item, read as pass@k.

REQUIRED = ("model", "item", "attempts", "correct")


def attempts(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Items as counts of attempts and successes, turned into pass@k."""
    k = choice.pass_k
    if k is None:
        raise InputError(f"{origin.file}: give the k of pass@k with the key 'pass_k'")
    tried, right = (_counts(table[name]) for name in ("attempts", "correct"))
    lines = table.index.to_numpy()
    allowed = (tried >= k) & (right >= 0) & (right <= tried)
    refuse(
        f"{origin.file}, row {lines[place]}: {_shown(table['correct'].iloc[place])} of "
        f"{_shown(table['attempts'].iloc[place])} attempts; allowed: at least {k} attempts "
        "(pass_k), at most as many correct, whole numbers"
        for place in np.flatnonzero(~allowed)
    )
    values = pd.Series(pass_at_k(tried, right, k), table.index)
    return Imported(responses=labelled(table, values, origin), **SHARE._asdict())


def pass_at_k(attempts: ArrayLike, correct: ArrayLike, k: int) -> NDArray[np.float64]:
    """Unbiased estimate of each item's pass@k from c successes in n attempts.

    1 - C(n - c, k)/C(n, k), in logarithms so that large n do not overflow (Chen et al. 2021,
    equation 1).
    """
    n, c = np.asarray(attempts, float), np.asarray(correct, float)
    failing = n - c
    enough = failing >= k
    safe = np.where(enough, failing, k)
    log_ratio = gammaln(safe + 1) - gammaln(safe - k + 1) - gammaln(n + 1) + gammaln(n - k + 1)
    return np.where(enough, 1 - np.exp(log_ratio), 1.0)


def _counts(column: pd.Series) -> NDArray[np.float64]:
    """Whole numbers; what is none becomes NaN, which no comparison allows."""
    numbers = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(float)
    return np.where(numbers % 1 == 0, numbers, np.nan)


def _shown(cell: object) -> str:
    return read_rows.text(cell) or "nothing"


LEADERBOARD_REQUIRED = ("model", "score")
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
    """
    allowed = [*LEADERBOARD_REQUIRED, *OPTIONAL]
    unknown = [name for name in table.columns if name not in allowed]
    if unknown:
        raise InputError(_unknown(table, unknown, allowed, origin))
    task = origin.task or choice.task
    if "task" in table:
        task = choose(task, tasks(table, choice), "tasks", "task", origin.file)
        table = table[table["task"].astype(str) == task]
    read_rows.one_unit(table["score"], origin)
    rows = list(read_rows.rows(table))
    refuse(sentence for number, row in rows for sentence in _interval(row, origin, number))
    return Imported(scores=[_score(row, choice, number) for number, row in rows])


def wide_leaderboard(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One task's column of a table with a column for each task.

    An empty cell is a task in which the model was not evaluated.
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
    read_rows.one_unit(table[task], origin)
    narrow = table[[*beside, task]].rename(columns={task: "score"})
    rows = [(n, row) for n, row in read_rows.rows(narrow) if read_rows.text(row["score"]).strip()]
    left_out = len(narrow) - len(rows)
    notes = [f"{left_out} models without a score in '{task}'"] if left_out else []
    scores = [_score(row, choice, n)._replace(task=task) for n, row in rows]
    return Imported(scores=scores, notes=notes)


def wide_tasks(table: pd.DataFrame, _choice: Choice) -> list[str]:
    """The columns most of whose cells are numbers."""
    return [
        str(name) for name in table.columns if name not in BESIDE and _mostly_numbers(table[name])
    ]


def _mostly_numbers(column: pd.Series) -> bool:
    given = [read_rows.number(cell) for cell in column if read_rows.text(cell).strip()]
    return 2 * sum(not isinstance(cell, str) for cell in given) > len(given)


def _first_score(table: pd.DataFrame) -> str:
    """The first cell that is a number and neither 0 nor 1: it makes a table one of scores."""
    found = (
        f"row {number}, column '{name}' holds {read_rows.text(row[name])} and not 0 or 1"
        for number, row in read_rows.rows(table)
        for name in table.columns[1:]
        if not isinstance(value := read_rows.number(row[name]), str) and value not in (None, 0, 1)
    )
    return next(found, "not all cells are 0 or 1")


def _score(row: read_rows.Cells, choice: Choice, number: int) -> Score:
    return Score(
        model=read_rows.text(row.get("model")),
        score=read_rows.number(row["score"]),
        metric=read_rows.text(row.get("metric")) or choice.metric or "score",
        task=read_rows.text(row.get("task")) or None,
        standard_error=_standard_error(row, choice.interval_level),
        n_items=read_rows.number(row.get("n_items")),
        run=read_rows.text(row.get("run")),
        configuration=read_rows.text(row.get("configuration")),
        date=read_rows.text(row.get("date")) or None,
        row=number,
    )


def _standard_error(row: read_rows.Cells, level: float) -> object:
    """The error in the file's unit; what should be a number and is none stays as it is."""
    names = ("standard_error", "standard_deviation", "lower", "upper", "n_items")
    stated = [read_rows.number(row.get(name)) for name in names]
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


def _interval(row: read_rows.Cells, origin: Origin, number: int) -> list[str]:
    lower, score, upper = (read_rows.number(row.get(name)) for name in ("lower", "score", "upper"))
    ends = [end for end in (lower, score, upper) if isinstance(end, (int, float))]
    if ends == sorted(ends):
        return []
    return [
        f"{origin.file}, row {number}, model {read_rows.text(row.get('model'))!r}: score {score} "
        f"is outside its interval {lower} to {upper}; correct lower and upper"
    ]


FORMATS = (
    Importer(
        "long_responses", "item responses", Shape.TABLE, long_responses, keys=LONG, tasks=tasks
    ),
    Importer(
        "wide_responses",
        "a matrix of item responses",
        Shape.TABLE,
        wide_responses,
        begins=FIRST,
        accepts=only_right_and_wrong,
        holds="0, 1 or nothing in each cell if models are the rows",
    ),
    Importer("attempts", "attempts", Shape.TABLE, attempts, keys=REQUIRED),
    Importer(
        "leaderboard",
        "a leaderboard",
        Shape.TABLE,
        leaderboard,
        keys=LEADERBOARD_REQUIRED,
        tasks=tasks,
    ),
    Importer(
        "wide_leaderboard",
        "a leaderboard with a column for each task",
        Shape.TABLE,
        wide_leaderboard,
        begins=("model",),
        accepts=lambda table: not only_right_and_wrong(table),
        holds="other values than 0 and 1",
        tasks=wide_tasks,
    ),
)
