"""A study's headline numbers: the rows of every ``results/STUDY/quantities.csv``."""

import itertools
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import FrameType
from typing import Any, NamedTuple

import pandas as pd

from saturation.files.tables import NamedTables, records

# Functions that put all quantities of a study together.
GATHERING = {"study", "tables", "table", "quantities"}


def _caller() -> str:
    """Return the function for whose subject a quantity is made, in that function's module.

    Of the chain of functions of that module, the one below those that gather them all: that says
    what the number is about, where the innermost may only be what writes several in one form.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    file, module, chain = frame.f_code.co_filename if frame else "", "", []
    while frame is not None and frame.f_code.co_filename == file:
        chain.append(frame.f_code.co_qualname.partition(".<locals>")[0])
        module = frame.f_globals["__name__"]
        frame = frame.f_back
    functions = [name for name in dict.fromkeys(chain) if name != "<module>"] or ["<module>"]
    while len(functions) > 1 and functions[-1] in GATHERING:
        functions.pop()
    return f"{module}:{functions[-1]}"


@dataclass(frozen=True)
class Quantity:
    """Number with its interval, as the ledger joins quantities to claims.

    Parameters
    ----------
    quantity
        Name: lower-case letters, digits and underscores; ``name__reading`` is another reading of
        ``name``.
    value, lower, upper
        The number and the ends of its interval; NaN where there is none.
    note
        Remark for readers, or empty.
    made_by
        The function that made it, as ``module:function``: found out, never typed, so that the
        ledger can say which line of code a number comes from.
    """

    quantity: str
    value: float
    lower: float = math.nan
    upper: float = math.nan
    note: str = ""
    made_by: str = field(default_factory=_caller)


def list_numbers(values: Mapping[str, float]) -> Iterator[Quantity]:
    """Yield numbers by their names, without intervals and remarks."""
    return itertools.starmap(Quantity, values.items())


class Pick(NamedTuple):
    """Rows of a table, and the columns of each row that become quantities.

    Parameters
    ----------
    table, rows
        Name of the table, and a query that selects its rows; all rows if it is empty.
    name
        Name of each quantity: parts of the row in braces, and ``{word}`` for the column's word.
    columns
        Columns with their words; a column without one lends its own name.
    note
        Remark, with parts of the row in braces.
    """

    table: str
    rows: str
    name: str
    columns: Mapping[str, str] | Iterable[str]
    note: str = ""


def picked(tables: NamedTables, picks: Iterable[Pick]) -> Iterator[Quantity]:
    """Yield the picked cells of tables as quantities.

    Limits are ``COLUMN_lower, COLUMN_upper``, else, of a pick's first column, ``lower, upper``.
    """
    for pick in picks:
        columns = pick.columns
        words = columns if isinstance(columns, Mapping) else {name: name for name in columns}
        table = tables[pick.table]
        for row in records(table.query(pick.rows) if pick.rows else table):
            yield from _pick_cells(row, words, pick)


def _pick_cells(row: dict[str, Any], words: Mapping[str, str], pick: Pick) -> Iterator[Quantity]:
    """Yield the picked cells of a row; its plain limits go with the first of them."""
    for column, word in words.items():
        lower, upper = (
            row.get(f"{column}_{end}", row.pop(end, math.nan)) for end in ("lower", "upper")
        )
        name, note = pick.name.format(**row, word=word), pick.note.format(**row)
        yield Quantity(name, row[column], lower, upper, note)


def frame(quantities: Iterable[Quantity]) -> pd.DataFrame:
    """Build the table ``quantity, value, lower, upper, note, made_by``, in the given order.

    Raises
    ------
    ValueError
        If a name stands twice: the ledger could not tell which of the two is meant.
    """
    table = pd.DataFrame(list(quantities), columns=[part.name for part in fields(Quantity)])
    twice = table.loc[table["quantity"].duplicated(), "quantity"].unique()
    if len(twice):
        raise ValueError(f"quantities named more than once: {', '.join(twice)}")
    return table.astype({"value": float, "lower": float, "upper": float})


def slug(name: str) -> str:
    """Write a name as part of a quantity's: all but letters and digits are underscores."""
    return re.sub(r"\W", "_", name.lower())
