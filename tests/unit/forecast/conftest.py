"""Made histories of benchmarks, and the tables that the stages give them in."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, outlook, series, tops
from saturation.forecast.models import Link


def made(count=8, dates=18, seed=0):
    """Series and scores of benchmarks that grow evenly in logits, a score every second month."""
    rng = np.random.default_rng(seed)
    days = pd.date_range("2022-01-15", periods=dates, freq="2MS")
    about, scores = [], []
    for number in range(count):
        places = -1.5 + 0.1 * rng.gamma(2, 1.0, dates).cumsum() + rng.normal(0, 0.1)
        about.append(
            {
                "series": f"s-{number}",
                "source": "made",
                "benchmark": f"B{number}",
                "protocol": "5-shot",
                "metric": "accuracy",
                "kind": ("code", "agents")[number % 2],
                "floor": 0.25,
                "released": "2022-01-01",
            }
        )
        share = Link("logistic", 1.0).shares(places)
        scores.append(
            pd.DataFrame(
                {
                    "series": f"s-{number}",
                    "date": days,
                    "model": "m",
                    "score": 0.25 + 0.75 * share,
                    "error": np.nan,
                }
            )
        )
    return pd.DataFrame(about), pd.concat(scores, ignore_index=True)


@pytest.fixture(scope="session", name="made")
def make():
    return made


@pytest.fixture(scope="session")
def tables():
    """Described series with dates, and their frontier."""
    about, scores = made()
    described = series.described(about, scores, "2026-01-01")
    described["released"] = pd.to_datetime(described["released"])
    described["reason"] = described["reason"].replace("", None)
    return described, series.frontier(about, scores)


@pytest.fixture(scope="session")
def settings():
    return backtest.Settings([3, 6], [12.0], 150, 1)


@pytest.fixture(scope="session")
def tested(tables, settings):
    """Forecasts and what the stack's members held of outcomes."""
    days = backtest.origins("2023-01-01", "2024-07-01", 3)
    return backtest.backtest(*tables, days, settings)


@pytest.fixture(scope="session")
def ahead_and_after(tables, tested, settings):
    """The outlook from a day on, and past forecasts from an earlier cutoff, scored."""
    today, cutoff = pd.Timestamp("2024-12-01"), pd.Timestamp("2023-06-01")
    now, then = (
        backtest.weights_by_origin(tested[1], [day], settings.half_lives) for day in (today, cutoff)
    )
    ahead = outlook.outlook(*tables, now, today, settings)
    return ahead, tops.after(*tables, then, cutoff, settings)
