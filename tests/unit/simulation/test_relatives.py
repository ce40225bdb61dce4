"""Each check with few data sets, and again with its estimator broken."""

import pytest

from saturation.simulation import relatives
from saturation.simulation.check import run
from saturation.simulation.relatives import CHECKS

BY_NAME = {check.name: check for check in CHECKS}


def found(name, data_sets):
    return run(BY_NAME[name], 7, data_sets)["found"]


def test_names_are_unique_and_bounds_enclose_what_is_stated():
    assert len(BY_NAME) == len(CHECKS)
    for check in CHECKS:
        assert check.name.startswith("relatives_")
        assert check.lower < check.stated < check.upper


@pytest.mark.parametrize("name", BY_NAME)
def test_intervals_cover(name):
    assert 0.9 < found(name, 2) < 0.995


def test_errors_of_half_the_size_do_not(monkeypatch):
    true = relatives.clustered

    def halved(*given):
        one = true(*given)
        return one._replace(difficulty_se=one.difficulty_se / 2, ability_se=one.ability_se / 2)

    monkeypatch.setattr(relatives, "clustered", halved)
    for name in BY_NAME:
        assert found(name, 1) < 0.9


def test_banks_that_are_refused_abstain(monkeypatch):
    def refused(*_):
        raise relatives.InputError("no")

    monkeypatch.setattr(relatives, "fit", refused)
    row = run(BY_NAME["relatives_ability_fitting"], 7, 2)
    assert (row["trials"], row["abstained"]) == (0, 2)
