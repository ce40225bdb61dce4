import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import growth
from saturation.discriminability.names import READINGS

MONTHS = np.arange(14.0)
DEMANDS = growth.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.1)
GOOD = growth.Fit(ceiling=1.0, rate=0.5, midpoint=2.0, r_squared=0.9, at_bound=())


def test_backtest_compares_with_keeping_the_last_value():
    scores = growth.logistic(MONTHS, 0.8, 0.6, 4)
    errors = growth.backtest(MONTHS, scores)
    assert errors["ahead"].max() == growth.HORIZON
    late = errors[errors["origin"] >= 6]
    assert late["error"].mean() < late["persistence_error"].mean()


def test_a_backtest_by_hand():
    months = np.array([0.0, 1, 2, 4, 5, 7, 8])
    scores = np.array([0.2, 0.3, 0.4, 0.5, 0.55, 0.57, 0.58])
    errors = growth.backtest(months, scores)
    # From four windows on, up to three windows ahead, as many as there are.
    assert errors[["origin", "ahead"]].to_numpy().tolist() == [
        [4, 1], [4, 2], [4, 3], [5, 1], [5, 2], [7, 1]
    ]  # fmt: skip
    assert errors["observed"].tolist() == [0.55, 0.57, 0.58, 0.57, 0.58, 0.58]
    assert errors["persistence_error"].tolist() == pytest.approx(
        [0.05, 0.07, 0.08, 0.02, 0.03, 0.01]
    )
    early = growth.fit(months[:4], scores[:4], growth.honest_bounds(scores[:4]))
    assert errors["predicted"][:3].tolist() == early.predict([5, 7, 8]).tolist()
    later = growth.fit(months[:6], scores[:6], growth.honest_bounds(scores[:6]))
    assert errors["predicted"].iloc[-1] == later.predict(8)
    expected = (errors["predicted"] - errors["observed"]).abs()
    assert errors["error"].tolist() == pytest.approx(expected.tolist())
    one_ahead = growth.backtest(months, scores, horizon=1)
    assert one_ahead["ahead"].tolist() == [1, 1, 1]


def test_a_failed_fit_is_a_failed_projection(monkeypatch):
    def fails(months, scores, bounds):
        raise RuntimeError("no convergence")

    monkeypatch.setattr(growth, "fit", fails)
    errors = growth.backtest(MONTHS[:6], np.linspace(0.2, 0.5, 6))
    assert errors["error"].isna().all()
    assert errors["predicted"].isna().all()
    assert errors["persistence_error"].notna().all()
    fits, _ = growth.growth_table(table(np.linspace(0.2, 0.5, 8)), DEMANDS, 0.95)
    assert fits["ceiling"].isna().all()
    assert fits["reason"].tolist() == ["no convergence"] * 3 + ["the fit does not converge"]
    assert fits["abstains"].tolist()[-1] is True


def errors(curve, persistence):
    return pd.DataFrame(
        {"origin": range(len(curve)), "error": curve, "persistence_error": persistence}
    )


FINE = errors([0.01, 0.03], [0.02, 0.04])


def reasons(windows=6, fitted=GOOD, best=0.95, interval=(0.78, 0.85), tests=FINE, demands=DEMANDS):
    return growth.reasons_to_abstain(windows, fitted, best, interval, tests, demands)


def test_nothing_speaks_against_a_good_fit():
    assert reasons() == []


def fit_with(**changes):
    return growth.Fit(**{**GOOD.__dict__, **changes})


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
            ["the best score is 89% of the projected ceiling, at least 90% is needed"],
        ),
        ({"interval": (0.75, 0.875), "demands": "wide"}, []),
        (
            {"interval": (0.75, 0.88), "demands": "wide"},
            ["the ceiling's interval is 0.13 wide, at most 0.125 is allowed"],
        ),
        (
            {"interval": (np.nan, np.nan)},
            ["the ceiling's interval is nan wide, at most 0.1 is allowed"],
        ),
        ({"tests": errors([0.25, 0.5], [0.5, 0.25])}, []),
        # On average the curve errs by 0.04, in the median by 0.02.
        (
            {"tests": errors([0.02, 0.02, 0.08], [0.03, 0.03, 0.03])},
            ["in the backtest the curve errs by 0.040, keeping the last value by 0.030"],
        ),
        ({"tests": errors([0.02, 0.02, 0.08], [0.03, 0.03, 0.09])}, []),
        # At a failed origin nothing was predicted, so the others cannot speak for the curve.
        (
            {"tests": errors([np.nan, 0.01, 0.01], [0.1, 0.1, 0.1])},
            ["at 1 of 3 origins of the backtest no fit converges"],
        ),
        (
            {"tests": errors([], [])},
            ["in the backtest the curve errs by nan, keeping the last value by nan"],
        ),
    ],
)
def test_each_reason_at_its_edge(change, expected):
    if change.get("demands") == "wide":
        change = {**change, "demands": growth.Demands(6, 0.5, 0.9, 0.125)}
    assert reasons(**change) == expected


