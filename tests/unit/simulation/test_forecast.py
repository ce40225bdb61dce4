"""The simulations of forecasts run, and notice an estimator that is broken."""

import pytest

from saturation.forecast import indices, lifespans, models, scoring
from saturation.simulation.check import FAILS, HOLDS, run
from saturation.simulation.forecast import CHECKS

BY_NAME = {check.name: check for check in CHECKS}
FEW = {
    "forecast_records": 12,
    "forecast_shared": 40,
    "forecast_coverage": 800,
    "forecast_skill": 150,
    "forecast_life_span_factor_within": 15,
    "forecast_life": 30,
    "forecast_prediction": 20,
}


def few(check):
    return next(count for name, count in FEW.items() if check.name.startswith(name))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_each_runs_and_its_share_is_near_the_stated_one(check):
    row = run(check, 1, few(check))
    assert row["found_low"] <= check.upper
    assert row["found_high"] >= check.lower


def test_names_are_unique_and_bounds_on_both_sides():
    assert len(BY_NAME) == len(CHECKS)
    assert all(0 < check.lower < check.stated < check.upper < 1 for check in CHECKS)


def verdict(name):
    return run(BY_NAME[name], 1, few(BY_NAME[name]))["verdict"]


def test_forecasts_that_rise_a_third_as_far_fail(monkeypatch):
    real = models.rises
    monkeypatch.setattr(models, "rises", lambda *given: real(*given) * 0.3)
    assert verdict("forecast_records_gamma_steps") == FAILS


def test_counting_forecasts_for_benchmarks_fails(monkeypatch):
    monkeypatch.setattr(
        scoring, "clustered_error", lambda x, _: float(x.std(ddof=1) / len(x) ** 0.5)
    )
    assert verdict("forecast_coverage_30_benchmarks") == FAILS


def test_half_the_error_fails(monkeypatch):
    real = scoring._quantile
    monkeypatch.setattr(scoring, "_quantile", lambda *given: real(*given) / 2)
    assert verdict("forecast_skill_30_benchmarks") == FAILS


def test_a_third_of_the_error_of_a_life_span_fails(monkeypatch):
    real = lifespans.weibull
    monkeypatch.setattr(
        lifespans, "weibull",
        lambda *given: real(*given) | {"slope_error": real(*given)["slope_error"] / 3},
    )  # fmt: skip
    assert verdict("forecast_life_span_factor") == FAILS


def test_a_posterior_of_a_third_of_its_width_fails(monkeypatch):
    real = models.shared_posterior
    monkeypatch.setattr(
        models, "shared_posterior",
        lambda found: models.Posterior(real(found).mode, real(found).covariance / 9),
    )  # fmt: skip
    assert verdict("forecast_shared_rate") == FAILS


def test_life_spans_whose_kinds_are_mixed_up_fail(monkeypatch):
    real = lifespans.draws
    monkeypatch.setattr(lifespans, "draws", lambda lives, rng: real(lives, rng) + 0.2)
    assert verdict("forecast_life_span_factor_within_kinds") == FAILS


def test_correlations_with_half_the_level_fail(monkeypatch):
    real = indices._with_limits
    monkeypatch.setattr(
        indices, "_with_limits", lambda rho, varied, level: real(rho, varied, level / 2)
    )
    assert verdict("forecast_prediction_26_benchmarks") == FAILS


def test_a_verdict_can_hold():
    assert verdict("forecast_coverage_30_benchmarks") == HOLDS
