"""Forecasts of best scores, and what is said of how they did, under known truth."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.forecast import full, indices, lifespans, models, scoring
from saturation.forecast.models import History, Link
from saturation.simulation.check import Check, Outcome

Floats = NDArray[np.float64]

BENCHMARKS, MONTHS, HORIZON, DRAWS = 30, 24, 12.0, 400
LINK = Link("logistic", 1.0)
# No discount: the truth of these data sets does not change.
FOREVER = 1e6


def _steps(law: str, size: int, rng: np.random.Generator) -> Floats:
    if law == "gamma":
        return rng.gamma(1.2, 0.25, size)
    return np.exp(rng.normal(np.log(0.2), 0.9, size))


def _path(law: str, rng: np.random.Generator) -> tuple[History, float]:
    """Two watched years of a benchmark at irregular dates, and its best score a year later."""
    often, size = rng.gamma(2.0, 0.3 / 2.0), 1 / rng.gamma(4.0, 1 / 3.0)
    days = np.sort(rng.uniform(0, MONTHS + HORIZON, rng.poisson(often * (MONTHS + HORIZON))))
    places = rng.normal(-1.5, 0.8) + np.append(0.0, (size * _steps(law, len(days), rng)).cumsum())
    best = LINK.shares(places)
    known = days <= MONTHS
    months = np.concatenate([[-MONTHS], days[known] - MONTHS])
    return History(months, best[: len(months)]), float(best[-1])


def _covered(law: str, rng: np.random.Generator, data_sets: int) -> Outcome:
    hits = 0
    for _ in range(data_sets):
        paths = [_path(law, rng) for _ in range(BENCHMARKS)]
        histories, outcomes = [path[0] for path in paths], np.array([path[1] for path in paths])
        found = models.evidence(histories, LINK, FOREVER)
        best = np.array([history.best[-1] for history in histories])
        taught, horizon = models.shared_posterior(found), np.array([HORIZON])
        draws = models.records_forecast(taught, found, best, LINK, horizon, DRAWS, rng)
        # What did not count as a rise for the model is none.
        outcomes = np.where(outcomes < best + models.LEAST_RISE, best, outcomes)
        inside = scoring.covered(*scoring.transform(draws[:, :, 0], outcomes), 0.8)
        # Of a lump that the interval's end cuts, a part is inside: chance says whether it counts.
        hits += int((rng.random(BENCHMARKS) < inside).sum())
    return Outcome(hits, data_sets * BENCHMARKS)


def _calibrated(name: str, rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of a shared number that is drawn from its prior, as are rates, steps and records."""
    place, hits = models.SHARED.index(name), 0
    for _ in range(data_sets):
        truth, found = full.simulated(rng)
        mode, covariance = models.shared_posterior(found)
        distance = abs(mode[place] - truth[place]) / np.sqrt(covariance[place, place])
        hits += int(distance <= 1.281552)
    return Outcome(hits, data_sets)


