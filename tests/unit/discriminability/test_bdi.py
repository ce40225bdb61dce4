import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from saturation.discriminability import bdi as d
from saturation.discriminability.names import FINE_BINS
from saturation.errors import InputError

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
    assert d.bdi([4, 2, 2, 0]) == pytest.approx(1.5 / 2)


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


def test_top_gap_is_the_mean_of_adjacent_gaps():
    scores = [0.5, 0.9, 0.8, 0.7]
    assert d.top_gap(scores, 3) == pytest.approx(np.mean([0.1, 0.1]))
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


def test_gap_needs_k_models():
    scores = np.linspace(0.9, 0.1, 12)
    counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
    assert set(d.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == {10}
