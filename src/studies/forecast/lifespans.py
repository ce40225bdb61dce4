"""How long benchmarks last: months from release to a share of the usable range, with censoring.

A benchmark enters when its scores begin, which may be years after its release: until then nobody
would have seen it end (delayed entry). One that had ended before it was watched is left out.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy.special import logsumexp

from saturation.forecast.models import LOGISTIC
from saturation.forecast.names import ALIASES, USED_UP
from saturation.forecast.series import DAYS_A_MONTH, months_after
from saturation.pages.templates import percent
from saturation.statistics import intervals, resampling
from studies.plateau.groupings import Comparison, comparisons

Floats = NDArray[np.float64]
ANNOTATED = {alias: annotated for annotated, alias in ALIASES.items()}
# A best score that has not been beaten for so long is taken for the last one.
STANDS = 12
ENDS = {
    "share": f"{percent(USED_UP, 0)} of the usable range",
    "improvement": "the last improvement",
}
ERAS = ((2015, "before 2015"), (2020, "2015 to 2019"), (2023, "2020 to 2022"), (9999, "since 2023"))
SMALLEST_GROUP = 3
FEWEST_ENDS = 5
REFERENCE_YEAR = 2018
SPANS = [
    "series", "benchmark", "kind", "era", "end", "released", "entry", "months", "ended", "reason",
]  # fmt: skip
CURVES = ["end", "group", "benchmarks", "ended", "median", "lower", "upper", "note"]
GROUPS = [
    "hypothesis", "grouping", "end", "groups", "benchmarks", "ended", "chi2", "p_value", "p_holm",
    "note",
]  # fmt: skip
PACE = [
    "end", "benchmarks", "ended", "factor_a_year", "lower", "upper", "shape", "note",
]  # fmt: skip
SURVIVAL = ["end", "what", "benchmarks", "ended", "value", "lower", "upper"]
LATER = [
    "hypothesis", "outcome", "first", "benchmarks", "in_first", "difference", "lower", "upper",
    "p_value", "p_holm", "note",
]  # fmt: skip
PERMUTATIONS = 9999
OUTCOMES = ("reached", "a_year", "since")
COURSES = ["benchmark_id", "series", "age", "year", "reached", "a_year", "since"]
# Of the effects of kinds, on the log scale: nearly none to e-fold.
SPREADS = np.array([0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5])
SPREAD_PRIOR = 0.5
# Weak normal priors: log of months, change a year, log of the shape.
PRIOR_MEAN = np.array([np.log(60.0), 0.0, 0.0])
PRIOR_SD = np.array([1.5, 0.3, 0.7])
DRAWS = 4000
# After the search, whose last digits are the processor's; each doubles those that are right.
NEWTON_STEPS = 4
MEDIAN = np.log(np.log(2.0))
CHANGE = "factor a year within kinds"


def spans(series: pd.DataFrame, frontier: pd.DataFrame) -> pd.DataFrame:
    """When each benchmark began, was first watched and ended, by both ends."""
    parts = {str(name): part for name, part in frontier.groupby("series")}
    rows = [
        _span(row, parts[row["series"]], end) for row in series.to_dict("records") for end in ENDS
    ]
    return pd.DataFrame(rows, columns=SPANS)


def curves(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Median months to each end by era and by kind (Kaplan and Meier), with limits."""
    from statsmodels.duration.survfunc import SurvfuncRight

    rows = []
    for end, group, part in _parts(table):
        median, lower, upper, note = np.nan, np.nan, np.nan, ""
        if part["ended"].sum() < FEWEST_ENDS:
            note = f"fewer than {FEWEST_ENDS} ended"
        else:
            curve = SurvfuncRight(part["months"], part["ended"].astype(int), entry=part["entry"])
            median = curve.quantile(0.5)
            # At shares of 0 and 1 the log-log scale of the limits is infinite.
            with np.errstate(divide="ignore", invalid="ignore"):
                lower, upper = curve.quantile_ci(0.5, alpha=1 - level)
            note = "" if np.isfinite(median) else "half of them did not end while watched"
        rows.append([end, group, len(part), int(part["ended"].sum()), median, lower, upper, note])
    return pd.DataFrame(rows, columns=CURVES).replace([np.inf, -np.inf], np.nan)


