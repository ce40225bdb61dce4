"""The simulations of ties: each runs, and each breaks if what it tries is broken."""

import numpy as np
import pytest

from saturation.simulation import check, ties
from saturation.statistics import pairs

BY_NAME = {one.name: one for one in ties.CHECKS}


def found(name, data_sets=40, seed=1):
    return check.run(BY_NAME[name], seed, data_sets)


def test_every_check_has_its_own_name_and_bounds_around_what_it_states():
    assert len(BY_NAME) == len(ties.CHECKS)
    assert all(one.name.startswith("ties_") for one in ties.CHECKS)
    assert all(one.lower <= one.stated <= one.upper for one in ties.CHECKS)
    groups = [one for one in ties.CHECKS if one.name.startswith("ties_group")]
    assert len(groups) == 4 * len(ties.LAWS)


@pytest.mark.parametrize("name", sorted(name for name in BY_NAME if not name.endswith("_100")))
def test_every_check_runs(name):
    row = found(name, 3)
    assert row["trials"] == 3
    assert 0 <= row["found"] <= 1


def test_hundred_models_run():
    assert found("ties_group_mcnemar_100", 2)["found"] == 1


def test_a_group_without_adjustment_does_not_hold(monkeypatch):
    assert found("ties_group_mcnemar_20")["verdict"] == check.HOLDS
    monkeypatch.setattr(pairs, "holm_pairs", lambda p_values: p_values)
    assert found("ties_group_mcnemar_20")["verdict"] == check.FAILS
    assert found("ties_ranks_mcnemar_20")["verdict"] == check.FAILS


def test_clusters_that_are_not_seen_do_not_hold(monkeypatch):
    assert found("ties_pair_clusters", 300)["verdict"] == check.HOLDS
    honest = pairs.paired_tests
    monkeypatch.setattr(
        pairs, "paired_tests", lambda x, groups: honest(x, groups * 0 + np.arange(len(groups)))
    )
    assert found("ties_pair_clusters", 300)["verdict"] == check.FAILS


def test_a_test_that_finds_nothing_has_no_power(monkeypatch):
    assert found("ties_power_mcnemar_5", 60)["verdict"] == check.HOLDS
    monkeypatch.setattr(pairs, "holm_pairs", np.ones_like)
    assert found("ties_power_mcnemar_5", 60)["verdict"] == check.FAILS
    assert found("ties_group_mcnemar_5", 3)["found"] == 1


def test_laws_are_what_they_say():
    rng = np.random.default_rng(0)
    board = ties.Board(3, 5000, 0.8, clusters="unequal", runs=4, worse=0.5)
    responses, clusters = board.draw(rng)
    assert responses.shape == (5000, 3)
    assert set(np.unique(responses)) == {0, 0.25, 0.5, 0.75, 1}
    assert responses.mean(axis=0) == pytest.approx([0.8, 0.8, 0.4], abs=0.03)
    sizes = np.bincount(clusters)
    assert sizes.mean() == pytest.approx(5, abs=0.5)
    assert len(set(sizes)) > 10
    equal = ties.Board(2, 50, 0.8, clusters="equal").draw(rng)[1]
    assert np.bincount(equal).tolist() == [5] * 10
    assert str(board) == (
        "3 equal models, one of them worse, 5000 items on the same items, scores near 0.8, "
        "shares over 4 runs, unequal clusters of about five"
    )
