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


def test_corrected_index_by_hand():
    # Three occupied bins and eight models: (3 - 1) / (2 * 8) = 1/8 nat is missing, of ln 4.
    assert d.bdi_corrected([4, 2, 2, 0]) == pytest.approx(0.75 + 0.125 / np.log(4), abs=1e-12)
    # One occupied bin: nothing is missing.
    assert d.bdi_corrected([0, 8, 0, 0]) == 0
    # Four of four bins and four models: 1 and 3/8 nat more, but an index is at most 1.
    assert d.bdi_corrected([1, 1, 1, 1]) == 1
    both = d.bdi_corrected([[4, 2, 2, 0], [1, 1, 1, 1]])
    assert both == pytest.approx([0.75 + 0.125 / np.log(4), 1], abs=1e-12)


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


def test_correction_removes_most_of_the_small_sample_bias():
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(20))
    truth = d.bdi(shares)
    drawn = rng.multinomial(60, shares, size=4000)
    plain, corrected = (f(drawn).mean() - truth for f in (d.bdi, d.bdi_corrected))
    assert plain < -0.03
    assert abs(corrected) < abs(plain) / 2


def test_pivotal_interval_of_the_corrected_index_covers_the_truth():
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(20))
    truth, covered = d.bdi(shares), []
    for counts in rng.multinomial(200, shares, size=300):
        draws = d.resample_bdi(counts, 300, rng)
        lower, upper = d.pivotal_interval(
            float(d.bdi_corrected(counts)), draws.corrected, float(d.bdi(counts)), 0.95
        )
        covered.append(lower <= truth <= upper)
    assert 0.90 <= np.mean(covered) <= 0.99


def test_resampling_a_histogram_is_the_bootstrap_over_models():
    rng = np.random.default_rng(3)
    scores = rng.beta(4, 3, 150)
    counts, _ = np.histogram(scores, 20, (0, 1))
    plain = d.resample_bdi(counts, 3000, rng).plain
    loop = [
        d.bdi(np.histogram(rng.choice(scores, len(scores)), 20, (0, 1))[0]) for _ in range(3000)
    ]
    assert plain.mean() == pytest.approx(np.mean(loop), abs=0.003)
    assert plain.std() == pytest.approx(np.std(loop), rel=0.1)


def test_the_resamples_are_indices_of_draws_with_the_windows_shares():
    stream = Fixed([[4, 2, 2, 0], [0, 8, 0, 0]])
    draws = d.resample_bdi([2, 4, 1, 1], 2, stream)
    assert (stream.n, stream.size) == (8, 2)
    assert stream.shares.tolist() == [0.25, 0.5, 0.125, 0.125]
    assert draws.plain == pytest.approx([0.75, 0], abs=1e-12)
    assert draws.corrected == pytest.approx([0.75 + 0.125 / np.log(4), 0], abs=1e-12)


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


def test_a_best_score_of_1_is_in_the_last_bin_and_an_edge_in_the_bin_above_it():
    stream = Fixed([[1, 1, 1, 7]])
    d.resample_top_gaps([1.0, 0.9, 0.3], [7, 0, 0, 1, 0, 0, 0, 0, 0, 2], 1, stream)
    assert stream.shares == pytest.approx([0.1, 0.1, 0.1, 0.7])


def test_a_gap_is_never_below_0():
    # The best score of bin 9 is known to be 0.91; another of that bin stands at its middle, 0.95.
    drawn = d.resample_top_gaps([0.91], [0] * 9 + [10], 1, Fixed([[1, 9]]))
    assert drawn[10].tolist() == [0]


def test_intervals_by_hand():
    draws = [0.5, 0.1, 0.4, 0.2, 0.3]
    # The resamples err by -0.15 to 0.05 about their truth of 0.35; around 0.6 that is turned over.
    assert d.pivotal_interval(0.6, draws, 0.35, 0.5) == pytest.approx((0.55, 0.75), abs=1e-12)


def test_gap_needs_k_models():
    scores = np.linspace(0.9, 0.1, 12)
    counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
    assert set(d.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == {10}
    for models, allowed in ((9, set()), (10, {10}), (19, {10}), (20, {10, 20})):
        scores = np.linspace(0.9, 0.1, models)
        counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
        assert set(d.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == allowed
