"""Two-parameter logistic item response model: probability, information, likelihood.

Responses are int8 matrices, respondents in rows and items in columns, with 1 for correct, 0 for
wrong and :data:`MISSING` for cells that were not observed. The model is equation 2 of the fluid
benchmarking paper, p = logistic(a (theta - b)).

Abilities for known items are in :mod:`saturation.adaptive.abilities`, fitting in
:mod:`saturation.adaptive.fit`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from saturation.arrays import Floats
from saturation.errors import InputError

MISSING = -1
# Below it a floor is none.
LEAST_FLOOR = 0.005
Responses = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Prior:
    """Normal prior of an ability, cut off at limits if there are any.

    Attributes
    ----------
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
    floor
        Chance of a right answer by guessing, for all items.
    """
    knows = np.asarray(expit(_logit(ability, discrimination, difficulty)))
    return knows if floor == 0.0 else np.asarray(floor + (1.0 - floor) * knows)


def averaged(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float, covariance: Floats
) -> Floats:
    """Probability of a right answer, averaged over what is not known of each item.

    Parameters
    ----------
    covariance
        Of the log discrimination and the difficulty, items by 2 by 2; both are taken as normal,
        and averaged by three Gauss-Hermite points each.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)
    root = roots(covariance)
    chance = np.zeros((len(ability), len(discrimination)))
    for i, j in np.ndindex(3, 3):
        steps = root @ nodes[[i, j]]
        slope = discrimination * np.exp(steps[:, 0])
        share = weights[i] * weights[j] / weights.sum() ** 2
        chance += share * probability(ability, slope, difficulty + steps[:, 1], floor)
    return chance


def floor_odds(floor: float) -> float | None:
    """Compute the odds of a right answer by guessing alone; None without a floor."""
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

    With a floor of guessing only those right answers count that are known.
    """
    tail = np.exp(-np.abs(_logit(ability, discrimination, difficulty)))
    values = np.asarray(np.square(discrimination) * tail / np.square(1.0 + tail))
    return values * _weigh_right(ability, discrimination, difficulty, floor)


def answer_weight(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """Compute Birnbaum's weight of an answer for the ability, P' / (P (1 - P)).

    The derivative of the log-likelihood by the ability is this times the answer less its
    probability. Without a floor it is the slope, at every ability.

    Returns
    -------
    numpy.ndarray
        Respondents by items; without a floor items alone.
    """
    guess_factor = _weigh_right(ability, discrimination, difficulty, floor)
    return discrimination * guess_factor / (1.0 - floor)


def log_odds(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float = 0.0
) -> Floats:
    """Logarithm of the odds of a right answer, respondents by items."""
    logit = _logit(ability, discrimination, difficulty)
    odds = floor_odds(floor)
    if odds is None:
        return logit
    # P / (1 - P) = (p + odds) / (1 - p)
    return np.asarray(np.log(expit(logit) + odds) - log_expit(-logit))


def _weigh_right(
    ability: Floats, discrimination: Floats, difficulty: Floats, floor: float
) -> Floats | float:
    """Share of right answers that are known and not guessed; 1 without a floor."""
    odds = floor_odds(floor)
    if odds is None:
        return 1.0
    knows = probability(ability, discrimination, difficulty)
    return knows / (knows + odds)


def accuracy(responses: Responses) -> Floats:
    """Compute each respondent's share of right answers over the observed cells."""
    seen = (responses != MISSING).sum(axis=1)
    return np.asarray((responses == 1).sum(axis=1) / np.maximum(seen, 1))


def link(ability: Floats, reference: Floats) -> tuple[float, float]:
    """Compute slope and intercept from a fit's scale to another fit's scale (mean and sigma)."""
    slope = reference.std() / ability.std()
    return slope, reference.mean() - slope * ability.mean()


