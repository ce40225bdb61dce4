"""Schemas of the tables that the multiverse's stages hand on."""

import pandera.pandas as pa

from saturation.multiverse.specifications import ADJUSTMENTS, CONCLUSIONS, ERROR_MODELS, TESTS


def _one_of(allowed: tuple[str, ...]) -> pa.Column:
    return pa.Column(str, pa.Check.isin(allowed), description=f"one of: {', '.join(allowed)}")


def _number(description: str, *checks: pa.Check) -> pa.Column:
    return pa.Column(float, list(checks), coerce=True, description=description)


SPECIFICATIONS = pa.DataFrameSchema(
    {
        "conclusion": _one_of(tuple(CONCLUSIONS)),
        "grouping": pa.Column(str, description="a reading of the variable"),
        "adjustment": _one_of(tuple(ADJUSTMENTS)),
        "age": pa.Column(str, description="the age convention"),
        "excluded": pa.Column(str, description="the benchmarks left out"),
        "test": _one_of(TESTS),
        "k": pa.Column(int, pa.Check.ge(2), description="a whole number of at least 2"),
        "alpha": _number("a number from 0 to 1", pa.Check.in_range(0, 1)),
        "error_model": _one_of(ERROR_MODELS),
        "outcome": pa.Column(str, description="s_index, z or saturated_from_S"),
        "reference": pa.Column(bool, description="true or false"),
        "possible": pa.Column(int, pa.Check.ge(1), description="a count"),
    },
    strict=True,
)
"""One row a specification."""

EVALUATED = SPECIFICATIONS.add_columns(
    {
        "effect": _number("a correlation", pa.Check.in_range(-1, 1)),
        "z": _number("a number"),
    }
)
"""Specifications with their observed effect and z."""

CURVE = EVALUATED.add_columns(
    {
        "p_value": _number("a proportion", pa.Check.in_range(0, 1)),
        "agrees": pa.Column(bool, description="true or false"),
        "rank": pa.Column(int, pa.Check.ge(1), description="a rank from 1"),
        "null_lower": _number("a correlation", pa.Check.in_range(-1, 1)),
        "null_upper": _number("a correlation", pa.Check.in_range(-1, 1)),
    }
)
"""Specifications ordered by effect, with the band that chance gives."""
