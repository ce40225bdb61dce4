import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import fit, model, synthetic

DISTRIBUTION = {"log_discrimination_mean": 0.2, "log_discrimination_sd": 0.7}
DISTRIBUTION |= {"difficulty_mean": 0.5, "difficulty_sd": 1.1, "correlation": -0.4}


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


PERSONS, ITEMS = 60, 300


@pytest.fixture(scope="module")
def simulated():
    """A bank that the model is true of: its fit, abilities, items and responses."""
    random = np.random.default_rng(1)
    ability = random.normal(size=PERSONS)
    ability = (ability - ability.mean()) / ability.std()
    a, b = synthetic.item_parameters(ITEMS, DISTRIBUTION, random)
    responses = synthetic.draw(ability, a, b, random)
    return fit.fit(responses), ability, a, b, responses


def test_a_fit_recovers_the_truth(simulated):
    """Whether intervals cover is a matter of validation/."""
    fitted, ability, a, b, _ = simulated
    assert np.corrcoef(fitted.ability, ability)[0, 1] > 0.98
    assert np.corrcoef(np.log(fitted.discrimination), np.log(a))[0, 1] > 0.7
    assert np.corrcoef(fitted.difficulty, b)[0, 1] > 0.9


def test_a_signed_fit_finds_the_items_that_mislead(simulated):
    _, ability, a, _, responses = simulated
    turned = responses.copy()
    turned[:, :20] = 1 - turned[:, :20]
    fitted = fit.fit(turned, "signed")
    steep = a[:20] > 1
    assert steep.sum() > 5
    assert (fitted.discrimination[:20][steep] < 0).all()
    assert np.corrcoef(fitted.ability, ability)[0, 1] > 0.97


def test_missing_cells_widen_the_errors(simulated):
    fitted, *_, responses = simulated
    holes = responses.copy()
    holes[:30, ::2] = model.MISSING
    less = fit.fit(holes)
    assert np.median(less.ability_se[:30] / fitted.ability_se[:30]) > 1.2
    assert np.median(less.ability_se[30:] / fitted.ability_se[30:]) < 1.1


def test_recovery_by_hand():
    """Errors 0.1, -0.1, 0.3 of abilities with standard errors of 0.1: one of three is beyond."""
    truth = pd.DataFrame({"ability": [-1.0, 0.0, 1.0]})
    abilities = pd.DataFrame({"ability": [-0.9, -0.1, 1.3], "ability_se": [0.1, 0.1, 0.1]})
    true_items = pd.DataFrame({"discrimination": [1.0, np.e], "difficulty": [0.0, 1.0]})
    items = pd.DataFrame({"discrimination": [1.0, np.e**2], "difficulty": [1.0, 1.5]})
    items = items.assign(discrimination_se=[0.5, 0.4 * np.e**2], difficulty_se=[0.6, 0.1])
    table = synthetic.recovery(items, abilities, true_items, truth).set_index("parameter")
    correlation = np.corrcoef([-1, 0, 1], [-0.9, -0.1, 1.3])[0, 1]
    expected = [3, correlation, np.sqrt(0.11 / 3), 0.1, 2 / 3]
    assert table.loc["ability"].tolist() == pytest.approx(expected)
    # An error of 1 in logs beside a relative standard error of 0.4.
    slope = table.loc["log_discrimination", ["n", "rmse", "mean_se", "coverage_95"]]
    assert slope.tolist() == pytest.approx([2, np.sqrt(0.5), 0.45, 0.5])
