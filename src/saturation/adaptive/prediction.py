"""A model's share right on a whole bank, predicted from its answers to some of the items.

Items that were asked count as answered, the others as the item response model expects of the
model's ability. To that a share of what the asked items were answered better or worse than
expected is added, each by the part of the bank that it stands for: what one ability cannot say of
a model shows there (a model-assisted estimate, Saerndal, Swensson and Wretman 1992; with the full
share it needs no model to be right, with none it is the model's own).
"""

from typing import NamedTuple

import numpy as np

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import (
    MISSING,
    STANDARD,
    Floats,
    Prior,
    Responses,
    answer_weight,
    probability,
)
from saturation.adaptive.subsets import Indices, WeightedSubset

# Of an ability's variance, what is left to miss where nearly all items were asked.
_LEAST = 0.01


class Items(NamedTuple):
    """Parameters of a whole bank, one value an item, and the floor of all.

    In the order in which :mod:`saturation.adaptive.model` takes them.
    """

    discrimination: Floats
    difficulty: Floats
    floor: float = 0.0

    def part(self, chosen: Indices) -> "Items":
        """Parameters of some items.

        Parameters
        ----------
        chosen
            Their numbers.
        """
        return Items(self.discrimination[chosen], self.difficulty[chosen], self.floor)

    def ability(self, responses: Responses, prior: Prior = STANDARD) -> tuple[Floats, Floats]:
        """Abilities from answers to all of these items, and their standard errors.

        Parameters
        ----------
        responses
            Respondents by items.
        prior
            Of the abilities.
        """
        return map_ability(responses, self.discrimination, self.difficulty, prior, self.floor)


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


def ability_missed(
    responses: Responses, ability: Floats, ability_se: Floats, items: Items, prior: Prior
) -> tuple[Floats, Floats]:
    """By how much abilities from some items miss those from all, and the standard errors of that.

    Parameters
    ----------
    responses
        Respondents by all items of the bank.
    ability, ability_se
        From those asked.
    items
        Parameters of the bank.
    prior
        Of the abilities.

    Returns
    -------
    tuple
        One value a respondent each. All items hold those asked: what is left to miss has the
        difference of the variances, if the model holds.
    """
    whole, whole_se = items.ability(responses, prior)
    left = np.maximum(ability_se**2 - whole_se**2, _LEAST * ability_se**2)
    return ability - whole, np.sqrt(left)


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
    seen = cells != MISSING
    ability, ability_se = items.part(asked.items).ability(cells, prior)
    chance, counts = probability(ability, *items), answer_weight(ability, *items)
    spread = chance * (1.0 - chance)
    size = chance.shape[1]
    residual = np.where(seen, cells - chance[:, asked.items], 0.0)
    weight = np.where(seen, asked.weights, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    left = 1.0 - seen.sum(axis=1, keepdims=True) / size
    weight = left * weight / np.where(total > 0, total, 1.0)
    # What a small step in ability changes, of items not asked and of the excess.
    slope = spread * counts
    unasked = slope.sum(axis=1) - np.where(seen, slope[:, asked.items], 0.0).sum(axis=1)
    lever = unasked / size - share * (weight * slope[:, asked.items]).sum(axis=1)
    moved = (lever * ability_se**2)[:, None] * counts[..., asked.items] + share * weight
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
        # Of a bank that is asked to its end there is nothing left to miss but rounding.
        np.sqrt(np.where(left[:, 0] > 0, variance, 0.0)),
    )
