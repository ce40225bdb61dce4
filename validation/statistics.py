"""Intervals and tests that several studies share, under laws that are known."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.files.tables import records
from saturation.statistics import intervals, pairs, standard_errors
from studies import correlation
from validation.check import COVERAGE, SIZE, Check, Event, Outcome, Rng, covered, rejected, repeated

Floats = NDArray[np.float64]
Method = Callable[..., correlation.Estimate]


def _wilson(rng: Rng, data_sets: int) -> Outcome:
    truth = rng.uniform(0.5, 1, data_sets)
    n = rng.integers(20, 1000, data_sets)
    return covered(*intervals.wilson(rng.binomial(n, truth), n), truth)


def _wilson_ceiling(rng: Rng, data_sets: int) -> Outcome:
    truth = rng.uniform(0.95, 1, data_sets)
    return covered(*intervals.wilson(rng.binomial(100, truth), 100), truth)


def _newcombe(rng: Rng, data_sets: int) -> Outcome:
    truth = rng.uniform(0.5, 1, (2, data_sets))
    n = rng.integers(15, 500, (2, data_sets))
    hits = rng.binomial(n, truth)
    return covered(*intervals.newcombe(hits[0], n[0], hits[1], n[1]), truth[0] - truth[1])


def _mean(draw: Callable[[Rng], Floats], truth: float, rng: Rng, data_sets: int) -> Outcome:
    limits = np.array([intervals.mean(draw(rng)) for _ in range(data_sets)])
    return covered(limits[:, 0], limits[:, 1], truth)


def _pooled_z(rng: Rng, data_sets: int) -> Outcome:
    scores = rng.binomial(200, 0.9, (data_sets, 2)) / 200
    tests = (pairs.pooled_z_tests(pair, [200, 200]).p_value[0, 1] for pair in scores)
    return rejected(list(tests))


def _z(rng: Rng, data_sets: int) -> Outcome:
    scores = rng.normal(0, [3.0, 5.0], (data_sets, 2))
    return rejected([pairs.z_tests(pair, [3.0, 5.0]).p_value[0, 1] for pair in scores])


def _skewed(rng: Rng, n: int) -> Floats:
    """Values between 0 and 1 that pile up at both ends, as saturation indices do."""
    return rng.beta(0.5, 0.8, n)


def _holm(shared: float, rng: Rng) -> bool:
    """Whether any of ten true hypotheses is rejected; `shared` is the tests' correlation."""
    z = np.sqrt(shared) * rng.normal() + np.sqrt(1 - shared) * rng.normal(size=10)
    p_values = 2 * special.ndtr(-np.abs(z))
    return bool(intervals.holm(p_values).min() <= 0.05)


def _clustered(clusters: int, shift: float, rng: Rng) -> bool:
    """A model's interval as a card has it; `shift` moves the scores towards 1."""
    sizes = rng.integers(3, 13, clusters)
    cluster = np.repeat(np.arange(clusters), sizes)
    shared = rng.normal(0, 1.0, clusters)[cluster]
    right = (rng.normal(shift, 1.0, len(cluster)) + shared > 0).astype(float)
    (row,) = records(
        standard_errors.estimates(
            _NO_SCORES, pd.DataFrame({"model": right}), pd.Series(cluster), "accuracy", 0.95
        )
    )
    return bool(row["lower"] <= special.ndtr(shift / np.sqrt(2)) <= row["upper"])


_NO_SCORES = pd.DataFrame(columns=["model", "score", "standard_error", "n_items", "run"])


def runs_table(model: str, scores: Floats, n: int) -> pd.DataFrame:
    """Scores of the runs of one model on the same items, as an import gives them."""
    runs = [str(number) for number in range(len(scores))]
    table = pd.DataFrame({"model": model, "run": runs, "score": scores, "n_items": float(n)})
    return table.assign(standard_error=np.nan, configuration="")


def _runs(runs: int, rng: Rng) -> bool:
    """Interval of the score over all items of the kind, from a few runs on 200 of them."""
    chance = rng.beta(2.0, 0.7, 200)
    scores = rng.binomial(1, chance, (runs, 200)).mean(axis=1)
    known = standard_errors.estimates(
        runs_table("a", scores, 200), pd.DataFrame(), pd.Series(dtype=str), "accuracy", 0.95
    )
    (row,) = records(known)
    return bool(row["lower"] <= 2.0 / 2.7 <= row["upper"])


def _normal_pair(rng: Rng, rho: float, n: int) -> tuple[Floats, Floats]:
    x = rng.normal(size=n)
    return x, rho * x + np.sqrt(1 - rho**2) * rng.normal(size=n)


def _spearman(rho: float, n: int, rng: Rng) -> bool:
    estimate = correlation.spearman(*_normal_pair(rng, rho, n))
    # Pearson's correlation of a normal pair as Spearman's (Kruskal 1958).
    truth = 6 / np.pi * np.arcsin(rho / 2)
    return bool(estimate["lower"] <= truth <= estimate["upper"])


def _given_age(rng: Rng, method: Method) -> correlation.Estimate:
    """Two variables that go with age and not with each other at the same age."""
    age = rng.normal(size=55)
    x, y = 0.6 * age + rng.normal(size=55), 0.5 * age + rng.normal(size=55)
    return method(x, y, age)


def _partial_covers(method: Method, rng: Rng) -> bool:
    estimate = _given_age(rng, method)
    return estimate["lower"] <= 0 <= estimate["upper"]


def _partial_rejects(method: Method, rng: Rng) -> bool:
    return _given_age(rng, method)["p_value"] <= 0.05


