"""Fit and project the logistic growth of a benchmark's best score; test for retirement.

Time is in months since the first window, scores are proportions.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from saturation.arrays import Floats
from saturation.discriminability.names import BOARD, KEYS
from saturation.files.tables import Row
from saturation.pages.templates import percent

RATE_BOUNDS = (0.01, 10.0)  # section 5
PARAMETERS = ("ceiling", "rate", "midpoint")
PROFILE_POINTS = 60
END = 1e-6  # how exactly the interval's ends are found
AT_BOUND = 1e-4  # a parameter this near to its bound ended on it
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
    "ceiling_width",
    "backtest_error",
    "persistence_error",
    "backtest_predictions",
    "abstains",
    "reason",
]
BACKTEST = ["origin", "error", "persistence_error"]
HORIZON = 3  # windows ahead that a backtest looks
FEWEST_TO_FIT = 4  # one more than parameters
CRITERIA = ("ceiling_met", "gap_met", "decline_met")


class Bounds(NamedTuple):
    """Lower and upper bounds of ceiling, rate and midpoint."""

    lower: tuple[float, float, float]
    upper: tuple[float, float, float]


@dataclass(frozen=True)
class Fit:
    """A fitted curve."""

    ceiling: float  # what the scores approach, a proportion
    rate: float
    midpoint: float  # month at which half of the ceiling is reached
    # Share of the scores' variance that the curve explains; NaN where they do not vary.
    r_squared: float
    at_bound: tuple[str, ...]  # the parameters that ended on a bound

    @property
    def t90(self) -> float:
        """Months until 90 % of the ceiling (section 5)."""
        return self.midpoint + float(np.log(9)) / self.rate

    def predict(self, months: ArrayLike) -> Floats:
        """Return the curve at the given months."""
        return logistic(months, self.ceiling, self.rate, self.midpoint)


def logistic(months: ArrayLike, ceiling: float, rate: float, midpoint: float) -> Floats:
    """Logistic growth (equation 4)."""
    grown: Floats = ceiling * scipy.special.expit(rate * (np.asarray(months, float) - midpoint))
    return grown


def slopes(months: ArrayLike, ceiling: float, rate: float, midpoint: float) -> Floats:
    """Return derivatives of :func:`logistic` by ceiling, rate and midpoint, shape (months, 3)."""
    since = np.asarray(months, float) - midpoint
    share = scipy.special.expit(rate * since)
    grown = ceiling * share * (1 - share)
    return np.column_stack([share, grown * since, -grown * rate])


def fit(months: ArrayLike, scores: ArrayLike, bounds: Bounds) -> Fit:
    """Least-squares fit of equation 4 within bounds.

    The start is the best score, a rate of 0.5 a month and the median month, moved into the
    bounds: the paper names bounds but no start.

    Parameters
    ----------
    months, scores
        Windows, shape (windows,): months since the first, and best scores as proportions.

    Raises
    ------
    RuntimeError
        If the optimiser does not converge.
    """
    months, scores = np.asarray(months, float), np.asarray(scores, float)
    start = np.clip([scores.max(), 0.5, np.median(months)], bounds.lower, bounds.upper)
    fitted, _ = scipy.optimize.curve_fit(
        logistic, months, scores, p0=start, bounds=bounds, jac=slopes, max_nfev=20_000
    )
    residual = scores - logistic(months, *fitted)
    total = ((scores - scores.mean()) ** 2).sum()
    r_squared = 1 - (residual**2).sum() / total if total > 0 else np.nan
    reached = (
        name
        for name, value, low, high in zip(PARAMETERS, fitted, *bounds)
        if min(abs(value - low), abs(value - high)) < AT_BOUND
    )
    ceiling, rate, midpoint = map(float, fitted)
    return Fit(ceiling, rate, midpoint, r_squared, tuple(reached))


def paper_bounds(scores: ArrayLike) -> Bounds:
    """Return section 5's bounds: ceiling from a point below the best score to 100, rate .01 to 10.

    The paper does not bound the midpoint.
    """
    return _bound_ceiling(np.max(scores) - 0.01)


def honest_bounds(scores: ArrayLike) -> Bounds:
    """Return bounds that keep the ceiling at or above the best score."""
    return _bound_ceiling(min(np.max(scores), 1 - 1e-9))


def _bound_ceiling(least: float) -> Bounds:
    return Bounds((least, RATE_BOUNDS[0], -np.inf), (1.0, RATE_BOUNDS[1], np.inf))


def profile_interval(
    months: Floats, scores: Floats, fitted: Fit, bounds: Bounds, level: float
) -> tuple[float, float]:
    """Profile-likelihood interval of the ceiling (Bates and Watts 1988, section 6.1).

    The ceilings at which the best sum of squares with the other two parameters free stays
    within an F quantile of the smallest. A grid from bound to bound finds them, and where it leaves
    them the end is looked for between its points: ends on the grid would be up to a step too near.

    Parameters
    ----------
    months, scores
        See :func:`fit`; more windows than parameters.
    fitted
        The fit within the same bounds.

    Returns
    -------
    tuple of float
        An end that equals a bound is not an end that the data show.
    """
    points = np.linspace(bounds.lower[0], bounds.upper[0], PROFILE_POINTS)
    grid = np.sort(np.append(points, fitted.ceiling))
    start = np.clip([0.5, np.median(months)], bounds.lower[1:], bounds.upper[1:])
    starts, squares = [], []
    for ceiling in grid:
        start, value = _fit_below(ceiling, months, scores, start, bounds)
        starts.append(start)
        squares.append(value)
    freedom = len(months) - len(PARAMETERS)
    limit = min(squares) * (1 + scipy.special.fdtri(1, freedom, level) / freedom)
    inside = np.flatnonzero(np.asarray(squares) <= limit)

    def end(last: int, outside: int) -> float:
        """Find where the squares cross the limit between ceilings inside and outside."""
        if not 0 <= outside < len(grid):
            return float(grid[last])
        return float(
            scipy.optimize.brentq(
                lambda ceiling: (
                    _fit_below(ceiling, months, scores, starts[last], bounds)[1] - limit
                ),
                grid[last],
                grid[outside],
                xtol=END,
            )
        )

    return end(inside[0], inside[0] - 1), end(inside[-1], inside[-1] + 1)


@dataclass(frozen=True)
class Demands:
    """Demands on the data before a projection is made."""

    min_windows: int
    min_r2: float  # smallest R2 of the fit
    min_reached: float  # least share of the projected ceiling that the best score has reached
    max_ceiling_width: float  # widest interval of the ceiling, a proportion


def backtest(months: Floats, scores: Floats) -> pd.DataFrame:
    """Rolling-origin errors of the honest fit and of keeping the last value.

    ``origin`` (last month used), ``error`` (absolute), ``persistence_error``, a row for each of up
    to three windows ahead. An origin at which the optimiser fails is a failed projection: its error
    is missing.
    """
    rows = []
    for end in range(FEWEST_TO_FIT, len(months)):
        ahead = slice(end, end + HORIZON)
        fitted = _try_fit(months[:end], scores[:end], honest_bounds(scores[:end]))
        predicted = fitted.predict(months[ahead]) if fitted else np.full(len(months[ahead]), np.nan)
        rows += [
            (months[end - 1], abs(guess - observed), abs(scores[end - 1] - observed))
            for observed, guess in zip(scores[ahead], predicted)
        ]
    return pd.DataFrame(rows, columns=BACKTEST)


def growth_table(monthly: pd.DataFrame, demands: Demands, level: float) -> pd.DataFrame:
    """Fit the growth curve of every benchmark, in two readings.

    ``reading`` is ``paper`` (best score of each window, the paper's bounds) or ``honest`` (running
    maximum, ceiling at least that). ``ceiling, rate, midpoint, t90, r_squared, headroom, at_bound,
    exceeded`` (the observed maximum is above the projected ceiling), for the honest reading also
    ``ceiling_width`` (of the profile interval, which decides on abstention only), backtest errors,
    ``abstains`` and ``reason``.
    """
    fits = []
    for board, series in monthly.groupby(BOARD):
        ordered = series.sort_values("elapsed")
        months, best = ordered["elapsed"].to_numpy(float), ordered["max_score"].to_numpy(float)
        common = {**dict(zip(BOARD, board)), "windows": len(months)}
        fitted = _try_fit(months, best, paper_bounds(best))
        paper = _described(fitted, best) if fitted else {"reason": "no convergence"}
        honest = _honest(months, np.maximum.accumulate(best), demands, level)
        fits += [{**common, "reading": "paper", **paper}, {**common, "reading": "honest", **honest}]
    return pd.DataFrame(fits, columns=COLUMNS)


def reasons_to_abstain(
    windows: int,
    fitted: Fit | None,
    best: float,
    width: float,
    errors: pd.DataFrame,
    demands: Demands,
) -> list[str]:
    """List the reasons against a projection from these data; empty if a projection can be made."""
    if windows < demands.min_windows:
        return [f"{windows} windows, at least {demands.min_windows} are needed"]
    if fitted is None:
        return ["the fit does not converge"]
    reached = best / fitted.ceiling
    curve, persistence = errors["error"].mean(), errors["persistence_error"].mean()
    failed = errors.loc[errors["error"].isna(), "origin"].nunique()
    reasons = {
        f"at a bound: {', '.join(fitted.at_bound)}": fitted.at_bound,
        f"R2 is {fitted.r_squared:.2f}, at least {demands.min_r2:g} is needed": not (
            fitted.r_squared >= demands.min_r2
        ),
        f"the best score is {percent(reached, 0)} of the projected ceiling, at least "
        f"{percent(demands.min_reached, 0)} is needed": reached < demands.min_reached,
        f"the ceiling's interval is {width:.2f} wide, at most {demands.max_ceiling_width:g} is "
        "allowed": not width <= demands.max_ceiling_width,
        f"at {failed} of {errors['origin'].nunique()} origins of the backtest no fit "
        "converges": failed,
        f"in the backtest the curve errs by {curve:.3f}, keeping the last value by "
        f"{persistence:.3f}": not (failed or curve <= persistence),
    }
    return [reason for reason, applies in reasons.items() if applies]


@dataclass(frozen=True)
class Thresholds:
    """Limits as proportions; the paper's are 0.90, 0.01 and 0.15."""

    ceiling_proximity: float  # the best score is above this
    top10_gap: float  # the mean gap among the top ten is below this
    bdi_decline: float  # the index lies below its peak so far by more than this share of it


