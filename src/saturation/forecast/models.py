"""The hierarchical model of a best score: when it is beaten, and by how much.

On a scale of equal steps (see `Link`) the best score of benchmark i is beaten at a rate lambda_i a
month, and each time rises by a step with a Gamma(kappa, rho_i) distribution:

    lambda_i ~ Gamma(a, a / mean rate)
    rho_i    ~ Gamma(b, b * mean step / kappa)

Benchmarks are pooled through a, b, the two means and kappa. Rates and steps of a single benchmark
are integrated out exactly (both priors are conjugate), which gives counts a negative binomial and
rises a beta-prime distribution: heavy-tailed. The five shared numbers get a Laplace approximation
of their posterior, which :mod:`studies.forecast.full` checks by sampling.

Dates may be irregular: only the months that were watched count, and what lies further back counts
less, by half for every half-life (a discounted gamma-Poisson model; West and Harrison 1997).
"""

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, gammaln, logit, psi, zeta

from saturation.discriminability import growth

Floats = NDArray[np.float64]
# Shares nearer to 0 or 1 than this are as good as there: 1 of 200 questions.
EDGE = 0.005
FORMS = ("logistic", "gompertz", "exponential")
CEILINGS = (1.0, 0.95)
SHARED = ("rate_alike", "rate", "step_alike", "step", "step_shape")
# Normal priors of the logarithms of the shared numbers: a, mean rate a month, b, mean step, kappa.
PRIOR_MEAN = np.log([2.0, 0.25, 3.0, 0.3, 1.0])
PRIOR_SD = np.array([1.0, 1.5, 1.0, 1.5, 0.7])
# What the density is a function of, in logarithms: a, a / rate, b, b * step / kappa and kappa, each
# a product of shared numbers; and which of them stand in it outside of logarithms too.
OF_SHARED = np.array(
    [[1, 0, 0, 0, 0], [1, -1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 1, -1], [0, 0, 0, 0, 1.0]]
)
LOGARITHMS = np.array([1, 0, 1, 0, 1])
NEAR, LAST_STEPS = 0.1, 4  # gradient from which Newton's steps lead to the mode, and how many
# A smaller rise is none: 1 of 500 questions.
LEAST_RISE = 0.002
PARAMETERS_OF_A_TREND = 2
ROUNDS = 500
# Weight of the prior that all are equally good, in forecasts.
EQUAL = 5.0


class Link(NamedTuple):
    """A form of growth with a ceiling."""

    # ``logistic``, ``gompertz`` or ``exponential`` (the failures shrink by a constant share):
    # members kappa = -1, infinity and 1 of the general modified exponential (Harvey 1984).
    form: str
    # Share of the usable range that the curve approaches; label noise may hold it below 1.
    ceiling: float

    def steps(self, shares: ArrayLike) -> Floats:
        """Where shares lie on the scale of equal steps."""
        part = np.clip(np.asarray(shares, float) / self.ceiling, EDGE, 1 - EDGE)
        if self.form == "logistic":
            place = logit(part)
        elif self.form == "gompertz":
            place = -np.log(-np.log(part))
        else:
            place = -np.log1p(-part)
        return np.asarray(place, float)

    def shares(self, steps: ArrayLike) -> Floats:
        """Shares of the usable range at these places; the inverse of :meth:`steps`."""
        place = np.asarray(steps, float)
        if self.form == "logistic":
            part = expit(place)
        elif self.form == "gompertz":
            part = np.exp(-np.exp(-place))
        else:
            part = -np.expm1(-place)
        return np.asarray(self.ceiling * part, float)


LINKS = tuple(Link(form, ceiling) for form in FORMS for ceiling in CEILINGS)


# The scale of logits, for what is not forecast by a form of growth.
LOGISTIC = Link("logistic", 1.0)


class History(NamedTuple):
    """What was known of a benchmark at an origin."""

    # Dates with a score, in months before the origin, rising to at most 0; shape (n,).
    months: Floats
    best: Floats  # best share of the usable range up to each; shape (n,)


