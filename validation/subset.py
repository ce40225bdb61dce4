"""Whether the interval of a share right, estimated from items drawn at random, covers it.

Models of eight families answer a bank; one more, whose share right of all items is known, answers
a subset. On embedded boards each family is left out in turn, or the ablest models are.
"""

import itertools
from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from saturation.adaptive.fit import fit
from saturation.adaptive.folds import folds
from saturation.adaptive.model import Responses
from saturation.adaptive.responses import embedded
from saturation.adaptive.short_form import difference, draw_design, estimated
from saturation.adaptive.subsets import Items
from saturation.arrays import Floats
from validation.check import COVERAGE, Check, Outcome, Rng, drawn_once, repeated

FAMILIES, MODELS, ITEMS, SIZE = 8, 6, 300, 40
FAMILY = np.repeat(np.arange(FAMILIES + 1), MODELS)
# Of an embedded board.
SHARE, ABLEST = 0.1, 0.2
# Realised shares right of new models near the ceiling, between which intervals are checked.
SHARES = (0.8, 0.9, 0.95, 0.975, 0.99, 1.0)
# Ability of new models beyond those of the known ones, whose standard deviation is 1; and chances
# of models that find all items alike.
ABLER, ALIKE = (2.0, 3.5, 5.0), (0.9, 0.95, 0.97, 0.985, 0.995)

# Logits beside those of the two-parameter model, models by items.
Extra = Callable[[Rng], Floats | float]
Held = tuple[npt.NDArray[np.int64], Items]


def none(_rng: Rng) -> float:
    """Nothing: the model is true."""
    return 0.0


def relatives(rng: Rng) -> Floats:
    """Models of a family find the same items easier or harder."""
    return rng.normal(size=(FAMILIES + 1, ITEMS))[FAMILY]


