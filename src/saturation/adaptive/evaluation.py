"""Evaluation strategies compared: who selects the items, who scores, and how good it is.

For each family of models, item parameters are fitted without that family and its models are then
evaluated; the abilities of each fit are linked to the scale of the fit on all respondents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation import seeds
from saturation.adaptive import administration, quality
from saturation.adaptive import fit as item_fit
from saturation.adaptive import model as item_model
from saturation.adaptive import subsets as item_subsets
from saturation.adaptive.abilities import NO_ITEM
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.model import Floats, Responses
from saturation.adaptive.prediction import Items
from saturation.adaptive.quality import Key
from saturation.adaptive.responses import Bank
from saturation.adaptive.subsets import Indices
from saturation.errors import InputError

ANCHOR_SIZES = (10, 50)
CLUSTER_SIZE = 100
FILTER_SIZE = 143
EASY_FROM = {"hard_smart": 0.8, "hard_magi": 0.5}
# Draws of random subsets whose scores are kept.
DRAWS_KEPT = 5
# Items of each test whose median difficulty says whether the test adapts.
FIRST_ITEMS = 50


@dataclass(frozen=True)
class Settings:
    """What is compared, and how abilities are estimated.

    Attributes
    ----------
    sizes, draws
        Sizes of the subsets, and random subsets of each.
    slopes
        The sign that slopes may have.
    prior
        Of the abilities that are evaluated: a normal distribution with the mean and the spread of
        the training abilities, or the standard normal one. The first item of an adaptive test is
        chosen at the training abilities' mean in either case.
    limits
        No ability is estimated beyond these two, if there are any.
    """

    sizes: Sequence[int]
    draws: int
    slopes: Slopes = "positive"
    prior: Literal["training", "standard"] = "training"
    limits: tuple[float, float] | None = None

    def priors(self, training: Floats) -> item_model.Prior:
        """What is known of a model before its first item.

        Parameters
        ----------
        training
            Abilities of the models that the items were fitted on.
        """
        moments = (training.mean(), training.std()) if self.prior == "training" else (0.0, 1.0)
        return item_model.Prior(*map(float, (*moments, *(self.limits or (-np.inf, np.inf)))))


@dataclass(frozen=True)
class Calibration:
    """Items and the abilities of the respondents that they were fitted on.

    Attributes
    ----------
    items
        Rows with `discrimination` and `difficulty`, in the bank's order.
    ability
        One value a respondent.
    """

    items: pd.DataFrame
    ability: Floats


@dataclass(frozen=True)
class Fold:
    """One family held out: its rows, the others' rows, and items fitted on the others.

    The floor is that which the items were fitted with.
    """

    rows: Indices
    training: Indices
    discrimination: Floats
    difficulty: Floats
    training_ability: Floats
    floor: float = 0.0

    @property
    def items(self) -> Items:
        """The items' parameters."""
        return Items(self.discrimination, self.difficulty, self.floor)

    def ability(self, responses: Responses, chosen: Indices, prior: item_model.Prior) -> Floats:
        """Abilities of the held-out rows from the chosen items.

        Parameters
        ----------
        responses
            All respondents by items, 0 or 1.
        chosen
            Numbers of the items that are given.
        prior
            Of the abilities.
        """
        return self.items.part(chosen).ability(responses[self.rows][:, chosen], prior)[0]


def known_fold(respondents: int, known: Calibration) -> Fold:
    """All respondents on item parameters from elsewhere.

    There are no training responses, so that baselines that select by responses fall away.

    Parameters
    ----------
    respondents
        Number of respondents.
    known
        The items, and the abilities of the models that they rest on.
    """
    return Fold(
        np.arange(respondents),
        np.empty(0, dtype=np.int64),
        known.items["discrimination"].to_numpy(float),
        known.items["difficulty"].to_numpy(float),
        known.ability,
    )


@dataclass(frozen=True)
class Evaluated:
    """Scores by method, size and draw; and the adaptive tests behind the fluid scores.

    `stopped` is the number of items until a test is as precise as the stopping rule asks, or the
    whole test's.
    """

    scores: dict[Key, Floats]
    administrations: administration.Administrations
    stopped: npt.NDArray[np.int64]


class Tables(NamedTuple):
    """What an evaluation gives, by the names of its files."""

    administrations: pd.DataFrame
    models: pd.DataFrame
    quality: pd.DataFrame
    scores: pd.DataFrame
    stopping: pd.DataFrame


