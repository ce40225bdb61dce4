"""Forecasts made again at past origins, with only what was known then."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.forecast.names import ALL_ORIGINS
from studies.forecast import backtest, pooling


def test_nothing_after_an_origin_counts(tables):
    series, frontier = tables
    origin = pd.Timestamp("2023-05-15")
    later = frontier["date"] > origin
    changed = frontier.assign(best=frontier["best"].mask(later, 0.89))
    first, second = (
        backtest.repeat_forecasts(series, table, [origin])["probability"]
        for table in (frontier, changed)
    )
    assert first.tolist() == second.tolist()
    known = backtest.histories_at(series, frontier, origin)
    assert all((history.months <= 0).all() for history in known.values())


def test_a_benchmark_is_not_known_before_its_release(tables):
    series, frontier = tables
    series = series.assign(released=pd.Timestamp("2023-06-01"))
    assert not backtest.histories_at(series, frontier, pd.Timestamp("2023-05-31"))
    assert len(backtest.histories_at(series, frontier, pd.Timestamp("2023-06-01"))) == len(series)
    undated = series.assign(released=pd.NaT)
    assert not backtest.histories_at(undated, frontier, pd.Timestamp("2023-06-01"))
    # Scores of papers say themselves when they were known.
    papers = undated.assign(papers=True)
    assert len(backtest.histories_at(papers, frontier, pd.Timestamp("2023-06-01"))) == len(series)


def test_too_few_benchmarks_stop_with_a_sentence(tables):
    series, frontier = tables
    days = list(pd.to_datetime(["2023-01-01", "2023-04-01"]))
    with pytest.raises(InputError, match="at no origin from 2023-01-01 to 2023-04-01"):
        backtest.repeat_forecasts(series.head(pooling.FEWEST_SERIES - 1), frontier, days)


def outcome(best, dates=("2022-01-01", "2022-03-01", "2022-05-01", "2022-07-01", "2022-09-01")):
    """A forecast of 1 January 2023 for a benchmark with these scores later, beside seven others."""
    rows = [(f"o{place}", day, 0.5) for place in range(7) for day in [*dates, "2024-06-01"]]
    rows += [("x", day, 0.5) for day in dates] + [("x", day, share) for day, share in best]
    frontier = pd.DataFrame(rows, columns=["series", "date", "best"])
    frontier["date"] = pd.to_datetime(frontier["date"])
    last = frontier.groupby("series")["date"].max()
    series = pd.DataFrame({"series": last.index, "benchmark": last.index, "last": last.to_numpy()})
    series = series.assign(papers=False, reason="", released=pd.Timestamp("2022-01-01"))
    table = backtest.repeat_forecasts(series, frontier, [pd.Timestamp("2023-01-01")])
    return table.set_index("series").loc["x", ["state", "scored_again"]].tolist()


@pytest.mark.parametrize(
    ("later", "state", "scored"),
    [
        ([("2023-06-01", 0.9), ("2024-01-02", 0.9)], backtest.CAME, True),
        ([("2023-06-01", 0.9)], backtest.CAME, False),
        ([("2023-12-01", 0.89), ("2024-01-02", 0.95)], backtest.FAILED, True),
        ([("2023-12-01", 0.89)], backtest.UNKNOWN, False),
        ([], backtest.UNKNOWN, False),
    ],
)
def test_an_outcome_needs_a_score_a_year_later(later, state, scored):
    assert outcome(later) == [state, scored]


def forecasts():
    table = pd.DataFrame(
        {
            "origin": ["2023-01-01"] * 6 + ["2024-01-01"] * 2,
            "benchmark": [*"abcdef", "a", "g"],
            "probability": [0.1, 0.2, 0.3, 0.4, 0.6, 0.5, 0.2, 0.9],
            "state": [*["not reached"] * 3, *["reached"] * 3, "reached", "not scored again"],
        }
    )
    # f reached the target and was given up: it is in no score.
    return table.assign(scored_again=[True] * 5 + [False, True, False])


def test_the_record_counts_what_was_scored_again():
    table = backtest.record(forecasts(), 0.95).set_index("origin")
    columns = ["forecasts", "scored", "came", "unknown", "expected"]
    assert table.loc["2023-01-01", columns].tolist() == pytest.approx([6, 5, 2, 0, 1.6])
    assert table.loc["2024-01-01", columns].tolist() == pytest.approx([2, 1, 1, 1, 0.2])
    total = table.loc[ALL_ORIGINS]
    assert total[columns].tolist() == pytest.approx([8, 6, 3, 1, 1.8])
    p, came = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.2]), np.array([0, 0, 0, 1, 1, 1])
    brier = ((p - came) ** 2).mean()
    assert total[["brier", "brier_rate", "brier_never"]].tolist() == pytest.approx(
        [brier, 0.25, 0.5]
    )
    assert total[["skill", "skill_never"]].tolist() == pytest.approx(
        [1 - brier / 0.25, 1 - 2 * brier]
    )
    assert total["skill_lower"] < total["skill"] < total["skill_upper"]


def test_reliability_compares_what_was_said_with_what_came():
    table = backtest.reliability(forecasts(), 0.95)
    assert table["forecasts"].tolist() == [3, 2, 1]
    assert table["said"].tolist() == pytest.approx([0.5 / 3, 0.35, 0.6])
    assert table["came"].tolist() == pytest.approx([1 / 3, 0.5, 1])
