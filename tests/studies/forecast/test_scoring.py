"""Skill and shares, with intervals over benchmarks."""

import numpy as np
import pandas as pd
import pytest

from studies.forecast import scoring


def test_few_benchmarks_have_no_interval():
    clusters = np.arange(8) % 4
    share, lower, upper = scoring.clustered_share(np.arange(8) % 2, clusters, 0.95)
    assert share == 0.5
    assert np.isnan([lower, upper]).all()


def test_forecasts_of_one_benchmark_that_agree_count_once():
    inside = np.arange(6) < 4
    once = scoring.clustered_share(inside, np.arange(6), 0.95)
    again = scoring.clustered_share(np.repeat(inside, 5), np.repeat(np.arange(6), 5), 0.95)
    assert again == pytest.approx(once)


def test_where_all_are_inside_benchmarks_are_counted():
    _, lower, upper = scoring.clustered_share(np.ones(60, bool), np.repeat(np.arange(6), 10), 0.95)
    assert upper == 1
    assert 0.4 < lower < 0.65


def frame(score, reference):
    return pd.DataFrame(
        {"score": score, "reference": reference, "cluster": np.arange(len(score)) % 6}
    )


def test_skill_is_the_share_saved():
    reference = np.array([1, 2, 3, 1, 2, 3.0])
    saved, lower, upper = scoring.skill(frame(reference * 0.7, reference), 0.95)
    assert (saved, lower, upper) == pytest.approx((0.3, 0.3, 0.3))
    uneven = scoring.skill(frame(reference * [0.5, 0.9, 0.7, 0.4, 1, 0.6], reference), 0.95)
    assert uneven[1] < uneven[0] < uneven[2] < 1


@pytest.mark.parametrize("reference", [[0] * 6, [0, 0, 0, 0, 0, 1]])
def test_against_a_reference_that_hardly_errs_there_is_no_interval(reference):
    saved, lower, upper = scoring.skill(frame([1.0] * 6, reference), 0.95)
    assert np.isnan(saved) == (sum(reference) == 0)
    assert np.isnan([lower, upper]).all()
    # Nor with fewer than five benchmarks.
    few = scoring.skill(frame([1.0] * 4, [2.0] * 4), 0.95)
    assert few == pytest.approx((0.5, np.nan, np.nan), nan_ok=True)
