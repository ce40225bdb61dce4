"""Past forecasts from the scores that had been measured by then.

The log of Epoch AI's own runs has the day of each. Both ends of a forecast are taken from it: what
had been run by its day, and the best of what had been run when it was due.
"""

from collections.abc import Sequence

import pandas as pd

from saturation import seeds
from saturation.forecast import backtest
from saturation.forecast import series as dated_series
from saturation.forecast.backtest import FEWEST_TO_POOL, FORECASTS, Member, Settings
from saturation.forecast.series import months_after

# While a log is filled with older models its best score is not the best that was known: months.
FILLING = 3


def backtested(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    scores: pd.DataFrame,
    past: Sequence[Member],
    settings: Settings,
) -> pd.DataFrame:
    """As :func:`backtest.backtest`, from each month of the log and of the benchmarks in it alone.

    Empty without a log, or if no forecast is due within it. The benchmarks that are pooled beside
    those of the log, and the stack's weights, are by release dates, as there.
    """
    runs = scores[scores["known"].notna()]
    logged = series[series["series"].isin(runs["series"]) & series["released"].notna()]
    runs = runs[runs["series"].isin(logged["series"])]
    runs = runs.assign(known=pd.to_datetime(runs["known"]))
    if runs.empty:
        return pd.DataFrame(columns=FORECASTS)
    spans = runs.groupby("series")["known"].agg(["min", "max"])
    logged = logged.assign(observed_until=logged["series"].map(spans["max"]))
    others = series[~series["benchmark"].isin(logged["benchmark"])]
    pooled = pd.concat([backtest.datable(others), logged], ignore_index=True)

    def seen(day: pd.Timestamp) -> pd.DataFrame:
        there = dated_series.frontier(logged, runs[runs["known"] <= day])
        return pd.concat([frontier, there], ignore_index=True)

    tables = [pd.DataFrame(columns=FORECASTS)]
    month = pd.DateOffset(months=1)
    for origin in pd.date_range(spans["min"].min(), spans["max"].max(), freq=month):
        filled = spans.index[spans["min"] <= months_after(origin, -FILLING)]
        what = backtest.known(pooled, seen(origin), origin)
        soonest = months_after(origin, settings.horizons[0])
        asked = what.of(
            row["series"] in filled and row["observed_until"] >= soonest for row in what.rows
        )
        if what.reasons.count("") < FEWEST_TO_POOL or not asked.rows:
            continue
        rng = seeds.generator(settings.seed, "forecast", "vintages", f"{origin:%Y-%m-%d}")
        found, _ = backtest.scored_from(origin, what, asked, seen, past, settings, rng)
        tables += found
    return pd.concat(tables[1:] or tables, ignore_index=True)
