"""Items fitted without each family of models in turn, and scores that need no fit."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from saturation.adaptive.fit import fit
from saturation.adaptive.model import MISSING, Prior, Responses, link
from saturation.adaptive.short_form import WIDE
from saturation.adaptive.subsets import Items, WeightedSubset
from saturation.arrays import Floats, Integers
from saturation.errors import InputError

log = logging.getLogger(__name__)
FEWEST_FAMILIES = 5


@dataclass(frozen=True)
class Fold:
    """Family held out: its rows, the remaining rows, and items fitted on the remaining rows."""

    rows: Integers
    training: Integers
    items: Items
    training_ability: Floats

    @property
    def prior(self) -> Prior:
        """Prior for a held-out model before its first answer."""
        return Prior(self.training_ability.mean(), WIDE * self.training_ability.std())

    def ability(self, responses: Responses, chosen: Integers, prior: Prior) -> Floats:
        """Abilities of the held-out rows from the chosen items."""
        return self.items.part(chosen).ability(responses[self.rows][:, chosen], prior)[0]


def check_families(families: Sequence[str]) -> None:
    """Refuse a bank whose predictions cannot be tried on families left out."""
    if len(set(families)) < FEWEST_FAMILIES:
        raise InputError(
            f"{len(set(families))} families of models; at least {FEWEST_FAMILIES} are needed, "
            "because predictions are tried on families left out"
        )


def folds(
    responses: Responses,
    families: Sequence[str],
    reference: Floats,
    floor: float = 0.0,
) -> list[Fold]:
    """Fit the items once per family held out, linked to the reference abilities."""
    names = np.asarray(families, object)
    held_out = []
    for place, family in enumerate(dict.fromkeys(families), start=1):
        log.info("fitting the items without family %d of %d", place, len(set(families)))
        rows, training = np.flatnonzero(names == family), np.flatnonzero(names != family)
        try:
            fitted = fit(responses[training], floor)
        except InputError as error:
            raise InputError(f"without the family '{family}': {error}") from error
        slope, intercept = link(fitted.ability, reference[training])
        held_out.append(
            Fold(
                rows,
                training,
                Items.extract(fitted).linked(slope, intercept),
                slope * fitted.ability + intercept,
            )
        )
    return held_out


def weighted_accuracy(responses: Responses, subset: WeightedSubset) -> Floats:
    """Share right of the bank, asked items weighing as much as they stand for."""
    cells = responses[:, subset.items]
    weight = np.where(cells != MISSING, subset.weights, 0.0)
    total = weight.sum(axis=1)
    share = (weight * (cells == 1)).sum(axis=1) / np.where(total > 0, total, 1.0)
    return np.asarray(subset.right + subset.weights.sum() * share)
