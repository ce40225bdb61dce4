"""Each check with few data sets, and again with its estimator broken."""

import pytest

from saturation.adaptive import subsets
from saturation.simulation import subset
from saturation.simulation.check import run
from saturation.simulation.subset import CHECKS

BY_NAME = {check.name: check for check in CHECKS}


@pytest.fixture
def drawn_anew():
    """Subsets made with what a test has broken are not those of other tests."""
    for drawn in subset._TRIED.values():
        drawn.cache_clear()
    yield
    for drawn in subset._TRIED.values():
        drawn.cache_clear()


def found(name, data_sets):
    return run(BY_NAME[name], 7, data_sets)["found"]


def test_names_are_unique_and_bounds_enclose_what_is_stated():
    assert len(BY_NAME) == len(CHECKS)
    for check in CHECKS:
        assert check.name.startswith("subset_")
        assert check.lower < check.stated < check.upper


@pytest.mark.parametrize("name", BY_NAME)
def test_intervals_cover(name):
    assert found(name, 4) > 0.8


@pytest.mark.usefixtures("drawn_anew")
def test_intervals_of_the_model_alone_do_not_where_it_is_wrong(monkeypatch):
    true = subsets.Excess.reach
    monkeypatch.setattr(
        subsets.Excess, "reach", lambda self, error: 0.5 * true(self._replace(factor=1), error)
    )
    assert found("subset_interval_topics", 4) < 0.8
    assert found("subset_ability_topics", 4) < 0.8


@pytest.mark.usefixtures("drawn_anew")
def test_banks_that_are_refused_abstain(monkeypatch):
    def refused(*_):
        raise subset.InputError("no")

    monkeypatch.setattr(subset.short_form, "short_forms", refused)
    row = run(BY_NAME["subset_interval_fitting"], 7, 2)
    assert (row["trials"], row["abstained"]) == (0, 2)
