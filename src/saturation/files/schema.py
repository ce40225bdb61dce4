"""Schemas of the tables that cross a border: pandera finds the violations, plain words say them."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from pandera.errors import SchemaErrors
from pandera.pandas import Check, Column, DataFrameSchema, Parser

from saturation.errors import InputError, shortened
from saturation.files.tables import records

__all__ = ["Check", "Column", "Parser", "Schema"]
Schema = DataFrameSchema


def validate(frame: pd.DataFrame, schema: Schema, file: str) -> pd.DataFrame:
    """Validate a table; return the table with the schema's types and column order.

    A table without rows is returned as it is if its schema has `may_be_empty`.
    """
    if frame.empty and not (schema.metadata or {}).get("may_be_empty"):
        raise InputError(f"{file}: the table has no rows; at least one is needed")
    require_columns(frame, [n for n, c in schema.columns.items() if c.required], file)
    if frame.empty:
        return frame
    try:
        return schema.validate(frame, lazy=True)
    except SchemaErrors as error:
        failures = records(error.failure_cases)
        # A value that cannot be coerced is a case; a check that cannot compare it adds nothing.
        cases = [
            case for case in failures if "TypeError(" not in str(case["failure_case"])
        ] or failures
        # A cell that breaks several rules of its column is said once.
        violations = dict.fromkeys(_sentence(case, frame, schema, file) for case in cases)
        raise InputError(shortened(violations)) from None


def require_columns(frame: pd.DataFrame, columns: Iterable[str], file: str) -> None:
    """Raise `InputError` naming every column of `columns` that the table lacks."""
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
    column_schema = schema.columns.get(column or "")
    expected = column_schema.description if column_schema else None
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


def text(*, unique: bool = False, optional: bool = False) -> Column:
    """Build a text column: not empty, or missing where optional."""
    return Column(
        str,
        Check.str_length(min_value=1),
        unique=unique,
        nullable=optional,
        coerce=True,
        description="a name: text that is not empty",
    )


def words_column(allowed: Sequence[str], *, optional: bool = False) -> Column:
    """One of a few words."""
    return Column(
        str,
        Check.isin(allowed),
        nullable=optional,
        coerce=True,
        description=f"one of: {', '.join(allowed)}",
    )


def number(
    lower: float | None = None, upper: float | None = None, *, optional: bool = False
) -> Column:
    """Describe a column of numbers, not below `lower` nor above `upper` where they are given."""
    checks, limits = [], ""
    if lower is not None:
        checks.append(Check.ge(lower))
        limits += f" of at least {lower:g}"
    if upper is not None:
        checks.append(Check.le(upper))
        limits += f"{' and' if limits else ' of'} at most {upper:g}"
    return Column(float, checks, nullable=optional, coerce=True, description=f"a number{limits}")


def proportion(*, optional: bool = False) -> Column:
    """Describe a column of numbers in [0, 1]."""
    return Column(
        float,
        Check.in_range(0, 1),
        nullable=optional,
        coerce=True,
        description="a proportion: from 0 to 1",
    )


def whole(lower: int = 0) -> Column:
    """Describe a column of whole numbers without missing cells."""
    return Column(
        int,
        Check.ge(lower),
        parsers=Parser(_fractions_as_text),
        coerce=True,
        description=f"a whole number of at least {lower}",
    )


def _fractions_as_text(numbers: pd.Series) -> pd.Series:
    """Write fractions as text, so that coercion to whole numbers fails instead of truncating."""
    if numbers.dtype.kind != "f":
        return numbers
    fractions = numbers % 1 != 0
    if not fractions.any():
        return numbers
    return numbers.astype(object).mask(fractions, numbers.map("{:g}".format))


def flag() -> Column:
    """Describe a column of True and False; never coerced, which would make any text true."""
    return Column(bool, description="True or False")


def table(columns: dict[str, Column], *, may_be_empty: bool = False) -> Schema:
    """Describe a table with exactly these columns."""
    return Schema(columns, strict=True, metadata={"may_be_empty": may_be_empty})
