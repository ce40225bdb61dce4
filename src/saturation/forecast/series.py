"""Follow the best score of a benchmark over its dates.

Scores are shares of the way from chance to all right. Time is in months.
"""

import pandas as pd

from saturation.arrays import Floats

FEWEST_DATES = 5
DAYS_A_MONTH = 365.25 / 12
# A benchmark without a score for so many months is not forecast.
ASLEEP = 12


def best_by_date(scores: pd.DataFrame) -> pd.DataFrame:
    """Follow the best share so far: a row for each series and date with a score."""
    daily = scores.groupby(["series", "date"])["share"].max().reset_index()
    daily["best"] = daily.groupby("series")["share"].cummax()
    return daily[["series", "date", "share", "best"]]


def months_between(start: pd.Timestamp, dates: pd.Series) -> Floats:
    """Count the months from a day to each date."""
    days = (dates - start).dt.days.to_numpy(float)
    return days / DAYS_A_MONTH


def months_after(day: pd.Timestamp, months: float) -> pd.Timestamp:
    """Return the day so many months after a day."""
    return day + pd.Timedelta(days=months * DAYS_A_MONTH)
