"""Logistic growth of a benchmark's best score: the paper's fit, and one that can abstain.

Time is in months since the first window, scores are proportions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.optimize import curve_fit
from scipy.special import expit

from saturation.discriminability.summaries import KEYS

Array = NDArray[np.float64]
BOARD = KEYS[:2]
K_BOUNDS = (0.01, 10.0)  # section 5
PARAMETERS = ("ceiling", "rate", "midpoint")
COLUMNS = [
    *BOARD,
    "windows",
    "reading",
    *PARAMETERS,
    "t90",
    "r_squared",
    "headroom",
    "at_bound",
    "exceeded",
    "ceiling_lower",
    "ceiling_upper",
    "backtest_error",
    "persistence_error",
    "backtest_predictions",
    "abstains",
    "reason",
]
BACKTEST = ["origin", "ahead", "observed", "predicted", "error", "persistence_error"]
HORIZON = 3  # months ahead that a backtest looks
FEWEST_TO_FIT = 4  # one more than parameters
PROFILE_POINTS = 60


class Bounds(NamedTuple):
    """Lower and upper bounds of ceiling, rate and midpoint."""

    lower: tuple[float, float, float]
    upper: tuple[float, float, float]


@dataclass(frozen=True)
class Fit:
    """A fitted curve; `at_bound` names the parameters that ended on a bound."""

    ceiling: float
    rate: float
    midpoint: float
    r_squared: float
    at_bound: tuple[str, ...]

    @property
    def t90(self) -> float:
        """Months until 90 % of the ceiling (section 5)."""
        return self.midpoint + float(np.log(9)) / self.rate

    def predict(self, months: ArrayLike) -> Array:
        """The curve at the given months."""
        return logistic(months, self.ceiling, self.rate, self.midpoint)


@dataclass(frozen=True)
class Demands:
    """What the data must show before a projection is made."""

    min_windows: int
    min_r2: float
    min_reached: float
    max_ceiling_width: float


def logistic(months: ArrayLike, ceiling: float, rate: float, midpoint: float) -> Array:
    """Logistic growth (equation 4)."""
    return ceiling * expit(rate * (np.asarray(months, dtype=float) - midpoint))


def fit(months: ArrayLike, scores: ArrayLike, bounds: Bounds) -> Fit:
    """Least-squares fit of equation 4 within bounds.

    The start is the best score, a rate of 0.5 a month and the median month, moved into the
    bounds: the paper names bounds but no start.

    Raises
    ------
    RuntimeError
        If the optimiser does not converge.
    """
    months, scores = np.asarray(months, dtype=float), np.asarray(scores, dtype=float)
    start = np.clip([scores.max(), 0.5, np.median(months)], bounds.lower, bounds.upper)
    found, _ = curve_fit(logistic, months, scores, p0=start, bounds=bounds, max_nfev=20_000)
    residual = scores - logistic(months, *found)
    total = ((scores - scores.mean()) ** 2).sum()
    ceiling, rate, midpoint = map(float, found)
    return Fit(
        ceiling=ceiling,
        rate=rate,
        midpoint=midpoint,
        r_squared=float(1 - (residual**2).sum() / total) if total > 0 else float("nan"),
        at_bound=_at_bound(found, bounds),
    )


def paper_bounds(scores: ArrayLike) -> Bounds:
    """Section 5: ceiling from one point below the best score to 100, rate from 0.01 to 10."""
    best = float(np.max(scores))
    return Bounds((best - 0.01, K_BOUNDS[0], -np.inf), (1.0, K_BOUNDS[1], np.inf))


def paper_bounds_midpoint_observed(scores: ArrayLike, last_month: float) -> Bounds:
    """The paper's bounds with the midpoint inside the observed months, another usual reading."""
    given = paper_bounds(scores)
    return Bounds((*given.lower[:2], 0.0), (*given.upper[:2], last_month))


def honest_bounds(scores: ArrayLike) -> Bounds:
    """A ceiling is not below what has been reached."""
    best = min(float(np.max(scores)), 1 - 1e-9)
    return Bounds((best, K_BOUNDS[0], -np.inf), (1.0, K_BOUNDS[1], np.inf))


