"""Differences of two versions by their answers to the same items."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.compare.paired import LIKE, THESE, Answers, measure_difference, pair_answers


def answers(baseline, candidate, clusters=None):
    tables = [pd.DataFrame(np.array(table, float)) for table in (baseline, candidate)]
    return Answers(*tables, None if clusters is None else pd.Series(clusters))


def test_one_run_of_right_and_wrong_answers_has_mcnemars_mid_p():
    baseline = [[1]] * 12 + [[0]] * 4 + [[1]] * 30
    candidate = [[0]] * 12 + [[1]] * 4 + [[1]] * 30
    found = measure_difference(answers(baseline, candidate))
    binomial = stats.binom(16, 0.5)
    assert found.p_worse == pytest.approx(binomial.cdf(4) - binomial.pmf(4) / 2)
    assert found.value == pytest.approx(-8 / 46)
    assert (found.n_items, found.n_runs) == (46, 1)


def test_the_error_over_runs_is_the_variance_within_items():
    rng = np.random.default_rng(2)
    baseline, candidate = rng.integers(0, 2, (40, 5)), rng.integers(0, 2, (40, 3))
    found = measure_difference(answers(baseline, candidate), THESE)
    variance = baseline.var(axis=1, ddof=1).sum() / 5 + candidate.var(axis=1, ddof=1).sum() / 3
    assert found.error == pytest.approx(np.sqrt(variance + 2 / 9) / 40)
    assert found.p_worse == pytest.approx(stats.norm.cdf(found.value / found.error))


def test_items_like_these_vary_too():
    rng = np.random.default_rng(3)
    baseline, candidate = rng.integers(0, 2, (40, 5)), rng.integers(0, 2, (40, 5))
    found = measure_difference(answers(baseline, candidate), LIKE)
    change = candidate.mean(axis=1) - baseline.mean(axis=1)
    tested = stats.ttest_1samp(change, 0)
    assert found.p_value == pytest.approx(tested.pvalue)
    assert (found.lower, found.upper) == pytest.approx(tuple(tested.confidence_interval(0.95)))


def test_a_single_run_has_the_other_versions_variance():
    baseline = np.tile([0, 1, 1, 1], (20, 1))
    found = measure_difference(answers(baseline, np.ones((20, 1))))
    assert found.error == pytest.approx(np.sqrt(20 * 0.25 * (1 / 4 + 1) + 2) / 20)


def test_margins_move_the_one_sided_tests():
    rng = np.random.default_rng(4)
    found = measure_difference(answers(rng.integers(0, 2, (500, 4)), rng.integers(0, 2, (500, 4))))
    assert found.p_drop_above(0) == found.p_worse
    expected = stats.norm.cdf(-(found.value + 0.1) / found.error)
    assert found.p_drop_below(0.1) == pytest.approx(expected)
    assert found.p_drop_above(0.1) == pytest.approx(1 - expected)
    assert found.p_equivalent(0.1) == pytest.approx(
        max(expected, stats.norm.cdf(-(0.1 - found.value) / found.error))
    )


def test_clusters_leave_few_degrees_of_freedom():
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(8), 10)
    table = answers(rng.integers(0, 2, (80, 1)), rng.integers(0, 2, (80, 1)), clusters)
    assert measure_difference(table).degrees == pytest.approx(7)
    same = answers(np.ones((80, 1)), np.ones((80, 1)), clusters)
    assert measure_difference(same).p_drop_below(0.02) > 0.05


def test_files_are_runs_and_absent_rows_are_missing_answers():
    rows = [("a", "x", 1.0), ("a", "y", 0.0)]
    table = pd.DataFrame(rows, columns=["run", "item", "response"])
    table = table.assign(cluster="", configuration="", date="")
    paired = pair_answers([table, table], [table.assign(item=["x", "z"])])
    assert list(paired.baseline.index) == ["x", "y", "z"]
    assert paired.baseline.shape[1] == 2
    assert paired.missing == 2 + 1
    assert len(paired.shared().baseline) == 1