def _unrelated(method: Method, rng: Rng) -> bool:
    return method(_skewed(rng, 60), rng.lognormal(size=60))["p_value"] <= 0.05


CONTAINS_SHARE = "the 95 % interval contains the true score"
CONTAINS_MEAN = "the 95 % interval contains the true mean"
CONTAINS_CORRELATION = "the 95 % interval contains the true correlation"
REJECTS = "the test at 5 % rejects a true null hypothesis"

AGED = "55 cases that both go with age, nothing at the same age"
GIVEN_AGE = (
    correlation.partial_spearman, correlation.partial_pearson, correlation.residual_spearman
)  # fmt: skip


def _clustered_check(clusters: int, shift: float) -> Check:
    score = special.ndtr(shift / np.sqrt(2))
    return Check(
        f"statistics_clustered_{clusters}_at_{round(100 * score)}",
        "statistics.standard_errors.estimates", CONTAINS_SHARE,
        f"{clusters} clusters of 3 to 12 items, half of the variance between clusters, true "
        f"score {100 * score:.0f} %",
        **COVERAGE, data_sets=3000, simulate=repeated(partial(_clustered, clusters, shift)),
    )  # fmt: skip


def _correlation_check(
    name: str, method: Method, statement: str, scenario: str, event: Event,
    bounds: dict[str, Any],
) -> Check:  # fmt: skip
    module = method.__module__.partition(".")[2]
    return Check(
        f"statistics_{name}", f"{module}.{method.__name__}", statement, scenario,
        **bounds, data_sets=2000, simulate=repeated(event),
    )  # fmt: skip


CHECKS = (
    Check(
        "statistics_wilson", "statistics.intervals.wilson", CONTAINS_SHARE,
        "true scores from 50 to 100 %, 20 to 1,000 items", **COVERAGE,
        data_sets=20_000, simulate=_wilson,
    ),
    Check(
        "statistics_wilson_ceiling", "statistics.intervals.wilson", CONTAINS_SHARE,
        "true scores from 95 to 100 %, 100 items", **COVERAGE,
        data_sets=20_000, simulate=_wilson_ceiling,
    ),
    Check(
        "statistics_newcombe", "statistics.intervals.newcombe",
        "the 95 % interval contains the true difference",
        "two true scores from 50 to 100 %, 15 to 500 items each", **COVERAGE,
        data_sets=20_000, simulate=_newcombe,
    ),
    Check(
        "statistics_mean_normal", "statistics.intervals.mean", CONTAINS_MEAN,
        "five normal values", **COVERAGE,
        data_sets=4000, simulate=partial(_mean, lambda rng: rng.normal(size=5), 0.0),
    ),
    Check(
        "statistics_mean_bounded", "statistics.intervals.mean", CONTAINS_MEAN,
        "20 values that pile up at 0 and 1", **COVERAGE,
        data_sets=4000, simulate=partial(_mean, lambda rng: _skewed(rng, 20), 0.5 / 1.3),
    ),
    *(_clustered_check(*of) for of in ((5, 0.8), (10, 0.8), (50, 0.8), (50, 2.0))),
    *(
        Check(
            f"statistics_runs_{runs}", "statistics.standard_errors.estimates",
            f"{CONTAINS_SHARE}; errs on the safe side with few runs",
            f"{runs} runs on 200 items, true score 74 %",
            **COVERAGE, data_sets=1500,
            simulate=repeated(partial(_runs, runs)),
        )
        for runs in (2, 5)
    ),
    Check(
        "statistics_pooled_z", "statistics.pairs.pooled_z_tests", REJECTS,
        "two true scores of 90 %, 200 items each", **SIZE, data_sets=8000, simulate=_pooled_z,
    ),
    Check(
        "statistics_z", "statistics.pairs.z_tests", REJECTS,
        "equal ratings with errors of 3 and 5 points", **SIZE, data_sets=8000, simulate=_z,
    ),
    Check(
        "statistics_holm_independent", "statistics.intervals.holm",
        "any of ten true hypotheses is rejected at 5 %", "ten independent tests", **SIZE,
        data_sets=2000, simulate=repeated(partial(_holm, 0.0)),
    ),
    Check(
        "statistics_holm_dependent", "statistics.intervals.holm",
        "any of ten true hypotheses is rejected at 5 %, at most so often",
        "ten tests that correlate by 0.8", **SIZE,
        data_sets=2000, simulate=repeated(partial(_holm, 0.8)),
    ),
    *(
        _correlation_check(
            f"spearman_{round(10 * rho)}_of_{n}", correlation.spearman, CONTAINS_CORRELATION,
            f"normal pairs, correlation {rho}, {n} of them", partial(_spearman, rho, n), COVERAGE,
        )
        for rho, n in ((0.0, 15), (0.5, 60), (0.8, 15))
    ),
    _correlation_check(
        "spearman_test", correlation.spearman, REJECTS, "60 skewed pairs without a relation",
        partial(_unrelated, correlation.spearman), SIZE,
    ),
    *(
        _correlation_check(f"{method.__name__}_{name}", method, statement, AGED,
                           partial(event, method), bounds)
        for method in GIVEN_AGE
        for name, statement, event, bounds in (
            ("interval", CONTAINS_CORRELATION, _partial_covers, COVERAGE),
            ("test", REJECTS, _partial_rejects, SIZE),
        )
    ),
    _correlation_check(
        "residual_one_sided_test", correlation.residual_one_sided,
        f"{REJECTS} at most so often: what age explains of one side stays in", AGED,
        partial(_partial_rejects, correlation.residual_one_sided), SIZE,
    ),
)  # fmt: skip
