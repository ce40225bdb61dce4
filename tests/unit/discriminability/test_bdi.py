"""The index, its gaps and bins, and its error with every submitter counted once."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from saturation.discriminability import bdi
from saturation.discriminability.names import FINE_BINS
from saturation.errors import InputError
from saturation.statistics import entropy

histograms = arrays(int, FINE_BINS, elements=st.integers(0, 50)).filter(lambda c: c.sum() > 0)


def test_index_by_hand():
    # Shares 1/2, 1/4, 1/4: 1.5 bits of the 2 that four bins can hold. Windows are rows.
    windows = [[4, 2, 2, 0], [1, 1, 0, 0], [3, 3, 3, 3], [0, 7, 0, 0]]
    assert bdi.bdi(windows) == pytest.approx([0.75, 0.5, 1, 0], abs=1e-12)
    assert not np.signbit(bdi.bdi([0, 7, 0, 0]))


@given(histograms, st.sampled_from([5, 10, 15, 20, 25, 30, 50]))
def test_rebinning_is_the_histogram_with_fewer_bins(counts, bins):
    middles = (np.arange(FINE_BINS) + 0.5) / FINE_BINS
    direct, _ = np.histogram(np.repeat(middles, counts), bins=bins, range=(0, 1))
    assert (bdi.rebin(counts, bins) == direct).all()


def test_rebinning_needs_a_divisor():
    for bins in (7, 0):
        with pytest.raises(InputError, match=f"bins: {bins} is not .* divisor of 300"):
            bdi.rebin(np.ones(FINE_BINS, dtype=int), bins)
    assert bdi.rebin([1, 2, 3, 4], 1).tolist() == [10]
    assert bdi.rebin([[1, 2, 3, 4], [0, 0, 5, 6]], 2).tolist() == [[3, 7], [0, 11]]


def test_top_gap_is_the_mean_of_adjacent_gaps():
    scores = [0.5, 0.9, 0.8, 0.7]
    assert bdi.top_gap(scores, 3) == pytest.approx(np.mean([0.1, 0.1]))
    assert bdi.top_gap(scores, 4) == pytest.approx(0.4 / 3)
    assert np.isnan(bdi.top_gap(scores, 5))
    assert bdi.ceiling_proximity(scores) == 0.9


BINS = 20


def window(entries):
    """Window of entries: a list of (submitter, bin of 20), and what is known of submitters."""
    table = pd.DataFrame(entries, columns=["submitter", "coarse"])
    table = table.assign(benchmark="b", month="m", bin=table["coarse"] * FINE_BINS // BINS)
    counts = bdi.rebin(np.bincount(table["bin"], minlength=FINE_BINS), BINS)
    return bdi.counted_once(counts, bdi.repeated(table))


def spread(number, seed=0):
    rng = np.random.default_rng(seed)
    return [(f"s{rng.integers(number)}", int(b)) for b in rng.integers(0, 8, 3 * number)]


def test_those_who_have_one_entry_in_all_are_not_listed():
    entries = pd.DataFrame(
        [("b", "1", "x", 5), ("b", "2", "x", 5), ("b", "2", "x", 5), ("c", "1", "x", 9),
         ("b", "1", "y", 5)],
        columns=["benchmark", "month", "submitter", "bin"],
    )  # fmt: skip
    table = bdi.repeated(entries)
    assert table.to_numpy().tolist() == [["b", "1", "x", 5, 1], ["b", "2", "x", 5, 2]]
    assert bdi.repeated(entries.head(0)).empty


def test_the_index_is_the_jackknifed_entropy_of_the_submitters_mean():
    entries = spread(60)
    found = window(entries)
    # One row a submitter: the shares of its entries by bin.
    shares = pd.crosstab(*np.transpose(entries), normalize="index").to_numpy()
    n = len(shares)

    def index(rows):
        return float(bdi.bdi(rows.mean(axis=0))) * np.log(rows.shape[1]) / np.log(BINS)

    parts = np.array([index(np.delete(shares, i, axis=0)) for i in range(n)])
    pseudo = n * index(shares) - (n - 1) * parts
    assert found.copies.sum() == n
    assert found.value == pytest.approx(pseudo.mean())
    estimate = bdi.estimated(found)
    assert estimate.standard_error == pytest.approx(pseudo.std(ddof=1) / n**0.5)
    assert found.reason == ""
    lower, upper = bdi.interval(found, 0.95)
    assert lower < found.value < upper
    expected = entropy.interval(estimate, found.more, 0.95, 1.0)
    assert (lower, upper) == pytest.approx([float(end) for end in expected])
    every_bin = np.pad(shares, ((0, 0), (0, BINS - shares.shape[1])))
    more = entropy.add_one_unit(every_bin, np.ones(n))
    assert found.more.value == pytest.approx(more.value / np.log(BINS))
    assert found.more.standard_error == pytest.approx(more.standard_error / np.log(BINS))


def test_sending_the_same_models_again_changes_nothing():
    entries = spread(70)
    doubled = [*entries, *[(who, where) for who, where in entries if who < "s3"]]
    once, twice = window(entries), window(doubled)
    assert twice.value == pytest.approx(once.value)
    assert bdi.interval(twice, 0.9) == pytest.approx(bdi.interval(once, 0.9))


@pytest.mark.parametrize(
    ("number", "bins", "reason"),
    [
        (1, 3, "1 submitters; at least 50 are needed for an interval"),
        (49, 7, "49 submitters; at least 50 are needed for an interval"),
        (50, 7, ""),
        (80, 1, bdi.UNKNOWN),
        (80, 4, bdi.UNKNOWN),
    ],
)
def test_an_interval_needs_fifty_submitters_in_bins_filled_unevenly(number, bins, reason):
    found = window([(f"s{i % number}", i % bins) for i in range(max(number, bins))])
    assert found.reason == reason
    assert np.isfinite(bdi.interval(found, 0.95)).all() == (reason == "")
    assert np.isnan(found.value) == (number == 1)
    assert not np.signbit(found.value)


def test_a_submitter_of_two_windows_is_one_unit():
    first = [*((f"s{i}", i % 6) for i in range(50)), *((f"t{i}", i % 5) for i in range(20))]
    last = [*((f"s{i}", i % 9) for i in range(50)), *((f"u{i}", i % 3) for i in range(15))]
    both = pd.DataFrame([*first, *last], columns=["submitter", "coarse"]).assign(
        benchmark="b", month=["1"] * len(first) + ["2"] * len(last)
    )
    both["bin"] = both["coarse"] * FINE_BINS // BINS
    counts = {
        (month,): bdi.rebin(np.bincount(group["bin"], minlength=FINE_BINS), BINS)
        for month, group in both.groupby("month")
    }
    parts = list(bdi.count_by_window(counts, bdi.repeated(both), ["month"]).values())
    deviations, copies = bdi.joined(parts)
    assert copies.sum() == 50 + 20 + 15
    assert copies[(deviations != 0).all(axis=1)].sum() == 50
    for place, part in enumerate(parts):
        total = (part.copies * part.deviations**2).sum()
        assert (copies * deviations[:, place] ** 2).sum() == pytest.approx(total)
    # Who is where in both windows decides the covariance: by name, not by order.
    one, other = (
        pd.Series(part.deviations, part.names).drop(bdi.SINGLE, errors="ignore") for part in parts
    )
    found = (copies * deviations[:, 0] * deviations[:, 1]).sum()
    assert found == pytest.approx((one * other).sum())
    assert found != 0
