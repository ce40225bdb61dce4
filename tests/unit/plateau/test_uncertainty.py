"""Intervals by resampling and the permuted-n control: does each recover what was put in?"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation import index
from saturation.plateau import uncertainty


def test_resampled_scores_have_the_mean_and_variance_of_equation_1():
    scores = np.array([[0.9, 0.85], [0.5, 0.2], [0.99, 0.97]])
    n_effective = np.array([1.0, 100.0, 31.6])
    draws = uncertainty.resample_scores(scores, n_effective, 40_000, np.random.default_rng(1))
    error = index.standard_error(scores, n_effective[:, None], 1.0)
    assert draws.mean(axis=0) == pytest.approx(scores, abs=0.003)
    assert draws.std(axis=0) == pytest.approx(error, rel=0.03)


@pytest.mark.parametrize("threshold", [0.3, 0.7, 0.9])
def test_two_equal_models_reach_the_index_as_often_as_said(threshold):
    rng = np.random.default_rng(4)
    draws = uncertainty.resample_scores(np.full((1, 2), 0.6), np.array([4000.0]), 40_000, rng)
    reached = index.saturation_index(draws[:, 0, 0], draws[:, 0, 1], 4000.0, 1.0) >= threshold
    assert reached.mean() == pytest.approx(uncertainty.equal_pair_probability(threshold), abs=0.01)


@given(st.floats(0, 1), st.floats(1, 1e4), st.integers(0, 100))
def test_resampled_scores_stay_proportions(score, n_effective, seed):
    draws = uncertainty.resample_scores(
        np.array([[score]]), np.array([n_effective]), 50, np.random.default_rng(seed)
    )
    assert ((draws >= 0) & (draws <= 1)).all()


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_score_without_error_does_not_move(score):
    draws = uncertainty.resample_scores(
        np.array([[score]]), np.array([50.0]), 20, np.random.default_rng(1)
    )
    assert (draws == score).all()


def one_benchmark(scores, n_test):
    return (
        pd.DataFrame({"benchmark_id": ["one"], "n_test": [n_test]}),
        pd.DataFrame({"benchmark_id": "one", "score": scores}),
    )


def uncertain(scores, n_test, alpha=1.0, k=2):
    rng = np.random.default_rng(3)
    tables = one_benchmark(scores, n_test)
    return uncertainty.uncertainty_table(*tables, k, alpha, 4000, rng).iloc[0]


def test_clear_cases_are_certain():
    equal = uncertain([0.6, 0.2], 10_000)
    assert equal["p_saturated"] == 0
    assert uncertain([1.0, 1.0], 100)["p_saturated"] == 1


def test_the_probability_of_saturation_is_that_of_the_normal_approximation():
    # |z| is |N(gap / se, 1)| for a fixed pair; saturated means z^2 <= -ln 0.7.
    found = uncertain([0.8, 0.79], 2000)
    gap, error = 0.01, np.sqrt((0.8 * 0.2 + 0.79 * 0.21) / 2000)
    z = np.random.default_rng(5).normal(gap / error, 1, 100_000)
    assert found["p_saturated"] == pytest.approx(np.mean(z**2 <= -np.log(0.7)), abs=0.03)


def test_the_interval_holds_the_index_and_moves_down_with_n():
    few, many = (uncertain([0.8, 0.77], n) for n in (2000, 8000))
    assert few["s_lower"] < few["s_index"] < few["s_upper"]
    assert many["s_upper"] < few["s_upper"]


def test_the_range_of_k_equal_models_grows_with_k():
    pair, five = (uncertain([0.8] * k, 1000, k=k) for k in (2, 5))
    assert five["p_saturated_if_equal"] < pair["p_saturated_if_equal"]
    # Two equal models: |N(0, 1)|^2 <= -ln 0.7 with probability 0.45.
    assert pair["p_saturated_if_equal"] == pytest.approx(0.4496, abs=0.03)


def test_intervals_of_the_embedded_benchmarks_hold_together(prepared, default_index):
    rng = np.random.default_rng(0)
    table = uncertainty.uncertainty_table(*prepared, 5, 0.5, 400, rng)
    assert table["s_index"].tolist() == default_index["s_index"].tolist()
    assert (table["s_lower"] <= table["s_upper"]).all()
    assert (table["reranked_lower"] <= table["reranked_median"]).all()
    assert (table["reranked_median"] <= table["reranked_upper"]).all()
    bounded = table.filter(regex="^(s_|p_|reranked)")
    assert bounded.ge(0).all(axis=None)
    assert bounded.le(1).all(axis=None)
    # The best and the worst of five draws are further apart than a fixed pair of them.
    assert (table["p_saturated_reranked"] <= table["p_saturated"]).all()


def index_of(gap, n_test, rng):
    """An index table whose scores have the given gap."""
    s_1 = rng.uniform(0.7, 0.75, len(n_test))
    s_k = s_1 - gap
    return pd.DataFrame({"s_1": s_1, "s_k": s_k, "n_test": n_test, "alpha": 0.5})


def control(gap, n_test, seed=1, permutations=499):
    rng = np.random.default_rng(seed)
    table = uncertainty.permuted_n_control(index_of(gap, n_test, rng), permutations, rng)
    return table.set_index("outcome")


def test_the_control_finds_a_gap_that_depends_on_n():
    n_test = np.random.default_rng(2).integers(50, 20_000, 60)
    found = control(0.5 * n_test / n_test.max(), n_test)
    assert (found["p_value"] <= 0.002).all()
    assert found.loc["top_gap", "spearman"] == pytest.approx(1)


def test_the_control_does_not_blame_the_formula_on_the_benchmarks():
    rng = np.random.default_rng(4)
    n_test = rng.integers(50, 20_000, 60)
    found = control(rng.uniform(0.005, 0.1, 60), n_test)
    # The index falls with n because n is in its formula, and its null says so.
    assert found.loc["s_index", "spearman"] < -0.2
    assert found.loc["s_index", "null_mean"] < -0.2
    assert found.loc["top_gap", "null_mean"] == pytest.approx(0, abs=0.03)
    assert (found["p_value"] > 0.05).all()


def test_the_control_s_p_values_are_about_uniform_under_the_null():
    rng = np.random.default_rng(6)
    p_values = [
        control(rng.uniform(0.005, 0.1, 25), rng.integers(50, 5000, 25), seed, 199)["p_value"]
        for seed in range(80)
    ]
    share = (pd.DataFrame(p_values) <= 0.2).mean()
    # 0.2 plus or minus three standard errors of 80 draws.
    assert share.between(0.07, 0.33).all()


def test_the_control_s_observed_correlation_is_spearman_s(default_index):
    rng = np.random.default_rng(0)
    found = uncertainty.permuted_n_control(default_index, 199, rng).set_index("outcome")
    expected = default_index[["s_index", "n_test"]].corr(method="spearman").iloc[0, 1]
    assert found.loc["s_index", "spearman"] == pytest.approx(expected)
    assert found["p_value"].between(1 / 200, 1).all()
