"""Schemas of the forecasts' tables."""

from saturation.files import schema
from saturation.files.schema import Column
from studies.forecast.names import TIERS

_TEXT = schema.text()
_OPTIONAL = schema.text(optional=True)


def _date(*, optional: bool = False) -> Column:
    return Column("datetime64[ns]", nullable=optional, coerce=True, description="YYYY-MM-DD")


# A series is a benchmark under one protocol, from one source.
SERIES = schema.table(
    {
        "series": schema.text(unique=True),
        "source": _TEXT,
        "benchmark": _TEXT,
        "protocol": _OPTIONAL,
        "metric": _OPTIONAL,
        "floor": schema.proportion(),
        "released": _OPTIONAL,
        "site": _TEXT,
        "tier": schema.words_column(TIERS),
    }
)
SCORES = schema.table(
    {
        "series": _TEXT,
        "date": _TEXT,
        "model": _TEXT,
        "score": schema.number(),
        "error": schema.number(0, optional=True),
        "known": _OPTIONAL,
    }
)
EXCLUDED = schema.table(
    {"source": _TEXT, "benchmark": _TEXT, "reason": _TEXT, "rows": schema.whole(1)}
)
EMBEDDED = {"series": SERIES, "scores": SCORES, "excluded": EXCLUDED}
CITATIONS = schema.table(
    {"citation": schema.text(unique=True), "site": _TEXT, "tier": schema.words_column(TIERS)}
)
CORRECTIONS = schema.table(
    {
        **dict.fromkeys(("source", "benchmark", "model"), _TEXT),
        "score": schema.number(),
        "corrected_model": _TEXT,
        "reference": _TEXT,
    }
)
# All series of a benchmark and tier are joined.
JOINED = schema.table(
    {
        "series": schema.text(unique=True),
        "benchmark": _TEXT,
        "tier": schema.words_column(TIERS),
        "sites": _TEXT,
        "released": _date(optional=True),
        "first": _date(),
        "last": _date(),
        "dates": schema.whole(1),
        "scores": schema.whole(1),
        "best": schema.proportion(),
        "papers": schema.flag(),
        "reason": _OPTIONAL,
    }
)
FRONTIER = schema.table(
    {
        "series": _TEXT,
        "date": _date(),
        "share": schema.proportion(),
        "best": schema.proportion(),
    }
)
_QUANTILES = {
    f"q{name}": schema.proportion() for name in ("2.5", "10", "25", "50", "75", "90", "97.5")
}
_FORECAST = {
    "series": _TEXT,
    "benchmark": _TEXT,
    "origin": _TEXT,
    "month": schema.whole(1),
    "best": schema.proportion(),
}
_PROBABILITY = {"probability": schema.proportion(optional=True)}
CHANCES = schema.table({**_FORECAST, **_PROBABILITY, **_QUANTILES})
# `kind` stood in forecasts before a benchmark had one series; their `probability` is empty.
_CODED = {"data": _TEXT, "code": _TEXT}
ARCHIVE = schema.table({**_FORECAST, "kind": _OPTIONAL, **_QUANTILES, **_CODED, **_PROBABILITY})
CASES = schema.table(
    {
        **dict.fromkeys(("setting", "benchmark", "month"), _TEXT),
        "ahead": schema.whole(1),
        "s_index": schema.proportion(optional=True),
        "bdi": schema.proportion(optional=True),
        "gap": schema.number(0),
        "best": schema.number(),
        "rise": schema.number(0),
    }
)
