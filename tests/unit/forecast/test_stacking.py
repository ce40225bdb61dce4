"""Several forecasts as one."""

import numpy as np
import pytest

from saturation.forecast import models


def test_without_outcomes_all_count_alike():
    assert models.weights(np.empty((0, 4))) == pytest.approx([0.25] * 4)


def test_the_member_that_was_right_gets_the_weight():
    scores = np.tile([0.1, 3.0, 3.0], (200, 1))
    found = models.weights(scores)
    assert found.sum() == pytest.approx(1)
    assert found[0] > 0.97


def test_members_that_are_right_in_turn_share():
    scores = np.where(np.arange(300)[:, None] % 3 == 0, [0.1, 5.0], [5.0, 0.1])
    assert models.weights(scores) == pytest.approx([1 / 3, 2 / 3], abs=0.02)


@pytest.mark.parametrize("weight", [[0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [1 / 3] * 3])
def test_the_mixture_has_its_shares_and_all_draws(weight):
    draws = np.broadcast_to(np.arange(3.0)[:, None, None, None], (3, 2, 100, 4))
    found = models.mixed(draws, np.array(weight))
    assert found.shape == (2, 100, 4)
    counts = [(found[0, :, 0] == member).sum() for member in range(3)]
    assert counts == pytest.approx(np.array(weight) * 100, abs=1)
    assert counts == models.shares(np.array(weight), 100)
