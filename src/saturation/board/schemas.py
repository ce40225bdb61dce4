"""Schemas of the tidy tables into which a user's files are imported."""

import dataclasses

from saturation.files import columns
from saturation.files.schema import Column, Schema


def _label() -> Column:
    """Text that may be empty: an empty cell is the empty text."""
    return Column(str, coerce=True, default="", description="a name, or nothing")


def _added(column: Column) -> Column:
    """A column that a table may lack as a whole."""
    return dataclasses.replace(column, required=False)


SCORES = columns.table(
    {
        "benchmark": columns.text(),
        "model": columns.text(),
        "metric": columns.text(),
        "run": _label(),
        "configuration": _label(),
        "date": columns.text(optional=True),
        "score": columns.number(),
        "standard_error": columns.number(0, optional=True),
        "n_items": columns.number(1, optional=True),
        "n_source": _added(columns.text(optional=True)),
        "synthetic": columns.flag(),
    },
    may_be_empty=True,
)

RESPONSES = columns.table(
    {
        "benchmark": columns.text(),
        "model": columns.text(),
        "item": columns.text(),
        "cluster": _label(),
        "run": _label(),
        "configuration": _label(),
        "date": _added(_label()),
        "response": columns.proportion(),
        "synthetic": columns.flag(),
    },
    may_be_empty=True,
)


def text_columns(schema: Schema) -> dict[str, type]:
    """Columns that are read as text: a name made of digits, such as 007, is still a name."""
    return {name: str for name, column in schema.columns.items() if column.dtype is str}
