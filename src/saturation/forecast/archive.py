"""Forecasts that are kept with their date, and how those did that have come due."""

import hashlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation.forecast import schemas
from saturation.forecast.series import months_after

HORIZONS = (3, 6, 12, 24)
PENDING, ENDED = "not due yet", "the series ends before"


def archived(bands: pd.DataFrame, sources: Sequence[bytes], version: str) -> pd.DataFrame:
    """Forecasts as they are kept.

    Parameters
    ----------
    bands
        Of :func:`saturation.forecast.outlook.outlook`.
    sources
        Content of the tables of scores.
    version
        Of the code.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.ARCHIVE`; ``data`` is the beginning of the sha256 of the sources.
    """
    content = hashlib.sha256(b"".join(sources)).hexdigest()[:16]
    kept = bands[bands["month"].isin(HORIZONS)].assign(data=content, code=version)
    return kept[list(schemas.ARCHIVE.columns)].reset_index(drop=True)


def scored(archive: pd.DataFrame, series: pd.DataFrame, frontier: pd.DataFrame) -> pd.DataFrame:
    """What came of the forecasts in an archive.

    Parameters
    ----------
    archive
        Columns of `schemas.ARCHIVE`.
    series, frontier
        As for :func:`saturation.forecast.backtest.known`.

    Returns
    -------
    pandas.DataFrame
        One row a forecast: ``series, benchmark, origin, month, q50, observed, inside_50, inside_80,
        inside_95, state``; the state is empty where it could be scored.
    """
    until = series.set_index("series")["observed_until"]
    newest = until.max()
    rows = []
    for row in archive.to_dict("records"):
        due = months_after(pd.Timestamp(row["origin"]), row["month"])
        watched = until.get(row["series"], pd.NaT)
        state = PENDING if due > newest else "" if watched >= due else ENDED
        own = frontier[(frontier["series"] == row["series"]) & (frontier["date"] <= due)]
        seen = float(own["best"].iloc[-1]) if not state else np.nan
        inside = {
            f"inside_{name}": float(row[low] <= seen <= row[high]) if not state else np.nan
            for name, low, high in (
                ("50", "q25", "q75"),
                ("80", "q10", "q90"),
                ("95", "q2.5", "q97.5"),
            )
        }
        about = {name: row[name] for name in ("series", "benchmark", "origin", "month", "q50")}
        rows.append({**about, "observed": seen, **inside, "state": state})
    return pd.DataFrame(rows)
