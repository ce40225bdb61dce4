"""The whole study on made histories: its headline numbers, and what its tables keep to."""

import numpy as np
import pandas as pd
import pytest

from saturation.forecast.series import months_after
from studies.forecast import figures
from studies.forecast.backtest import CAME
from studies.style import style


def test_the_headline_numbers_are_those_that_were_read_through(studied, reviewed):
    reviewed("forecast", studied["quantities"])


def test_an_outcome_is_the_best_score_a_year_later(studied):
    forecasts, frontier = studied["backtest"], studied["frontier"]
    assert len(forecasts) > 20
    for row in forecasts.to_dict("records"):
        origin = pd.Timestamp(row["origin"])
        course = frontier[frontier["series"] == row["series"]]
        then, later = (
            course.loc[course["date"] <= day, "best"].max()
            for day in (origin, months_after(origin, 12))
        )
        assert row["best"] == then < 0.9
        assert (row["state"] == CAME) == (later >= 0.9)


def test_cards_forecast_from_the_rises_of_the_study(studied):
    """By counting, without the study's functions."""
    chances, rises = studied["chances"], studied["rises"]
    for row in chances[chances["probability"].notna()].to_dict("records"):
        needed = np.log(9) - np.log(row["best"] / (1 - row["best"]))
        enough = rises["windows"][rises["rise"] >= needed].sum() / rises["windows"].sum()
        assert row["probability"] == pytest.approx(enough)


def test_no_text_of_the_record_lies_on_another(studied, overlapping):
    with style():
        figure = figures.record(studied["record"], studied["reliability"])
        assert overlapping(figure) == []
    total = studied["record"].set_index("origin").loc["all"]
    words = " ".join(figure.get_suptitle().split())
    expected, scored, came = (f"{total[name]:.0f}" for name in ("expected", "scored", "came"))
    assert words == f"Chances added up to {expected} of {scored} forecasts; {came} came"
    bars = [bar.get_height() for bar in figure.axes[0].patches]
    each = studied["record"].query("origin != 'all'")
    assert bars == pytest.approx([*each["expected"], *each["came"]])
