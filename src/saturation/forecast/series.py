"""Join the dated scores of a benchmark, and follow its best score.

Scores are shares of the way from chance to all right. Time is in months.
"""

import numpy as np
import pandas as pd

from saturation.arrays import Floats
from saturation.forecast import schemas

FEWEST_DATES = 5
DAYS_A_MONTH = 365.25 / 12
# A benchmark without a score for so many months is not forecast.
ASLEEP = 12


def join_scores(series: pd.DataFrame, scores: pd.DataFrame, as_of: str) -> pd.DataFrame:
    """Join the scores of a benchmark's series, of each tier by itself.

    Returns the scores with ``benchmark``, ``tier``, ``site`` and the ``share`` of the way from
    chance to all right; ``series`` names the benchmark and the tier, ``part`` the embedded series.
    A series that mixes percentages with proportions, or has a date in the future, is left out.
    """
    table = scores.merge(series, on="series").rename(columns={"series": "part"})
    wrong = ~table["score"].between(0, 1) | (table["date"] > pd.Timestamp(as_of))
    table = table[~table["part"].isin(table.loc[wrong, "part"])]
    share = (table["score"] - table["floor"]) / (1 - table["floor"])
    return table.assign(share=share.clip(lower=0), series=table["benchmark"] + ", " + table["tier"])


def best_by_date(scores: pd.DataFrame) -> pd.DataFrame:
    """Follow the best share so far: a row for each series and date with a score."""
    daily = scores.groupby(["series", "date"])["share"].max().reset_index()
    daily["best"] = daily.groupby("series")["share"].cummax()
    return daily[list(schemas.FRONTIER.columns)]


def months_between(start: pd.Timestamp, dates: pd.Series) -> Floats:
    """Count the months from a day to each date."""
    days = (dates - start).dt.days.to_numpy(float)
    return np.asarray(days / DAYS_A_MONTH)


def months_after(day: pd.Timestamp, months: float) -> pd.Timestamp:
    """Return the day so many months after a day."""
    return day + pd.Timedelta(days=months * DAYS_A_MONTH)
