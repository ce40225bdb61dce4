"""Schemas of the adaptive study's tables."""

import pandera.pandas as pa

_NAME = "a name: text that is not empty"


def _name(unique: bool = False) -> pa.Column:
    return pa.Column(
        str, pa.Check.str_length(min_value=1), unique=unique, coerce=True, description=_NAME
    )


LONG_RESPONSES = pa.DataFrameSchema(
    {
        "respondent": _name(),
        "item": _name(),
        "correct": pa.Column(
            float,
            pa.Check.isin([0, 1]),
            nullable=True,
            coerce=True,
            description="0 (wrong), 1 (right) or an empty cell (not observed)",
        ),
    },
    strict=True,
)

RESPONDENTS = pa.DataFrameSchema(
    {
        "respondent": _name(unique=True),
        "model": _name(),
        "family": _name(),
        "checkpoint": pa.Column(
            int, pa.Check.ge(1), coerce=True, description="place in training order: 1, 2, ..."
        ),
    },
    strict=True,
)

ITEM_PARAMETERS = pa.DataFrameSchema(
    {
        "item": _name(unique=True),
        "discrimination": pa.Column(float, coerce=True, description="a number"),
        "difficulty": pa.Column(float, coerce=True, description="a number"),
    },
    strict=True,
)

LEADERBOARD_ABILITIES = pa.DataFrameSchema(
    {
        "model": _name(unique=True),
        "ability": pa.Column(float, coerce=True, description="a number"),
    },
    strict=True,
)

ADMINISTRATIONS = pa.DataFrameSchema(
    {
        "respondent": _name(),
        "step": pa.Column(int, pa.Check.ge(1), description="1, 2, ..."),
        "item": _name(),
        "ability": pa.Column(float, description="a number"),
        "se": pa.Column(float, pa.Check.gt(0), description="a number above 0"),
    },
    strict=True,
)

DISTRIBUTION = pa.DataFrameSchema(
    {
        "bank": _name(unique=True),
        "log_discrimination_mean": pa.Column(float, description="a number"),
        "log_discrimination_sd": pa.Column(float, pa.Check.gt(0), description="a number above 0"),
        "difficulty_mean": pa.Column(float, description="a number"),
        "difficulty_sd": pa.Column(float, pa.Check.gt(0), description="a number above 0"),
        "correlation": pa.Column(float, pa.Check.in_range(-1, 1), description="from -1 to 1"),
        "n_respondents": pa.Column(int, pa.Check.ge(2), description="2 or more"),
        "n_items": pa.Column(int, pa.Check.ge(1), description="1 or more"),
    },
    strict=True,
)
