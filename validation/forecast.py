"""Intervals of the best score in a year, and of how forecasts did."""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from studies.forecast import indices, pooling, scoring
from studies.forecast.pooling import History
from validation.check import COVERAGE, Check, Rng, repeated

Floats = NDArray[np.float64]
Inside = NDArray[np.bool_]

BENCHMARKS, MONTHS, AHEAD = 30, 24, 12


def _steps(law: str, size: int, rng: Rng) -> Floats:
    if law == "gamma":
        return rng.gamma(1.2, 0.25, size)
    return np.exp(rng.normal(np.log(0.2), 0.9, size))


def _path(law: str, rng: Rng) -> tuple[History, float]:
    """Return two watched years of a benchmark at irregular dates, and its rise in the next year.

    All benchmarks rise at one rate: past rises are then draws of rises to come.
    """
    days = np.sort(rng.uniform(0, MONTHS + AHEAD, rng.poisson(0.3 * (MONTHS + AHEAD))))
    places = rng.normal(-1.5, 0.8) + np.append(0.0, _steps(law, len(days), rng).cumsum())
    known = days <= MONTHS
    months = np.concatenate([[-MONTHS], days[known] - MONTHS]).astype(float)
    best = expit(places)
    return History(months, best[: len(months)]), float(places[-1] - places[len(months) - 1])


def _best_covered(law: str, rng: Rng) -> Inside:
    """Test whether central 80 % intervals hold the rise of a year.

    Of a point mass that the interval's end cuts a part is inside: chance says whether it counts.
    """
    paths = [_path(law, rng) for _ in range(BENCHMARKS)]
    rises = pooling.year_rises([path[0] for path in paths])
    outcomes = np.array([path[1] for path in paths])[:, None]
    below, upto = (rises < outcomes - 1e-9).mean(axis=1), (rises <= outcomes + 1e-9).mean(axis=1)
    place = below + rng.random(BENCHMARKS) * (upto - below)
    inside: Inside = (place >= 0.1) & (place <= 0.9)
    return inside


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
    (_, lower, upper), _ = indices.predicted(cases, "gap", 0.95)
    return bool(lower <= 0 <= upper)


CHECKS = (
    *(
        Check(
            f"forecast_rises_{law}_steps", "forecast.pooling.year_rises",
            "the central 80 % interval contains the rise of a year", scenario,
            stated=0.8, safe="more", data_sets=400, simulate=repeated(partial(_best_covered, law)),
        )
        for law, scenario in (
            ("gamma", "30 benchmarks that rise at one rate, watched for two years"),
            ("lognormal", "the same with lognormal steps, whose tails are heavier"),
        )
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
