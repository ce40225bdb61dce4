"""Each check with few data sets, and again with its estimator broken."""

import numpy as np
import pytest

from saturation.adaptive import bias as estimator
from saturation.simulation.check import run
from saturation.simulation.dif import CHECKS

BY_NAME = {check.name: check for check in CHECKS}


def found(name, data_sets):
    return run(BY_NAME[name], 7, data_sets)["found"]


def test_names_are_unique_and_bounds_enclose_what_is_stated():
    assert len(BY_NAME) == len(CHECKS)
    for check in CHECKS:
        assert check.name.startswith("dif_")
        assert check.lower <= check.stated <= check.upper


@pytest.mark.parametrize("name", [name for name in BY_NAME if "alike" in name])
def test_the_level_is_held(name):
    assert 0.015 < found(name, 6) < 0.1


def test_items_that_differ_are_found():
    assert found("dif_apart", 3) > 0.7


def test_families_that_are_not_matched_on_ability_differ_everywhere(monkeypatch):
    monkeypatch.setattr(estimator, "map_ability", lambda cells, *_: (np.zeros(len(cells)), None))
    assert found("dif_alike_8x10", 6) > 0.12
