"""What a table may hold: said once, seen to hold by pandas, and by pandera what does not.

Pandera names every violation of a table. Loading it takes as long as loading pandas, in every
stage, and nearly every table is as it should be: :func:`as_it_should_be` sees that alone.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import pandas as pd

from saturation.errors import InputError, shortened
from saturation.files.tables import records

if TYPE_CHECKING:
    import pandera.pandas as pa


# What holds of cells, or of the rows of a table, in as many answers or in one.
Holds = Callable[[Any], Any]


@dataclasses.dataclass(frozen=True)
class Check:
    """A condition of the cells that are not missing, or of a table's rows.

    Parameters
    ----------
    holds
        Function of the cells, or of the table.
    name, error
        What the condition is called, and what is said where it does not hold.
    known_as
        Name and arguments of pandera's own check of the same meaning, where it has one.
    """

    holds: Holds
    name: str | None = None
    error: str | None = None
    known_as: tuple[str, Mapping[str, Any]] | None = None

    @classmethod
    def ge(cls, least: float) -> Self:
        """Not below this."""
        return cls(lambda cells: cells >= least, known_as=("ge", {"min_value": least}))

    @classmethod
    def gt(cls, limit: float) -> Self:
        """Above this."""
        return cls(lambda cells: cells > limit, known_as=("gt", {"min_value": limit}))

    @classmethod
    def le(cls, greatest: float) -> Self:
        """Not above this."""
        return cls(lambda cells: cells <= greatest, known_as=("le", {"max_value": greatest}))

    @classmethod
    def in_range(cls, least: float, greatest: float) -> Self:
        """Neither below nor above these."""
        bounds = {"min_value": least, "max_value": greatest}
        return cls(lambda cells: cells.between(least, greatest), known_as=("in_range", bounds))

    @classmethod
    def isin(cls, allowed: Iterable[Any]) -> Self:
        """One of these."""
        values = list(allowed)
        return cls(lambda cells: cells.isin(values), known_as=("isin", {"allowed_values": values}))

    @classmethod
    def str_matches(cls, pattern: str) -> Self:
        """Text that begins as the pattern says."""
        return cls(
            lambda cells: cells.str.match(pattern), known_as=("str_matches", {"pattern": pattern})
        )

    @classmethod
    def not_empty(cls) -> Self:
        """Text of at least one character."""
        return cls(lambda cells: cells != "", known_as=("str_length", {"min_value": 1}))

    def pandera(self) -> "pa.Check":
        """The same for pandera."""
        import pandera.pandas as pa

        if self.known_as is not None:
            name, arguments = self.known_as
            made: pa.Check = getattr(pa.Check, name)(**arguments)
            return made
        return pa.Check(self.holds, name=self.name, error=self.error)


@dataclasses.dataclass(frozen=True)
class Column:
    """What the cells of one column may be, in the words of pandera's column of the same name.

    Parameters
    ----------
    dtype
        Their type; None for any.
    checks
        What must hold of those that are not missing.
    parsers
        Function that is applied to the cells first.
    nullable, unique
        Whether they may be missing; whether no two may be the same.
    coerce
        Whether they are made into the type.
    required
        Whether the table must have the column.
    default
        What a missing cell stands for.
    regex
        Whether the column's name is a pattern, which may stand for several.
    description
        What is allowed, in words.
    """

    dtype: Any = None
    checks: Check | Sequence[Check] = ()
    parsers: Callable[[pd.Series], pd.Series] | None = None
    nullable: bool = False
    unique: bool = False
    coerce: bool = False
    required: bool = True
    default: Any = None
    regex: bool = False
    description: str | None = None

    @property
    def every_check(self) -> Sequence[Check]:
        """The checks, also of a column that has one."""
        return [self.checks] if isinstance(self.checks, Check) else self.checks

    def pandera(self) -> "pa.Column":
        """The same for pandera."""
        import pandera.pandas as pa

        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        given["checks"] = [check.pandera() for check in self.every_check]
        given["parsers"] = pa.Parser(self.parsers) if self.parsers else None
        return pa.Column(**given)


@dataclasses.dataclass(frozen=True)
class Schema:
    """What a table may hold.

    Parameters
    ----------
    checks
        What must hold of its rows.
    unique
        Columns that together may not be the same in two rows.
    strict
        Whether other columns are an error; ``"filter"`` leaves them out.
    metadata
        What else readers need to know: whether the table ``may_be_empty``.
    """

    columns: Mapping[str, Column]
    checks: Sequence[Check] = ()
    unique: Sequence[str] | None = None
    strict: bool | Literal["filter"] = False
    metadata: Mapping[str, Any] | None = None

    def add_columns(self, columns: Mapping[str, Column]) -> Self:
        """The schema of a table with these columns too."""
        return dataclasses.replace(self, columns={**self.columns, **columns})

    def update_columns(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        """The schema with something else said of some columns."""
        changed = {
            name: dataclasses.replace(self.columns[name], **change)
            for name, change in changes.items()
        }
        return self.add_columns(changed)

    def pandera(self) -> "pa.DataFrameSchema":
        """The same for pandera."""
        import pandera.pandas as pa

        return pa.DataFrameSchema(
            {name: column.pandera() for name, column in self.columns.items()},
            checks=[check.pandera() for check in self.checks],
            unique=None if self.unique is None else list(self.unique),
            strict=self.strict,
        )


def as_it_should_be(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame | None:
    """The table with its schema's types where it plainly holds what it should.

    Returns
    -------
    pandas.DataFrame or None
        What pandera returns of it; None where it does not hold that, or where it takes pandera to
        tell: cells of another type that could be made into the right one.
    """
    allowed = _present(frame, schema)
    unknown = schema.strict is True and len(allowed) < frame.shape[1]
    needed = {name for name, column in schema.columns.items() if column.required}
    if unknown or not frame.columns.is_unique or not needed <= allowed.keys():
        return None
    try:
        cells = {name: _cells(frame[name], column) for name, column in allowed.items()}
        if any(found is None for found in cells.values()):
            return None
        taken = frame[list(cells)] if schema.strict == "filter" else frame
        taken = taken.assign(**{name: found for name, found in cells.items() if found is not None})
        rows_hold = all(_all(check.holds(taken)) for check in schema.checks)
    # Cells that a check cannot compare.
    except (TypeError, ValueError, AttributeError):
        return None
    repeated = schema.unique is not None and taken.duplicated(list(schema.unique)).any()
    return taken if rows_hold and not repeated else None


def _present(frame: pd.DataFrame, schema: Schema) -> dict[str, Column]:
    """The columns of a table that its schema names, in the table's order."""
    named = {name: column for name, column in schema.columns.items() if not column.regex}
    patterns = {name: column for name, column in schema.columns.items() if column.regex}
    matched = {
        name: column
        for pattern, column in patterns.items()
        for name in frame.columns[frame.columns.str.match(pattern)]
    }
    every = {**matched, **named}
    return {name: every[name] for name in frame.columns if name in every}


