"""Forecasts for a user's benchmark: what is said, and why nothing is."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from saturation.own import outlook
from saturation.own.card import Abstention, Reached


def board(best=0.5, months=12, spread=0.06):
    """A leader a month that rises to the best score, and four models below each."""
    days = pd.date_range(end="2025-12-15", periods=months, freq="30D")
    rows = [
        (f"m{place}-{below}", f"{day:%Y-%m-%d}", best * (place + 4) / (months + 3) - below * spread)
        for place, day in enumerate(days)
        for below in range(5)
    ]
    table = pd.DataFrame(rows, columns=["model", "date", "score"])
    return table[table["score"] > 0].assign(run="", configuration="")


def card(family="accuracy", n_items=5000, unranked=(), **changes):
    data = SimpleNamespace(family=family, n_items=n_items, unranked=unranked)
    made = {"benchmark": "mine", "observed_on": "2025-12-31", "released": None, "data": data}
    return SimpleNamespace(**made | changes)


def made(scores, about, lessons):
    return outlook.forecast(scores, about, lessons)


def test_a_rising_board_has_a_chance_with_the_record_of_past_ones(lessons):
    found = made(board(), card(), lessons)
    assert found.abstains is made(board(months=5), card(), lessons).abstains is None
    assert found.origin == "2025-12-31"
    assert found.known[-1] == Reached("2025-12-15", 0.5)
    (month,) = found.months
    assert month.date == "2026-12-31"
    ordered = [getattr(month, name) for name in ("q10", "q25", "q50", "q75", "q90")]
    assert ordered == sorted(ordered)
    assert ordered[0] >= 0.5
    # From 0.5 to 0.9 it takes 2.197 logits.
    rises = lessons.rises
    enough = rises["windows"][rises["rise"] >= np.log(9)].sum() / rises["windows"].sum()
    assert found.chance == pytest.approx(enough)
    assert len(found.sentences) == 2
    assert found.chance < made(board(0.7), card(), lessons).chance


def test_a_score_that_was_measured_again_counts_as_the_card_counts_it(lessons):
    scores = board(0.9, spread=0.05)
    leader = scores["model"] == "m11-0"
    again = scores[leader].assign(date="2025-12-30", score=0.6)
    found = made(pd.concat([scores, again]), card(), lessons)
    assert found == made(scores.assign(score=scores["score"].mask(leader, 0.6)), card(), lessons)
    assert found.known[-1].best < 0.9
    # A run of its own is no other measurement: both count, and their mean is the score.
    run = scores[leader].assign(run="second", score=0.7)
    mean = scores.assign(score=scores["score"].mask(leader, (0.9 + 0.7) / 2))
    assert made(pd.concat([scores, run]), card(), lessons) == made(mean, card(), lessons)


def test_a_model_that_the_card_does_not_rank_is_in_no_forecast(lessons):
    scores = board()
    lucky = scores.tail(1).assign(model="lucky", score=0.99)
    about = card(unranked=[SimpleNamespace(model="lucky")])
    assert made(pd.concat([scores, lucky]), about, lessons) == made(scores, card(), lessons)
    # Scores from before the release are counted.
    count = (pd.to_datetime(scores["date"]) < "2025-06-01").sum()
    found = made(scores, card(released="2025-06-01"), lessons)
    assert found.sentences[-1] == f"{count} scores are dated before the release of 2025-06-01."


def test_a_target_that_was_reached_has_no_chance_and_no_record(lessons):
    found = made(board(0.97, spread=0.001), card(), lessons)
    assert found.chance is None
    assert len(found.sentences) == 1


@pytest.mark.parametrize(
    ("scores", "about", "reason"),
    [
        (board(months=4), card(), "4 dates with a score; 5 are needed"),
        (board().assign(date=None), card(), "0 dates with a score; 5 are needed"),
        (board(), card(observed_on="2027-01-31"), "no score for 12 months"),
        (board(), card("rating", None),
         "the metric has no lowest and highest score"),
        (board().assign(configuration=["a", *["b"] * (len(board()) - 1)]), card(),
         "the scores are of several configurations: they are not one series"),
    ],
)  # fmt: skip
def test_nothing_is_forecast_without_a_reason_said(scores, about, reason, lessons):
    assert made(scores, about, lessons) == Abstention(reason)


def test_the_best_score_in_a_year_is_that_of_the_card_s_forecast(lessons):
    dated = board().assign(date=lambda table: pd.to_datetime(table["date"]))[["date", "score"]]
    found = outlook.best_in_a_year(dated, lessons)
    assert found == made(board(), card(observed_on="2025-12-15"), lessons).months[0].q50
    assert outlook.best_in_a_year(dated.head(3), lessons).startswith("1 date with a score")
    assert outlook.best_in_a_year(dated.iloc[:0], lessons).startswith("0 dates")
