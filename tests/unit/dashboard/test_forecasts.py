"""Forecasts of published benchmarks stand among their facts."""

import pandas as pd

from saturation.dashboard import rows

FACTS = {"mmlu": {"released": "2020-09-07"}, "unheard_of": {"released": "2021-01-01"}}


def reach(**values):
    row = {"benchmark": "MMLU", "origin": "2026-08-01", "threshold": 0.9, "reached_already": False}
    row |= {"earliest": 2.0, "median": 6.0, "latest": None, **values}
    return pd.DataFrame([row, row | {"threshold": 0.5, "reached_already": True}])


def test_a_forecast_is_added_to_the_benchmark_that_has_one():
    found = rows.added(FACTS, reach())
    assert found["mmlu"] == {
        "released": "2020-09-07",
        "90 % of the range used up": "by January 2027 (80 %: September 2026 to after July 2028), "
        "forecast of 2026-08-01",
    }
    assert found["unheard_of"] == FACTS["unheard_of"]


def test_what_was_reached_has_its_day_and_no_forecast():
    found = rows.added(FACTS, reach(reached_already=True))
    assert found["mmlu"]["90 % of the range used up"] == "by 2026-08-01"


def test_without_the_study_nothing_is_added():
    assert rows.added(FACTS, None) == FACTS
