"""How errors fall as tasks get longer, on data whose truth is known."""

import numpy as np
import pytest

from saturation.boards.readings import growth


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
