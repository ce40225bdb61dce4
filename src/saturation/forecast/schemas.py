"""Schemas of the forecasts' tables."""

from saturation.files import schema
from saturation.files.schema import Column
from saturation.forecast.models import SHARED

# What past forecasts were about.
BEST, TOP = "the best score", "the top"
# Mean and covariance of the shared numbers, the latter's lower triangle row by row.
MEANS = [f"mean_{name}" for name in SHARED]
COVARIANCES = [
    f"covariance_{name}_{other}"
    for place, name in enumerate(SHARED)
    for other in SHARED[: place + 1]
]

# What a series is: one benchmark under one protocol, as one source tells it.
_SERIES = {
    "series": schema.text(unique=True),
    "source": schema.text(),
    "benchmark": schema.text(),
    "protocol": schema.text(optional=True),
    "metric": schema.text(optional=True),
    "kind": schema.text(),
    "floor": schema.proportion(),
    "released": schema.text(optional=True),
}
SERIES = schema.table(_SERIES)
SCORES = schema.table(
    {
        "series": schema.text(),
        "date": schema.text(),
        "model": schema.text(),
        "score": schema.number(),
        "error": schema.number(0, optional=True),
        "known": schema.text(optional=True),
    }
)
EXCLUDED = schema.table(
    {
        "source": schema.text(),
        "benchmark": schema.text(),
        "reason": schema.text(),
        "rows": schema.whole(1),
    }
)
EMBEDDED = {"series": SERIES, "scores": SCORES, "excluded": EXCLUDED}


def _date(*, optional: bool = False) -> Column:
    return Column("datetime64[ns]", nullable=optional, coerce=True, description="YYYY-MM-DD")


DESCRIBED = schema.table(
    {
        **_SERIES,
        "released": _date(optional=True),
        "first": _date(),
        "last": _date(),
        "dates": schema.whole(1),
        "scores": schema.whole(1),
        "before_release": schema.whole(),
        "best": schema.number(),
        "observed_until": _date(),
        "reason": schema.text(optional=True),
    }
)
FRONTIER = schema.table(
    {
        "series": schema.text(),
        "date": _date(),
        "share": schema.proportion(),
        "best": schema.proportion(),
    }
)

_ABOUT = {"series": schema.text(), "benchmark": schema.text(), "kind": schema.text()}
_QUANTILES = ("2.5", "10", "25", "50", "75", "90", "97.5")
_BANDS = {
    **_ABOUT,
    "origin": schema.text(),
    "month": schema.whole(1),
    "best": schema.proportion(),
    **{f"q{quantile}": schema.proportion() for quantile in _QUANTILES},
}
BANDS = schema.table(_BANDS)
ARCHIVE = schema.table({**_BANDS, "data": schema.text(), "code": schema.text()})
REACH = schema.table(
    {
        **_ABOUT,
        "origin": schema.text(),
        "threshold": schema.proportion(),
        "reached_already": schema.flag(),
        "earliest": schema.number(1, optional=True),
        "median": schema.number(1, optional=True),
        "latest": schema.number(1, optional=True),
        "not_in_two_years": schema.proportion(),
    }
)


def _with_limits(name: str) -> dict[str, Column]:
    return {key: schema.number(optional=True) for key in (name, f"{name}_lower", f"{name}_upper")}


PEER = schema.table(
    {
        "event": schema.one_of(["rise", "entry"]),
        "method": schema.text(),
        "events": schema.whole(1),
        "benchmarks": schema.whole(1),
        **_with_limits("crps"),
        **_with_limits("coverage_80"),
    }
)
CASES = schema.table(
    {
        "setting": schema.text(),
        "benchmark": schema.text(),
        "month": schema.text(),
        "ahead": schema.whole(1),
        "s_index": schema.proportion(optional=True),
        "bdi": schema.proportion(optional=True),
        "gap": schema.number(0),
        "best": schema.number(),
        "rise": schema.number(0),
    }
)
_MEMBER = {
    "form": schema.text(),
    "ceiling": schema.proportion(optional=True),
    "half_life": schema.number(0, optional=True),
    "weight": schema.proportion(),
}
KEPT = schema.table(
    {**_MEMBER, **{name: schema.number(optional=True) for name in [*MEANS, *COVARIANCES]}}
)
ACCURACY = schema.table(
    {
        "about": schema.one_of([BEST, TOP]),
        "ahead": schema.whole(1),
        "forecasts": schema.whole(1),
        "benchmarks": schema.whole(1),
        "said": schema.proportion(),
        **_with_limits("came"),
        "shift": schema.number(optional=True),
    }
)
SUMMARY = schema.table(
    {
        "group": schema.text(),
        "horizon": schema.whole(1),
        "method": schema.text(),
        "forecasts": schema.whole(1),
        "benchmarks": schema.whole(1),
        **_with_limits("crps"),
        **_with_limits("skill"),
        **_with_limits("coverage_50"),
        "interval_50": schema.number(0),
        **_with_limits("coverage_80"),
        "interval_80": schema.number(0),
        **_with_limits("coverage_95"),
        "interval_95": schema.number(0),
        "log_score": schema.number(),
        "reference": schema.text(),
        **{f"fifth_{number}": schema.proportion() for number in range(1, 6)},
    }
)
