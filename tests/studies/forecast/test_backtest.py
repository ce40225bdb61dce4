"""Forecasts made again at past origins, with only what was known then."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.forecast import backtest
from saturation.forecast.backtest import Member


def test_nothing_after_an_origin_is_known(tables):
    series, frontier = tables
    origin = pd.Timestamp("2023-05-15")
    what = backtest.known(series, frontier, origin)
    later = frontier["date"] > origin
    changed = frontier.assign(best=frontier["best"].mask(later, 0.99))
    again = backtest.known(series, changed, origin)
    for one, other in zip(what.histories, again.histories, strict=True):
        assert (one.months <= 0).all()
        assert list(one.best) == list(other.best)


def test_a_benchmark_is_not_known_before_its_release(tables):
    series, frontier = tables
    # Nor with fewer than three dates.
    assert not backtest.known(series, frontier, pd.Timestamp("2022-04-01")).rows
    series = series.assign(released=pd.Timestamp("2023-06-01"))
    assert not backtest.known(series, frontier, pd.Timestamp("2023-05-31")).rows
    assert len(backtest.known(series, frontier, pd.Timestamp("2023-06-01")).rows) == len(series)


@pytest.mark.parametrize(
    ("origin", "dates", "reason"),
    [
        ("2022-06-01", 3, backtest.FEW_REASON),
        ("2022-08-01", 4, backtest.FEW_REASON),
        ("2022-10-01", 5, ""),
        ("2025-11-30", 18, ""),
        ("2025-12-02", 18, backtest.ASLEEP_REASON),
    ],
)
def test_reasons_to_abstain_at_their_edges(tables, origin, dates, reason):
    what = backtest.known(*tables, pd.Timestamp(origin))
    assert {len(history.months) for history in what.histories} == {dates}
    assert set(what.reasons) == {reason}


def test_only_outcomes_known_at_an_origin_weigh():
    right, wrong = np.array([[0.1, 4.0]] * 50), np.array([[4.0, 0.1]] * 50)
    past = [
        Member(pd.Timestamp("2023-01-01"), right),
        Member(pd.Timestamp("2024-01-01"), wrong),
        Member(pd.Timestamp("2024-01-01"), wrong),
    ]
    early = backtest.weights_at(past, pd.Timestamp("2023-06-01"), 2)
    late = backtest.weights_at(past, pd.Timestamp("2024-01-01"), 2)
    assert early[0] > 0.9
    assert late[1] > 0.6
    assert backtest.weights_at(past, pd.Timestamp("2022-01-01"), 2) == pytest.approx([0.5, 0.5])


def test_a_benchmark_without_a_release_date_is_not_forecast_again(tables, settings):
    series, frontier = tables
    series = series.assign(released=series["released"].mask(series["series"] == "s-0"))
    days = backtest.origins("2023-01-01", "2023-04-01", 3)
    found, _ = backtest.backtest(series, frontier, days, settings)
    assert set(found["series"]) == {f"s-{number}" for number in range(1, 8)}


def test_too_few_benchmarks_stop_with_a_sentence(tables, settings):
    series, frontier = tables
    days = backtest.origins("2023-01-01", "2023-04-01", 3)
    with pytest.raises(InputError, match="at no origin from 2023-01-01 to 2023-04-01"):
        backtest.backtest(series.head(4), frontier, days, settings)
