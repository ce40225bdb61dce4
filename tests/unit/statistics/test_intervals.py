"""Intervals against R, at their bounds; agreement by chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.statistics import intervals

SAMPLE = [0.31, 0.94, 0.02, 0.55, 0.71, 0.48, 0.60]


def test_wilson_is_that_of_r(golden):
    assert intervals.wilson(7, 20) == golden("wilson", "7 of 20 at 0.95")
    assert intervals.wilson(0, 15, 0.9) == golden("wilson", "0 of 15 at 0.9")
    assert intervals.wilson(15, 15, 0.99) == golden("wilson", "15 of 15 at 0.99")
    lower, upper = intervals.wilson([[7], [0]], [20, 20])
    assert (lower[0, 0], upper[0, 0]) == golden("wilson", "7 of 20 at 0.95")
    assert lower[1].tolist() == [0, 0]


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0.5, 0.999))
def test_wilson_holds_its_share_and_ends_exactly_at_the_bounds(n, share, level):
    count = round(share * n)
    lower, upper = intervals.wilson(count, n, level)
    assert 0 <= lower <= count / n <= upper <= 1
    assert lower < upper
    assert (lower == 0) == (count == 0)
    assert (upper == 1) == (count == n)


def test_newcombe_is_that_of_r(golden):
    first = intervals.newcombe(56, 70, 48, 80)
    assert first == golden("newcombe", "56 of 70 and 48 of 80 at 0.95")
    extreme = intervals.newcombe(10, 10, 0, 10, 0.9)
    assert extreme == golden("newcombe", "10 of 10 and 0 of 10 at 0.9")
    lower, upper = intervals.newcombe([56, 10], [70, 10], [48, 0], [80, 10])
    assert (lower[0], upper[0]) == first
    assert upper[1] == 1


def test_normal_is_that_of_r(golden):
    assert intervals.normal(2, 0.3, 0.9) == golden("normal", "2 by 0.3 at 0.9")
    assert intervals.normal_quantile(0.95) == pytest.approx(1.959963984540054)
    lower, upper = intervals.normal([1.0, 2.0], [0.0, 1.0])
    assert lower[0] == upper[0] == 1
    assert upper[1] - lower[1] == pytest.approx(2 * 1.959963984540054)


def test_the_interval_of_a_mean_is_that_of_r_and_needs_two_values(golden):
    assert intervals.mean(SAMPLE) == golden("mean", "0.95")
    assert intervals.mean(SAMPLE, 0.8) == golden("mean", "0.8")
    assert np.isfinite(intervals.mean([0.2, 0.4])).all()
    assert np.isnan(intervals.mean([0.2])).all()
    assert np.isnan(intervals.mean([])).all()


def test_percentiles_are_those_of_r_along_any_axis(golden):
    assert intervals.percentile(SAMPLE) == golden("percentile", "0.95")
    assert intervals.percentile(SAMPLE, 0.5) == golden("percentile", "0.5")
    twice = np.column_stack([SAMPLE, np.multiply(SAMPLE, 2)])
    lower, upper = intervals.percentile(twice, 0.5)
    assert lower[1] == pytest.approx(2 * lower[0])
    rows = intervals.percentile(twice.T, 0.5, axis=1)
    assert np.array_equal(rows, [lower, upper])


def test_holm_is_that_of_r_and_keeps_an_empty_family(golden):
    assert intervals.holm([0.012, 0.04, 0.03, 0.2, 0.0004, 0.75]).tolist() == golden("holm", "six")
    assert intervals.holm([]).size == 0


@given(share=st.floats(0.01, 0.99), n=st.integers(2, 1000))
def test_the_interval_of_a_share_is_wilsons_where_the_error_is_known(share, n):
    error = np.sqrt(share * (1 - share) / n)
    known = intervals.share(share, error, np.inf)
    assert known == pytest.approx(intervals.wilson(share * n, n))
    lower, upper = intervals.share(share, error, 3)
    assert 0 <= lower < known[0]
    assert known[1] < upper <= 1


def test_paired_proportions_by_hand():
    # (12 + 1) and (3 + 1) of 100 + 2.
    difference = 9 / 102
    half = 1.959963985 * np.sqrt((17 / 102 - difference**2) / 102)
    lower, upper = intervals.paired_proportions(12, 3, 100)
    assert [lower, upper] == pytest.approx([difference - half, difference + half])
    turned = intervals.paired_proportions(3, 12, 100)
    assert list(turned) == pytest.approx([-upper, -lower])


@pytest.mark.parametrize(
    ("p", "configurations", "answers", "expected"),
    [
        (0.9, 1, 2, 1),
        (0.9, 3, 2, 0.9**3 + 0.1**3),
        (0.7, 4, 3, 0.7**4 + 2 * 0.15**4),
        (0.0, 5, 4, 3 * (1 / 3) ** 5),
        (1.0, 5, 4, 1),
        # The papers' baseline on IMDB.
        ([0.95, 0.97], 24, 2, [0.29199, 0.48142]),
    ],
)
def test_agreement_by_chance(p, configurations, answers, expected):
    found = intervals.agreement(p, configurations, answers)
    assert found == pytest.approx(expected, abs=1e-5)


def test_disagreement_needs_two_answers():
    with pytest.raises(ValueError, match="at least two"):
        intervals.agreement(0.5, 3, 1)


def test_the_root_of_a_covariance_is_the_one_that_no_sign_of_an_axis_changes():
    errors = np.random.default_rng(3).normal(size=(3, 5))
    for covariance in (errors.T @ errors, np.eye(5)):
        root = intervals.symmetric_root(covariance)
        np.testing.assert_allclose(root @ root, covariance, atol=1e-12)
        np.testing.assert_allclose(root, root.T, atol=1e-12)
        assert np.linalg.eigvalsh(root)[0] > -1e-7