def pace(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """By what factor benchmarks last longer for each later year of release, by a Weibull fit."""
    rows = []
    for end, own in table[table["reason"] == ""].groupby("end"):
        ended = own["ended"].to_numpy(bool)
        year = own["released"].dt.year.to_numpy(float) - REFERENCE_YEAR
        about = [end, len(own), int(ended.sum())]
        if ended.sum() < FEWEST_ENDS or len(set(year)) < 2:
            note = f"fewer than {FEWEST_ENDS} ended, or all were released in one year"
            rows.append([*about, *[np.nan] * 4, note])
            continue
        found = weibull(own["months"].to_numpy(), own["entry"].to_numpy(), ended, year)
        change, error, shape = found["slope"], found["slope_error"], found["shape"]
        lower, upper = intervals.normal(change, error, level)
        values = [float(np.exp(value)) for value in (change, lower, upper)]
        rows.append([*about, *values, shape, ""])
    return pd.DataFrame(rows, columns=PACE)


def weibull(
    months: Floats, entry: Floats, ended: NDArray[np.bool_], year: Floats
) -> dict[str, float]:
    """Weibull regression of life spans with censoring and delayed entry, by maximum likelihood.

    The log of the scale is ``intercept + slope * year``.

    ``intercept``, ``slope``, ``slope_error`` and ``shape``.
    """
    from statsmodels.tools.numdiff import approx_hess

    def negative_log_likelihood(parameters: Floats) -> float:
        intercept, slope, log_shape = parameters
        return -_log_likelihood(months, entry, ended, intercept + slope * year, log_shape)

    start = np.array([np.log(months.sum() / max(ended.sum(), 1)), 0.0, 0.0])
    best = scipy.optimize.minimize(
        negative_log_likelihood, start, method="Nelder-Mead", options={"maxiter": 4000}
    ).x
    covariance = np.linalg.inv(approx_hess(best, negative_log_likelihood))
    return {
        "intercept": float(best[0]),
        "slope": float(best[1]),
        "slope_error": float(np.sqrt(covariance[1, 1])),
        "shape": float(np.exp(best[2])),
    }


def hypotheses(table: pd.DataFrame, benchmarks: pd.DataFrame) -> pd.DataFrame:
    """The plateau paper's comparisons, of life spans: log-rank tests, Holm over each end."""
    joined = table[table["reason"] == ""].assign(benchmark_id=table["benchmark"].map(ANNOTATED))
    joined = joined.dropna(subset=["benchmark_id"])
    rows: list[dict[str, Any]] = []
    for _, own in joined.groupby("end"):
        rows += _adjusted([_compared(own, asked) for asked in _primary(benchmarks)])
    return pd.DataFrame(rows, columns=GROUPS)


def courses(series: pd.DataFrame, frontier: pd.DataFrame, observed: pd.Timestamp) -> pd.DataFrame:
    """What became of each annotated benchmark that has a history.

    Columns `COURSES`: years from release to the last score, the year of that score, logits reached
    then, logits gained a year since the first score, and since the paper's day where scores go on
    by half a year.
    """
    parts = {str(name): part for name, part in frontier.groupby("series")}
    rows = []
    for row in series[series["benchmark"].isin(ANNOTATED)].to_dict("records"):
        own = parts[row["series"]]
        place = LOGISTIC.steps(own["best"])
        first, last = own["date"].iloc[0], own["date"].iloc[-1]
        start = first if pd.isna(row["released"]) else row["released"]
        known = int((own["date"] <= observed).sum())
        goes_on = known and last >= months_after(observed, 6)
        rows.append(
            {
                "benchmark_id": ANNOTATED[row["benchmark"]],
                "series": row["series"],
                "age": (last - start).days / 365.25,
                "year": last.year + last.day_of_year / 365.25,
                "reached": place[-1],
                "a_year": (place[-1] - place[0]) / ((last - first).days / 365.25),
                "since": place[-1] - place[known - 1] if goes_on else np.nan,
            }
        )
    return pd.DataFrame(rows, columns=COURSES)


def later(
    table: pd.DataFrame, benchmarks: pd.DataFrame, level: float, rng: np.random.Generator
) -> pd.DataFrame:
    """The primary comparison of every hypothesis, by each outcome.

    Columns of `LATER`: the difference in logits between the group that the hypothesis expects to
    saturate faster and the other, age and the year of the last score held fixed (least squares;
    limits by Student's t, p-values by permutation), Holm over the comparisons of an outcome; no
    number and a note where a group is too small.
    """
    rows: list[dict[str, Any]] = []
    for outcome in OUTCOMES:
        rows += _adjusted(
            [_later_compared(table, asked, outcome, level, rng) for asked in _primary(benchmarks)]
        )
    return pd.DataFrame(rows, columns=LATER)


class Lives(NamedTuple):
    """Life spans, each of shape (benchmarks,)."""

    months: Floats  # from release to the end, or to when it was last watched
    entry: Floats  # from release to when it was first watched
    ended: NDArray[np.bool_]  # whether the end was seen
    year: Floats  # what the scale depends on
    kind: NDArray[np.int64]  # number of its kind, from 0


def draws(lives: Lives, rng: np.random.Generator) -> Floats:
    """Draws of ``mean, slope, log shape`` and the effect of each kind."""
    kinds = int(lives.kind.max()) + 1
    start, fits, evidence = np.append(PRIOR_MEAN, np.zeros(kinds)), [], []
    for spread in SPREADS:
        start = scipy.optimize.minimize(
            negative_log_likelihood, start, args=(lives, spread), method="BFGS"
        ).x
        for _ in range(NEWTON_STEPS):
            gradient, precision = _derivatives(start, lives, spread)
            start = start - np.linalg.solve(precision, gradient)
        prior = -0.5 * (spread / SPREAD_PRIOR) ** 2
        least = negative_log_likelihood(start, lives, spread)
        evidence.append(prior - least - 0.5 * np.linalg.slogdet(precision)[1])
        fits.append((start, np.linalg.inv(precision)))
    # A point of the grid weighs as much of the range as lies around it.
    weight = np.array(evidence) + np.log(np.gradient(SPREADS))
    weight = np.exp(weight - logsumexp(weight))
    counts = rng.multinomial(DRAWS, weight)
    return np.concatenate(
        [
            # No singular vectors, whose signs differ between processors.
            rng.multivariate_normal(*fit, size=count, method="cholesky")
            for fit, count in zip(fits, counts, strict=True)
        ]
    )


def _derivatives(parameters: Floats, lives: Lives, spread: float) -> tuple[Floats, Floats]:
    """Gradient and Hessian of :func:`negative_log_likelihood`."""
    shape, number = np.exp(parameters[2]), len(parameters) - 3
    by_scale = np.column_stack(
        [np.ones(len(lives.year)), lives.year, 0 * lives.year, np.eye(number)[lives.kind]]
    )
    scale, of_shape = by_scale @ parameters, np.eye(len(parameters))[2]
    width = np.append(PRIOR_SD, np.full(number, spread))
    centre = np.append(PRIOR_MEAN, np.zeros(number))
    gradient = (parameters - centre) / width**2 - lives.ended.sum() * of_shape
    hessian = np.diag(width**-2.0)
    late = lives.entry > 0
    for sign, months, there in ((1, lives.months, np.ones_like(late)), (-1, lives.entry, late)):
        over = shape * (np.log(months[there]) - scale[there])
        slope = over[:, None] * of_shape - shape * by_scale[there]
        ended = lives.ended[there] * (sign > 0)
        grown = sign * np.exp(over)
        mixed = np.outer(-shape * ((grown - ended) @ by_scale[there]), of_shape)
        gradient += (grown - ended) @ slope
        hessian += (slope.T * grown) @ slope + mixed + mixed.T
        hessian += ((grown - ended) @ over) * np.outer(of_shape, of_shape)
    return gradient, hessian


def negative_log_likelihood(parameters: Floats, lives: Lives, spread: float) -> float:
    """Minus the logarithm of the posterior density, up to a constant."""
    mean, slope, log_shape = parameters[:3]
    effects = parameters[3:]
    scale = mean + effects[lives.kind] + slope * lives.year
    likelihood = _log_likelihood(lives.months, lives.entry, lives.ended, scale, log_shape)
    prior = -0.5 * (((parameters[:3] - PRIOR_MEAN) / PRIOR_SD) ** 2).sum()
    prior += -0.5 * ((effects / spread) ** 2).sum() - len(effects) * np.log(spread)
    return float(-likelihood - prior)


def survival(spans: pd.DataFrame, level: float, rng: np.random.Generator) -> pd.DataFrame:
    """Median months of each kind, and the change a year within kinds, with posterior intervals.

    Columns of `SURVIVAL`; ``what`` is a kind (the median of one released in the mean year of its
    kind) or `CHANGE`. An end that fewer than `FEWEST_ENDS` benchmarks reached is left out.
    """
    rows: list[tuple[object, ...]] = []
    for end, own in spans[spans["reason"] == ""].groupby("end"):
        if own["ended"].sum() < FEWEST_ENDS:
            continue
        number, names = pd.factorize(own["kind"], sort=True)
        year = own["released"].dt.year.to_numpy(float) - REFERENCE_YEAR
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
    return pd.DataFrame(rows, columns=SURVIVAL)


def _span(row: dict[Any, Any], own: pd.DataFrame, end: str) -> dict[str, Any]:
    first, until = own["date"].iloc[0], row["observed_until"]
    start = first if pd.isna(row["released"]) else row["released"]
    if end == "share":
        there = own.loc[own["best"] >= USED_UP, "date"]
        ended, stop = len(there) > 0, there.iloc[0] if len(there) else until
    else:
        stop = own.loc[own["best"].diff().fillna(1) > 0, "date"].iloc[-1]
        ended = (until - stop).days > STANDS * DAYS_A_MONTH
        stop = stop if ended else until
    entry, months = ((day - start).days / DAYS_A_MONTH for day in (max(first, start), stop))
    reason = "" if months > entry else "it had ended when its scores begin"
    era = next(name for year, name in ERAS if start.year < year)
    return {
        **{name: row[name] for name in ("series", "benchmark", "kind")},
        "era": era,
        "end": end,
        "released": start,
        "entry": entry,
        "months": months,
        "ended": ended,
        "reason": reason,
    }


def _parts(table: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    used = table[table["reason"] == ""]
    return [
        (str(end), str(name), part)
        for end, own in used.groupby("end")
        for name, part in [("all", own), *own.groupby("era"), *own.groupby("kind")]
    ]


def _primary(benchmarks: pd.DataFrame) -> list[Comparison]:
    """The primary comparison of each hypothesis."""
    return [one for one in comparisons(benchmarks) if one.grouping == "primary"]


def _adjusted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with Holm's p-values of those that were tested."""
    tested = [row for row in rows if not row["note"]]
    for row, p in zip(tested, intervals.holm([row["p_value"] for row in tested]), strict=True):
        row["p_holm"] = float(p)
    return rows


def _compared(own: pd.DataFrame, asked: Comparison) -> dict[str, Any]:
    from statsmodels.duration.survfunc import survdiff

    row: dict[str, Any] = {name: getattr(asked, name) for name in ("hypothesis", "grouping")}
    row["end"] = own["end"].iloc[0]
    own = own.assign(group=own["benchmark_id"].map(asked.groups)).dropna(subset=["group"])
    sizes = own["group"].value_counts()
    row |= {
        "groups": "; ".join(f"{name}: {size}" for name, size in sorted(sizes.items())),
        "benchmarks": len(own),
        "ended": int(own["ended"].sum()),
        "note": "",
    }
    if len(sizes) < 2 or sizes.min() < SMALLEST_GROUP or row["ended"] < FEWEST_ENDS:
        row["note"] = f"a group has fewer than {SMALLEST_GROUP}, or fewer than {FEWEST_ENDS} ended"
        return row
    chi2, p = survdiff(
        own["months"], own["ended"].astype(int), own["group"], entry=own["entry"].to_numpy()
    )
    return row | {"chi2": float(chi2), "p_value": float(p)}


def _later_compared(
    table: pd.DataFrame, asked: Comparison, outcome: str, level: float, rng: np.random.Generator
) -> dict[str, Any]:
    from statsmodels.regression.linear_model import OLS
    from statsmodels.tools.tools import add_constant

    own = table.assign(group=table["benchmark_id"].map(asked.groups))
    own = own.dropna(subset=["group", outcome])
    in_first = (own["group"] == asked.first).to_numpy(float)
    row: dict[str, Any] = {"hypothesis": asked.hypothesis, "outcome": outcome, "first": asked.first}
    row |= {"benchmarks": len(own), "in_first": int(in_first.sum())}
    if min(in_first.sum(), (1 - in_first).sum()) < SMALLEST_GROUP:
        return row | {"note": f"a group has fewer than {SMALLEST_GROUP} benchmarks"}
    value = own[outcome].to_numpy(float)
    controls = np.column_stack([np.log(own["age"]), own["year"]])
    fit = OLS(value, np.column_stack([in_first, add_constant(controls)])).fit()
    lower, upper = fit.conf_int(1 - level)[0]
    orders = resampling.orders(len(own), PERMUTATIONS, rng)
    _, p = resampling.adjusted_f_test(value, in_first, controls, orders)
    found = {"difference": float(fit.params[0]), "lower": float(lower), "upper": float(upper)}
    return row | found | {"p_value": p, "note": ""}


def _log_likelihood(
    months: Floats, entry: Floats, ended: NDArray[np.bool_], scale: Floats, log_shape: float
) -> float:
    """Of a Weibull distribution by logarithms of scale and shape, given a life up to `entry`."""
    shape = np.exp(log_shape)
    over = shape * (np.log(months) - scale)
    before = np.zeros_like(over)
    late = entry > 0
    before[late] = np.exp(shape * (np.log(entry[late]) - scale[late]))
    density = log_shape - np.log(months) + over
    return float(density[ended].sum() - np.exp(over).sum() + before.sum())


def _summary(logarithms: Floats, level: float) -> tuple[float, float, float]:
    lower, upper = intervals.percentile(logarithms, level)
    return float(np.exp(np.median(logarithms))), float(np.exp(lower)), float(np.exp(upper))