def _within_kinds(rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of the change a year where kinds differ and their years too."""
    hits = 0
    for _ in range(data_sets):
        kind = np.repeat(np.arange(6), [60, 30, 20, 15, 15, 10])
        year = rng.integers(-4, 5, 150) + np.array([-4, 0, 1, 2, 3, 4])[kind].astype(float)
        life = 60 * np.exp(rng.normal(0, 0.3, 6))[kind] * 0.93**year * rng.weibull(1.6, 150)
        entry = np.where(rng.random(150) < 0.3, rng.uniform(0, 30, 150), 0.0)
        until = entry + rng.uniform(12, 90, 150)
        there = life > entry
        found = (np.minimum(life, until), entry, life <= until, year, kind)
        drawn = lifespans.draws(lifespans.Lives(*(part[there] for part in found)), rng)
        lower, upper = np.quantile(drawn[:, 1], [0.025, 0.975])
        hits += int(lower <= np.log(0.93) <= upper)
    return Outcome(hits, data_sets)


def _share(benchmarks: int, rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of a coverage where the forecasts of a benchmark hang together."""
    hits = 0
    for _ in range(data_sets):
        clusters = np.repeat(np.arange(benchmarks), rng.integers(1, 8, benchmarks))
        each = rng.beta(0.8 * 4, 0.2 * 4, benchmarks)
        inside = rng.random(len(clusters)) < each[clusters]
        _, lower, upper = scoring.clustered_share(inside, clusters, 0.95)
        hits += int(lower <= 0.8 <= upper)
    return Outcome(hits, data_sets)


def _skill(benchmarks: int, rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of a skill of a quarter, scores that differ more between benchmarks than within."""
    hits = 0
    for _ in range(data_sets):
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
        hits += int(lower <= 0.25 <= upper)
    return Outcome(hits, data_sets)


def _factor(rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of the change a year with half the ends seen, and late entries."""
    hits = 0
    for _ in range(data_sets):
        year = rng.integers(-8, 8, 150).astype(float)
        life = 60 * 0.93**year * rng.weibull(1.6, 150)
        entry = np.where(rng.random(150) < 0.3, rng.uniform(0, 30, 150), 0.0)
        until = entry + rng.uniform(12, 90, 150)
        there = life > entry
        ended = life <= until
        found = lifespans.weibull(
            np.minimum(life, until)[there], entry[there], ended[there], year[there]
        )
        distance = abs(found["slope"] - np.log(0.93)) / found["slope_error"]
        hits += int(distance <= 1.959964)
    return Outcome(hits, data_sets)


def _correlation(benchmarks: int, rng: np.random.Generator, data_sets: int) -> Outcome:
    """Interval of the correlation of a predictor that says nothing, cases of a benchmark alike."""
    hits = 0
    for _ in range(data_sets):
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
        hits += int(lower <= 0 <= upper)
    return Outcome(hits, data_sets)


_FORECAST: dict[str, Any] = {
    "estimator": "forecast.records.forecast",
    "statement": "the central 80 % interval contains the best score in a year",
    "stated": 0.8,
    "data_sets": 100,
}
_INTERVAL = {"stated": 0.95, "lower": 0.92, "upper": 0.98}
CHECKS = (
    Check(
        name="forecast_records_gamma_steps",
        scenario="30 benchmarks watched for two years, rates and steps as the model has them",
        lower=0.77,
        upper=0.83,
        simulate=partial(_covered, "gamma"),
        **_FORECAST,
    ),
    Check(
        name="forecast_records_lognormal_steps",
        scenario="the same with lognormal steps, whose tails are heavier than the model's",
        lower=0.75,
        upper=0.85,
        simulate=partial(_covered, "lognormal"),
        **_FORECAST,
    ),
    *(
        Check(
            name=f"forecast_shared_{name}",
            estimator="forecast.records.shared_posterior",
            statement="the central 80 % interval contains the number, drawn from its prior",
            scenario="30 benchmarks watched for two years; all as the model has it",
            stated=0.8,
            # Laplace's approximation of how alike benchmarks are is a little too narrow or wide.
            lower=0.70,
            upper=0.9,
            data_sets=400,
            simulate=partial(_calibrated, name),
        )
        for name in models.SHARED
    ),
    Check(
        name="forecast_life_span_factor_within_kinds",
        estimator="forecast.survival.draws",
        statement="the 95 % interval contains the true factor a year",
        scenario="150 benchmarks of six kinds that differ in life and year, half of the ends seen",
        data_sets=300,
        simulate=_within_kinds,
        **_INTERVAL,
    ),
    *(
        Check(
            name=f"forecast_coverage_{benchmarks}_benchmarks",
            estimator="forecast.scoring.clustered_share",
            statement="the 95 % interval contains the true coverage",
            scenario=f"{benchmarks} benchmarks of 1 to 7 forecasts that hang together",
            data_sets=20000,
            simulate=partial(_share, benchmarks),
            **_INTERVAL,
        )
        for benchmarks in (12, 30)
    ),
    *(
        Check(
            name=f"forecast_skill_{benchmarks}_benchmarks",
            estimator="forecast.scoring.skill",
            statement="the 95 % interval contains the true skill",
            scenario=f"{benchmarks} benchmarks of 1 to 7 forecasts, scores of unlike size",
            data_sets=20000,
            simulate=partial(_skill, benchmarks),
            **_INTERVAL,
        )
        for benchmarks in (12, 30)
    ),
    Check(
        name="forecast_life_span_factor",
        estimator="forecast.lifespans.weibull",
        statement="the 95 % interval contains the true factor a year",
        scenario="150 benchmarks, Weibull lives, late entries, about half of the ends seen",
        data_sets=400,
        simulate=_factor,
        **_INTERVAL,
    ),
    *(
        Check(
            name=f"forecast_prediction_{benchmarks}_benchmarks",
            estimator="forecast.indices.predicted",
            statement="the 95 % interval contains the correlation, which is 0",
            scenario=f"{benchmarks} benchmarks of 2 to 6 cases that hang together",
            data_sets=2000,
            simulate=partial(_correlation, benchmarks),
            **_INTERVAL,
        )
        for benchmarks in (12, 26)
    ),
)