def tables(
    name: str,
    bank: Bank,
    respondents: pd.DataFrame,
    whole: Calibration,
    known: Calibration | None,
    partners: Mapping[str, Floats],
    settings: Settings,
    seed: int,
) -> Tables:
    """Evaluate a bank's respondents by every method.

    Parameters
    ----------
    name
        The bank's name, from which the random streams derive.
    bank
        Its responses.
    respondents
        Its respondents with model, family and checkpoint, in the bank's order.
    whole
        The fit on all respondents.
    known
        Items from elsewhere that are tested on in its place, families not held out.
    partners
        Accuracies of the same respondents on the benchmarks that judge validity.
    settings
        What is compared.
    seed
        The seed of the run.
    """
    parts = (
        folds(bank.responses, respondents["family"].tolist(), whole.ability, settings.slopes)
        if known is None
        else [known_fold(len(respondents), known)]
    )
    evaluated = evaluate(
        bank.responses, parts, settings, seeds.generator(seed, "adaptive", "evaluate", name)
    )
    models = quality.by_model(evaluated.scores, respondents, partners)
    return Tables(
        administrations=_administration_table(evaluated.administrations, bank),
        models=models,
        quality=quality.summarise(models, seeds.generator(seed, "adaptive", "intervals", name)),
        scores=_score_table(evaluated.scores, respondents),
        stopping=_stopping_table(evaluated, bank, whole.ability, (known or whole).items),
    )


def folds(
    responses: Responses,
    families: Sequence[str],
    reference: Floats,
    slopes: Slopes,
    floor: float = 0.0,
) -> list[Fold]:
    """Fit the items once per family, without it, linked to the reference abilities.

    Parameters
    ----------
    responses
        Respondents by items.
    families
        The family of each respondent.
    reference
        Abilities of all respondents, whose scale every fit is brought to.
    slopes
        The sign that slopes may have.
    floor
        Chance of a right answer by guessing, for all items.
    """
    names = np.asarray(families, dtype=object)
    held_out = []
    for family in dict.fromkeys(families):
        rows, training = np.flatnonzero(names == family), np.flatnonzero(names != family)
        fit = _fitted_without(family, responses[training], slopes, floor)
        slope, intercept = item_model.link(fit.ability, reference[training])
        held_out.append(
            Fold(
                rows,
                training,
                fit.discrimination / slope,
                slope * fit.difficulty + intercept,
                slope * fit.ability + intercept,
                floor,
            )
        )
    return held_out


def _fitted_without(
    family: str, responses: Responses, slopes: Slopes, floor: float
) -> item_fit.Fit:
    """The fit of the other families' responses; what it refuses names the family."""
    try:
        return item_fit.fit(responses, slopes, floor)
    except InputError as error:
        raise InputError(f"without the family '{family}': {error}") from error


def evaluate(
    responses: Responses, parts: list[Fold], settings: Settings, random: np.random.Generator
) -> Evaluated:
    """Score every respondent by every method.

    Methods: accuracy on all items; accuracy (`random`) and ability (`random_irt`) on random
    subsets that all respondents share; adaptive tests (`fluid`); and the baselines of
    :mod:`saturation.adaptive.subsets`. `fluid` is also read off at each baseline's size.

    Parameters
    ----------
    responses
        Respondents by items.
    parts
        Folds that together hold every respondent once.
    settings
        What is compared.
    random
        Draws random subsets and what the baselines start from.
    """
    persons, bank_size = responses.shape
    sizes = [size for size in settings.sizes if size <= bank_size]
    subsets = {
        size: item_subsets.random_subsets(bank_size, size, settings.draws, random) for size in sizes
    }
    scores: dict[Key, Floats] = {("full_accuracy", bank_size, 0): accuracy(responses)}
    for size, draws in subsets.items():
        for draw, chosen in enumerate(draws):
            scores["random", size, draw] = accuracy(responses[:, chosen])
    length = min(bank_size, max([*settings.sizes, FILTER_SIZE]))
    administered = administration.nothing_given(persons, length)
    stopped = np.empty(persons, dtype=np.int64)
    for fold in parts:
        prior = settings.priors(fold.training_ability)
        for key, values in _static_scores(responses, fold, prior, subsets, random):
            scores.setdefault(key, np.full(persons, np.nan))[fold.rows] = values
        stopped[fold.rows] = _administered(responses, fold, prior, administered)
    for size in sorted({*sizes, *_baseline_sizes(bank_size)}):
        scores["fluid", size, 0] = administered.ability[:, size - 1]
    return Evaluated(scores, administered, stopped)


def _baseline_sizes(bank_size: int) -> list[int]:
    return [size for size in (*ANCHOR_SIZES, CLUSTER_SIZE, FILTER_SIZE) if size <= bank_size]


