"""The regression's checks with few data sets: they hold, and break with what they try."""

import numpy as np
import pytest

from saturation.regression import posterior, validation
from saturation.simulation import check, regression

NAMES = [each.name for each in regression.CHECKS]
BY_NAME = dict(zip(NAMES, regression.CHECKS))


def few(name):
    return 30 if BY_NAME[name].scenario == regression.POSTERIOR else 80


@pytest.mark.parametrize("name", NAMES)
def test_a_check_is_near_what_is_stated_with_few_data_sets(name):
    each = BY_NAME[name]
    row = check.run(each, 1, few(name))
    assert row["found_low"] - 0.03 <= each.stated <= row["found_high"] + 0.03
    assert row["trials"] >= few(name)


def test_names_are_unique_and_bounds_lie_on_both_sides():
    assert len(set(NAMES)) == len(NAMES)
    assert all(each.lower < each.stated < each.upper for each in regression.CHECKS)


@pytest.mark.parametrize(
    "name", ["regression_effects", "regression_ranks", "regression_predictive"]
)
def test_a_posterior_that_is_too_narrow_is_found(name, monkeypatch):
    drawn = posterior.draw

    def narrow(*arguments):
        made = drawn(*arguments)
        centre = made["coefficient"].mean(("chain", "draw"))
        made["coefficient"] = centre + 0.3 * (made["coefficient"] - centre)
        made["spread"] = made["spread"] * 4
        return made

    monkeypatch.setattr(posterior, "draw", narrow)
    assert check.run(BY_NAME[name], 1, 30)["verdict"] == check.FAILS


@pytest.mark.parametrize("factor", [0.5, 2.5])
@pytest.mark.parametrize("name", NAMES[3:])
def test_a_standard_error_that_is_too_small_or_too_large_is_found(name, factor, monkeypatch):
    monkeypatch.setattr(validation, "stretch", lambda parts: factor)
    row = check.run(BY_NAME[name], 1, 80)
    assert (row["found"] < 0.93) if factor < 1 else (row["found"] >= 0.975)


def test_ridge_regression_is_the_penalised_least_squares():
    rng = np.random.default_rng(0)
    matrix, outcome = rng.normal(size=(3, 20, 4)), rng.normal(size=(3, 20))
    found = regression.ridge(matrix, outcome)
    for x, y, b in zip(matrix, outcome, found, strict=True):
        np.testing.assert_allclose(x.T @ (y - x @ b), regression.PENALTY * b, atol=1e-9)
