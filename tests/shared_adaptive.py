"""What the study's tests share: one small bank, evaluated once."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from saturation.adaptive import folds
from studies.adaptive import evaluation
from validation import answers as made_up


@pytest.fixture(scope="session")
def evaluated():
    """Respondents, responses, folds, evaluation and measures of a bank with 160 items."""
    random = np.random.default_rng(5)
    people = made_up.respondents(3, 2)
    ability = made_up.trajectories(people, random)
    a, b = np.exp(random.normal(0.2, 0.5, 160)), random.normal(0.3, 1, 160)
    responses = made_up.draw(ability, a, b, random)
    parts = folds.folds(responses, people["family"].tolist(), ability)
    settings = evaluation.Settings(sizes=(10, 50), draws=6)
    done = evaluation.evaluate(responses, parts, settings, np.random.default_rng(0))
    models = evaluation.summarise_models(done.scores, people, {"itself": ability})
    return people, responses, parts, done, models


@pytest.fixture(autouse=True)
def _closed():
    """Figures are closed after a test."""
    yield
    plt.close("all")
