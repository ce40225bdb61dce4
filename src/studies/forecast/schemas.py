"""Schemas of the tables that other studies read, and of the archive that users extend."""

from saturation.files.schema import Column, proportion, table, text, whole

_TEXT = text()
_OPTIONAL = text(optional=True)


FRONTIER = table(
    {
        "series": _TEXT,
        "date": Column("datetime64[ns]", coerce=True, description="YYYY-MM-DD"),
        "share": proportion(),
        "best": proportion(),
    }
)
_QUANTILES = {f"q{name}": proportion() for name in ("2.5", "10", "25", "50", "75", "90", "97.5")}
_FORECAST = {
    "series": _TEXT,
    "benchmark": _TEXT,
    "origin": _TEXT,
    "month": whole(1),
    "best": proportion(),
}
_PROBABILITY = {"probability": proportion(optional=True)}
CHANCES = table({**_FORECAST, **_PROBABILITY, **_QUANTILES})
# `kind` stood in forecasts before a benchmark had one series; their `probability` is empty.
_CODED = {"data": _TEXT, "code": _TEXT}
ARCHIVE = table({**_FORECAST, "kind": _OPTIONAL, **_QUANTILES, **_CODED, **_PROBABILITY})
