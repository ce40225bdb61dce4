"""Schemas of the forecasts' tables."""

from saturation.files import columns
from saturation.files.schema import Column
from saturation.forecast.records import SHARED

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
    "series": columns.text(unique=True),
    "source": columns.text(),
    "benchmark": columns.text(),
    "protocol": columns.text(optional=True),
    "metric": columns.text(optional=True),
    "kind": columns.text(),
    "floor": columns.proportion(),
    "released": columns.text(optional=True),
}
SERIES = columns.table(_SERIES)
SCORES = columns.table(
    {
        "series": columns.text(),
        "date": columns.text(),
        "model": columns.text(),
        "score": columns.number(),
        "error": columns.number(0, optional=True),
    }
)
EXCLUDED = columns.table(
    {
        "source": columns.text(),
        "benchmark": columns.text(),
        "reason": columns.text(),
        "rows": columns.whole(1),
    }
)
EMBEDDED = {"series": SERIES, "scores": SCORES, "excluded": EXCLUDED}


def _date(*, optional: bool = False) -> Column:
    return Column("datetime64[ns]", nullable=optional, coerce=True, description="YYYY-MM-DD")


DESCRIBED = columns.table(
    {
        **_SERIES,
        "released": _date(optional=True),
        "first": _date(),
        "last": _date(),
        "dates": columns.whole(1),
        "scores": columns.whole(1),
        "before_release": columns.whole(),
        "best": columns.number(),
        "observed_until": _date(),
        "reason": columns.text(optional=True),
    }
)
FRONTIER = columns.table(
    {
        "series": columns.text(),
        "date": _date(),
        "share": columns.proportion(),
        "best": columns.proportion(),
    }
)

_ABOUT = {"series": columns.text(), "benchmark": columns.text(), "kind": columns.text()}
_QUANTILES = ("2.5", "10", "25", "50", "75", "90", "97.5")
_BANDS = {
    **_ABOUT,
    "origin": columns.text(),
    "month": columns.whole(1),
    "best": columns.proportion(),
    **{f"q{quantile}": columns.proportion() for quantile in _QUANTILES},
}
BANDS = columns.table(_BANDS)
ARCHIVE = columns.table({**_BANDS, "data": columns.text(), "code": columns.text()})
REACH = columns.table(
    {
        **_ABOUT,
        "origin": columns.text(),
        "threshold": columns.proportion(),
        "reached_already": columns.flag(),
        "earliest": columns.number(1, optional=True),
        "median": columns.number(1, optional=True),
        "latest": columns.number(1, optional=True),
        "not_in_two_years": columns.proportion(),
    }
)
FORECASTS = columns.table(
    {
        "origin": columns.text(),
        **_ABOUT,
        "horizon": columns.whole(1),
        "method": columns.text(),
        "abstains": columns.flag(),
        "reason": columns.text(optional=True),
        "best": columns.proportion(),
        "observed": columns.proportion(),
        "predicted": columns.proportion(),
        "crps": columns.number(0),
        "log_score": columns.number(),
        **{f"interval_{name}": columns.number(0) for name in ("50", "80", "95")},
        "below": columns.proportion(),
        "upto": columns.proportion(),
    }
)


def _with_limits(name: str) -> dict[str, Column]:
    return {key: columns.number(optional=True) for key in (name, f"{name}_lower", f"{name}_upper")}


