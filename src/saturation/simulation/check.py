"""One statement of level, coverage or probability, and the simulation that tries it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from saturation.seeds import generator
from saturation.statistics.intervals import wilson

HOLDS, FAILS = "holds", "does not hold"


@dataclass(frozen=True)
class Outcome:
    """How often the event of a check occurred.

    Parameters
    ----------
    hits, trials
        Number of simulated data sets (or of statements made on them) with the event, and of all.
    stated
        What was stated on average, where it varies between trials (a said probability); None where
        the check states one value.
    abstained
        Data sets on which nothing was stated, with a reason; not among the trials.
    """

    hits: int
    trials: int
    stated: float | None = None
    abstained: int = 0


@dataclass(frozen=True)
class Check:
    """A statement that an estimator makes, under one truth.

    Parameters
    ----------
    name
        Unique: ``subject_estimator_scenario``; the seed derives from it.
    estimator
        Module and function that make the statement, such as ``statistics.entropy.interval``.
    statement
        What is stated, as a sentence: "the 95 % interval contains the true entropy".
    scenario
        The truth: law, sizes, dependence.
    stated
        The stated share of the event: .95 for coverage, .05 for a level.
    lower, upper
        The found share is accepted between these.
    data_sets
        Number of data sets to simulate.
    simulate
        ``simulate(rng, data_sets)`` gives the :class:`Outcome`.
    """

    name: str
    estimator: str
    statement: str
    scenario: str
    stated: float
    lower: float
    upper: float
    data_sets: int
    simulate: Callable[[np.random.Generator, int], Outcome]


def run(check: Check, seed: int, data_sets: int | None = None) -> dict[str, object]:
    """Simulate a check and judge it: a row of the table.

    Returns
    -------
    dict
        The check's texts and bounds; ``found``, its Wilson interval of 95 % (the error of the
        simulation), ``trials``, ``abstained`` and ``verdict``: it holds if the share of the
        event lies within the bounds.
    """
    outcome = check.simulate(
        generator(seed, "simulation", check.name),
        check.data_sets if data_sets is None else data_sets,
    )
    found = outcome.hits / outcome.trials if outcome.trials else np.nan
    low, high = wilson(outcome.hits, outcome.trials) if outcome.trials else (np.nan,) * 2
    return {
        "check": check.name,
        "estimator": check.estimator,
        "statement": check.statement,
        "scenario": check.scenario,
        "stated": check.stated if outcome.stated is None else outcome.stated,
        "lower": check.lower,
        "upper": check.upper,
        "found": found,
        "found_low": low,
        "found_high": high,
        "trials": outcome.trials,
        "abstained": outcome.abstained,
        "verdict": HOLDS if check.lower <= found <= check.upper else FAILS,
    }
