"""The file that scores a new model's answers to a subset: written, read, and used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jsonschema import Draft202012Validator

from saturation.adaptive.floor import NONE, Guessing
from saturation.adaptive.held_out import Excess
from saturation.adaptive.model import MISSING, Responses
from saturation.adaptive.prediction import Items
from saturation.adaptive.short_form import ShortForm, fitness
from saturation.adaptive.subsets import WeightedSubset
from saturation.errors import InputError, shortened
from saturation.files.tables import from_json, write_csv, write_json

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
    answered
        Number of items answered.
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
    form
        The subset.
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
    if wrong:
        raise InputError(shortened(wrong))
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
    """The subset's items: rows `item, weight, discrimination, difficulty`.

    Parameters
    ----------
    form
        The subset.
    """
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

    Parameters
    ----------
    items
        Names of items.

    Returns
    -------
    dict or None
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

    Parameters
    ----------
    form
        The subset.
    folder
        Made if it is not there.

    Returns
    -------
    list
        Names of the files.
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
            "share": form.share,
            "errors": form.errors._asdict(),
            "random_error": form.random_error,
            "worst_fit": form.worst_fit,
            "lowest": form.lowest,
            "highest": form.highest,
            "respondents": form.respondents,
            "families": form.families,
            "doubt": form.doubt,
            "ability_errors": form.ability_errors and form.ability_errors._asdict(),
            "floor": {
                name: value if np.isfinite(value) else None
                for name, value in form.guessing._asdict().items()
            },
        },
        folder / "scorer.json",
    )
    return ["items.csv", *(["samples.json"] if documents is not None else []), "scorer.json"]


def read(path: Path) -> ShortForm:
    """A subset as :func:`write` wrote it.

    Parameters
    ----------
    path
        The file `scorer.json`.

    Raises
    ------
    InputError
        If it is none, or damaged.
    """
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
        **{key: content[key] for key in content.keys() & _ALIKE},
    )


def _with_nan(numbers: dict[str, float | None]) -> dict[str, float]:
    """JSON knows no NaN."""
    return {name: np.nan if value is None else value for name, value in numbers.items()}


def _content(path: Path) -> dict[str, Any]:
    try:
        content = from_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: not readable: {error.strerror}") from None
    except ValueError as error:
        raise InputError(
            f"{path}: not whole JSON ({error}); give scorer.json, as `saturation subset` wrote it"
        ) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(
            f"{path}: this JSON is no '{FORMAT}'; give scorer.json, as `saturation subset` wrote it"
        )
    if content.get("version") not in [*_SCHEMAS]:
        raise InputError(
            f"{path}: version {content.get('version')!r}; this program reads the versions "
            f"{' and '.join(map(str, _SCHEMAS))}: write the subset again with its own `saturation "
            "subset`, or score with the program that wrote it"
        )
    schema = _SCHEMAS[content["version"]]
    wrong = sorted(schema.iter_errors(content), key=lambda error: list(error.absolute_path))
    if wrong:
        raise InputError(
            shortened(
                [
                    f"{path}: {'.'.join(map(str, error.absolute_path)) or 'the whole'}: "
                    f"{error.message[:200]}; write it again with `saturation subset`"
                    for error in wrong
                ]
            )
        )
    return content


# Parts that the file holds as they are.
_ALIKE = {
    "share",
    "random_error",
    "worst_fit",
    "lowest",
    "highest",
    "respondents",
    "families",
    "doubt",
}
# Numbers too large for a computer are read as infinite.
_FINITE = {"type": "number", "minimum": -1e9, "maximum": 1e9}
_COUNT = {"type": "integer", "minimum": 1}
_NUMBERS = {"type": "array", "items": _FINITE, "minItems": 1}
_ABOVE_NOUGHT = {**_NUMBERS, "items": {**_FINITE, "exclusiveMinimum": 0}}
_NAMES = {"type": "array", "items": {"type": "string"}, "minItems": 1}
_ERRORS = {
    "type": "object",
    "additionalProperties": False,
    "required": list(Excess._fields),
    "properties": {
        "factor": {**_FINITE, "minimum": 1},
        "degrees": {**_FINITE, "exclusiveMinimum": 0},
        "rms": {**_FINITE, "minimum": 0},
    },
}
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
    "random_error": _FINITE,
    "worst_fit": _FINITE,
    "lowest": _FINITE,
    "highest": _FINITE,
    "respondents": _COUNT,
    "families": _COUNT,
    "doubt": {"type": "string"},
}
_SINCE_VERSION_3: dict[str, Any] = {
    "ability_errors": {"anyOf": [_ERRORS, {"type": "null"}]},
    "floor": {
        "type": "object",
        "additionalProperties": False,
        "required": list(Guessing._fields),
        "properties": {
            "value": _CHANCE,
            "lower": _CHANCE,
            "upper": {"anyOf": [_CHANCE, {"type": "null"}]},
        },
    },
}
# Files of the version before say nothing of guessing and of errors of the ability.
_SCHEMAS = {
    version: Draft202012Validator(
        {
            "type": "object",
            "additionalProperties": False,
            "required": list(properties),
            "properties": properties,
        }
    )
    for version, properties in ((2, _PROPERTIES), (VERSION, _PROPERTIES | _SINCE_VERSION_3))
}
