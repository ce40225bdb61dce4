"""The two coordinates in which items are normally distributed, and normal distributions of them.

An item is a line: logit = slope times ability plus intercept. Slopes that are positive are fitted
as log slope and difficulty (the paper's model), slopes of either sign as slope and intercept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from saturation.adaptive.blocks import matrices, products
from saturation.adaptive.model import Floats

Slopes = Literal["positive", "signed"]

# Where most respondents guess, checkpoints of one model agree by more than ability and the log
# slopes' spread would grow without end. Within 1, 95 % of slopes lie within a factor of 7.
LARGEST_LOG_SPREAD = 1.0


@dataclass(frozen=True)
class Normal:
    """Bivariate normal distribution of the items' coordinates.

    Attributes
    ----------
    mean
        Two means.
    covariance
        2 by 2, positive definite.
    """

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
        for name, mean, spread in zip(names, self.mean, spreads, strict=True):
            moments |= {f"{name}_mean": float(mean), f"{name}_sd": float(spread)}
        return moments | {"correlation": float(self.covariance[0, 1] / spreads.prod())}

    def log_density(self, items: Floats) -> Floats:
        """Up to a constant; any number of axes before the last, which has the coordinates."""
        away = items - self.mean
        return np.asarray(-0.5 * ((away @ self.precision) * away).sum(axis=-1))


@dataclass(frozen=True)
class Coordinates:
    """What a fit needs to know of its two coordinates; items are rows of two.

    Attributes
    ----------
    names
        The coordinates' names.
    start
        Prior that a fit starts from.
    largest_spread
        Largest standard deviation that the prior of each coordinate may take.
    lines
        Slopes and intercepts of items; any number of axes before the last.
    jacobian
        Derivatives of slope and intercept (rows) by the coordinates (columns), one 2 x 2 an item.
    bend
        Part of the curvature that comes from the coordinates, in which logits bend, from the
        gradients by the coordinates (items by 2).
    rescaled
        Matrix and shift that carry coordinates over to abilities of mean 0 and standard
        deviation 1, from the mean and the standard deviation that these have.
    parameters
        Discrimination, its standard error, difficulty, its standard error, from the items' means
        (items by 2) and covariances (items by 2 by 2).
    """

    names: tuple[str, str]
    start: Normal
    largest_spread: Floats
    lines: Callable[[Floats], tuple[Floats, Floats]]
    jacobian: Callable[[Floats], Floats]
    bend: Callable[[Floats], Floats]
    rescaled: Callable[[float, float], tuple[Floats, Floats]]
    parameters: Callable[[Floats, Floats], tuple[Floats, Floats, Floats, Floats]]


def _positive_lines(items: Floats) -> tuple[Floats, Floats]:
    slope = np.exp(items[..., 0])
    return slope, -slope * items[..., 1]


def _positive_jacobian(items: Floats) -> Floats:
    slope, intercept = _positive_lines(items)
    return matrices(slope, np.zeros_like(slope), intercept, -slope)


def _positive_bend(gradient: Floats) -> Floats:
    return matrices(gradient[:, 0], gradient[:, 1], gradient[:, 1], 0 * gradient[:, 0])


def _positive_rescaled(centre: float, spread: float) -> tuple[Floats, Floats]:
    return np.diag([1.0, 1.0 / spread]), np.array([np.log(spread), -centre / spread])


def _positive_parameters(mean: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    slope = np.exp(mean[:, 0])
    slope_sd = slope * np.sqrt(covariance[:, 0, 0])
    return slope, slope_sd, mean[:, 1].copy(), np.sqrt(covariance[:, 1, 1])


def _signed_lines(items: Floats) -> tuple[Floats, Floats]:
    return items[..., 0].copy(), items[..., 1].copy()


def _signed_jacobian(items: Floats) -> Floats:
    return np.broadcast_to(np.eye(2), (len(items), 2, 2))


def _signed_bend(gradient: Floats) -> Floats:
    return np.zeros((len(gradient), 2, 2))


def _signed_rescaled(centre: float, spread: float) -> tuple[Floats, Floats]:
    return np.array([[spread, 0.0], [centre, 1.0]]), np.zeros(2)


def _signed_parameters(mean: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    slope, intercept = mean.T
    gradient = np.column_stack([intercept / slope**2, -1.0 / slope])
    difficulty_var = (gradient * products(covariance, gradient)).sum(axis=1)
    return slope, np.sqrt(covariance[:, 0, 0]), -intercept / slope, np.sqrt(difficulty_var)


POSITIVE = Coordinates(
    names=("log_discrimination", "difficulty"),
    start=Normal(np.array([0.0, 0.0]), np.diag([1.0, 4.0])),
    largest_spread=np.array([LARGEST_LOG_SPREAD, np.inf]),
    lines=_positive_lines,
    jacobian=_positive_jacobian,
    bend=_positive_bend,
    rescaled=_positive_rescaled,
    parameters=_positive_parameters,
)
# An item may be answered rightly less often by the abler.
SIGNED = Coordinates(
    names=("slope", "intercept"),
    start=Normal(np.array([1.0, 0.0]), np.diag([1.0, 4.0])),
    largest_spread=np.array([np.inf, np.inf]),
    lines=_signed_lines,
    jacobian=_signed_jacobian,
    bend=_signed_bend,
    rescaled=_signed_rescaled,
    parameters=_signed_parameters,
)
COORDINATES: dict[Slopes, Coordinates] = {"positive": POSITIVE, "signed": SIGNED}
