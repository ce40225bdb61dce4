"""Cells of plain tables, where an empty one means that nothing is said."""

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from saturation.board.importers.rows import Origin
from saturation.errors import InputError, shortened

Row = dict[str, Any]

LABELS = ("cluster", "run", "configuration")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WORDS = {"true": 1.0, "false": 0.0}


def rows(table: pd.DataFrame) -> Iterator[tuple[int, Row]]:
    """Number (the table's index: as an editor counts lines) and cells of each row."""
    plain = table.astype(object)
    for number, row in zip(table.index, plain.to_dict("records")):
        yield int(number), {str(name): value for name, value in row.items()}


def text(value: Any) -> str:
    """Text of a cell; a missing one is empty."""
    return "" if value is None or pd.isna(value) else str(value)


def number(value: Any) -> Any:
    """The number in a cell, None if it is empty; what is neither stays as it is.

    A percent sign says what the declared range has to say as well, and is left out.
    """
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, str):
        stripped = value.strip()
        if not stripped:
            return None
        plain = stripped.removesuffix("%").rstrip()
        return float(plain) if _NUMBER.fullmatch(plain) else value
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (int, float, np.integer, np.floating)):
        return None if math.isnan(value) else value
    return value


def one_unit(column: pd.Series, origin: Origin) -> None:
    """Refuse numbers of which some have a percent sign and others none.

    Parameters
    ----------
    column, origin
        Cells, by their row; and the file, for the message.

    Raises
    ------
    InputError
        With the first row of either kind: 0.9 beside 85% would be read as 0.9 %.
    """
    given = column.map(text).str.strip()
    signed = given.str.endswith("%").to_numpy(bool)
    bare = given.map(lambda cell: _NUMBER.fullmatch(cell) is not None).to_numpy(bool)
    if signed.any() and bare.any():
        rows = {kind: column.index[places][0] for kind, places in (("%", signed), ("", bare))}
        raise InputError(
            f"{origin.file}, row {rows['%']}, column '{column.name}': {given[rows['%']]} has a "
            f"percent sign, {given[rows['']]} in row {rows['']} has none; write all with it or "
            "all without"
        )


def responses(column: pd.Series) -> pd.Series:
    """Numbers of a column of responses; True and False count, NaN is empty.

    Where a cell is no number, the whole column comes back as objects with that cell as it is.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        parsed = [_response(value) for value in column.cat.categories]
        if all(isinstance(value, float) for value in parsed):
            known = np.append(np.asarray(parsed, float), np.nan)
            return pd.Series(known[column.cat.codes.to_numpy()], column.index)
        return column.astype(object).map(_response)
    if column.dtype.kind in "biuf":
        return column.astype(float)
    return column.astype(object).map(_response)


def names(table: pd.DataFrame, column: str, origin: Origin) -> pd.Series:
    """A column of names as categories.

    Raises
    ------
    InputError
        Naming the rows in which it is missing.
    """
    found = labels(table, column)
    missing = table.index[(found == "").to_numpy()]
    if len(missing):
        raise InputError(
            shortened(
                [
                    f"{origin.file}, row {row}, column '{column}': the value is missing; name it"
                    for row in missing
                ]
            )
        )
    return found


def labels(table: pd.DataFrame, column: str, default: str = "") -> pd.Series:
    """A column of text as categories; an empty or missing one has the default.

    Parameters
    ----------
    table, column
        The table, and the column that it may have.
    default
        What an empty cell means.
    """
    if column not in table:
        return categories([default], np.zeros(len(table), int), table.index)
    cells = table[column]
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.map(text).astype("category")
    if cells.isna().any():
        cells = cells.cat.add_categories([""] if "" not in cells.cat.categories else []).fillna("")
    if not default:
        return cells
    known = [text(value) or default for value in cells.cat.categories]
    merged = sorted(set(known))
    codes = np.array([merged.index(name) for name in known])
    return categories(merged, codes[cells.cat.codes.to_numpy()], table.index)


def categories(known: list[str], codes: Any, index: Any = None) -> pd.Series:
    """A column of text of which each is held once."""
    column: Any = pd.Categorical.from_codes(codes, categories=pd.Index(known, dtype=str))
    return pd.Series(column, index=index)


def _response(value: Any) -> Any:
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    parsed = number(value)
    if parsed is None:
        return math.nan
    return float(parsed) if isinstance(parsed, (int, float, np.integer, np.floating)) else parsed
