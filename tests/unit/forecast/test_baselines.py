"""Plain forecasts of a best score."""

import numpy as np
import pytest
from scipy import stats

from saturation.discriminability import growth
from saturation.forecast import models
from saturation.forecast.models import History, Link

LINK = Link("logistic", 1.0)
HORIZONS = np.array([3.0, 12.0])
MONTHS = np.arange(-24.0, 1.0, 2.0)


def drawn(name, history, draws=4000):
    return models.forecast(name, [history], HORIZONS, draws, np.random.default_rng(0))[0]


def grown(slope=0.08, noise=0.0):
    places = slope * MONTHS + np.random.default_rng(1).normal(0, noise, len(MONTHS))
    return History(MONTHS, np.maximum.accumulate(LINK.shares(places)))


def test_it_stays_as_it_is():
    assert (drawn("persistence", grown()) == 0.5).all()


def test_a_straight_line_of_logits_is_continued():
    found = drawn("trend", grown())
    expected = LINK.shares(0.08 * HORIZONS)
    assert found.mean(axis=0) == pytest.approx(expected, abs=1e-6)


def test_the_line_s_intervals_are_those_of_least_squares():
    past = grown(noise=0.3)
    places = LINK.steps(past.best)
    line = stats.linregress(MONTHS, places)
    middle = line.intercept + line.slope * HORIZONS
    residual = places - line.intercept - line.slope * MONTHS
    error = np.sqrt((residual**2).sum() / (len(MONTHS) - 2))
    leverage = (
        1 / len(MONTHS) + (HORIZONS - MONTHS.mean()) ** 2 / ((MONTHS - MONTHS.mean()) ** 2).sum()
    )
    upper = middle + stats.t.ppf(0.9, len(MONTHS) - 2) * error * np.sqrt(1 + leverage)
    found = np.quantile(drawn("trend", past, 60_000), 0.9, axis=0)
    assert LINK.steps(found) == pytest.approx(upper, abs=0.008)


def test_the_walk_drifts_by_its_mean_step():
    past = grown(noise=0.05)
    found = np.median(drawn("drift", past, 20_000), axis=0)
    slope = (LINK.steps(past.best[-1]) - LINK.steps(past.best[0])) / 24
    assert LINK.steps(found) == pytest.approx(
        LINK.steps(past.best[-1]) + slope * HORIZONS, abs=0.02
    )


def test_the_walk_spreads_by_its_steps_and_by_what_is_not_known_of_their_mean():
    places = np.array([0.0, 0.1, 0.5, 0.6, 0.6])
    past = History(np.arange(-4.0, 1.0), LINK.shares(places))
    # The steps of the four months: 0.1, 0.4, 0.1 and none in the last.
    error = np.sqrt(0.03) * np.sqrt(3.0 + 3.0**2 / 4)
    expected = 0.6 + 3 * 0.15 + error * stats.norm.ppf([0.5, 0.8, 0.95])
    found = np.quantile(drawn("drift", past, 60_000)[:, 0], [0.5, 0.8, 0.95])
    assert LINK.steps(found) == pytest.approx(expected, abs=0.015)


def test_a_rise_shortly_before_the_origin_belongs_to_the_drift():
    places = np.array([0.0, 0.0, 0.6])
    past = History(np.array([-2.3, -0.8, -0.1]), LINK.shares(places))
    # Whole months back from the origin: at -2, -1 and 0.
    found = np.median(drawn("drift", past, 20_000), axis=0)
    assert LINK.steps(found) == pytest.approx(0.6 + 0.3 * HORIZONS, abs=0.1)


def test_a_walk_of_one_step_has_no_spread():
    past = History(np.array([-0.5, -0.2, 0.0]), np.array([0.2, 0.3, 0.4]))
    assert (drawn("drift", past) == 0.4).all()


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
