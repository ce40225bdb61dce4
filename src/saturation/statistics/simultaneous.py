"""The highest of several estimates against one, with bounds that allow for its being chosen."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

# Draws of the joint distribution: the error of a p-value of 0.05 is then 0.002.
DRAWS = 10_000


class Highest(NamedTuple):
    """The largest of several differences and its simultaneous bounds.

    ``p_value`` is that of the largest difference's being 0 or below, adjusted for the choice.
    """

    value: float
    lower: float
    upper: float
    p_value: float


def highest(
    differences: ArrayLike,
    covariance: ArrayLike,
    degrees_of_freedom: float,
    level: float,
    rng: np.random.Generator,
) -> Highest:
    """Largest of several differences from one control (Dunnett 1955), from the joint t.

    All differences are bounded at once, so that the bounds hold for the largest, whichever it is.
    Its distribution is drawn, because that knows the correlations, which differ from pair to pair.

    Parameters
    ----------
    differences
        Shape (k,).
    covariance
        Of the differences' errors, shape (k, k), every variance above 0.
    degrees_of_freedom
        Of the errors; the smallest where they differ.
    level
        Coverage of the bounds of all differences together, two-sided.
    rng
        Random stream.
    """
    observed, joint = np.asarray(differences, dtype=float), np.asarray(covariance, dtype=float)
    errors = np.sqrt(np.diag(joint))
    correlations = joint / np.outer(errors, errors)
    normal = rng.multivariate_normal(np.zeros(len(errors)), correlations, DRAWS, method="eigh")
    scale = np.sqrt(rng.chisquare(degrees_of_freedom, DRAWS) / degrees_of_freedom)
    furthest = np.abs(normal).max(axis=1) / scale
    reach = np.quantile(furthest, level) * errors
    at_least = (furthest >= (observed / errors).max()).sum()
    return Highest(
        float(observed.max()),
        float((observed - reach).max()),
        float((observed + reach).max()),
        float((at_least + 1) / (DRAWS + 1)),
    )
