"""Entropy from a sample: the jackknife by leaving out, and the ends of its intervals."""

import numpy as np
import pytest
from scipy import stats

from saturation.statistics import entropy


def of(counts):
    """Estimate from independent draws, by their counts in each bin."""
    counts = np.asarray(counts)
    found = entropy.jackknife(np.eye(counts.shape[-1]), counts)
    return entropy.estimate(found.value, found.deviations, counts)


def difference(first, second):
    """Second less first of two independent samples."""
    parts = [entropy.jackknife(np.eye(np.shape(c)[-1]), c) for c in (first, second)]
    return entropy.estimate(
        parts[1].value - parts[0].value,
        np.concatenate([parts[0].deviations, -parts[1].deviations], axis=-1),
        np.concatenate([first, second], axis=-1),
    )


def test_a_unit_of_several_draws_is_left_out_as_a_whole():
    shares = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5], [0, 0, 1]])
    copies = np.array([1, 2, 1, 2])
    units = np.repeat(shares, copies, axis=0)
    whole = stats.entropy(units.mean(axis=0))
    parts = [stats.entropy(np.delete(units, i, axis=0).mean(axis=0)) for i in range(6)]
    pseudo = 6 * whole - 5 * np.array(parts)
    found = entropy.jackknife(shares, copies)
    assert found.value == pytest.approx(pseudo.mean(), abs=1e-12)
    estimate = entropy.estimate(found.value, found.deviations, copies)
    assert estimate.standard_error == pytest.approx(pseudo.std(ddof=1) / 6**0.5, abs=1e-12)
    kurtosis = stats.kurtosis(pseudo)
    assert estimate.degrees_of_freedom == pytest.approx(
        min(5, max(1, 2 / (2 / 5 + kurtosis / 6))), abs=1e-8
    )


def test_a_difference_is_tested_by_students_t():
    first, second = [20, 9, 4, 0], [5, 9, 9, 9]
    change = difference(first, second)
    errors = [float(of(counts).standard_error) for counts in (first, second)]
    assert change.value == pytest.approx(float(of(second).value - of(first).value))
    assert change.standard_error == pytest.approx(np.hypot(*errors))
    freedom = float(change.degrees_of_freedom)
    assert min(32, 31) < freedom <= 64
    t = float(change.value) / np.hypot(*errors)
    assert entropy.p_value(change) == pytest.approx(2 * stats.t.sf(abs(t), freedom))
    half = entropy.half_width(change, 0.9)
    assert half == pytest.approx(stats.t.ppf(0.95, freedom) * np.hypot(*errors))


def test_one_full_bin_has_no_entropy_and_no_error():
    alone = of([0, 12, 0])
    assert (float(alone.value), float(alone.standard_error)) == pytest.approx((0, 0))
    assert entropy.interval(alone, alone, 0.95, np.log(3)) == pytest.approx((0, 0))
    assert np.isnan(entropy.p_value(difference([0, 12, 0], [0, 12, 0])))


def interval(counts):
    more = entropy.add_one_unit(np.eye(len(counts)), counts)
    return entropy.interval(of(counts), more, 0.95, np.log(4))


def test_an_interval_stays_within_what_is_possible():
    lower, upper = interval([3, 3, 3, 4])
    assert 0 < lower < upper == pytest.approx(np.log(4))
    assert interval([30, 1, 0, 0])[0] == 0


def test_the_upper_end_allows_for_a_bin_that_no_unit_has_reached():
    """At least that of the sample with one more unit there; as before where no bin is empty."""
    more = of([40, 20, 1, 0])
    highest = more.value + entropy.half_width(more, 0.95)
    assert interval([40, 20, 0, 0])[1] == pytest.approx(highest)
    full = of([40, 20, 5, 5])
    assert interval([40, 20, 5, 5])[1] == pytest.approx(full.value + entropy.half_width(full, 0.95))
    several = entropy.add_one_unit(np.eye(4), [[40, 20, 0, 0], [40, 20, 5, 5]])
    assert several.value.tolist() == pytest.approx([float(more.value), float(full.value)])
    # More bins than units.
    wide = entropy.add_one_unit(np.eye(4)[:2], [40, 20])
    assert float(wide.value) == pytest.approx(float(of([40, 20, 1, 0]).value))


@pytest.mark.parametrize("counts", [[1, 0], [0, 0]])
def test_a_single_draw_is_refused(counts):
    with pytest.raises(ValueError, match="at least two units"):
        of(counts)
