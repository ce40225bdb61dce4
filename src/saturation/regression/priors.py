"""Priors of the regression: light to import, so that reports can use them without PyMC."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Priors:
    """Scales of the priors.

    Attributes
    ----------
    intercept
        Standard deviation of the normal prior of the intercept, around 0.
    coefficient
        The same for every other coefficient; None is flat.
    spread
        Scale of the half-normal prior of the Beta precision or the Gaussian standard deviation.
    """

    intercept: float
    coefficient: float | None
    spread: float

    def scales(self, columns: int) -> Array:
        """Prior standard deviation of each coefficient, the intercept first."""
        if self.coefficient is None:
            raise ValueError("a flat prior has no scale")
        return np.array([self.intercept, *[self.coefficient] * (columns - 1)])

    def log_density(self, coefficient: Array, spread: Array | None) -> Array:
        """Log prior density of draws, shape (...).

        Parameters
        ----------
        coefficient
            Shape (..., p).
        spread
            Shape (...), or None where the likelihood has no spread.
        """
        scales = self.scales(coefficient.shape[-1])
        density: Array = stats.norm.logpdf(coefficient, scale=scales).sum(-1)
        if spread is not None:
            density = density + stats.halfnorm.logpdf(spread, scale=self.spread)
        return density
