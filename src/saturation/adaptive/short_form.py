"""A subset of a bank to take home: which items, what each stands for, and how to score them.

Items are chosen so that they stand for the bank (each for a group of items that are expected to be
answered alike over the range of abilities) and inform (of a group the item that informs most).
How well the bank's share right is predicted from them is tried on families of models that neither
the choice nor the items' parameters know of; the interval is as wide as those errors ask for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive.evaluation import Fold, accuracy, folds
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.misfit import NONE, Guessing, believed, or_without
from saturation.adaptive.model import (
    MISSING,
    Floats,
    Prior,
    Responses,
    information,
    log_odds,
    probability,
)
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import NUMBER, closed, saved_content
from saturation.adaptive.subsets import (
    Excess,
    Indices,
    Items,
    Prediction,
    WeightedSubset,
    ability_missed,
    excess,
    predicted,
)
from saturation.errors import InputError, refuse
from saturation.files.tables import write_csv, write_json

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
    doubt
        What speaks against the model on this bank, as :mod:`saturation.adaptive.misfit` says.
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
        """What answers to the subset say."""
        return predicted(cells, self.asked, self.items, self.share, NEW)


def prior_of(ability: Floats) -> Prior:
    """What is known of a new model before its first answer."""
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
    families
        The family of each respondent.
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
            raise InputError(
                f"{name}: predictions from {size} items miss the share right of models of other "
                f"families by {errors.rms:.3f} (root mean square); the share right of {size} "
                f"random items by {random_error:.3f}. The model does not describe this bank: take "
                "random items"
            )
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
    """Fit a bank, and without one family each."""

    def made(floor: float) -> tuple[Fit, list[Fold]]:
        whole = fit(responses, "positive", floor)
        return whole, folds(responses, families, whole.ability, "positive", floor)

    if guessing is None:
        found, parts = or_without(believed(responses, name), made)
        return Fitted(found, *parts)
    return Fitted(guessing, *made(guessing.value))


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
    """Refuse a bank whose predictions cannot be tried on families left out."""
    if len(set(families)) < FEWEST_FAMILIES:
        raise InputError(
            f"{len(set(families))} families of models; at least {FEWEST_FAMILIES} are needed, "
            "because predictions are tried on families left out"
        )


def chosen(items: Items, ability: Floats, size: int) -> WeightedSubset:
    """Items that stand for the bank and inform.

    The bank is cut in two again and again, across the direction in which the chances of a right
    answer differ most between its items, into as many parts of nearly equal size; each gives the
    item that informs most on average over the respondents.
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
    """Predictions for every family from items that do not know it: a part holds one out."""
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
    fits, abilities = [], []
    for fold, subset, one in zip(parts, subsets, final, strict=True):
        cells, prior = responses[fold.rows], prior_of(fold.training_ability)
        asked = fold.items.part(subset.items)
        fits.append(fitness(cells[:, subset.items], one.ability, asked))
        abilities.append(ability_missed(cells, one.ability, one.ability_se, fold.items, prior))
    return Tried(
        share,
        excess(missed, [one.error for one in final]),
        excess(*zip(*abilities, strict=True)),
        float(min(fit.min() for fit in fits)),
    )


