"""The first and the k-th score month by month, and all scores after one cutoff."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, outlook, tops
from saturation.index import saturation_index

ORIGIN = pd.Timestamp("2025-06-01")


def entries(rows):
    return pd.DataFrame(rows, columns=["date", "model", "share"]).assign(
        date=lambda table: pd.to_datetime(table["date"])
    )


BOARD = entries(
    [
        ("2025-02-15", "a", 0.30),
        ("2025-03-20", "b", 0.50),
        ("2025-03-22", "c", 0.45),
        ("2025-05-15", "d", 0.60),
        ("2025-05-16", "a", 0.55),
        ("2025-05-17", "e", 0.20),
        ("2025-07-01", "future", 0.99),
    ]
)


def logit(share):
    return np.log(share / (1 - share))


def test_the_top_is_of_models_with_their_best_until_the_day_and_of_nothing_later():
    assert tops.top(BOARD, ORIGIN, 3).places == pytest.approx(logit(np.array([0.6, 0.55, 0.5])))
    today = entries([*BOARD.itertuples(index=False, name=None), (ORIGIN, "today", 0.58)])
    found = tops.top(today, ORIGIN, 3)
    assert found.places[1] == pytest.approx(logit(0.58))
    assert found.below[0, 0] == pytest.approx(logit(0.58) - logit(0.6))
    assert tops.top(BOARD, ORIGIN, 6) is None
    assert tops.top(BOARD, ORIGIN, 5) is not None


def test_months_hold_how_far_below_their_leader_the_others_were():
    found = tops.top(BOARD, ORIGIN, 3)
    # Month 0 is the last before the origin; in month 1 nobody came.
    assert found.led.tolist() == [True, False, True, True]
    fifth = logit(0.55) - logit(0.6), logit(0.2) - logit(0.6), -np.inf
    assert found.below[0] == pytest.approx(fifth)
    assert np.isinf(found.below[1]).all()
    assert found.below[2] == pytest.approx([logit(0.45) - logit(0.5), -np.inf, -np.inf])
    assert np.isinf(found.below[3]).all()


def test_only_the_last_two_years_are_drawn_again():
    old = entries([("2019-01-01", "z", 0.1), *BOARD.itertuples(index=False, name=None)])
    assert tops.top(old, ORIGIN, 3).below.shape == (24, 3)


def test_a_new_leader_pushes_the_old_one_down_and_without_entries_nothing_moves():
    quiet = tops.Top(logit(np.array([0.6, 0.5])), np.full((4, 2), -np.inf), np.zeros(4, bool))
    best = np.tile([0.6, 0.8, 0.8, 0.9], (5, 1))
    first, kth = tops.paths(quiet, best, np.random.default_rng(0))
    assert first == pytest.approx(best)
    assert kth == pytest.approx(np.tile([0.5, 0.6, 0.6, 0.8], (5, 1)))


def test_entries_come_from_months_that_led_where_the_forecast_leads():
    below = np.array([[-0.1, -np.inf], [-3.0, -np.inf]])
    known = tops.Top(logit(np.array([0.6, 0.3])), below, np.array([True, False]))
    best = np.tile([0.6, 0.8], (50, 1))
    _, kth = tops.paths(known, best, np.random.default_rng(0))
    # A month without a leader draws -3, which is below the second; one with a leader draws -0.1.
    assert kth[:, 0] == pytest.approx(np.full(50, 0.3))
    assert logit(kth[:, 1]) == pytest.approx(np.full(50, logit(0.8) - 0.1))


def test_the_kth_is_never_above_the_first_and_never_falls():
    found = tops.top(BOARD, ORIGIN, 3)
    best = np.sort(np.random.default_rng(1).uniform(0.6, 1, (200, 24)), axis=1)
    first, kth = tops.paths(found, best, np.random.default_rng(0))
    assert (kth <= first).all()
    assert (np.diff(kth, axis=1) >= -1e-12).all()


def test_the_bar_is_the_index_of_scores_and_not_of_shares():
    bar = tops.Bar(n_items=400, floor=0.25)
    expected = saturation_index(0.25 + 0.75 * 0.8, 0.25 + 0.75 * 0.7, 400)
    assert bar.index(np.array(0.8), np.array(0.7)) == pytest.approx(float(expected))


def test_accuracy_counts_what_came_beside_what_was_said():
    cases = pd.DataFrame({"benchmark": list("abcdef") * 2, "came": [True, *[False] * 3] * 3})
    cases = cases.assign(ahead=6, drawn=0.2, probability=0.25)
    cases["brier"] = (cases["probability"] - cases["came"]) ** 2
    table = tops.accuracy(cases, 0.95)
    (row,) = table.to_dict("records")
    assert (row["forecasts"], row["benchmarks"]) == (12, 6)
    assert row["said"] == row["came"] == 0.25
    assert row["came_lower"] < 0.25 < row["came_upper"]
    # Always saying the share that came is exactly this forecast.
    assert row["skill"] == pytest.approx(0)


def test_series_of_best_results_alone_are_left_out():
    table = pd.DataFrame(
        {
            "series": ["a", "b", "c", "d"],
            "source": ["made", "history_sota_nlp", "made", "made"],
            "reason": [None, None, "no", None],
            "released": pd.to_datetime(["2024-01-01", "2024-01-01", "2024-01-01", None]),
        }
    )
    scores = pd.DataFrame({"series": ["a", "b", "c", "d"]})
    assert tops.forecast_again(table, scores)["series"].tolist() == ["a"]
    assert tops.forecast_again(table, scores[:0]).empty


def test_the_shift_is_the_mode_of_a_logistic_model_with_a_normal_prior():
    drawn, came = np.full(40, 0.2), np.arange(40) < 20
    moved = tops.shift(drawn, came)
    # At the mode the slope of the likelihood is that of the prior.
    expected = 1 / (1 + np.exp(-(logit(0.2) + moved)))
    assert 20 - 40 * expected == pytest.approx(moved / tops.SHIFT_SD**2, abs=1e-3)
    assert 0 < moved < logit(0.5) - logit(0.2)
    assert tops.shift(drawn, ~came) == pytest.approx(moved)
    assert tops.shift(np.full(40, 0.5), came) == pytest.approx(0, abs=1e-3)
    assert tops.shift(np.empty(0), np.empty(0)) == pytest.approx(0, abs=1e-3)
    # Draws that all say no are not believed to the last.
    assert np.isfinite(tops.shift(np.zeros(3), np.ones(3)))


def test_only_outcomes_that_were_known_move_a_forecast():
    cases = pd.DataFrame(
        {
            "origin": ["2023-01-01"] * 3 + ["2023-07-15"] * 2 + ["2024-02-01"],
            "ahead": [6, 6, 12, 6, 6, 6],
            "drawn": [0.2, 0.3, 0.4, 0.2, 0.6, 0.5],
            "came": [True, True, False, True, False, True],
        }
    )
    moved = tops.shifted(cases)
    assert moved["probability"].tolist()[:3] == pytest.approx([0.2, 0.3, 0.4], abs=1e-3)
    # On 15 July 2023 the two six-month outcomes are known, the twelve-month one is not.
    known = tops.shift(np.array([0.2, 0.3]), np.array([1.0, 1.0]))
    assert logit(moved["probability"][3]) == pytest.approx(logit(0.2) + known)
    later = tops.shift(*cases[["drawn", "came"]].to_numpy(float)[:5].T)
    assert logit(moved["probability"][5]) == pytest.approx(logit(0.5) + later)
    assert moved["brier"][5] == pytest.approx((moved["probability"][5] - 1) ** 2)
    changed = tops.shifted(cases.assign(came=[True, True, True, False, True, False]))
    assert changed["probability"].tolist()[:5] == moved["probability"].tolist()[:5]


def test_hastened_draws_have_the_other_odds_by_every_month():
    rng = np.random.default_rng(2)
    first = rng.geometric(0.08, 4000)
    there = first[:, None] <= np.arange(1, 25)
    by_month = there.mean(axis=0)
    for moved in (-0.7, 0.0, 1.1):
        found = tops.hastened(there, moved).mean(axis=0)
        assert logit(found) == pytest.approx(logit(by_month) + moved, abs=0.02)
    assert not tops.hastened(np.zeros((50, 3), bool), 2.0).any()
    assert tops.hastened(np.ones((50, 3), bool), -2.0).all()
    # What is so for a month and then no more has come.
    passing = np.tile([False, True, False], (10, 1))
    assert tops.hastened(passing, 0.5).tolist() == [[False, True, True]] * 10


def weights_on(day, settings):
    return backtest.weights_by_origin([], [day], settings.half_lives)


def test_every_later_rise_is_forecast_by_every_method(tables, settings):
    series, frontier = tables
    origin = pd.Timestamp("2023-06-01")
    # The same score a day later is the same event.
    again = frontier.assign(date=frontier["date"] + pd.Timedelta(days=1))
    doubled = pd.concat([frontier, again]).sort_values(["series", "date"], ignore_index=True)
    weights = weights_on(origin, settings)
    repeated = tops.after(series, doubled, weights, origin, settings)
    table = tops.after(series, frontier, weights, origin, settings)
    mine = table[table["method"] == "records"]
    later = frontier[frontier["date"] > origin]
    assert len(mine) == len(later) == repeated.query("method == 'records'")["rise"].sum()
    assert mine.merge(later, on=["series", "date"])["best"].tolist() == mine["observed"].tolist()
    events = tops.compared(repeated, 0.95).query("method == 'records'").set_index("event")
    every = (repeated["method"] == "records").sum()
    assert events["events"].to_dict() == {"rise": len(later), "entry": every}
    assert len(later) < every
    row = tops.compared(table, 0.95).set_index("method").loc["records"].iloc[0]
    assert row["crps"] == pytest.approx(mine["crps"].mean())
    assert row["crps_lower"] < row["crps"] < row["crps_upper"]


def test_a_date_is_forecast_by_the_draws_of_its_month(tables, settings):
    origin = pd.Timestamp("2023-06-01")
    many = backtest.Settings(settings.horizons, settings.half_lives, 4000, 1)
    alike = weights_on(origin, settings)
    mine = tops.after(*tables, alike, origin, many).query("method == 'records'")
    bands = outlook.outlook(*tables, alike, origin, many)["bands"]
    wanted = mine.assign(month=np.ceil(mine["months"]).astype(int))
    both = wanted.merge(bands[["series", "month", "q50"]], on=["series", "month"])
    assert len(both) == len(mine)
    assert both["predicted"].to_numpy() == pytest.approx(both["q50"].to_numpy(), abs=0.01)


def test_only_two_years_and_series_that_go_on_are_scored(tables, settings):
    early, late = pd.Timestamp("2022-10-01"), pd.Timestamp("2024-12-15")
    found = tops.after(*tables, weights_on(early, settings), early, settings)
    assert found["months"].max() <= 24 < (tables[1]["date"].max() - early).days / 30.5
    none = tops.after(*tables, weights_on(late, settings), late, settings)
    assert none.empty
    assert list(none.columns) == tops.AFTER
