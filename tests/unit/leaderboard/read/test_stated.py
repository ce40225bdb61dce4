"""Standard errors, numbers of items and dates from what a file states: arithmetic by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.leaderboard.read.rows import (
    bounds_of,
    countable,
    day,
    n_items,
    response,
    standard_error,
    utc_date,
)


def test_the_best_that_is_stated_counts():
    everything = {"deviation": 0.3, "n": 900, "interval": (0.7, 0.9), "level": 0.95}
    assert standard_error(0.02, **everything) == 0.02
    assert standard_error(0.0, **everything) == 0.0
    assert standard_error(**everything) == pytest.approx(0.01, abs=1e-15)
    # 0.2 / (2 x 1.959963984540054)
    assert standard_error(interval=(0.7, 0.9), level=0.95) == pytest.approx(0.0510213, abs=1e-7)


@pytest.mark.parametrize(
    "stated",
    [{}, {"deviation": 0.3}, {"n": 900}, {"deviation": 0.3, "n": 0}, {"interval": (0.7, 0.9)},
     {"level": 0.95}],
)  # fmt: skip
def test_what_is_not_enough_gives_none(stated):
    assert standard_error(**stated) is None


@pytest.mark.parametrize(
    ("metric", "bounds"),
    [("acc", (0, 1, True)), ("pass@8", (0, 1, True)), ("bleu", (None, None, True)),
     ("wer", (None, None, False)), ("mine", (None, None, None))],
)  # fmt: skip
def test_bounds_and_direction_follow_from_the_metric_s_name(metric, bounds):
    found = bounds_of(metric)
    assert (found.minimum, found.maximum, found.higher_is_better) == bounds


def test_truth_values_are_responses():
    assert [response(value) for value in (True, np.True_, np.False_, "False")] == [1, 1, 0, 0]


def test_a_moment_is_the_day_in_utc():
    assert utc_date(1767225600) == "2026-01-01"
    assert utc_date(1767225599.9) == "2025-12-31"
    for moment in (1e18, -1e13):
        with pytest.raises(ValueError, match=r"year|calendar"):
            utc_date(moment)


class TestNumberOfItems:
    @given(st.integers(2, 20_000), st.data(), st.sampled_from([0, 1]), st.sampled_from([6, 17]))
    def test_it_is_the_right_one_or_none(self, n, data, lost, digits):
        p = data.draw(st.integers(1, n - 1)) / n
        error = math.sqrt(p * (1 - p) / (n - lost))
        share, error = (float(f"{number:.{digits}f}") for number in (p, error))
        assert n_items(share, error) in (None, n)

    @pytest.mark.parametrize("n", [53, 541, 2376, 14042])
    def test_all_digits_tell_it_by_both_formulas(self, n):
        p = (n // 3 * 2 + 1) / n
        for divisor in (n, n - 1):
            assert n_items(p, math.sqrt(p * (1 - p) / divisor)) == n

    def test_few_digits_may_tell_it_and_errors_of_clusters_do_not(self):
        assert n_items(0.11404, 0.01333) == 570
        assert n_items(0.495, 0.02565) is None

    @pytest.mark.parametrize(
        ("score", "error"), [(0.85, 0.011), (0, 0), (1, 0), (0.5, 0.5), (1.2, 0.1), (0.5, 0)]
    )
    def test_few_digits_and_edges_tell_nothing(self, score, error):
        assert n_items(score, error) is None


@pytest.mark.parametrize(
    ("text", "iso"),
    [("2026-01-31", "2026-01-31"), ("2026-01-31T10:00:00Z", "2026-01-31"),
     ("2026-01-31 10:00", "2026-01-31"), ("2026-02-30", None), ("20260131", None),
     ("2026-W05-5", None), ("2026-01-31x", None), ("2026-01-31T99", None), ("", None)],
)  # fmt: skip
def test_the_day_of_a_date_or_moment(text, iso):
    assert day(text) == iso


@given(st.integers(1, 2000), st.data())
def test_whole_numbers_of_right_answers_are_countable_at_any_rounding(n, data):
    right = data.draw(st.integers(0, n))
    digits = data.draw(st.integers(1, 15))
    assert countable(round(right / n, digits), n)


@pytest.mark.parametrize(
    ("score", "n"), [(0.91, 7), (0.5, 7), (0.125, 100), (0.9053, 198), (1.5e-05, 100_000)]
)
def test_scores_between_two_counts_are_not(score, n):
    assert not countable(score, n)
