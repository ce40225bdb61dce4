"""A common floor of guessing: models with one against the model without, on held-out responses.

With a floor c the chance of a right answer is c + (1 - c) logistic(a (theta - b)): the
three-parameter model with one guessing parameter for all items, here held at given values. It is
fitted by stochastic expectation-maximisation (Celeux and Diebolt 1985): which right answers were
guessed is drawn, and what is left follows the two-parameter model, which is fitted as ever. The
floor is not estimated: a two-parameter model imitates one so well that the likelihood is flat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import MISSING, Floats, Responses, probability
from saturation.errors import InputError
from saturation.statistics.standard_errors import clustered_error

FLOORS = (0.1, 0.2, 0.25, 1 / 3, 0.5)
# Share of the cells that are held out.
HELD_OUT = 0.1
LEVEL = 0.95
_ROUNDS, _KEPT = 12, 6
_LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Floored:
    """A model with a floor: its abilities, items, and chance of a right answer by guessing."""

    ability: Floats
    discrimination: Floats
    difficulty: Floats
    floor: float

    def chance(self) -> Floats:
        """Probability of a right answer, respondents by items."""
        knows = probability(self.ability, self.discrimination, self.difficulty)
        return np.asarray(self.floor + (1.0 - self.floor) * knows)


def compare(
    responses: Responses, models: Sequence[str], slopes: Slopes, seed: int, name: str
) -> pd.DataFrame:
    """Predict a tenth of the cells from the others with each floor and without.

    Parameters
    ----------
    responses
        Respondents by items.
    models
        The model of each respondent: its cells are one unit.
    slopes
        The sign that slopes may have.
    seed, name
        Of the run, and the bank's name, from which the random stream derives.

    Returns
    -------
    pandas.DataFrame
        Rows `floor, gain, lower, upper, needed`: the gain in mean log-likelihood of a held-out
        cell over the model without a floor, its interval (95 % for all floors at once, by
        Bonferroni; missing for one model alone), and whether it lies above nought. A floor with
        which the responses cannot be fitted has no gain.
    """
    random = seeds.generator(seed, "adaptive", "floors", name)
    hidden = (responses != MISSING) & (random.random(responses.shape) < HELD_OUT)
    given = np.where(hidden, MISSING, responses).astype(np.int8)
    plain = fit(given, slopes)
    without = _log_chance(responses[hidden], _unfloored(plain).chance()[hidden])
    units = np.asarray(models, dtype=object)[np.nonzero(hidden)[0]].astype(str)
    clusters, rows = len(np.unique(units)), []
    quantile = scipy.special.stdtrit(max(clusters - 1, 1), 1.0 - (1.0 - LEVEL) / (2 * len(FLOORS)))
    for floor in FLOORS:
        try:
            floored = with_floor(given, plain, floor, slopes, random)
        except InputError:
            # Too little is known once so much is taken for guessed.
            rows.append(_row(floor, np.nan, np.nan))
            continue
        gains = _log_chance(responses[hidden], floored.chance()[hidden]) - without
        reach = float(quantile) * clustered_error(gains, units) if clusters > 1 else np.nan
        rows.append(_row(floor, float(gains.mean()), reach))
    return pd.DataFrame(rows)


def _row(floor: float, gain: float, reach: float) -> dict[str, float | bool]:
    lower = gain - reach
    return {
        "floor": floor,
        "gain": gain,
        "lower": lower,
        "upper": gain + reach,
        "needed": lower > 0,
    }


def with_floor(
    responses: Responses, plain: Fit, floor: float, slopes: Slopes, random: np.random.Generator
) -> Floored:
    """Fit the model with a floor: means over the later rounds of the draws.

    Parameters
    ----------
    responses
        Respondents by items.
    plain
        The fit without a floor, from which the rounds start.
    floor
        Chance of a right answer by guessing.
    slopes
        The sign that slopes may have.
    random
        Draws which right answers were guessed.
    """
    state, kept = replace(_unfloored(plain), floor=floor), []
    for turn in range(_ROUNDS):
        state = _round(responses, state, slopes, random)
        if turn >= _ROUNDS - _KEPT:
            kept.append(state)
    ability, discrimination, difficulty = (
        np.mean([getattr(each, part) for each in kept], axis=0)
        for part in ("ability", "discrimination", "difficulty")
    )
    return Floored(ability, discrimination, difficulty, floor)


def _unfloored(plain: Fit) -> Floored:
    return Floored(plain.ability, plain.discrimination, plain.difficulty, 0.0)


def _round(
    responses: Responses, state: Floored, slopes: Slopes, random: np.random.Generator
) -> Floored:
    """Draw which right answers were known, and fit those."""
    knows = probability(state.ability, state.discrimination, state.difficulty)
    known = knows / (state.floor + (1.0 - state.floor) * knows)
    guessed = (responses == 1) & (random.random(known.shape) >= known)
    again = fit(np.where(guessed, 0, responses).astype(np.int8), slopes)
    return Floored(again.ability, again.discrimination, again.difficulty, state.floor)


def _log_chance(responses: Responses, chance: Floats) -> Floats:
    bounded = np.clip(chance, _LEAST_CHANCE, 1.0 - _LEAST_CHANCE)
    return np.asarray(np.log(np.where(responses == 1, bounded, 1.0 - bounded)))
