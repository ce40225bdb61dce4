"""The error of a difference for other items and other raters, where all components are known."""

from functools import partial

import numpy as np
import pandas as pd

from saturation.leaderboard import raters
from validation.check import COVERAGE, Check, Rng, repeated

MODELS, ITEMS = 4, 40
# Standard deviations: of items and raters by themselves, and with the models, and of the rest.
ITEM, RATER, MODEL_ITEM, REST = 1.0, 1.0, 0.5, 0.6


def _contains(number: int, model_rater: float, rng: Rng) -> bool:
    """The interval contains the true error of a difference of two models."""
    scores = (
        rng.normal(0, ITEM, (1, ITEMS, 1))
        + rng.normal(0, RATER, (1, 1, number))
        + rng.normal(0, MODEL_ITEM, (MODELS, ITEMS, 1))
        + rng.normal(0, model_rater, (MODELS, 1, number))
        + rng.normal(0, REST, (MODELS, ITEMS, number))
    )
    axes = [range(size) for size in scores.shape]
    index = pd.MultiIndex.from_product(axes, names=["model", "item", "rater"])
    found = raters.graded(pd.Series(scores.ravel(), index, name="response").reset_index())
    parts = MODEL_ITEM**2 / ITEMS + model_rater**2 / number + REST**2 / (ITEMS * number)
    return bool(found.lower <= np.sqrt(2 * parts) <= found.upper)


CHECKS = tuple(
    Check(
        f"raters_{name}", "leaderboard.raters.graded",
        "the 95 % interval contains the error of a difference for other items and raters",
        f"{MODELS} models, {ITEMS} items, {number} raters, of whom each differs by model with a "
        f"standard deviation of {spread:g}",
        **COVERAGE, data_sets=1000, simulate=repeated(partial(_contains, number, spread)),
    )
    for name, number, spread in (("three", 3, 0.3), ("five", 5, 0.3), ("alike", 5, 0.0))
)  # fmt: skip