def retirement_table(monthly: pd.DataFrame, thresholds: Thresholds) -> pd.DataFrame:
    """Each criterion's value and verdict in every window.

    The criteria's values (``bdi_decline`` is relative to ``peak_bdi``, the highest index up to and
    including the window: what an operator would have known then), ``*_met``, ``met`` (how many) and
    ``due`` (all three). A gap that cannot be computed is not met.
    """
    ordered = monthly.sort_values([*BOARD, "elapsed"], ignore_index=True)
    columns = [*KEYS, "elapsed", "n_models", "ceiling_proximity", "top10_gap", "bdi"]
    table = ordered[columns].copy()
    table["peak_bdi"] = table.groupby(BOARD)["bdi"].cummax()
    table["bdi_decline"] = (1 - table["bdi"] / table["peak_bdi"]).fillna(0.0)
    table["ceiling_met"] = table["ceiling_proximity"] > thresholds.ceiling_proximity
    table["gap_met"] = table["top10_gap"] < thresholds.top10_gap
    table["decline_met"] = table["bdi_decline"] > thresholds.bdi_decline
    table["met"] = table[list(CRITERIA)].sum(axis=1)
    table["due"] = table["met"] == len(CRITERIA)
    return table


def _fit_below(
    ceiling: float, months: Floats, scores: Floats, start: Floats, bounds: Bounds
) -> tuple[Floats, float]:
    """Rate, midpoint and sum of squares at a given ceiling, from the neighbour's solution."""

    def curve(t: Floats, rate: float, midpoint: float) -> Floats:
        return logistic(t, ceiling, rate, midpoint)

    def steepness(t: Floats, rate: float, midpoint: float) -> Floats:
        return slopes(t, ceiling, rate, midpoint)[:, 1:]

    free = (bounds.lower[1:], bounds.upper[1:])
    fitted, _ = scipy.optimize.curve_fit(
        curve, months, scores, p0=start, bounds=free, jac=steepness, max_nfev=20_000
    )
    return fitted, ((scores - curve(months, *fitted)) ** 2).sum()


