"""Renew docs/tables/cells.csv: cells of results that the texts quote (make docs).

A row names a quantity, the command whose run holds it, the file in `results/`, which of its rows
(a query), what of them (a column, or a sum of columns), by what they are added up first, and what
is taken. Rows of the default run are read anew each time; those of runs that take longer, where
their file is there: else the value stays that was read last.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import read_table, records, write_csv

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
CELLS = ROOT / "docs" / "tables" / "cells.csv"
# Whose files are there whenever texts are rendered.
DEFAULT = "make results"
# What is taken of several rows.
TAKEN: dict[str, Callable[["pd.Series[float]"], Any]] = {
    "only": lambda values: values.iloc[0],
    "least": min,
    "most": max,
    "mean": lambda values: values.mean(),
    "sum": sum,
    "count": len,
    "kinds": lambda values: values.nunique(),
    "two largest": lambda values: values.nlargest(2).sum(),
}


def renewed(table: pd.DataFrame, results: Path) -> pd.DataFrame:
    """The table with the values of the files that are there.

    Raises
    ------
    saturation.errors.InputError
        If a file of the default run, or the rows in it, are missing, or rows are several where
        one is meant.
    """
    values = []
    for row in records(table):
        found = selected(results / row["file"], row)
        several = row["taken"] == "only" and len(found) > 1
        if several or (found.empty and row["command"] == DEFAULT):
            raise InputError(
                f"{CELLS.name}: {row['quantity']} stands {len(found)} times in {row['file']}"
            )
        values.append(row["value"] if found.empty else float(TAKEN[row["taken"]](found)))
    return table.assign(value=values)


def selected(path: Path, row: dict[str, Any]) -> "pd.Series[float]":
    """What a row asks of a file; nothing where the file or its rows are missing."""
    if not path.is_file():
        return pd.Series(dtype=float)
    if path.suffix == ".json":
        frame = pd.json_normalize(json.loads(path.read_text(encoding="utf-8")))
    else:
        frame = read_table(path)
    chosen = frame.query(row["rows"], engine="python") if row["rows"] else frame
    wanted = pd.Series(chosen.eval(row["column"], engine="python"))
    return wanted.groupby(chosen[row["by"]]).sum() if row["by"] else wanted


def read() -> pd.DataFrame:
    """The committed table; empty words where nothing is said."""
    words = ["rows", "by"]
    table = read_table(CELLS)
    return table.assign(**{word: table[word].fillna("").astype(str) for word in words})


if __name__ == "__main__":
    write_csv(renewed(read(), RESULTS), CELLS)
