"""The whole study on made histories: its headline numbers, and what its tables keep to."""

import pandas as pd
import pytest

from saturation.forecast import scoring, tops
from saturation.forecast.models import BASELINES, CLIMATOLOGY
from saturation.forecast.series import due, months_after
from studies.forecast import lifespans


def test_the_headline_numbers_are_those_that_were_read_through(studied, reviewed):
    reviewed("forecast", studied["quantities"])


def test_every_method_forecasts_the_same_and_what_came_is_the_frontier(studied):
    forecasts, frontier = studied["backtest"], studied["frontier"]
    assert set(forecasts["method"]) == {scoring.METHOD, CLIMATOLOGY, *BASELINES}
    assert len(set(forecasts.groupby("method").size())) == 1
    for row in forecasts.drop_duplicates(["origin", "series", "horizon"]).to_dict("records"):
        origin = pd.Timestamp(row["origin"])
        own = frontier[frontier["series"] == row["series"]]
        then, later = (
            own.loc[own["date"] <= day, "best"].max()
            for day in (origin, months_after(origin, row["horizon"]))
        )
        assert (row["best"], row["observed"]) == (then, later)
    assert due(forecasts, "horizon").max() <= studied["series"]["observed_until"].max()


def test_tops_are_forecast_while_they_could_still_be_told_apart(studied):
    cases = studied["tops_cases"]
    assert (cases["s_index"] < tops.Bar(tops.N_ITEMS).threshold).all()
    assert set(cases["ahead"]) == set(tops.AHEAD)
    came = cases["came"].to_numpy(float)
    assert cases["brier"].to_numpy() == pytest.approx((cases["probability"] - came) ** 2)


def test_the_change_a_year_within_kinds_is_a_headline_number(studied):
    change = studied["lifespans_survival"].set_index("what").loc[lifespans.CHANGE]
    numbers = studied["quantities"].set_index("quantity")
    own = numbers.loc["life_span_factor_within_kinds_share", ["value", "lower", "upper"]]
    assert own.tolist() == change[["value", "lower", "upper"]].tolist()
