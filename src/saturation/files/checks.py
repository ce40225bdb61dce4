"""Validation of tables: pandera finds the violations, this module says them in plain words."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from saturation.errors import InputError, shortened
from saturation.files.schema import Schema, as_it_should_be
from saturation.files.tables import records


def validate(frame: pd.DataFrame, schema: Schema, file: str) -> pd.DataFrame:
    """Check a table against its schema and return it with the schema's dtypes.

    Parameters
    ----------
    frame
        The table as read.
    schema
        Its schema; the description of a column or check says what is allowed.
    file
        The name to put in front of each violation.

    Returns
    -------
    pandas.DataFrame
        The coerced table, columns in the schema's order.

    Raises
    ------
    InputError
        With one line a violation: file, row (as an editor counts lines: the header is line 1),
        column, value, what is allowed.
    """
    if frame.empty:
        raise InputError(f"{file}: the table has no rows; at least one is needed")
    require_columns(frame, [n for n, c in schema.columns.items() if c.required], file)
    valid = as_it_should_be(frame, schema)
    if valid is not None:
        return valid
    # Slow to load, and needed to say what is wrong, nearly never else.
    from pandera.errors import SchemaErrors

    try:
        return schema.pandera().validate(frame, lazy=True)
    except SchemaErrors as error:
        every = records(error.failure_cases)
        # A value that cannot be coerced is a case; a check that cannot compare it adds nothing.
        cases = [case for case in every if "TypeError(" not in str(case["failure_case"])] or every
        # A cell that breaks several rules of its column is said once.
        violations = dict.fromkeys(_sentence(case, frame, schema, file) for case in cases)
        raise InputError(shortened(list(violations))) from None


def require_columns(frame: pd.DataFrame, columns: Iterable[str], file: str) -> None:
    """Raise `InputError` naming every column of `columns` that the table lacks.

    Parameters
    ----------
    frame
        The table.
    columns
        Names that it must have.
    file
        How the message calls it.
    """
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        present = ", ".join(map(str, frame.columns))
        raise InputError(
            [f"{file}: column '{name}' is missing; the file has: {present}" for name in missing]
        )


def _sentence(case: dict[str, Any], frame: pd.DataFrame, schema: Schema, file: str) -> str:
    column = case["column"] if case["schema_context"] == "Column" else None
    where = file
    if pd.notna(case["index"]):
        where += f", row {int(case['index']) + 2}"
    if column is not None:
        where += f", column '{column}'"
    return f"{where}: {_problem(case, frame, schema, column)}"


def _problem(case: dict[str, Any], frame: pd.DataFrame, schema: Schema, column: str | None) -> str:
    value, check = case["failure_case"], str(case["check"])
    if column is None and check == "column_in_schema":
        allowed = ", ".join(schema.columns)
        return f"column '{value}' is not known; allowed: {allowed}"
    known = schema.columns.get(column or "")
    expected = known.description if known else None
    if check == "not_nullable":
        return f"the value is missing; expected {expected}"
    if check == "multiple_fields_uniqueness" and schema.unique is not None:
        row = frame.loc[int(case["index"])]
        together = ", ".join(f"{name} {row[name]!s}" for name in schema.unique)
        return f"the combination of {together} is a duplicate; each may stand only once"
    if check == "field_uniqueness":
        return f"value {value!r} is a duplicate; each may stand only once"
    if expected is None:
        return f"value {value!r} is not allowed: {check}"
    return f"value {value!r} is not allowed; expected {expected}"
