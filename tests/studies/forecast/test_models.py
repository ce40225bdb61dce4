"""Scales of growth, the model of records, plain forecasts, and several as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from saturation.discriminability import growth
from saturation.forecast import models
from saturation.forecast.models import EDGE, FORMS, LINKS, Evidence, History, Link
from studies.forecast import full


@pytest.mark.parametrize("link", LINKS)
@given(part=st.floats(EDGE, 1 - EDGE))
def test_shares_are_the_inverse_of_steps(link, part):
    share = part * link.ceiling
    assert link.shares(link.steps(share)) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_equal_steps_approach_the_ceiling_and_no_more(form):
    link = Link(form, 0.95)
    path = link.shares(link.steps(0.3) + np.arange(0, 40, 0.5))
    assert (np.diff(path) >= 0).all()
    assert path[-1] == pytest.approx(0.95, abs=1e-3)
    assert link.steps(0.97) == link.steps(1.0)


def test_the_forms_are_the_named_curves():
    steps = np.array([-1.0, 0.0, 2.0])
    assert Link("logistic", 1.0).shares(steps) == pytest.approx(1 / (1 + np.exp(-steps)))
    assert Link("gompertz", 1.0).shares(steps) == pytest.approx(np.exp(-np.exp(-steps)))
    assert Link("exponential", 1.0).shares(steps) == pytest.approx(1 - np.exp(-steps))


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


def test_a_rise_of_a_question_in_five_hundred_counts_and_small_ones_add_up():
    for rise, count in ((0.0019, 0), (0.0021, 1)):
        found = models.evidence([history([-5, -1], [0.4, 0.4 + rise])], LINK, FOREVER)
        assert found.records[0] == pytest.approx(count)
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


def test_the_derivatives_are_those_of_the_density():
    found = Evidence(*np.array([[3.0, 0, 5], [9.0, 4, 30], [1.5, 0, 2.4], [-2.5, 0, -5.0]]))
    shared = np.log([1.7, 0.3, 2.5, 0.4, 1.3])
    gradient, bend = models.derivatives(shared, found)
    numerical = approx_fprime(shared, models.log_posterior, args=(found,), centered=True)
    assert gradient == pytest.approx(numerical, abs=1e-6)
    assert bend == pytest.approx(approx_hess(shared, models.log_posterior, args=(found,)), abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
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
    draws = models.predicted_shares(
        models.shared_posterior(found), found, np.full(6, best), Link("gompertz", 0.95),
        np.array([3.0, 24.0]), 50, np.random.default_rng(seed),
    )  # fmt: skip
    assert draws.shape == (6, 50, 2)
    assert (draws >= best).all()
    assert (draws <= max(best, 0.95)).all()
    assert (np.diff(draws, axis=2) >= 0).all()


HORIZONS = np.array([3.0, 12.0])
MONTHS = np.arange(-24.0, 1.0, 2.0)


def drawn(name, history, draws=4000):
    return models.forecast(name, [history], HORIZONS, draws, np.random.default_rng(0))[0]


def grown(slope=0.08, noise=0.0):
    places = slope * MONTHS + np.random.default_rng(1).normal(0, noise, len(MONTHS))
    return History(MONTHS, np.maximum.accumulate(LINK.shares(places)))


def test_it_stays_as_it_is_or_a_straight_line_of_logits_is_continued():
    assert (drawn("persistence", grown()) == 0.5).all()
    expected = LINK.shares(0.08 * HORIZONS)
    assert drawn("trend", grown()).mean(axis=0) == pytest.approx(expected, abs=1e-6)


def test_the_line_s_intervals_are_those_of_least_squares():
    past = grown(noise=0.3)
    places = LINK.steps(past.best)
    line = stats.linregress(MONTHS, places)
    middle = line.intercept + line.slope * HORIZONS
    residual = places - line.intercept - line.slope * MONTHS
    error = np.sqrt((residual**2).sum() / (len(MONTHS) - 2))
    off = HORIZONS - MONTHS.mean()
    leverage = 1 / len(MONTHS) + off**2 / ((MONTHS - MONTHS.mean()) ** 2).sum()
    upper = middle + stats.t.ppf(0.9, len(MONTHS) - 2) * error * np.sqrt(1 + leverage)
    found = np.quantile(drawn("trend", past, 60_000), 0.9, axis=0)
    assert LINK.steps(found) == pytest.approx(upper, abs=0.008)


def test_the_walk_spreads_by_its_steps_and_by_what_is_not_known_of_their_mean():
    places = np.array([0.0, 0.1, 0.5, 0.6, 0.6])
    past = History(np.arange(-4.0, 1.0), LINK.shares(places))
    # The steps of the four months: 0.1, 0.4, 0.1 and none in the last.
    error = np.sqrt(0.03) * np.sqrt(3.0 + 3.0**2 / 4)
    expected = 0.6 + 3 * 0.15 + error * stats.norm.ppf([0.5, 0.8, 0.95])
    found = np.quantile(drawn("drift", past, 60_000)[:, 0], [0.5, 0.8, 0.95])
    assert LINK.steps(found) == pytest.approx(expected, abs=0.015)
    one = History(np.array([-0.5, -0.2, 0.0]), np.array([0.2, 0.3, 0.4]))
    assert (drawn("drift", one) == 0.4).all()


def test_the_logistic_curve_is_the_discriminability_study_s():
    past = grown(0.2)
    fitted = growth.fit(MONTHS - MONTHS[0], past.best, growth.honest_bounds(past.best))
    expected = np.maximum(fitted.predict(HORIZONS + 24), 0.5)
    assert drawn("logistic", past)[0] == pytest.approx(expected, abs=1e-6)


def test_where_no_curve_fits_the_best_score_stays(monkeypatch):
    def fails(*_):
        raise RuntimeError

    models._fitted.cache_clear()
    monkeypatch.setattr(growth, "fit", fails)
    assert (drawn("logistic", grown(0.31)) == 0.5).all()


@pytest.mark.parametrize("name", models.BASELINES)
def test_no_baseline_falls(name):
    past = History(MONTHS, np.maximum.accumulate(np.linspace(0.9, 0.2, len(MONTHS))))
    found = drawn(name, past)
    assert found.shape == (4000, 2)
    assert (found >= 0.9).all()
    assert (np.diff(found, axis=1) >= 0).all()


def test_the_member_that_was_right_gets_the_weight_and_all_have_the_same_at_first():
    assert models.weights(np.empty((0, 4))) == pytest.approx([0.25] * 4)
    found = models.weights(np.tile([0.1, 3.0, 3.0], (200, 1)))
    assert found.sum() == pytest.approx(1)
    assert found[0] > 0.97


@pytest.mark.parametrize("weight", [[0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [1 / 3] * 3])
def test_the_mixture_has_its_shares_and_all_draws(weight):
    draws = np.broadcast_to(np.arange(3.0)[:, None, None, None], (3, 2, 100, 4))
    found = models.mixed(draws, np.array(weight))
    counts = [(found[0, :, 0] == member).sum() for member in range(3)]
    assert counts == pytest.approx(np.array(weight) * 100, abs=1)
    assert counts == models.shares(np.array(weight), 100)
    assert sum(counts) == 100


def test_the_climatology_draws_rises_of_as_many_months_from_all():
    """Two benchmarks: one that rose by a logit a month, one that stayed."""
    logits = np.arange(-12.0, 1.0) / 4
    rising = history(np.arange(-12.0, 1.0), 1 / (1 + np.exp(-logits)))
    still = history([-12.0, -6.0, 0.0], [0.5, 0.5, 0.5])
    drawn = models.climatology(
        [rising, still], [still], np.array([2.0, 12.0]), 4000, np.random.default_rng(0)
    )
    found = np.log(drawn / (1 - drawn))[0]
    assert sorted(set(np.round(found[:, 0], 9))) == [0, 0.5]
    # Of each eleven stretches of two months, and one rise of nothing.
    assert (found[:, 0] > 0).mean() == pytest.approx(11 / 23, abs=0.03)
    assert sorted(set(np.round(found[:, 1], 9))) == [0, 3]
    # Of each one stretch of twelve months, and one rise of nothing: no nearer horizon adds to it.
    assert (found[:, 1] > 0).mean() == pytest.approx(1 / 3, abs=0.03)
