"""Bootstrap intervals: what they reduce to, where they abstain, and how often they cover."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from saturation.statistics import correlation, resampling

NOTHING = np.empty((20, 0))


def grouped(seed=0, n=20, first=8):
    rng = np.random.default_rng(seed)
    member = (np.arange(n) < first) * 1.0
    age = rng.uniform(1, 60, n)
    return member, age, 0.3 * member + 0.01 * age + rng.normal(0, 0.2, n)


def test_a_resample_is_fitted_as_its_units_written_out():
    member, age, outcome = grouped(1)
    counts = resampling.resampled(member, 5, np.random.default_rng(2))
    assert (counts[:, member == 1].sum(axis=1) == 8).all()
    assert (counts.sum(axis=1) == 20).all()
    design = np.column_stack([member, np.ones(20), age])
    slopes, errors = resampling._weighted_slopes(design, outcome[:, None], counts)
    for row, slope, error in zip(counts.astype(int), slopes[:, 0], errors[:, 0]):
        again = np.repeat(np.arange(20), row)
        fit = sm.OLS(outcome[again], design[again]).fit()
        assert slope == pytest.approx(fit.params[0])
        assert error == pytest.approx(fit.get_robustcov_results("HC2").bse[0])


def test_a_resample_of_too_few_units_has_no_error_and_leaves_the_others_theirs():
    member, age, outcome = grouped(1)
    design = np.column_stack([member, np.ones(20), age])
    few = np.zeros(20)
    few[[0, 15]] = 10  # one of each group: age is not told apart from membership
    slopes, errors = resampling._weighted_slopes(
        design, outcome[:, None], np.array([np.ones(20), few])
    )
    alone = resampling._weighted_slopes(design, outcome[:, None], np.ones((1, 20)))
    assert (slopes[0, 0], errors[0, 0]) == pytest.approx((alone[0].item(), alone[1].item()))
    assert np.isnan(errors[1, 0])


def test_the_interval_holds_the_slope_and_grows_with_the_level():
    member, age, outcome = grouped(4)
    values = np.column_stack([outcome, -outcome])
    rng = np.random.default_rng(5)
    slope, lower, upper = resampling.slopes(values, member, age[:, None], rng)
    assert slope[1] == pytest.approx(-slope[0])
    assert (lower < slope).all()
    assert (slope < upper).all()
    rng = np.random.default_rng(5)
    _, inner_lower, inner_upper = resampling.slopes(values, member, age[:, None], rng, level=0.5)
    assert (lower < inner_lower).all()
    assert (inner_upper < upper).all()


def test_its_ends_are_near_student_s_for_normal_values():
    rng = np.random.default_rng(6)
    member = (np.arange(200) < 100) * 1.0
    outcome = rng.normal(size=200) + member
    _, lower, upper = resampling.slopes(outcome[:, None], member, np.empty((200, 0)), rng)
    found = stats.ttest_ind(outcome[:100], outcome[100:]).confidence_interval()
    assert [lower[0], upper[0]] == pytest.approx([found.low, found.high], abs=0.05)


@pytest.mark.parametrize(
    ("tested", "covariates"),
    [(np.ones(20), NOTHING), (np.arange(20.0), np.arange(20.0)[:, None] * 2)],
)
def test_without_a_slope_there_is_nothing(tested, covariates):
    rng = np.random.default_rng(0)
    found = resampling.slopes(np.arange(20.0)[:, None], tested, covariates, rng, 50)
    assert np.isnan(found).all()


def test_a_group_of_one_and_an_outcome_that_hardly_varies_have_no_interval():
    rng = np.random.default_rng(7)
    alone = (np.arange(20) == 0) * 1.0
    slope, lower, upper = resampling.slopes(rng.normal(size=(20, 1)), alone, NOTHING, rng)
    assert np.isfinite(slope).all()
    assert np.isnan([lower, upper]).all()
    # One benchmark of the second group differs: a third of the resamples do not draw it.
    member, outcome = (np.arange(20) < 8) * 1.0, (np.arange(20) == 19) * 1.0
    slope, lower, upper = resampling.slopes(outcome[:, None], member, NOTHING, rng)
    assert slope[0] == pytest.approx(-1 / 12)
    assert np.isnan([lower, upper]).all()


def test_ranks_of_a_resample_are_those_of_its_units_written_out():
    rng = np.random.default_rng(8)
    values = rng.integers(0, 6, 15).astype(float)
    counts = rng.multinomial(15, np.full(15, 1 / 15), 4).astype(float)
    ranks = resampling._ranker(values)(counts)
    for row, found in zip(counts.astype(int), ranks):
        again = np.repeat(np.arange(15), row)
        assert found[again] == pytest.approx(stats.rankdata(values[again]))


@pytest.mark.parametrize("covariates", [0, 1])
def test_rank_correlations_of_resamples_are_the_statistics_module_s(covariates, monkeypatch):
    rng = np.random.default_rng(9)
    x, z = rng.normal(size=(2, 25))
    y = x + z + rng.normal(size=25)
    seen = []
    monkeypatch.setattr(
        resampling, "_quantiles", lambda drawn, level: seen.append(drawn) or np.zeros((2, 1))
    )
    given = z[:, None][:, :covariates]
    resampling.rank_correlations(y[:, None], x, given, np.random.default_rng(1), 6)
    counts = np.random.default_rng(1).multinomial(25, np.full(25, 1 / 25), 6)
    for row, found in zip(counts, seen[0][:, 0]):
        again = np.repeat(np.arange(25), row)
        expected = correlation.partial_spearman(x[again], y[again], *given[again].T)
        assert found == pytest.approx(expected["estimate"])


def test_rank_correlations_that_are_not_defined_have_no_interval():
    rng = np.random.default_rng(10)
    outcomes = np.column_stack([np.ones(20), np.arange(20.0)])
    lower, upper = resampling.rank_correlations(outcomes, np.arange(20.0), NOTHING, rng, 100)
    assert np.isnan([lower[0], upper[0]]).all()
    assert (lower[1], upper[1]) == pytest.approx((1, 1))
