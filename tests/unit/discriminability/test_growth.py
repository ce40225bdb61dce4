import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth

MONTHS = np.arange(14.0)
DEMANDS = growth.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.1)


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


def test_backtest_compares_with_keeping_the_last_value():
    scores = growth.logistic(MONTHS, 0.8, 0.6, 4)
    errors = growth.backtest(MONTHS, scores)
    assert errors["ahead"].max() == growth.HORIZON
    late = errors[errors["origin"] >= 6]
    assert late["error"].mean() < late["persistence_error"].mean()


def table(scores):
    return pd.DataFrame(
        {
            "leaderboard": "x",
            "benchmark": "y",
            "month": [f"2024-{i + 1:02d}" for i in range(len(scores))],
            "elapsed": range(len(scores)),
            "max_score": scores,
        }
    )


def honest(scores):
    fits, _ = growth.growth_table(table(scores), DEMANDS, 0.95)
    return fits.set_index("reading").loc["honest"]


def test_a_projection_is_made_where_the_plateau_is_seen():
    row = honest(growth.logistic(np.arange(12.0), 0.85, 0.9, 2.5))
    assert not row["abstains"]
    assert row["ceiling"] == pytest.approx(0.85, abs=0.005)
    assert row["ceiling_lower"] - 1e-6 <= 0.85 <= row["ceiling_upper"] + 1e-6


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.linspace(0.2, 0.5, 10), "of the projected ceiling"),  # straight up
        (np.array([0.5, 0.6, 0.7]), "3 windows"),
        (np.full(9, 0.7), "R2"),  # nothing grows
        (np.array([0.5, 0.5, 0.5, 0.5, 0.8, 0.8, 0.8, 0.8, 0.8]), "backtest"),  # one jump
    ],
)
def test_it_abstains_and_says_why(scores, reason):
    row = honest(scores)
    assert row["abstains"]
    assert reason in row["reason"]
