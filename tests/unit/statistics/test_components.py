"""Variance components against lme4, generalizit, arithmetic and known truth."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.errors import InputError
from saturation.statistics import components

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(GOLDEN / "components_data.csv")


@pytest.fixture(scope="module")
def values(table):
    return table["score"].to_numpy().reshape(4, 12, 3)


@pytest.fixture(scope="module")
def golden():
    read = pd.read_csv(GOLDEN / "components.csv").set_index(["design", "term"])
    return read["variance"]


@pytest.mark.parametrize("design", ["crossed", "generalizit_crossed"])
def test_balanced_components_are_those_of_lme4_and_generalizit(values, golden, design):
    found = components.balanced(values)
    expected = golden[design].to_dict()
    assert found["variance"].to_dict() == pytest.approx(expected, abs=1e-6)
    assert found["degrees"].sum() == values.size - 1


def test_components_of_all_pairs_are_twice_those_of_the_table(values):
    found = components.decompose(components.estimate_from_runs(list(values)))
    table = components.balanced(values)
    # Runs of a model are its own: their terms are pooled with those of the models.
    squares = table["mean_square"] * table["degrees"]
    answers, runs = (
        squares[list(terms)].sum() / table["degrees"][list(terms)].sum()
        for terms in (("item:run", "model:item:run"), ("run", "model:run"))
    )
    items = (table["mean_square"]["model:item"] - answers) / 3
    assert (found.items, found.answers, found.runs) == pytest.approx(
        (2 * items, 2 * answers, 2 * (runs - answers) / 12)
    )


def test_shares_are_runs_of_which_nothing_is_shared():
    runs = (np.random.default_rng(2).random((2, 40, 3)) < 0.6).astype(float)
    shares = components.estimate_from_shares(runs.mean(axis=2).T, [3, 3])
    np.testing.assert_allclose(shares.spread, components.estimate_from_runs(list(runs)).spread)
    assert components.decompose(shares).runs == 0


def test_one_answer_varies_by_items_and_answers_together():
    """Over all single answers of three, the variance of the gap is the sum of the components."""
    runs = np.array([[[1, 1, 0], [0, 0, 1], [1, 1, 1]], [[0, 1, 0], [0, 0, 0], [1, 0, 1]]], float)
    found = components.decompose(components.estimate_from_shares(runs.mean(axis=2).T, [3, 3]))
    singles = [
        np.var([runs[0, i, a[i]] - runs[1, i, b[i]] for i in range(3)], ddof=1)
        for a in itertools.product(range(3), repeat=3)
        for b in itertools.product(range(3), repeat=3)
    ]
    assert found.items + found.answers == pytest.approx(np.mean(singles))
    assert found.variance(3, 1) == pytest.approx((max(found.items, 0) + found.answers) / 3)


@pytest.mark.parametrize("models", [2, 3])
def test_leaving_an_item_out_is_what_it_says(models):
    rng = np.random.default_rng(3)
    shares = rng.binomial(4, 0.5, (12, models)) / 4
    found = components.decompose(components.estimate_from_shares(shares, [4] * models))
    for item, row in enumerate(found.without):
        part = components.estimate_from_shares(np.delete(shares, item, 0), [4] * models)
        without = components.decompose(part)
        assert row == pytest.approx((without.items, without.answers))


def test_more_runs_and_items_make_the_error_smaller_and_infinitely_many_runs_leave_the_items():
    shares = np.random.default_rng(5).binomial(3, np.linspace(0.1, 0.9, 60)[:, None], (60, 2)) / 3
    shares[:20, 0] = 1
    found = components.decompose(components.estimate_from_shares(shares, [3, 3]))
    errors = [found.error(m).value for m in (1, 2, 10, np.inf)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(np.sqrt(found.items / 60))
    assert found.error(2, n_items=240).value == pytest.approx(found.error(2).value / 2)
    narrow, wide = found.error(level=0.5), found.error(level=0.99)
    assert wide.lower < narrow.lower < narrow.value < narrow.upper < wide.upper


def test_the_interval_is_a_chi_square_s_with_the_jackknife_s_degrees():
    rng = np.random.default_rng(6)
    gap = rng.normal(0, 1, 300)
    runs = [np.column_stack([gap, gap]), np.zeros((300, 2))]
    error = components.decompose(components.estimate_from_runs(runs)).error(level=0.9)
    logs = np.log([np.delete(gap, i).var(ddof=1) for i in range(300)])
    spread = np.sqrt(299**2 / 300 * logs.var(ddof=1))
    degrees = 2 / spread**2
    ends = np.sqrt(degrees / stats.chi2.ppf([0.95, 0.05], degrees))
    assert [error.lower, error.upper] == pytest.approx(error.value * ends, rel=0.01)


def test_few_whole_runs_make_a_wide_interval():
    """Only runs vary: the variance of their means has a chi-square error."""
    runs = [np.tile([0.1, 0.5, 0.3], (40, 1)), np.tile([0.2, 0.2, 0.3, 0.5], (40, 1))]
    found = components.decompose(components.estimate_from_runs(runs))
    first, second = (np.var(table[0], ddof=1) for table in runs)
    assert found.runs == pytest.approx(first + second)
    assert found.run_error == pytest.approx(2 * first**2 / 2 + 2 * second**2 / 3)
    degrees = 2 * found.runs**2 / found.run_error
    upper = found.error(5).value * np.sqrt(degrees / stats.chi2.ppf(0.025, degrees))
    assert found.error(5).upper == pytest.approx(upper)
    # Of three models each is in two of three pairs.
    three = components.decompose(components.estimate_from_runs([*runs, runs[1]]))
    errors = 2 * first**2 / 2 + 2 * 2 * second**2 / 3
    assert three.run_error == pytest.approx((2 / 3) ** 2 * errors)


def test_infinitely_many_runs_have_limits_of_the_gaps_less_those_of_answers():
    """Burdick and Graybill's limits, each part's from its values without each item."""
    gap = np.random.default_rng(8).normal(0, 1, (60, 3))
    runs = [gap + np.random.default_rng(9).normal(0, 2, (60, 3)), np.zeros((60, 3))]
    error = components.decompose(components.estimate_from_runs(runs)).error(np.inf)
    means = runs[0].mean(axis=1)
    # The residual's mean square: a run moves no gap of items.
    within = runs[0] - runs[0].mean(axis=0)
    noise = ((within - within.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) / 2 / 3
    total, answers = means.var(ddof=1), noise.sum() / 59
    without = [np.delete(means, item).var(ddof=1) for item in range(60)]
    degrees = 2 / (59 / 60 * 60 * max(np.var(without) / total**2, np.var(np.log(without))))
    ends = total * degrees / stats.chi2.ppf([0.975, 0.025], degrees)
    reach = stats.t.ppf(0.975, 59) * stats.sem(runs[0].var(axis=1, ddof=1) / 3)
    below, above = np.hypot(total - ends, reach)
    limits = [max(total - answers - below, 0), total - answers + above]
    assert [60 * error.lower**2, 60 * error.upper**2] == pytest.approx(limits, rel=0.01)


def test_infinitely_many_runs_have_no_limits_with_fewer_than_fifty_items():
    rng = np.random.default_rng(3)
    runs = [rng.normal(size=(50, 3)), rng.normal(size=(50, 3))]
    fewer = [table[1:] for table in runs]
    errors = [
        components.decompose(components.estimate_from_runs(t)).error(np.inf) for t in (runs, fewer)
    ]
    assert np.isfinite(errors[0].upper)
    assert np.isnan([errors[1].lower, errors[1].upper]).all()


def test_an_uncertain_variance_has_no_limits_and_none_is_infinite():
    """One item of 30 makes all of the spread: the logarithm's limits would overflow."""
    without = np.column_stack([np.r_[np.full(29, 1.0), -0.9999], np.full(30, 0.0001)])
    error = components.Components(1.0, 0.0001, 0.0, without).error(3)
    assert np.isnan([error.lower, error.upper]).all()
    assert error.value > 0


