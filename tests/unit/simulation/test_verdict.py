"""The simulations of wrong verdicts: each runs, and each breaks if what it tries is broken."""

from dataclasses import replace

import numpy as np
import pytest

from saturation.leaderboard import top
from saturation.simulation import check, verdict
from saturation.statistics import pairs as statistics_pairs

BY_NAME = {one.name: one for one in verdict.CHECKS}
# Thousands of items or a hundred models: seconds each.
QUICK = sorted(name for name in BY_NAME if not name.endswith(("_100", "_5000", "_15000")))


def found(name, data_sets=60, seed=1):
    return check.run(BY_NAME[name], seed, data_sets)


def test_every_check_has_its_own_name_and_bounds_around_what_it_states():
    assert len(BY_NAME) == len(verdict.CHECKS)
    assert all(one.name.startswith("verdict_") for one in verdict.CHECKS)
    assert all(one.lower <= one.stated <= one.upper for one in verdict.CHECKS)


@pytest.mark.parametrize("name", QUICK)
def test_every_check_runs(name):
    row = found(name, 2)
    assert row["trials"] == 2
    assert 0 <= row["found"] <= 1


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted(set(BY_NAME) - set(QUICK)))
def test_every_large_check_runs(name):
    assert found(name, 2)["trials"] == 2


def test_without_adjustment_equal_models_are_told_apart(monkeypatch):
    assert found("verdict_apart_scores_5")["verdict"] == check.HOLDS
    monkeypatch.setattr(statistics_pairs, "holm_pairs", lambda p_values: p_values)
    assert found("verdict_apart_scores_5")["verdict"] == check.FAILS


def test_a_test_at_another_margin_does_not_hold(monkeypatch):
    honest = statistics_pairs.not_ahead
    monkeypatch.setattr(
        statistics_pairs, "not_ahead", lambda pairs, scores, n, margin, k: honest(
            pairs, scores, n, 1.4 * margin, k
        )
    )  # fmt: skip
    assert found("verdict_alike_scores_2", 100)["verdict"] == check.FAILS


def test_a_ceiling_that_is_missed_is_seen(monkeypatch):
    honest = top._bound
    monkeypatch.setattr(
        top,
        "_bound",
        lambda models, items, _wrong, *, upper: honest(models, items, 0.4, upper=upper),
    )
    assert found("verdict_solved_scores_20", 60)["verdict"] == check.FAILS
    assert found("verdict_left_one", 60)["verdict"] == check.FAILS


@pytest.mark.parametrize("kind", verdict.KINDS)
def test_laws_have_the_true_scores_that_they_say(kind):
    board = verdict.Board(3, 60_000, score=0.8, behind=(0.02, 0.1), kind=kind)
    right, clusters = board.draw(np.random.default_rng(0))
    assert board.truth().tolist() == pytest.approx([0.8, 0.78, 0.7])
    assert np.nanmean(right, axis=0) == pytest.approx(board.truth(), abs=0.012)
    assert len(np.unique(clusters)) == (12_000 if kind == "clusters" else 60_000)
    missing = np.isnan(right).mean()
    assert (0.02 < missing < 0.2) if kind == "incomplete" else missing == 0
    if kind == "runs":
        assert set(np.unique(right)) == {0, 0.25, 0.5, 0.75, 1}
    if kind == "clusters":
        # Between two models, what one cluster decides makes differences hang together.
        alone = replace(board, kind="paired").draw(np.random.default_rng(1))[0]
        hang, free = (
            (table[:, 0] - table[:, 1]).reshape(-1, verdict.IN_CLUSTER).mean(axis=1).var()
            for table in (right, alone)
        )
        assert hang > 1.5 * free


def test_events_are_wrong_only_where_the_truth_says_so():
    board = verdict.Board(5, 4000, score=0.95, behind=(0.0,), kind="scores")
    one = verdict.judged(board, np.random.default_rng(0))
    assert one.answers["headroom"]["answer"] == "none"
    assert not verdict.wrongly_solved(one)
    assert verdict.wrongly_solved(replace(one, truth=one.truth - 0.1))
    assert not verdict.wrongly_left(one)
    large = verdict.judged(replace(board, items=50_000), np.random.default_rng(0))
    assert large.verdict == "saturated"
    assert not verdict.wrongly_alike(large)
    far = large.truth - np.array([0, 0, 0, 0, 0.02])
    assert verdict.wrongly_alike(replace(large, truth=far))
    apart = verdict.judged(
        verdict.Board(5, 4000, behind=(0.1, 0.2, 0.3, 0.4), kind="scores"),
        np.random.default_rng(0),
    )
    assert apart.verdict == "separates"
    assert not verdict.wrongly_apart(apart)
    assert verdict.wrongly_apart(replace(apart, truth=apart.truth[::-1]))
    assert verdict.wrongly_apart(replace(apart, truth=apart.truth * 0))


@pytest.mark.parametrize("name", ["verdict_solved_clusters_5", "verdict_left_small_5"])
def test_the_room_alone_is_what_a_whole_card_says_of_it(name):
    events = {"solved": verdict.wrongly_solved, "left": verdict.wrongly_left}
    event = events[name.split("_")[1]]
    laws = {"clusters": verdict.Board(5, 500, score=0.9 - 1e-6, kind="clusters"),
            "small": verdict.Board(5, 30, score=0.9, kind="scores")}  # fmt: skip
    board = laws[name.split("_")[2]]
    for seed in range(20):
        whole = verdict.judged(board, np.random.default_rng(seed))
        alone = verdict.room_judged(board, np.random.default_rng(seed))
        assert whole.answers["headroom"] == alone.answers["headroom"]
        assert event(whole) == event(alone)
