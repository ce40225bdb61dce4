"""Priors of the regression: light to import, so that reports can use them without PyMC."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

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
    nonzero
        How many coefficients are expected to matter: the prior of all but the intercept is then the
        regularised horseshoe, and ``coefficient`` the scale of its slab. None is normal or flat.
    """

    intercept: float
    coefficient: float | None
    spread: float
    nonzero: float | None = None

    def scales(self, columns: int) -> Array:
        """Prior standard deviation of each coefficient, the intercept first."""
        if self.coefficient is None or self.nonzero is not None:
            raise ValueError("only a normal prior has a scale for each coefficient")
        return np.array([self.intercept, *[self.coefficient] * (columns - 1)])

    def horseshoe(self, rows: int, columns: int) -> tuple[float, float, float]:
        """Scales of the intercept, the horseshoe's global parameter and its slab.

        The global scale is what leaves ``nonzero`` coefficients unshrunk on average (Piironen and
        Vehtari 2017, section 3), with the standard deviation 2 that a yes-or-no observation of
        mean 1/2 has on the logit's scale.
        """
        if self.coefficient is None or self.nonzero is None:
            raise ValueError("a prior without 'nonzero' and 'coefficient' is no horseshoe")
        others = columns - 1 - self.nonzero
        return self.intercept, 2 * self.nonzero / (others * rows**0.5), self.coefficient

    def log_density(self, coefficient: Array, spread: Array | None) -> Array:
        """Log prior density of draws, shape (...)."""
        scales = self.scales(coefficient.shape[-1])
        density: Array = scipy.stats.norm.logpdf(coefficient, scale=scales).sum(-1)
        if spread is not None:
            density = density + scipy.stats.halfnorm.logpdf(spread, scale=self.spread)
        return density
