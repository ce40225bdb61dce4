"""Plain tables of item responses: one a row, or a matrix of models and items."""

import numpy as np
import pandas as pd

from saturation.board.importers import cells
from saturation.board.importers.choosing import choose
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError

OPTIONAL = ("cluster", "run", "configuration", "date")
FIRST = ("model", "item")
LONG = ("model", "item", "response")


def long_responses(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One response a row, with optional cluster, configuration, run, date and task.

    Parameters
    ----------
    table
        ``model, item, response`` and, optionally, ``cluster, run, configuration, date, task``.
    choice
        Task, where the table has several.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If a name is missing, or the table has several tasks and none was chosen.
    """
    notes = []
    if present := tasks(table, choice):
        task = choose(origin.task or choice.task, present, "tasks", "task", origin.file)
        named = cells.labels(table, "task").astype(str)
        if nameless := int((named == "").sum()):
            notes = [f"{nameless} rows without a task are left out"]
        table = table[(named == task).to_numpy()]
    found = labelled(table, cells.responses(table["response"]), origin)
    return Imported(responses=found, notes=notes)


def tasks(table: pd.DataFrame, _choice: Choice) -> list[str]:
    """The tasks that the rows of a table name."""
    if "task" not in table:
        return []
    return [name for name in map(cells.text, table["task"].unique()) if name]


def labelled(table: pd.DataFrame, values: pd.Series, origin: Origin) -> pd.DataFrame:
    """Responses with the names that stand in the rows of their table.

    Parameters
    ----------
    table
        ``model, item`` and, optionally, ``cluster, run, configuration, date``.
    values
        One response a row.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If a name is missing.
    """
    given = {"configuration": origin.configuration, "date": origin.date or ""}
    return pd.DataFrame(
        {name: cells.names(table, name, origin) for name in FIRST}
        | {"response": values}
        | {name: cells.labels(table, name, given.get(name, "")) for name in OPTIONAL}
        | {"row": table.index.to_numpy()}
    )


def _without_responses(table: pd.DataFrame, file: str) -> str:
    others = table.drop(columns=[*FIRST, *OPTIONAL], errors="ignore")
    numbers = others.columns[others.apply(pd.to_numeric, errors="coerce").notna().any()]
    name = numbers[0] if len(numbers) else "NAME"
    return (
        f"{file}: columns 'model' and 'item' are there, 'response' is missing; say which it is "
        f"with the key 'columns': response={name}"
    )


def wide_responses(table: pd.DataFrame, _choice: Choice, origin: Origin) -> Imported:
    """Models as rows (first column ``model``) or items as rows (first column ``item``).

    An empty cell is an item that the model did not answer.

    Parameters
    ----------
    table
        Names in the first column, responses in all others.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If it is a long table without its column of responses, or a name is missing.
    """
    if set(FIRST) <= set(table.columns):
        raise InputError(_without_responses(table, origin.file))
    first, *others = map(str, table.columns)
    other = "item" if first == "model" else "model"
    columns = [cells.responses(table[name]) for name in others]
    values = np.concatenate([column.to_numpy() for column in columns])
    names = cells.names(table, first, origin)
    codes = np.tile(names.cat.codes.to_numpy(), len(others))
    labels = {
        first: cells.categories(list(names.cat.categories), codes),
        other: cells.categories(others, np.repeat(np.arange(len(others)), len(table))),
    }
    long = pd.DataFrame(labels | {"response": values})
    for name in OPTIONAL:
        given = {"configuration": origin.configuration, "date": origin.date}.get(name)
        long[name] = cells.labels(long, name, given or "")
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
        values = cells.responses(table[name])
        if values.dtype.kind == "f" and not values.dropna().isin([0, 1]).all():
            return False
        if values.dtype.kind != "f" and any(
            isinstance(value, float) and value not in (0, 1) and value == value for value in values
        ):
            return False
    return True


FORMATS = (
    Importer(
        name="long_responses",
        title="item responses",
        shape=Shape.TABLE,
        keys=LONG,
        tasks=tasks,
        read=long_responses,
    ),
    Importer(
        name="wide_responses",
        title="a matrix of item responses",
        shape=Shape.TABLE,
        begins=FIRST,
        accepts=only_right_and_wrong,
        holds="0, 1 or nothing in each cell if models are the rows",
        read=wide_responses,
    ),
)
