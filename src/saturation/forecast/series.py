"""Join the dated scores of a benchmark, and follow its best score.

Scores are shares of the way from chance to all right. Time is in months.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.errors import InputError
from saturation.forecast import schemas
from saturation.forecast.names import BOARD_FLOORS, BOARDS, MEASURED, NLP

Floats = NDArray[np.float64]
FEWEST_DATES = 5
DAYS_A_MONTH = 365.25 / 12
# A benchmark without a score for so many months is not forecast.
ASLEEP = 12


def board_series(top: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the two Open LLM Leaderboards as series: the best score of each month, at its end."""
    first = top[top["rank"] == 1]
    name = first["leaderboard"] + " " + first["benchmark"]
    boards = list(zip(first["leaderboard"], first["benchmark"], strict=True))
    months = pd.PeriodIndex(first["month"], freq="M")
    series = pd.DataFrame(
        {
            "series": BOARDS + "-" + name.str.lower().str.replace(" ", "_"),
            "source": BOARDS,
            "benchmark": first["benchmark"] + " (Open LLM " + first["leaderboard"] + ")",
            "protocol": "leaderboard " + first["leaderboard"],
            "metric": "score",
            "floor": [BOARD_FLOORS.get(board, 0.0) for board in boards],
            "released": months.to_timestamp().strftime("%Y-%m-%d"),
            "site": "huggingface.co/open-llm-leaderboard",
            "tier": MEASURED,
        }
    )
    scores = pd.DataFrame(
        {
            "series": series["series"],
            "date": months.to_timestamp(how="end").strftime("%Y-%m-%d"),
            "model": "best of the month",
            "score": first["score"],
            "error": np.nan,
        }
    )
    earliest = series.sort_values("released", kind="stable").drop_duplicates("series")
    return earliest, scores


def parse_dates(scores: pd.DataFrame, name: str) -> pd.DataFrame:
    """Parse the dates of scores; an error names the first row without a date."""
    dates = pd.to_datetime(scores["date"], format="%Y-%m-%d", errors="coerce")
    wrong = np.flatnonzero(dates.isna())
    if len(wrong):
        raise InputError(
            f"{name}, row {wrong[0] + 2}, column 'date': '{scores['date'].iloc[wrong[0]]}' is no "
            "date; write YYYY-MM-DD"
        )
    return scores.assign(date=dates)


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


def describe_series(joined: pd.DataFrame) -> pd.DataFrame:
    """List the joined series with their span and, where they are not forecast, the reason."""
    table = joined.groupby("series", as_index=False).agg(
        benchmark=("benchmark", "first"),
        tier=("tier", "first"),
        sites=("site", lambda sites: "; ".join(sorted(set(sites)))),
        released=("released", "min"),
        first=("date", "min"),
        last=("date", "max"),
        dates=("date", "nunique"),
        scores=("date", "size"),
        best=("share", "max"),
        papers=("source", lambda sources: bool((sources == NLP).all())),
    )
    few = table["dates"] < FEWEST_DATES
    return table.assign(
        released=pd.to_datetime(table["released"]),
        reason=np.where(few, f"fewer than {FEWEST_DATES} dates", ""),
    )


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