def test_a_runs_part_below_zero_counts_as_none():
    parts = components.Components(1, 8, -0.5, np.zeros((10, 2)))
    assert parts.variance(4, 2) == pytest.approx((1 + 8 / 2) / 4)
    assert known(1, 8, 0.5).variance(4, 2) == pytest.approx((1 + 8 / 2) / 4 + 0.25)


def test_without_an_items_part_infinitely_many_runs_have_no_interval():
    same = components.decompose(components.estimate_from_shares(np.ones((5, 2)), [3, 3]))
    shares = np.tile([[1 / 3, 2 / 3], [2 / 3, 1 / 3], [0, 1 / 3]], (10, 1))
    below = components.decompose(components.estimate_from_shares(shares, [3, 3]))
    assert below.items < 0 < below.error().lower
    for error in (same.error(), below.error(np.inf)):
        assert error.value == 0
        assert np.isnan(error.upper)


def test_a_plan_takes_the_items_part_one_standard_error_larger():
    without = np.column_stack([np.linspace(0, 0.2, 10), np.full(10, 8.0)])
    found = components.Components(0.0, 8.0, 0.0, without)
    error = np.sqrt(0.9 * 9 * np.var(without[:, 0], ddof=1))
    sure = components.Components(error, 8.0, 0.0, np.zeros((10, 2)))
    assert found.plan(500, 200, item_cost=9)[:2] == sure.plan(500, 200, item_cost=9)[:2]
    assert found.plan(500, 200, item_cost=9).error < sure.plan(500, 200, item_cost=9).error


def known(items, answers, runs):
    return components.Components(items, answers, runs, np.zeros((10, 2)))


def test_a_plan_asks_every_item_before_it_asks_any_twice():
    assert known(1, 8, 0).plan(100, 500)[:2] == (100, 1)
    assert known(1, 8, 0).plan(100, 50)[:2] == (50, 2)
    assert known(0, 0, 0).plan(100, 30)[:2] == (30, 3)


@pytest.mark.parametrize(("runs", "cost"), [(0.5, 0.0), (0.0, 9.0), (0.2, 3.0)])
def test_a_plan_is_the_best_of_all_that_the_budget_pays(runs, cost):
    parts = known(1, 8, runs)
    all_plans = [
        (parts.variance(n, m), -n, m)
        for n in range(2, 61)
        for m in range(1, 200)
        if n * (m + cost) <= 200
    ]
    variance, items, times = min(all_plans)
    found = parts.plan(200, 60, item_cost=cost)
    assert (found.items, found.runs) == (-items, times)
    assert found.error == pytest.approx(np.sqrt(variance))
    assert times > 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: components.estimate_from_shares([[0.5, 1]], [2, 1]),
            "one answer to an item shows no",
        ),
        (
            lambda: components.estimate_from_runs([np.ones((4, 1))] * 2),
            "a model has fewer than two runs",
        ),
        (lambda: components.balanced(np.ones((2, 3))), r"its shape is \(2, 3\)"),
        (lambda: components.balanced(np.full((2, 2, 2), np.nan)), "two or more each and no gap"),
        (lambda: known(1, 1, 0).plan(1, 50), "allow at least 2"),
    ],
)
def test_what_cannot_be_decomposed_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call()
