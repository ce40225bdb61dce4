"""All scores after one cutoff, as another project forecast them, and what it printed.

GPAI-Policy-Lab/benchmark-forecasting fits hierarchical curves to 97 benchmarks and prints for a
cutoff in January 2025 CRPS of .056 to .063 and 80 % intervals that held .68 to .84 of 432 scores.
Its table is not here: the benchmarks and the scores are others, so that the numbers stand side by
side and are not a contest.
"""

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.forecast import backtest, baselines, schemas, scoring
from saturation.forecast.backtest import METHOD, Settings
from saturation.forecast.outlook import MONTHS, MONTHS_AHEAD
from saturation.forecast.series import months_after, months_between
from saturation.forecast.shared import forecast, shared

PRINTED = {"crps": (0.056, 0.063), "coverage_80": (0.68, 0.84)}


def after(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    weights: pd.DataFrame,
    origin: pd.Timestamp,
    settings: Settings,
) -> pd.DataFrame:
    """Forecasts from a cutoff of the best score at each later date with a score, up to two years.

    Parameters
    ----------
    series, frontier, weights, settings
        As for :func:`saturation.forecast.outlook.outlook`.
    origin
        The cutoff.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.AFTER`. A date is forecast by the next whole month's draws.
    """
    what = backtest.known(series[series["released"].notna()], frontier, origin)
    end = months_after(origin, MONTHS)
    then = frontier[(frontier["date"] > origin) & (frontier["date"] <= end)]
    scored_later = {str(name): part for name, part in then.groupby("series")}
    made = what.made()
    asked = made.of(row["series"] in scored_later for row in made.rows)
    if not asked.rows:
        return pd.DataFrame(columns=list(schemas.AFTER.columns))
    rng = seeds.generator(settings.seed, "forecast", "peer")
    kept = shared(what, weights)
    methods = {METHOD: forecast(kept, asked.histories, MONTHS_AHEAD, settings.draws, rng)}
    methods |= baselines.compared(asked.histories, MONTHS_AHEAD, settings.draws, rng)
    tables = []
    for place, row in enumerate(asked.rows):
        own = scored_later[row["series"]]
        ahead = months_between(origin, own["date"])
        month, observed = np.ceil(ahead).astype(int) - 1, own["best"].to_numpy(float)
        for name, draws in methods.items():
            own_draws = draws[place][:, month].T
            tables.append(
                pd.DataFrame(
                    {
                        "series": row["series"],
                        "benchmark": row["benchmark"],
                        "date": own["date"].to_numpy(),
                        "months": ahead,
                        "method": name,
                        "observed": observed,
                        "predicted": np.median(own_draws, axis=1),
                        "crps": scoring.crps(own_draws, observed),
                        **scoring.transform(own_draws, observed)._asdict(),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


def compared(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean score and coverage of each method at the cutoff, with intervals over benchmarks.

    Parameters
    ----------
    table
        Of :func:`after`.
    level
        Of the intervals.
    """
    rows = []
    for method, own in table.groupby("method", sort=False):
        clusters = own["benchmark"].to_numpy()
        inside = scoring.covered(own["below"], own["upto"], 0.8)
        rows.append(
            [
                method,
                len(own),
                own["benchmark"].nunique(),
                *scoring.clustered_mean(own["crps"], clusters, level),
                *scoring.clustered_share(inside, clusters, level),
            ]
        )
    return pd.DataFrame(rows, columns=list(schemas.PEER.columns))