def _cells(cells: pd.Series, column: Column) -> pd.Series | None:
    """Cells of the column's type that all hold what they should, or None."""
    if column.parsers is not None:
        cells = column.parsers(cells)
    typed = _typed(cells, column)
    if typed is None:
        return None
    if column.default is not None:
        typed = typed.fillna(column.default)
    if (not column.nullable and typed.hasnans) or (column.unique and typed.duplicated().any()):
        return None
    there = typed.dropna() if typed.hasnans else typed
    return typed if all(_all(check.holds(there)) for check in column.every_check) else None


def _typed(cells: pd.Series, column: Column) -> pd.Series | None:
    """Cells of the column's type: as they are, or made so where nothing can be lost."""
    if column.dtype is None:
        return cells
    if column.dtype is not object and cells.dtype == pd.api.types.pandas_dtype(column.dtype):
        return cells
    if not column.coerce:
        return None
    if column.dtype == "datetime64[ns]" and cells.dtype == "str":
        return pd.to_datetime(cells, format="%Y-%m-%d").astype(column.dtype)
    if column.dtype in (object, "Int64"):
        return cells.astype(column.dtype)
    if column.dtype is str and isinstance(cells.dtype, pd.CategoricalDtype):
        return cells.astype(str) if cells.cat.categories.dtype == "str" else None
    if column.dtype is str and cells.dtype == object:
        return cells.astype(str)
    if not isinstance(cells.dtype, np.dtype) or cells.dtype.kind not in "iuf":
        return None
    as_text = column.dtype is str and (cells.dtype.kind != "f" or bool(cells.isna().all()))
    wider = column.dtype in (int, float) and np.can_cast(cells.dtype, column.dtype)
    return cells.astype(column.dtype) if as_text or wider else None


def _all(answers: Any) -> bool:
    """Whether a check holds, which answers once or for each cell."""
    return bool(answers.all() if hasattr(answers, "all") else answers)


# Validation of tables: pandera finds the violations, this module says them in plain words.


def validate(frame: pd.DataFrame, schema: Schema, file: str) -> pd.DataFrame:
    """Check a table against its schema and return it with the schema's dtypes.

    Returns
    -------
    pandas.DataFrame
        The coerced table, columns in the schema's order.
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


# Columns of schemas, by what they hold; each says in words what is allowed.


def text(*, unique: bool = False, optional: bool = False) -> Column:
    """Text that is not empty, unless it is optional: then an empty cell is missing."""
    return Column(
        str,
        Check.not_empty(),
        unique=unique,
        nullable=optional,
        coerce=True,
        description="a name: text that is not empty",
    )


def one_of(allowed: Sequence[str], *, optional: bool = False) -> Column:
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
    """A number, not below `lower` nor above `upper` where they are given."""
    checks, limits = [], ""
    if lower is not None:
        checks.append(Check.ge(lower))
        limits += f" of at least {lower:g}"
    if upper is not None:
        checks.append(Check.le(upper))
        limits += f"{' and' if limits else ' of'} at most {upper:g}"
    return Column(float, checks, nullable=optional, coerce=True, description=f"a number{limits}")


def proportion(*, optional: bool = False) -> Column:
    """A number in [0, 1]."""
    return Column(
        float,
        Check.in_range(0, 1),
        nullable=optional,
        coerce=True,
        description="a proportion: from 0 to 1",
    )


def whole(lower: int = 0) -> Column:
    """A whole number, not missing."""
    return Column(
        int,
        Check.ge(lower),
        parsers=_fractions_as_text,
        coerce=True,
        description=f"a whole number of at least {lower}",
    )


def _fractions_as_text(numbers: pd.Series) -> pd.Series:
    """Keep numbers with a fraction from being cut to whole ones: as text they cannot be coerced."""
    if numbers.dtype.kind != "f":
        return numbers
    fractions = numbers % 1 != 0
    if not fractions.any():
        return numbers
    return numbers.astype(object).mask(fractions, numbers.map("{:g}".format))


def flag() -> Column:
    """True or False, not missing; never coerced, which would make any text true."""
    return Column(bool, description="True or False")


def table(columns: dict[str, Column], *, may_be_empty: bool = False) -> Schema:
    """A table with exactly these columns."""
    return Schema(columns, strict=True, metadata={"may_be_empty": may_be_empty})
