"""The checks of the index: each runs, and they fail for estimators that are wrong."""

import numpy as np
import pytest

from saturation.simulation import index
from saturation.simulation.check import FAILS, HOLDS, run
from saturation.statistics import shrinkage
from saturation.statistics.shrinkage import Closeness, ClosenessAtTop

BY_NAME = {check.name: check for check in index.CHECKS}
INTERVALS = [name for name in BY_NAME if name.startswith("index_interval")]


@pytest.fixture(autouse=True)
def forget():
    index._statements.cache_clear()
    yield
    index._statements.cache_clear()


def test_names_are_unique_and_every_tenth_is_there():
    assert len(BY_NAME) == len(index.CHECKS)
    assert sum("tenth" in name for name in BY_NAME) == 10 * len(index.SCENARIOS)


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_cover_what_they_say(name):
    row = run(BY_NAME[name], 1, 4000)
    assert row["trials"] == 4000
    assert row["lower"] - 0.01 <= row["found"] <= row["upper"] + 0.01


def test_an_interval_that_cannot_reach_1_is_found_out(monkeypatch):
    real = index.interval_of_proportions
    monkeypatch.setattr(
        index, "interval_of_proportions", lambda *given: (real(*given)[0], real(*given)[1] - 1e-3)
    )
    assert run(BY_NAME["index_interval_proportions_200_0.5_0"], 1, 2000)["verdict"] == FAILS
    monkeypatch.setattr(index, "interval_of_proportions", lambda *given: (0 * real(*given)[0], 1.0))
    assert run(BY_NAME["index_interval_proportions_200_0.5_0"], 1, 2000)["verdict"] == FAILS


@pytest.mark.parametrize("scenario", index.SCENARIOS)
def test_said_and_true_probabilities_agree_on_the_whole(scenario):
    boards = 120 if scenario == "tops" else 60
    said, true = index._statements(scenario, boards).T[:2]
    assert len(said) == boards
    assert ((said >= 0) & (said <= 1)).all()
    assert said.mean() == pytest.approx(true.mean(), abs=0.2)
    rows = [run(check, 1, boards) for name, check in BY_NAME.items()
            if f"p_saturated_{scenario.replace(' ', '_')}_" in name]  # fmt: skip
    assert sum(row["trials"] for row in rows) == boards
    for tenth, row in enumerate(rows):
        if row["trials"]:
            assert tenth / 10 <= row["stated"] <= (tenth + 1) / 10


def test_a_plug_in_is_found_out(monkeypatch):
    """The probability by the measured gap alone says too little of close models."""

    def plug_in(scores, errors, first, other, width):
        gap, error = scores[first] - scores[other], np.hypot(errors[first], errors[other])
        inside = shrinkage.special.ndtr(np.array([width - gap, -width - gap]) / error)
        return Closeness(float(inside[0] - inside[1]), 0.0, 1.0)

    monkeypatch.setattr(index.shrinkage, "close", plug_in)
    verdicts = {
        run(BY_NAME[f"index_p_saturated_scores_20_tenth_{tenth}"], 1, 2000)["verdict"]
        for tenth in (1, 2, 3)
    }
    assert verdicts == {FAILS}


def test_a_range_beside_the_truth_is_found_out(monkeypatch):
    check = BY_NAME["index_p_range_tops"]
    assert run(check, 1, 1200)["verdict"] == HOLDS
    index._statements.cache_clear()
    real = shrinkage.close_at_the_top

    def narrow(*given):
        found = real(*given)
        far = 0.2 * found.probability
        return ClosenessAtTop(found.probability, far, far)

    monkeypatch.setattr(index.shrinkage, "close_at_the_top", narrow)
    assert run(check, 1, 1200)["verdict"] == FAILS


@pytest.mark.parametrize("name", [name for name in BY_NAME if "all_equal" in name])
def test_equal_models_are_seldom_found_unequal(name):
    assert run(BY_NAME[name], 1, 40)["found"] <= 0.2


def test_a_clear_case_holds():
    assert run(BY_NAME["index_interval_normal_1"], 1, 4000)["verdict"] == HOLDS
