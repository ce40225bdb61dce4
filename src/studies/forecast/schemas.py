"""Schemas of the tables that other studies read, and of the archive that users extend."""

from saturation.files import schema
from saturation.files.schema import Column

_TEXT = schema.text()
_OPTIONAL = schema.text(optional=True)


FRONTIER = schema.table(
    {
        "series": _TEXT,
        "date": Column("datetime64[ns]", coerce=True, description="YYYY-MM-DD"),
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
