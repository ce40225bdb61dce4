"""Old scores on a new scale, drift and how far gaps move, where the truth is known."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from saturation.renewal.linking import CONFIDENCE, linked, versions
from saturation.renewal.movement import drift, movement
from validation.check import COVERAGE, SIZE, Check, Rng, repeated

MODELS, ITEMS, ANCHORS, LABS = 24, 80, 40, 6
NAMES = [f"m{row}" for row in range(MODELS)]
MAKERS = {name: f"lab{row % LABS}" for row, name in enumerate(NAMES)}
# How much abilities move between versions, in standard deviations; half of it by lab.
STILL, MOVED = 0.0, 0.4


def drawn(rng: Rng, moved: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """An old version and a harder new one, items by models."""
    ability = rng.normal(size=MODELS)
    labs = rng.normal(size=LABS)[np.arange(MODELS) % LABS]
    later = ability + moved * (rng.normal(size=MODELS) + labs) / np.sqrt(2)
    tables = []
    for name, at, shift in (("o", ability, 0.0), ("n", later, 1.0)):
        slope = np.exp(rng.normal(0, 0.3, (ITEMS, 1)))
        chance = expit(slope * (at - rng.normal(shift, 1, (ITEMS, 1))))
        right = (rng.random(chance.shape) < chance).astype(float)
        tables.append(pd.DataFrame(right, [f"{name}{item}" for item in range(ITEMS)], NAMES))
    return tables[0], tables[1]


def _inside(moved: float, rng: Rng) -> bool:
    """The interval of a model that never answered the new version contains its score there."""
    old, new = drawn(rng, moved)
    truth = new[NAMES[0]].mean()
    scores = linked(versions(old, new.drop(columns=NAMES[0]))).scores.set_index("model")
    lower, upper = scores.loc[NAMES[0], ["lower", "upper"]].to_numpy(float)
    return bool(lower <= truth <= upper)


def _through_items(rng: Rng) -> Any:
    """Linked by common items alone, intervals contain the expected scores on the new version."""
    ability, difficulty = rng.normal(size=2 * MODELS), rng.normal(size=2 * ITEMS - ANCHORS)
    slope = np.exp(rng.normal(0, 0.3, len(difficulty)))
    chance = expit(slope[:, None] * (ability - difficulty[:, None]))
    right = pd.DataFrame((rng.random(chance.shape) < chance).astype(float))
    old, new = right.iloc[:ITEMS, :MODELS], right.iloc[-ITEMS:, MODELS:]
    scores = linked(versions(old, new)).scores
    truth = chance[-ITEMS:, :MODELS].mean(axis=0)
    return list((scores["lower"] <= truth) & (truth <= scores["upper"]))


def _leans(moved: float, rng: Rng) -> bool:
    """Some model is said to answer old items better, though all move by the same law."""
    given = versions(*drawn(rng, moved))
    return bool(drift(given.shares, NAMES, dict.fromkeys(NAMES, given.in_old), MAKERS).flagged)


def _stays(rng: Rng) -> bool:
    """The interval of the factor contains 1 where abilities stay."""
    found = movement(*drawn(rng, STILL), list(MAKERS.values()))
    return found.lower <= 1 <= found.upper


SCENARIO = f"{MODELS} models of {LABS} labs, {ITEMS} old and {ITEMS} harder items, abilities "
MOVES = {"still": (STILL, "stay"), "moved": (MOVED, f"move by {MOVED:g}, half of it by lab")}
CHECKS = (
    *(
        Check(
            f"renewal_linked_{name}", "renewal.linking.link_by_models",
            "the 90 % interval contains the new score of a model that answered old items alone",
            SCENARIO + words, stated=CONFIDENCE, safe="more", data_sets=400,
            simulate=repeated(partial(_inside, moved)),
        )
        for name, (moved, words) in MOVES.items()
    ),
    Check(
        "renewal_linked_items", "renewal.linking.link_by_items",
        "the 90 % intervals contain the expected scores on the new version",
        f"{MODELS} models a version, {ANCHORS} of {ITEMS} items in both",
        stated=CONFIDENCE, safe="more", data_sets=400, simulate=repeated(_through_items),
    ),
    *(
        Check(
            f"renewal_drift_{name}", "renewal.movement.drift",
            "some model is said to answer old items better (5 % over all models)",
            SCENARIO + words, **SIZE, data_sets=400, simulate=repeated(partial(_leans, moved)),
        )
        for name, (moved, words) in MOVES.items()
    ),
    Check(
        "renewal_factor_still", "renewal.movement.movement", "the 95 % interval contains 1",
        SCENARIO + "stay", **COVERAGE, data_sets=1000, simulate=repeated(_stays),
    ),
)  # fmt: skip
