"""Figures of the forecasts: what they say and show."""

import pytest

from saturation.forecast import figures, scoring, tops
from saturation.pages.style import style


@pytest.fixture(scope="module")
def drawn(tables, tested, ahead_and_after):
    ahead, after = ahead_and_after
    scores = scoring.summary(tested[0], 0.95)
    with style():
        yield {
            "bands": ahead["bands"],
            "scores": scores,
            "outlook": figures.outlook(ahead["bands"], tables[1]),
            "figure": figures.scores(scores, tops.compared(after, 0.95)),
        }


def test_the_title_counts_who_will_be_near_the_ceiling(drawn):
    last = drawn["bands"].query("month == 24")
    title = " ".join(drawn["outlook"].get_suptitle().split())
    assert title.startswith(f"{(last['q50'] >= 0.9).sum()} of {len(last)} benchmarks")


@pytest.mark.parametrize("name", ["outlook", "figure"])
def test_no_text_lies_on_another(drawn, overlapping, name):
    assert overlapping(drawn[name]) == []


def test_the_scores_say_what_intervals_held(drawn):
    own = drawn["scores"].query("group == @scoring.RECENT and method == 'records'")
    held = own.set_index("horizon")["coverage_80"]
    covered = f"{100 * held[3]:.0f} % at 3, {100 * held[6]:.0f} % at 6 months"
    expected = f"80 % intervals of past forecasts covered {covered}"
    assert " ".join(drawn["figure"].get_suptitle().split()) == expected
