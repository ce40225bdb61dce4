"""Permutation tests: the statistic of the textbook, and p-values that mean what they say."""

import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import anova_lm

from saturation.statistics import permutation

seeds = st.integers(0, 10_000)


def sample(seed, n=30):
    rng = np.random.default_rng(seed)
    age = rng.uniform(1, 60, n)
    group = np.array(["a", "b", "c"])[rng.permutation(np.arange(n) % 3)]
    return pd.DataFrame({"y": 0.02 * age + rng.normal(size=n), "age": age, "group": group})


@given(seeds, st.integers(1, 30))
def test_p_values_lie_above_0_and_up_to_1(seed, permutations):
    frame = sample(seed)
    rng = np.random.default_rng(seed)
    _, p = permutation.mean_difference(frame["y"], frame["group"] == "a", permutations, rng)
    assert 0 < p <= 1
    dummies = pd.get_dummies(frame["group"], dtype=float).iloc[:, 1:]
    _, p = permutation.adjusted_f_test(frame["y"], dummies, frame["age"], permutations, rng)
    assert 0 < p <= 1


@pytest.mark.parametrize("seed", range(5))
def test_the_f_statistic_is_that_of_an_analysis_of_variance(seed):
    frame = sample(seed)
    dummies = pd.get_dummies(frame["group"], dtype=float).iloc[:, 1:]
    rng = np.random.default_rng(0)
    found, _ = permutation.adjusted_f_test(frame["y"], dummies, frame["age"], 9, rng)
    table = anova_lm(smf.ols("y ~ age", frame).fit(), smf.ols("y ~ age + C(group)", frame).fit())
    assert found == pytest.approx(table["F"].iloc[1])


def test_its_p_value_is_near_that_of_the_f_distribution_for_normal_errors():
    frame = sample(3, n=60)
    dummies = pd.get_dummies(frame["group"], dtype=float).iloc[:, 1:]
    rng = np.random.default_rng(1)
    f, p = permutation.adjusted_f_test(frame["y"], dummies, frame["age"], 4999, rng)
    assert p == pytest.approx(stats.f.sf(f, 2, 60 - 4), abs=0.03)


def test_the_p_value_of_a_difference_is_that_of_all_relabellings():
    values = np.array([0.1, 0.5, 0.9, 1.7, 2.0, 3.1, 4.2])
    first = np.array([1, 0, 0, 1, 0, 1, 0], dtype=bool)
    pairs = [values[list(chosen)].mean() - np.delete(values, chosen).mean()
             for chosen in itertools.combinations(range(7), 3)]  # fmt: skip
    difference = values[first].mean() - values[~first].mean()
    exact = np.mean(np.abs(pairs) >= abs(difference) - 1e-12)
    rng = np.random.default_rng(2)
    found, p = permutation.mean_difference(values, first, 20_000, rng)
    assert found == pytest.approx(difference)
    assert p == pytest.approx(exact, abs=0.015)


def test_the_tests_have_their_nominal_size_and_find_an_effect():
    rng = np.random.default_rng(7)
    in_first = np.arange(24) < 10
    null, shifted = [], []
    for _ in range(200):
        age = rng.uniform(1, 60, 24)
        y = 0.05 * age + rng.normal(size=24)
        null.append(permutation.adjusted_f_test(y, in_first, age, 199, rng)[1])
        shifted.append(permutation.adjusted_f_test(y + 2 * in_first, in_first, age, 199, rng)[1])
    # 0.1 plus or minus three standard errors of 200 draws.
    assert 0.036 < np.mean(np.array(null) <= 0.1) < 0.164
    assert np.mean(np.array(shifted) <= 0.1) > 0.9


def test_an_effect_of_age_alone_is_not_taken_for_one_of_the_group():
    rng = np.random.default_rng(8)
    age = np.linspace(1, 60, 60)
    in_first = age + rng.normal(0, 10, 60) > 30
    y = 0.1 * age + rng.normal(0, 0.5, 60)
    assert permutation.mean_difference(y, in_first, 499, rng)[1] < 0.01
    assert permutation.adjusted_f_test(y, in_first, age, 499, rng)[1] > 0.05


@pytest.mark.parametrize(
    ("tested", "covariates"),
    [([1.0, 1, 1, 1, 1], [1.0, 2, 3, 4, 5]), ([1.0, 2, 3, 4, 5], [2.0, 4, 6, 8, 10]),
     (np.eye(5)[:, :3], [1.0, 2, 3, 5, 8])],
)  # fmt: skip
def test_a_design_that_cannot_be_fitted_has_no_p_value(tested, covariates):
    rng = np.random.default_rng(0)
    found = permutation.adjusted_f_test(np.arange(5.0), tested, covariates, 9, rng)
    assert np.isnan(found).all()


@pytest.mark.parametrize("outcome", [np.full(9, 0.3), np.zeros(9), np.arange(9) * 0.1 + 0.2])
def test_an_outcome_that_the_covariates_determine_has_no_p_value(outcome):
    rng = np.random.default_rng(0)
    tested = np.arange(9) % 2
    found = permutation.adjusted_f_test(outcome, tested, np.arange(9.0), 9, rng)
    assert np.isnan(found).all()


def test_an_undefined_statistic_has_no_p_value():
    assert np.isnan(permutation.p_value(float("nan"), np.arange(9.0)))


def test_the_same_generator_gives_the_same_p_value():
    frame = sample(1)
    member = frame["group"] == "a"
    first, second = (
        permutation.mean_difference(frame["y"], member, 99, np.random.default_rng(4))
        for _ in range(2)
    )
    assert first == second


def test_the_f_statistic_is_rs(golden):
    u = np.array([2.1, 3.4, 1.0, 5.9, 4.2, 8.8, 7.1, 6.5])
    v = [1.2, 2.9, 2.4, 4.4, 6.1, 7.3, 5.0, 9.9]
    w = [3, 1, 4, 1.5, 5, 9, 2, 6]
    f, _ = permutation.adjusted_f_test(v, u > 4, w, 10, np.random.default_rng(0))
    assert [f] == golden("f", "u above 4 given w")
