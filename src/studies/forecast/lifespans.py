"""Estimate how long benchmarks last: months from release to 90 % of the range, with censoring.

A benchmark enters when its scores begin, which may be years after its release: until then nobody
would have seen it end (delayed entry). A benchmark that had ended by then is left out.
"""

from typing import Any

import numpy as np
import pandas as pd

from saturation.forecast.names import TARGET
from saturation.forecast.series import DAYS_A_MONTH

ERAS = ((2015, "before 2015"), (2020, "2015 to 2019"), (2023, "2020 to 2022"), (9999, "since 2023"))
FEWEST_ENDS = 5
MEDIANS = ["group", "benchmarks", "ended", "median", "lower", "upper", "note"]


def spans(series: pd.DataFrame, frontier: pd.DataFrame) -> pd.DataFrame:
    """Date the release, the first score and the end of each benchmark with enough dates."""
    parts = {str(name): part for name, part in frontier.groupby("series")}
    used = series[series["reason"] == ""]
    # A paper's series without a new best result had none until the table was made.
    newest = used.loc[used["papers"], "last"].max()
    rows = [_span(row, parts[row["series"]], newest) for row in used.to_dict("records")]
    return pd.DataFrame(rows)


def medians(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Estimate median months to the end by era of release (Kaplan and Meier), with limits."""
    from statsmodels.duration.survfunc import SurvfuncRight

    used = table[table["reason"] == ""]
    rows = []
    for group, part in [("all", used), *used.groupby("era")]:
        row = [group, len(part), part["ended"].sum()]
        if part["ended"].sum() < FEWEST_ENDS:
            rows.append([*row, *[np.nan] * 3, f"fewer than {FEWEST_ENDS} ended"])
            continue
        curve = SurvfuncRight(part["months"], part["ended"].astype(int), entry=part["entry"])
        # At shares of 0 and 1 the log-log scale of the limits is infinite.
        with np.errstate(divide="ignore", invalid="ignore"):
            limits = curve.quantile_ci(0.5, alpha=1 - level)
        median = curve.quantile(0.5)
        note = "" if np.isfinite(median) else "half of them did not end while watched"
        rows.append([*row, median, *limits, note])
    return pd.DataFrame(rows, columns=MEDIANS).replace([np.inf, -np.inf], np.nan)


def _span(row: dict[Any, Any], course: pd.DataFrame, newest: pd.Timestamp) -> dict[str, Any]:
    first = course["date"].iloc[0]
    start = first if pd.isna(row["released"]) else row["released"]
    reached = course.loc[course["best"] >= TARGET, "date"]
    until = newest if row["papers"] else row["last"]
    stop = reached.iloc[0] if len(reached) else until
    entry, months = ((day - start).days / DAYS_A_MONTH for day in (max(first, start), stop))
    return {
        "series": row["series"],
        "benchmark": row["benchmark"],
        "era": next(name for year, name in ERAS if start.year < year),
        "released": start,
        "entry": entry,
        "months": months,
        "ended": len(reached) > 0,
        "reason": "" if months > entry else "it had ended when its scores begin",
    }
