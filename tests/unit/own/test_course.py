"""The course of a user's leaderboard."""

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability.growth import Demands, Thresholds
from saturation.own import course as own_course

SETTINGS = own_course.Settings(
    bins=20,
    min_models=10,
    level=0.95,
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
            "score": max(best(month) - spread(month) * (rng.random() if place else 0.0), 0.0),
        }
        for month in range(count)
        for place in range(12)
    )


def course(scores):
    return own_course.history(scores, SETTINGS)


def test_scores_that_draw_together_at_the_ceiling_are_due_for_retirement():
    found = course(months(8, lambda m: 0.6 * 0.5**m, lambda _: 0.97))
    # Twelve models a month are too few for an interval or a test.
    assert found.bdi_change["submitters_change"] is None
    assert found.bdi_change["significant"] is None
    assert "12 submitters; at least 50" in found.bdi_change["reason"]
    assert found.months[0]["bdi"] > found.months[-1]["bdi"]
    assert found.bdi_decline > 0.15
    assert found.retirement["due"]
    assert [row["elapsed"] for row in found.months] == list(range(8))


def test_scores_that_stay_apart_are_not():
    scores = months(8, lambda _: 0.6, lambda m: 0.5 + 0.02 * m)
    found = course(scores)
    assert [one["month"] for one in course(scores.iloc[::-1]).months] == [
        one["month"] for one in found.months
    ]
    assert not found.retirement["due"]
    assert found.trends["max_score"].slope == pytest.approx(0.02)
    last = found.months[-1]
    assert last["n_submitters"] == last["n_models"] == 12
    assert last["bdi_submitters_lower"] is None


def test_a_logistic_course_is_projected_and_a_short_one_is_not():
    def grow(month):
        return 0.85 / (1 + np.exp(-0.9 * (month - 3)))

    found = course(months(12, lambda _: 0.02, grow))
    assert found.projection["abstains"] is None
    assert found.projection["ceiling"] == pytest.approx(0.85, abs=0.02)
    assert "4 months" in course(months(4, lambda _: 0.02, grow)).projection["abstains"]
    flat = course(months(6, lambda _: 0.02, lambda _: 0.5)).projection
    assert flat["abstains"]
    assert set(flat) == {"abstains"}


def test_too_few_months_or_no_dates_say_so():
    short = course(months(2, lambda _: 0.3, lambda _: 0.5))
    assert "months with at least 10 dated evaluations: 2" in short.abstains
    few = months(4, lambda _: 0.3, lambda _: 0.5).groupby("date")
    assert len(course(few.head(10)).months) == 4
    assert "dated evaluations: 0;" in course(few.head(9)).abstains
    undated = months(5, lambda _: 0.3, lambda _: 0.5).assign(date=None)
    assert "dated evaluations: 0;" in course(undated).abstains


def test_a_large_leaderboard_has_intervals_and_a_tested_change():
    rng = np.random.default_rng(1)
    spread = {1: 0.25, 2: 0.15, 3: 0.05}
    large = pd.concat(
        pd.DataFrame(
            {"model": [f"org{i % 60}/m{i}" for i in range(180)], "date": f"2025-0{month}-01",
             "score": rng.normal(0.5, width, 180).clip(0, 1)}
        )
        for month, width in spread.items()
    )  # fmt: skip
    found = course(large)
    for month in found.months:
        assert month["n_submitters"] == 60
        lower, upper = (month[f"bdi_submitters_{end}"] for end in ("lower", "upper"))
        assert lower < month["bdi_submitters"] < upper
    change = found.bdi_change
    ends = found.months[0]["bdi_submitters"], found.months[-1]["bdi_submitters"]
    assert change["submitters_change"] == pytest.approx(ends[1] - ends[0])
    assert change["submitters_change_upper"] < 0
    assert change["significant"]
    json.dumps(asdict(found), allow_nan=False)


def test_a_score_on_an_edge_is_in_the_bin_above_it():
    dated = own_course._dated(
        pd.DataFrame({"model": "m", "date": "2025-01-01", "score": [0.29, 0.0, 1.0, 0.2899]})
    )
    assert dated["bin"].tolist() == [87, 0, 299, 86]
