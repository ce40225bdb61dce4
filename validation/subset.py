"""Whether the intervals of a share right and an ability, predicted from a subset, cover them.

Items are answered by models of eight families. A subset is made from them, and tried on the
models of a ninth, whose share right of all items is known.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from saturation.adaptive import short_form
from saturation.adaptive.model import Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from validation.check import COVERAGE, Check, Outcome, Rng, drawn_once

FAMILIES, MODELS, ITEMS, SIZE = 9, 6, 300, 40
FAMILY = np.repeat(np.arange(FAMILIES), MODELS)

# Logits beside those of the two-parameter model, models by items.
Extra = Callable[[Rng], Floats | float]


def none(_rng: Rng) -> float:
    """Nothing: the model is true."""
    return 0.0


def relatives(rng: Rng) -> Floats:
    """Models of a family find the same items easier or harder."""
    return rng.normal(size=(FAMILIES, ITEMS))[FAMILY]


def topics(rng: Rng) -> Floats:
    """Families are better at some tenths of the items than at others."""
    at = rng.normal(0.0, 0.7, size=(FAMILIES, ITEMS // 30))[FAMILY]
    return np.repeat(at, 30, axis=1)


def second(rng: Rng) -> Floats:
    """A second ability, similar within a family, that half of the items need."""
    own = rng.normal(0.0, 0.7, FAMILIES)[FAMILY] + rng.normal(0.0, 0.7, len(FAMILY))
    return np.outer(own, rng.choice([0.0, 1.0], ITEMS))


def answered(rng: Rng, extra: Extra, guessing: float) -> Responses:
    """Models by items: abilities that families share in part, and their answers."""
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    ability = rng.normal(0.0, 0.7, FAMILIES)[FAMILY] + rng.normal(0.0, 0.7, len(FAMILY))
    knows = expit(a * (ability[:, None] - b) + extra(rng))
    chance = guessing + (1.0 - guessing) * knows
    cells: Responses = (rng.random(chance.shape) < chance).astype(np.int8)
    return cells


class Covered(NamedTuple):
    """Which intervals for models of the ninth family hold their share right, and their ability."""

    interval: npt.NDArray[np.bool_]
    ability: npt.NDArray[np.bool_]


def tried(rng: Rng, extra: Extra, guessing: float) -> Covered | None:
    """A subset, tried on the ninth family; None where it is refused."""
    known = FAMILY < FAMILIES - 1
    responses = answered(rng, extra, guessing)
    items = [f"i{number}" for number in range(ITEMS)]
    bank = Bank([f"m{row}" for row in np.flatnonzero(known)], items, responses[known])
    families = FAMILY[known].astype(str).tolist()
    try:
        (form,) = short_form.short_forms(str(rng.integers(2**32)), bank, families, [SIZE])
    except InputError:
        return None
    new = responses[~known]
    found = form.predicted(new[:, form.asked.items])
    off = np.abs(found.accuracy(form.share) - new.mean(axis=1))
    whole, _ = form.items.ability(new, short_form.NEW)
    assert form.ability_errors is not None
    return Covered(
        off <= form.errors.reach(found.error),
        np.abs(found.ability - whole) <= form.ability_errors.reach(found.ability_se),
    )


def _covered(what: str, scenario: str, _rng: Rng, data_sets: int) -> Outcome:
    """How often the interval for a model of the ninth family holds its share right, or ability."""
    banks = [bank for bank in _TRIED[scenario](data_sets) if bank is not None]
    inside = [getattr(bank, what) for bank in banks]
    return Outcome(int(np.sum(inside)), MODELS * len(inside), abstained=data_sets - len(inside))


_SCENARIOS: dict[str, tuple[str, Extra, float]] = {
    "fitting": ("two-parameter model", none, 0.0),
    "relatives": ("item effects that a family shares", relatives, 0.0),
    "topics": ("families differ in ten topics", topics, 0.0),
    "two_dimensions": ("a second ability", second, 0.0),
    "floor": ("a quarter right by guessing", none, 0.25),
}
_TRIED = {
    name: drawn_once(f"subset_{name}", partial(tried, extra=extra, guessing=guessing))
    for name, (_, extra, guessing) in _SCENARIOS.items()
}
_SAID = {
    "interval": "the share right of a model of a new family",
    "ability": "the ability that all items give a model of a new family",
}
_SIZE = f"{FAMILIES - 1} families of {MODELS} models, {SIZE} of {ITEMS} items"

CHECKS = tuple(
    Check(
        f"subset_{what}_{name}", "adaptive.short_form.short_forms",
        f"the 95 % interval contains {said}", f"{_SIZE}; {scenario}",
        **COVERAGE, data_sets=400,
        simulate=partial(_covered, what, name),
    )
    for what, said in _SAID.items()
    for name, (scenario, _, _) in _SCENARIOS.items()
)  # fmt: skip