def testlets(rng: Rng) -> Floats:
    """Each model finds the ten items of a testlet easier or harder."""
    return np.repeat(rng.normal(size=(len(FAMILY), ITEMS // 10)), 10, axis=1)


def second(rng: Rng) -> Floats:
    """A second ability, similar within a family, that half of the items need."""
    own = rng.normal(0.0, 0.7, FAMILIES + 1)[FAMILY] + rng.normal(0.0, 0.7, len(FAMILY))
    return np.outer(own, rng.choice([0.0, 1.0], ITEMS))


def answered(rng: Rng, extra: Extra, guessing: float) -> Responses:
    """Models by items: abilities that families share in part, floors that items have apart."""
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    ability = rng.normal(0.0, 0.7, FAMILIES + 1)[FAMILY] + rng.normal(0.0, 0.7, len(FAMILY))
    floor = rng.uniform(0.0, 2.0 * guessing, ITEMS)
    knows = expit(a * (ability[:, None] - b) + extra(rng))
    chance = floor + (1.0 - floor) * knows
    cells: Responses = (rng.random(chance.shape) < chance).astype(np.int8)
    return cells


def covered(cells: Responses, items: Items, size: int, rng: Rng) -> npt.NDArray[np.bool_]:
    """Which intervals hold the shares right of models that the items do not know."""
    design = draw_design(items, size, rng)
    lower, upper = estimated(cells[:, design.asked], design, items).interval()
    truth = cells.mean(axis=1)
    inside: npt.NDArray[np.bool_] = (lower <= truth) & (truth <= upper)
    return inside


def _simulated(extra: Extra, guessing: float, rng: Rng) -> list[bool | None]:
    responses = answered(rng, extra, guessing)
    known = FAMILY < FAMILIES
    items = Items.extract(fit(responses[known]))
    return [*covered(responses[~known], items, SIZE, rng)]


def _near_the_ceiling(rng: Rng) -> Floats:
    """Shares right of new models, and whether the intervals contain them."""
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    ability = rng.normal(0.0, 1.0, FAMILIES * MODELS)
    known = rng.random((len(ability), ITEMS)) < expit(a * (ability[:, None] - b))
    items = Items.extract(fit(known.astype(np.int8)))
    able = expit(a * (rng.normal(ABLER, 1.0)[:, None] - b))
    chance = np.vstack([able, np.repeat(np.array(ALIKE)[:, None], ITEMS, axis=1)])
    cells = (rng.random(chance.shape) < chance).astype(np.int8)
    return np.column_stack([cells.mean(axis=1), covered(cells, items, SIZE, rng)])


def _of_share(low: float, high: float, _rng: Rng, data_sets: int) -> Outcome:
    """Coverage among the models whose share right of the whole bank lies within."""
    share, inside = np.concatenate(_CEILING(data_sets)).T
    here = (share >= low) & (share <= high if high == 1.0 else share < high)
    return Outcome(int(inside[here].sum()), int(here.sum()))


_CEILING = drawn_once("subset_interval_share", _near_the_ceiling)


def _compared(rng: Rng) -> bool:
    """Whether the interval of the difference of two new models holds it; topics set them apart."""
    responses = answered(rng, testlets, 0.0)
    items = Items.extract(fit(responses[FAMILY < FAMILIES]))
    design, new = draw_design(items, SIZE, rng), responses[-2:]
    found = estimated(new[:, design.asked], design, items)
    _, lower, upper = difference(found, design, 0, 1)
    return bool(lower <= new[0].mean() - new[1].mean() <= upper)


@lru_cache
def _board(name: str) -> tuple[Responses, list[Held]]:
    """Answers to an embedded board, and who is left out of which items."""
    bank, people = embedded(name)
    whole = fit(bank.responses)
    parts = folds(bank.responses, people["family"].tolist(), whole.ability)
    return bank.responses, [(part.rows, part.items) for part in parts]


@lru_cache
def _ablest(name: str) -> tuple[Responses, list[Held]]:
    """The same with the ablest fifth of the models left out."""
    responses = embedded(name).bank.responses
    order = np.argsort(responses.mean(axis=1), kind="stable")
    first = round(len(order) * (1.0 - ABLEST))
    return responses, [(order[first:], Items.extract(fit(responses[order[:first]])))]


def _of_board(left_out: Callable[[str], tuple[Responses, list[Held]]], name: str,
              rng: Rng) -> list[bool | None]:  # fmt: skip
    responses, parts = left_out(name)
    rows, items = parts[rng.integers(len(parts))]
    return [*covered(responses[rows], items, round(SHARE * responses.shape[1]), rng)]


_SCENARIOS: dict[str, tuple[str, Extra, float]] = {
    "fitting": ("two-parameter model", none, 0.0),
    "relatives": ("item effects that a family shares", relatives, 0.0),
    "testlets": ("testlets of ten items", testlets, 0.0),
    "two_dimensions": ("a second ability", second, 0.0),
    "floors": ("guessing, with chances of 0 to 50 % by item", none, 0.25),
}
_BOARDS = ("livebench", "nlu_arc_challenge", "nlu_boolq", "nlu_hellaswag")
_HOLDS = "the 95 % interval contains the share right of a model of a new family"
_MADE = f"{FAMILIES} families of {MODELS} models, {SIZE} of {ITEMS} items"

CHECKS = (
    *(
        Check(
            f"subset_interval_{name}", "adaptive.short_form.estimated", _HOLDS,
            f"{_MADE}; {said}", **COVERAGE, data_sets=400,
            simulate=repeated(partial(_simulated, extra, guessing)),
        )
        for name, (said, extra, guessing) in _SCENARIOS.items()
    ),
    *(
        Check(
            f"subset_interval_share_{1000 * low:g}", "adaptive.short_form.estimated", _HOLDS,
            f"{_MADE}; models whose share right is {low:g} to {high:g}, abler than the known ones "
            "or as likely to solve hard items as easy ones",
            **COVERAGE, data_sets=400, simulate=partial(_of_share, low, high),
        )
        for low, high in itertools.pairwise(SHARES)
    ),
    *(
        Check(
            f"subset_interval_{name}", "adaptive.short_form.estimated", _HOLDS,
            f"{name}, a tenth of the items; each family left out", **COVERAGE, data_sets=800,
            simulate=repeated(partial(_of_board, _board, name)),
        )
        for name in _BOARDS
    ),
    Check(
        "subset_interval_ablest", "adaptive.short_form.estimated", _HOLDS,
        "livebench, a tenth of the items; the ablest fifth of the models left out",
        **COVERAGE, data_sets=800,
        simulate=repeated(partial(_of_board, _ablest, "livebench")),
    ),
    Check(
        "subset_difference", "adaptive.short_form.difference",
        "the 95 % interval contains the difference of two new models' shares right",
        f"{_MADE}; testlets of ten items", **COVERAGE, data_sets=400,
        simulate=repeated(_compared),
    ),
)  # fmt: skip
