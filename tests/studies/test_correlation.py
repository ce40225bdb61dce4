"""Rank and partial correlations against R, scipy, textbook formulae and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studies import correlation

seeds = st.integers(0, 10_000)


def sample(seed, n=40):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    return 0.7 * z + rng.normal(size=n), 0.5 * z + rng.normal(size=n), z


@given(seeds)
def test_partial_correlations_are_those_of_the_inverse_correlation_matrix(seed):
    x, y, z = sample(seed)
    other = x + np.random.default_rng(seed + 1).normal(size=len(x))
    found = correlation.partial_spearman(x, y, z, other)
    precision = np.linalg.inv(stats.spearmanr(np.column_stack([x, y, z, other])).statistic)
    expected = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    assert found["estimate"] == pytest.approx(expected)
    t = expected * np.sqrt((len(x) - 4) / (1 - expected**2))
    assert found["p_value"] == pytest.approx(2 * stats.t.sf(abs(t), len(x) - 4))
    precision = np.linalg.inv(np.corrcoef([x, y, z]))
    expected = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    assert correlation.partial_pearson(x, y, z)["estimate"] == pytest.approx(expected)


def test_residual_readings_take_the_line_from_the_stated_sides():
    x, y, z = sample(2)
    x_left, y_left = (v - np.polyval(np.polyfit(z, v, 1), z) for v in (x, y))
    both, one = stats.spearmanr(x_left, y_left), stats.spearmanr(x, y_left)
    assert correlation.residual_spearman(x, y, z)["estimate"] == pytest.approx(both.statistic)
    assert correlation.residual_one_sided(x, y, z)["estimate"] == pytest.approx(one.statistic)


def test_incomplete_rows_are_left_out_of_every_column():
    x, y, z = sample(3)
    expected = correlation.partial_spearman(x[2:], y[2:], z[2:])
    x[0], z[1] = np.nan, np.inf
    found = correlation.partial_spearman(x, y, z)
    assert found == pytest.approx(expected)
    assert found["n"] == 38


GIVEN = (
    correlation.partial_spearman,
    correlation.partial_pearson,
    correlation.residual_spearman,
    correlation.residual_one_sided,
)


@pytest.mark.parametrize("n", [0, 1, 2, 30])
def test_a_variable_that_does_not_vary_has_no_correlation(n):
    y = np.linspace(0, 1, n)
    for constant in (np.zeros(n), np.full(n, 0.3)):
        assert np.isnan(correlation.spearman(constant, y)["p_value"])
        for method in GIVEN:
            assert np.isnan(method(constant, y, y**2)["p_value"])


def test_a_variable_that_the_covariate_determines_has_no_correlation():
    x, y, z = sample(3)
    for method in GIVEN[1:3]:
        assert np.isnan(method(11 * z + 3, y, z)["estimate"])
    assert np.isnan(correlation.partial_spearman(np.exp(z), y, z)["estimate"])
    assert np.isnan(correlation.residual_one_sided(x, 11 * z + 3, z)["estimate"])


U = [2.1, 3.4, 1.0, 5.9, 4.2, 8.8, 7.1, 6.5]
V = [1.2, 2.9, 2.4, 4.4, 6.1, 7.3, 5.0, 9.9]
W = [3, 1, 4, 1.5, 5, 9, 2, 6]


def values(estimate, *names):
    return [estimate[name] for name in names]


def test_correlations_are_rs(golden_cases, monkeypatch):
    spearman = correlation.spearman(U, V)
    monkeypatch.setattr(correlation, "FEWEST_BY_T", 0)
    by_t = correlation.spearman(U, V)
    assert values(by_t, "estimate", "p_value") == golden_cases("spearman", "u and v")
    assert values(spearman, "lower", "upper") == golden_cases("spearman_interval", "u and v")
    partial = correlation.partial_spearman(U, V, W)
    assert values(partial, "estimate", "p_value") == golden_cases(
        "partial_spearman", "u and v given w"
    )
    assert partial["n"] == 8
    # What is held fixed takes a pair from those that the interval counts.
    ends = correlation.spearman_interval(partial["estimate"], 7)
    assert values(partial, "lower", "upper") == pytest.approx(ends)


def test_few_pairs_have_no_interval():
    assert np.isnan(correlation.spearman_interval(0.5, 3)).all()


def test_a_missing_value_has_no_rank_and_takes_none():
    found = correlation.ranks([[2.0, np.nan, 1.0, 2.0], [np.nan, np.nan, 0.0, -1.0]])
    np.testing.assert_array_equal(found, [[2.5, np.nan, 1, 2.5], [np.nan, np.nan, 2, 1]])
    np.testing.assert_array_equal(correlation.ranks([3, 1, 3], ties="max"), [3, 1, 3])


@pytest.mark.parametrize(
    ("x", "y", "p"),
    [
        # By hand: 2 of 3!, 2 of 4!, 2 of 5! orders; 10 of 5! have |rho| of 0.9 or more.
        ([1, 2, 3], [4, 5, 6], 1 / 3),
        ([1, 2, 3, 4], [9, 7, 5, 1], 1 / 12),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 1 / 60),
        ([1, 2, 3, 4, 5], [2, 1, 3, 4, 5], 1 / 12),
    ],
)
def test_few_pairs_have_the_p_value_of_all_orders(x, y, p):
    assert correlation.spearman(x, y)["p_value"] == pytest.approx(p)


def test_ties_and_nine_pairs_are_those_of_a_permutation_test():
    x, y = np.array([1, 2, 2, 3, 5, 4, 7, 7.0]), np.array([3, 1, 2, 2, 8, 4, 5, 9.0])
    ranks = stats.rankdata(y)
    found = stats.permutation_test(
        # In a pairing, the correlation follows from the sum of products of ranks.
        (stats.rankdata(x),), lambda x, axis: np.sum((x - x.mean()) * ranks, axis=axis),
        permutation_type="pairings", n_resamples=np.inf, vectorized=True,
    )  # fmt: skip
    assert correlation.spearman(x, y)["p_value"] == pytest.approx(found.pvalue)
    rng = np.random.default_rng(1)
    nine, ten = (rng.normal(size=(2, n)) for n in (9, 10))
    assert correlation.spearman(*nine)["p_value"] != stats.spearmanr(*nine).pvalue
    assert correlation.spearman(*ten)["p_value"] == pytest.approx(stats.spearmanr(*ten).pvalue)


@pytest.mark.parametrize("n", [4, 6, 30])
def test_a_perfect_rank_correlation_shows_no_error(n):
    found = correlation.spearman(range(n), range(n))
    assert found["estimate"] == pytest.approx(1)
    assert np.isnan([found["lower"], found["upper"]]).all()
