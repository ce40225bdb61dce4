"""How long benchmarks last: months from release to a share of the usable range, with censoring.

A benchmark enters when its scores begin, which may be years after its release: until then nobody
would have seen it end (delayed entry). One that had ended before it was watched is left out.
"""

from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation.forecast import schemas
from saturation.forecast.names import ALIASES, USED_UP
from saturation.forecast.series import DAYS_A_MONTH
from saturation.plateau.groupings import comparisons
from saturation.statistics import intervals

Floats = NDArray[np.float64]

# A best score that has not been beaten for so long is taken for the last one.
STANDS = 12
ENDS = {"share": f"{USED_UP:.0%} of the usable range", "improvement": "the last improvement"}
ERAS = ((2015, "before 2015"), (2020, "2015 to 2019"), (2023, "2020 to 2022"), (9999, "since 2023"))
SMALLEST_GROUP = 3
FEWEST_ENDS = 5
REFERENCE_YEAR = 2018
SPANS = [
    "series", "benchmark", "kind", "era", "end", "released", "entry", "months", "ended", "reason",
]  # fmt: skip
CURVES = ["end", "group", "benchmarks", "ended", "median", "lower", "upper", "note"]
GROUPS = [
    "hypothesis", "grouping", "end", "groups", "benchmarks", "ended", "chi2", "p_value", "p_holm",
    "note",
]  # fmt: skip


def spans(series: pd.DataFrame, frontier: pd.DataFrame) -> pd.DataFrame:
    """When each benchmark began, was first watched and ended, by both ends.

    Parameters
    ----------
    series
        Those that give forecasts, of :func:`saturation.forecast.series.described`.
    frontier
        Of :func:`saturation.forecast.series.frontier`.

    Returns
    -------
    pandas.DataFrame
        Columns `SPANS`; ``reason`` says why a benchmark is left out, else it is empty.
    """
    parts = {str(name): part for name, part in frontier.groupby("series")}
    rows = [
        _span(row, parts[row["series"]], end) for row in series.to_dict("records") for end in ENDS
    ]
    return pd.DataFrame(rows, columns=SPANS)


def _span(row: dict[Any, Any], own: pd.DataFrame, end: str) -> dict[str, Any]:
    first, until = own["date"].iloc[0], row["observed_until"]
    start = first if pd.isna(row["released"]) else row["released"]
    if end == "share":
        there = own.loc[own["best"] >= USED_UP, "date"]
        ended, stop = len(there) > 0, there.iloc[0] if len(there) else until
    else:
        stop = own.loc[own["best"].diff().fillna(1) > 0, "date"].iloc[-1]
        ended = (until - stop).days > STANDS * DAYS_A_MONTH
        stop = stop if ended else until
    entry, months = ((day - start).days / DAYS_A_MONTH for day in (max(first, start), stop))
    reason = "" if months > entry else "it had ended when its scores begin"
    era = next(name for year, name in ERAS if start.year < year)
    about = {name: row[name] for name in ("series", "benchmark", "kind")}
    return {
        **about,
        "era": era,
        "end": end,
        "released": start,
        "entry": entry,
        "months": months,
        "ended": ended,
        "reason": reason,
    }