def fitness(cells: Responses, ability: Floats, items: Items) -> Floats:
    """How likely answers are beside what the model expects of its own (l_z, Drasgow 1985).

    Log-likelihood less its expectation, in its standard deviations: far below 0 for answers that
    are right where the model expects wrong ones and the other way round.
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


FORMAT, VERSION = "saturation subset", 3
# Weights are written with ten digits.
_ROUNDING = 1e-6
# Of the subset's items that must be answered.
LEAST_ANSWERED = 0.5


@dataclass(frozen=True)
class Score:
    """What a model's answers to a subset say.

    Attributes
    ----------
    ability, ability_se
        On the scale on which the bank's respondents have mean 0 and standard deviation 1, and its
        standard error if the item response model holds.
    ability_lower, ability_upper
        A 95 % interval of what all items of the bank would say of the ability, from errors on
        families left out; None where the file does not know them.
    accuracy, lower, upper
        Predicted share right of the whole bank and its 95 % interval.
    fitness
        How likely the answers are beside what is expected of such a model (about standard normal).
    notes
        What a reader must know before believing it.
    """

    answered: int
    ability: float
    ability_se: float
    ability_lower: float | None
    ability_upper: float | None
    accuracy: float
    lower: float
    upper: float
    fitness: float
    notes: tuple[str, ...]


def score(form: ShortForm, answers: Mapping[str, int]) -> Score:
    """Ability and share right of the whole bank from a model's answers to the subset.

    Parameters
    ----------
    answers
        0 or 1 by item; items of the bank that are not in the subset are left out.

    Raises
    ------
    InputError
        If an answer is neither 0 nor 1, an item is not in the bank, or fewer than half of the
        subset is answered.
    """
    cells = _cells(form, answers)
    found = form.predicted(cells)
    accuracy = float(found.accuracy(form.share)[0])
    reach = float(form.errors.reach(found.error)[0])
    fit = float(fitness(cells, found.ability, form.items.part(form.asked.items))[0])
    ability, beside = float(found.ability[0]), None
    if form.ability_errors is not None:
        beside = float(form.ability_errors.reach(found.ability_se)[0])
    return Score(
        answered=int((cells != MISSING).sum()),
        ability=ability,
        ability_se=float(found.ability_se[0]),
        ability_lower=None if beside is None else ability - beside,
        ability_upper=None if beside is None else ability + beside,
        accuracy=accuracy,
        # Where no answer is right, or none wrong, the bank may hold none either.
        lower=max(accuracy - reach, 0.0) if (cells == 1).any() else 0.0,
        upper=min(accuracy + reach, 1.0) if (cells == 0).any() else 1.0,
        fitness=fit,
        notes=tuple(_notes(form, cells, ability, fit)),
    )


def _cells(form: ShortForm, answers: Mapping[str, int]) -> Responses:
    """One row: the answers in the subset's order."""
    known = set(form.names)
    wrong = [
        f"answers: item '{item}' is not in the bank '{form.bank}'; score answers to its items"
        for item in answers
        if item not in known
    ]
    wrong += [
        f"answers: item '{item}' has the answer {answer!r}; expected 0 (wrong) or 1 (right)"
        for item, answer in answers.items()
        if answer not in (0, 1)
    ]
    chosen = [form.names[number] for number in form.asked.items]
    there = sum(item in answers for item in chosen)
    if not wrong and there < LEAST_ANSWERED * len(chosen):
        wrong = [
            f"answers: {there} of the subset's {len(chosen)} items are answered; at least half "
            "are needed"
        ]
    refuse(wrong)
    return np.array([[answers.get(item, MISSING) for item in chosen]], dtype=np.int8)


def _notes(form: ShortForm, cells: Responses, ability: float, fit: float) -> list[str]:
    notes = [form.guessing.said()] if form.guessing.value else []
    if form.doubt:
        known = form.ability_errors is not None
        notes.append(
            f"{form.doubt}. "
            + (
                "The intervals rest on families left out and not on the model: believe them, and "
                "of two models whose intervals overlap no order"
                if known
                else "The interval of the share right rests on families left out and not on the "
                "model; the ability's standard error is the model's and too small"
            )
        )
    if form.errors.factor > 1.0:
        notes.append(
            f"the interval is {form.errors.factor:.2f} times as wide as the model says: so much "
            "larger are its errors on families left out"
        )
    lacking = int((cells == MISSING).sum())
    if lacking:
        notes.append(f"{lacking} items of the subset are not answered")
    if not form.lowest <= ability <= form.highest:
        notes.append(
            f"the model is {'abler' if ability > form.highest else 'less able'} than all "
            f"{form.respondents} models that the subset rests on, where nothing was tried: the "
            "interval may not hold"
        )
    if fit < form.worst_fit:
        notes.append(
            f"the answers are unlike those of all {form.respondents} models that the subset rests "
            f"on (fitness {fit:.1f}; lowest there {form.worst_fit:.1f}): the interval may not "
            "hold. Check that each answer stands at its item"
        )
    return notes


def items_table(form: ShortForm) -> pd.DataFrame:
    """The subset's items: rows `item, weight, discrimination, difficulty`."""
    chosen = form.asked.items
    return pd.DataFrame(
        {
            "item": [form.names[number] for number in chosen],
            "weight": form.asked.weights,
            "discrimination": form.items.discrimination[chosen],
            "difficulty": form.items.difficulty[chosen],
        }
    )


def samples(items: Sequence[str]) -> dict[str, list[int]] | None:
    """Documents by task, as lm-evaluation-harness takes them with `--samples`.

    None if any is not named as the harness's samples are: `TASK/NUMBER`.
    """
    found: dict[str, list[int]] = {}
    for item in items:
        task, _, number = item.rpartition("/")
        if not task or not number.isdecimal():
            return None
        found.setdefault(task, []).append(int(number))
    return found