def _static_scores(
    responses: Responses,
    fold: Fold,
    prior: item_model.Prior,
    subsets: Mapping[int, Indices],
    random: np.random.Generator,
) -> Iterator[tuple[Key, Floats]]:
    held_out, a, b = responses[fold.rows], fold.discrimination, fold.difficulty
    bank_size = responses.shape[1]
    for size, draws in subsets.items():
        for draw, chosen in enumerate(draws):
            yield ("random_irt", size, draw), fold.ability(responses, chosen, prior)
    yield ("full_irt", bank_size, 0), fold.ability(responses, np.arange(bank_size), prior)
    for size in ANCHOR_SIZES if len(fold.training) else ():
        if size <= bank_size:
            points = item_subsets.anchor_points(responses[fold.training], size, random)
            yield ("anchor_points", size, 0), weighted_accuracy(held_out, points)
    if bank_size >= CLUSTER_SIZE:
        clusters = item_subsets.response_space_clusters(a, b, CLUSTER_SIZE, random)
        ability = fold.ability(responses, clusters.items, prior)
        score = item_subsets.model_based_score(held_out, clusters, ability, a, b)
        yield ("irt_clusters", CLUSTER_SIZE, 0), score
    if bank_size >= FILTER_SIZE:
        chosen = item_subsets.information_filter(fold.training_ability, a, b, FILTER_SIZE)
        yield ("information_filter", FILTER_SIZE, 0), fold.ability(responses, chosen, prior)
    for method, easy_from in EASY_FROM.items() if len(fold.training) else ():
        chosen = item_subsets.hard_items(responses[fold.training], easy_from)
        # Its size differs a little between folds; 0 stands for "as many as are hard".
        yield (method, 0, 0), accuracy(held_out[:, chosen])


def _administered(
    responses: Responses,
    fold: Fold,
    prior: item_model.Prior,
    tests: administration.Administrations,
) -> npt.NDArray[np.int64]:
    """Fill in the tests of the held-out rows; their lengths until they are precise."""
    test = administration.administer(
        responses[fold.rows],
        fold.discrimination,
        fold.difficulty,
        tests.items.shape[1],
        prior=prior,
        start=float(fold.training_ability.mean()),
    )
    tests.items[fold.rows] = test.items
    tests.ability[fold.rows] = test.ability
    tests.se[fold.rows] = test.se
    # A test that stops on precision is the beginning of the same test.
    precise = test.se <= administration.mean_rank_gap(fold.training_ability)
    return np.where(precise.any(axis=1), precise.argmax(axis=1) + 1, test.lengths)


def accuracy(responses: Responses) -> Floats:
    """Share of right answers of each respondent over the cells that it has.

    Parameters
    ----------
    responses
        Respondents by items.
    """
    seen = (responses != item_model.MISSING).sum(axis=1)
    return np.asarray((responses == 1).sum(axis=1) / np.maximum(seen, 1))


def weighted_accuracy(responses: Responses, subset: item_subsets.WeightedSubset) -> Floats:
    """Share of right answers of each respondent, items weighing as much as they stand for.

    Parameters
    ----------
    responses
        Respondents by all items, of which those of the subset are looked at.
    subset
        The items and their weights.
    """
    cells = responses[:, subset.items]
    weight = np.where(cells != item_model.MISSING, subset.weights, 0.0)
    total = weight.sum(axis=1)
    return np.asarray((weight * (cells == 1)).sum(axis=1) / np.where(total > 0, total, 1.0))


def _administration_table(tests: administration.Administrations, bank: Bank) -> pd.DataFrame:
    persons, steps = tests.items.shape
    table = pd.DataFrame(
        {
            "respondent": np.repeat(bank.respondents, steps),
            "step": np.tile(np.arange(1, steps + 1), persons),
            "item": np.asarray(bank.items)[tests.items.ravel()],
            "ability": tests.ability.ravel(),
            "se": tests.se.ravel(),
        }
    )
    asked: pd.DataFrame = table[tests.items.ravel() != NO_ITEM]
    return asked.reset_index(drop=True)


def _score_table(scores: Mapping[Key, Floats], respondents: pd.DataFrame) -> pd.DataFrame:
    names = respondents[["respondent", "model", "checkpoint"]]
    kept = [
        names.assign(method=method, n_items=size, draw=draw, score=score)
        for (method, size, draw), score in scores.items()
        if draw < DRAWS_KEPT
    ]
    return pd.concat(kept, ignore_index=True)


def _stopping_table(
    evaluated: Evaluated, bank: Bank, ability: Floats, items: pd.DataFrame
) -> pd.DataFrame:
    first = evaluated.administrations.items[:, :FIRST_ITEMS]
    difficulty = np.where(first == NO_ITEM, np.nan, items["difficulty"].to_numpy(float)[first])
    return pd.DataFrame(
        {
            "respondent": bank.respondents,
            "ability": ability,
            "difficulty_given": np.nanmedian(difficulty, axis=1),
            "n_items": evaluated.stopped,
            "reached_limit": evaluated.stopped >= evaluated.administrations.lengths,
        }
    )
