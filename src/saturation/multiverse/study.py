"""The multiverse in one call, for a notebook or a test: the tables of all its stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from saturation.index import EPSILON
from saturation.multiverse import joint
from saturation.multiverse.data import Data
from saturation.multiverse.evaluation import evaluate, orders_of
from saturation.multiverse.specifications import all_conclusions


@dataclass(frozen=True)
class Settings:
    """What a multiverse is made of.

    Attributes
    ----------
    choices
        Lists of choices, as in the config section ``multiverse``.
    specifications
        Specifications of a conclusion.
    permutations
        Permutations of the joint test.
    level
        Significance level.
    epsilon
        Stabilisation of the denominator of R_norm.
    seed
        The one seed of the config.
    size
        Name under which specifications and permutations are drawn, ``reduced`` or ``full``.
    """

    choices: Mapping[str, Any]
    specifications: int = 200
    permutations: int = 199
    level: float = 0.05
    epsilon: float = EPSILON
    seed: int = 1
    size: str = "reduced"


def study(
    benchmarks: pd.DataFrame, top_scores: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """Tables by name: ``specifications, curve, joint, choices, quantities``.

    Parameters
    ----------
    benchmarks, top_scores
        The study's prepared tables (scores as proportions).
    settings
        The choices and their effort.
    """
    data = Data.of(benchmarks, top_scores, settings.choices, settings.epsilon)
    table = all_conclusions(
        data, settings.choices, settings.specifications, settings.seed, settings.size
    ).reset_index(drop=True)
    orders = orders_of(data, settings.permutations, settings.seed, settings.size)
    effect, z = evaluate(data, table, orders)
    evaluated = table.assign(effect=effect[:, 0], z=z[:, 0])
    # The null in single precision, as the stages store it.
    null_effect, null_z = effect[:, 1:].astype("float32"), z[:, 1:].astype("float32")
    judged = joint.tables(evaluated, null_effect, null_z, settings.level)
    return {"specifications": table, **judged}
