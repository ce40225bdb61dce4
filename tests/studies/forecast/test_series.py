"""Joined series of best scores, and the reason for no forecast."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.forecast import series
from studies.forecast import published


def joined(about, scores, as_of="2026-01-01"):
    return published.join_scores(about, scores, as_of)


def test_the_frontier_never_falls_and_chance_is_its_zero(made):
    about, scores = made(count=1, dates=6)
    scores["score"] = [0.5, 0.2, 0.4, 0.7, 0.6, 1.0]
    table = series.best_by_date(joined(about, scores))
    assert list(table["share"]) == pytest.approx([1 / 3, 0, 0.2, 0.6, 1.4 / 3, 1])
    assert list(table["best"]) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.6, 0.6, 1])


@given(order=st.permutations(range(6)))
def test_the_order_of_rows_does_not_matter(made, order):
    about, scores = made(count=1, dates=6)
    shuffled = scores.iloc[list(order)]
    first, second = (series.best_by_date(joined(about, table)) for table in (scores, shuffled))
    pd.testing.assert_frame_equal(first, second)


def test_series_of_a_benchmark_and_tier_are_joined_whatever_their_source(made):
    about, scores = made(count=3, dates=6)
    about = about.assign(
        benchmark="B", site=["a.org", "b.org", "c.org"], tier=["measured", "measured", "reported"]
    )
    scores.loc[scores["series"] == "s-2", "score"] = 0.99
    table = published.describe_series(joined(about, scores)).set_index("series")
    assert list(table.index) == ["B, measured", "B, reported"]
    assert table["sites"].tolist() == ["a.org; b.org", "c.org"]
    assert table["scores"].tolist() == [12, 6]
    own = scores[scores["series"] != "s-2"]["score"].max()
    assert table["best"].tolist() == pytest.approx([(own - 0.25) / 0.75, 0.74 / 0.75])


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"score": [0.0, 0.2, 0.3, 0.4, 0.5, 1.0]}, 6),
        ({"score": [0.1, 0.2, 0.3, 0.4, 0.5, 55.0]}, 0),
        ({"score": [-0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, 0),
        ({"date": pd.Timestamp("2026-01-01")}, 6),
        ({"date": pd.Timestamp("2026-01-02")}, 0),
    ],
)
def test_a_series_of_mixed_units_or_of_the_future_is_left_out(made, change, kept):
    about, scores = made(count=1, dates=6)
    assert len(joined(about, scores.assign(**change))) == kept


@pytest.mark.parametrize(("dates", "reason"), [(5, ""), (4, "fewer than 5 dates")])
def test_fewer_than_five_dates_give_no_forecast(made, dates, reason):
    table = published.describe_series(joined(*made(count=1, dates=dates)))
    assert table["reason"].tolist() == [reason]


def test_a_date_that_is_none_is_named_with_its_row():
    table = pd.DataFrame({"date": ["2024-01-01", "2024-13-01"]})
    with pytest.raises(InputError, match=r"x\.csv, row 3, column 'date': '2024-13-01'"):
        published.parse_dates(table, "x.csv")
    assert published.parse_dates(table.head(1), "x.csv")["date"].iloc[0] == pd.Timestamp(
        "2024-01-01"
    )


def test_boards_give_the_best_of_each_month_at_its_end():
    top = pd.DataFrame({"month": ["2023-08", "2023-07", "2023-07"], "rank": [1, 1, 2]})
    top = top.assign(leaderboard="v1", benchmark="ARC", score=[0.5, 0.4, 0.3])
    about, scores = published.board_series(top)
    assert about[["series", "benchmark", "floor", "released"]].to_numpy().tolist() == [
        ["open_llm-v1_arc", "ARC (Open LLM v1)", 0.25, "2023-07-01"]
    ]
    assert list(scores["date"]) == ["2023-08-31", "2023-07-31"]
    assert list(scores["score"]) == [0.5, 0.4]
