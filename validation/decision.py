"""How often *equivalent* and *separated* are wrong (:func:`saturation.index.decision`).

The best and the fifth are picked by their measured scores, on boards whose true scores follow one
of 34 distributions, and on boards drawn from real item banks. An error is *equivalent* where the
index of the two true scores is below the threshold, and *separated* where it is not.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from saturation.index import (
    EQUIVALENT,
    SATURATED_FROM,
    SEPARATED,
    decision,
    index_limits,
    saturation_index,
    widest_gap,
)
from saturation.leaderboard import top
from saturation.statistics import intervals
from validation.check import LEAST, SIZE, Check, Outcome, Rng, drawn_once
from validation.fresh import OF_BANKS, draw_board, true_index
from validation.fresh import SETTINGS as CARDS
from validation.index import CARD_INDEX, K, answered

Floats = NDArray[np.float64]
# So many true scores, in standard errors of one score.
Distribution = Callable[[Rng, int], Floats]
# What was decided, and whether the index of the two true scores reaches the threshold.
Decided = tuple[str, bool]

DECISION = "saturation.index.decision"


def _families(rng: Rng, m: int) -> Floats:
    """Siblings are nearly tied."""
    of = rng.integers(0, max(2, m // 4), m)
    return rng.normal(0, 2, m)[of] + rng.normal(0, 0.15, m)


def _leapfrog(rng: Rng, m: int) -> Floats:
    """A frontier that each third model moves on; the others lag behind it."""
    frontier = np.cumsum(rng.exponential(0.6, m))
    return frontier - np.where(rng.random(m) < 1 / 3, 0, rng.exponential(2, m))


def _breakaway(rng: Rng, m: int) -> Floats:
    """The best leads by a Pareto gap."""
    true = rng.normal(0, 0.7, m)
    true[true.argmax()] += rng.pareto(1.5)
    return true


def _large_and_small(rng: Rng, m: int) -> Floats:
    """Most of the large ones are near the best, the small ones far behind."""
    large = rng.random(m) < 0.6
    return np.where(large, -rng.exponential(0.8, m), -6 - rng.exponential(3, m))


def _dirichlet(rng: Rng, m: int) -> Floats:
    """A distribution of its own for each board, from a Dirichlet process."""
    seat = np.arange(m)
    for model in range(1, m):
        if rng.random() > 3 / (3 + model):
            seat[model] = seat[rng.integers(model)]
    return rng.normal(0, 2.5, m)[seat] + rng.normal(0, 0.2, m)


DISTRIBUTIONS: dict[str, Distribution] = {
    "all equal": lambda rng, m: rng.normal(0, 0, m),
    "normal 0.1": lambda rng, m: rng.normal(0, 0.1, m),
    "normal 0.3": lambda rng, m: rng.normal(0, 0.3, m),
    "normal 0.6": lambda rng, m: rng.normal(0, 0.6, m),
    "normal 1": lambda rng, m: rng.normal(0, 1, m),
    "normal 2": lambda rng, m: rng.normal(0, 2, m),
    "normal 4": lambda rng, m: rng.normal(0, 4, m),
    "uniform 3": lambda rng, m: rng.uniform(-1.5, 1.5, m),
    "uniform 8": lambda rng, m: rng.uniform(-4, 4, m),
    "two clusters, 6 apart": lambda rng, m: (
        np.where(rng.random(m) < 0.4, 0.0, -6.0) + rng.normal(0, 0.3, m)
    ),
    "two clusters, 3 apart": lambda rng, m: (
        np.where(rng.random(m) < 0.25, 0.0, -3.0) + rng.normal(0, 0.6, m)
    ),
    "three clusters": lambda rng, m: rng.choice([0.0, -2.5, -5], m) + rng.normal(0, 0.2, m),
    "most at the top, 1": lambda rng, m: -rng.exponential(1, m),
    "most at the top, 3": lambda rng, m: -rng.exponential(3, m),
    "most at the bottom, 1": lambda rng, m: rng.exponential(1, m),
    "most at the bottom, 2": lambda rng, m: rng.exponential(2, m),
    "Laplace": lambda rng, m: rng.laplace(0, 1, m),
    "Student t, 3 degrees": lambda rng, m: 1.5 * rng.standard_t(3, m),
    "Student t, 2 degrees": lambda rng, m: 0.7 * rng.standard_t(2, m),
    "Gumbel": lambda rng, m: rng.gumbel(0, 1.5, m),
    "families of siblings": _families,
    "leapfrogging frontier": _leapfrog,
    "one breaks away": _breakaway,
    "Pareto upwards": lambda rng, m: rng.pareto(2.0, m),
    "lognormal upwards": lambda rng, m: 0.7 * rng.lognormal(0, 1, m),
    "half at a ceiling": lambda rng, m: np.clip(rng.normal(0, 2, m), None, 0),
    "lognormal below a ceiling": lambda rng, m: -rng.lognormal(0, 1.5, m),
    "large and small": _large_and_small,
    "evenly spaced": lambda rng, m: rng.uniform(0.1, 1) * np.arange(float(m)),
    "stairs of equals": lambda rng, m: -2.0 * rng.geometric(0.4, m).astype(float),
    "at both ends": lambda rng, m: 6 * rng.beta(0.4, 0.4, m),
    "normal abilities": lambda rng, m: 12 * special.expit(rng.normal(1, 2, m)),
    "Dirichlet process": _dirichlet,
    "normal of any width": lambda rng, m: (
        np.exp(rng.uniform(np.log(0.1), np.log(10))) * rng.normal(0, 1, m)
    ),
}
# Gaps at which the index reaches 0.7, in errors of one score: with alpha of 1, and with alpha of
# 0.75 and 0.5 for 200 items.
WIDTHS = (0.84, 1.6, 3.2)


def by_scores(distribution: Distribution, width: float, models: int, rng: Rng) -> Decided:
    """Of one board with normal errors that differ between models."""
    errors, true = np.exp(rng.normal(0, 0.2, models)), distribution(rng, models)
    scores = true + errors * rng.normal(size=models)
    first, fifth = np.argsort(-scores)[[0, K - 1]]
    scale = width / widest_gap(SATURATED_FROM)
    gap, error = scores[first] - scores[fifth], np.hypot(errors[first], errors[fifth])

    def limits(level: float) -> tuple[Floats, Floats]:
        return index_limits(*intervals.normal(gap, error, level), scale, scale)

    found = str(decision(limits, K))
    return found, bool(abs(true[first] - true[fifth]) <= width)


def by_items(distribution: Distribution, n: int, highest: float, models: int, rng: Rng) -> Decided:
    """Of one board of models that answer the same items, as a card decides it."""
    settings = CARDS[int(rng.integers(len(CARDS)))]
    true = highest / 2 + distribution(rng, models) * np.sqrt(highest / 2 / 3 / n)
    true = np.clip(true, 0.01, 0.99)
    # Solved with the item's chance raised to a power: its mean over uniform items is the score.
    right = (rng.random((n, models)) < rng.random((n, 1)) ** ((1 - true) / true)).astype(float)
    board, items = answered(right)
    found = top.index(board, items, settings)
    truth = dict(zip(items[0].columns, true, strict=True))
    index = saturation_index(truth[found.first], truth[found.kth], n, settings.alpha)
    return found.first_and_kth, bool(index >= SATURATED_FROM)


def by_bank(models: int, rng: Rng) -> Decided:
    """Of one board of respondents and 200 items of a real bank, as a card decides it."""
    drawn, settings = draw_board(models, int(rng.integers(10**6)), rng)
    found = top.index(drawn.board, drawn.items, settings)
    first, other = (int(name[1:]) for name in (found.first, found.kth))
    return found.first_and_kth, true_index(drawn, first, other, settings) >= SATURATED_FROM


def errors(decided: Iterable[Decided], said: str) -> tuple[int, int]:
    """How many decisions say so, and how many boards there are, of those where it is wrong."""
    wrong = [found == said for found, reached in decided if reached == (said == SEPARATED)]
    return sum(wrong), len(wrong)


def of_each(models: int, rng: Rng) -> list[Decided]:
    """A board of each distribution."""
    return [
        by_scores(distribution, float(rng.choice(WIDTHS)), models, rng)
        for distribution in DISTRIBUTIONS.values()
    ]


def of_any(n: int, highest: float, models: int, rng: Rng) -> Decided:
    """A board of one distribution."""
    chosen = list(DISTRIBUTIONS.values())[int(rng.integers(len(DISTRIBUTIONS)))]
    return by_items(chosen, n, highest, models, rng)


def worst(
    boards: Callable[[int], Iterable[list[Decided]]], said: str, _rng: Rng, data_sets: int
) -> Outcome:
    """The distribution with the highest share of errors, of those with enough boards to say."""
    counts = [errors(decided, said) for decided in zip(*boards(data_sets), strict=True)]
    return Outcome(*max((c for c in counts if c[1] >= LEAST), key=lambda c: c[0] / c[1]))


def pooled(
    boards: Callable[[int], Iterable[Decided]], said: str, _rng: Rng, data_sets: int
) -> Outcome:
    """All boards together."""
    return Outcome(*errors(boards(data_sets), said))


def _checks(
    name: str,
    estimator: str,
    scenario: str,
    data_sets: int,
    count: Callable[..., Outcome],
    draw: Callable[[Rng], Any],
) -> list[Check]:
    boards = drawn_once(f"decision {name}", draw)
    told = {
        EQUIVALENT: f"of boards whose true index is below {SATURATED_FROM:g}, so many are called "
        "equivalent",
        SEPARATED: f"of boards whose true index is at least {SATURATED_FROM:g}, so many are called "
        "separated",
    }
    return [
        Check(f"decision_{said}_{name}", estimator, statement, scenario, **SIZE,
              data_sets=data_sets, simulate=partial(count, boards, said))
        for said, statement in told.items()
    ]  # fmt: skip


_WORST = f"three widths, the worst of {len(DISTRIBUTIONS)} distributions of true scores"
CHECKS = tuple(
    check
    for checks in (
        *(_checks(f"scores_{models}", DECISION, f"{models} models with normal errors, {_WORST}",
                  3000, worst, partial(of_each, models)) for models in (5, 20, 50)),
        *(_checks(f"items_{n}_{models}", CARD_INDEX, f"{models} models on the same {n} items, true "
                  f"scores around {highest / 2:g}, {len(DISTRIBUTIONS)} distributions of them",
                  2000, pooled, partial(of_any, n, highest, models))
          for n, highest, models in ((200, 1.0, 20), (200, 1.0, 50), (30, 0.2, 20), (12, 0.2, 20))),
        *(_checks(f"banks_{models}", CARD_INDEX, f"{models} {OF_BANKS}", 2500, pooled,
                  partial(by_bank, models)) for models in (20, 50)),
    )
    for check in checks
)  # fmt: skip
