"""Cells of plain tables, where an empty one means that nothing is said."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from saturation.board.importers.rows import Origin, Response
from saturation.errors import InputError

Row = dict[str, Any]


def rows(table: pd.DataFrame) -> Iterator[tuple[int, Row]]:
    """Number (as an editor counts lines: the header is line 1) and cells of each row."""
    for number, row in enumerate(table.to_dict("records"), start=2):
        yield number, {str(name): value for name, value in row.items()}


def response(row: Row, value: Any, origin: Origin, number: int) -> Response:
    """A response of the model and to the item that a row names.

    Parameters
    ----------
    row
        ``model, item`` and, optionally, ``cluster, run, configuration``.
    value
        The response, in the file's own unit.
    origin, number
        The file, and the row's number in it.

    Raises
    ------
    InputError
        If model or item is missing.
    """
    return Response(
        model=_name(row, "model", origin, number),
        item=_name(row, "item", origin, number),
        response=value,
        cluster=text(row.get("cluster")),
        run=text(row.get("run")),
        configuration=text(row.get("configuration")) or origin.configuration,
        row=number,
    )


def text(value: Any) -> str:
    """Text of a cell; a missing one is empty."""
    return "" if value is None or pd.isna(value) else str(value)


def none_if_missing(value: Any) -> Any:
    """The cell's value, or None."""
    return None if value is None or pd.isna(value) else value


def _name(row: Row, column: str, origin: Origin, number: int) -> str:
    name = text(row[column])
    if not name:
        raise InputError(
            f"{origin.file}, row {number}, column '{column}': the value is missing; name it"
        )
    return name
