import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from saturation.discriminability import bdi as d
from saturation.discriminability.names import FINE_BINS
from saturation.errors import InputError


class Fixed:
    """A random stream whose multinomial draws are given, and that keeps what it was asked for."""

    def __init__(self, drawn):
        self.drawn = np.array(drawn)

    def multinomial(self, n, shares, size):
        self.n, self.shares, self.size = n, shares, size
        return self.drawn


histograms = arrays(int, FINE_BINS, elements=st.integers(0, 50)).filter(lambda c: c.sum() > 0)


@given(histograms)
def test_index_lies_between_0_and_1(counts):
    assert 0 <= d.bdi(d.rebin(counts, 20)) <= 1 + 1e-12


def test_one_bin_gives_0_and_an_even_spread_1():
    assert d.bdi([0, 7, 0, 0]) == 0
    assert np.signbit(d.bdi([0, 7, 0, 0])) == np.False_
    assert d.bdi([3, 3, 3, 3]) == pytest.approx(1)


def test_index_by_hand():
    # Shares 1/2, 1/4, 1/4: 1.5 bits of the 2 that four bins can hold.
    assert d.bdi([4, 2, 2, 0]) == pytest.approx(1.5 / 2, abs=1e-12)
    # Several windows at once, along the last axis.
    assert d.bdi([[4, 2, 2, 0], [1, 1, 0, 0]]) == pytest.approx([0.75, 0.5], abs=1e-12)


@given(histograms, st.integers(1, 9))
def test_index_ignores_the_number_of_models_and_the_order_of_bins(counts, factor):
    coarse = d.rebin(counts, 20)
    assert d.bdi(coarse * factor) == pytest.approx(d.bdi(coarse))
    assert d.bdi(coarse[::-1]) == pytest.approx(d.bdi(coarse))


@given(histograms, st.sampled_from([5, 10, 15, 20, 25, 30, 50]))
def test_rebinning_is_the_histogram_with_fewer_bins(counts, bins):
    middles = (np.arange(FINE_BINS) + 0.5) / FINE_BINS
    direct, _ = np.histogram(np.repeat(middles, counts), bins=bins, range=(0, 1))
    assert (d.rebin(counts, bins) == direct).all()


def test_rebinning_needs_a_divisor():
    with pytest.raises(InputError, match="divisor of 300"):
        d.rebin(np.ones(FINE_BINS, dtype=int), 7)
    with pytest.raises(InputError, match="bins: 0 is not allowed"):
        d.rebin(np.ones(FINE_BINS, dtype=int), 0)
    assert d.rebin([1, 2, 3, 4], 1).tolist() == [10]
    assert d.rebin([[1, 2, 3, 4], [0, 0, 5, 6]], 2).tolist() == [[3, 7], [0, 11]]


def test_top_gap_is_the_mean_of_adjacent_gaps():
    scores = [0.5, 0.9, 0.8, 0.7]
    assert d.top_gap(scores, 3) == pytest.approx(np.mean([0.1, 0.1]))
    assert d.top_gap(scores, 4) == pytest.approx(0.4 / 3)
    assert np.isnan(d.top_gap(scores, 5))
    assert d.ceiling_proximity(scores) == 0.9


def test_gap_resamples_are_those_of_the_scores_themselves():
    rng = np.random.default_rng(4)
    scores = np.sort(rng.beta(5, 2, 400))[::-1]
    counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
    drawn = d.resample_top_gaps(scores[:20], counts, 3000, rng)
    loop = [d.top_gap(rng.choice(scores, 400), 10) for _ in range(1500)]
    assert drawn[10].mean() == pytest.approx(np.mean(loop), rel=0.05)
    assert drawn[20].min() >= 0


def test_below_the_best_scores_a_bins_midpoint_stands_for_its_scores():
    # 22 models; the two best are known, the bins 0.7 to 0.8 and 0.3 to 0.4 hold 10 each.
    counts = [0, 0, 0, 10, 0, 0, 0, 10, 1, 1]
    stream = Fixed([[1, 1, 10, 10], [0, 3, 7, 12], [0, 0, 22, 0], [0, 0, 0, 22]])
    drawn = d.resample_top_gaps([0.97, 0.8], counts, 4, stream)
    assert (stream.n, stream.size) == (22, 4)
    assert stream.shares == pytest.approx(np.array([1, 1, 10, 10]) / 22)
    assert drawn[10] == pytest.approx([(0.97 - 0.75) / 9, (0.8 - 0.75) / 9, 0, 0])
    assert drawn[20] == pytest.approx([(0.97 - 0.35) / 19, (0.8 - 0.35) / 19, 0, 0])


def test_the_best_scores_are_taken_off_the_highest_bins():
    stream = Fixed([[1, 1, 1, 7]])
    d.resample_top_gaps([1.0, 0.9, 0.3], [7, 0, 0, 1, 0, 0, 0, 0, 0, 2], 1, stream)
    assert stream.shares == pytest.approx([0.1, 0.1, 0.1, 0.7])


def test_a_best_score_rounded_over_an_edge_is_not_counted_twice():
    # 0.2999 stands in the file as 0.3, in the histogram below that edge.
    stream = Fixed([[1, 9]])
    d.resample_top_gaps([0.3], [9, 0, 1, 0, 0, 0, 0, 0, 0, 0], 1, stream)
    assert stream.shares == pytest.approx([0.1, 0.9])


@given(histograms, st.integers(1, 20))
def test_known_scores_stand_for_as_many_models_as_there_are(counts, known):
    known = min(known, int(counts.sum()))
    top = np.linspace(1, 0.9, known)
    values, weights = d._known_scores(top, counts)
    assert weights.sum() == counts.sum()
    assert (weights > 0).all()
    assert values[:known].tolist() == top.tolist()


def test_a_gap_is_never_below_0():
    # The best score of bin 9 is known to be 0.91; another of that bin stands at its middle, 0.95.
    drawn = d.resample_top_gaps([0.91], [0] * 9 + [10], 1, Fixed([[1, 9]]))
    assert drawn[10].tolist() == [0]


def test_gap_needs_k_models():
    scores = np.linspace(0.9, 0.1, 12)
    counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
    assert set(d.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == {10}
    for models, allowed in ((9, set()), (10, {10}), (19, {10}), (20, {10, 20})):
        scores = np.linspace(0.9, 0.1, models)
        counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
        assert set(d.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == allowed


def test_resampled_evaluations_have_the_index_of_rows_drawn_one_by_one():
    counts = np.array([40, 25, 5, 0, 30])
    rows = np.repeat(np.arange(5), counts)
    rng = np.random.default_rng(0)
    one_by_one = [d.bdi(np.bincount(rng.choice(rows, 100), minlength=5)) for _ in range(4000)]
    found = d.resampled(counts, 4000, np.random.default_rng(1))
    assert found.shape == (4000,)
    levels = [0.025, 0.25, 0.5, 0.75, 0.975]
    assert np.quantile(found, levels) == pytest.approx(np.quantile(one_by_one, levels), abs=0.005)
    assert (d.resampled([0, 7, 0], 10, rng) == 0).all()
