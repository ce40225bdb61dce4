"""Figures of the forecasts: what they say and show."""

import pandas as pd
import pytest

from saturation.forecast import backtest, figures, outlook, scoring
from saturation.pages.style import style


@pytest.fixture(scope="module")
def drawn(tables, tested, settings):
    series, frontier = tables
    forecasts, past = tested
    today = pd.Timestamp("2024-12-01")
    now = backtest.weights_by_origin(past, [today], settings.half_lives)
    ahead = outlook.outlook(series, frontier, now, today, settings)
    scores = scoring.summary(forecasts, 0.95)
    known = scores[scores["group"] == scoring.RECENT].assign(group=scoring.AS_KNOWN)
    known["coverage_80"] /= 2
    scores = pd.concat([scores, known])
    with style():
        yield {
            "bands": ahead["bands"],
            "scores": scores,
            "outlook": figures.outlook(ahead["bands"], frontier),
            "figure": figures.scores(scores),
        }


def test_the_fan_says_how_many_are_used_up(drawn):
    last = drawn["bands"].query("month == 24")
    title = " ".join(drawn["outlook"].get_suptitle().split())
    likely, now = ((last[name] >= 0.9).sum() for name in ("q50", "best"))
    assert title.startswith(f"In two years {likely} of {len(last)} benchmarks have probably")
    assert title.endswith(f"{now} have now")


@pytest.mark.parametrize("name", ["outlook", "figure"])
def test_no_text_lies_on_another(drawn, overlapping, name):
    assert overlapping(drawn[name]) == []


def test_the_scores_say_what_intervals_held_both_ways(drawn):
    own = drawn["scores"].query("method == 'records' and horizon == 3").set_index("group")
    title = " ".join(drawn["figure"].get_suptitle().split())
    for group in (scoring.RECENT, scoring.AS_KNOWN):
        assert f"held {own.loc[group, 'coverage_80']:.0%}" in title
