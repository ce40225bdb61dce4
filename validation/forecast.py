"""Intervals of forecasts of best scores, of life spans, and of how forecasts did."""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.forecast import models, scoring
from saturation.forecast.models import History, Link
from studies.forecast import full, indices, lifespans
from validation.check import COVERAGE, Check, Rng, repeated

Floats = NDArray[np.float64]
Inside = NDArray[np.bool_]

BENCHMARKS, MONTHS, HORIZON, DRAWS = 30, 24, 12.0, 400
LINK = Link("logistic", 1.0)
# No discount: the truth of these data sets does not change.
FOREVER = 1e6


def _steps(law: str, size: int, rng: Rng) -> Floats:
    if law == "gamma":
        return rng.gamma(1.2, 0.25, size)
    return np.exp(rng.normal(np.log(0.2), 0.9, size))


def _path(law: str, rng: Rng) -> tuple[History, float]:
    """Two watched years of a benchmark at irregular dates, and its best score a year later."""
    often, size = rng.gamma(2.0, 0.3 / 2.0), 1 / rng.gamma(4.0, 1 / 3.0)
    days = np.sort(rng.uniform(0, MONTHS + HORIZON, rng.poisson(often * (MONTHS + HORIZON))))
    places = rng.normal(-1.5, 0.8) + np.append(0.0, (size * _steps(law, len(days), rng)).cumsum())
    best = LINK.shares(places)
    known = days <= MONTHS
    months = np.concatenate([[-MONTHS], days[known] - MONTHS])
    return History(months, best[: len(months)]), float(best[-1])


def _best_covered(law: str, rng: Rng) -> Inside:
    """Central 80 % intervals of the best score a year later."""
    paths = [_path(law, rng) for _ in range(BENCHMARKS)]
    histories, outcomes = [path[0] for path in paths], np.array([path[1] for path in paths])
    found = models.evidence(histories, LINK, FOREVER)
    best = np.array([history.best[-1] for history in histories])
    taught, horizon = models.shared_posterior(found), np.array([HORIZON])
    draws = models.predicted_shares(taught, found, best, LINK, horizon, DRAWS, rng)
    # What did not count as a rise for the model is none.
    outcomes = np.where(outcomes < best + models.LEAST_RISE, best, outcomes)
    inside = scoring.covered(*scoring.transform(draws[:, :, 0], outcomes), 0.8)
    # Of a point mass that the interval's end cuts, a part is inside: chance says whether it counts.
    drawn: Inside = rng.random(BENCHMARKS) < inside
    return drawn


def _shared_covered(name: str, rng: Rng) -> bool:
    """Interval of a shared number that is drawn from its prior, as are rates, steps and records."""
    place = models.SHARED.index(name)
    truth, found = full.simulated(rng)
    mode, covariance = models.shared_posterior(found)
    distance = abs(mode[place] - truth[place]) / np.sqrt(covariance[place, place])
    return bool(distance <= 1.281552)


def _watched(life: Floats, rng: Rng) -> tuple[Floats, Floats, Inside, Inside]:
    """Entry, how long a life is seen, whether its end is, and who lives at entry."""
    entry = np.where(rng.random(150) < 0.3, rng.uniform(0, 30, 150), 0.0)
    until = entry + rng.uniform(12, 90, 150)
    return entry, np.minimum(life, until), life <= until, life > entry


def _factor_within_kinds(rng: Rng) -> bool:
    """Interval of the change a year where kinds differ and their years too."""
    kind = np.repeat(np.arange(6), [60, 30, 20, 15, 15, 10])
    year = rng.integers(-4, 5, 150) + np.array([-4, 0, 1, 2, 3, 4])[kind].astype(float)
    life = 60 * np.exp(rng.normal(0, 0.3, 6))[kind] * 0.93**year * rng.weibull(1.6, 150)
    entry, seen, ended, there = _watched(life, rng)
    lives = lifespans.Lives(seen[there], entry[there], ended[there], year[there], kind[there])
    drawn = lifespans.draws(lives, rng)
    lower, upper = np.quantile(drawn[:, 1], [0.025, 0.975])
    return bool(lower <= np.log(0.93) <= upper)


def _factor(rng: Rng) -> bool:
    """Interval of the change a year with half the ends seen, and late entries."""
    year = rng.integers(-8, 8, 150).astype(float)
    life = 60 * 0.93**year * rng.weibull(1.6, 150)
    entry, seen, ended, there = _watched(life, rng)
    found = lifespans.weibull(seen[there], entry[there], ended[there], year[there])
    return bool(abs(found["slope"] - np.log(0.93)) / found["slope_error"] <= 1.959964)