def write(form: ShortForm, folder: Path) -> list[str]:
    """Write `items.csv`, for people, and `scorer.json`, which :func:`read` reads.

    Beside them `samples.json`, if the items are named as lm-evaluation-harness names its own.
    The folder is made if it is not there; returns the names of the files.
    """
    table = items_table(form)
    write_csv(table, folder / "items.csv")
    documents = samples(table["item"].tolist())
    if documents is not None:
        write_json(documents, folder / "samples.json")
    write_json(
        {
            "format": FORMAT,
            "version": VERSION,
            "bank": form.bank,
            "items": list(form.names),
            "discrimination": form.items.discrimination.tolist(),
            "difficulty": form.items.difficulty.tolist(),
            "subset": table["item"].tolist(),
            "weights": form.asked.weights.tolist(),
            "errors": form.errors._asdict(),
            "ability_errors": form.ability_errors and form.ability_errors._asdict(),
            "floor": {
                name: value if np.isfinite(value) else None
                for name, value in form.guessing._asdict().items()
            },
            **{key: getattr(form, key) for key in _ALIKE},
        },
        folder / "scorer.json",
    )
    return ["items.csv", *(["samples.json"] if documents is not None else []), "scorer.json"]


def read(path: Path) -> ShortForm:
    """A subset as :func:`write` wrote it; InputError if it is none, or damaged."""
    content = _content(path)
    number = {name: place for place, name in enumerate(content["items"])}
    lengths = {len(content[key]) for key in ("items", "discrimination", "difficulty")}
    if (
        len(lengths) > 1
        or any(len(set(content[key])) < len(content[key]) for key in ("items", "subset"))
        or not set(content["subset"]) <= set(number)
        or len(content["weights"]) != len(content["subset"])
        or abs(sum(content["weights"]) - 1) > _ROUNDING
        or content["lowest"] > content["highest"]
    ):
        raise InputError(
            f"{path}: items, parameters and subset do not belong together; write it again with "
            "`saturation subset`"
        )
    guessing, ability_errors = content.get("floor"), content.get("ability_errors")
    known = NONE if guessing is None else Guessing(**_with_nan(guessing))
    if known.value < known.lower or known.value > known.upper:
        raise InputError(
            f"{path}: floor: {known.value} does not lie between its limits {known.lower} and "
            f"{known.upper}; write it again with `saturation subset`"
        )
    return ShortForm(
        bank=content["bank"],
        names=content["items"],
        items=Items(
            np.array(content["discrimination"]), np.array(content["difficulty"]), known.value
        ),
        guessing=known,
        ability_errors=None if ability_errors is None else Excess(**ability_errors),
        asked=WeightedSubset(
            np.array([number[name] for name in content["subset"]]), np.array(content["weights"])
        ),
        errors=Excess(**content["errors"]),
        **{key: content[key] for key in _ALIKE},
    )


def _with_nan(numbers: dict[str, float | None]) -> dict[str, float]:
    """JSON knows no NaN."""
    return {name: np.nan if value is None else value for name, value in numbers.items()}


def _content(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: not readable: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: not whole JSON ({error}); give {_SOURCE}") from None
    again = "write it again with `saturation subset`"
    return saved_content(text, str(path), FORMAT, _SCHEMAS, _SOURCE, again)


_SOURCE = "scorer.json, as `saturation subset` wrote it"
# Parts that the file holds as they are.
_ALIKE = (
    *("share", "random_error", "worst_fit", "lowest", "highest"),
    *("respondents", "families", "doubt"),
)
_COUNT = {"type": "integer", "minimum": 1}
_NUMBERS = {"type": "array", "items": NUMBER, "minItems": 1}
_ABOVE_NOUGHT = {**_NUMBERS, "items": {**NUMBER, "exclusiveMinimum": 0}}
_NAMES = {"type": "array", "items": {"type": "string"}, "minItems": 1}
_ERRORS = closed(
    {
        "factor": {**NUMBER, "minimum": 1},
        "degrees": {**NUMBER, "exclusiveMinimum": 0},
        "rms": {**NUMBER, "minimum": 0},
    }
)
_CHANCE = {"type": "number", "minimum": 0, "exclusiveMaximum": 1}
_PROPERTIES: dict[str, Any] = {
    "format": {},
    "version": {},
    "bank": {"type": "string"},
    "items": _NAMES,
    "subset": _NAMES,
    "discrimination": _ABOVE_NOUGHT,
    "difficulty": _NUMBERS,
    "weights": _ABOVE_NOUGHT,
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "errors": _ERRORS,
    "random_error": NUMBER,
    "worst_fit": NUMBER,
    "lowest": NUMBER,
    "highest": NUMBER,
    "respondents": _COUNT,
    "families": _COUNT,
    "doubt": {"type": "string"},
}
_OR_NULL = [_CHANCE, {"type": "null"}]
_SINCE_VERSION_3: dict[str, Any] = {
    "ability_errors": {"anyOf": [_ERRORS, {"type": "null"}]},
    "floor": closed({"value": _CHANCE, "lower": _CHANCE, "upper": {"anyOf": _OR_NULL}}),
}
# Files of the version before say nothing of guessing and of errors of the ability.
_SCHEMAS = {2: closed(_PROPERTIES), VERSION: closed(_PROPERTIES | _SINCE_VERSION_3)}
