"""Robust intervals and permutation tests: what they reduce to, and where they abstain."""

import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.anova import anova_lm

from studies.plateau import resampling
from studies.plateau.resampling import orders


def grouped(seed=0, n=20, first=8):
    rng = np.random.default_rng(seed)
    member = (np.arange(n) < first) * 1.0
    age = rng.uniform(1, 60, n)
    return member, age, 0.3 * member + 0.01 * age + rng.normal(0, 0.2, n)


def test_a_slope_has_the_interval_of_its_robust_error():
    member, age, outcome = grouped(1, 30, 12)
    fit = sm.OLS(outcome, np.column_stack([np.ones(30), member, age])).fit(
        cov_type="HC3", use_t=True
    )
    assert resampling.slope(outcome, member, age) == pytest.approx(
        (fit.params[1], *fit.conf_int()[1])
    )


@pytest.mark.parametrize("members", [1, 9, 10])
def test_a_group_below_ten_has_a_difference_without_interval(members):
    outcome = np.random.default_rng(7).normal(size=30)
    estimate, *ends = resampling.slope(outcome, np.arange(30) < members, np.empty((30, 0)))
    assert estimate == pytest.approx(outcome[:members].mean() - outcome[members:].mean())
    assert np.isnan(ends).tolist() == [members < 10] * 2


def sampled(seed, n=30):
    rng = np.random.default_rng(seed)
    age = rng.uniform(1, 60, n)
    group = np.array(["a", "b", "c"])[rng.permutation(np.arange(n) % 3)]
    return pd.DataFrame({"y": 0.02 * age + rng.normal(size=n), "age": age, "group": group})


def test_the_p_value_of_a_difference_is_that_of_all_relabellings():
    values = np.array([0.1, 0.5, 0.9, 1.7, 2.0, 3.1, 4.2])
    first = np.array([1, 0, 0, 1, 0, 1, 0], dtype=bool)
    pairs = [values[list(chosen)].mean() - np.delete(values, chosen).mean()
             for chosen in itertools.combinations(range(7), 3)]  # fmt: skip
    difference = values[first].mean() - values[~first].mean()
    exact = np.mean(np.abs(pairs) >= abs(difference) - 1e-12)
    rng = np.random.default_rng(2)
    alone = np.empty((7, 0))
    _, p = resampling.adjusted_f_test(values, first, alone, orders(7, 20_000, rng))
    assert p == pytest.approx(exact, abs=1e-12)
    _, p = resampling.adjusted_f_test(values, first, alone, orders(7, 2000, rng))
    assert p == pytest.approx(exact, abs=0.04)


def test_all_orders_but_the_given_one_are_taken_where_there_are_no_more():
    rng = np.random.default_rng(0)
    every = orders(4, 23, rng)
    assert {tuple(order) for order in every} | {(0, 1, 2, 3)} == set(
        itertools.permutations(range(4))
    )
    assert len(every) == 23
    drawn = orders(4, 22, rng)
    assert drawn.shape == (22, 4)
    assert (np.sort(drawn, axis=1) == np.arange(4)).all()
    assert orders(1, 99, rng).shape == (0, 1)
    assert orders(0, 99, rng).shape == (0, 0)


@pytest.mark.parametrize(
    ("n", "draws"), [(0, 99_999), (60, 99_999), (61, 98_360), (1000, 6000), (6006, 999),
                     (10**6, 999)],
)  # fmt: skip
def test_of_many_units_fewer_orders_are_afforded_but_never_too_few(n, draws):
    assert resampling.affordable(99_999, n) == draws
    assert resampling.affordable(199, n) == 199


def test_several_outcomes_are_tested_as_each_alone():
    frame = sampled(4)
    dummies = pd.get_dummies(frame["group"], dtype=float).iloc[:, 1:]
    drawn = orders(30, 499, np.random.default_rng(6))
    outcomes = np.column_stack([frame["y"], frame["y"] ** 2, np.full(30, 0.3)])
    together = resampling.adjusted_f_tests(outcomes, dummies, frame["age"], drawn)
    for place, outcome in enumerate(outcomes.T):
        alone = resampling.adjusted_f_test(outcome, dummies, frame["age"], drawn)
        assert [values[place] for values in together] == pytest.approx(alone, nan_ok=True)
    assert np.isnan(together[1][2])
    assert np.isfinite(together[1][:2]).all()


def test_without_covariates_the_f_statistic_is_the_square_of_students_t():
    frame = sampled(2)
    member = frame["group"] == "a"
    drawn = orders(30, 999, np.random.default_rng(7))
    f, _ = resampling.adjusted_f_test(frame["y"], member, np.empty((30, 0)), drawn)
    assert f == pytest.approx(stats.ttest_ind(frame["y"][member], frame["y"][~member])[0] ** 2)


def test_the_null_is_that_of_freedman_and_lane():
    """Residuals put in another order, added to what the covariates fit, and fitted anew."""
    frame = sampled(9, n=12)
    frame["t"] = (frame["group"] == "a").astype(float)
    drawn = orders(12, 40, np.random.default_rng(8))
    reduced = smf.ols("y ~ age", frame).fit()

    def f_of(y):
        again = frame.assign(y=y)
        pair = (smf.ols(f"y ~ age{term}", again).fit() for term in ("", " + t"))
        return anova_lm(*pair)["F"].iloc[1]

    # To deal out the design in an order is to deal out the residuals in the opposite one.
    residuals = reduced.resid.to_numpy()
    null = [f_of(reduced.fittedvalues + residuals[np.argsort(order)]) for order in drawn]
    f, p = resampling.adjusted_f_test(frame["y"], frame["t"], frame["age"], drawn)
    assert f == pytest.approx(f_of(frame["y"]))
    assert p == pytest.approx((1 + np.sum(np.array(null) >= f)) / 41)
    assert 0.1 < p < 0.9


@pytest.mark.parametrize(
    ("tested", "covariates"),
    [([1.0, 1, 1, 1, 1], [1.0, 2, 3, 4, 5]), ([1.0, 2, 3, 4, 5], [2.0, 4, 6, 8, 10]),
     (np.eye(5)[:, :3], [1.0, 2, 3, 5, 8])],
)  # fmt: skip
def test_a_design_that_cannot_be_fitted_has_no_p_value(tested, covariates):
    drawn = orders(5, 9, np.random.default_rng(0))
    found = resampling.adjusted_f_test(np.arange(5.0), tested, covariates, drawn)
    assert np.isnan(found).all()
    # Nor has an outcome that the covariates determine.
    nine = np.arange(9)
    drawn = orders(9, 9, np.random.default_rng(0))
    for outcome in (np.full(9, 0.3), np.zeros(9), nine * 0.1 + 0.2):
        assert np.isnan(resampling.adjusted_f_test(outcome, nine % 2, nine * 1.0, drawn)).all()


def test_the_f_statistic_is_rs(golden_cases):
    u = np.array([2.1, 3.4, 1.0, 5.9, 4.2, 8.8, 7.1, 6.5])
    v = [1.2, 2.9, 2.4, 4.4, 6.1, 7.3, 5.0, 9.9]
    w = [3, 1, 4, 1.5, 5, 9, 2, 6]
    f, _ = resampling.adjusted_f_test(v, u > 4, w, orders(8, 10, np.random.default_rng(0)))
    assert [f] == golden_cases("f", "u above 4 given w")
