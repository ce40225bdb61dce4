"""From dated scores to series of the best score so far, and why a series gives no forecast.

Scores are shares of the usable range, from what guessing gives to all. Time is in months.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.errors import InputError
from saturation.forecast import schemas
from saturation.forecast.names import BOARD_FLOORS, BOARDS, KIND, NLP, OTHER_KIND, UNSTATED

Floats = NDArray[np.float64]
FEWEST_DATES = 5
DAYS_A_MONTH = 365.25 / 12


def of_boards(top: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The two Open LLM Leaderboards as series and scores: the best of each month, at its end."""
    first = top[top["rank"] == 1]
    name = first["leaderboard"] + " " + first["benchmark"]
    board = list(zip(first["leaderboard"], first["benchmark"], strict=True))
    series = pd.DataFrame(
        {
            "series": BOARDS + "-" + name.str.lower().str.replace(" ", "_"),
            "source": BOARDS,
            "benchmark": first["benchmark"] + " (Open LLM " + first["leaderboard"] + ")",
            "protocol": "leaderboard " + first["leaderboard"],
            "metric": "score",
            "kind": first["benchmark"].map(KIND).fillna(OTHER_KIND),
            "floor": [BOARD_FLOORS.get(key, 0.0) for key in board],
        }
    )
    ends = pd.PeriodIndex(first["month"], freq="M").to_timestamp(how="end").strftime("%Y-%m-%d")
    scores = pd.DataFrame(
        {
            "series": series["series"],
            "date": ends,
            "model": "best of the month",
            "score": first["score"],
            "error": np.nan,
        }
    )
    released = pd.PeriodIndex(first["month"], freq="M").to_timestamp().strftime("%Y-%m-%d")
    series["released"] = pd.Series(released, index=first.index)
    earliest = series.sort_values("released", kind="stable").drop_duplicates("series")
    return earliest, scores


def dated(scores: pd.DataFrame, name: str) -> pd.DataFrame:
    """Scores with dates as dates."""
    dates = pd.to_datetime(scores["date"], format="%Y-%m-%d", errors="coerce")
    wrong = np.flatnonzero(dates.isna())
    if len(wrong):
        raise InputError(
            f"{name}, row {wrong[0] + 2}, column 'date': '{scores['date'].iloc[wrong[0]]}' is no "
            "date; write YYYY-MM-DD"
        )
    return scores.assign(date=dates)


def shares(series: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Scores of these series with their ``share`` of the usable range; 0 below chance."""
    floor = scores["series"].map(series.set_index("series")["floor"])
    share = ((scores["score"] - floor) / (1 - floor)).clip(lower=0)
    return scores.assign(share=share).dropna(subset=["share"])


def frontier(series: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Best share of the usable range so far, one row a series and date with a score."""
    daily = shares(series, scores).groupby(["series", "date"])["share"].max().reset_index()
    daily["best"] = daily.groupby("series")["share"].cummax()
    return daily[list(schemas.FRONTIER.columns)]


def described(series: pd.DataFrame, scores: pd.DataFrame, as_of: str) -> pd.DataFrame:
    """Every series with its span and, where it gives no forecast, the reason.

    The series with ``first``, ``last``, ``observed_until`` (dates), ``dates``, ``scores``,
    ``before_release`` (scores of models that are older than the benchmark: known from its release
    on), ``best`` and ``reason``, empty where it gives forecasts.
    """
    today = pd.Timestamp(as_of)
    own = scores.merge(series[["series", "released"]], on="series")
    own["early"] = own["date"] < pd.to_datetime(own["released"])
    table = own.groupby("series").agg(
        first=("date", "min"),
        last=("date", "max"),
        dates=("date", "nunique"),
        scores=("date", "size"),
        before_release=("early", "sum"),
        lowest=("score", "min"),
        best=("score", "max"),
    )
    table = series.merge(table.reset_index(), on="series")
    # Of the best results, a series without a new one had none until the table was made.
    table["observed_until"] = table["last"].where(
        table["source"] != NLP, table.loc[table["source"] == NLP, "last"].max()
    )
    table["reason"] = [_reason(row, today) for row in table.to_dict("records")]
    usable = table["reason"] == ""
    ranked = table[usable].sort_values(["dates", "series"], ascending=[False, True])
    others = ranked.index[ranked.duplicated("benchmark")]
    table.loc[others, "reason"] = "another series of this benchmark has more dates"
    return table.drop(columns="lowest")


def months_between(start: pd.Timestamp, dates: pd.Series) -> Floats:
    """Months from a day to others."""
    days = (dates - start).dt.days.to_numpy(float)
    return np.asarray(days / DAYS_A_MONTH)


def months_after(day: pd.Timestamp, months: float) -> pd.Timestamp:
    """The day so many months after another."""
    return day + pd.Timedelta(days=months * DAYS_A_MONTH)


def due(forecasts: pd.DataFrame, ahead: str) -> pd.Series:
    """The day on which each forecast is due: months in the column `ahead` after its origin."""
    days = [
        months_after(pd.Timestamp(origin), months)
        for origin, months in zip(forecasts["origin"], forecasts[ahead], strict=True)
    ]
    return pd.Series(days, forecasts.index, dtype="datetime64[ns]")


def _reason(row: dict[Any, Any], today: pd.Timestamp) -> str:
    """Why a series gives no forecast; empty where it does."""
    if row["last"] > today:
        return f"a date lies in the future: {row['last']:%Y-%m-%d} is after {today:%Y-%m-%d}"
    if row["lowest"] < 0 or row["best"] > 1:
        return (
            f"scores from {row['lowest']:g} to {row['best']:g}: percent and proportions are mixed, "
            "or it is no share"
        )
    if str(row["protocol"]).endswith(UNSTATED):
        return "its scores do not say under which protocol they were got: they may be several"
    if row["dates"] < FEWEST_DATES:
        return f"fewer than {FEWEST_DATES} dates"
    return ""
