"""From what happens in one simulated data set to the outcome of a check."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from saturation.seeds import generator
from saturation.simulation.check import Outcome

Drawn = TypeVar("Drawn")
Simulate = Callable[[np.random.Generator, int], Outcome]
# Whether the event occurred in each of a data set's statements; None where nothing is stated.
Event = Callable[[np.random.Generator], bool | Iterable[bool | None] | None]


def repeated(event: Event) -> Simulate:
    """A simulation that draws one data set after the other."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        seen: list[bool | None] = []
        for _ in range(data_sets):
            found = event(rng)
            seen += list(found) if isinstance(found, Iterable) else [found]
        stated = [occurred for occurred in seen if occurred is not None]
        return Outcome(sum(map(bool, stated)), len(stated), abstained=len(seen) - len(stated))

    return simulate


def drawn_once(
    scenario: str, draw: Callable[[np.random.Generator], Drawn]
) -> Callable[[int], tuple[Drawn, ...]]:
    """What is measured on the data sets of a scenario, for several checks that read it.

    Drawn from a stream of the scenario's own, so that it does not matter which check asks first.

    Returns
    -------
    callable
        Gives the measurements of so many data sets, and keeps them.
    """

    @lru_cache
    def measured(data_sets: int) -> tuple[Drawn, ...]:
        rng = generator(0, "simulation", scenario)
        return tuple(draw(rng) for _ in range(data_sets))

    return measured


def covered(lower: ArrayLike, upper: ArrayLike, truth: ArrayLike) -> Outcome:
    """How many of the intervals contain the truth; those without limits abstain."""
    low, high, value = np.broadcast_arrays(
        *(np.asarray(given, float) for given in (lower, upper, truth))
    )
    known = np.isfinite(low) & np.isfinite(high)
    inside = (low <= value) & (value <= high) & known
    return Outcome(int(inside.sum()), int(known.sum()), abstained=int((~known).sum()))


def rejected(p_values: ArrayLike, level: float = 0.05) -> Outcome:
    """How many of the tests reject at the level; those without a p-value abstain."""
    p = np.asarray(p_values, float)
    known = np.isfinite(p)
    return Outcome(int((p[known] <= level).sum()), int(known.sum()), abstained=int((~known).sum()))
