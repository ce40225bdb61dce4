"""Figures of the forecasts: what they say and show."""

import pandas as pd
import pytest

from saturation.drawing.style import style
from saturation.forecast import figures, outlook, peer, summary


@pytest.fixture(scope="module")
def drawn(tables, tested, settings):
    series, frontier = tables
    forecasts, past = tested
    ahead = outlook.outlook(series, frontier, past, pd.Timestamp("2024-12-01"), settings)
    after = peer.after(series, frontier, past, pd.Timestamp("2023-06-01"), settings)
    scores = summary.summary(forecasts, 0.95)
    with style():
        yield {
            "bands": ahead["bands"],
            "scores": scores,
            "outlook": figures.outlook(ahead["bands"], frontier),
            "figure": figures.scores(scores, peer.compared(after, 0.95)),
        }


def test_the_fan_says_how_many_are_used_up(drawn):
    last = drawn["bands"].query("month == 24")
    title = drawn["outlook"].get_suptitle()
    likely, now = ((last[name] >= 0.9).sum() for name in ("q50", "best"))
    assert title.startswith(f"In two years {likely} of {len(last)} benchmarks have probably")
    assert title.endswith(f"{now} have now")


def test_each_benchmark_has_its_panel_and_the_rest_are_hidden(drawn):
    shown = [axes for axes in drawn["outlook"].axes if axes.get_visible()]
    assert {axes.get_title(loc="left") for axes in shown} == set(drawn["bands"]["benchmark"])


def test_the_scores_say_what_is_saved(drawn):
    table = drawn["scores"].query("group == 'since 2023' and method == 'records'")
    skill = table.set_index("horizon")["skill"]
    expected = f"by {skill[3]:.0%} at 3, {skill[6]:.0%} at 6 months"
    assert drawn["figure"].get_suptitle().endswith(expected)


def test_every_method_has_a_mark_of_its_own(drawn):
    assert len({mark for _, _, mark in figures.METHODS.values()}) == len(figures.METHODS)
    assert len({colour for _, colour, _ in figures.METHODS.values()}) == len(figures.METHODS)
    left = drawn["figure"].axes[0]
    labels = [text.get_text() for text in left.get_legend().get_texts()]
    assert labels == [label for label, _, _ in figures.METHODS.values()]
