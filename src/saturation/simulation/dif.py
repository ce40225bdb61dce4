"""Items that families find easier or harder: the level where none is, and what is found."""

from functools import partial

import numpy as np
from scipy.special import expit

from saturation.adaptive.bias import differential
from saturation.adaptive.responses import Bank
from saturation.simulation.check import Check, Outcome

ITEMS, MOVED = 60, 10


def differs(
    rng: np.random.Generator, data_sets: int, families: int, models: int, shift: float
) -> Outcome:
    """How often an item differs at 5 %: all items if none is moved, else those that are."""
    hits = trials = 0
    family = np.repeat(np.arange(families), models)
    names = [str(row) for row in range(len(family))]
    for _ in range(data_sets):
        a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
        ability = rng.normal(0.0, 0.7, families)[family] + rng.normal(0.0, 0.7, len(family))
        moved = np.outer(family == 0, np.arange(ITEMS) < MOVED) * shift
        chance = expit(a * (ability[:, None] - b) + moved)
        cells = (rng.random(chance.shape) < chance).astype(np.int8)
        bank = Bank(names, [str(item) for item in range(ITEMS)], cells)
        p = differential(bank, family.astype(str).tolist(), names).items["p_value"]
        tested = p[:MOVED].dropna() if shift else p.dropna()
        hits += int((tested <= 0.05).sum())
        trials += len(tested)
    return Outcome(hits, trials)


def _alike(families: int, models: int) -> Check:
    return Check(
        name=f"dif_alike_{families}x{models}",
        estimator="adaptive.dif.differential",
        statement="an item that no family finds easier differs at 5 %",
        scenario=f"{families} families of {models} models, {ITEMS} items",
        stated=0.05,
        lower=0.035,
        upper=0.065,
        data_sets=100,
        simulate=partial(differs, families=families, models=models, shift=0.0),
    )


CHECKS: tuple[Check, ...] = (
    _alike(8, 10),
    _alike(3, 8),
    _alike(2, 45),
    Check(
        name="dif_apart",
        estimator="adaptive.dif.differential",
        statement="an item that one family finds easier by 2.5 logits differs at 5 %, four in five",
        scenario=f"3 families of 40 models, {ITEMS} items, of which {MOVED} differ",
        stated=0.8,
        lower=0.8,
        upper=1.0,
        data_sets=40,
        simulate=partial(differs, families=3, models=40, shift=2.5),
    ),
)