def _honest(months: Floats, running: Floats, demands: Demands, level: float) -> Row:
    errors, bounds = backtest(months, running), honest_bounds(running)
    fitted = _try_fit(months, running, bounds)
    width = np.nan
    if fitted is not None and len(months) > FEWEST_TO_FIT:
        lower, upper = profile_interval(months, running, fitted, bounds, level)
        width = upper - lower
    reasons = reasons_to_abstain(len(months), fitted, running.max(), width, errors, demands)
    return {
        **(_described(fitted, running) if fitted else {}),
        "ceiling_width": width,
        "backtest_error": errors["error"].mean(),
        "persistence_error": errors["persistence_error"].mean(),
        "backtest_predictions": len(errors),
        "abstains": bool(reasons),
        "reason": "; ".join(reasons),
    }


def _try_fit(months: Floats, scores: Floats, bounds: Bounds) -> Fit | None:
    if len(months) < FEWEST_TO_FIT:
        return None
    try:
        return fit(months, scores, bounds)
    except RuntimeError:
        return None


def _described(fitted: Fit, scores: Floats) -> Row:
    best = scores.max()
    return {
        **{name: getattr(fitted, name) for name in (*PARAMETERS, "t90", "r_squared")},
        "headroom": fitted.ceiling - best,
        "at_bound": ", ".join(fitted.at_bound),
        "exceeded": best > fitted.ceiling,
    }
