"""All scores after one cutoff, as another project forecast them, and what it printed.

GPAI-Policy-Lab/benchmark-forecasting fits hierarchical curves to 97 benchmarks and prints for a
cutoff in January 2025 CRPS of .056 to .063 and 80 % intervals that held .68 to .84 of 432 scores.
Its table is not here: the benchmarks and the scores are others, so that the numbers stand side by
side and are not a contest.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.forecast import backtest, scoring
from saturation.forecast.backtest import Member, Settings
from saturation.forecast.outlook import MONTHS
from saturation.forecast.series import months_between

PRINTED = {"crps": (0.056, 0.063), "coverage_80": (0.68, 0.84)}
AFTER = ["series", "benchmark", "date", "months", "method", "observed", "predicted", "crps", "pit"]
PEER = [
    "method", "scores", "benchmarks", "crps", "crps_lower", "crps_upper", "coverage_80",
    "coverage_80_lower", "coverage_80_upper",
]  # fmt: skip


def after(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    past: Sequence[Member],
    origin: pd.Timestamp,
    settings: Settings,
) -> pd.DataFrame:
    """Forecasts from a cutoff of the best score at each later date with a score, up to two years.

    Parameters
    ----------
    series, frontier, past, settings
        As for :func:`saturation.forecast.outlook.outlook`.
    origin
        The cutoff.

    Returns
    -------
    pandas.DataFrame
        Columns `AFTER`. A date is forecast by the next whole month's draws.
    """
    what = backtest.known(series[series["released"].notna()], frontier, origin)
    monthly = Settings(range(1, MONTHS + 1), settings.half_lives, settings.draws, settings.seed)
    _, methods = backtest.of_origin(what, past, origin, monthly)
    rng = seeds.generator(settings.seed, "forecast", "peer")
    tables = []
    for place, row in enumerate(what.rows):
        own = frontier[(frontier["series"] == row["series"]) & (frontier["date"] > origin)]
        ahead = months_between(origin, own["date"])
        near, own = ahead <= MONTHS, own[ahead <= MONTHS]
        if what.reasons[place] or own.empty:
            continue
        month = np.ceil(ahead[near]).astype(int) - 1
        observed = own["best"].to_numpy(float)
        for name, draws in methods.items():
            own_draws = draws[place][:, month].T
            tables.append(
                pd.DataFrame(
                    {
                        "series": row["series"],
                        "benchmark": row["benchmark"],
                        "date": own["date"].to_numpy(),
                        "months": ahead[near],
                        "method": name,
                        "observed": observed,
                        "predicted": np.median(own_draws, axis=1),
                        "crps": scoring.crps(own_draws, observed),
                        "pit": scoring.pit(own_draws, observed, rng),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=AFTER)


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
        inside = scoring.covered(own["pit"], 0.8)
        rows.append(
            [
                method,
                len(own),
                own["benchmark"].nunique(),
                *scoring.clustered_mean(own["crps"], clusters, level),
                *scoring.clustered_share(inside, clusters, level),
            ]
        )
    return pd.DataFrame(rows, columns=PEER)
