"""Computerised adaptive testing: maximum-information selection, fixed length or stopping rule.

All respondents advance together, one item per step (equation 5 of the fluid benchmarking paper).
The search for the most informative item goes through the items from the steepest down and stops
at the first whose largest possible information, a squared over 4, is below the best found: the
selections are those of a full search.
"""

from dataclasses import dataclass

import numpy as np

from saturation.adaptive.abilities import NO_ITEM, Curves, advance
from saturation.adaptive.fit import check_cells, check_parameters
from saturation.adaptive.model import STANDARD, Prior, Responses
from saturation.arrays import Floats, Integers
from saturation.errors import InputError


@dataclass(frozen=True)
class Administrations:
    """Record of an adaptive test, respondents by steps.

    Attributes
    ----------
    items
        Index of the item given at each step, :data:`NO_ITEM` after the test has stopped.
    ability, se
        Estimate and standard error after each step; after the stop they stay as they were.
    """

    items: Integers
    ability: Floats
    se: Floats

    @property
    def lengths(self) -> Integers:
        """Number of items that each respondent was given."""
        return np.asarray((self.items != NO_ITEM).sum(axis=1))


def administer(
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    length: int,
    stop_se: float = 0.0,
    prior: Prior = STANDARD,
    start: float | None = None,
    floor: float = 0.0,
) -> Administrations:
    """Run an adaptive test on recorded responses, every respondent at once.

    Parameters
    ----------
    responses
        Respondents by items; an item that a respondent has no response to is never given to it.
    discrimination, difficulty
        Item parameters, fitted on other respondents.
    length
        Most items that a respondent gets.
    stop_se
        The test of a respondent ends once its standard error is at most this; 0 never stops.
    prior
        Prior of the MAP estimate.
    start
        Ability that is assumed for the choice of the first item, and for nothing else; the
        prior's mean without it.
    floor
        Chance of a right answer by guessing, for all items.

    Returns
    -------
    Administrations
        Of items that tie in information the first in the bank's order is taken.

    Raises
    ------
    InputError
        If a cell is none, a parameter is not finite, or parameters and items differ in number.
    """
    check_cells(responses)
    check_parameters(discrimination, difficulty, responses.shape[1])
    if length < 1 or not stop_se >= 0:
        raise InputError(
            f"adaptive test: length {length}, stop_se {stop_se}; expected a length of at least 1 "
            "and a standard error of at least 0"
        )
    items, ability, se = advance(
        np.ascontiguousarray(responses),
        Curves.convert(discrimination, difficulty, floor),
        (min(length, responses.shape[1]), float(stop_se)),
        float(prior.mean if start is None else start),
        prior.numbers,
    )
    return Administrations(items, ability, se)
