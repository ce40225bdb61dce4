"""Figures of the forecasts: what they say and show."""

import pytest

from saturation.forecast import scoring
from saturation.pages.style import style
from studies.forecast import figures


@pytest.fixture(scope="module")
def drawn(studied):
    with style():
        yield {
            "outlook": figures.outlook(studied["bands"], studied["frontier"]),
            "figure": figures.scores(studied["summary"], studied["peer"]),
        }


def test_the_title_counts_who_will_be_near_the_ceiling(drawn, studied):
    last = studied["bands"].query("month == 24")
    title = " ".join(drawn["outlook"].get_suptitle().split())
    assert title.startswith(f"{(last['q50'] >= 0.9).sum()} of {len(last)} benchmarks")


@pytest.mark.parametrize("name", ["outlook", "figure"])
def test_no_text_lies_on_another(drawn, overlapping, name):
    assert overlapping(drawn[name]) == []


def test_the_scores_say_what_intervals_held(drawn, studied):
    summary = studied["summary"]
    own = summary[(summary["group"] == scoring.RECENT) & (summary["method"] == "records")]
    held = own.set_index("horizon")["coverage_80"]
    covered = f"{100 * held[3]:.0f} % at 3, {100 * held[6]:.0f} % at 6 months"
    expected = f"80 % intervals of past forecasts covered {covered}"
    assert " ".join(drawn["figure"].get_suptitle().split()) == expected
