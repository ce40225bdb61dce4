"""Schemas of the discriminability study's tables."""

from collections.abc import Sequence

from saturation.discriminability.names import FINE_BINS, SCOPES
from saturation.files.schema import (
    Check,
    Column,
    Schema,
    number,
    proportion,
    table,
    text,
    whole,
    words_column,
)

KINDS = ["knowledge", "reasoning", "other"]

_MONTH = Column(str, Check.str_matches(r"^\d{4}-(0[1-9]|1[0-2])$"), description="a month, YYYY-MM")
_KEYS = {
    "leaderboard": text(),
    "benchmark": text(),
    "month": _MONTH,
}
_BIN = Column(
    int,
    Check.in_range(0, FINE_BINS - 1),
    coerce=True,
    description=f"number of the bin, 0 to {FINE_BINS - 1}",
)


def _monthly(
    columns: dict[str, Column], rows: Sequence[str] = (), *, may_be_empty: bool = False
) -> Schema:
    """Return the schema of a table by leaderboard, benchmark, month, and `rows` in a month."""
    return Schema(
        {**_KEYS, **columns},
        unique=[*_KEYS, *rows],
        strict=True,
        metadata={"may_be_empty": may_be_empty},
    )


BINS = _monthly(
    {
        "bin": _BIN,
        "count": whole(1),
    },
    ["bin"],
)
TOP = _monthly(
    {
        "rank": whole(1),  # in the month, best first
        "score": proportion(),
        "accuracy": proportion(),  # before chance is taken off
    },
    ["rank"],
)
# A leaderboard in which no model and no family comes back has an empty table.
POPULATION = _monthly(
    {
        "unit": words_column(["model", "family"]),
        "name": text(),
        "bin": _BIN,
    },
    ["unit", "name"],
    may_be_empty=True,
)
# A leaderboard on which everybody has one evaluation has an empty table.
SUBMITTERS = _monthly(
    {
        "submitter": text(),
        "bin": _BIN,
        "count": whole(1),
    },
    ["submitter", "bin"],
    may_be_empty=True,
)
SUMMARY = {
    "bins": BINS,
    "top": TOP,
    "population": POPULATION,
    "submitters": SUBMITTERS,
}

BENCHMARKS = Schema(
    {
        "benchmark": text(unique=True),
        "kind": words_column(KINDS),
        "n_test": number(1, optional=True),
    },
    strict="filter",
)

_BOARD = {"leaderboard": text(), "benchmark": text()}
_WINDOW = {**_BOARD, "month": text()}
# What a user or a source wrote; where it cannot be used, the row is left out.
_AS_IT_IS = Column(nullable=True, description="any value")


def _add_interval(name: str) -> dict[str, Column]:
    limits = (name, f"{name}_lower", f"{name}_upper")
    return {column: number(optional=True) for column in limits}


def convert_to_text(schema: Schema) -> Schema:
    """Return these columns as text, to compare two files cell by cell."""
    return table({name: text(optional=True) for name in schema.columns}, may_be_empty=True)


DROPPED = table(
    {
        **_BOARD,
        "month": text(optional=True),
        "row": number(1, optional=True),
        "model": text(optional=True),
        "date": _AS_IT_IS,
        "score": _AS_IT_IS,
        "reason": text(),
    },
    may_be_empty=True,
)

FAMILIES = Schema(
    {
        "leaderboard": text(unique=True),
        "evaluations": whole(1),  # rows of the export, those without a date too
        "families": whole(1),  # of models, by the rule of the paper's released code
        "largest_family": whole(1),  # its evaluations
        "named": whole(),  # evaluations of models that have Qwen2.5 in their name
    },
    strict=True,
)

# Results that other studies read, by the names of their files.
RESULTS = {
    "monthly": table(
        {
            **_WINDOW,
            "n_models": whole(1),
            "elapsed": whole(),
            "max_score": proportion(),
            "ceiling_proximity": proportion(),
            **_add_interval("top10_gap"),
            **_add_interval("top20_gap"),
            "note": text(optional=True),
            "bdi": proportion(),
            "n_submitters": whole(1),
            **_add_interval("bdi_submitters"),
            "reason": text(optional=True),
        }
    ),
    "index_over_time": table(
        {
            **_WINDOW,
            "scope": words_column(SCOPES),
            "s_1": proportion(),
            "s_k": number(0, 1, optional=True),
            "n_test": number(1, optional=True),
            "s_index": number(0, 1, optional=True),
            "bin": text(optional=True),
            "note": text(optional=True),
        }
    ),
}

# What the paper's author released; the growth of a curve may end on any bound.
AUTHOR_MONTHLY = table(
    {
        **_BOARD,
        "month": _MONTH,
        "n_models": whole(1),
        "max_score": proportion(),
        "bdi": proportion(),
        "top10_gap": number(0),
    }
)
AUTHOR_FITS = table(
    {
        **_BOARD,
        "ceiling": proportion(),
        "r_squared": number(None, 1),
    }
)