def curves(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Median months to each end by era and by kind (Kaplan and Meier), with limits.

    Parameters
    ----------
    table
        Of :func:`spans`.
    level
        Of the limits.
    """
    from statsmodels.duration.survfunc import SurvfuncRight

    rows = []
    for end, group, part in _parts(table):
        median, lower, upper, note = np.nan, np.nan, np.nan, ""
        if part["ended"].sum() < FEWEST_ENDS:
            note = f"fewer than {FEWEST_ENDS} ended"
        else:
            curve = SurvfuncRight(part["months"], part["ended"].astype(int), entry=part["entry"])
            median = curve.quantile(0.5)
            # At shares of 0 and 1 the log-log scale of the limits is infinite.
            with np.errstate(divide="ignore", invalid="ignore"):
                lower, upper = curve.quantile_ci(0.5, alpha=1 - level)
            note = "" if np.isfinite(median) else "half of them did not end while watched"
        rows.append([end, group, len(part), int(part["ended"].sum()), median, lower, upper, note])
    return pd.DataFrame(rows, columns=CURVES).replace([np.inf, -np.inf], np.nan)


def _parts(table: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    used = table[table["reason"] == ""]
    return [
        (str(end), str(name), part)
        for end, own in used.groupby("end")
        for name, part in [
            ("all", own),
            *own.groupby("era"),
            *own.groupby("kind"),
        ]
    ]


def pace(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """By what factor benchmarks last longer for each later year of release: a Weibull regression.

    Parameters
    ----------
    table
        Of :func:`spans`.
    level
        Of the limits, which are Wald's.
    """
    rows = []
    for end, own in table[table["reason"] == ""].groupby("end"):
        ended = own["ended"].to_numpy(bool)
        year = own["released"].dt.year.to_numpy(float) - REFERENCE_YEAR
        about = [end, len(own), int(ended.sum())]
        if ended.sum() < FEWEST_ENDS or len(set(year)) < 2:
            note = f"fewer than {FEWEST_ENDS} ended, or all were released in one year"
            rows.append([*about, *[np.nan] * 4, note])
            continue
        found = weibull(own["months"].to_numpy(), own["entry"].to_numpy(), ended, year)
        change, error, shape = found["slope"], found["slope_error"], found["shape"]
        lower, upper = intervals.normal(change, error, level)
        values = [float(np.exp(value)) for value in (change, lower, upper)]
        rows.append([*about, *values, shape, ""])
    return pd.DataFrame(rows, columns=list(schemas.PACE.columns))


def weibull(
    months: Floats, entry: Floats, ended: NDArray[np.bool_], year: Floats
) -> dict[str, float]:
    """Weibull regression of life spans with censoring and delayed entry, by maximum likelihood.

    The log of the scale is ``intercept + slope * year``.

    Parameters
    ----------
    months, entry
        Months from release to the end, or to when it was last watched, and to when it was first
        watched; shape (n,).
    ended
        Whether the end was seen.
    year
        What the scale depends on.

    Returns
    -------
    dict of float
        ``intercept``, ``slope``, ``slope_error`` and ``shape``.
    """
    from statsmodels.tools.numdiff import approx_hess

    def surprise(parameters: Floats) -> float:
        intercept, slope, log_shape = parameters
        shape = np.exp(log_shape)
        scale = intercept + slope * year
        over = shape * (np.log(np.maximum(months, 1e-9)) - scale)
        before = np.where(entry > 0, np.exp(shape * (np.log(np.maximum(entry, 1e-9)) - scale)), 0.0)
        density = log_shape - np.log(months) + over
        return float(-(density[ended].sum() - np.exp(over).sum() + before.sum()))

    start = np.array([np.log(months.sum() / max(ended.sum(), 1)), 0.0, 0.0])
    best = scipy.optimize.minimize(
        surprise, start, method="Nelder-Mead", options={"maxiter": 4000}
    ).x
    covariance = np.linalg.inv(approx_hess(best, surprise))
    return {
        "intercept": float(best[0]),
        "slope": float(best[1]),
        "slope_error": float(np.sqrt(covariance[1, 1])),
        "shape": float(np.exp(best[2])),
    }


def hypotheses(table: pd.DataFrame, benchmarks: pd.DataFrame) -> pd.DataFrame:
    """The plateau paper's comparisons asked of life spans: log-rank tests, Holm over each end.

    Parameters
    ----------
    table
        Of :func:`spans`.
    benchmarks
        The annotated benchmarks as the plateau study prepares them; joined by `ALIASES`.

    Returns
    -------
    pandas.DataFrame
        Columns `GROUPS`; no p-value, and a note, where a group has too few benchmarks.
    """
    name = {alias: annotated for annotated, alias in ALIASES.items()}
    joined = table[table["reason"] == ""].assign(benchmark_id=table["benchmark"].map(name))
    joined = joined.dropna(subset=["benchmark_id"])
    asked = [one for one in comparisons(benchmarks) if one.grouping == "primary"]
    rows = []
    for end, own in joined.groupby("end"):
        part = [
            _compared(own, comparison.groups)
            | {
                "hypothesis": comparison.hypothesis,
                "grouping": comparison.grouping,
                "end": end,
            }
            for comparison in asked
        ]
        tested = [row for row in part if not row["note"]]
        for row, p in zip(tested, intervals.holm([row["p_value"] for row in tested]), strict=True):
            row["p_holm"] = float(p)
        rows += part
    return pd.DataFrame(rows, columns=GROUPS)


def _compared(own: pd.DataFrame, groups: pd.Series) -> dict[str, Any]:
    from statsmodels.duration.survfunc import survdiff

    own = own.assign(group=own["benchmark_id"].map(groups)).dropna(subset=["group"])
    sizes = own["group"].value_counts()
    row: dict[str, Any] = {
        "groups": "; ".join(f"{name}: {size}" for name, size in sorted(sizes.items())),
        "benchmarks": len(own),
        "ended": int(own["ended"].sum()),
        "chi2": np.nan,
        "p_value": np.nan,
        "p_holm": np.nan,
        "note": "",
    }
    if len(sizes) < 2 or sizes.min() < SMALLEST_GROUP or row["ended"] < FEWEST_ENDS:
        row["note"] = f"a group has fewer than {SMALLEST_GROUP}, or fewer than {FEWEST_ENDS} ended"
        return row
    chi2, p = survdiff(
        own["months"], own["ended"].astype(int), own["group"], entry=own["entry"].to_numpy()
    )
    return row | {"chi2": float(chi2), "p_value": float(p)}
