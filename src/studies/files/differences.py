"""Differences between an embedded table and its source, which should be equal."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.errors import refuse


class Pair(NamedTuple):
    """Embedded table, and the table from its source, with their rows in the same order."""

    file: str
    embedded: pd.DataFrame
    source: pd.DataFrame


def verified(pairs: Iterable[Pair]) -> pd.DataFrame:
    """Count the compared parts of each table: ``table, rows, columns, cells_compared``.

    ``cells_different`` is 0: a difference is an error.
    """
    pairs = list(pairs)
    refuse(line for pair in pairs for line in sentences(pair))
    return pd.DataFrame(
        {
            "table": pair.file,
            "rows": len(pair.source),
            "columns": pair.source.shape[1],
            "cells_compared": pair.source.size,
            "cells_different": 0,
        }
        for pair in pairs
    )


def sentences(pair: Pair) -> Iterator[str]:
    """Yield one line a difference: file, row (as an editor counts), column and both values.

    Numbers are compared as numbers, and missing cells are equal. Tables of another shape are one
    difference: their rows cannot be paired.
    """
    file, *tables = pair
    embedded, source = (table.reset_index(drop=True) for table in tables)
    # Millions of cells that are the same need not be compared one by one.
    if embedded.equals(source):
        return
    if set(embedded) != set(source) or len(embedded) != len(source):
        yield (
            f"{file}: the embedded table has {len(embedded)} rows and the columns "
            f"{', '.join(embedded.columns)}; the source gives {len(source)} rows and "
            f"{', '.join(source.columns)}"
        )
        return
    texts = [table.astype(object).map(_text) for table in (embedded, source[list(embedded)])]
    for row, column in zip(*np.nonzero((texts[0] != texts[1]).to_numpy())):
        first, second = (text.iloc[row, column] for text in texts)
        yield (
            f"{file}, row {row + 2}, column '{embedded.columns[column]}': the embedded table has "
            f"'{first}', the source gives '{second}'"
        )


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
