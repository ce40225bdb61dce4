"""Whether a said probability is the true one: by tenths of what is said, and by its range."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from saturation.simulation.check import Check, Outcome
from saturation.statistics import intervals

Floats = NDArray[np.float64]
# Of so many boards: the said probability, whether it is so, and the lowest and highest of the
# stated range; shape (boards, 4).
Statements = Callable[[int], Floats]

# Beyond the tenth itself, whose middle is 0.05 from its ends: the error of the simulation.
TOLERANCE = 0.02


def tenth_checks(
    name: str, estimator: str, scenario: str, boards: int, statements: Statements
) -> list[Check]:
    """For each tenth of P(saturated) a check that it is so as often as is said."""
    return [
        Check(
            f"{name}_tenth_{tenth}",
            estimator,
            f"P(saturated) from {tenth / 10:g} to {(tenth + 1) / 10:g}: so often the two true "
            "scores have such an index",
            scenario,
            (tenth + 0.5) / 10,
            max(0.0, tenth / 10 - TOLERANCE),
            min(1.0, (tenth + 1) / 10 + TOLERANCE),
            boards,
            partial(_tenth, statements, tenth),
        )
        for tenth in range(10)
    ]


def range_check(
    name: str, estimator: str, scenario: str, boards: int, statements: Statements
) -> Check:
    """A check that the range beside P(saturated) holds the truth in every tenth."""
    return Check(
        name,
        estimator,
        "tenths of P(saturated) whose range, on average, holds how often the two true scores "
        "have such an index",
        scenario,
        1.0,
        1.0,
        1.0,
        boards,
        partial(_ranges, statements),
    )


def tenths(said: Floats) -> NDArray[np.int_]:
    """The tenth of each said probability, 0 to 9."""
    found: NDArray[np.int_] = np.minimum((said * 10).astype(int), 9)
    return found


def _tenth(statements: Statements, tenth: int, _rng: np.random.Generator, boards: int) -> Outcome:
    said, true = statements(boards).T[:2]
    inside = tenths(said) == tenth
    stated = float(said[inside].mean()) if inside.any() else float("nan")
    return Outcome(int(true[inside].sum()), int(inside.sum()), stated)


def _ranges(statements: Statements, _rng: np.random.Generator, boards: int) -> Outcome:
    """In how many tenths the stated range, on average, meets the share of boards and its error."""
    said, true, lowest, highest = statements(boards).T
    held = []
    for tenth in np.unique(tenths(said)):
        inside = tenths(said) == tenth
        low, high = intervals.wilson(true[inside].sum(), inside.sum())
        held.append(lowest[inside].mean() <= high and low <= highest[inside].mean())
    return Outcome(sum(held), len(held))
