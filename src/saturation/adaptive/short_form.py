"""A subset of a bank to take home: which items, what each stands for, and how to score them.

Items are chosen so that they stand for the bank (each for a group of items that are expected to be
answered alike over the range of abilities) and inform (of a group the item that informs most).
How well the bank's share right is predicted from them is tried on families of models that neither
the choice nor the items' parameters know of; the interval is as wide as those errors ask for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from saturation.adaptive.evaluation import Fold, accuracy, folds
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.floor import NONE, Guessing, believed, or_without
from saturation.adaptive.held_out import Excess, excess
from saturation.adaptive.model import (
    MISSING,
    Floats,
    Prior,
    Responses,
    information,
    log_odds,
    probability,
)
from saturation.adaptive.prediction import Items, Prediction, ability_missed, predicted
from saturation.adaptive.responses import Bank
from saturation.adaptive.subsets import Indices, WeightedSubset
from saturation.errors import InputError

FEWEST_FAMILIES = 5
FEWEST_ITEMS = 5
# Spread of the abilities' prior in those of the models known: a new model is often abler than all
# of them, and is not to be pulled back to their midst.
_WIDE = 3.0
# Places on the scale at which items are compared, and directions that are kept of them.
_PLACES, _DIRECTIONS = np.linspace(0.05, 0.95, 7), 3


@dataclass(frozen=True)
class ShortForm:
    """A subset of a bank, and what is needed to score a new model's answers to it.

    Attributes
    ----------
    bank
        Its name.
    names
        All items of the bank.
    items
        Their parameters, in the same order.
    asked
        Numbers of the subset's items, and the part of the bank that each stands for.
    share
        Part that is added of what asked items were answered better than expected.
    errors
        By how much errors of the share right on families left out exceed what the model states.
    random_error
        Standard error of the share right of as many random items, on the same models.
    worst_fit
        The least fit (:func:`fitness`) among the models of families left out.
    lowest, highest
        Abilities of the models that all this rests on.
    respondents, families
        How many these are.
    doubt
        What speaks against the model on this bank, as :mod:`saturation.adaptive.doubt` says.
    ability_errors
        By how much abilities on families left out miss those from all items, beyond what the model
        states; None in files of before this was tried.
    guessing
        The floor of guessing that the items were fitted with.
    """

    bank: str
    names: Sequence[str]
    items: Items
    asked: WeightedSubset
    share: float
    errors: Excess
    random_error: float
    worst_fit: float
    lowest: float
    highest: float
    respondents: int
    families: int
    doubt: str = ""
    ability_errors: Excess | None = None
    guessing: Guessing = NONE

    def predicted(self, cells: Responses) -> Prediction:
        """What answers to the subset say.

        Parameters
        ----------
        cells
            Models by items of the subset.
        """
        return predicted(cells, self.asked, self.items, self.share, NEW)


def prior_of(ability: Floats) -> Prior:
    """What is known of a new model before its first answer.

    Parameters
    ----------
    ability
        Of the models known.
    """
    return Prior(float(ability.mean()), _WIDE * float(ability.std()))


# On the scale of a fit, on which the abilities have mean 0 and standard deviation 1.
NEW = Prior(0.0, _WIDE)


def short_forms(
    name: str,
    bank: Bank,
    families: Sequence[str],
    sizes: Sequence[int],
    guessing: Guessing | None = None,
) -> list[ShortForm]:
    """Subsets of a bank, one a size.

    Parameters
    ----------
    name
        The bank's name.
    bank
        Its responses.
    families
        The family of each respondent.
    sizes
        Numbers of items.
    guessing
        The floor of guessing to use; None has it found, as :func:`fitted` says.

    Raises
    ------
    InputError
        If a size is none of this bank's, families are too few, the model cannot be fitted, or
        predicts worse than as many random items without it.
    """
    _check(bank, sizes)
    check_families(families)
    guessing, whole, parts = fitted(bank.responses, families, name, guessing)
    items = Items(whole.discrimination, whole.difficulty, whole.floor)
    forms = []
    for size in sizes:
        found = tried(bank.responses, parts, size)
        errors, random_error = found.errors, _random_error(bank, parts, size)
        if errors.least_rms() > random_error:
            raise InputError(_worse(name, size, errors, random_error))
        asked = chosen(items, whole.ability, size)
        forms.append(
            ShortForm(
                bank=name,
                names=bank.items,
                items=items,
                asked=asked,
                share=found.share,
                errors=errors,
                random_error=random_error,
                worst_fit=found.worst_fit,
                lowest=float(whole.ability.min()),
                highest=float(whole.ability.max()),
                respondents=len(bank.respondents),
                families=len(parts),
                ability_errors=found.ability_errors,
                guessing=guessing,
            )
        )
    return forms


class Fitted(NamedTuple):
    """The floor that is used, the fit of the whole bank, and those without one family each."""

    guessing: Guessing
    whole: Fit
    parts: list[Fold]


def fitted(
    responses: Responses, families: Sequence[str], name: str, guessing: Guessing | None
) -> Fitted:
    """Fit a bank, and without one family each.

    Parameters
    ----------
    responses
        Respondents by items.
    families
        The family of each respondent.
    name
        The bank's name, from which a random stream derives where `guessing` is None.
    guessing
        The floor of guessing to use; None has it found by :func:`believed`, and keeps the model
        without one where the other cannot be fitted without some family.

    Raises
    ------
    InputError
        If the model cannot be fitted.
    """

    def made(floor: float) -> tuple[Fit, list[Fold]]:
        whole = fit(responses, "positive", floor)
        return whole, folds(responses, families, whole.ability, "positive", floor)

    if guessing is None:
        found, parts = or_without(believed(responses, name), made)
        return Fitted(found, *parts)
    return Fitted(guessing, *made(guessing.value))


def _worse(name: str, size: int, errors: Excess, random_error: float) -> str:
    return (
        f"{name}: predictions from {size} items miss the share right of models of other families "
        f"by {errors.rms:.3f} (root mean square); the share right of {size} random items by "
        f"{random_error:.3f}. The model does not describe this bank: take random items"
    )


def _check(bank: Bank, sizes: Sequence[int]) -> None:
    wrong = [
        f"subset: {size} items; expected {FEWEST_ITEMS} to {len(bank.items) - 1}, one fewer than "
        "the bank has"
        for size in sizes
        if not FEWEST_ITEMS <= size < len(bank.items)
    ]
    if wrong:
        raise InputError(wrong)


def check_families(families: Sequence[str]) -> None:
    """Refuse a bank whose predictions cannot be tried on families left out.

    Parameters
    ----------
    families
        The family of each respondent.

    Raises
    ------
    InputError
        If there are fewer than :data:`FEWEST_FAMILIES`.
    """
    if len(set(families)) < FEWEST_FAMILIES:
        raise InputError(
            f"{len(set(families))} families of models; at least {FEWEST_FAMILIES} are needed, "
            "because predictions are tried on families left out"
        )


def chosen(items: Items, ability: Floats, size: int) -> WeightedSubset:
    """Items that stand for the bank and inform.

    Parameters
    ----------
    items
        Parameters of the bank.
    ability
        Abilities of the respondents, over whose range items are compared.
    size
        Number of items.

    Returns
    -------
    WeightedSubset
        The bank is cut in two again and again, across the direction in which the chances of a
        right answer differ most between its items, into as many parts of nearly equal size; each
        gives the item that informs most on average over the respondents.
    """
    curves = probability(np.quantile(ability, _PLACES), *items).T
    left, size_of, right = np.linalg.svd(curves - curves.mean(axis=0), full_matrices=False)
    # A direction's sign is the library's choice; which items go together must not be.
    sign = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
    space = (left * size_of * sign)[:, :_DIRECTIONS]
    informs = information(ability, *items).mean(axis=0)
    groups = _cut(space, np.arange(len(space)), size)
    best = np.array([group[informs[group].argmax()] for group in groups])
    weights = np.array([len(group) for group in groups]) / len(space)
    order = np.argsort(best)
    return WeightedSubset(best[order], weights[order])


def _cut(space: Floats, group: Indices, parts: int) -> list[Indices]:
    """Parts of a group of items, of nearly the same size."""
    if parts == 1:
        return [group]
    widest = space[group].std(axis=0).argmax()
    order = group[np.argsort(space[group, widest], kind="stable")]
    first = parts // 2
    at = round(len(group) * first / parts)
    return [*_cut(space, order[:at], first), *_cut(space, order[at:], parts - first)]


class Tried(NamedTuple):
    """What a subset is worth on families left out.

    Attributes
    ----------
    share
        The share of the excess that predicts best (least squares, families weighing the same).
    errors, ability_errors
        By how much errors of the share right, and of abilities beside those from all items, exceed
        what is stated.
    worst_fit
        The least fit of a respondent.
    """

    share: float
    errors: Excess
    ability_errors: Excess
    worst_fit: float


def tried(responses: Responses, parts: Sequence[Fold], size: int) -> Tried:
    """Predictions for every family from items that do not know it.

    Parameters
    ----------
    responses
        Respondents by items.
    parts
        One family held out each.
    size
        Number of items.
    """
    subsets = [chosen(fold.items, fold.training_ability, size) for fold in parts]
    truth = [accuracy(responses[fold.rows]) for fold in parts]

    def predictions(share: float) -> list[Prediction]:
        return [
            predicted(
                responses[fold.rows][:, subset.items],
                subset,
                fold.items,
                share,
                prior_of(fold.training_ability),
            )
            for fold, subset in zip(parts, subsets, strict=True)
        ]

    plain = predictions(0.0)
    pairs = [(one.excess, right - one.expected) for one, right in zip(plain, truth, strict=True)]
    square = float(np.mean([np.mean(gain**2) for gain, _ in pairs]))
    product = float(np.mean([np.mean(gain * lack) for gain, lack in pairs]))
    share = float(np.clip(product / square, 0.0, 1.0)) if square > 0 else 0.0
    final = predictions(share)
    missed = [one.accuracy(share) - right for one, right in zip(final, truth, strict=True)]
    fits = [
        fitness(responses[fold.rows][:, subset.items], one.ability, fold.items.part(subset.items))
        for fold, subset, one in zip(parts, subsets, final, strict=True)
    ]
    abilities = [
        ability_missed(
            responses[fold.rows],
            one.ability,
            one.ability_se,
            fold.items,
            prior_of(fold.training_ability),
        )
        for fold, one in zip(parts, final, strict=True)
    ]
    return Tried(
        share,
        excess(missed, [one.error for one in final]),
        excess(*zip(*abilities, strict=True)),
        float(min(fit.min() for fit in fits)),
    )


def fitness(cells: Responses, ability: Floats, items: Items) -> Floats:
    """How likely answers are beside what the model expects of its own (l_z, Drasgow 1985).

    Parameters
    ----------
    cells
        Models by items.
    ability
        One value a model.
    items
        Parameters of these items.

    Returns
    -------
    numpy.ndarray
        Log-likelihood less its expectation, in its standard deviations: far below 0 for answers
        that are right where the model expects wrong ones and the other way round.
    """
    chance = probability(ability, *items)
    logit = np.where(cells == MISSING, 0.0, log_odds(ability, *items))
    spread = chance * (1.0 - chance)
    # log-likelihood less expectation: (x - p) times the log odds, item by item
    away = (np.where(cells == MISSING, chance, cells) - chance) * logit
    variance = (spread * logit**2).sum(axis=1)
    return np.asarray(away.sum(axis=1) / np.sqrt(np.where(variance > 0, variance, 1.0)))


def _random_error(bank: Bank, parts: Sequence[Fold], size: int) -> float:
    """Root mean square error of the share right of random items, families weighing the same."""
    right = accuracy(bank.responses)
    square = right * (1.0 - right) / size * (1.0 - size / len(bank.items))
    return float(np.sqrt(np.mean([square[fold.rows].mean() for fold in parts])))
