"""What is to be expected of every benchmark."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.forecast import backtest, outlook
from saturation.forecast.schemas import BANDS, REACH

EARLY, LATE = pd.Timestamp("2022-10-01"), pd.Timestamp("2024-12-01")


@pytest.fixture(scope="module")
def ahead(tables, tested, settings):
    series, frontier = tables
    short = frontier["date"] < "2022-05-01"
    frontier = frontier[(frontier["series"] != "s-0") | short]
    weights = backtest.weights_by_origin(tested[1], [LATE], settings.half_lives)
    return outlook.outlook(series, frontier, weights, LATE, settings)


def test_bands_are_ordered_and_never_fall(ahead):
    bands = ahead["bands"]
    validate(bands, BANDS, "bands")
    levels = bands[[name for name in bands.columns if name.startswith("q")]].to_numpy()
    assert (np.diff(levels, axis=1) >= 0).all()
    assert (levels >= bands[["best"]].to_numpy()).all()
    for _, own in bands.groupby("series"):
        assert list(own["month"]) == list(range(1, 25))
        assert own["q50"].is_monotonic_increasing


def test_what_has_two_dates_is_neither_forecast_nor_forgotten(tables, ahead):
    assert "s-0" not in set(ahead["bands"]["series"])
    assert len(set(ahead["bands"]["series"])) == len(tables[0]) - 1


def test_an_abstention_has_its_reason(tables, settings):
    alike = backtest.weights_by_origin([], [EARLY], settings.half_lives)
    found = outlook.outlook(*tables, alike, EARLY, settings)
    assert found["abstentions"].empty
    series, frontier = tables
    few = frontier[(frontier["series"] != "s-0") | (frontier["date"] < "2022-07-01")]
    found = outlook.outlook(series, few, alike, EARLY, settings)
    assert found["abstentions"][["series", "reason"]].to_numpy().tolist() == [
        ["s-0", "fewer than 5 dates"]
    ]


def test_a_day_from_which_nothing_can_be_forecast_stops_with_a_sentence(tables, settings):
    day = pd.Timestamp("2029-01-01")
    alike = backtest.weights_by_origin([], [day], settings.half_lives)
    with pytest.raises(InputError, match="on 2029-01-01 no benchmark has 5 dates and a score"):
        outlook.outlook(*tables, alike, day, settings)


def test_reach_agrees_with_the_draws():
    months = np.arange(1, outlook.MONTHS + 1)
    # Of four draws one reaches .9 in month 3, two in month 10, one never.
    first = np.array([3, 10, 10, 99])
    draws = np.where(months >= first[:, None], 0.92, 0.6)
    about = {"series": "s", "benchmark": "B", "kind": "k", "origin": "2024-01-01", "best": 0.6}
    table = outlook._reach(about, draws)
    validate(table, REACH, "reach")
    row = table[table["threshold"] == 0.9].iloc[0]
    assert (row["earliest"], row["median"]) == (3, 10)
    assert np.isnan(row["latest"])
    assert row["not_in_two_years"] == 0.25
    half = table[table["threshold"] == 0.5].iloc[0]
    assert half["reached_already"]
    assert np.isnan([half["earliest"], half["median"], half["latest"]]).all()
    assert half["not_in_two_years"] == 0
    assert table[table["threshold"] == 0.95]["not_in_two_years"].iloc[0] == 1


def months(**values):
    return {"reached_already": False, "earliest": None, "median": None, "latest": None, **values}


@pytest.mark.parametrize(
    ("when", "sentence"),
    [
        (months(earliest=1.0, median=2.0, latest=3.0),
         "by March 2026 (80 %: January 2026 to April 2026)"),
        (months(earliest=1.0, median=2.0),
         "by March 2026 (80 %: January 2026 to after December 2027)"),
        (months(earliest=1.0),
         "after December 2027 (80 %: January 2026 to after December 2027)"),
        (months(), "after December 2027 (with at least 90 % probability)"),
    ],
)  # fmt: skip
def test_a_month_beyond_two_years_is_said_to_be_later(when, sentence):
    assert outlook.said(when, pd.Timestamp("2025-12-31")) == sentence
