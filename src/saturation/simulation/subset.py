"""Whether the interval of a share right predicted from a subset covers it.

A bank is answered by models of eight families. Its subset is made from them, and tried on the
models of a ninth, whose share right of the whole bank is known.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import expit

from saturation.adaptive import short_form
from saturation.adaptive.model import Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from saturation.simulation.check import Check, Outcome

FAMILIES, MODELS, ITEMS, SIZE = 9, 6, 300, 40
_FAMILY = np.repeat(np.arange(FAMILIES), MODELS)

# Logits beside those of the two-parameter model, models by items.
Extra = Callable[[np.random.Generator], Floats | float]


def none(_rng: np.random.Generator) -> float:
    """Nothing: the model is true."""
    return 0.0


def relatives(rng: np.random.Generator) -> Floats:
    """Models of a family find the same items easier or harder."""
    return rng.normal(size=(FAMILIES, ITEMS))[_FAMILY]


def topics(rng: np.random.Generator) -> Floats:
    """Families are better at some tenths of the items than at others."""
    at = rng.normal(0.0, 0.7, size=(FAMILIES, ITEMS // 30))[_FAMILY]
    return np.repeat(at, 30, axis=1)


def second(rng: np.random.Generator) -> Floats:
    """A second ability, alike within a family, that half of the items ask for."""
    own = rng.normal(0.0, 0.7, FAMILIES)[_FAMILY] + rng.normal(0.0, 0.7, len(_FAMILY))
    return np.outer(own, rng.choice([0.0, 1.0], ITEMS))


def answered(rng: np.random.Generator, extra: Extra, guessing: float) -> Responses:
    """Models by items: abilities that families share in part, and their answers."""
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    ability = rng.normal(0.0, 0.7, FAMILIES)[_FAMILY] + rng.normal(0.0, 0.7, len(_FAMILY))
    knows = expit(a * (ability[:, None] - b) + extra(rng))
    chance = guessing + (1.0 - guessing) * knows
    cells: Responses = (rng.random(chance.shape) < chance).astype(np.int8)
    return cells


def covered(
    rng: np.random.Generator, data_sets: int, extra: Extra, guessing: float = 0.0
) -> Outcome:
    """How often the interval for a model of the ninth family holds its share right."""
    hits = trials = abstained = 0
    known = _FAMILY < FAMILIES - 1
    families = _FAMILY[known].astype(str).tolist()
    items = [f"i{number}" for number in range(ITEMS)]
    for _ in range(data_sets):
        responses = answered(rng, extra, guessing)
        bank = Bank([f"m{row}" for row in np.flatnonzero(known)], items, responses[known])
        try:
            (form,) = short_form.short_forms("bank", bank, families, [SIZE])
        except InputError:
            abstained += 1
            continue
        new = responses[~known]
        found = form.predicted(new[:, form.asked.items])
        off = np.abs(found.accuracy(form.share) - new.mean(axis=1))
        hits += int((off <= form.errors.reach(found.error)).sum())
        trials += len(off)
    return Outcome(hits, trials, abstained=abstained)


def _check(name: str, scenario: str, simulate: Callable[..., Outcome]) -> Check:
    return Check(
        name=f"subset_interval_{name}",
        estimator="adaptive.short_form.short_forms",
        statement="the 95 % interval contains the share right of a model of a new family",
        scenario=f"{FAMILIES - 1} families of {MODELS} models, {SIZE} of {ITEMS} items; {scenario}",
        stated=0.95,
        lower=0.925,
        upper=0.98,
        data_sets=150,
        simulate=simulate,
    )


CHECKS: tuple[Check, ...] = (
    _check("fitting", "two-parameter model", partial(covered, extra=none)),
    _check("relatives", "item effects that a family shares", partial(covered, extra=relatives)),
    _check("topics", "families differ in ten topics", partial(covered, extra=topics)),
    _check("two_dimensions", "a second ability", partial(covered, extra=second)),
    _check("floor", "a quarter right by guessing", partial(covered, extra=none, guessing=0.25)),
)
