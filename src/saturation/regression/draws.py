"""Posterior draws as arrays, what they expect and how likely they hold the data to be.

Does not import PyMC. S draws, n rows, p columns.
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


def array_stats() -> Any:
    """ArviZ's statistics of draws as arrays, imported late: most that read draws need none."""
    import arviz_stats.base

    # Any: the package has types for a part of its functions only.
    return arviz_stats.base.array_stats  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Draws:
    """Posterior draws.

    Attributes
    ----------
    spread
        Beta precision or Gaussian standard deviation, shape (S,); None where the likelihood has
        neither.
    cuts
        Lower and upper cut of the ordered Beta, shape (S, 2); None for the others.
    """

    coefficient: Array
    spread: Array | None
    cuts: Array | None = None

    @classmethod
    def of(cls, posterior: "xr.Dataset") -> "Draws":
        """Draws of all chains, one after another."""
        coefficient = posterior["coefficient"].transpose("chain", "draw", "column").to_numpy()
        spread = posterior["spread"].to_numpy().ravel() if "spread" in posterior else None
        cuts = None
        if "other" in posterior and "lower_cut" in posterior["parameter"].to_numpy():
            others = posterior["other"].transpose("chain", "draw", "parameter")
            lower = others.sel(parameter="lower_cut").to_numpy().ravel()
            gap = np.exp(others.sel(parameter="log_gap").to_numpy().ravel())
            cuts = np.column_stack([lower, lower + gap])
        return cls(coefficient.reshape(-1, coefficient.shape[-1]), spread, cuts)

    def widths(self) -> Array:
        """The spread as a column, shape (S, 1)."""
        if self.spread is None:
            raise ValueError("a Bernoulli likelihood has no spread")
        return self.spread[:, None]

    def every(self, step: int) -> "Draws":
        """Every so manieth draw, from the first."""
        thinned = [None if x is None else x[::step] for x in (self.spread, self.cuts)]
        return Draws(self.coefficient[::step], *thinned)


@dataclass(frozen=True)
class Predicted:
    """What every draw says of every row; each shape (S, n).

    Attributes
    ----------
    replicated
        An outcome drawn from the model.
    """

    mean: Array
    variance: Array
    log_density: Array
    replicated: Array


def predicted(
    draws: Draws, matrix: Array, outcome: Array, likelihood: str, rng: np.random.Generator
) -> Predicted:
    """Mean, variance, density and replicates of every row under every draw."""
    mean, variance = moments(draws, matrix, likelihood)
    density = log_likelihood(draws, matrix, outcome, likelihood)
    return Predicted(mean, variance, density, replicated(draws, matrix, likelihood, rng))


def expected(draws: Draws, matrix: Array, likelihood: str) -> Array:
    """Expected outcome of every row under every draw, shape (S, n)."""
    return moments(draws, matrix, likelihood)[0]


def moments(draws: Draws, matrix: Array, likelihood: str) -> tuple[Array, Array]:
    """Mean and variance of the outcome of every row under every draw, each shape (S, n)."""
    predictor: Array = draws.coefficient @ matrix.T
    if likelihood == "gaussian":
        return predictor, np.broadcast_to(draws.widths() ** 2, predictor.shape)
    if likelihood == "logit_normal":
        mean, squared = np.zeros_like(predictor), np.zeros_like(predictor)
        for node, weight in zip(NODES, WEIGHTS):
            share = scipy.special.expit(predictor + draws.widths() * node)
            mean += weight * share
            squared += weight * share**2
        return mean, squared - mean**2
    mean = linked(predictor, likelihood)
    if likelihood == "bernoulli":
        return mean, mean * (1 - mean)
    within = mean * (1 - mean) / (1 + draws.widths())
    if likelihood != "ordered_beta":
        return mean, within
    _, middle, one = ends(draws, predictor)
    whole = one + middle * mean
    return whole, one + middle * (within + mean**2) - whole**2


def linked(predictor: Array, likelihood: str) -> Array:
    """Mean of the Beta or Bernoulli part at a predictor."""
    mean: Array
    if likelihood == "beta_probit":
        mean = scipy.special.ndtr(predictor)
    elif likelihood == "beta_cloglog":
        mean = -np.expm1(-np.exp(predictor))
    else:
        mean = scipy.special.expit(predictor)
    return mean


def ends(draws: Draws, predictor: Array) -> tuple[Array, Array, Array]:
    """Probabilities of 0, of what lies between, and of 1 under the ordered Beta, each shape (S, n)."""
    if draws.cuts is None:
        raise ValueError("only the ordered Beta has cuts")
    zero, one = (
        scipy.special.expit(draws.cuts[:, :1] - predictor),
        scipy.special.expit(predictor - draws.cuts[:, 1:]),
    )
    return zero, 1 - zero - one, one


def log_likelihood(draws: Draws, matrix: Array, outcome: Array, likelihood: str) -> Array:
    """Log density of every row under every draw, shape (S, n)."""
    predictor: Array = draws.coefficient @ matrix.T
    density: Array
    if likelihood == "bernoulli":
        density = np.where(
            outcome > 0.5, scipy.special.log_expit(predictor), scipy.special.log_expit(-predictor)
        )
        return density
    if likelihood == "gaussian":
        density = scipy.stats.norm.logpdf(outcome, predictor, draws.widths())
        return density
    if likelihood == "logit_normal":
        density = scipy.stats.norm.logpdf(scipy.special.logit(outcome), predictor, draws.widths())
        density -= np.log(outcome) + np.log1p(-outcome)
        return density
    mean, width = linked(predictor, likelihood), draws.widths()
    if likelihood != "ordered_beta":
        density = _log_beta(outcome, mean * width, (1 - mean) * width)
        return density
    held = np.where((outcome > 0) & (outcome < 1), outcome, 0.5)
    zero, middle, one = (np.log(chance) for chance in ends(draws, predictor))
    inner = middle + _log_beta(held, mean * width, (1 - mean) * width)
    density = np.where(outcome <= 0, zero, np.where(outcome >= 1, one, inner))
    return density


def _log_beta(y: Array, a: Array, b: Array) -> Array:
    """Log density of the Beta distribution inside (0, 1), to the bit that of scipy.stats."""
    special = scipy.special
    density: Array = special.xlog1py(b - 1, -y) + special.xlogy(a - 1, y) - special.betaln(a, b)
    return density


def replicated(draws: Draws, matrix: Array, likelihood: str, rng: np.random.Generator) -> Array:
    """An outcome drawn from the model for every row under every draw, shape (S, n)."""
    predictor: Array = draws.coefficient @ matrix.T
    drawn: Array
    if likelihood == "bernoulli":
        drawn = rng.binomial(1, scipy.special.expit(predictor)).astype(float)
        return drawn
    if likelihood == "gaussian":
        return rng.normal(predictor, draws.widths())
    if likelihood == "logit_normal":
        drawn = scipy.special.expit(rng.normal(predictor, draws.widths()))
        return drawn
    mean, width = linked(predictor, likelihood), draws.widths()
    inner = rng.beta(mean * width, (1 - mean) * width)
    if likelihood != "ordered_beta":
        return inner
    zero, _, one = ends(draws, predictor)
    place = rng.uniform(size=predictor.shape)
    return np.where(place < zero, 0.0, np.where(place >= 1 - one, 1.0, inner))
