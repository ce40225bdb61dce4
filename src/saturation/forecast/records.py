"""The hierarchical model of a best score: when it is beaten, and by how much.

On a scale of equal steps (:mod:`saturation.forecast.links`) the best score of benchmark i is beaten
at a rate lambda_i a month, and each time rises by a step with a Gamma(kappa, rho_i) distribution:

    lambda_i ~ Gamma(a, a / mean rate)
    rho_i    ~ Gamma(b, b * mean step / kappa)

Benchmarks are pooled through a, b, the two means and kappa. Rates and steps of a single benchmark
are integrated out exactly (both priors are conjugate), which gives counts a negative binomial and
rises a beta-prime distribution: heavy-tailed. The five shared numbers get a Laplace approximation
of their posterior, which :mod:`saturation.forecast.full` checks by sampling.

Dates may be irregular: only the months that were watched count, and what lies further back counts
less, by half for every half-life (a discounted gamma-Poisson model; West and Harrison 1997).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import gammaln

from saturation.forecast.links import Link

Floats = NDArray[np.float64]

SHARED = ("rate_alike", "rate", "step_alike", "step", "step_shape")
# Normal priors of the logarithms of the shared numbers: a, mean rate a month, b, mean step, kappa.
PRIOR_MEAN = np.log([2.0, 0.25, 3.0, 0.3, 1.0])
PRIOR_SD = np.array([1.0, 1.5, 1.0, 1.5, 0.7])
# A smaller rise is none: 1 of 500 questions.
LEAST_RISE = 0.002


class History(NamedTuple):
    """What was known of a benchmark at an origin.

    Parameters
    ----------
    months
        Dates with a score, in months before the origin, rising to at most 0; shape (n,).
    best
        Best share of the usable range up to each; shape (n,).
    """

    months: Floats
    best: Floats


class Evidence(NamedTuple):
    """What histories say on a scale, each of shape (benchmarks,), the past discounted.

    Parameters
    ----------
    records
        How often the best score was beaten.
    months
        How long it was watched.
    rise
        Sum of the steps.
    log_rise
        Sum of their logarithms.
    """

    records: Floats
    months: Floats
    rise: Floats
    log_rise: Floats


def evidence(histories: Sequence[History], link: Link, half_life: float) -> Evidence:
    """Records and steps of every benchmark.

    Parameters
    ----------
    histories
        One a benchmark.
    link
        The scale.
    half_life
        Months after which something counts half.
    """
    return Evidence(
        *np.array([_evidence(history, link, half_life) for history in histories]).reshape(-1, 4).T
    )


def _evidence(history: History, link: Link, half_life: float) -> tuple[float, ...]:
    months, best = history.months, history.best
    kept = np.maximum.accumulate(np.where(_rises(best), best, 0.0))
    steps = np.diff(link.steps(kept))
    weight = 0.5 ** (-months[1:] / half_life)
    beaten = steps > 0
    # The integral of the weight from the first date to the origin.
    watched = half_life / np.log(2) * (1 - 0.5 ** (-months[0] / half_life))
    return (
        float(weight[beaten].sum()),
        float(watched),
        float((weight * steps)[beaten].sum()),
        float((weight[beaten] * np.log(steps[beaten])).sum()),
    )


def _rises(best: Floats) -> NDArray[np.bool_]:
    """Which of the best scores beat the last one that counted by at least the least rise."""
    beats = np.zeros(len(best), dtype=bool)
    last = -np.inf
    for place, score in enumerate(best):
        if score >= last + LEAST_RISE:
            beats[place], last = True, score
    return beats


class Posterior(NamedTuple):
    """Normal approximation of the logarithms of the shared numbers, in the order of `SHARED`.

    Parameters
    ----------
    mode
        Shape (5,).
    covariance
        Shape (5, 5).
    """

    mode: Floats
    covariance: Floats


def log_posterior(shared: Floats, found: Evidence) -> float:
    """Logarithm of the density of the shared numbers, up to a constant.

    Parameters
    ----------
    shared
        Logarithms of the numbers in the order of `SHARED`, shape (5,).
    found
        Evidence of the benchmarks.
    """
    a, rate, b, step, shape = np.exp(shared)
    count, months, rise, log_rise = found
    by_rate, by_step = a / rate, b * step / shape
    counts = gammaln(a + count) - gammaln(a) + a * np.log(by_rate)
    counts = counts - (a + count) * np.log(by_rate + months)
    steps = (shape - 1) * log_rise - count * gammaln(shape) + gammaln(b + shape * count)
    steps = steps - gammaln(b) + b * np.log(by_step)
    steps = steps - (b + shape * count) * np.log(by_step + rise)
    prior = -0.5 * (((shared - PRIOR_MEAN) / PRIOR_SD) ** 2).sum()
    return float(counts.sum() + steps.sum() + prior)


def shared_posterior(found: Evidence) -> Posterior:
    """Mode and covariance of the logarithms of the shared numbers (Laplace's approximation).

    Parameters
    ----------
    found
        Evidence of the benchmarks.
    """
    from statsmodels.tools.numdiff import approx_hess

    def surprise(shared: Floats) -> float:
        return -log_posterior(shared, found)

    mode = scipy.optimize.minimize(surprise, PRIOR_MEAN, method="BFGS", options={"gtol": 1e-4}).x
    return Posterior(mode, np.linalg.inv(approx_hess(mode, surprise)))


def rises(shared: Floats, found: Evidence, horizons: Floats, rng: np.random.Generator) -> Floats:
    """Draws of how far each benchmark rises on its scale.

    Parameters
    ----------
    shared
        Draws of the logarithms of the shared numbers, shape (draws, 5).
    found
        Evidence of the benchmarks.
    horizons
        Months ahead, rising, shape (horizons,).
    rng
        Random numbers.

    Returns
    -------
    numpy.ndarray
        Shape (benchmarks, draws, horizons), each draw a path that never falls.
    """
    a, rate, b, step, shape = np.exp(shared).T
    count, months, rise, _ = (part[:, None] for part in found)
    often = rng.gamma(a + count) / (a / rate + months)
    steepness = rng.gamma(b + shape * count) / (b * step / shape + rise)
    ahead = np.diff(horizons, prepend=0.0)
    records = rng.poisson(often[:, :, None] * ahead)
    total = rng.gamma(shape[:, None] * records) / steepness[:, :, None]
    return np.asarray(total.cumsum(axis=2), float)


def forecast(
    found: Evidence,
    pooled: NDArray[np.bool_],
    best: Floats,
    link: Link,
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of the best share of the usable range at each horizon.

    Parameters
    ----------
    found
        Evidence of the benchmarks on the scale.
    pooled
        From which of them the shared numbers are learnt.
    best
        Best share so far of each.
    link
        The scale.
    horizons
        Months ahead, rising, shape (horizons,).
    draws
        How many.
    rng
        Random numbers.

    Returns
    -------
    numpy.ndarray
        Shape (benchmarks, draws, horizons); never below the best score so far.
    """
    posterior = shared_posterior(Evidence(*(part[pooled] for part in found)))
    return grown(posterior, found, best, link, horizons, draws, rng)


def grown(
    posterior: Posterior,
    found: Evidence,
    best: Floats,
    link: Link,
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of the best share where the posterior of the shared numbers is known.

    Parameters
    ----------
    posterior
        Of :func:`shared_posterior`, of these benchmarks or of others like them.
    found, best, link, horizons, draws, rng
        As for :func:`forecast`.

    Returns
    -------
    numpy.ndarray
        As of :func:`forecast`.
    """
    shared = rng.multivariate_normal(*posterior, size=draws, method="cholesky")
    start = link.steps(best)[:, None, None]
    shares = link.shares(start + rises(shared, found, horizons, rng))
    return np.maximum(shares, best[:, None, None])
