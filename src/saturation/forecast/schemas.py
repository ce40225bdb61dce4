"""Schemas of the forecasts' tables."""

from saturation.files import schema
from saturation.files.schema import Column

# Rises of best scores within a year, on the scale of logits, with the number of windows.
RISES = schema.table({"rise": schema.number(0), "windows": schema.whole(1)})


def _limited(name: str) -> dict[str, Column]:
    return {key: schema.number(optional=True) for key in (name, f"{name}_lower", f"{name}_upper")}


RECORD = schema.table(
    {
        "origin": schema.text(),
        **dict.fromkeys(("forecasts", "benchmarks", "scored", "came", "unknown"), schema.whole()),
        "expected": schema.number(0),
        **dict.fromkeys(("brier", "brier_rate", "brier_never"), schema.number(optional=True)),
        **_limited("skill"),
        **_limited("skill_never"),
    }
)
