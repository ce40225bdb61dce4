"""Projections of a benchmark's ceiling: the paper's readings, a backtest, and when to abstain.

Time is in months since the first window, scores are proportions.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from saturation.discriminability.growth import (
    PARAMETERS,
    Array,
    Bounds,
    Fit,
    fit,
    honest_bounds,
    paper_bounds,
    paper_bounds_midpoint_observed,
    profile_interval,
)
from saturation.discriminability.names import BOARD

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
HORIZON = 3  # windows ahead that a backtest looks
FEWEST_TO_FIT = 4  # one more than parameters


@dataclass(frozen=True)
class Demands:
    """What the data must show before a projection is made.

    Parameters
    ----------
    min_windows
        Fewest windows.
    min_r2
        Smallest R2 of the fit.
    min_reached
        Least share of the projected ceiling that the best score has reached.
    max_ceiling_width
        Widest interval of the ceiling, a proportion.
    """

    min_windows: int
    min_r2: float
    min_reached: float
    max_ceiling_width: float


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
        fitted = _try_fit(months[:end], scores[:end], honest_bounds(scores[:end]))
        predicted = fitted.predict(months[ahead]) if fitted else np.full(len(months[ahead]), np.nan)
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
    fits: list[dict[str, Any]] = []
    tests = []
    for (leaderboard, benchmark), series in monthly.groupby(BOARD, sort=True):
        ordered = series.sort_values("elapsed")
        months, best = ordered["elapsed"].to_numpy(float), ordered["max_score"].to_numpy(float)
        running = np.maximum.accumulate(best)
        readings = {
            "paper": (best, paper_bounds(best)),
            "paper_midpoint_observed": (best, paper_bounds_midpoint_observed(best, months[-1])),
            "paper_running_maximum": (running, paper_bounds(running)),
        }
        common = {"leaderboard": leaderboard, "benchmark": benchmark, "windows": len(months)}
        fits += [
            {**common, "reading": name, **_reading(months, scores, bounds)}
            for name, (scores, bounds) in readings.items()
        ]
        errors = backtest(months, running)
        fits.append(
            {**common, "reading": "honest", **_honest(months, running, errors, demands, level)}
        )
        errors.insert(0, "leaderboard", str(leaderboard))
        errors.insert(1, "benchmark", str(benchmark))
        tests.append(errors)
    return pd.DataFrame(fits, columns=COLUMNS), pd.concat(tests, ignore_index=True)


def reasons_to_abstain(
    windows: int,
    fitted: Fit | None,
    best: float,
    interval: tuple[float, float],
    errors: pd.DataFrame,
    demands: Demands,
) -> list[str]:
    """Why no projection should be made from these data; empty when one can be.

    Parameters
    ----------
    windows
        How many windows there are.
    fitted
        The honest fit, or None where the optimiser found none.
    best
        Best score so far.
    interval
        Interval of the ceiling; NaN where there is none.
    errors
        :func:`backtest` of the same windows.
    demands
        See :class:`Demands`; a limit is met at equality.
    """
    if windows < demands.min_windows:
        return [f"{windows} windows, at least {demands.min_windows} are needed"]
    if fitted is None:
        return ["the fit does not converge"]
    reasons, reached = [], best / fitted.ceiling
    if fitted.at_bound:
        reasons.append(f"at a bound: {', '.join(fitted.at_bound)}")
    if not fitted.r_squared >= demands.min_r2:
        reasons.append(f"R2 is {fitted.r_squared:.2f}, at least {demands.min_r2:g} is needed")
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
    failed = errors.loc[errors["error"].isna(), "origin"].nunique()
    if failed:
        origins = errors["origin"].nunique()
        reasons.append(f"at {failed} of {origins} origins of the backtest no fit converges")
    elif not curve <= persistence:
        reasons.append(
            f"in the backtest the curve errs by {curve:.3f}, keeping the last value by "
            f"{persistence:.3f}"
        )
    return reasons


def _reading(months: Array, scores: Array, bounds: Bounds) -> dict[str, Any]:
    fitted = _try_fit(months, scores, bounds)
    return _described(fitted, float(scores.max())) if fitted else {"reason": "no convergence"}


def _honest(
    months: Array, running: Array, errors: pd.DataFrame, demands: Demands, level: float
) -> dict[str, Any]:
    bounds = honest_bounds(running)
    fitted = _try_fit(months, running, bounds)
    interval = (np.nan, np.nan)
    if fitted is not None and len(months) > FEWEST_TO_FIT:
        interval = profile_interval(months, running, fitted, bounds, level)
    reasons = reasons_to_abstain(
        len(months), fitted, float(running.max()), interval, errors, demands
    )
    return {
        **(_described(fitted, float(running.max())) if fitted else {}),
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


def _described(fitted: Fit, best: float) -> dict[str, Any]:
    return {
        **{name: getattr(fitted, name) for name in (*PARAMETERS, "t90", "r_squared")},
        "headroom": fitted.ceiling - best,
        "at_bound": ", ".join(fitted.at_bound),
        "exceeded": best > fitted.ceiling,
    }
