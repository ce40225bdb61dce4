"""Columns of schemas, by what they hold; each says in words what is allowed.

A stage's tables are written by the project itself, so their columns are plain types; the tables
that users hand in have stricter ones of their own (``saturation.plateau.schemas``).
"""

from collections.abc import Sequence

import pandas as pd

from saturation.files.schema import Check, Column, Schema


def text(*, unique: bool = False, optional: bool = False) -> Column:
    """Text that is not empty, unless it is optional: then an empty cell is missing.

    Parameters
    ----------
    unique
        Whether no two cells may be the same.
    optional
        Whether cells may be empty.
    """
    return Column(
        str,
        Check.not_empty(),
        unique=unique,
        nullable=optional,
        coerce=True,
        description="a name: text that is not empty",
    )


def one_of(allowed: Sequence[str], *, optional: bool = False) -> Column:
    """One of a few words.

    Parameters
    ----------
    allowed
        The words.
    optional
        Whether cells may be empty.
    """
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
    """A number, not below `lower` nor above `upper` where they are given.

    Parameters
    ----------
    lower, upper
        Least and greatest allowed number; None sets no limit.
    optional
        Whether cells may be empty.
    """
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
    """A table with exactly these columns.

    Parameters
    ----------
    columns
        Schema of each column by its name.
    may_be_empty
        Whether a table without rows is allowed.
    """
    return Schema(columns, strict=True, metadata={"may_be_empty": may_be_empty})
