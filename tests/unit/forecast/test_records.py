"""The model of records and steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from saturation.forecast import full, models
from saturation.forecast.models import Evidence, History, Link

LINK = Link("logistic", 1.0)
FOREVER = 1e9


def history(months, best):
    return History(np.array(months, float), np.array(best, float))


def test_evidence_counts_records_months_and_steps():
    one = history([-10, -8, -5, -1], [0.2, 0.4, 0.4, 0.5])
    found = models.evidence([one], LINK, FOREVER)
    steps = np.diff(LINK.steps([0.2, 0.4, 0.5]))
    assert found.records[0] == pytest.approx(2)
    assert found.months[0] == pytest.approx(10)
    assert found.rise[0] == pytest.approx(steps.sum())
    assert found.log_rise[0] == pytest.approx(np.log(steps).sum())


def test_what_lies_a_half_life_back_counts_half():
    one = history([-24, -12], [0.2, 0.4])
    found = models.evidence([one], LINK, 12)
    assert found.records[0] == pytest.approx(0.5)
    watched = integrate.quad(lambda ago: 0.5 ** (ago / 12), 0, 24)[0]
    assert found.months[0] == pytest.approx(watched)


@pytest.mark.parametrize(("rise", "count"), [(0.0019, 0), (0.0021, 1)])
def test_a_rise_of_a_question_in_five_hundred_counts(rise, count):
    found = models.evidence([history([-5, -1], [0.4, 0.4 + rise])], LINK, FOREVER)
    assert found.records[0] == pytest.approx(count)


def test_small_rises_add_up_to_one():
    found = models.evidence([history([-5, -3, -1], [0.4, 0.4015, 0.403])], LINK, FOREVER)
    assert found.records[0] == pytest.approx(1)
    assert found.rise[0] == pytest.approx(float(LINK.steps(0.403) - LINK.steps(0.4)))


def test_the_density_is_that_of_a_negative_binomial_and_gamma_steps():
    shared = np.log([1.7, 0.3, 2.5, 0.4, 1.3])
    a, rate, b, step, shape = np.exp(shared)
    steps = np.array([0.2, 0.7, 0.1])
    found = Evidence(*(np.array([value]) for value in (3.0, 8.0, steps.sum(), np.log(steps).sum())))
    # Rates and steepness integrated numerically instead.
    seen_count = integrate.quad(
        lambda often: stats.poisson.pmf(3, often * 8) * stats.gamma.pdf(often, a, scale=rate / a),
        0, np.inf,
    )[0]  # fmt: skip
    seen_steps = integrate.quad(
        lambda steep: (
            stats.gamma.pdf(steps, shape, scale=1 / steep).prod()
            * stats.gamma.pdf(steep, b, scale=shape / (b * step))
        ),
        0, np.inf,
    )[0]  # fmt: skip
    prior = -0.5 * (((shared - models.PRIOR_MEAN) / models.PRIOR_SD) ** 2).sum()
    # The density leaves out the Poisson's 8^3 / 3!, which does not depend on the shared numbers.
    expected = np.log(seen_count * 6 / 8**3) + np.log(seen_steps) + prior
    assert models.log_posterior(shared, found) == pytest.approx(expected, abs=1e-6)


def simulated(rng, count=400, months=36.0):
    often = rng.gamma(2.0, 0.3 / 2.0, count)
    steep = rng.gamma(4.0, 1 / 0.8, count)
    number = rng.poisson(often * months)
    steps = [rng.gamma(1.2, 1 / one, n) for one, n in zip(steep, number, strict=True)]
    return Evidence(
        number.astype(float),
        np.full(count, months),
        np.array([one.sum() for one in steps]),
        np.array([np.log(one).sum() for one in steps]),
    )


def test_the_shared_numbers_are_recovered():
    found = simulated(np.random.default_rng(3))
    mode, covariance = models.shared_posterior(found)
    # Mean step: kappa / rho at the mean rho, which is b times its scale.
    truth = np.log([2.0, 0.3, 4.0, 1.2 / 5.0, 1.2])
    assert (np.abs(mode - truth) < 3 * np.sqrt(np.diag(covariance))).all()
    assert np.sqrt(np.diag(covariance)).max() < 0.3


def test_the_derivatives_are_those_of_the_density():
    found = Evidence(*np.array([[3.0, 0, 5], [9.0, 4, 30], [1.5, 0, 2.4], [-2.5, 0, -5.0]]))
    shared = np.log([1.7, 0.3, 2.5, 0.4, 1.3])
    gradient, bend = models.derivatives(shared, found)
    numerical = approx_fprime(shared, models.log_posterior, args=(found,), centered=True)
    assert gradient == pytest.approx(numerical, abs=1e-6)
    assert bend == pytest.approx(approx_hess(shared, models.log_posterior, args=(found,)), abs=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_the_mode_is_where_the_gradient_vanishes_and_the_density_is_highest(seed):
    rng = np.random.default_rng(seed)
    truth, found = full.simulated(rng)
    mode, covariance = models.shared_posterior(found)
    assert np.abs(models.derivatives(mode, found)[0]).max() < 1e-9
    assert np.linalg.eigvalsh(covariance).min() > 0
    top = models.log_posterior(mode, found)
    near = rng.multivariate_normal(mode, covariance, 50)
    assert all(models.log_posterior(other, found) <= top for other in [truth, *near])


def test_without_evidence_the_prior_stays():
    mode, covariance = models.shared_posterior(Evidence(*np.zeros((4, 6))))
    assert mode == pytest.approx(models.PRIOR_MEAN)
    assert covariance == pytest.approx(np.diag(models.PRIOR_SD**2))


def test_no_benchmarks_have_no_evidence():
    assert all(part.shape == (0,) for part in models.evidence([], LINK, 12))


def test_evidence_of_several_is_that_of_each():
    rng = np.random.default_rng(5)
    each = [
        history(np.sort(-rng.uniform(0, 40, size)), np.sort(rng.uniform(0, 1, size)))
        for size in (3, 30, 5)
    ] + [history([-5, -2, -1], [0.4, 0.4, 0.4])]
    together = models.evidence(each, LINK, 12)
    alone = [models.evidence([one], LINK, 12) for one in each]
    assert np.array(together) == pytest.approx(np.concatenate(alone, axis=1))


def test_draws_have_the_moments_of_the_model():
    shared = np.tile(np.log([2.0, 0.5, 6.0, 0.3, 1.5]), (40_000, 1))
    nothing = Evidence(*(np.zeros(1) for _ in range(4)))
    horizons = np.array([6.0, 12.0])
    paths = models.rises(shared, nothing, horizons, np.random.default_rng(0))[0]
    # E[N] = rate * h; E[1/rho] = scale / (b - 1) of an inverse gamma.
    expected = 0.5 * horizons * 1.5 * (6.0 * 0.3 / 1.5) / 5.0
    assert paths.mean(axis=0) == pytest.approx(expected, rel=0.03)
    never = (1 + 0.5 * horizons / 2.0) ** -2.0
    assert (paths == 0).mean(axis=0) == pytest.approx(never, abs=0.01)
    assert (np.diff(paths, axis=1) >= 0).all()


@given(st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_a_forecast_never_falls_nor_leaves_the_range(best, seed):
    found = Evidence(*(np.array(value) for value in ([2.0] * 6, [9.0] * 6, [1.0] * 6, [-2.0] * 6)))
    draws = models.records_forecast(
        models.shared_posterior(found), found, np.full(6, best), Link("gompertz", 0.95),
        np.array([3.0, 24.0]), 50, np.random.default_rng(seed),
    )  # fmt: skip
    assert draws.shape == (6, 50, 2)
    assert (draws >= best).all()
    assert (draws <= max(best, 0.95)).all()
    assert (np.diff(draws, axis=2) >= 0).all()