class Evidence(NamedTuple):
    """What histories say on a scale, each of shape (benchmarks,), the past discounted."""

    records: Floats  # how often the best score was beaten
    months: Floats  # how long it was watched
    rise: Floats
    log_rise: Floats


def evidence(histories: Sequence[History], link: Link, half_life: float) -> Evidence:
    """Records and steps of every benchmark."""
    if not histories:
        return Evidence(*np.empty((4, 0)))
    owner = np.repeat(np.arange(len(histories)), [len(history.months) for history in histories])
    months = np.concatenate([history.months for history in histories])
    steps = np.diff(link.steps(np.concatenate([_kept(tuple(one.best)) for one in histories])))
    beaten = (steps > 0) & (owner[1:] == owner[:-1])
    owner, steps = owner[1:][beaten], steps[beaten]
    weight = 0.5 ** (-months[1:][beaten] / half_life)
    # The integral of the weight from the first date to the origin.
    first = np.array([history.months[0] for history in histories])
    watched = half_life / np.log(2) * (1 - 0.5 ** (-first / half_life))
    count = len(histories)
    return Evidence(
        _sums(weight, owner, count),
        watched,
        _sums(weight * steps, owner, count),
        _sums(weight * np.log(steps), owner, count),
    )


class Posterior(NamedTuple):
    """Normal approximation of the logarithms of the shared numbers, in the order of `SHARED`."""

    mode: Floats
    covariance: Floats


def log_posterior(shared: Floats, found: Evidence) -> float:
    """Logarithm of the density of the shared numbers, up to a constant."""
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


def derivatives(shared: Floats, found: Evidence) -> tuple[Floats, Floats]:
    """Gradient, shape (5,), and Hessian, shape (5, 5), of :func:`log_posterior`."""
    a, rate, b, step, shape = np.exp(shared)
    count, months, rise, log_rise = found
    by_rate, by_step = a / rate, b * step / shape
    seen, total = a + count, b + shape * count
    early, low = by_rate / (by_rate + months), by_step / (by_step + rise)
    later, high = psi(total) - np.log(by_step + rise), zeta(2, total)
    # By a, log(a / rate), b, log(b * step / kappa) and kappa: counts know the first two alone.
    slope = np.array(
        [
            (psi(seen) - psi(a) + np.log(early)).sum(),
            (a - seen * early).sum(),
            (later - psi(b) + np.log(by_step)).sum(),
            (b - total * low).sum(),
            (log_rise + count * (later - psi(shape))).sum(),
        ]
    )
    bend = np.zeros((5, 5))
    bend[0, 0] = (zeta(2, seen) - zeta(2, a)).sum()
    bend[0, 1] = (1 - early).sum()
    bend[1, 1] = -(seen * early * (1 - early)).sum()
    bend[2, 2] = (high - zeta(2, b)).sum()
    bend[2, 3] = (1 - low).sum()
    bend[2, 4] = (count * high).sum()
    bend[3, 3] = -(total * low * (1 - low)).sum()
    bend[3, 4] = -(count * low).sum()
    bend[4, 4] = (count * (count * high - zeta(2, shape))).sum()
    bend += np.triu(bend, 1).T
    # Then by logarithms, and by those of the shared numbers themselves.
    unit = np.array([a, 1.0, b, 1.0, shape])
    bend = bend * np.outer(unit, unit) + np.diag(slope * unit * LOGARITHMS)
    gradient = OF_SHARED.T @ (slope * unit) - (shared - PRIOR_MEAN) / PRIOR_SD**2
    return gradient, OF_SHARED.T @ bend @ OF_SHARED - np.diag(PRIOR_SD**-2)


