"""The growth curve, what it projects, and the retirement test."""

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth

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


def test_scores_that_do_not_vary_have_no_r_squared():
    fit = growth.fit(np.arange(14.0), np.full(14, 0.7), growth.paper_bounds([0.7]))
    assert np.isnan(fit.r_squared)


def test_bounds_by_hand():
    scores = [0.2, 0.75, 0.5]
    paper = growth.paper_bounds(scores)
    assert paper.lower == pytest.approx((0.74, 0.01, -np.inf))
    assert paper.upper == (1.0, 10.0, np.inf)
    honest = growth.honest_bounds(scores)
    assert honest.lower == (0.75, 0.01, -np.inf)
    assert honest.upper == (1.0, 10.0, np.inf)
    # A perfect score leaves the ceiling a place below its upper bound.
    assert growth.honest_bounds([0.3, 1.0]).lower[0] == 1 - 1e-9


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
def test_a_parameter_within_a_ten_thousandth_of_its_bound_is_at_it(monkeypatch, fitted, names):
    bounds = growth.Bounds((0.7, 0.01, 0), (1, 10, 9))
    monkeypatch.setattr(growth.scipy.optimize, "curve_fit", lambda *_, **__: (fitted, None))
    assert growth.fit([0, 1, 2], [0.7, 0.75, 0.8], bounds).at_bound == names


DEMANDS = growth.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.125)
GOOD = growth.Fit(ceiling=1.0, rate=0.5, midpoint=2.0, r_squared=0.9, at_bound=())


def test_a_backtest_by_hand():
    months = np.array([0.0, 1, 2, 4, 5, 7, 8])
    scores = np.array([0.2, 0.3, 0.4, 0.5, 0.55, 0.57, 0.58])
    backtested = growth.backtest(months, scores)
    # From four windows on, up to three windows ahead, as many as there are.
    assert backtested["origin"].tolist() == [4, 4, 4, 5, 5, 7]
    assert backtested["persistence_error"].tolist() == pytest.approx(
        [0.05, 0.07, 0.08, 0.02, 0.03, 0.01]
    )
    early = growth.fit(months[:4], scores[:4], growth.honest_bounds(scores[:4]))
    errors = np.abs(early.predict([5, 7, 8]) - [0.55, 0.57, 0.58])
    assert backtested["error"][:3].tolist() == pytest.approx(errors.tolist())
    later = growth.fit(months[:6], scores[:6], growth.honest_bounds(scores[:6]))
    assert backtested["error"].iloc[-1] == pytest.approx(abs(later.predict(8) - 0.58))


def test_a_failed_fit_is_a_failed_projection(monkeypatch):
    def fails(months, scores, bounds):
        raise RuntimeError("no convergence")

    monkeypatch.setattr(growth, "fit", fails)
    backtested = growth.backtest(np.arange(6.0), np.linspace(0.2, 0.5, 6))
    assert backtested["error"].isna().all()
    assert backtested["persistence_error"].notna().all()
    fits = growth.growth_table(table(np.linspace(0.2, 0.5, 8)), DEMANDS, 0.95)
    assert fits["ceiling"].isna().all()
    assert fits["reason"].tolist() == ["no convergence", "the fit does not converge"]
    assert fits["abstains"].tolist()[-1] is True


def backtested(curve, persistence):
    return pd.DataFrame(
        {"origin": range(len(curve)), "error": curve, "persistence_error": persistence}
    )


