"""Life spans of benchmarks of several kinds: a hierarchical Weibull regression with censoring.

The log of the scale is ``mean + effect of the kind + slope * year``, the effects normal around 0;
their spread is averaged over a grid under a half-normal prior, the rest has a Laplace approximation
at each point of it. Late entries count as in :func:`saturation.forecast.lifespans.weibull`.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy.special import logsumexp

from saturation.forecast import schemas
from saturation.forecast.lifespans import FEWEST_ENDS
from saturation.statistics import intervals

Floats = NDArray[np.float64]

# Of the effects of kinds, on the log scale: nearly none to e-fold.
SPREADS = np.array([0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5])
SPREAD_PRIOR = 0.5
# Weak normal priors: log of months, change a year, log of the shape.
PRIOR_MEAN = np.array([np.log(60.0), 0.0, 0.0])
PRIOR_SD = np.array([1.5, 0.3, 0.7])
DRAWS = 4000
MEDIAN = np.log(np.log(2.0))
CHANGE = "factor a year within kinds"


class Lives(NamedTuple):
    """Life spans, each of shape (benchmarks,).

    Parameters
    ----------
    months
        From release to the end, or to when it was last watched.
    entry
        From release to when it was first watched.
    ended
        Whether the end was seen.
    year
        What the scale depends on.
    kind
        Number of its kind, from 0.
    """

    months: Floats
    entry: Floats
    ended: NDArray[np.bool_]
    year: Floats
    kind: NDArray[np.int64]


def draws(lives: Lives, rng: np.random.Generator) -> Floats:
    """Draws of ``mean, slope, log shape`` and the effect of each kind.

    Parameters
    ----------
    lives
        See :class:`Lives`.
    rng
        Random numbers.

    Returns
    -------
    numpy.ndarray
        Shape (`DRAWS`, 3 + kinds).
    """
    from statsmodels.tools.numdiff import approx_hess

    kinds = int(lives.kind.max()) + 1
    start, fits, evidence = np.append(PRIOR_MEAN, np.zeros(kinds)), [], []
    for spread in SPREADS:
        found = scipy.optimize.minimize(surprise, start, args=(lives, spread), method="BFGS")
        start = found.x
        precision = approx_hess(start, surprise, args=(lives, spread))
        prior = -0.5 * (spread / SPREAD_PRIOR) ** 2
        evidence.append(prior - found.fun - 0.5 * np.linalg.slogdet(precision)[1])
        fits.append((start, np.linalg.inv(precision)))
    # Points of the grid stand for as much of the range as lies around them.
    weight = np.array(evidence) + np.log(np.gradient(SPREADS))
    weight = np.exp(weight - logsumexp(weight))
    counts = rng.multinomial(DRAWS, weight)
    return np.concatenate(
        [rng.multivariate_normal(*fit, size=count) for fit, count in zip(fits, counts, strict=True)]
    )


def surprise(parameters: Floats, lives: Lives, spread: float) -> float:
    """Minus the logarithm of the posterior density, up to a constant.

    Parameters
    ----------
    parameters
        ``mean, slope, log shape`` and the effect of each kind.
    lives
        See :class:`Lives`.
    spread
        Standard deviation of the effects.
    """
    mean, slope, log_shape = parameters[:3]
    effects, shape = parameters[3:], np.exp(parameters[2])
    scale = mean + effects[lives.kind] + slope * lives.year
    over = shape * (np.log(lives.months) - scale)
    before = np.zeros_like(over)
    late = lives.entry > 0
    before[late] = np.exp(shape * (np.log(lives.entry[late]) - scale[late]))
    density = log_shape - np.log(lives.months) + over
    likelihood = density[lives.ended].sum() - np.exp(over).sum() + before.sum()
    prior = -0.5 * (((parameters[:3] - PRIOR_MEAN) / PRIOR_SD) ** 2).sum()
    prior += -0.5 * ((effects / spread) ** 2).sum() - len(effects) * np.log(spread)
    return float(-likelihood - prior)


def survival(
    spans: pd.DataFrame, reference: int, level: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Median months of each kind, and the change a year within kinds, with posterior intervals.

    Parameters
    ----------
    spans
        Of :func:`saturation.forecast.lifespans.spans`.
    reference
        Year that the mean is of.
    level
        Of the intervals.
    rng
        Random numbers.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.SURVIVAL`; ``what`` is a kind (the median of one released in the mean
        year of its kind) or `CHANGE`. An end that fewer than `FEWEST_ENDS` benchmarks reached is
        left out.
    """
    rows: list[tuple[object, ...]] = []
    for end, own in spans[spans["reason"] == ""].groupby("end"):
        if own["ended"].sum() < FEWEST_ENDS:
            continue
        number, names = pd.factorize(own["kind"], sort=True)
        year = own["released"].dt.year.to_numpy(float) - reference
        lives = Lives(
            own["months"].to_numpy(float), own["entry"].to_numpy(float),
            own["ended"].to_numpy(bool), year, number,
        )  # fmt: skip
        drawn = draws(lives, rng)
        median = drawn[:, 0] + MEDIAN / np.exp(drawn[:, 2])
        for kind, name in enumerate(names):
            there = number == kind
            value = median + drawn[:, 3 + kind] + drawn[:, 1] * year[there].mean()
            counts = (int(there.sum()), int(lives.ended[there].sum()))
            rows.append((end, name, *counts, *_summary(value, level)))
        rows.append((end, CHANGE, len(own), int(lives.ended.sum()), *_summary(drawn[:, 1], level)))
    return pd.DataFrame(rows, columns=list(schemas.SURVIVAL.columns))


def _summary(logarithms: Floats, level: float) -> tuple[float, float, float]:
    lower, upper = intervals.percentile(logarithms, level)
    return float(np.exp(np.median(logarithms))), float(np.exp(lower)), float(np.exp(upper))
