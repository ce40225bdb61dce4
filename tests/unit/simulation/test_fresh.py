"""The checks on fresh laws and real banks: each runs, and fails for an estimator that is wrong."""

import numpy as np
import pytest

from saturation.simulation import fresh
from saturation.simulation.check import FAILS, HOLDS, run
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.shrinkage import Closeness

BY_NAME = {check.name: check for check in fresh.CHECKS}
FEW = 30
CACHES = (fresh.law_statements, fresh.bank_statements, fresh.top_statements, fresh.judged)


@pytest.fixture(autouse=True)
def forget():
    yield
    for cache in CACHES:
        cache.cache_clear()


def test_laws_give_as_many_true_scores_as_models_and_are_not_those_of_the_prior():
    rng = np.random.default_rng(0)
    for name, law in fresh.LAWS.items():
        for m in (5, 20):
            true = law(rng, m)
            assert true.shape == (m,), name
            assert np.isfinite(true).all(), name
    assert len(fresh.LAWS) == 14


def test_laws_are_what_their_names_say():
    rng, m = np.random.default_rng(1), 2000
    ceiling = fresh.LAWS["half at a ceiling"](rng, m)
    assert (ceiling == ceiling.max()).mean() == pytest.approx(0.5, abs=0.05)
    stairs = fresh.LAWS["stairs of equals"](rng, m)
    assert set(np.diff(np.unique(stairs))[-3:]) == {2.0}
    spaced = np.diff(np.sort(fresh.LAWS["evenly spaced"](rng, 50)))
    assert spaced == pytest.approx(spaced[0])
    one = np.sort(fresh.LAWS["one breaks away"](rng, m))
    assert one[-2] < 3.5
    frontier = fresh.LAWS["leapfrogging frontier"](rng, m)
    assert (frontier == np.maximum.accumulate(frontier)).mean() > 1 / 4
    siblings = np.sort(fresh.LAWS["families of siblings"](rng, 40))
    assert np.median(np.diff(siblings)) < 0.15
    law = fresh.LAWS["large and small"](rng, m)
    assert ((law > -6) & (law < -5)).mean() < 0.01


@pytest.mark.parametrize("m", [20, 50])
def test_real_boards_are_drawn_from_a_bank_and_true_scores_are_of_all_its_items(m):
    rng = np.random.default_rng(2)
    for place in range(len(fresh.names.RESPONDENTS)):
        drawn, settings = fresh._draw(m, place, rng)
        assert drawn.population.shape[1] == m
        assert len(drawn.population) > 2 * fresh.ITEMS
        assert drawn.items[0].shape == (fresh.ITEMS, m)
        # Of the same models: 200 items are as good as the bank to within their error.
        shown = drawn.items[0].mean(axis=0).to_numpy()
        assert np.abs(shown - drawn.true).max() < 5 * 0.5 / np.sqrt(fresh.ITEMS)
        assert settings.alpha == 1.0


@pytest.mark.parametrize("name", [name for name in BY_NAME if "tenth" not in name])
def test_every_check_runs(name):
    row = run(BY_NAME[name], 1, fresh.TOGETHER if "tops" in name else FEW)
    assert 0 < row["trials"] <= FEW
    assert row["found"] >= 0.4


@pytest.mark.parametrize("statements", [fresh.law_statements, fresh.bank_statements])
def test_tenths_share_the_boards_out(statements):
    name = "laws" if statements is fresh.law_statements else "banks"
    rows = [run(BY_NAME[f"fresh_p_{name}_20_tenth_{tenth}"], 1, FEW) for tenth in range(10)]
    assert sum(row["trials"] for row in rows) == FEW
    said = statements(20, FEW)
    assert (said[:, 2] <= said[:, 0]).all()
    assert (said[:, 0] <= said[:, 3]).all()
    for tenth, row in enumerate(rows):
        if row["trials"]:
            assert tenth / 10 <= row["stated"] <= (tenth + 1) / 10


def test_tops_are_of_boards_of_any_size():
    rows = [run(BY_NAME[f"fresh_p_tops_tenth_{tenth}"], 1, 240) for tenth in range(10)]
    assert sum(row["trials"] for row in rows) == 240
    said, true = fresh.top_statements(240).T[:2]
    assert said.mean() == pytest.approx(true.mean(), abs=0.1)


def test_what_is_said_of_real_boards_goes_with_what_is_so():
    said, true = fresh.bank_statements(20, 60).T[:2]
    assert said[true == 1].mean() > said[true == 0].mean() + 0.3
    assert said.mean() == pytest.approx(true.mean(), abs=0.2)


@pytest.mark.parametrize(
    ("apart", "group", "ranks"),
    [([], True, True), ([(0, 2)], True, True), ([(0, 1)], False, False)],
)
def test_a_truly_best_model_that_is_told_from_the_leader_is_missed(apart, group, ranks):
    # m1 and m2 are truly equal and the best; m2 has the best score, m0 is truly the last.
    population = np.array([[0, 1, 1], [0, 1, 1], [1, 0, 0], [0, 1, 1.0]])
    board, items = fresh.answered(np.array([[0, 1, 1], [0, 0, 1.0]]))
    assert board["model"].tolist() == ["m2", "m1", "m0"]
    pairs = statistics_pairs.Pairs.empty(3)
    pairs.p_value[:] = 1
    scores = board["score"].to_numpy()
    pairs.difference[:] = scores[:, None] - scores
    for one, other in apart:
        pairs.p_value[one, other] = pairs.p_value[other, one] = 1e-6
    drawn = fresh.Drawn(population, board, items)
    assert fresh._placed(drawn, pairs) == (group, ranks)


def test_a_probability_that_is_always_one_is_found_out(monkeypatch):
    monkeypatch.setattr(
        "saturation.statistics.shrinkage.close", lambda *given: Closeness(1.0, 1.0, 1.0)
    )
    for name in ("laws", "banks"):
        assert run(BY_NAME[f"fresh_p_{name}_20_tenth_9"], 1, 60)["verdict"] == FAILS
        assert run(BY_NAME[f"fresh_range_{name}_20"], 1, 60)["verdict"] == FAILS
    assert run(BY_NAME["fresh_range_each_law_20"], 1, 60)["verdict"] == FAILS


def test_an_interval_that_is_a_point_is_found_out(monkeypatch):
    monkeypatch.setattr(
        "saturation.leaderboard.top.index_limits", lambda low, high, *scales: (low * 0, low * 0)
    )
    assert run(BY_NAME["fresh_interval_20"], 1, FEW)["verdict"] == FAILS


def test_groups_and_ranks_without_adjustment_are_found_out(monkeypatch):
    assert run(BY_NAME["fresh_ranks_20"], 1, FEW)["verdict"] == HOLDS
    fresh.judged.cache_clear()
    monkeypatch.setattr(statistics_pairs, "adjusted_pairs", lambda p: np.where(p < 0.6, 0.0, p))
    assert run(BY_NAME["fresh_ranks_20"], 1, FEW)["verdict"] == FAILS
    assert run(BY_NAME["fresh_group_20"], 1, FEW)["verdict"] == FAILS


def test_a_detectable_difference_half_as_large_is_found_out(monkeypatch):
    real = fresh.unpooled_error
    monkeypatch.setattr(fresh, "unpooled_error", lambda *given: real(*given) / 2)
    row = run(BY_NAME["fresh_power_20"], 1, 60)
    assert row["stated"] > row["found"] + 0.1
