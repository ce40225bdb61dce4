"""Levels of the ranks of a suite of tasks, and coverage of its lite suite's differences.

Equal models answer tasks that are drawn from MTEB's own covariance: what its models differ by on a
task, their means over tasks removed, is drawn anew for each task, or for each family of tasks.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from saturation.files.tables import load_table, shipped
from saturation.suite import lite, ranking
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, drawn_once, repeated

Floats = npt.NDArray[np.float64]

MODELS, TASKS = 40, 41
FAMILIES = np.repeat(np.arange(7), (10, 9, 8, 8, 3, 2, 1))


@cache
def deviations() -> Floats:
    """Return what the best models differ by on each task of MTEB, their means removed."""
    table = load_table(shipped("resources/suites/mteb_eng_v2.csv")).set_index("model")
    scores = table.to_numpy(float)
    best = scores[np.argsort(-scores.mean(axis=1), kind="stable")[:MODELS]]
    centred = best - best.mean(axis=0)
    around: Floats = centred - centred.mean(axis=1, keepdims=True)
    return around


def equal_models(rng: Rng, by_family: bool = False) -> Floats:
    """Draw scores of equal models: normal, with the covariance of MTEB's best models."""
    around = deviations()
    drawn: Floats = around @ rng.normal(size=(around.shape[1], TASKS)) / np.sqrt(TASKS - 1)
    if not by_family:
        return drawn
    shared: Floats = around @ rng.normal(size=(around.shape[1], 7)) / np.sqrt(TASKS - 1)
    return drawn + shared[:, FAMILIES]


def _pair_separated(rng: Rng) -> bool:
    return bool(ranking.rank(equal_models(rng)).separated.any())


def _family_pair_separated(rng: Rng) -> bool:
    return bool(ranking.rank(equal_models(rng, by_family=True), FAMILIES).separated.any())


def _best_excluded(rng: Rng) -> bool:
    """Say whether the one best model, half an error ahead of equal ones, is excluded."""
    scores = equal_models(rng)
    scores[0] += 0.5 * scores[0].std() / np.sqrt(TASKS)
    ranked = ranking.rank(scores)
    return not ranked.possibly_best[ranked.order == 0].all()


def _shown(rng: Rng) -> tuple[int, int]:
    """Count pairs of new models whose difference lies within the stated one of its prediction."""
    models = lite.Models(_two_abilities(80, rng), rng.integers(0, 25, 80))
    later = lite.Models(_two_abilities(60, rng), np.arange(60))
    chosen = lite.choose(models, 3)
    trial = lite.try_later(models, later, chosen, np.zeros((60, 60), bool), "later", "error")[-1]
    pairs = 60 * 59 // 2
    return round(trial.covered * pairs), pairs


def _two_abilities(models: int, rng: Rng) -> Floats:
    """Draw scores on twelve tasks, six of each of two abilities."""
    abilities = np.repeat(rng.normal(0.5, 0.15, (models, 2)), 6, axis=1)
    return abilities + rng.normal(0, 0.03, (models, 12))


_COVERED = drawn_once("suite, lite", _shown)


def _coverage(_rng: Rng, data_sets: int) -> Outcome:
    counts = _COVERED(data_sets)
    return Outcome(sum(hits for hits, _ in counts), sum(pairs for _, pairs in counts))


EQUAL = f"{MODELS} equal models, covariance of MTEB's best, {TASKS} tasks"
CHECKS = (
    Check(
        name="suite_pairs",
        estimator="suite.ranking.rank",
        statement="some pair of equal models is separated",
        scenario=EQUAL,
        data_sets=1000,
        simulate=repeated(_pair_separated),
        **SIZE,
    ),
    Check(
        name="suite_pairs_families",
        estimator="suite.ranking.rank",
        statement="some pair of equal models is separated, families as the sample",
        scenario=f"{EQUAL} in 7 families that share half of the variance",
        data_sets=1000,
        simulate=repeated(_family_pair_separated),
        **SIZE,
    ),
    Check(
        name="suite_best",
        estimator="suite.ranking.rank",
        statement="the best model is not among those that may be the best",
        scenario=f"{EQUAL}, one half a standard error ahead",
        data_sets=1000,
        simulate=repeated(_best_excluded),
        **SIZE,
    ),
    Check(
        name="suite_lite",
        estimator="suite.lite.choose",
        statement="the difference of two new models lies within the smallest difference shown",
        scenario="80 models, 12 tasks of two abilities, 3 kept; 60 new models",
        data_sets=400,
        simulate=_coverage,
        **COVERAGE,
    ),
)