def profile_interval(
    months: ArrayLike, scores: ArrayLike, fitted: Fit, bounds: Bounds, level: float
) -> tuple[float, float]:
    """Profile-likelihood interval of the ceiling (Bates and Watts 1988, section 6.1).

    The ceilings at which the best sum of squares with the other two parameters free stays
    within an F quantile of the smallest; the grid goes from bound to bound.

    Returns
    -------
    tuple of float
        An end that equals a bound is not an end that the data show.
    """
    months, scores = np.asarray(months, dtype=float), np.asarray(scores, dtype=float)
    points = np.linspace(bounds.lower[0], bounds.upper[0], PROFILE_POINTS)
    grid = np.sort(np.append(points, fitted.ceiling))
    start = np.clip([0.5, np.median(months)], bounds.lower[1:], bounds.upper[1:])
    squares = []
    for ceiling in grid:
        start, value = _fit_below(ceiling, months, scores, start, bounds)
        squares.append(value)
    freedom = len(months) - len(PARAMETERS)
    limit = min(squares) * (1 + stats.f.ppf(level, 1, freedom) / freedom)
    inside = grid[np.asarray(squares) <= limit]
    return float(inside.min()), float(inside.max())


def backtest(months: ArrayLike, scores: ArrayLike, horizon: int = HORIZON) -> pd.DataFrame:
    """Rolling-origin errors of the honest fit and of keeping the last value.

    Parameters
    ----------
    months, scores
        The running best score.
    horizon
        Windows ahead.

    Returns
    -------
    pandas.DataFrame
        ``origin`` (last month used), ``ahead`` (windows), ``observed``, ``predicted``,
        ``error`` (absolute), ``persistence_error``. An origin at which the optimiser fails is a
        failed projection: its error is missing.
    """
    months, scores = np.asarray(months, dtype=float), np.asarray(scores, dtype=float)
    rows = []
    for end in range(FEWEST_TO_FIT, len(months)):
        ahead = slice(end, min(end + horizon, len(months)))
        try:
            predicted = fit(months[:end], scores[:end], honest_bounds(scores[:end])).predict(
                months[ahead]
            )
        except RuntimeError:
            predicted = np.full(len(months[ahead]), np.nan)
        rows += [
            {
                "origin": months[end - 1],
                "ahead": step,
                "observed": observed,
                "predicted": guess,
                "error": abs(guess - observed),
                "persistence_error": abs(scores[end - 1] - observed),
            }
            for step, (observed, guess) in enumerate(
                zip(scores[ahead], predicted, strict=True), start=1
            )
        ]
    return pd.DataFrame(rows, columns=BACKTEST)


