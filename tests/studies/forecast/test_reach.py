"""The probability of a target within a year, from past rises."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.forecast import reach
from saturation.forecast.names import print_chance
from studies.forecast import pooling
from studies.forecast.pooling import History

RISES = np.array([0.0, 0.5, 1.0, 3.0])


def logit(share):
    return np.log(share / (1 - share))


def test_the_probability_is_the_share_of_rises_that_suffice():
    # From 0.8 to 0.9 it takes 0.811 logits; from 0.6, 1.79.
    assert reach.probability(0.8, RISES) == 0.5
    assert reach.probability(0.6, RISES) == 0.25
    assert reach.probability(0.05, RISES) == 0
    assert reach.probability(0.9, RISES) == 1
    # A rise that just suffices does.
    assert reach.probability(0.8, np.array([0.0, logit(0.9) - logit(0.8)])) == 0.5
    assert reach.probability(0.8, RISES, [5, 1, 1, 1]) == pytest.approx(2 / 8)


@given(st.floats(0, 0.899), st.lists(st.floats(0, 6), min_size=1, max_size=30))
def test_a_better_score_has_no_smaller_probability(best, rises):
    past = np.sort(np.array(rises))
    lower, higher = (reach.probability(share, past) for share in (best, min(best + 0.05, 0.899)))
    assert 0 <= lower <= higher <= 1


def test_quantiles_are_those_of_the_risen_score():
    best = reach.quantiles(0.5, RISES, 1, [0.25, 0.5, 0.75, 1.0])
    assert best == pytest.approx(1 / (1 + np.exp(-RISES)))
    # A score of all right stays there, and no quantile is below the best score.
    assert reach.quantiles(1.0, RISES, 1, 0.5) == 1
    assert reach.quantiles(0.5, RISES, [97, 1, 1, 1], 0.9) == 0.5


def test_a_rise_ends_in_every_month_and_spans_twelve():
    # Watched for 14 months: windows end in this month, the last and the one before.
    history = History(np.array([-14.0, -6.5, -1.2]), np.array([0.2, 0.5, 0.8]))
    rises = pooling.year_rises([history])
    expected = [0, logit(0.5) - logit(0.2), logit(0.8) - logit(0.2), logit(0.8) - logit(0.2)]
    assert rises == pytest.approx(expected)
    # A history of less than a year has none.
    assert pooling.year_rises([History(np.array([-11.0, 0.0]), np.array([0.2, 0.5]))]).tolist() == [
        0
    ]
    counted = pooling.count_rises(rises)
    assert counted["windows"].tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("dates", "last", "refused"), [(5, -12.0, False), (4, 0.0, True), (5, -12.01, True)]
)
def test_a_short_or_sleeping_series_is_refused(dates, last, refused):
    months = np.linspace(last - 10, last, dates)
    assert bool(reach.refusal(months)) == refused


def test_a_benchmark_that_passed_in_any_series_has_no_probability():
    series = pd.DataFrame({"series": ["A, measured", "A, reported", "B, measured"]})
    series = series.assign(benchmark=["A", "A", "B"], best=[0.5, 0.95, 0.5])
    months = np.array([-8.0, -6, -4, -2, 0])
    known = {name: History(months, np.full(5, 0.5)) for name in series["series"]}
    table = pooling.chances(series, known, pooling.count_rises(RISES), "2026-08-01")
    assert table["probability"].isna().tolist() == [True, True, False]
    assert table["probability"].iloc[2] == 0.25
    assert table[["q2.5", "q97.5"]].iloc[2].tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-3))])


def test_no_number_above_the_record_is_printed():
    assert [print_chance(chance) for chance in (0.07, 0.5, 0.501)] == [
        "7 %",
        "50 %",
        "over 50 %",
    ]
