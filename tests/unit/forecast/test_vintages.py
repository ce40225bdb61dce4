"""Past forecasts from what was known by then."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast import backtest, series, vintages
from saturation.forecast.names import ECI, RUNS


@pytest.fixture
def told(made):
    """Eight benchmarks of the index; the log has the runs of two, a table of the hub a third."""
    about, scores = made()
    about["source"] = ECI
    scores["model"] = [f"m{place}" for place in scores.groupby("series").cumcount()]
    scores["known"] = None
    then = scores["date"] <= "2024-06-01"
    parts, sources = [scores], [about]
    for number, source in ((0, RUNS), (1, RUNS), (2, "history_epoch_table")):
        name = f"then-{number}"
        sources.append(about[about["series"] == f"s-{number}"].assign(series=name, source=source))
        early = scores[then & (scores["series"] == f"s-{number}")].assign(series=name)
        if source == RUNS:
            ran = early["date"].where(early["date"] > "2023-01-01", pd.Timestamp("2023-01-01"))
            early["known"] = ran.dt.strftime("%Y-%m-%d")
        parts.append(early)
    about, scores = pd.concat(sources), pd.concat(parts, ignore_index=True)
    described = series.described(about, scores, "2026-01-01")
    described["released"] = pd.to_datetime(described["released"])
    described["reason"] = described["reason"].replace("", None)
    return described, scores


def test_each_score_has_the_day_of_its_run_or_of_the_table_or_is_later(told):
    own = vintages.traced(*told)
    assert set(own["benchmark"]) == {"B0", "B1", "B2"}
    assert set(own["source"]) == {ECI}
    late = own["date"] > "2024-06-01"
    assert (own.loc[late, "known"] == own.loc[late, "date"]).all()
    by = own[~late].groupby("benchmark")["known"]
    assert by.min()["B0"] == pd.Timestamp("2023-01-01")
    # The table was taken on the last day of the log.
    assert by.min()["B2"] == by.max()["B2"] == own[~late]["date"].max()


@pytest.mark.parametrize(("differ", "left"), [(1, True), (2, False)])
def test_a_benchmark_whose_scores_are_others_than_then_is_left_out(told, differ, left):
    about, scores = told
    mine = scores.index[scores["series"] == "s-0"][:differ]
    scores.loc[mine, "score"] = scores.loc[mine, "score"] + 0.02
    own = vintages.traced(about, scores)
    assert ("B0" in set(own["benchmark"])) == left
    if left:
        moved = own[(own["benchmark"] == "B0") & (own["model"] == "m0")]
        assert moved["known"].iloc[0] > pd.Timestamp("2024-05-15")


def test_forecasts_rest_on_what_was_known_on_their_day(told, settings):
    about, scores = told
    frontier = series.frontier(about, scores)
    table = vintages.backtested(about, frontier, scores, [], settings)
    assert list(table.columns) == backtest.FORECASTS
    own = vintages.traced(about, scores).set_index("series")
    for row in table[table["method"] == "records"].to_dict("records"):
        origin, mine = pd.Timestamp(row["origin"]), own.loc[row["series"]]
        due = series.months_after(origin, row["horizon"])
        best = {day: mine.loc[mine["known"] <= day, "share"].max() for day in (origin, due)}
        assert row["best"] == pytest.approx(best[origin])
        # The best by then is of models released by then, too.
        assert row["observed"] == pytest.approx(best[due])
    first = table.groupby("benchmark")["origin"].min()
    # The log is filled for three months; of the table's benchmark only its own day is an origin.
    assert first["B0"] >= "2023-04-01"
    assert first["B2"] == "2024-06-01"
    assert np.isfinite(table["crps"]).all()


def test_without_a_log_or_a_due_forecast_there_is_none(told, settings):
    about, scores = told
    frontier = series.frontier(about, scores)
    unknown = vintages.backtested(about, frontier, scores.assign(known=None), [], settings)
    far = backtest.Settings([120], [12.0], 50, 1)
    for table in (unknown, vintages.backtested(about, frontier, scores, [], far)):
        assert table.empty
        assert list(table.columns) == backtest.FORECASTS
