"""A model's share right on a whole bank, predicted from its answers to some of the items.

Items that were asked count as answered, the others as the two-parameter model expects of the
model's ability. To that a share of what the asked items were answered better or worse than
expected is added, each by the part of the bank that it stands for: what one ability cannot say of
a model shows there (a model-assisted estimate, Saerndal, Swensson and Wretman 1992; with the full
share it needs no model to be right, with none it is the model's own).
"""

from typing import NamedTuple

import numpy as np

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import MISSING, STANDARD, Floats, Prior, Responses, probability
from saturation.adaptive.subsets import WeightedSubset


class Items(NamedTuple):
    """Parameters of a whole bank, one value an item."""

    discrimination: Floats
    difficulty: Floats


class Prediction(NamedTuple):
    """What is predicted of each respondent.

    Attributes
    ----------
    ability, ability_se
        From the asked items, and their standard errors if the model holds.
    expected
        Share right of the whole bank: the asked items as answered, the others as expected.
    excess
        Weighted mean of what asked items were answered better than expected, for the part of the
        bank that was not asked.
    error
        Standard errors of `expected` plus `share` times `excess`, if the model holds.
    """

    ability: Floats
    ability_se: Floats
    expected: Floats
    excess: Floats
    error: Floats

    def accuracy(self, share: float) -> Floats:
        """Share right of the whole bank.

        Parameters
        ----------
        share
            Part of the excess that is added.
        """
        return np.asarray(np.clip(self.expected + share * self.excess, 0.0, 1.0))


def predicted(
    cells: Responses,
    asked: WeightedSubset,
    items: Items,
    share: float = 0.0,
    prior: Prior = STANDARD,
) -> Prediction:
    """Predict each respondent's share right.

    Parameters
    ----------
    cells
        Respondents by asked items; what is missing counts as not asked.
    asked
        Numbers of these items in the bank, and the part of the bank that each stands for.
    items
        Parameters of the bank.
    share
        Part of the excess that the errors reckon with.
    prior
        Of the abilities.

    Returns
    -------
    Prediction
        Errors are those of a first-order expansion in the answers: asked items move the ability
        and count themselves; items not asked vary about what is expected of them.
    """
    a, b = items.discrimination[asked.items], items.difficulty[asked.items]
    seen = cells != MISSING
    ability, ability_se = map_ability(cells, a, b, prior)
    chance = probability(ability, *items)
    spread = chance * (1.0 - chance)
    size = chance.shape[1]
    residual = np.where(seen, cells - chance[:, asked.items], 0.0)
    weight = np.where(seen, asked.weights, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    left = 1.0 - seen.sum(axis=1, keepdims=True) / size
    weight = left * weight / np.where(total > 0, total, 1.0)
    # What a small step in ability changes, of items not asked and of the excess.
    slope = spread * items.discrimination
    unasked = slope.sum(axis=1) - np.where(seen, slope[:, asked.items], 0.0).sum(axis=1)
    lever = unasked / size - share * (weight * slope[:, asked.items]).sum(axis=1)
    moved = (lever * ability_se**2)[:, None] * a + share * weight
    seen_spread = np.where(seen, spread[:, asked.items], 0.0)
    variance = (
        (moved**2 * seen_spread).sum(axis=1)
        + (spread.sum(axis=1) - seen_spread.sum(axis=1)) / size**2
        + (lever * ability_se**2 / prior.sd) ** 2
    )
    return Prediction(
        ability,
        ability_se,
        (chance.sum(axis=1) + residual.sum(axis=1)) / size,
        (weight * residual).sum(axis=1),
        np.sqrt(variance),
    )
