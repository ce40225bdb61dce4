"""Plain tables of item responses: one a row, or a matrix of models and items."""

import pandas as pd

from saturation.board.importers import cells
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError


def long_responses(table: pd.DataFrame, _choice: Choice, origin: Origin) -> Imported:
    """One response a row, with optional cluster, configuration and run.

    Parameters
    ----------
    table
        ``model, item, response`` and, optionally, ``cluster, run, configuration``.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If a name is missing.
    """
    return Imported(
        responses=[
            cells.response(row, row["response"], origin, number)
            for number, row in cells.rows(table)
        ]
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
    if {"model", "item"} <= set(table.columns):
        raise InputError(
            f"{origin.file}: columns 'model' and 'item' are there, 'response' is missing; name the "
            "column of responses so"
        )
    first = str(table.columns[0])
    other = "item" if first == "model" else "model"
    long = table.melt(id_vars=first, var_name=other, value_name="response", ignore_index=False)
    long["row"] = long.index + 2
    answered = long.dropna(subset=["response"])
    responses = [
        cells.response(row, row["response"], origin, int(row["row"]))
        for _, row in cells.rows(answered)
    ]
    empty = len(long) - len(answered)
    notes = [f"{empty} empty cells: items that a model did not answer"] if empty else []
    return Imported(responses=responses, notes=notes)


FORMATS = (
    Importer(
        name="long_responses",
        title="item responses",
        shape=Shape.TABLE,
        keys=("model", "item", "response"),
        read=long_responses,
    ),
    Importer(
        name="wide_responses",
        title="a matrix of item responses",
        shape=Shape.TABLE,
        begins=("model", "item"),
        read=wide_responses,
    ),
)
