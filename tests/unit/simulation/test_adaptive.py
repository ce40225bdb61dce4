"""Each check with few data sets, and again with its estimator broken."""

from dataclasses import replace

import numpy as np
import pytest

from saturation.adaptive import bias, misfit, session
from saturation.simulation import adaptive
from saturation.simulation.adaptive import CHECKS
from saturation.simulation.check import run

BY_NAME = {check.name: check for check in CHECKS}


@pytest.fixture(autouse=True)
def nothing_kept():
    """Checks that share data sets draw them anew in each test."""
    adaptive._FITTING.cache_clear()
    for drawn in adaptive._USED.values():
        drawn.cache_clear()


def found(name, data_sets):
    return run(BY_NAME[name], 7, data_sets)["found"]


def test_names_are_unique_and_bounds_enclose_what_is_stated():
    assert len(BY_NAME) == len(CHECKS)
    for check in CHECKS:
        assert check.name.startswith("adaptive_")
        assert check.lower <= check.stated <= check.upper


@pytest.mark.parametrize("parameter", ["ability", "difficulty"])
def test_coverage_where_the_model_is_true_and_with_wrong_errors(parameter, monkeypatch):
    assert 0.9 < found(f"adaptive_{parameter}_fitting", 5) < 0.98
    true_fit = adaptive.fit
    for factor, low, high in ((0.5, 0.5, 0.8), (2.0, 0.98, 1.0)):
        name = f"{parameter}_se"

        def wrong(responses, name=name, factor=factor):
            fitted = true_fit(responses)
            return replace(fitted, **{name: factor * getattr(fitted, name)})

        monkeypatch.setattr(adaptive, "fit", wrong)
        assert low < found(f"adaptive_{parameter}_fitting", 5) <= high


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("adaptive_difficulty_floor", 0.7),
        ("adaptive_ability_testlets", 0.9),
        ("adaptive_ability_two_dimensions", 0.9),
        ("adaptive_difficulty_checkpoints", 0.94),
    ],
)
def test_coverage_fails_where_the_model_is_not_true(name, most):
    assert found(name, 4) < most


def test_banks_that_are_refused_abstain(monkeypatch):
    def refused(*_):
        raise adaptive.InputError("no")

    monkeypatch.setattr(adaptive, "fit", refused)
    for name in ("adaptive_ability_fitting", "adaptive_misfit_item_correlation_testlets"):
        row = run(BY_NAME[name], 7, 2)
        assert (row["trials"], row["abstained"]) == (0, 2)


@pytest.mark.parametrize(
    ("statistic", "scenario"),
    [
        ("item_correlation", "testlets"),
        ("largest_eigenvalue", "two_dimensions"),
        ("model_correlation", "checkpoints"),
    ],
)
def test_departures_are_noticed_and_what_fits_is_not(statistic, scenario, monkeypatch):
    assert found(f"adaptive_misfit_{statistic}_{scenario}", 4) > 0.4
    assert found(f"adaptive_misfit_{statistic}_fitting", 4) < 0.6
    monkeypatch.setattr(misfit, "statistics", lambda *_: {statistic: 0.0})
    assert found(f"adaptive_misfit_{statistic}_{scenario}", 2) == 0


def test_a_floor_is_needed_where_there_is_one_only(monkeypatch):
    assert found("adaptive_floor_fitting", 1) == 0
    assert found("adaptive_floor_guessing", 1) == 1
    monkeypatch.setattr(misfit, "_gains", lambda responses, *_: np.zeros(responses.shape))
    assert found("adaptive_floor_guessing", 1) == 0


def test_the_floors_interval_covers_and_a_narrow_one_does_not(monkeypatch):
    names = [f"adaptive_floor_interval_{guessing}" for guessing in (0, 25)]
    assert [found(name, 2) for name in names] == [1.0, 1.0]
    true = misfit.estimated

    def narrow(*given):
        estimate = true(*given)
        return estimate._replace(lower=estimate.value, upper=estimate.value)

    monkeypatch.setattr(misfit, "estimated", narrow)
    assert found(names[-1], 2) == 0


def test_with_the_floor_that_is_used_abilities_and_difficulties_are_covered(monkeypatch):
    monkeypatch.setattr(misfit, "doubt", lambda *_, **__: "")
    for parameter, plainly in (("ability", 0.92), ("difficulty", 0.7)):
        share = found(f"adaptive_{parameter}_floor_used", 2)
        assert share > 0.9
        assert found(f"adaptive_{parameter}_floor", 3) < min(plainly, share)
    adaptive._USED["floor"].cache_clear()
    monkeypatch.setattr(misfit, "believed", lambda *_: misfit.NONE)
    assert found("adaptive_difficulty_floor_used", 2) < 0.7


def test_users_who_are_told_are_not_misled(monkeypatch):
    assert found("adaptive_ability_two_dimensions_used", 1) == 1.0
    adaptive._USED["two_dimensions"].cache_clear()
    monkeypatch.setattr(misfit, "doubt", lambda *_, **__: "")
    assert found("adaptive_ability_two_dimensions_used", 1) < 0.9


def test_infit_keeps_its_level(monkeypatch):
    for kind in ("items", "respondents"):
        assert found(f"adaptive_infit_{kind}", 2) < 0.15
    true = misfit.mean_squares

    calls = []

    def first_inflated(responses, fitted, axis):
        calls.append(axis)
        # The bank's own are computed last.
        last = (len(calls) - 1) % (2 * adaptive.REPLICATES + 2) >= 2 * adaptive.REPLICATES
        squares = true(responses, fitted, axis)
        return replace(squares, infit=squares.infit**3) if last else squares

    monkeypatch.setattr(misfit, "mean_squares", first_inflated)
    assert found("adaptive_infit_items", 1) > 0.1


def test_doubt_is_said_where_the_model_is_not_true(monkeypatch):
    assert found("adaptive_doubt_fitting", 3) <= 1 / 3
    for scenario in ("testlets", "two_dimensions", "checkpoints"):
        assert found(f"adaptive_doubt_{scenario}", 1) == 1
    adaptive._USED["fitting"].cache_clear()
    monkeypatch.setattr(misfit, "too_large", lambda _: ["item_correlation"])
    assert found("adaptive_doubt_fitting", 2) == 1


def test_a_rival_is_told_apart_if_it_is_another(monkeypatch):
    assert found("adaptive_rival_alike", 40) <= 0.1
    assert found("adaptive_rival_apart", 10) > 0.5
    # As if one looked once: the plain likelihood ratio, without its mixture's price.
    monkeypatch.setattr(session, "_log_mixture", lambda *_: 0.0)
    assert found("adaptive_rival_alike", 40) > 0.3


def test_suspects_keep_their_level_by_family_only(monkeypatch):
    assert 0.02 < found("adaptive_suspects_alike", 3) < 0.08
    monkeypatch.setattr(adaptive, "_MODELS", [str(row) for row in range(adaptive.PERSONS)])
    assert found("adaptive_suspects_alike", 3) > 0.1
    assert bias.LEVEL == 0.05
    assert np.isfinite(bias.SHARED)
