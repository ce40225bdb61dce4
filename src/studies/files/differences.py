"""Differences between an embedded table and its source, which should be equal."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from saturation.errors import refuse
from saturation.files.tables import records

ABSENT = "(no such cell)"


class Pair(NamedTuple):
    """Embedded table, and the table from its source.

    `key` names the columns that identify a row in both; without one, rows are paired by position.
    """

    file: str
    embedded: pd.DataFrame
    source: pd.DataFrame
    key: Sequence[str] = ()


def verified(pairs: Iterable[Pair]) -> pd.DataFrame:
    """Count the compared parts of each table: ``table, rows, columns, cells_compared``.

    ``cells_different`` is 0: a difference is an error.
    """
    counts, violations = [], []
    for pair in pairs:
        violations += sentences(pair)
        counts.append(
            {
                "table": pair.file,
                "rows": len(pair.source),
                "columns": pair.source.shape[1],
                "cells_compared": pair.source.size,
                "cells_different": 0,
            }
        )
    refuse(violations)
    return pd.DataFrame(counts)


def sentences(pair: Pair) -> list[str]:
    """One line a difference: file, row (as an editor counts), key, column and both values.

    Without a key, tables of another shape are one difference: their rows cannot be paired.
    """
    file, embedded, source, key = pair
    # Millions of cells that are the same need not be paired one by one.
    if embedded.reset_index(drop=True).equals(source.reset_index(drop=True)):
        return []
    if not key and (list(embedded.columns) != list(source.columns) or len(embedded) != len(source)):
        return [
            f"{file}: the embedded table has {len(embedded)} rows and the columns "
            f"{', '.join(embedded.columns)}; the source gives {len(source)} rows and "
            f"{', '.join(source.columns)}"
        ]
    lines = []
    for cell in records(cells(embedded, source, key)):
        row = "no row" if pd.isna(cell["row"]) else f"row {cell['row']}"
        where = f"{row} ({cell['key']})" if key else row
        lines.append(
            f"{file}, {where}, column '{cell['column']}': the embedded table has "
            f"'{cell['embedded']}', the source gives '{cell['source']}'"
        )
    return lines


def cells(embedded: pd.DataFrame, source: pd.DataFrame, key: Sequence[str] = ()) -> pd.DataFrame:
    """List the cells that differ; numbers are compared as numbers, and missing cells are equal.

    One line a difference: ``row`` (of the embedded file as an editor counts lines: the header is
    line 1; missing when the file lacks the row), ``key, column, embedded, source`` (text; empty
    when missing). A row or a column that only one table has is one line a cell.
    """
    compared = _long(embedded, key).merge(
        _long(source, key).drop(columns="row"),
        on=["key", "column"],
        how="outer",
        suffixes=("_embedded", "_source"),
    )
    compared = compared.rename(columns={"value_embedded": "embedded", "value_source": "source"})
    compared = compared.fillna({"embedded": ABSENT, "source": ABSENT})
    differing = compared[compared["embedded"] != compared["source"]]
    return differing.sort_values(["row", "key", "column"], ignore_index=True)[
        ["row", "key", "column", "embedded", "source"]
    ]


def _long(frame: pd.DataFrame, key: Sequence[str]) -> pd.DataFrame:
    """One line a cell: `row`, `key`, `column`, `value` (as text)."""
    rows = range(2, len(frame) + 2)
    labels = [f"{row:09d}" for row in rows]
    if key:
        labels = [
            ", ".join(f"{name} {_text(value)}" for name, value in zip(key, values))
            for values in zip(*(frame[name] for name in key))
        ]
    values = frame.drop(columns=list(key)).map(_text).rename(columns=str)
    values.index = pd.MultiIndex.from_arrays([rows, labels], names=["row", "key"])
    cells = pd.DataFrame({"value": values.rename_axis(columns="column").stack()})
    return cells.reset_index().astype({"row": "Int64"})


def _text(value: Any) -> str:
    """Write a cell as text, equal for equal content of any type."""
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return f"{float(str(value)):.10g}"
    except ValueError:
        return str(value)
