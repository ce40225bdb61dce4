"""The simulations of boards: each runs, and each breaks if what it tries is broken."""

import numpy as np
import pytest

from saturation.boards import alpha, overview
from saturation.simulation import boards, check
from saturation.statistics import pooling

BY_NAME = {one.name: one for one in boards.CHECKS}


def found(name, data_sets, seed=1):
    return check.run(BY_NAME[name], seed, data_sets)


def test_every_check_has_its_own_name_and_bounds_around_what_it_states():
    assert len(BY_NAME) == len(boards.CHECKS)
    assert all(one.name.startswith("boards_") for one in boards.CHECKS)
    assert all(one.lower <= one.stated <= one.upper for one in boards.CHECKS)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_check_runs(name):
    row = found(name, 2)
    assert row["trials"] + row["abstained"] == 2


def test_groups_that_are_not_seen_do_not_hold():
    board = boards.BOARDS["1000_equal"]
    truth, rng, hits = board.truth(last=False), np.random.default_rng(0), 0
    for _ in range(50):
        answers, _ = board.draw(rng)
        seen = alpha.jackknife(alpha.ratios(answers, np.arange(len(answers)), False))
        _, lower, upper = seen.alpha(len(answers), 0.95)
        hits += lower <= 1 + truth / np.log(len(answers)) <= upper
    assert hits < 10


def test_errors_of_independent_pairs_do_not_hold(monkeypatch):
    whole = alpha.jackknife
    monkeypatch.setattr(
        alpha, "jackknife", lambda *asked: whole(*asked)._replace(error=whole(*asked).error / 2)
    )
    assert found("boards_alpha_200", 200)["found"] < 0.8


def test_pooling_without_origins_does_not_hold(monkeypatch):
    whole = pooling.pool
    monkeypatch.setattr(
        pooling, "pool", lambda y, errors, groups: whole(y, errors, np.arange(len(y)))
    )
    assert found("boards_pooled_groups_only", 60)["found"] < 0.88


def test_p_values_of_half_the_size_do_not_hold(monkeypatch):
    whole = overview.against_the_rest

    def halved(answers):
        correlation, p = whole(answers)
        return correlation, p / 2

    monkeypatch.setattr(overview, "against_the_rest", halved)
    assert found("boards_backwards_18_50", 1000)["verdict"] == check.FAILS


def test_a_board_says_its_law():
    assert str(boards.BOARDS["1000_equal"]) == (
        "five models, 1000 items, right or wrong, sixteen equal groups drawn anew"
    )
    _, groups = boards.BOARDS["1000_unequal"].draw(np.random.default_rng(0))
    sizes = np.bincount(groups)
    assert (len(sizes), sizes.sum()) == (16, 1000)
    assert sizes[-1] / sizes[0] == pytest.approx(3, rel=0.15)
    shares, _ = boards.BOARDS["45_shares"].draw(np.random.default_rng(0))
    assert set(np.unique(shares * 8)) <= set(range(9))