def growth_table(
    monthly: pd.DataFrame, demands: Demands, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every reading of the growth curve for every benchmark, and the backtests.

    Parameters
    ----------
    monthly
        ``leaderboard, benchmark, month, elapsed, max_score``.
    demands
        When to abstain.
    level
        Coverage of the ceiling's interval.

    Returns
    -------
    fits : pandas.DataFrame
        ``reading`` is ``paper`` (best score of each window, the paper's bounds),
        ``paper_midpoint_observed``, ``paper_running_maximum`` (the paper does not say whether a
        window's best or the best so far was fitted) or ``honest`` (running maximum, ceiling at
        least that).
        ``ceiling, rate, midpoint, t90, r_squared, headroom, at_bound, exceeded`` (the observed
        maximum is above the projected ceiling), for the honest reading also ``ceiling_lower``,
        ``ceiling_upper``, backtest errors, ``abstains`` and ``reason``.
    backtests : pandas.DataFrame
        :func:`backtest` of every benchmark.
    """
    fits, tests = [], []
    for board, series in monthly.groupby(BOARD, sort=True):
        labels = dict(zip(BOARD, board, strict=True))
        ordered = series.sort_values("elapsed")
        months, best = ordered["elapsed"].to_numpy(float), ordered["max_score"].to_numpy(float)
        running = np.maximum.accumulate(best)
        readings = {
            "paper": (best, paper_bounds(best)),
            "paper_midpoint_observed": (best, paper_bounds_midpoint_observed(best, months[-1])),
            "paper_running_maximum": (running, paper_bounds(running)),
        }
        common = {**labels, "windows": len(months)}
        fits += [
            {**common, "reading": name, **_reading(months, scores, bounds)}
            for name, (scores, bounds) in readings.items()
        ]
        errors = backtest(months, running)
        fits.append(
            {**common, "reading": "honest", **_honest(months, running, errors, demands, level)}
        )
        tests.append(errors.assign(**labels))
    backtests = pd.concat(tests, ignore_index=True)[[*BOARD, *BACKTEST]]
    return pd.DataFrame(fits, columns=COLUMNS), backtests


def reasons_to_abstain(
    windows: int,
    result: Fit | None,
    best: float,
    interval: tuple[float, float],
    errors: pd.DataFrame,
    demands: Demands,
) -> list[str]:
    """Why no projection should be made from these data; empty when one can be."""
    if windows < demands.min_windows:
        return [f"{windows} windows, at least {demands.min_windows} are needed"]
    if result is None:
        return ["the fit does not converge"]
    reasons, reached = [], best / result.ceiling
    if result.at_bound:
        reasons.append(f"at a bound: {', '.join(result.at_bound)}")
    if not result.r_squared >= demands.min_r2:
        reasons.append(f"R2 is {result.r_squared:.2f}, at least {demands.min_r2:g} is needed")
    if reached < demands.min_reached:
        reasons.append(
            f"the best score is {reached:.0%} of the projected ceiling, at least "
            f"{demands.min_reached:.0%} is needed"
        )
    width = interval[1] - interval[0]
    if not width <= demands.max_ceiling_width:
        reasons.append(
            f"the ceiling's interval is {width:.2f} wide, at most "
            f"{demands.max_ceiling_width:g} is allowed"
        )
    curve, persistence = errors["error"].mean(), errors["persistence_error"].mean()
    if not curve <= persistence:
        reasons.append(
            f"in the backtest the curve errs by {curve:.3f}, keeping the last value by "
            f"{persistence:.3f}"
        )
    return reasons


def _reading(months: Array, scores: Array, bounds: Bounds) -> dict[str, object]:
    result = _try_fit(months, scores, bounds)
    return _described(result, float(scores.max())) if result else {"reason": "no convergence"}


def _honest(
    months: Array, running: Array, errors: pd.DataFrame, demands: Demands, level: float
) -> dict[str, object]:
    bounds = honest_bounds(running)
    result = _try_fit(months, running, bounds)
    interval = (np.nan, np.nan)
    if result is not None and len(months) > FEWEST_TO_FIT:
        interval = profile_interval(months, running, result, bounds, level)
    reasons = reasons_to_abstain(
        len(months), result, float(running.max()), interval, errors, demands
    )
    return {
        **(_described(result, float(running.max())) if result else {}),
        "ceiling_lower": interval[0],
        "ceiling_upper": interval[1],
        "backtest_error": errors["error"].mean(),
        "persistence_error": errors["persistence_error"].mean(),
        "backtest_predictions": len(errors),
        "abstains": bool(reasons),
        "reason": "; ".join(reasons),
    }


def _try_fit(months: Array, scores: Array, bounds: Bounds) -> Fit | None:
    if len(months) < FEWEST_TO_FIT:
        return None
    try:
        return fit(months, scores, bounds)
    except RuntimeError:
        return None


def _described(result: Fit, best: float) -> dict[str, object]:
    return {
        **{name: getattr(result, name) for name in (*PARAMETERS, "t90", "r_squared")},
        "headroom": result.ceiling - best,
        "at_bound": ", ".join(result.at_bound),
        "exceeded": best > result.ceiling,
    }


def _at_bound(found: Sequence[float], bounds: Bounds) -> tuple[str, ...]:
    return tuple(
        name
        for name, value, low, high in zip(PARAMETERS, found, *bounds, strict=True)
        if min(abs(value - low), abs(value - high)) < 1e-4
    )


def _fit_below(
    ceiling: float, months: Array, scores: Array, start: Array, bounds: Bounds
) -> tuple[Array, float]:
    """Rate, midpoint and sum of squares at a given ceiling, from the neighbour's solution."""

    def curve(t: Array, rate: float, midpoint: float) -> Array:
        return logistic(t, ceiling, rate, midpoint)

    found, _ = curve_fit(
        curve,
        months,
        scores,
        p0=start,
        bounds=(bounds.lower[1:], bounds.upper[1:]),
        max_nfev=20_000,
    )
    return found, float(((scores - curve(months, *found)) ** 2).sum())
