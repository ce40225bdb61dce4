from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth

MONTHS = np.arange(14.0)
GOLDEN = Path(__file__).parents[2] / "golden"
# The series of golden/growth.R, which holds what R's nls makes of them.
SERIES = {
    "plateau": (
        np.arange(12.0),
        [0.31, 0.42, 0.50, 0.61, 0.67, 0.72, 0.755, 0.765, 0.79, 0.786, 0.801, 0.798],
    ),
    "gaps": ([0, 1, 3, 4, 7, 8, 12], [0.22, 0.29, 0.46, 0.52, 0.64, 0.655, 0.70]),
}
WIDE = growth.Bounds((0.6, 0.01, -np.inf), (1.0, 10.0, np.inf))


@pytest.fixture(scope="module")
def golden():
    table = pd.read_csv(GOLDEN / "growth.csv")
    return table.set_index(["series", "quantity"])["value"]


@pytest.mark.parametrize("name", SERIES)
def test_estimates_are_those_of_nls(golden, name):
    fit = growth.fit(*SERIES[name], WIDE)
    for quantity in ("ceiling", "rate", "midpoint", "r_squared", "t90"):
        assert getattr(fit, quantity) == pytest.approx(golden[name, quantity], abs=1e-6)
    assert fit.at_bound == ()


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("name", SERIES)
def test_the_interval_is_the_profile_interval_of_nls_within_the_bounds(golden, name, level):
    ends = {"plateau": (0.77, 0.85), "gaps": (0.66, 0.74)}[name]
    bounds = growth.Bounds((ends[0], 0.01, -np.inf), (ends[1], 10.0, np.inf))
    fit = growth.fit(*SERIES[name], bounds)
    expected = [golden[name, f"{end}_{level:g}"] for end in ("lower", "upper")]
    assert growth.profile_interval(*SERIES[name], fit, bounds, level) == pytest.approx(
        np.clip(expected, *ends), abs=2e-5
    )


def test_the_curve_by_hand():
    # At the midpoint half of the ceiling; ln 9 / rate later nine tenths, as much earlier a tenth.
    months = [3, 3 + np.log(9) / 0.5, 3 - np.log(9) / 0.5]
    assert growth.logistic(months, 0.8, 0.5, 3) == pytest.approx([0.4, 0.72, 0.08], abs=1e-12)
    assert growth.Fit(0.8, 0.5, 3, 1, ()).t90 == pytest.approx(months[1], abs=1e-12)


def test_fit_recovers_a_known_curve():
    scores = growth.logistic(MONTHS, 0.88, 0.5, 2)
    fit = growth.fit(MONTHS, scores, growth.honest_bounds(scores))
    assert (fit.ceiling, fit.rate, fit.midpoint) == pytest.approx((0.88, 0.5, 2), abs=1e-3)
    assert fit.r_squared == pytest.approx(1)
    assert fit.at_bound == ()
    assert fit.predict(fit.t90) == pytest.approx(0.9 * fit.ceiling)


def test_scores_that_do_not_vary_have_no_r_squared():
    fit = growth.fit(MONTHS, np.full(14, 0.7), growth.paper_bounds([0.7]))
    assert np.isnan(fit.r_squared)


def test_bounds_by_hand():
    scores = [0.2, 0.75, 0.5]
    paper = growth.paper_bounds(scores)
    assert paper.lower == pytest.approx((0.74, 0.01, -np.inf))
    assert paper.upper == (1.0, 10.0, np.inf)
    observed = growth.paper_bounds_midpoint_observed(scores, 9.0)
    assert observed.lower == pytest.approx((0.74, 0.01, 0.0))
    assert observed.upper == (1.0, 10.0, 9.0)
    honest = growth.honest_bounds(scores)
    assert honest.lower == (0.75, 0.01, -np.inf)
    assert honest.upper == (1.0, 10.0, np.inf)
    # A perfect score leaves the ceiling a place below its upper bound.
    assert growth.honest_bounds([0.3, 1.0]).lower[0] == 1 - 1e-9


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


@pytest.mark.parametrize(
    ("fitted", "names"),
    [
        ((0.7 + 0.99e-4, 1, 5), ("ceiling",)),
        ((0.7 + 1.01e-4, 1, 5), ()),
        ((1 - 0.99e-4, 1, 5), ("ceiling",)),
        ((1 - 1.01e-4, 1, 5), ()),
        ((0.8, 0.01, 5), ("rate",)),
        ((0.8, 10, 5), ("rate",)),
        ((0.8, 1, 0), ("midpoint",)),
        ((0.7, 10, 9), ("ceiling", "rate", "midpoint")),
    ],
)
def test_a_parameter_within_a_ten_thousandth_of_its_bound_is_at_it(fitted, names):
    bounds = growth.Bounds((0.7, 0.01, 0), (1, 10, 9))
    assert growth._at_bound(fitted, bounds) == names


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
