"""How errors fall as tasks get longer, and what a renewal moves, on data whose truth is known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special

from saturation.boards.readings import growth, renewal
from saturation.files import formats

EMBEDDED = Path(__file__).parents[3] / "resources/boards/renewed.parquet"


def test_tasks_without_a_spread_of_their_own_leave_independent_items():
    rng = np.random.default_rng(1)
    answers = (rng.random((20_000, 4)) < 0.7).astype(float)
    between, exponent = growth(answers, np.arange(20_000) % 500)
    assert between < 0.2
    assert exponent == pytest.approx(-1, abs=0.1)


def test_the_share_between_tasks_is_that_of_an_analysis_of_variance():
    """Equal tasks: the variance between is (mean square between - within) / items of a task."""
    rng = np.random.default_rng(2)
    tasks, items = 40, 25
    answers = rng.random((tasks * items, 2)) + rng.normal(0, 0.3, (tasks, 2)).repeat(items, 0)
    groups = np.arange(tasks).repeat(items)
    gap = (answers[:, 0] - answers[:, 1]).reshape(tasks, items)
    within = gap.var(axis=1, ddof=1).mean() / items
    total = gap.mean(axis=1).var(ddof=1)
    expected = (total - within) / total
    between, exponent = growth(answers, groups)
    assert between == pytest.approx(expected, abs=1e-12)
    fall = np.log(total / (total + 7 * within)) / np.log(8)
    assert exponent == pytest.approx(fall, abs=1e-12)


def _versions(rng, spread):
    """Thirty models on old and harder new items; `spread` moves their abilities in between."""
    ability = rng.normal(0, 1, 30)
    moved = ability + rng.normal(0, spread, 30)
    chance = (
        special.expit(given + rng.normal(ease, 1.5, (size, 1)))
        for given, ease, size in ((ability, 0.5, 400), (moved, -0.7, 600))
    )
    return tuple(pd.DataFrame((rng.random(p.shape) < p).astype(float)) for p in chance)


def test_a_harder_version_alone_moves_gaps_by_no_more_than_the_items_errors():
    rng = np.random.default_rng(3)
    found = [renewal(*_versions(rng, 0.0), k=5) for _ in range(20)]
    assert np.mean([one.factor for one in found]) == pytest.approx(1, abs=0.2)
    assert np.mean([one.beyond for one in found]) < 0.1
    assert sum(one.lower <= 1 <= one.upper for one in found) >= 17


def test_abilities_that_move_are_seen_and_alpha_falls_with_the_factor():
    rng = np.random.default_rng(4)
    same, moved = (renewal(*_versions(rng, spread), k=5) for spread in (0.0, 0.5))
    assert moved.factor > 3 > 1.5 > same.factor
    assert moved.lower > 1
    assert moved.alpha < same.alpha


def test_livecodebench_is_embedded_with_both_versions():
    table = formats.read(EMBEDDED)
    assert table.shape == (1055, 2 + 33)
    assert (table["task"] == "old").sum() == 400
    answers = table.drop(columns=["item", "task"])
    found = renewal(answers[table["task"] == "old"], answers[table["task"] == "new"], k=5)
    assert found.factor == pytest.approx(5.4970, abs=1e-3)
    assert found.rank_top == pytest.approx(0.1829, abs=1e-3)
    assert not answers.isna().any().any()
