"""The multiverse: its effects against textbook ones, its null, its chunks, its joint test."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from saturation.files.tables import read_table
from saturation.multiverse import joint as joint_tests
from saturation.multiverse import specifications
from saturation.plateau import inputs
from saturation.statistics import correlation

RESOURCES = Path(__file__).parents[3] / "resources" / "plateau"
CHOICES = {
    "k": [3, 5],
    "alpha": [0.0, 0.5],
    "error_model": ["independent", "smoothed"],
    "outcome": ["s_index", "z", "saturated"],
    "saturated_from": [0.7],
    "age": ["months_at_observation", "age_months"],
    "excluded": ["nothing", "any_flag"],
    "test": list(specifications.TESTS),
    "smallest_group": 3,
}
REFERENCE = specifications.REFERENCE_OUTCOME


@pytest.fixture(scope="module")
def data():
    tables = inputs.prepare(
        read_table(RESOURCES / "benchmarks.csv"),
        read_table(RESOURCES / "top_scores.csv"),
        score_scale="percent",
        observed_on="2025-11-01",
        at_least=5,
    )
    return specifications.Data(*tables, CHOICES)


def evaluated(data, design, outcome=REFERENCE, permutations=0):
    table = pd.DataFrame([{**vars(design), **vars(outcome)}])
    orders = specifications.permuted_orders(len(data), permutations, np.random.default_rng(1))
    effect, z = specifications.evaluate(data, table, orders)
    return effect[0], z[0]


def aged(conclusion, grouping, adjustment, test):
    return specifications.Design(
        conclusion, grouping, adjustment, "months_at_observation", "nothing", test
    )


def test_a_rank_specification_is_the_partial_spearman_correlation(data):
    design = aged("test_size", "n", "age", "rank")
    effect, z = evaluated(data, design)
    expected = correlation.partial_spearman(
        data.table["n_test"], data.outcome(REFERENCE), data.table["months_at_observation"]
    )
    assert effect[0] == pytest.approx(expected["estimate"])
    assert 2 * stats.norm.sf(abs(z[0])) == pytest.approx(expected["p_value"])


def test_robust_and_student_specifications_are_those_of_a_regression(data):
    index = data.outcome(REFERENCE)
    public = (data.table["availability"] == "public").astype(float)
    design = sm.add_constant(np.column_stack([public, data.table["months_at_observation"]]))
    for test, covariance in (("student", "nonrobust"), ("robust", "HC3")):
        fit = sm.OLS(index, design).fit(cov_type=covariance, use_t=True)
        _, z = evaluated(data, aged("h1", "primary", "age", test))
        assert 2 * stats.norm.sf(abs(z[0])) == pytest.approx(fit.pvalues[1], rel=1e-9)
        assert np.sign(z[0]) == np.sign(fit.params[1])


@pytest.mark.parametrize("test", specifications.TESTS)
def test_permuted_draws_are_the_same_analysis_of_permuted_residuals(data, test):
    """The shortcut through permuted vectors against the definition, one permutation."""
    design = aged("age", "months", "log_n", test if test != "permutation" else "student")
    orders = specifications.permuted_orders(len(data), 1, np.random.default_rng(3))
    rows, variable, covariates = data.variables(design)
    outcome = data.outcome(REFERENCE)[rows]
    outcome = stats.rankdata(outcome) if test == "rank" else outcome
    reduced = sm.OLS(outcome, covariates).fit()
    permuted = reduced.fittedvalues + reduced.resid[orders[1]]
    full = sm.OLS(permuted, np.column_stack([covariates, variable]))
    fit = full.fit(cov_type="HC3" if test == "robust" else "nonrobust", use_t=True)
    table = pd.DataFrame([{**vars(design), **vars(REFERENCE)}])
    _, z = specifications.evaluate(data, table, orders)
    assert 2 * stats.norm.sf(abs(z[0, 1])) == pytest.approx(fit.pvalues[-1], rel=1e-9)


def test_the_permutation_p_value_counts_the_observed_effect(data):
    effect, z = evaluated(data, aged("age", "months", "none", "permutation"), permutations=199)
    share = np.mean(np.abs(effect) >= abs(effect[0]) - 1e-10)
    assert 2 * stats.norm.sf(abs(z[0])) == pytest.approx(share)


def test_error_models_agree_where_they_should():
    s, n = np.array([0.5]), np.array([400.0])
    independent = specifications.difference_error(s, s, n, 1.0, "independent")
    for model in ("pooled", "conservative"):
        assert specifications.difference_error(s, s, n, 1.0, model) == pytest.approx(independent)
    one = np.array([1.0])
    assert specifications.difference_error(one, one, n, 1.0, "independent") == 0
    assert specifications.difference_error(one, one, n, 1.0, "smoothed") > 0
    with pytest.raises(ValueError, match="error model 'none'"):
        specifications.difference_error(s, s, n, 1.0, "none")


@pytest.mark.parametrize(
    "conclusion", specifications.CONCLUSIONS.values(), ids=lambda one: one.name
)
def test_specifications_are_distinct_and_hold_the_reference(data, conclusion):
    rng = np.random.default_rng(1)
    drawn = specifications.specifications(data, conclusion, CHOICES, 30, rng)
    keys = [*specifications.DESIGN_COLUMNS, *specifications.OUTCOME_COLUMNS]
    assert len(drawn) == 30
    assert not drawn.duplicated(keys).any()
    assert drawn["reference"].sum() == 1
    everything = specifications.specifications(data, conclusion, CHOICES, 10**6, rng)
    assert len(everything) == drawn["possible"].iloc[0]
    # Two specifications with the same numbers would count one analysis twice.
    effect, z = specifications.evaluate(data, drawn, np.arange(len(data))[None])
    assert np.isfinite(effect).all()
    assert np.isfinite(z).all()


def test_a_group_that_is_too_small_is_not_analysed(data):
    # Two of the six templated benchmarks carry no flag.
    templated = specifications.Design("h6", "primary", "none", "not_used", "any_flag", "student")
    rows = ~data.table["flags"].fillna("").astype(bool) & data.table["templated"]
    assert (data.variables(templated) is None) == (rows.sum() < 3)


@settings(max_examples=20, deadline=None)
@given(chunks=st.integers(1, 12))
def test_chunks_partition_the_specifications_without_splitting_a_design(chunks):
    designs = np.repeat(np.arange(7), [1, 5, 2, 9, 1, 1, 3])
    table = pd.DataFrame(
        {name: designs if name == "grouping" else 0 for name in specifications.DESIGN_COLUMNS}
    )
    chunk = specifications.chunk_of(table, chunks)
    assert chunk.min() >= 0
    assert chunk.max() < chunks
    assert (np.diff(chunk) >= 0).all()
    assert len(set(zip(designs, chunk))) == len(set(designs))


def joint(effect_size, seed):
    """Joint test of ten specifications that share noise, around a true effect."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=200)
    null = (shared + 0.3 * rng.normal(size=(10, 200))) / 10
    observed = effect_size / 10 + null[:, 0]
    table = pd.DataFrame({"conclusion": "age", "effect": observed, "z": 10 * observed})
    table["possible"] = 10
    return joint_tests.joint_test(table, null[:, 1:], 10 * null[:, 1:], 0.05)


def test_the_joint_test_finds_an_effect_and_keeps_its_level():
    assert joint(6, 0)["p_median"] <= 0.01
    assert joint(6, 0)["agreement"] == 1
    p_values = [joint(0, seed)["p_median"] for seed in range(200)]
    assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.1


def test_agreement_follows_what_the_paper_states():
    effect, z = np.array([0.3, 0.3, -0.3]), np.array([3.0, 1.0, -3.0])
    expected = {
        "none": [False, True, False],
        "higher": [True, True, False],
        "positive": [True, False, False],
        "negative": [False, False, True],
    }
    for statement, agreed in expected.items():
        assert joint_tests.agrees(effect, z, statement, 0.05).tolist() == agreed
