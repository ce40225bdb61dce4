"""Past forecasts from the scores that were known by then, where a source tells.

Two sources do: the log of Epoch AI's own runs has the day of each, and the tables of its hub were
taken on the log's last day, so what stands in them was known by then. What only the later
capabilities index has of these benchmarks became known after that day.
"""

from collections.abc import Sequence

import pandas as pd

from saturation import seeds
from saturation.forecast import backtest
from saturation.forecast import series as dated_series
from saturation.forecast.backtest import FEWEST_TO_POOL, FORECASTS, Member, Settings
from saturation.forecast.names import ECI, NLP, RUNS
from saturation.forecast.series import months_after

# A score of the index is that of a table if their shares differ by no more (digits, floors), and a
# benchmark is the same in both if so many of their common scores are.
SAME_SCORE, SAME_BENCHMARK = 0.01, 0.9
# While a log is filled with older models its best score is not the best that was known: months.
FILLING = 3
KEY = ["benchmark", "model"]


def traced(series: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Scores of the benchmarks for which a source tells by which day each was known: ``known``."""
    about = dated_series.shares(series, scores)
    columns = ["series", "source", "benchmark", "reason", "released"]
    about = about.merge(series[columns], on="series")
    about["known"] = pd.to_datetime(about["known"])
    taken, source = about["known"].max(), about["source"]
    then = about[source.str.startswith("history_epoch") & (source != ECI)].fillna({"known": taken})
    usable = about[about["reason"].isna() & about["released"].notna()]
    index = usable[usable["source"] == ECI].reset_index(names="place")
    both = index.merge(then[[*KEY, "share", "known"]], on=KEY, suffixes=("", "_then"))
    both["same"] = (both["share"] - both["share_then"]).abs() <= SAME_SCORE
    agreeing = both.groupby(["benchmark", "place"])["same"].any().groupby("benchmark").mean()
    index = index[index["benchmark"].map(agreeing) >= SAME_BENCHMARK]
    first = both[both["same"]].groupby("place")["known_then"].min()
    later = index["date"].where(index["date"] > taken, taken + pd.Timedelta(days=1))
    index = index.assign(known=index["place"].map(first).fillna(later))
    return pd.concat([usable[usable["source"] == RUNS], index], ignore_index=True)


def backtested(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    scores: pd.DataFrame,
    past: Sequence[Member],
    settings: Settings,
) -> pd.DataFrame:
    """As :func:`backtest.backtest`, but each month of the log with what was known on its day.

    Empty without a log of runs, or if no forecast is due within the scores. The benchmarks that
    are pooled beside the traced ones are taken by release dates, as there.
    """
    runs = pd.to_datetime(scores["known"]).dropna()
    nothing = pd.DataFrame(columns=FORECASTS)
    if runs.empty:
        return nothing
    own = traced(series, scores)
    others = frontier[~frontier["series"].isin(own["series"])]
    dated = series[series["released"].notna() | (series["source"] == NLP)]
    begun = own.groupby("series")["known"].min()

    def seen(day: pd.Timestamp) -> pd.DataFrame:
        there = own[own["known"] <= day].drop(columns="share")
        return pd.concat([others, dated_series.frontier(series, there)], ignore_index=True)

    taken = runs.max()
    days = pd.date_range(runs.min(), taken, freq=pd.DateOffset(months=1))
    tables: list[pd.DataFrame] = []
    for origin in [*days[:-1], taken]:
        filled = begun.index[(begun <= months_after(origin, -FILLING)) | (begun == taken)]
        what = backtest.known(dated, seen(origin), origin)
        soonest = months_after(origin, settings.horizons[0])
        asked = what.of(
            row["series"] in filled and row["observed_until"] >= soonest for row in what.rows
        )
        if what.reasons.count("") < FEWEST_TO_POOL or not asked.rows:
            continue
        rng = seeds.generator(settings.seed, "forecast", "vintages", f"{origin:%Y-%m-%d}")
        found, _ = backtest.scored_from(origin, what, asked, seen, past, settings, rng)
        tables += found
    return pd.concat(tables, ignore_index=True) if tables else nothing