def _share(benchmarks: int, rng: Rng) -> bool:
    """Interval of a coverage where the forecasts of a benchmark are dependent."""
    clusters = np.repeat(np.arange(benchmarks), rng.integers(1, 8, benchmarks))
    each = rng.beta(0.8 * 4, 0.2 * 4, benchmarks)
    inside = rng.random(len(clusters)) < each[clusters]
    _, lower, upper = scoring.clustered_share(inside, clusters, 0.95)
    return bool(lower <= 0.8 <= upper)


def _skill(benchmarks: int, rng: Rng) -> bool:
    """Interval of a skill of a quarter, scores that differ more between benchmarks than within."""
    clusters = np.repeat(np.arange(benchmarks), rng.integers(1, 8, benchmarks))
    level = rng.gamma(2.0, 0.02, benchmarks)[clusters]
    ease = rng.gamma(10.0, 0.075, benchmarks)[clusters]
    table = pd.DataFrame(
        {
            "score": level * ease * rng.gamma(4.0, 0.25, len(clusters)),
            "reference": level * rng.gamma(4.0, 0.25, len(clusters)),
            "cluster": clusters,
        }
    )
    _, lower, upper = scoring.skill(table, 0.95)
    return bool(lower <= 0.25 <= upper)


def _correlation(benchmarks: int, rng: Rng) -> bool:
    """Interval of the correlation of a useless predictor, cases of a benchmark being similar."""
    clusters = np.repeat(np.arange(benchmarks), rng.integers(2, 7, benchmarks))
    cases = pd.DataFrame(
        {
            "benchmark": clusters.astype(str),
            **{
                name: rng.normal(size=benchmarks)[clusters] + rng.normal(size=len(clusters))
                for name in ("gap", "best", "rise")
            },
        }
    )
    _, lower, upper, *_ = indices.predicted(cases, "gap", 0.95)
    return bool(lower <= 0 <= upper)


FACTOR = "the 95 % interval contains the true factor a year"

CHECKS = (
    *(
        Check(
            f"forecast_records_{law}_steps", "forecast.models.forecast",
            "the central 80 % interval contains the best score in a year", scenario,
            stated=0.8, safe="more", data_sets=400, simulate=repeated(partial(_best_covered, law)),
        )
        for law, scenario in (
            ("gamma", "30 benchmarks watched for two years, rates and steps as the model has them",
             ),
            ("lognormal",
             "the same with lognormal steps, whose tails are heavier than the model's"),
        )
    ),
    *(
        Check(
            f"forecast_shared_{name}", "forecast.models.shared_posterior",
            "the central 80 % interval contains the number, drawn from its prior",
            "30 benchmarks watched for two years; all as the model has it",
            stated=0.8, safe="more", data_sets=400,
            simulate=repeated(partial(_shared_covered, name)),
        )
        for name in models.SHARED
    ),
    Check(
        "forecast_life_span_factor_within_kinds", "forecast.lifespans.draws", FACTOR,
        "150 benchmarks of six kinds that differ in life and year, half of the ends seen",
        **COVERAGE, data_sets=400, simulate=repeated(_factor_within_kinds),
    ),
    Check(
        "forecast_life_span_factor", "forecast.lifespans.weibull", FACTOR,
        "150 benchmarks, Weibull lives, late entries, about half of the ends seen",
        **COVERAGE, data_sets=400, simulate=repeated(_factor),
    ),
    *(
        Check(
            f"forecast_coverage_{benchmarks}_benchmarks", "forecast.scoring.clustered_share",
            "the 95 % interval contains the true coverage",
            f"{benchmarks} benchmarks of 1 to 7 forecasts that are correlated",
            **COVERAGE, data_sets=20_000, simulate=repeated(partial(_share, benchmarks)),
        )
        for benchmarks in (12, 30)
    ),
    *(
        Check(
            f"forecast_skill_{benchmarks}_benchmarks", "forecast.scoring.skill",
            "the 95 % interval contains the true skill",
            f"{benchmarks} benchmarks of 1 to 7 forecasts, scores of different sizes",
            **COVERAGE, data_sets=20_000, simulate=repeated(partial(_skill, benchmarks)),
        )
        for benchmarks in (12, 30)
    ),
    *(
        Check(
            f"forecast_prediction_{benchmarks}_benchmarks", "forecast.indices.predicted",
            "the 95 % interval contains the correlation, which is 0",
            f"{benchmarks} benchmarks of 2 to 6 cases that are correlated",
            **COVERAGE, data_sets=2000, simulate=repeated(partial(_correlation, benchmarks)),
        )
        for benchmarks in (12, 26)
    ),
)  # fmt: skip