def shared_posterior(found: Evidence) -> Posterior:
    """Mode and covariance of the logarithms of the shared numbers (Laplace's approximation).

    The mode is found as exactly as numbers allow, so that draws do not depend on a
    machine's last bit.
    """
    mode = scipy.optimize.minimize(
        lambda shared: -log_posterior(shared, found), PRIOR_MEAN, method="trust-exact",
        jac=lambda shared: -derivatives(shared, found)[0],
        hess=lambda shared: -derivatives(shared, found)[1], options={"gtol": NEAR},
    ).x  # fmt: skip
    # Newton's steps go on where differences of the density are too small to tell.
    for _ in range(LAST_STEPS):
        gradient, bend = derivatives(mode, found)
        mode = mode - np.linalg.solve(bend, gradient)
    return Posterior(mode, np.asarray(np.linalg.inv(-derivatives(mode, found)[1]), float))


def rises(shared: Floats, found: Evidence, horizons: Floats, rng: np.random.Generator) -> Floats:
    """Draws of how far each benchmark rises on its scale."""
    a, rate, b, step, shape = np.exp(shared).T
    count, months, rise, _ = (part[:, None] for part in found)
    often = rng.gamma(a + count) / (a / rate + months)
    steepness = rng.gamma(b + shape * count) / (b * step / shape + rise)
    ahead = np.diff(horizons, prepend=0.0)
    records = rng.poisson(often[:, :, None] * ahead)
    total = rng.gamma(shape[:, None] * records) / steepness[:, :, None]
    return np.asarray(total.cumsum(axis=2), float)