AFTER = columns.table(
    {
        "series": columns.text(),
        "benchmark": columns.text(),
        "date": _date(),
        "months": columns.number(0),
        "method": columns.text(),
        "observed": columns.proportion(),
        "predicted": columns.proportion(),
        "crps": columns.number(0),
        "below": columns.proportion(),
        "upto": columns.proportion(),
    }
)
PEER = columns.table(
    {
        "method": columns.text(unique=True),
        "scores": columns.whole(1),
        "benchmarks": columns.whole(1),
        **_with_limits("crps"),
        **_with_limits("coverage_80"),
    }
)
CASES = columns.table(
    {
        "setting": columns.text(),
        "benchmark": columns.text(),
        "month": columns.text(),
        "ahead": columns.whole(1),
        "s_index": columns.proportion(optional=True),
        "bdi": columns.proportion(optional=True),
        "gap": columns.number(0),
        "best": columns.number(),
        "rise": columns.number(0),
    }
)
PREDICTION = columns.table(
    {
        "setting": columns.text(),
        "predictor": columns.text(),
        "ahead": columns.whole(1),
        "cases": columns.whole(),
        "benchmarks": columns.whole(),
        **_with_limits("rho"),
        **_with_limits("partial"),
        **_with_limits("skill"),
        "note": columns.text(optional=True),
    }
)
PACE = columns.table(
    {
        "end": columns.text(unique=True),
        "benchmarks": columns.whole(1),
        "ended": columns.whole(),
        "factor_a_year": columns.number(0, optional=True),
        "lower": columns.number(0, optional=True),
        "upper": columns.number(0, optional=True),
        "shape": columns.number(0, optional=True),
        "note": columns.text(optional=True),
    }
)
_MEMBER = {
    "form": columns.text(),
    "ceiling": columns.proportion(optional=True),
    "half_life": columns.number(0, optional=True),
    "weight": columns.proportion(),
}
WEIGHTS = columns.table({"origin": columns.text(), **_MEMBER})
KEPT = columns.table(
    {**_MEMBER, **{name: columns.number(optional=True) for name in [*MEANS, *COVARIANCES]}}
)
ACCURACY = columns.table(
    {
        "about": columns.one_of([BEST, TOP]),
        "ahead": columns.whole(1),
        "forecasts": columns.whole(1),
        "benchmarks": columns.whole(1),
        "said": columns.proportion(),
        **_with_limits("came"),
        "shift": columns.number(optional=True),
    }
)
TOPS = columns.table(
    {
        "ahead": columns.whole(1),
        "forecasts": columns.whole(1),
        "benchmarks": columns.whole(1),
        "drawn": columns.proportion(),
        "said": columns.proportion(),
        **_with_limits("came"),
        **_with_limits("error"),
        **_with_limits("skill"),
        "shift": columns.number(),
    }
)
SURVIVAL = columns.table(
    {
        "end": columns.text(),
        "what": columns.text(),
        "benchmarks": columns.whole(1),
        "ended": columns.whole(),
        **{name: columns.number(0) for name in ("value", "lower", "upper")},
    },
    may_be_empty=True,
)
LATER = columns.table(
    {
        "hypothesis": columns.text(),
        "outcome": columns.text(),
        "first": columns.text(),
        "benchmarks": columns.whole(),
        "in_first": columns.whole(),
        **{
            name: columns.number(optional=True)
            for name in ("difference", "lower", "upper", "p_value", "p_holm")
        },
        "note": columns.text(optional=True),
    }
)
SUMMARY = columns.table(
    {
        "group": columns.text(),
        "horizon": columns.whole(1),
        "method": columns.text(),
        "forecasts": columns.whole(1),
        "benchmarks": columns.whole(1),
        **_with_limits("crps"),
        **_with_limits("skill"),
        **_with_limits("coverage_50"),
        "interval_50": columns.number(0),
        **_with_limits("coverage_80"),
        "interval_80": columns.number(0),
        **_with_limits("coverage_95"),
        "interval_95": columns.number(0),
        "log_score": columns.number(),
        **{f"fifth_{number}": columns.proportion() for number in range(1, 6)},
    }
)
BY_INPUT_NAME = {
    "summary": SUMMARY,
    "peer": PEER,
    "reach": REACH,
    "prediction": PREDICTION,
    "pace": PACE,
    "tops": TOPS,
    "survival": SURVIVAL,
    "later": LATER,
}