def fit_with(**changes):
    return dataclasses.replace(GOOD, **changes)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"windows": 5}, ["5 windows, at least 6 are needed"]),
        ({"fitted": None}, ["the fit does not converge"]),
        ({"fitted": fit_with(at_bound=("ceiling", "rate"))}, ["at a bound: ceiling, rate"]),
        ({"fitted": fit_with(r_squared=0.5)}, []),
        ({"fitted": fit_with(r_squared=0.49)}, ["R2 is 0.49, at least 0.5 is needed"]),
        ({"fitted": fit_with(r_squared=np.nan)}, ["R2 is nan, at least 0.5 is needed"]),
        ({"best": 0.9}, []),
        (
            {"best": 0.89},
            ["the best score is 89 % of the projected ceiling, at least 90 % is needed"],
        ),
        ({"width": 0.125}, []),
        ({"width": 0.13}, ["the ceiling's interval is 0.13 wide, at most 0.125 is allowed"]),
        ({"width": np.nan}, ["the ceiling's interval is nan wide, at most 0.125 is allowed"]),
        ({"errors": backtested([0.25, 0.5], [0.5, 0.25])}, []),
        # On average the curve errs by 0.04, in the median by 0.02.
        (
            {"errors": backtested([0.02, 0.02, 0.08], [0.03, 0.03, 0.03])},
            ["in the backtest the curve errs by 0.040, keeping the last value by 0.030"],
        ),
        ({"errors": backtested([0.02, 0.02, 0.08], [0.03, 0.03, 0.09])}, []),
        # At a failed origin nothing was predicted, so the others cannot speak for the curve.
        (
            {"errors": backtested([np.nan, 0.01, 0.01], [0.1, 0.1, 0.1])},
            ["at 1 of 3 origins of the backtest no fit converges"],
        ),
        (
            {"errors": backtested([], [])},
            ["in the backtest the curve errs by nan, keeping the last value by nan"],
        ),
    ],
)
def test_each_reason_at_its_edge(change, expected):
    fine = {"windows": 6, "fitted": GOOD, "best": 0.95, "width": 0.07}
    fine["errors"] = backtested([0.01, 0.03], [0.02, 0.04])
    assert growth.reasons_to_abstain(**fine | change, demands=DEMANDS) == expected


def windows(benchmark="y", **columns):
    """Windows of consecutive months."""
    table = pd.DataFrame(columns).assign(leaderboard="x", benchmark=benchmark, n_models=100)
    return table.assign(elapsed=table.index, month=[f"2024-{i + 1:02d}" for i in table.index])


def table(scores, benchmark="y"):
    return windows(benchmark, max_score=scores)


def honest(scores):
    fits = growth.growth_table(table(scores), DEMANDS, 0.95)
    return fits.set_index("reading").loc["honest"]


def test_a_projection_is_made_where_the_plateau_is_seen():
    row = honest(growth.logistic(np.arange(12.0), 0.85, 0.9, 2.5))
    assert not row["abstains"]
    assert row["reason"] == ""
    assert row["ceiling"] == pytest.approx(0.85, abs=0.005)


BEST = np.array([0.31, 0.42, 0.50, 0.61, 0.60, 0.72, 0.755, 0.765, 0.79, 0.786, 0.801, 0.798])


def test_a_ceiling_below_the_best_score_is_exceeded():
    fits = growth.growth_table(table([0.5, 0.6, 0.7, 0.7, 0.7, 0.7, 0.7, 0.75]), DEMANDS, 0.95)
    rows = fits.set_index("reading")
    assert rows.loc["paper", "exceeded"]
    assert rows.loc["paper", "at_bound"] == "ceiling"
    assert rows.loc["paper", "headroom"] == pytest.approx(-0.01, abs=1e-4)
    assert not rows.loc["honest", "exceeded"]


def test_four_windows_are_fitted_five_have_an_interval():
    for windows, fitted, interval in ((3, False, False), (4, True, False), (5, True, True)):
        row = honest(BEST[:windows])
        assert pd.notna(row["ceiling"]) == fitted
        assert pd.notna(row["ceiling_width"]) == interval
        assert row["reason"] == f"{windows} windows, at least 6 are needed"


THRESHOLDS = growth.Thresholds(ceiling_proximity=0.9, top10_gap=0.01, bdi_decline=0.15)


def monthly(ceiling, gap, bdi, benchmark="y"):
    return windows(benchmark, ceiling_proximity=ceiling, top10_gap=gap, bdi=bdi)


@pytest.mark.parametrize(
    ("ceiling", "gap", "bdi", "met"),
    [
        (0.9001, 0.1, 1, "ceiling_met"),
        (0.5, 0.0099, 1, "gap_met"),
        (0.5, 0.1, 0.8499, "decline_met"),
        (0.9, 0.01, 0.85, None),
    ],
)
def test_each_criterion_at_its_limit(ceiling, gap, bdi, met):
    # 1 - 0.85 is the decline from 1 to 0.85 as it is computed; 0.15 is not, in the last place.
    thresholds = growth.Thresholds(0.9, 0.01, 1 - 0.85)
    row = growth.retirement_table(monthly([0.5, ceiling], [0.1, gap], [1, bdi]), thresholds)
    assert [name for name in growth.CRITERIA if row[name].iloc[1]] == ([met] if met else [])


def test_an_index_that_is_always_0_has_not_declined():
    table = growth.retirement_table(monthly([0.5] * 2, [0.1] * 2, [0.0, 0.0]), THRESHOLDS)
    assert table["bdi_decline"].tolist() == [0, 0]
