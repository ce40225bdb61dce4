"""The gap between best and k-th of equal models, against counting, tables and simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from saturation.statistics.top_gap import Counts, EqualModels, normal_range


def counted(k, m, n, score):
    """Probability of each gap, in items, by going through all results of m models."""
    chances = [math.comb(n, x) * score**x * (1 - score) ** (n - x) for x in range(n + 1)]
    total = np.zeros(n + 1)
    for results in itertools.product(range(n + 1), repeat=m):
        best_first = sorted(results, reverse=True)
        total[best_first[0] - best_first[k - 1]] += math.prod(chances[x] for x in results)
    return total


@pytest.mark.parametrize(
    ("k", "m", "n", "score"),
    [(2, 2, 4, 0.5), (2, 3, 3, 0.6), (3, 3, 4, 0.9), (2, 4, 3, 0.1), (4, 5, 2, 0.7)],
)
def test_binomial_counts_every_result_of_a_few_models(k, m, n, score):
    equal = EqualModels.binomial(k, m, n, score)
    expected = counted(k, m, n, score)
    assert equal.cumulative == pytest.approx(
        np.cumsum(expected)[: len(equal.cumulative)], abs=1e-10
    )
    assert equal.gaps == pytest.approx(np.arange(len(equal.gaps)) / n)
    assert equal.mean() == pytest.approx(expected @ np.arange(n + 1) / n, abs=1e-10)
    at_least = np.cumsum(expected[::-1])[::-1][: len(equal.gaps)]
    assert equal.p_value(equal.gaps) == pytest.approx(at_least, abs=1e-10)


def test_a_few_gaps_have_the_probabilities_of_the_whole_distribution():
    equal = EqualModels.binomial(5, 30, 400, 0.9, 0.3)
    gaps = [0, 1, 4, 11, 2000]
    found = Counts.of_models(30, 400, 0.9, 0.3).within(gaps, 5, [30])[:, 0]
    assert found[:4] == pytest.approx(equal.cumulative[gaps[:4]], abs=1e-9)
    assert found[4] == pytest.approx(1)


@given(
    k=st.integers(2, 6),
    n=st.integers(1, 300),
    score=st.floats(0, 1),
    dependence=st.floats(0, 1),
)
def test_several_numbers_of_models_share_their_counts(k, n, score, dependence):
    """The counts that the largest number reaches hold those of the others."""
    models = [k, k + 3, 150]
    together = Counts.of_models(150, n, score, dependence).cumulative(k, models)
    assert (together[-1] == 1).all()
    for m, cumulative in zip(models, together.T):
        alone = EqualModels.binomial(k, m, n, score, dependence).cumulative
        assert cumulative[: len(alone)] == pytest.approx(alone, abs=1e-9)
        assert cumulative[len(alone) :] == pytest.approx(1)


def test_a_late_place_among_very_many_models_has_a_probability():
    """Where the number of ways to choose the models above is beyond what a float holds."""
    equal = EqualModels.binomial(150, 100_000, 2000, 0.8)
    places = stats.norm.ppf([1 - 0.7 / 100_000, 1 - 150 / 100_000])
    about = (places[0] - places[1]) * (0.8 * 0.2 / 2000) ** 0.5
    assert equal.mean() == pytest.approx(about, rel=0.1)
    assert (np.diff(equal.cumulative) >= 0).all()


# Mean range of m standard normal values (Tippett 1925, as in tables of control charts: d2).
@pytest.mark.parametrize(
    ("m", "mean_range"),
    [(2, 1.12838), (5, 2.32593), (100, 5.01519)],
)
def test_the_mean_range_of_normal_values_is_the_tabulated_one(m, mean_range):
    assert EqualModels.normal(m, m, 1.0).mean() == pytest.approx(mean_range, abs=2e-5)
    assert EqualModels.normal(m, m, 0.02).mean() == pytest.approx(0.02 * mean_range, abs=4e-7)


def test_normal_range_is_the_studentized_range_without_estimated_error():
    widths = np.array([0.5, 1.0, 3.0, 4.5])
    expected = stats.studentized_range.cdf(widths, 7, np.inf)
    assert normal_range(widths, 7, 7) == pytest.approx(expected, abs=1e-8)


def test_a_gap_that_is_off_by_the_last_bit_counts_as_the_gap():
    equal = EqualModels.binomial(2, 5, 1000, 0.9)
    assert equal.p_value(0.903 - 0.9) == equal.p_value(0.003)
    for score in (0.0, 1.0):  # models that solve all or nothing have no gap
        equal = EqualModels.binomial(5, 20, 100, score)
        assert equal.p_value([0.0, 0.01]) == pytest.approx([1.0, 0.0])
        assert equal.mean() == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((1, 5, 10, 0.5, 0.0), "k is 1 and m is 5"),
        ((6, 5, 10, 0.5, 0.0), "k is 6 and m is 5"),
        ((2, 5, 0, 0.5, 0.0), "n is 0"),
        ((2, 5, 10, 1.5, 0.0), "score 1.5"),
        ((2, 5, 10, 0.5, -0.1), "dependence is -0.1"),
        ((2, 5, 10, 0.5, 1.1), "dependence is 1.1"),
    ],
)
def test_impossible_values_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        EqualModels.binomial(*arguments)
    with pytest.raises(ValueError, match="standard error is -1"):
        EqualModels.normal(2, 3, -1)
