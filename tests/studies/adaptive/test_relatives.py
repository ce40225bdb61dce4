"""Jackknife errors over families: by hand, and what they do where relatives hang together."""

import numpy as np
import pytest
from scipy import stats

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.evaluation import folds
from saturation.adaptive.fit import fit
from saturation.errors import InputError
from studies.adaptive.relatives import clustered
from validation import adaptive as simulation

MODELS = simulation.MODELS


@pytest.fixture(scope="module")
def made():
    _, _, responses = simulation.checkpoints(np.random.default_rng(2))
    fitted = fit(responses)
    return responses, fitted, clustered(responses, fitted, MODELS)


def test_errors_are_those_of_fits_without_one_family_each(made):
    responses, fitted, found = made
    parts = folds(responses, MODELS, fitted.ability, "positive")
    difficulty = np.array([fold.items.difficulty for fold in parts])
    jack = np.sqrt(11 / 12 * np.square(difficulty - difficulty.mean(axis=0)).sum(axis=0))
    np.testing.assert_allclose(found.difficulty_se, np.maximum(jack, fitted.difficulty_se))
    assert (found.log_discrimination_se >= fitted.discrimination_se / fitted.discrimination).all()
    known = map_ability(responses, fitted.discrimination, fitted.difficulty)[1]
    assert (found.ability_se > known).all()
    carried = np.sqrt(found.ability_se**2 - known**2)
    np.testing.assert_allclose(
        found.ability_degrees, 11 * (found.ability_se / carried) ** 4, rtol=1e-6
    )
    # Item effects that a model's checkpoints share widen the errors of difficulties.
    assert np.median(found.difficulty_se / fitted.difficulty_se) > 1.05


def test_intervals_are_student_s(made):
    responses, fitted, found = made
    with pytest.raises(InputError, match="4 families of models; at least 5"):
        clustered(responses, fitted, [str(row % 4) for row in range(60)])
    assert found.degrees == 11
    np.testing.assert_allclose(
        found.difficulty_reach(), stats.t.ppf(0.975, 11) * found.difficulty_se
    )
    assert (found.ability_reach(0.9) < found.ability_reach()).all()
    assert (found.ability_reach() < stats.t.ppf(0.975, 11) * found.ability_se).all()