def predicted_shares(
    posterior: Posterior,
    found: Evidence,
    best: Floats,
    link: Link,
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of the best share of the usable range at each horizon."""
    shared = rng.multivariate_normal(*posterior, size=draws, method="cholesky")
    start = link.steps(best)[:, None, None]
    shares = link.shares(start + rises(shared, found, horizons, rng))
    return np.maximum(shares, best[:, None, None])


Method = Callable[[History, Floats, int, np.random.Generator], Floats]


def persistence(history: History, horizons: Floats, draws: int, _: np.random.Generator) -> Floats:
    """The best score so far stays; shape (draws, horizons)."""
    return np.full((draws, len(horizons)), history.best[-1])


def trend(history: History, horizons: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Least-squares line through the logits, with its prediction intervals; never a fall."""
    months, places = history.months, LOGISTIC.steps(history.best)
    centred = months - months.mean()
    spread = (centred**2).sum()
    slope = (centred * places).sum() / spread
    freedom = len(months) - PARAMETERS_OF_A_TREND
    residual = places - places.mean() - slope * centred
    error = np.sqrt((residual**2).sum() / freedom)
    ahead = horizons - months.mean()
    width = error * np.sqrt(1 + 1 / len(months) + ahead**2 / spread)
    noise = rng.standard_t(freedom, size=(draws, 1))
    return _risen(history, places.mean() + slope * ahead + width * noise)


def drift(history: History, horizons: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Random walk with drift of the logits, by whole months back from the origin; never a fall."""
    steps = np.diff(LOGISTIC.steps(_monthly(history)))
    count = max(len(steps), 1)
    mean, spread = steps.sum() / count, steps.std(ddof=1) if len(steps) > 1 else 0.0
    slope = mean + spread / np.sqrt(count) * rng.standard_normal((draws, 1))
    ahead = np.sqrt(np.diff(horizons, prepend=0.0))
    walk = (rng.standard_normal((draws, len(horizons))) * ahead).cumsum(axis=1)
    return _risen(history, LOGISTIC.steps(history.best[-1]) + slope * horizons + spread * walk)


def logistic(history: History, horizons: Floats, draws: int, _: np.random.Generator) -> Floats:
    """The discriminability study's logistic curve; the best score so far where it does not fit."""
    elapsed = history.months - history.months[0]
    fitted = _fitted(tuple(np.round(elapsed, 6)), tuple(history.best))
    reached = fitted.predict(horizons - history.months[0]) if fitted else 0.0
    ahead = np.maximum(reached, history.best[-1])
    return np.tile(np.broadcast_to(ahead, horizons.shape), (draws, 1))


CLIMATOLOGY = "climatology"
BASELINES: dict[str, Method] = {
    "persistence": persistence,
    "trend": trend,
    "drift": drift,
    "logistic": logistic,
}


def forecast(
    name: str, histories: Sequence[History], horizons: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Draws of a baseline for several benchmarks."""
    return np.stack([BASELINES[name](history, horizons, draws, rng) for history in histories])


def climatology(
    pooled: Sequence[History],
    histories: Sequence[History],
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """The best score so far, and a rise in logits that some benchmark had in as many months.

    Each horizon by itself: the draws are no paths.
    """
    places = [LOGISTIC.steps(_monthly(history)) for history in pooled]
    best = np.array([history.best[-1] for history in histories])[:, None, None]
    ahead = np.empty((len(histories), draws, len(horizons)))
    for place, months in enumerate(np.rint(horizons).astype(int)):
        rises = np.concatenate([[0.0], *(own[months:] - own[:-months] for own in places)])
        ahead[..., place] = rng.choice(rises, ahead.shape[:2])
    shares: Floats = np.maximum(LOGISTIC.shares(LOGISTIC.steps(best) + ahead), best)
    return shares


def compared(
    pooled: Sequence[History],
    histories: Sequence[History],
    horizons: ArrayLike,
    draws: int,
    rng: np.random.Generator,
) -> dict[str, Floats]:
    """Draws of every baseline; the climatology draws from the rises of `pooled`."""
    months = np.asarray(horizons, float)
    drawn = {name: forecast(name, histories, months, draws, rng) for name in BASELINES}
    return drawn | {CLIMATOLOGY: climatology(pooled, histories, months, draws, rng)}


def weights(log_scores: Floats) -> Floats:
    """Weights of a mixture that make past outcomes most probable (Yao et al. 2018), by EM."""
    probability = np.exp(-log_scores)
    count = probability.shape[1]
    weight = np.full(count, 1 / count)
    for _ in range(ROUNDS):
        share = weight * ((1 / (probability @ weight)) @ probability)
        weight = (share + EQUAL / count) / (len(probability) + EQUAL)
    return weight


def shares(weight: Floats, count: int) -> list[int]:
    """How many of as many draws come from each method."""
    bounds = np.rint(np.concatenate([[0.0], weight.cumsum()]) * count).astype(int)
    return list(np.diff(bounds))


def mixed(draws: Floats, weight: Floats) -> Floats:
    """Draws of the mixture: of each method as many as its weight says."""
    parts = zip(draws, shares(weight, draws.shape[2]), strict=True)
    return np.concatenate([part[:, :own] for part, own in parts], axis=1)


def _sums(values: Floats, owner: NDArray[np.int64], count: int) -> Floats:
    """Sums by owner, which are in order; 0 of those without a value."""
    sums = np.zeros(count)
    there, starts = np.unique(owner, return_index=True)
    sums[there] = np.add.reduceat(values, starts) if len(values) else 0.0
    return sums


# The same on all scales and, for most benchmarks, at several origins.
@functools.cache
def _kept(best: tuple[float, ...]) -> Floats:
    """Best scores so far, of which a rise by less than the least one makes none."""
    kept, last = [], -np.inf
    for score in best:
        last = score if score >= last + LEAST_RISE else last
        kept.append(last)
    return np.array(kept)


# Between two origins most histories do not change, and the fit takes longest of all.
@functools.cache
def _fitted(months: tuple[float, ...], best: tuple[float, ...]) -> growth.Fit | None:
    try:
        with warnings.catch_warnings():
            # The covariance of the parameters, which is not used, may not be had.
            warnings.simplefilter("ignore", scipy.optimize.OptimizeWarning)
            return growth.fit(months, best, growth.honest_bounds(best))
    except RuntimeError:
        return None


def _monthly(history: History) -> Floats:
    """The best score by whole months back from the origin, the first that has one up to now."""
    months = np.arange(-np.floor(-history.months[0]), 1.0)
    return history.best[np.searchsorted(history.months, months, side="right") - 1]


def _risen(history: History, places: Floats) -> Floats:
    """Best shares at these places of the logistic scale and before: a best score never falls."""
    paths = np.maximum(LOGISTIC.shares(places), history.best[-1])
    risen: Floats = np.maximum.accumulate(paths, axis=-1)
    return risen
