"""Computerised adaptive testing: maximum-information selection, fixed length or stopping rule.

All respondents advance together, one item per step (equation 5 of the fluid benchmarking paper).
The search for the most informative item goes through the items from the steepest down and stops
at the first whose largest possible information, a squared over 4, is below the best found: the
selections are those of a full search.
"""

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from saturation.irt import MISSING, STANDARD, Floats, Prior, Responses, climb

NO_ITEM = -1


@dataclass(frozen=True)
class Administrations:
    """What an adaptive test did, respondents by steps.

    Attributes
    ----------
    items
        Index of the item given at each step, :data:`NO_ITEM` after the test has stopped.
    ability, se
        Estimate and standard error after each step; after the stop they stay as they were.
    """

    items: npt.NDArray[np.int64]
    ability: Floats
    se: Floats

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Number of items that each respondent was given."""
        return (self.items != NO_ITEM).sum(axis=1)


def administer(
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    length: int,
    stop_se: float = 0.0,
    prior: Prior = STANDARD,
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
        Normal prior of the MAP estimate; its mean is assumed before the first item.

    Returns
    -------
    Administrations
        Of items that tie in information the first in the bank's order is taken.
    """
    steps = min(length, responses.shape[1])
    steepest_first = np.argsort(-np.abs(discrimination), kind="stable")
    items = np.full((len(responses), steps), NO_ITEM, dtype=np.int64)
    ability = np.full((len(responses), steps), prior.mean)
    se = np.full((len(responses), steps), prior.sd)
    _advance(
        np.ascontiguousarray(responses),
        np.ascontiguousarray(discrimination),
        np.ascontiguousarray(difficulty),
        steepest_first,
        stop_se,
        prior.mean,
        prior.sd,
        items,
        ability,
        se,
    )
    return Administrations(items, ability, se)


def mean_rank_gap(ability: Floats) -> float:
    """Mean distance in ability between respondents of adjacent rank: the paper's stopping rule."""
    return float(np.ptp(ability) / (len(ability) - 1))


@numba.njit(cache=True)
def _advance(  # pragma: no cover - compiled
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    steepest_first: npt.NDArray[np.int64],
    stop_se: float,
    prior_mean: float,
    prior_sd: float,
    items: npt.NDArray[np.int64],
    ability: Floats,
    se: Floats,
) -> None:
    persons, steps = items.shape
    used = responses == MISSING
    theta = np.full(persons, prior_mean)
    error = np.full(persons, prior_sd)
    for step in range(steps):
        for person in range(persons):
            if error[person] > stop_se:
                item = _most_informative(
                    theta[person], used[person], discrimination, difficulty, steepest_first
                )
                if item != NO_ITEM:
                    used[person, item] = True
                    items[person, step] = item
                    theta[person], error[person] = climb(
                        responses[person],
                        items[person, : step + 1],
                        discrimination,
                        difficulty,
                        theta[person],
                        prior_mean,
                        prior_sd,
                    )
            ability[person, step] = theta[person]
            se[person, step] = error[person]


@numba.njit(cache=True)
def _most_informative(  # pragma: no cover - compiled
    theta: float,
    used: npt.NDArray[np.bool_],
    discrimination: Floats,
    difficulty: Floats,
    steepest_first: npt.NDArray[np.int64],
) -> int:
    best, found = -1.0, NO_ITEM
    for item in steepest_first:
        square = discrimination[item] * discrimination[item]
        if 0.25 * square < best:
            break
        if used[item]:
            continue
        away = abs(discrimination[item] * (theta - difficulty[item]))
        # exp(-x) is below the inverse of its series: most items need no exponential.
        if square < best * (1.0 + away * (1.0 + away * (0.5 + away / 6.0))):
            continue
        tail = np.exp(-away)
        info = square * tail / ((1.0 + tail) * (1.0 + tail))
        if info > best or (info == best and item < found):
            best, found = info, item
    return found
