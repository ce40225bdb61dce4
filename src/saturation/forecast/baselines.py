"""Plain forecasts of a best score, against which others are measured.

Each takes the histories of benchmarks one by one and gives draws of shape (benchmarks, draws,
horizons); one that is a number without a distribution repeats it.
"""

import functools
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from saturation.discriminability import growth
from saturation.forecast.links import LOGISTIC
from saturation.forecast.records import History

Floats = NDArray[np.float64]
Method = Callable[[History, Floats, int, np.random.Generator], Floats]

PARAMETERS_OF_A_TREND = 2


def persistence(
    history: History,
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,  # noqa: ARG001
) -> Floats:
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
    months = np.arange(-np.floor(-history.months[0]), 1.0)
    last = np.searchsorted(history.months, months, side="right") - 1
    steps = np.diff(LOGISTIC.steps(history.best[last]))
    count = max(len(steps), 1)
    mean, spread = steps.sum() / count, steps.std(ddof=1) if len(steps) > 1 else 0.0
    slope = mean + spread / np.sqrt(count) * rng.standard_normal((draws, 1))
    ahead = np.sqrt(np.diff(horizons, prepend=0.0))
    walk = (rng.standard_normal((draws, len(horizons))) * ahead).cumsum(axis=1)
    return _risen(history, LOGISTIC.steps(history.best[-1]) + slope * horizons + spread * walk)


def logistic(
    history: History,
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,  # noqa: ARG001
) -> Floats:
    """The discriminability study's logistic curve; the best score so far where it does not fit."""
    elapsed = history.months - history.months[0]
    fitted = _fitted(tuple(np.round(elapsed, 6)), tuple(history.best))
    reached = fitted.predict(horizons - history.months[0]) if fitted else 0.0
    ahead = np.maximum(reached, history.best[-1])
    return np.tile(np.broadcast_to(ahead, horizons.shape), (draws, 1))


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


BASELINES: dict[str, Method] = {
    "persistence": persistence,
    "trend": trend,
    "drift": drift,
    "logistic": logistic,
}


def forecast(
    name: str,
    histories: Sequence[History],
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of a baseline for several benchmarks.

    Parameters
    ----------
    name
        Of `BASELINES`.
    histories
        One a benchmark, each of at least three dates.
    horizons
        Months ahead, rising, shape (horizons,).
    draws
        How many.
    rng
        Random numbers.
    """
    method = BASELINES[name]
    return np.stack([method(history, horizons, draws, rng) for history in histories])


def compared(
    histories: Sequence[History], horizons: ArrayLike, draws: int, rng: np.random.Generator
) -> dict[str, Floats]:
    """Draws of every baseline.

    Parameters
    ----------
    histories, horizons, draws, rng
        As for :func:`forecast`.
    """
    months = np.asarray(horizons, float)
    return {name: forecast(name, histories, months, draws, rng) for name in BASELINES}


def _risen(history: History, places: Floats) -> Floats:
    """Best shares at these places of the logistic scale and before: a best score never falls."""
    paths = np.maximum(LOGISTIC.shares(places), history.best[-1])
    risen: Floats = np.maximum.accumulate(paths, axis=-1)
    return risen
