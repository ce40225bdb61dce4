"""Every submitter counted once: units, errors, and windows that share submitters."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.discriminability import bdi as discriminability_bdi
from saturation.discriminability.bdi import bdi, rebin
from saturation.discriminability.names import FINE_BINS
from saturation.statistics import entropy

BINS = 20


def window(entries):
    """Window of entries: a list of (submitter, bin of 20), and what is known of submitters."""
    table = pd.DataFrame(entries, columns=["submitter", "coarse"])
    table = table.assign(benchmark="b", month="m", bin=table["coarse"] * FINE_BINS // BINS)
    counts = rebin(np.bincount(table["bin"], minlength=FINE_BINS), BINS)
    return discriminability_bdi.counted_once(counts, discriminability_bdi.repeated(table))


def units(entries):
    """Shares of the bins of every submitter, one row each."""
    table = pd.DataFrame(entries, columns=["submitter", "coarse"])
    return pd.crosstab(table["submitter"], table["coarse"], normalize="index").to_numpy()


def spread(number, seed=0):
    rng = np.random.default_rng(seed)
    return [(f"s{rng.integers(number)}", int(b)) for b in rng.integers(0, 8, 3 * number)]


def test_those_who_have_one_entry_in_all_are_not_listed():
    entries = pd.DataFrame(
        [("b", "1", "x", 5), ("b", "2", "x", 5), ("b", "2", "x", 5), ("c", "1", "x", 9),
         ("b", "1", "y", 5)],
        columns=["benchmark", "month", "submitter", "bin"],
    )  # fmt: skip
    table = discriminability_bdi.repeated(entries)
    assert table.to_numpy().tolist() == [["b", "1", "x", 5, 1], ["b", "2", "x", 5, 2]]
    assert discriminability_bdi.repeated(entries.head(0)).empty


def test_the_index_is_the_jackknifed_entropy_of_the_submitters_mean():
    entries = spread(60)
    found, shares = window(entries), units(entries)
    n = len(shares)

    def index(rows):
        return float(bdi(rows.mean(axis=0))) * np.log(rows.shape[1]) / np.log(BINS)

    parts = np.array([index(np.delete(shares, i, axis=0)) for i in range(n)])
    pseudo = n * index(shares) - (n - 1) * parts
    assert found.copies.sum() == n
    assert found.value == pytest.approx(pseudo.mean())
    estimate = discriminability_bdi.estimated(found)
    assert estimate.standard_error == pytest.approx(pseudo.std(ddof=1) / n**0.5)
    assert found.reason == ""
    lower, upper = discriminability_bdi.interval(found, 0.95)
    assert lower < found.value < upper
    expected = entropy.interval(estimate, 0.95, 1.0)
    assert (lower, upper) == pytest.approx([float(end) for end in expected])


def test_sending_the_same_models_again_changes_nothing():
    entries = spread(70)
    doubled = [*entries, *[(who, where) for who, where in entries if who < "s3"]]
    once, twice = window(entries), window(doubled)
    assert twice.value == pytest.approx(once.value)
    assert discriminability_bdi.interval(twice, 0.9) == pytest.approx(
        discriminability_bdi.interval(once, 0.9)
    )


def test_without_names_every_entry_counts_once():
    counts = np.array([10, 20, 30, 0])
    found = discriminability_bdi.counted_once(counts, None)
    alone = discriminability_bdi.counted_once(
        counts, pd.DataFrame({"submitter": [], "bin": [], "count": []}).astype({"bin": int})
    )
    assert found.value == alone.value
    jackknife = entropy.jackknife(np.eye(4), counts)
    assert found.value == pytest.approx(float(jackknife.value) / np.log(4))
    assert found.copies.sum() == 60


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.integers(0, 19)), min_size=1, max_size=40))
def test_order_and_names_of_the_entries_change_nothing(entries):
    found = window(entries)
    renamed = window([(who.upper() + "!", where) for who, where in entries[::-1]])
    assert found.value == pytest.approx(renamed.value, nan_ok=True)
    assert found.copies.sum() == len({who for who, _ in entries})
    assert (found.copies > 0).all()
    if found.copies.sum() > 1:
        assert 0 <= found.value <= 1
    assert found.reason.endswith("at least 50 are needed for an interval")
    assert np.isnan(discriminability_bdi.interval(found, 0.95)).all()


@pytest.mark.parametrize(("number", "reason"), [
    (49, "49 submitters; at least 50 are needed for an interval"), (50, ""),
])  # fmt: skip
def test_an_interval_needs_fifty_submitters(number, reason):
    assert entropy.FEWEST == 50
    found = window([(f"s{i}", i % 7) for i in range(number)])
    assert found.reason == reason
    assert np.isfinite(discriminability_bdi.interval(found, 0.95)).all() == (reason == "")


def test_models_in_one_bin_or_evenly_in_several_have_no_known_error():
    found = window([(f"s{i}", 3) for i in range(80)])
    assert found.value == 0
    assert not np.signbit(found.value)
    assert found.reason == discriminability_bdi.UNKNOWN
    assert window([(f"s{i}", i % 4) for i in range(80)]).reason == discriminability_bdi.UNKNOWN


def test_a_single_submitter_has_no_corrected_index():
    found = window([("one", 3), ("one", 7), ("one", 9)])
    assert np.isnan(found.value)
    assert found.reason.startswith("1 submitters")


def test_a_submitter_of_two_windows_is_one_unit():
    first = [*((f"s{i}", i % 6) for i in range(50)), *((f"t{i}", i % 5) for i in range(20))]
    last = [*((f"s{i}", i % 9) for i in range(50)), *((f"u{i}", i % 3) for i in range(15))]
    both = pd.DataFrame(
        [("b", month, *entry) for month, entries in (("1", first), ("2", last))
         for entry in entries],
        columns=["benchmark", "month", "submitter", "coarse"],
    )  # fmt: skip
    both["bin"] = both["coarse"] * FINE_BINS // BINS
    known = discriminability_bdi.repeated(both)
    counts = {
        (month,): rebin(np.bincount(group["bin"], minlength=FINE_BINS), BINS)
        for month, group in both.groupby("month")
    }
    parts = list(discriminability_bdi.by_window(counts, known, ["month"]).values())
    deviations, copies = discriminability_bdi.joined(parts)
    assert copies.sum() == 50 + 20 + 15
    shared = (deviations != 0).all(axis=1)
    assert copies[shared].sum() == 50
    for place, part in enumerate(parts):
        total = (part.copies * part.deviations**2).sum()
        assert (copies * deviations[:, place] ** 2).sum() == pytest.approx(total)
    # Who is where in both windows decides the covariance: by name, not by order.
    by_name = {
        name: deviation for name, deviation in zip(parts[0].names, parts[0].deviations) if name
    }
    covariance = sum(
        by_name[name] * deviation
        for name, deviation in zip(parts[1].names, parts[1].deviations)
        if name in by_name
    )
    found = (copies * deviations[:, 0] * deviations[:, 1]).sum()
    assert found == pytest.approx(covariance)
    assert found != 0