def _logit(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    return np.asarray(ability)[:, None] * discrimination - discrimination * difficulty


def matrices(first: Floats, second: Floats, third: Floats, fourth: Floats) -> Floats:
    """Stack of matrices (any number by 2 by 2) from their entries, row by row."""
    return np.stack([first, second, third, fourth], axis=-1).reshape(-1, 2, 2)


def products(blocks: Floats, vectors: Floats) -> Floats:
    """Product of each matrix and its vector."""
    return blocks[:, :, 0] * vectors[:, :1] + blocks[:, :, 1] * vectors[:, 1:]


def inverted(blocks: Floats) -> Floats:
    """Inverse of each matrix."""
    a, b, c, d = blocks[:, 0, 0], blocks[:, 0, 1], blocks[:, 1, 0], blocks[:, 1, 1]
    return matrices(d, -b, -c, a) / determinants(blocks)[:, None, None]


def determinants(blocks: Floats) -> Floats:
    """Compute the determinant of each matrix."""
    return blocks[:, 0, 0] * blocks[:, 1, 1] - blocks[:, 0, 1] * blocks[:, 1, 0]


def roots(blocks: Floats) -> Floats:
    """Compute each positive matrix's lower triangular root, despite rounding to singularity."""
    first = np.sqrt(blocks[:, 0, 0])
    second = blocks[:, 1, 0] / first
    third = np.sqrt(np.maximum(blocks[:, 1, 1] - second**2, 0.0))
    return matrices(first, np.zeros_like(first), second, third)


# Where most respondents guess, checkpoints of one model agree by more than ability and the log
# slopes' spread would grow without end. Within 1, 95 % of slopes lie within a factor of 7.
LARGEST_LOG_SPREAD = 1.0


@dataclass(frozen=True)
class Normal:
    """Bivariate normal distribution of the items' coordinates."""

    mean: Floats
    covariance: Floats

    @cached_property
    def precision(self) -> Floats:
        """Inverse of the covariance."""
        return np.asarray(np.linalg.inv(self.covariance))

    def described(self, names: tuple[str, str]) -> dict[str, float]:
        """Means, standard deviations and correlation by name."""
        spreads = np.sqrt(np.diag(self.covariance))
        moments: dict[str, float] = {}
        for name, mean, spread in zip(names, self.mean, spreads):
            moments |= {f"{name}_mean": mean, f"{name}_sd": spread}
        return moments | {"correlation": self.covariance[0, 1] / spreads.prod()}

    def log_density(self, items: Floats) -> Floats:
        """Up to a constant; any number of axes before the last, which has the coordinates."""
        away = items - self.mean
        return np.asarray(-0.5 * ((away @ self.precision) * away).sum(axis=-1))


class Positive:
    """Items by log slope and difficulty: slopes above nought. Items are rows of two."""

    names = ("log_discrimination", "difficulty")
    # The prior that a fit starts from, and the largest standard deviations that it may take.
    start = Normal(np.array([0.0, 0.0]), np.diag([1.0, 4.0]))
    largest_spread = np.array([LARGEST_LOG_SPREAD, np.inf])

    def lines(self, items: Floats) -> tuple[Floats, Floats]:
        """Slopes and intercepts of items; any number of axes before the last."""
        slope = np.exp(items[..., 0])
        return slope, -slope * items[..., 1]

    def jacobian(self, items: Floats) -> Floats:
        """Compute derivatives of slope and intercept (rows) by the coordinates (columns)."""
        slope, intercept = self.lines(items)
        return matrices(slope, np.zeros_like(slope), intercept, -slope)

    def bend(self, gradient: Floats) -> Floats:
        """Compute the curvature that bent coordinates add, from their gradients (items by 2)."""
        return matrices(gradient[:, 0], gradient[:, 1], gradient[:, 1], 0 * gradient[:, 0])

    def rescaled(self, centre: float, spread: float) -> tuple[Floats, Floats]:
        """Matrix and shift to abilities of mean 0 and standard deviation 1, from what these are."""
        return np.diag([1.0, 1.0 / spread]), np.array([np.log(spread), -centre / spread])

    def parameters(self, mean: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Discrimination and difficulty, each with its standard error, from items' moments."""
        slope = np.exp(mean[:, 0])
        slope_sd = slope * np.sqrt(covariance[:, 0, 0])
        return slope, slope_sd, mean[:, 1].copy(), np.sqrt(covariance[:, 1, 1])


class Signed:
    """Items by slope and intercept; a slope may be negative."""

    def lines(self, items: Floats) -> tuple[Floats, Floats]:
        """Slopes and intercepts, as they are."""
        return items[..., 0].copy(), items[..., 1].copy()

    def jacobian(self, items: Floats) -> Floats:
        """Of coordinates that are slope and intercept."""
        return np.broadcast_to(np.eye(2), (len(items), 2, 2))

    def bend(self, gradient: Floats) -> Floats:
        """None: logits are straight in these coordinates."""
        return np.zeros((len(gradient), 2, 2))


Coordinates = Positive | Signed
POSITIVE, SIGNED = Positive(), Signed()
