"""Whether a model's answers so far tell it apart from a rival, however often one looks.

A test that looks after every answer and stops when it likes would call too many ties decided. The
answers are therefore weighed by a likelihood ratio: that of abilities drawn from a normal
distribution to that of the rival's. If the model were as able as the rival its expectation would
be one after every answer, whichever items were chosen in the light of those before, and it would
exceed 1 / p at any time with a probability of at most p (Ville's inequality; Robbins 1970).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.model import STANDARD, Floats, Prior, Responses, log_likelihood
from saturation.errors import InputError
from saturation.statistics.intervals import normal_quantile

_NODES = 41
# So wide a prior leaves the likelihood alone.
_FLAT = 1e6
# Abilities of a rival that are tried where the likelihood may have several modes.
_WITHIN = 101

# Discrimination and difficulty of items, and their floor.
_Items = tuple[Floats, Floats, float]


@dataclass(frozen=True)
class Rival:
    """A model that a session is to be told apart from.

    Attributes
    ----------
    ability, standard_error
        The rival's, on the scale of the items; an error of 0 takes the ability as known.
    level
        Probability, at least, that no difference is stated if there is none.
    """

    ability: float
    standard_error: float = 0.0
    level: float = 0.95

    def __post_init__(self) -> None:
        known = np.isfinite(self.ability) and 0 <= self.standard_error < np.inf
        if not (known and 0 < self.level < 1):
            raise InputError(
                f"rival: ability {self.ability}, standard error {self.standard_error}, level "
                f"{self.level}; expected finite numbers, an error of at least 0, a level between "
                "0 and 1"
            )


def from_answers(
    answers: Mapping[str, int],
    names: Sequence[str],
    discrimination: Floats,
    difficulty: Floats,
    prior: Prior = STANDARD,
    floor: float = 0.0,
) -> Rival:
    """The rival that another model's answers make.

    Parameters
    ----------
    answers
        1 or 0 by item, of the items that it was given.
    names, discrimination, difficulty
        The bank's items, one value each.
    prior
        Of the rival's ability.
    floor
        Chance of a right answer by guessing, for all items.

    Raises
    ------
    InputError
        Naming each answered item that the bank lacks, or if none is answered.
    """
    missing = sorted(set(answers) - set(names))
    if missing or not answers:
        raise InputError(
            [f"rival: item '{item}' is not in the bank" for item in missing]
            or "rival: no answers; give at least one"
        )
    place = {name: number for number, name in enumerate(names)}
    chosen = [place[item] for item in answers]
    row = np.array([list(answers.values())], dtype=np.int8)
    ability, error = map_ability(row, discrimination[chosen], difficulty[chosen], prior, floor)
    return Rival(float(ability[0]), float(error[0]))


def leads(
    row: Responses,
    discrimination: Floats,
    difficulty: Floats,
    prior: Prior,
    rival: Rival,
    floor: float = 0.0,
) -> bool | None:
    """Whether the model is abler than its rival (True), less able (False), or not told apart.

    Half of what may err goes to the rival's own interval where it has an error: the answers must
    then contradict every ability in it.

    Parameters
    ----------
    row
        The model's answers so far, 0 or 1.
    discrimination, difficulty
        Of the items answered.
    prior
        Its mean and spread are those of the normal distribution that abilities are drawn from.
    rival
        Whom to tell it apart from.
    floor
        Chance of a right answer by guessing, for all items.
    """
    if row.size == 0:
        return None
    cells, items = row[None], (discrimination, difficulty, floor)
    allowed, likeliest = 1.0 - rival.level, np.array([rival.ability])
    if rival.standard_error > 0:
        allowed /= 2.0
        reach = normal_quantile(1.0 - allowed) * rival.standard_error
        likeliest = _within(cells, items, rival.ability, reach)
    against = _log_likelihoods(cells, likeliest, items).max()
    mixing = Prior(prior.mean, prior.sd)
    if _log_mixture(cells, items, mixing) - against < -np.log(allowed):
        return None
    mode = map_ability(cells, discrimination, difficulty, mixing, floor)[0][0]
    return bool(mode > rival.ability)


def _within(cells: Responses, items: _Items, middle: float, reach: float) -> Floats:
    """Abilities in an interval of which one makes the answers as likely as any other does.

    Without a floor the likelihood has one mode, which is held to the interval; with one it may
    have several, and many places are tried.
    """
    discrimination, difficulty, floor = items
    if floor > 0:
        return np.linspace(middle - reach, middle + reach, _WITHIN)
    within = Prior(middle, _FLAT, middle - reach, middle + reach)
    return map_ability(cells, discrimination, difficulty, within)[0]


def _log_likelihoods(cells: Responses, places: Floats, items: _Items) -> Floats:
    return np.asarray(log_likelihood(cells, places, *items).sum(axis=1))


def _log_mixture(cells: Responses, items: _Items, mixing: Prior) -> float:
    """Logarithm of the likelihood's mean over a normal distribution of abilities."""
    discrimination, difficulty, floor = items
    mode, spread = map_ability(cells, discrimination, difficulty, mixing, floor)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    places = mode[0] + spread[0] * nodes
    density = -0.5 * ((places - mixing.mean) / mixing.sd) ** 2 - np.log(mixing.sd)
    heights = _log_likelihoods(cells, places, items) + density
    heights += 0.5 * nodes**2 + np.log(spread[0]) + np.log(weights / np.sqrt(2 * np.pi))
    return float(np.logaddexp.reduce(heights))
