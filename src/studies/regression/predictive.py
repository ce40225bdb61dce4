"""Predict rows from posterior draws: the outcome's distribution under each draw.

PyMC would compile a program for this too; scipy has the distributions. S draws, n rows, p columns.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from saturation.arrays import Floats

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Draws:
    """Posterior draws of all chains, in sequence.

    ``coefficient`` has shape (S, p). ``spread`` (S, 1) is the Beta precision or the normal standard
    deviation, None under a Bernoulli likelihood.
    """

    coefficient: Floats
    spread: Floats | None

    @classmethod
    def extract(cls, posterior: "xr.DataTree") -> "Draws":
        """Draws of the group ``posterior``."""
        group = posterior["posterior"]

        def column(name: str) -> Floats:
            values = group[name].transpose("chain", "draw", ...).to_numpy()
            return values.reshape(values.shape[0] * values.shape[1], -1)

        return cls(column("coefficient"), column("spread") if "spread" in group else None)

    def widths(self) -> Floats:
        """Return the spread, shape (S, 1)."""
        if self.spread is None:
            raise ValueError("a Bernoulli likelihood has no spread")
        return self.spread

    def thin(self, step: int) -> "Draws":
        """Every so manieth draw, from the first."""
        return Draws(self.coefficient[::step], None if self.spread is None else self.spread[::step])


def distribution(draws: Draws, matrix: Floats, likelihood: str) -> Any:
    """Return the outcome's distribution of every row under every draw."""
    predictor = draws.coefficient @ matrix.T
    expit, stats = scipy.special.expit, scipy.stats
    if likelihood == "bernoulli":
        return stats.bernoulli(expit(predictor))
    spread = np.broadcast_to(draws.widths(), predictor.shape)
    if likelihood == "gaussian":
        return stats.norm(predictor, spread)
    return stats.beta(expit(predictor) * spread, expit(-predictor) * spread)


@dataclass(frozen=True)
class Predicted:
    """Predictions of every draw for every row, shape (S, n) each.

    Mean and variance of the outcome, the log density of the observed one, and a replicated one.
    """

    mean: Floats
    variance: Floats
    log_density: Floats
    replicated: Floats


def predicted(
    draws: Draws, matrix: Floats, outcome: Floats, likelihood: str, rng: np.random.Generator
) -> Predicted:
    """Mean, variance, density and replicates of every row under every draw."""
    outcomes = distribution(draws, matrix, likelihood)
    log_density = outcomes.logpmf if likelihood == "bernoulli" else outcomes.logpdf
    return Predicted(
        outcomes.mean(),
        outcomes.var(),
        log_density(outcome),
        np.asarray(outcomes.rvs(random_state=rng), float),
    )
