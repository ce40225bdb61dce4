"""Two-parameter logistic item response model: probability, information, likelihood.

Responses are int8 matrices, respondents in rows and items in columns, with 1 for correct, 0 for
wrong and :data:`MISSING` for cells that were not observed. The model is equation 2 of the fluid
benchmarking paper, p = logistic(a (theta - b)).

Abilities for known items are in :mod:`saturation.adaptive.abilities`, fitting in
:mod:`saturation.adaptive.fit`, the full posterior in :mod:`saturation.adaptive.posterior`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from saturation.errors import InputError

MISSING = -1
# Below it a floor is none.
LEAST_FLOOR = 0.005
Floats = npt.NDArray[np.float64]
Responses = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Prior:
    """Normal prior of an ability, cut off at limits if there are any.

    Attributes
    ----------
    mean, sd
        Of the normal distribution.
    lower, upper
        No ability lies beyond; the posterior is log-concave, so its mode is held to the nearer.
    """

    mean: float = 0.0
    sd: float = 1.0
    lower: float = -np.inf
    upper: float = np.inf

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mean) and 0 < self.sd < np.inf and self.lower < self.upper):
            raise InputError(
                f"prior: mean {self.mean}, sd {self.sd}, limits {self.lower} and {self.upper}; "
                "expected a finite mean, an sd above 0, and a lower limit below the upper"
            )

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Mean, standard deviation and limits, as compiled code takes them."""
        return float(self.mean), float(self.sd), float(self.lower), float(self.upper)


STANDARD = Prior()


def probability(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """Probability of a right answer, respondents by items (equation 2).

    Parameters
    ----------
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    floor
        Chance of a right answer by guessing, for all items.
    """
    knows = np.asarray(expit(_logit(ability, discrimination, difficulty)))
    return knows if floor == 0.0 else np.asarray(floor + (1.0 - floor) * knows)


def floor_odds(floor: float) -> float | None:
    """Odds of a right answer where only guessing gives one; None without a floor.

    Parameters
    ----------
    floor
        Chance of a right answer by guessing.

    Raises
    ------
    InputError
        If it is not from 0 to below 1, or so small that it cannot be told from none.
    """
    if floor == 0.0:
        return None
    if not LEAST_FLOOR <= floor < 1.0:
        raise InputError(
            f"floor: {floor} is no chance to guess; expected 0 or {LEAST_FLOOR} to below 1"
        )
    return floor / (1.0 - floor)


def information(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """Fisher information of each item at each ability, abilities by items (equation 4).

    Parameters
    ----------
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    floor
        Chance of a right answer by guessing, for all items: of right answers only those count
        that are known.
    """
    tail = np.exp(-np.abs(_logit(ability, discrimination, difficulty)))
    known = np.asarray(np.square(discrimination) * tail / np.square(1.0 + tail))
    odds = floor_odds(floor)
    if odds is None:
        return known
    return np.asarray(known * _known(ability, discrimination, difficulty, odds))


def answer_weight(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """What an answer counts for the ability: Birnbaum's weight P' / (P (1 - P)).

    The derivative of the log-likelihood by the ability is this times the answer less its
    probability. Without a floor it is the slope, at every ability.

    Parameters
    ----------
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    floor
        Chance of a right answer by guessing, for all items.

    Returns
    -------
    numpy.ndarray
        Respondents by items; without a floor items alone.
    """
    odds = floor_odds(floor)
    if odds is None:
        return discrimination
    known = _known(ability, discrimination, difficulty, odds)
    return np.asarray(discrimination * known / (1.0 - floor))


def log_odds(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """Logarithm of the odds of a right answer, respondents by items.

    Parameters
    ----------
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    floor
        Chance of a right answer by guessing, for all items.
    """
    logit = _logit(ability, discrimination, difficulty)
    odds = floor_odds(floor)
    if odds is None:
        return logit
    # P / (1 - P) = (p + odds) / (1 - p)
    return np.asarray(np.log(expit(logit) + odds) - log_expit(-logit))


def _known(ability: Floats, discrimination: Floats, difficulty: Floats, odds: float) -> Floats:
    """Share of right answers that are known and not guessed, by the floor's odds."""
    knows = probability(ability, discrimination, difficulty)
    return np.asarray(knows / (knows + odds))


def bank_information(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Information of the whole item set at each ability: the sum over items.

    Parameters
    ----------
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    """
    return np.asarray(information(ability, discrimination, difficulty).sum(axis=1))


def log_likelihood(
    responses: Responses,
    ability: Floats,
    discrimination: Floats,
    difficulty: Floats,
    floor: float = 0.0,
) -> Floats:
    """Log-likelihood of each observed response; cells that are missing give 0.

    Parameters
    ----------
    responses
        Respondents by items.
    ability
        One value a respondent (or a place on the scale), in standard deviations.
    discrimination, difficulty
        One value an item.
    floor
        Chance of a right answer by guessing, for all items.
    """
    logit = log_odds(ability, discrimination, difficulty, floor)
    likelihood = log_expit(np.where(responses == 1, logit, -logit))
    return np.where(responses == MISSING, 0.0, likelihood)


def link(ability: Floats, reference: Floats) -> tuple[float, float]:
    """Slope and intercept that bring one fit's abilities onto another's scale (mean and sigma).

    Parameters
    ----------
    ability, reference
        The same respondents' abilities in the two fits.
    """
    slope = float(reference.std() / ability.std())
    return slope, float(reference.mean() - slope * ability.mean())


def _logit(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    return np.asarray(ability)[:, None] * discrimination - discrimination * difficulty
