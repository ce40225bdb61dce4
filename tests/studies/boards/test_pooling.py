"""Random effects over groups: metafor's numbers, and limits that are known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.boards import pooling

GOLDEN = Path(__file__).parents[2] / "golden/random_effects.csv"
VALUE = np.array([1.113, 1.130, 1.206, 1.132, 1.070, 1.103, 1.037, 1.018, 1.026, 1.054, 1.077,
                  1.079, 1.047, 1.086])  # fmt: skip
ERROR = np.array([5, 15, 59, 8, 1, 3, 1, 3, 2, 2, 4, 5, 3, 5]) / 1000
ORIGIN = list("abbbcddddddddd")


def test_metafor_says_the_same():
    expected = pd.read_csv(GOLDEN, index_col="name")["value"]
    found = pooling.pool(VALUE, ERROR, ORIGIN)
    lower, upper = found.interval(0.95)
    computed = {
        "value": found.value,
        "error": found.error,
        "lower": lower,
        "upper": upper,
        "between_groups": found.between_groups,
        "between_units": found.between_units,
    }
    for part, number in computed.items():
        assert number == pytest.approx(expected[f"mean_{part}"], rel=1e-3, abs=1e-5), part


def test_the_order_of_rows_changes_the_last_digits_alone():
    # The sums differ by rounding as they do between processors.
    orders = [np.random.default_rng(seed).permutation(len(VALUE)) for seed in range(5)]
    found = [pooling.pool(VALUE[order], ERROR[order], np.array(ORIGIN)[order]) for order in orders]
    for one in found[1:]:
        assert one.value == pytest.approx(found[0].value, rel=1e-11)
        assert one.spread == pytest.approx(found[0].spread, rel=1e-11)


def test_estimates_that_are_all_alike_have_no_deviations():
    found = pooling.pool(np.full(8, 1.5), np.full(8, 0.2), list("aabbccdd"))
    assert found.value == pytest.approx(1.5)
    assert (found.between_groups, found.between_units) == pytest.approx((0, 0), abs=1e-3)
    assert found.error == pytest.approx(0.2 / np.sqrt(8), rel=1e-3)


def test_groups_of_one_leave_the_usual_mean_where_errors_are_small():
    values = np.array([0.9, 1.0, 1.2, 1.3, 1.1])
    found = pooling.pool(values, np.full(5, 1e-4), list("abcde"))
    assert found.value == pytest.approx(values.mean(), rel=1e-4)
    assert found.error == pytest.approx(stats.sem(values), rel=1e-2)
    half = stats.t.ppf(0.975, 4)
    lower, upper = found.prediction(0.95)
    assert found.predicted_degrees == 4
    assert (upper - lower) / 2 == pytest.approx(half * values.std(ddof=1) * np.sqrt(1.2), rel=1e-2)


def test_degrees_of_a_prediction_lie_between_those_of_its_parts():
    found = pooling.pool(VALUE, ERROR, ORIGIN)
    assert (found.degrees, found.degrees_within) == (3, 10)
    assert 3 < found.predicted_degrees < 13
    lower, upper = found.prediction(0.95)
    low, high = found.interval(0.95)
    assert lower < low < found.value < high < upper
    alike = found._replace(between_groups=0.0, error=0.0)
    assert alike.predicted_degrees == pytest.approx(10)
    apart = found._replace(between_units=0.0)
    assert apart.predicted_degrees == pytest.approx(3)


def test_one_group_is_refused():
    with pytest.raises(ValueError, match="one group cannot show"):
        pooling.pool(VALUE, ERROR, ["a"] * 14)
