"""Synthetic item banks with known truth: item parameters drawn as fitted on real responses."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive.model import Floats, Responses, probability
from saturation.adaptive.responses import Bank
from saturation.statistics import intervals

# Training as the real trajectories show it: a start near chance, then most of the gain early.
_PROGRESS = (0.0, 0.55, 0.75, 0.9, 1.0)
_BANK_NOISE = 0.15


class Synthetic(NamedTuple):
    """A synthetic bank with its truth."""

    bank: Bank
    true_items: pd.DataFrame
    true_abilities: pd.DataFrame


def bank(
    name: str, like: Mapping[str, float], n_items: int, table: pd.DataFrame, seed: int
) -> Synthetic:
    """One bank: every bank of a seed is answered by the same respondents."""
    shared = trajectories(table, seeds.generator(seed, "adaptive", "synthetic", "trajectories"))
    random = seeds.generator(seed, "adaptive", "synthetic", name)
    ability = bank_abilities(shared, random)
    a, b = item_parameters(n_items, like, random)
    items = [f"{name}_{number}" for number in range(1, n_items + 1)]
    drawn = Bank(table["respondent"].tolist(), items, draw(ability, a, b, random))
    true_items = pd.DataFrame({"item": items, "discrimination": a, "difficulty": b})
    true_abilities = pd.DataFrame({"respondent": drawn.respondents, "ability": ability})
    return Synthetic(
        drawn, true_items.assign(synthetic=True), true_abilities.assign(synthetic=True)
    )


def respondents(families: int, models_per_family: int) -> pd.DataFrame:
    """Table of synthetic respondents: each model at all checkpoints."""
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


_QUANTILE = intervals.normal_quantile(0.95)


def recovery(
    items: pd.DataFrame, abilities: pd.DataFrame, true_items: pd.DataFrame, truth: pd.DataFrame
) -> pd.DataFrame:
    """Correlation, RMSE and coverage of the 95 % intervals for each kind of parameter.

    Discrimination is compared in logs, where its error is symmetric.
    """
    slope = items["discrimination"]
    compared = {
        "ability": (truth["ability"], abilities["ability"], abilities["ability_se"]),
        "log_discrimination": (
            np.log(true_items["discrimination"]),
            np.log(slope),
            items["discrimination_se"] / slope,
        ),
        "difficulty": (true_items["difficulty"], items["difficulty"], items["difficulty_se"]),
    }
    rows = []
    for name, (true, estimate, se) in compared.items():
        error = estimate - true
        rows.append(
            {
                "parameter": name,
                "n": len(true),
                "correlation": float(np.corrcoef(true, estimate)[0, 1]),
                "rmse": float(np.sqrt(np.mean(error**2))),
                "mean_se": float(np.mean(se)),
                "coverage_95": float(np.mean(np.abs(error) <= _QUANTILE * se)),
            }
        )
    return pd.DataFrame(rows)