def test_all_reasons_are_given():
    poor = fit_with(at_bound=("rate",), r_squared=0.1)
    assert len(reasons(fitted=poor, best=0.1, interval=(0, 1), tests=errors([1], [0]))) == 5


def table(scores, benchmark="y"):
    return pd.DataFrame(
        {
            "leaderboard": "x",
            "benchmark": benchmark,
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
    assert row["reason"] == ""
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


BEST = np.array([0.31, 0.42, 0.50, 0.61, 0.60, 0.72, 0.755, 0.765, 0.79, 0.786, 0.801, 0.798])


def test_each_reading_has_its_scores_and_bounds():
    frame = table(BEST).assign(elapsed=np.arange(12) * 2.0)[::-1]  # not in the order of time
    fits, tests = growth.growth_table(frame, DEMANDS, 0.95)
    assert fits["reading"].tolist() == list(READINGS)
    assert fits["windows"].tolist() == [12] * 4
    months, running = np.arange(12) * 2.0, np.maximum.accumulate(BEST)
    bounds = {
        "paper": (BEST, growth.paper_bounds(BEST)),
        "paper_midpoint_observed": (BEST, growth.paper_bounds_midpoint_observed(BEST, 22.0)),
        "paper_running_maximum": (running, growth.paper_bounds(BEST)),
        "honest": (running, growth.honest_bounds(BEST)),
    }
    rows = fits.set_index("reading")
    for reading, (scores, limits) in bounds.items():
        expected, row = growth.fit(months, scores, limits), rows.loc[reading]
        for name in ("ceiling", "rate", "midpoint", "t90", "r_squared"):
            assert row[name] == pytest.approx(getattr(expected, name), abs=1e-9)
        assert row["headroom"] == pytest.approx(expected.ceiling - 0.801)
        assert row["at_bound"] == ", ".join(expected.at_bound)
        assert row["exceeded"] == (expected.ceiling < 0.801)
    row = rows.loc["honest"]
    limits = growth.honest_bounds(BEST)
    fit = growth.fit(months, running, limits)
    assert (row["ceiling_lower"], row["ceiling_upper"]) == growth.profile_interval(
        months, running, fit, limits, 0.95
    )
    backtest = growth.backtest(months, running)
    assert row["backtest_predictions"] == len(backtest) == len(tests)
    assert row["backtest_error"] == pytest.approx(backtest["error"].mean())
    assert row["persistence_error"] == pytest.approx(backtest["persistence_error"].mean())
    assert tests.columns.tolist() == ["leaderboard", "benchmark", *growth.BACKTEST]
    assert rows.loc["paper", ["ceiling_lower", "abstains", "reason"]].isna().all()


def test_a_ceiling_below_the_best_score_is_exceeded():
    fits, _ = growth.growth_table(table([0.5, 0.6, 0.7, 0.7, 0.7, 0.7, 0.7, 0.75]), DEMANDS, 0.95)
    rows = fits.set_index("reading")
    assert rows.loc["paper", "exceeded"]
    assert rows.loc["paper", "at_bound"] == "ceiling"
    assert rows.loc["paper", "headroom"] == pytest.approx(-0.01, abs=1e-4)
    assert not rows.loc["honest", "exceeded"]


def test_four_windows_are_fitted_five_have_an_interval():
    for windows, fitted, interval in ((3, False, False), (4, True, False), (5, True, True)):
        row = honest(BEST[:windows])
        assert pd.notna(row["ceiling"]) == fitted
        assert pd.notna(row["ceiling_lower"]) == interval
        assert row["reason"] == f"{windows} windows, at least 6 are needed"


def test_every_benchmark_has_its_fits_and_backtests():
    frame = pd.concat([table(BEST), table(BEST[:7], "z"), table(BEST[:4], "short")])
    fits, tests = growth.growth_table(frame, DEMANDS, 0.95)
    assert fits.groupby("benchmark").size().to_dict() == {"short": 4, "y": 4, "z": 4}
    assert tests.groupby("benchmark").size().to_dict() == {"y": 21, "z": 6}
    assert set(tests["leaderboard"]) == {"x"}
