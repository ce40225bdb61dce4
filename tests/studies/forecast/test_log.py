"""Past forecasts from what had been measured by then."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, series


@pytest.fixture(scope="module")
def table(told, settings):
    return backtest.as_logged(*told, [], settings)


def test_both_ends_are_what_had_been_run_by_their_day(told, table):
    assert list(table.columns) == backtest.FORECASTS
    about, _, scores = told
    runs = series.shares(about, scores[scores["known"].notna()])
    known = pd.to_datetime(runs["known"])
    assert set(table["series"]) == {"log-0", "log-1"}
    for row in table[table["method"] == "records"].to_dict("records"):
        origin, own = pd.Timestamp(row["origin"]), runs["series"] == row["series"]
        due = series.months_after(origin, row["horizon"])
        assert due <= known[own].max()
        for day, share in ((origin, row["best"]), (due, row["observed"])):
            assert share == pytest.approx(runs.loc[own & (known <= day), "share"].max())
    assert np.isfinite(table["crps"]).all()
    # The log is taken from three months after it began.
    assert table["origin"].min() == "2023-05-01"


def test_what_is_run_ten_days_later_changes_no_forecast(told, table, settings):
    about, frontier, scores = told
    origin = pd.Timestamp(table["origin"].max())
    late = scores[scores["series"] == "log-0"].tail(1).assign(
        date=origin, score=0.99, known=f"{origin + pd.Timedelta(days=10):%Y-%m-%d}"
    )  # fmt: skip
    with_late = pd.concat([scores, late], ignore_index=True)
    after = backtest.as_logged(about, frontier, with_late, [], settings)
    both = table.merge(after, on=["origin", "series", "horizon", "method"], suffixes=("", "_late"))
    assert len(both) == len(table)
    assert (both["best"] == both["best_late"]).all()
    assert (both["predicted"] == both["predicted_late"]).all()


def test_the_other_series_of_a_logged_benchmark_teaches_nothing(told, table, settings):
    about, frontier, scores = told
    steep = frontier.copy()
    same = steep["series"].isin(["s-0", "s-1"])
    steep.loc[same, ["share", "best"]] = 0.999
    changed = backtest.as_logged(about, steep, scores, [], settings)
    pd.testing.assert_frame_equal(changed, table)


def test_without_a_log_or_a_due_forecast_there_is_none(told, settings):
    about, frontier, scores = told
    unknown = backtest.as_logged(about, frontier, scores.assign(known=None), [], settings)
    far = backtest.Settings([120], [12.0], 50, 1)
    for none in (unknown, backtest.as_logged(about, frontier, scores, [], far)):
        assert none.empty
        assert list(none.columns) == backtest.FORECASTS
