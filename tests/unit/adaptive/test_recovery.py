import numpy as np
import pytest

from saturation.adaptive import fit, model
from validation import answers as made_up

PERSONS, ITEMS = 60, 300


@pytest.fixture(scope="module")
def simulated():
    """A bank that the model is true of: its fit, abilities, items and responses."""
    random = np.random.default_rng(1)
    ability = random.normal(size=PERSONS)
    ability = (ability - ability.mean()) / ability.std()
    a, b = np.exp(random.normal(0.2, 0.7, ITEMS)), random.normal(0.5, 1.1, ITEMS)
    responses = made_up.draw(ability, a, b, random)
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
