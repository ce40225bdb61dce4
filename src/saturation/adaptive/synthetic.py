"""Synthetic item banks with known truth: item parameters drawn as fitted on real responses."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from saturation.adaptive.model import Floats, Responses, probability

# Training as the real trajectories show it: a start near chance, then most of the gain early.
_PROGRESS = (0.0, 0.55, 0.75, 0.9, 1.0)
_CHECKPOINT_NOISE = 0.05
_BANK_NOISE = 0.15


def respondents(families: int, models_per_family: int) -> pd.DataFrame:
    """Table of synthetic respondents: each model at five checkpoints."""
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
    return _standard(first + progress * (last - first))


def bank_abilities(abilities: Floats, random: np.random.Generator) -> Floats:
    """One bank's abilities: the shared ones with the bank's own deviations, standardised."""
    return _standard(abilities + random.normal(0.0, _BANK_NOISE, len(abilities)))


def item_parameters(
    n_items: int, distribution: Mapping[str, float], random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Discrimination (log-normal) and difficulty (normal), correlated as fitted."""
    first, second = random.standard_normal((2, n_items))
    rho = distribution["correlation"]
    log_slope = distribution["log_discrimination_mean"] + (
        distribution["log_discrimination_sd"] * first
    )
    difficulty = distribution["difficulty_mean"] + distribution["difficulty_sd"] * (
        rho * first + np.sqrt(1 - rho**2) * second
    )
    return np.exp(log_slope), difficulty


def draw(
    ability: Floats, discrimination: Floats, difficulty: Floats, random: np.random.Generator
) -> Responses:
    """One response matrix under the model."""
    chance = probability(ability, discrimination, difficulty)
    return (random.random(chance.shape) < chance).astype(np.int8)


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std())
