"""What is to be expected of every benchmark, and what is kept to forecast one more."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.forecast import backtest, models, outlook, schemas
from saturation.forecast.models import LINKS

EARLY, LATE = pd.Timestamp("2022-10-01"), pd.Timestamp("2024-12-01")


@pytest.fixture(scope="module")
def ahead(tables, settings):
    series, frontier = tables
    short = frontier["date"] < "2022-05-01"
    frontier = frontier[(frontier["series"] != "s-0") | short]
    weights = backtest.weights_by_origin([], [LATE], settings.half_lives)
    return outlook.outlook(series, frontier, weights, LATE, settings)


def test_bands_are_ordered_and_never_fall(ahead):
    bands = ahead["bands"]
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
    (row,) = found["abstentions"].to_dict("records")
    assert (row["series"], row["reason"]) == ("s-0", "fewer than 5 dates")


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


@pytest.fixture(scope="module")
def what(tables):
    return backtest.known(*tables, LATE)


@pytest.fixture(scope="module")
def weights(settings):
    table = backtest.weights_by_origin([], [LATE], settings.half_lives)
    rising = np.arange(1, len(table) + 1)
    return table.assign(weight=rising / rising.sum())


@pytest.fixture(scope="module")
def kept(what, weights):
    return outlook.shared(what, weights)


def test_members_are_named_in_the_order_of_the_stack(settings, what):
    named = backtest.labels([12.0, 36.0])
    assert list(named.itertuples(index=False, name=None))[:3] == [
        ("logistic", 1.0, 12.0), ("logistic", 1.0, 36.0), ("logistic", 0.95, 12.0),
    ]  # fmt: skip
    assert named["form"].iloc[-1] == "drift"
    each = backtest.members(what, what.histories, settings, np.random.default_rng(0))
    assert len(each) == len(backtest.labels(settings.half_lives))


def test_weights_are_those_that_were_known_at_each_origin(settings):
    count = len(backtest.labels(settings.half_lives))
    scores = np.tile(np.r_[0.1, np.full(count - 1, 5.0)], (30, 1))
    days = [LATE - pd.Timedelta(days=1), LATE]
    table = backtest.weights_by_origin([backtest.Member(LATE, scores)], days, settings.half_lives)
    first, second = (part["weight"].to_numpy() for _, part in table.groupby("origin"))
    assert first == pytest.approx(np.full(count, 1 / count))
    assert second[0] > 0.8
    assert second.sum() == pytest.approx(1)


def test_the_kept_posterior_is_the_one_of_all_that_are_pooled(what, kept):
    pooled = [h for h, reason in zip(what.histories, what.reasons, strict=True) if not reason]
    mode, covariance = models.shared_posterior(models.evidence(pooled, LINKS[1], 12.0))
    row = kept.iloc[1]
    assert row[schemas.MEANS].to_numpy(float) == pytest.approx(mode)
    posterior = outlook._posterior(row[[*schemas.MEANS, *schemas.COVARIANCES]].to_numpy(float))
    assert posterior.covariance == pytest.approx(covariance)
    assert kept[schemas.MEANS].iloc[-1].isna().all()


def test_forecasts_by_what_is_kept_are_those_of_the_study(what, kept, settings):
    rng = np.random.default_rng(1)
    many = backtest.Settings([3, 12], settings.half_lives, 4000, 1)
    each = backtest.members(what, what.histories, many, rng)
    direct = models.mixed(each, kept["weight"].to_numpy())
    again = outlook.forecast(kept, what.histories, np.array([3.0, 12.0]), 4000, rng)
    assert again.shape == direct.shape
    for share in (0.1, 0.5, 0.9):
        expected = np.quantile(direct, share, axis=1)
        assert np.quantile(again, share, axis=1) == pytest.approx(expected, abs=0.02)


def test_accuracy_is_of_the_method_on_recent_benchmarks():
    summary = pd.DataFrame(
        [("all but NLP", "records", 0.8), ("all but NLP", "trend", 0.1), ("code", "records", 0.2)],
        columns=["group", "method", "coverage_80"],
    ).assign(horizon=6, coverage_80_lower=0.7, coverage_80_upper=0.9, forecasts=9, benchmarks=6)
    top = {"ahead": 6, "forecasts": 5, "benchmarks": 5, "said": 0.3, "came": 0.4, "shift": 0.7}
    tops = pd.DataFrame([{**top, "came_lower": 0.1, "came_upper": 0.8, "error": 0.2}])
    table = outlook.accuracy(summary, tops)
    assert table.fillna(-1).to_numpy().tolist() == [
        [schemas.BEST, 6, 9, 6, 0.8, 0.8, 0.7, 0.9, -1],
        [schemas.TOP, 6, 5, 5, 0.3, 0.4, 0.1, 0.8, 0.7],
    ]
