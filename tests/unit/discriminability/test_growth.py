import numpy as np
import pytest

from saturation.discriminability import growth

MONTHS = np.arange(14.0)


def test_fit_recovers_a_known_curve():
    scores = growth.logistic(MONTHS, 0.88, 0.5, 2)
    fit = growth.fit(MONTHS, scores, growth.honest_bounds(scores))
    assert (fit.ceiling, fit.rate, fit.midpoint) == pytest.approx((0.88, 0.5, 2), abs=1e-3)
    assert fit.r_squared == pytest.approx(1)
    assert fit.at_bound == ()
    assert fit.predict(fit.t90) == pytest.approx(0.9 * fit.ceiling)


def test_the_papers_bounds_allow_a_ceiling_below_the_maximum():
    scores = np.array([0.5, 0.6, 0.7, 0.7, 0.7, 0.7, 0.7, 0.75])
    months = np.arange(8.0)
    paper = growth.fit(months, scores, growth.paper_bounds(scores))
    assert paper.ceiling == pytest.approx(0.74, abs=1e-4)
    assert paper.at_bound == ("ceiling",)
    assert growth.fit(months, scores, growth.honest_bounds(scores)).ceiling >= 0.75


def test_a_midpoint_outside_the_months_is_moved_to_the_bound():
    scores = growth.logistic(MONTHS, 0.9, 0.4, -5)
    bounds = growth.paper_bounds_midpoint_observed(scores, MONTHS[-1])
    assert "midpoint" in growth.fit(MONTHS, scores, bounds).at_bound


def test_profile_interval_holds_the_truth_and_narrows_with_the_plateau_seen():
    rng = np.random.default_rng(1)
    noisy = np.maximum.accumulate(growth.logistic(MONTHS, 0.8, 0.8, 3) + rng.normal(0, 0.004, 14))

    def interval(end):
        months, scores = MONTHS[:end], noisy[:end]
        bounds = growth.honest_bounds(scores)
        return growth.profile_interval(
            months, scores, growth.fit(months, scores, bounds), bounds, 0.95
        )

    whole, early = interval(14), interval(6)
    assert whole[0] <= 0.81
    assert whole[1] - whole[0] < 0.05 < early[1] - early[0]
