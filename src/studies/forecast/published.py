"""Read the published scores as series, and describe each."""

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.forecast.series import FEWEST_DATES
from studies.forecast.names import BOARD_FLOORS, BOARDS, MEASURED, NLP


def board_series(top: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the two Open LLM Leaderboards as series: the best score of each month, at its end."""
    first = top[top["rank"] == 1]
    name = first["leaderboard"] + " " + first["benchmark"]
    boards = list(zip(first["leaderboard"], first["benchmark"]))
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
        papers=("source", lambda sources: (sources == NLP).all()),
    )
    few = table["dates"] < FEWEST_DATES
    return table.assign(
        released=pd.to_datetime(table["released"]),
        reason=np.where(few, f"fewer than {FEWEST_DATES} dates", ""),
    )
