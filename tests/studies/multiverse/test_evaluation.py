"""Effects and z against regressions by statsmodels and R, and their null by its definition."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from studies.multiverse import evaluation
from studies.multiverse.evaluation import evaluate
from studies.multiverse.specifications import REFERENCE_OUTCOME, outcome_values, variables


def reference(data):
    return outcome_values(data, [REFERENCE_OUTCOME])[:, 0]


def evaluated(data, design, permutations=0):
    table = pd.DataFrame([{**design._asdict(), **REFERENCE_OUTCOME._asdict()}])
    orders = evaluation.permuted_orders(len(data), permutations, np.random.default_rng(1))
    effect, z = evaluate(data, table, orders)
    return effect[0], z[0]


def p_value(z):
    return 2 * stats.norm.sf(np.abs(z))


def test_effects_and_p_values_are_those_of_r(golden):
    """lm with its own and sandwich's HC3 errors; cor.test of residuals and of ranks."""
    data, expected = golden("multiverse_data"), golden("multiverse_tests").set_index("test")
    covariates = np.column_stack([np.ones(len(data)), data[["age", "log_n"]]])
    for test in ("student", "robust", "rank"):
        columns = np.column_stack([covariates, data["variable"]])
        if test == "rank":
            columns[:, 1:] = stats.rankdata(columns[:, 1:], axis=0)
        effect, z = evaluation.partial_effects(
            data[["outcome"]].to_numpy(), columns[:, -1][None], columns[:, :-1], test
        )
        assert effect[0, 0] == pytest.approx(expected.loc[test, "effect"], rel=1e-9)
        assert p_value(z[0, 0]) == pytest.approx(expected.loc[test, "p_value"], rel=1e-8)
        assert np.sign(z[0, 0]) == np.sign(expected.loc[test, "effect"])


@pytest.mark.parametrize("test", ["student", "robust", "rank"])
@pytest.mark.parametrize("excluded", ["nothing", "any_flag"])
def test_each_order_is_analysed_as_a_regression_of_the_permuted_variable(
    multiverse_data, aged, test, excluded
):
    """As observed and permuted: residuals of the variable go to other benchmarks."""
    design = aged("age", "months", "log_n", test)._replace(excluded=excluded)
    orders = evaluation.permuted_orders(len(multiverse_data), 1, np.random.default_rng(3))
    everyone = variables(multiverse_data, design._replace(excluded="nothing"))
    fit = sm.OLS(everyone.variable, everyone.covariates).fit()
    used = variables(multiverse_data, design)
    table = pd.DataFrame([{**design._asdict(), **REFERENCE_OUTCOME._asdict()}])
    effect, z = evaluate(multiverse_data, table, orders)
    for place, order in enumerate(orders):
        outcome = reference(multiverse_data)[used.rows]
        variable = (fit.fittedvalues + fit.resid[order])[used.rows]
        if test == "rank":
            outcome, variable = stats.rankdata(outcome), stats.rankdata(variable)
        regression = sm.OLS(outcome, np.column_stack([used.covariates, variable])).fit(
            cov_type="HC3" if test == "robust" else "nonrobust", use_t=True
        )
        assert p_value(z[0, place]) == pytest.approx(regression.pvalues[-1], rel=1e-8)
        assert np.sign(z[0, place]) == np.sign(regression.params[-1])
        residuals = [sm.OLS(column, used.covariates).fit().resid for column in (outcome, variable)]
        assert effect[0, place] == pytest.approx(np.corrcoef(residuals)[0, 1], rel=1e-8)


def test_the_permutation_p_value_counts_the_observed_effect(multiverse_data, aged):
    effect, z = evaluated(
        multiverse_data, aged("age", "months", "none", "permutation"), permutations=199
    )
    for order in (0, 57):
        share = np.mean(np.abs(effect) >= abs(effect[order]) - 1e-10)
        assert p_value(z[order]) == pytest.approx(share)
    # The smallest effect of all has p = 1, and so a z of 0.
    assert ((np.sign(z) == np.sign(effect)) | (z == 0)).all()
    assert (z == 0).sum() <= 1


def test_effects_that_differ_in_their_last_bits_are_ties_of_the_permutation_test():
    effect = np.array([[0.5, -0.5 + 1e-12, 0.4, 0.1]])
    assert evaluation._permutation_p(effect).tolist() == [[0.5, 0.5, 0.75, 1.0]]


def test_a_perfect_fit_has_a_large_finite_z():
    variable = np.arange(12.0)
    outcomes = np.column_stack([3 * variable, -variable])
    effect, z = evaluation.partial_effects(outcomes, variable[None], np.ones((12, 1)), "student")
    np.testing.assert_allclose(effect[:, 0], [1, -1], rtol=1e-12)
    assert np.isfinite(z).all()
    assert (z[:, 0] * [1, -1] > 8).all()
    assert (np.abs(effect) <= 1).all()


def test_a_supported_benchmark_takes_from_the_next_supported_one_of_the_order():
    orders = np.array([[0, 1, 2, 3, 4], [4, 2, 0, 3, 1], [1, 0, 3, 4, 2]])
    # In the second order 4 takes from 1, 1 from 2, and 2 from 0, which is not among them, so from
    # where 0 takes: from 4.
    expected = [[0, 1, 2], [1, 2, 0], [0, 2, 1]]
    assert evaluation._first_returns(orders, np.array([1, 2, 4])).tolist() == expected


def test_a_variable_that_says_nothing_has_no_effect():
    outcomes = np.arange(8.0)[:, None] ** 2
    covariates = np.arange(1.0, 9)[:, None]
    for test in ("student", "robust", "rank"):
        effect, z = evaluation.partial_effects(outcomes, 3 * covariates.T, covariates, test)
        assert (effect.item(), z.item()) == (0, 0)


def test_a_benchmark_that_is_fitted_in_any_case_says_nothing_of_the_error():
    """One benchmark against seven: its residual is 0 by construction, and HC3 would divide by 0."""
    outcome = np.arange(8.0)[:, None] ** 2
    effect, z = evaluation.partial_effects(outcome, np.eye(8)[:1], np.ones((8, 1)), "robust")
    rest = outcome[1:, 0]
    # The difference of one value and a mean; each of the others has leverage 1/7.
    error = (np.sum(((rest - rest.mean()) / (1 - 1 / 7)) ** 2) / 49) ** 0.5
    t = (0 - rest.mean()) / error
    assert effect.item() < 0
    assert p_value(z.item()) == pytest.approx(2 * stats.t.sf(abs(t), 6))


def test_orders_follow_from_the_generator():
    orders = evaluation.permuted_orders(60, 5, np.random.default_rng(1))
    by_hand = np.random.default_rng(1).permuted(np.tile(np.arange(60), (5, 1)), axis=1)
    np.testing.assert_array_equal(orders, [np.arange(60), *by_hand])


def test_a_design_that_cannot_be_estimated_is_named(multiverse_data, aged):
    design = aged("test_size", "log_n", "log_n", "student")
    table = pd.DataFrame([{**design._asdict(), **REFERENCE_OUTCOME._asdict()}])
    with pytest.raises(ValueError, match=r"grouping='log_n'.*cannot be estimated"):
        evaluation.evaluate(multiverse_data, table, np.arange(60)[None])
