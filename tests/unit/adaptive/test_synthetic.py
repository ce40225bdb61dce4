import numpy as np
import pytest

from saturation.adaptive import synthetic

DISTRIBUTION = {
    "log_discrimination_mean": 0.2,
    "log_discrimination_sd": 0.7,
    "difficulty_mean": 0.5,
    "difficulty_sd": 1.1,
    "correlation": -0.4,
}


def test_items_follow_the_distribution():
    a, b = synthetic.item_parameters(20000, DISTRIBUTION, np.random.default_rng(0))
    assert np.log(a).mean() == pytest.approx(0.2, abs=0.02)
    assert b.std() == pytest.approx(1.1, abs=0.02)
    assert np.corrcoef(np.log(a), b)[0, 1] == pytest.approx(-0.4, abs=0.02)


def test_models_improve_over_training_and_banks_agree():
    people = synthetic.respondents(4, 3)
    random = np.random.default_rng(1)
    shared = synthetic.trajectories(people, random)
    first, last = (shared[people["checkpoint"] == place].mean() for place in (1, 5))
    assert last > first + 0.5
    bank = synthetic.bank_abilities(shared, random)
    assert np.corrcoef(shared, bank)[0, 1] > 0.9
    assert bank.mean() == pytest.approx(0, abs=1e-12)
