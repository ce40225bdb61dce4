"""Predict rows from posterior draws: the outcome's distribution under each draw.

PyMC would compile a program for this too; scipy has the distributions. S draws, n rows, p columns.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

# Nodes of the integral over the logit-normal: means to 1e-6 for standard deviations up to 5.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class Draws:
    """Posterior draws of all chains, in sequence.

    ``coefficient`` has shape (S, p). ``spread`` (S, 1) is the Beta precision or the normal standard
    deviation, None under a Bernoulli likelihood. ``cuts`` (S, 2) are those of the ordered Beta.
    """

    coefficient: Array
    spread: Array | None
    cuts: Array | None = None

    @classmethod
    def extract(cls, posterior: "xr.DataTree") -> "Draws":
        """Draws of the group ``posterior``."""
        group = posterior["posterior"]

        def column(name: str) -> Array:
            values: Array = group[name].transpose("chain", "draw", ...).to_numpy()
            return values.reshape(values.shape[0] * values.shape[1], -1)

        spread = column("spread") if "spread" in group else None
        cuts = None
        if "lower_cut" in group:
            lower = column("lower_cut")
            cuts = np.column_stack([lower, lower + column("cut_distance")])
        return cls(column("coefficient"), spread, cuts)

    def widths(self) -> Array:
        """Return the spread, shape (S, 1)."""
        if self.spread is None:
            raise ValueError("a Bernoulli likelihood has no spread")
        return self.spread

    def thin(self, step: int) -> "Draws":
        """Every so manieth draw, from the first."""
        thinned = [None if x is None else x[::step] for x in (self.spread, self.cuts)]
        return Draws(self.coefficient[::step], *thinned)


@dataclass(frozen=True)
class LogitNormal:
    """Proportions whose logit is normal."""

    location: Array
    scale: Array

    def moment(self, power: int) -> Array:
        """Raw moment, by Gauss-Hermite quadrature."""
        logits = (self.location + self.scale * node for node in NODES)
        shares = (weight * scipy.special.expit(x) ** power for weight, x in zip(WEIGHTS, logits))
        total: Array = sum(shares, np.zeros_like(self.location))
        return total

    def mean(self) -> Array:  # noqa: D102
        return self.moment(1)

    def var(self) -> Array:  # noqa: D102
        return self.moment(2) - self.moment(1) ** 2

    def logpdf(self, y: Array) -> Array:  # noqa: D102
        density: Array = scipy.stats.norm.logpdf(scipy.special.logit(y), self.location, self.scale)
        return density - np.log(y) - np.log1p(-y)

    def rvs(self, *, random_state: np.random.Generator) -> Array:  # noqa: D102
        share: Array = scipy.special.expit(random_state.normal(self.location, self.scale))
        return share


@dataclass(frozen=True)
class OrderedBeta:
    """0, 1, or Beta in between, with probabilities (Kubinec 2022)."""

    zero: Array
    one: Array
    inner: Any

    @property
    def between(self) -> Array:
        """Probability of neither end."""
        return 1 - self.zero - self.one

    def mean(self) -> Array:  # noqa: D102
        whole: Array = self.one + self.between * self.inner.mean()
        return whole

    def var(self) -> Array:  # noqa: D102
        squared = self.inner.var() + self.inner.mean() ** 2
        variance: Array = self.one + self.between * squared - self.mean() ** 2
        return variance

    def logpdf(self, y: Array) -> Array:  # noqa: D102
        inner_values = np.where((y > 0) & (y < 1), y, 0.5)
        density = np.log(self.between) + self.inner.logpdf(inner_values)
        ends = np.where(y <= 0, np.log(self.zero), np.log(self.one))
        return np.where((y > 0) & (y < 1), density, ends)

    def rvs(self, *, random_state: np.random.Generator) -> Array:  # noqa: D102
        inner = self.inner.rvs(random_state=random_state)
        place = random_state.uniform(size=self.zero.shape)
        return np.where(place < self.zero, 0.0, np.where(place >= 1 - self.one, 1.0, inner))


def distribution(draws: Draws, matrix: Array, likelihood: str) -> Any:
    """Return the outcome's distribution of every row under every draw: scipy's, or ours above."""
    predictor: Array = draws.coefficient @ matrix.T
    expit, stats = scipy.special.expit, scipy.stats
    if likelihood == "bernoulli":
        return stats.bernoulli(expit(predictor))
    spread = np.broadcast_to(draws.widths(), predictor.shape)
    if likelihood == "gaussian":
        return stats.norm(predictor, spread)
    if likelihood == "logit_normal":
        return LogitNormal(predictor, spread)
    mean, complement = expit(predictor), expit(-predictor)
    if likelihood == "beta_probit":
        mean, complement = scipy.special.ndtr(predictor), scipy.special.ndtr(-predictor)
    elif likelihood == "beta_cloglog":
        mean, complement = -np.expm1(-np.exp(predictor)), np.exp(-np.exp(predictor))
    beta = stats.beta(mean * spread, complement * spread)
    if draws.cuts is None:
        return beta
    lower, upper = draws.cuts[:, :1], draws.cuts[:, 1:]
    return OrderedBeta(expit(lower - predictor), expit(predictor - upper), beta)


@dataclass(frozen=True)
class Predicted:
    """Predictions of every draw for every row, shape (S, n) each.

    Mean and variance of the outcome, the log density of the observed one, and a replicated one.
    """

    mean: Array
    variance: Array
    log_density: Array
    replicated: Array


def predicted(
    draws: Draws, matrix: Array, outcome: Array, likelihood: str, rng: np.random.Generator
) -> Predicted:
    """Mean, variance, density and replicates of every row under every draw."""
    outcomes = distribution(draws, matrix, likelihood)
    log_density = outcomes.logpmf if likelihood == "bernoulli" else outcomes.logpdf
    return Predicted(
        outcomes.mean(),
        outcomes.var(),
        log_density(outcome),
        np.asarray(outcomes.rvs(random_state=rng), dtype=float),
    )
