"""All scores after one cutoff."""

import numpy as np
import pandas as pd
import pytest

from saturation.files.schema import validate
from saturation.forecast import backtest, outlook, tops
from saturation.forecast.schemas import PEER


def weights(day, settings, past=()):
    return backtest.weights_by_origin(past, [day], settings.half_lives)


def test_every_later_date_is_forecast_by_every_method(tables, tested, settings):
    series, frontier = tables
    origin = pd.Timestamp("2023-06-01")
    table = tops.after(series, frontier, weights(origin, settings, tested[1]), origin, settings)
    assert list(table.columns) == tops.AFTER
    mine = table[table["method"] == "records"]
    later = frontier[frontier["date"] > origin]
    assert len(mine) == len(later)
    assert mine.merge(later, on=["series", "date"])["best"].tolist() == mine["observed"].tolist()
    found = tops.compared(table, 0.95)
    validate(found, PEER, "peer")
    row = found.set_index("method").loc["records"]
    assert row["crps"] == pytest.approx(mine["crps"].mean())
    assert row["scores"] == len(mine)
    assert row["crps_lower"] < row["crps"] < row["crps_upper"]


def test_a_series_that_is_abstained_from_or_ended_is_not_scored(tables, settings):
    series, frontier = tables
    late = pd.Timestamp("2024-12-15")
    none = tops.after(series, frontier, weights(late, settings), late, settings)
    assert none.empty
    assert list(none.columns) == tops.AFTER


def test_a_date_is_forecast_by_the_draws_of_its_month(tables, settings):
    origin = pd.Timestamp("2023-06-01")
    many = backtest.Settings(settings.horizons, settings.half_lives, 4000, 1)
    alike = weights(origin, settings)
    mine = tops.after(*tables, alike, origin, many).query("method == 'records'")
    bands = outlook.outlook(*tables, alike, origin, many)["bands"]
    wanted = mine.assign(month=np.ceil(mine["months"]).astype(int))
    both = wanted.merge(bands[["series", "month", "q50"]], on=["series", "month"])
    assert len(both) == len(mine)
    assert both["predicted"].to_numpy() == pytest.approx(both["q50"].to_numpy(), abs=0.01)


def test_nothing_later_than_two_years_is_scored(tables, settings):
    series, frontier = tables
    origin = pd.Timestamp("2022-10-01")
    table = tops.after(series, frontier, weights(origin, settings), origin, settings)
    assert table["months"].max() <= 24
    assert (frontier["date"].max() - origin).days > 24 * 30.5
