"""A check: one statement of level, coverage or probability, and the simulation that tries it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from saturation.seeds import generator
from saturation.statistics.intervals import wilson

Drawn = TypeVar("Drawn")
Rng = np.random.Generator
# Whether the event occurred in each of a data set's statements; None where nothing is stated.
Event = Callable[[Rng], bool | Iterable[bool | None] | None]
# Within the error of the simulation, beyond it on the safe side, beyond it on the other
# side, or too few data sets to say.
AS_STATED, SAFE, FAILS, UNDECIDED = "as stated", "safe side", "does not hold", "undecided"
HOLDS = (AS_STATED, SAFE)
LEAST = 400
# What most checks state, and on which side a miss does no harm.
COVERAGE: dict[str, Any] = {"stated": 0.95, "safe": "more"}
SIZE: dict[str, Any] = {"stated": 0.05, "safe": "fewer"}
POWER: dict[str, Any] = {"stated": 0.8, "safe": "more"}


@dataclass(frozen=True)
class Outcome:
    """How often the event of a check occurred."""

    hits: int
    trials: int
    # What was stated on average, where it varies between trials (a predicted probability).
    stated: float | None = None
    # Data sets on which nothing was stated, with a reason; not among the trials.
    abstained: int = 0


Simulate = Callable[[Rng, int], Outcome]


@dataclass(frozen=True)
class Check:
    """A statement that an estimator makes, under one truth.

    Parameters
    ----------
    name
        Unique; the seed derives from it.
    estimator
        Module and function that make the statement, such as ``statistics.entropy.interval``.
    statement
        As a sentence: "the 95 % interval contains the true entropy".
    scenario
        The truth: distribution, sizes, dependence.
    stated
        The stated share of the event: 0.95 for coverage, 0.05 for a level.
    safe
        Where a miss does no harm: an interval covers "more", a test rejects "fewer"; of a predicted
        probability "neither".
    data_sets
        Number of data sets to simulate; with fewer than `LEAST` no share is as stated.
    simulate
        ``simulate(rng, data_sets)`` counts the event.
    shares
        Name of the data sets that other checks of the module read too; empty for draws of its own.
    """

    name: str
    estimator: str
    statement: str
    scenario: str
    stated: float
    safe: Literal["more", "fewer", "neither"]
    data_sets: int
    simulate: Simulate
    shares: str = ""


def run(check: Check, seed: int, data_sets: int | None = None) -> dict[str, object]:
    """A row of the table: what is stated, what was found with its error, and the verdict."""
    rng = generator(seed, "simulation", check.name)
    drawn = check.data_sets if data_sets is None else data_sets
    outcome = check.simulate(rng, drawn)
    # Statements on one data set depend on each other: the data sets count.
    independent = min(outcome.trials, drawn)
    found = outcome.hits / outcome.trials if outcome.trials else np.nan
    low, high = wilson(found * independent, independent) if independent else (np.nan, np.nan)
    stated = check.stated if outcome.stated is None else outcome.stated
    return {
        "check": check.name,
        "estimator": check.estimator,
        "statement": check.statement,
        "scenario": check.scenario,
        "stated": stated,
        "safe": check.safe,
        "found": found,
        "found_low": low,
        "found_high": high,
        "data_sets": drawn,
        "trials": outcome.trials,
        "abstained": outcome.abstained,
        "verdict": verdict(stated, low, high, check.safe, independent),
    }


def verdict(stated: float, low: float, high: float, safe: str, data_sets: int) -> str:
    """What a found share, with its 95 % Monte-Carlo interval, says of the stated one.

    With fewer than `LEAST` data sets the interval is too wide to say that a share is as stated.
    """
    if not data_sets or low <= stated <= high:
        return AS_STATED if data_sets >= LEAST else UNDECIDED
    beyond = low > stated if safe == "more" else safe == "fewer" and high < stated
    return SAFE if beyond else FAILS


def repeated(event: Event) -> Simulate:
    """A simulation that draws one data set after the other and counts the event."""

    def simulate(rng: Rng, data_sets: int) -> Outcome:
        seen: list[bool | None] = []
        for _ in range(data_sets):
            found = event(rng)
            seen += list(found) if isinstance(found, Iterable) else [found]
        stated = [occurred for occurred in seen if occurred is not None]
        return Outcome(sum(map(bool, stated)), len(stated), abstained=len(seen) - len(stated))

    return simulate


def drawn_once(scenario: str, draw: Callable[[Rng], Drawn]) -> Callable[[int], tuple[Drawn, ...]]:
    """What is measured on so many data sets of a scenario, kept for all checks that read it.

    The scenario has a random stream of its own, so that it does not matter which check is first.
    """

    @lru_cache
    def measured(data_sets: int) -> tuple[Drawn, ...]:
        rng = generator(0, "simulation", scenario)
        return tuple(draw(rng) for _ in range(data_sets))

    return measured


def covered(lower: ArrayLike, upper: ArrayLike, truth: ArrayLike) -> Outcome:
    """How many intervals contain the truth; those without limits abstain."""
    low, high, value = np.broadcast_arrays(
        *(np.asarray(given, float) for given in (lower, upper, truth))
    )
    known = np.isfinite(low) & np.isfinite(high)
    inside = (low <= value) & (value <= high) & known
    return Outcome(int(inside.sum()), int(known.sum()), abstained=int((~known).sum()))


def rejected(p_values: ArrayLike, level: float = 0.05) -> Outcome:
    """How many tests reject at the level; those without a p-value abstain."""
    p = np.asarray(p_values, float)
    known = np.isfinite(p)
    return Outcome(int((p[known] <= level).sum()), int(known.sum()), abstained=int((~known).sum()))
