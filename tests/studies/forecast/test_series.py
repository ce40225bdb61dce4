"""Series of best scores, and why one gives no forecast."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.forecast import series
from saturation.forecast.names import NLP, UNSTATED


def test_the_frontier_never_falls_and_chance_is_its_zero(made):
    about, scores = made(count=1, dates=6)
    scores["score"] = [0.5, 0.2, 0.4, 0.7, 0.6, 1.0]
    table = series.frontier(about, scores)
    assert list(table["share"]) == pytest.approx([1 / 3, 0, 0.2, 0.6, 1.4 / 3, 1])
    assert list(table["best"]) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.6, 0.6, 1])


@given(order=st.permutations(range(6)))
def test_the_order_of_rows_does_not_matter(made, order):
    about, scores = made(count=1, dates=6)
    shuffled = scores.iloc[list(order)]
    pd.testing.assert_frame_equal(series.frontier(about, scores), series.frontier(about, shuffled))


def reason_of(made, **changes):
    about, scores = made(count=1, dates=changes.pop("dates", 6))
    for name, value in changes.items():
        target = about if name in about.columns and name != "series" else scores
        target[name] = value
    return series.described(about, scores, "2023-01-01")["reason"].iloc[0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"dates": 5}, ""),
        ({"dates": 4}, "fewer than 5 dates"),
        ({"score": [0.0, 0.2, 0.3, 0.4, 0.5, 1.0]}, ""),
        ({"score": [0.1, 0.2, 0.3, 0.4, 0.5, 55.0]}, "scores from 0.1 to 55:"),
        ({"score": [-0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, "scores from -0.1 to 0.6:"),
        ({"protocol": f"shots: {UNSTATED}"}, "its scores do not say"),
    ],
)
def test_what_gives_no_forecast_has_its_reason(made, changes, reason):
    found = reason_of(made, **changes)
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


def test_a_date_in_the_future_is_named(made):
    about, scores = made(count=1, dates=6)
    last = str(scores["date"].max().date())
    assert series.described(about, scores, last)["reason"].iloc[0] == ""
    reason = series.described(about, scores, "2022-06-01")["reason"].iloc[0]
    assert reason == "a date lies in the future: 2022-12-01 is after 2022-06-01"


def test_of_two_series_of_a_benchmark_the_longer_is_forecast(made):
    about, scores = made(count=2, dates=8)
    about = about.assign(benchmark="the same", released=str(scores["date"].iloc[2].date()))
    scores = scores.drop(scores.index[0])
    table = series.described(about, scores, "2026-01-01").set_index("series")
    reasons = ["another series of this benchmark has more dates", ""]
    assert table["reason"].tolist() == reasons
    # Scores of models older than the benchmark are counted.
    assert table["before_release"].tolist() == [1, 2]


def test_best_results_are_watched_until_the_table_was_made(made):
    about, scores = made(count=2, dates=8)
    about["source"] = [NLP, NLP]
    short = scores[(scores["series"] == "s-0") | (scores["date"] < "2023-01-01")]
    table = series.described(about, short, "2026-01-01")
    assert len(set(table["observed_until"])) == 1
    assert len(set(table["last"])) == 2


def test_a_date_that_is_none_is_named_with_its_row():
    table = pd.DataFrame({"date": ["2024-01-01", "2024-13-01"]})
    with pytest.raises(InputError, match=r"x\.csv, row 3, column 'date': '2024-13-01' is no date"):
        series.dated(table, "x.csv")
    assert series.dated(table.head(1), "x.csv")["date"].iloc[0] == pd.Timestamp("2024-01-01")


def test_boards_give_the_best_of_each_month_at_its_end():
    top = pd.DataFrame({"month": ["2023-08", "2023-07", "2023-07"], "rank": [1, 1, 2]})
    top = top.assign(leaderboard="v1", benchmark="ARC", score=[0.5, 0.4, 0.3])
    about, scores = series.of_boards(top)
    assert about.drop(columns="kind").to_numpy().tolist() == [
        ["open_llm-v1_arc", "open_llm", "ARC (Open LLM v1)", "leaderboard v1", "score", 0.25,
         "2023-07-01"],
    ]  # fmt: skip
    assert list(scores["date"]) == ["2023-08-31", "2023-07-31"]
    assert list(scores["score"]) == [0.5, 0.4]
