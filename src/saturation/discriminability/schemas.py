"""Schemas of the discriminability study's tables."""

import pandera.pandas as pa

from saturation.discriminability.summaries import FINE_BINS

_MONTH = pa.Column(
    str, pa.Check.str_matches(r"^\d{4}-(0[1-9]|1[0-2])$"), description="a month, YYYY-MM"
)
_NAME = pa.Check.str_length(min_value=1)
_KEYS = {
    "leaderboard": pa.Column(str, _NAME, description="the leaderboard's name"),
    "benchmark": pa.Column(str, _NAME, description="the benchmark's name"),
    "month": _MONTH,
}
_BIN = pa.Column(
    int,
    pa.Check.in_range(0, FINE_BINS - 1),
    coerce=True,
    description=f"number of the bin, 0 to {FINE_BINS - 1}",
)


def _share(what: str, nullable: bool = False) -> pa.Column:
    return pa.Column(
        float,
        pa.Check.in_range(0, 1),
        coerce=True,
        nullable=nullable,
        description=f"{what}, a proportion from 0 to 1",
    )


def _count(what: str, least: int) -> pa.Column:
    return pa.Column(
        int, pa.Check.ge(least), coerce=True, description=f"{what}, a whole number >= {least}"
    )


BINS = pa.DataFrameSchema(
    {
        **_KEYS,
        "bin": _BIN,
        "count": _count("evaluations in the bin", 1),
        "new_count": _count("models in the bin not seen before", 0),
    },
    unique=["leaderboard", "benchmark", "month", "bin"],
    strict=True,
)

TOP = pa.DataFrameSchema(
    {
        **_KEYS,
        "rank": _count("rank in the month, best first", 1),
        "score": _share("score"),
        "accuracy": _share("accuracy before chance is taken off"),
    },
    unique=["leaderboard", "benchmark", "month", "rank"],
    strict=True,
)

MOMENTS = pa.DataFrameSchema(
    {
        **_KEYS,
        "n_models": _count("evaluations in the month", 1),
        "mean": _share("mean score"),
        "sd": _share("standard deviation of the scores", nullable=True),
    },
    unique=["leaderboard", "benchmark", "month"],
    strict=True,
)

POPULATION = pa.DataFrameSchema(
    {
        **_KEYS,
        "unit": pa.Column(str, pa.Check.isin(["model", "family"]), description="model or family"),
        "name": pa.Column(str, _NAME, description="the model's or the family's name"),
        "bin": _BIN,
    },
    unique=["leaderboard", "benchmark", "month", "unit", "name"],
    strict=True,
)

SUMMARY = {"bins": BINS, "top": TOP, "moments": MOMENTS, "population": POPULATION}

BENCHMARKS = pa.DataFrameSchema(
    {
        "benchmark": pa.Column(str, _NAME, unique=True, description="the benchmark's name"),
        "kind": pa.Column(
            str,
            pa.Check.isin(["knowledge", "reasoning", "other"]),
            description="knowledge, reasoning or other",
        ),
        "n_test": pa.Column(
            float,
            pa.Check.ge(1),
            coerce=True,
            nullable=True,
            description="number of test items, >= 1; empty where it is not known",
        ),
    },
    strict="filter",
)
