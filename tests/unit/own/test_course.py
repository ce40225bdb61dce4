"""The course of a user's leaderboard."""

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability.projection import Demands
from saturation.discriminability.retirement import Thresholds
from saturation.own import course as own_course

SETTINGS = own_course.Settings(
    bins=20,
    min_models=10,
    level=0.95,
    resamples=50,
    demands=Demands(min_windows=6, min_r2=0.5, min_reached=0.5, max_ceiling_width=0.1),
    thresholds=Thresholds(ceiling_proximity=0.9, top10_gap=0.01, bdi_decline=0.15),
)


def months(count, spread, best):
    """Twelve models a month; `spread` and `best` give each month's range and maximum."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "model": f"m{month}-{place}",
            "date": f"2025-{month + 1:02d}-15",
            "score": best(month) - spread(month) * (rng.random() if place else 0.0),
        }
        for month in range(count)
        for place in range(12)
    )


def course(scores):
    return own_course.history(scores, "b", SETTINGS, np.random.default_rng(0))


def test_scores_that_draw_together_at_the_ceiling_are_due_for_retirement():
    found = course(months(8, lambda m: 0.6 * 0.5**m, lambda _: 0.97))
    assert found["bdi_change"] < 0
    assert found["bdi_decline"] > 0.15
    assert found["retirement"]["due"]
    assert [row["elapsed"] for row in found["months"]] == list(range(8))


def test_scores_that_stay_apart_are_not():
    found = course(months(8, lambda _: 0.6, lambda m: 0.5 + 0.02 * m))
    assert not found["retirement"]["due"]
    rise = found["trends"]["max_score"]
    assert rise["slope"] == pytest.approx(0.02)
    assert rise["lower"] <= rise["slope"] <= rise["upper"]
    assert 0 < found["months"][-1]["bdi_lower"] <= found["months"][-1]["bdi_upper"] <= 1


def test_a_logistic_course_is_projected_and_a_short_one_is_not():
    def grow(month):
        return 0.85 / (1 + np.exp(-0.9 * (month - 3)))

    found = course(months(12, lambda _: 0.02, grow))
    assert found["projection"]["abstains"] is None
    assert found["projection"]["ceiling"] == pytest.approx(0.85, abs=0.02)
    assert "4 months" in course(months(4, lambda _: 0.02, grow))["projection"]["abstains"]
    assert course(months(6, lambda _: 0.02, lambda _: 0.5))["projection"]["abstains"]


def test_too_few_months_or_no_dates_say_so():
    short = course(months(2, lambda _: 0.3, lambda _: 0.5))
    assert "months with at least 10 dated evaluations: 2" in short["abstains"]
    undated = months(5, lambda _: 0.3, lambda _: 0.5).assign(date=None)
    assert "dated evaluations: 0;" in course(undated)["abstains"]
