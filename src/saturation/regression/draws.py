"""Posterior draws as arrays, what they expect and how likely they hold the data to be.

Does not import PyMC. S draws, n rows, p columns.
"""

from dataclasses import dataclass
from typing import Any

import arviz_stats.base
import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, log_expit

Array = NDArray[np.float64]

# Any: the package has types for a part of its functions only.
array_stats: Any = arviz_stats.base.array_stats  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Draws:
    """Posterior draws.

    Attributes
    ----------
    coefficient
        Shape (S, p).
    spread
        Beta precision or Gaussian standard deviation, shape (S,); None where the likelihood has
        neither.
    """

    coefficient: Array
    spread: Array | None

    @classmethod
    def of(cls, posterior: xr.Dataset) -> "Draws":
        """Draws of all chains, one after another."""
        coefficient = posterior["coefficient"].transpose("chain", "draw", "column").to_numpy()
        spread = posterior["spread"].to_numpy().ravel() if "spread" in posterior else None
        return cls(coefficient.reshape(-1, coefficient.shape[-1]), spread)

    def widths(self) -> Array:
        """The spread as a column, shape (S, 1).

        Raises
        ------
        ValueError
            If the likelihood has no spread.
        """
        if self.spread is None:
            raise ValueError("a Bernoulli likelihood has no spread")
        return self.spread[:, None]


def expected(draws: Draws, matrix: Array, likelihood: str) -> Array:
    """Expected outcome of every row under every draw, shape (S, n).

    Parameters
    ----------
    draws
        Posterior draws.
    matrix
        Shape (n, p).
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    """
    predictor: Array = draws.coefficient @ matrix.T
    if likelihood == "gaussian":
        return predictor
    mean: Array = expit(predictor)
    return mean


def log_likelihood(draws: Draws, matrix: Array, outcome: Array, likelihood: str) -> Array:
    """Log density of every row under every draw, shape (S, n).

    Parameters
    ----------
    draws
        Posterior draws.
    matrix
        Shape (n, p).
    outcome
        Shape (n,).
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    """
    density: Array
    if likelihood == "bernoulli":
        predictor = draws.coefficient @ matrix.T
        density = np.where(outcome > 0.5, log_expit(predictor), log_expit(-predictor))
        return density
    mean, width = expected(draws, matrix, likelihood), draws.widths()
    if likelihood == "gaussian":
        density = stats.norm.logpdf(outcome, mean, width)
    else:
        density = stats.beta.logpdf(outcome, mean * width, (1 - mean) * width)
    return density
