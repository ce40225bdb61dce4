"""Made-up models and their answers, for simulations and tests."""

import numpy as np
import pandas as pd

from saturation.adaptive.model import Responses, probability
from saturation.arrays import Floats

# Training as the real trajectories show it: a start near chance, then most of the gain early.
_PROGRESS = (0.0, 0.55, 0.75, 0.9, 1.0)


def respondents(families: int, models_per_family: int) -> pd.DataFrame:
    """Table of made-up respondents: each model at all checkpoints."""
    rows = [
        (f"synthetic-{family}-{model}_{place}", f"synthetic-{family}-{model}", family, place)
        for family in (f"family{number + 1}" for number in range(families))
        for model in range(1, models_per_family + 1)
        for place in range(1, len(_PROGRESS) + 1)
    ]
    return pd.DataFrame(rows, columns=["respondent", "model", "family", "checkpoint"])


def trajectories(table: pd.DataFrame, random: np.random.Generator) -> Floats:
    """Abilities over training, standardised: models differ in where they end."""
    models = table["model"].unique()
    end = dict(zip(models, random.gamma(2.0, 1.0, len(models))))
    start = dict(zip(models, random.normal(-0.5, 0.1, len(models))))
    progress = np.array(_PROGRESS)[table["checkpoint"] - 1]
    first, last = table["model"].map(start).to_numpy(), table["model"].map(end).to_numpy()
    ability = first + progress * (last - first)
    return np.asarray((ability - ability.mean()) / ability.std())


def draw(
    ability: Floats, discrimination: Floats, difficulty: Floats, random: np.random.Generator
) -> Responses:
    """One response matrix under the two-parameter model."""
    chance = probability(ability, discrimination, difficulty)
    return (random.random(chance.shape) < chance).astype(np.int8)
