"""Schemas of the tidy tables into which a user's files are imported."""

import pandera.pandas as pa


def _text(description: str, **options: bool) -> pa.Column:
    return pa.Column(str, coerce=True, description=description, **options)


SCORES = pa.DataFrameSchema(
    {
        "benchmark": _text("a name"),
        "model": _text("a name"),
        "metric": _text("a name"),
        "run": _text("a name, or nothing", nullable=True),
        "configuration": _text("a name, or nothing", nullable=True),
        "date": _text("an ISO date, or nothing", nullable=True),
        "score": pa.Column(float, coerce=True, description="a number"),
        "standard_error": pa.Column(
            float, pa.Check.ge(0), coerce=True, nullable=True, description="a number from 0"
        ),
        "n_items": pa.Column(
            float, pa.Check.ge(1), coerce=True, nullable=True, description="a number from 1"
        ),
        "synthetic": pa.Column(bool, coerce=True, description="True or False"),
    },
    strict=True,
    ordered=True,
)

RESPONSES = pa.DataFrameSchema(
    {
        "benchmark": _text("a name"),
        "model": _text("a name"),
        "item": _text("a name"),
        "cluster": _text("a name, or nothing", nullable=True),
        "run": _text("a name, or nothing", nullable=True),
        "configuration": _text("a name, or nothing", nullable=True),
        "response": pa.Column(float, pa.Check.in_range(0, 1), coerce=True, description="0 to 1"),
        "synthetic": pa.Column(bool, coerce=True, description="True or False"),
    },
    strict=True,
    ordered=True,
)

CARDS = pa.DataFrameSchema(
    {
        "benchmark": _text("a name"),
        "verdict": _text("a verdict"),
        "reason": _text("a reason"),
        "p_saturated": pa.Column(float, coerce=True, nullable=True, description="0 to 1"),
        "s_index": pa.Column(float, coerce=True, nullable=True, description="0 to 1"),
        "observed_on": _text("an ISO date"),
        "n_models": pa.Column(int, coerce=True, description="a whole number"),
        "n_items": pa.Column(float, coerce=True, nullable=True, description="a number from 1"),
        "tied_at_top": pa.Column(float, coerce=True, nullable=True, description="a number"),
        "synthetic": pa.Column(bool, coerce=True, description="True or False"),
    },
    strict=True,
    ordered=True,
)
