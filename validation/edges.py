"""Printed numbers where users stand: selected pairs, the ceiling, unequal clusters, few runs."""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.leaderboard import top
from saturation.statistics import components, standard_errors
from saturation.statistics import pairs as statistics_pairs
from validation.check import COVERAGE, POWER, SIZE, Check, Outcome, Rng, repeated

Floats = NDArray[np.float64]
ALPHA = 0.05
# Items so many that their spread is as good as known.
MANY = 40_000
# Items of the twelve repositories of SWE-bench Verified, and of other designs.
CLUSTERS = {
    "5": [20] * 5,
    "9": [12] * 9,
    "50": [4] * 50,
    "repositories": [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1],
    "two_large": [100, 100, *[5] * 18],
}


def _ranked(scores: Floats, n: Floats) -> pd.DataFrame:
    """Return scores on items of each model's own as a card ranks them."""
    order = np.argsort(-scores, kind="stable")
    return pd.DataFrame(
        {
            "model": [f"m{place}" for place in order],
            "score": scores[order],
            "standard_error": standard_errors.binomial_error(scores[order], n[order]),
            "n_items": n[order],
            "error_source": "binomial",
        }
    )


def _wrongly_separated(models: int, least: int, most: int, share: float, rng: Rng) -> bool:
    """Tell whether a pair of five equal models is separated, with others far behind them."""
    truth = np.full(models, 0.5 * share)
    truth[:5] = share
    n = rng.integers(least, most, models, endpoint=True)
    ranked = _ranked(rng.binomial(n, truth) / n, n.astype(float))
    pairs = top.independent_pairs(ranked)
    return bool((statistics_pairs.holm_pairs(pairs.p_value[:5, :5]) <= ALPHA).any())


def _detectable_is_found(n: int, share: float, rng: Rng, data_sets: int) -> Outcome:
    """Count how often a model is found that is worse by the difference that a card prints."""
    ranked = _ranked(np.array([share, share]), np.full(2, float(n)))
    settings = top.Settings(k=2)
    stated = top.power(ranked, top.independent_pairs(ranked), settings)
    truth = share - np.array([0.0, stated.minimum_detectable_difference])
    hits = 0
    for scores in rng.binomial(n, truth, (data_sets, 2)) / n:
        p = statistics_pairs.pooled_z_tests(scores, [n, n]).p_value[0, 1]
        hits += bool(p <= ALPHA and scores[0] > scores[1])
    return Outcome(hits, data_sets)


def _clusters_reject(sizes: list[int], share: float, spread: float, rng: Rng) -> bool:
    """Tell whether two equal models differ on items in clusters."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    ease = special.logit(share) * np.sqrt(1 + (1 + spread**2) / 2.9)
    chance = special.expit(
        ease + rng.normal(0, 1, (len(cluster), 1)) + rng.normal(0, spread, (len(sizes), 2))[cluster]
    )
    right = pd.DataFrame((rng.random(chance.shape) < chance).astype(float))
    return bool(statistics_pairs.paired_tests(right, pd.Series(cluster)).p_value[0, 1] <= ALPHA)


def _logits(n: int, rng: Rng) -> Floats:
    """Draw the logits of two models on items, of which each has likes of its own."""
    difficulty, own = rng.normal(0, 1.5, (n, 1)), rng.normal(0, 0.7, (n, 2))
    return np.array([1.0, 0.6]) - difficulty + own


def _runs(n: int, runs: int, effect: float, rng: Rng) -> list[Floats]:
    return [
        (rng.random((n, runs)) < special.expit(logit[:, None] + rng.normal(0, effect, runs)))
        .astype(float) for logit in _logits(n, rng).T
    ]  # fmt: skip


def _error_holds(n: int, runs: int, effect: float, rng: Rng, data_sets: int) -> Outcome:
    """Count how often the limits of the error of a gap contain it, by whole runs."""
    gaps = [np.subtract(*(table.mean() for table in _runs(n, runs, effect, rng)))
            for _ in range(3000)]  # fmt: skip
    truth = float(np.std(gaps, ddof=1))

    def holds(rng: Rng) -> bool | None:
        answers = components.estimate_from_runs(_runs(n, runs, effect, rng))
        error = components.decompose(answers).error(runs)
        return None if np.isnan(error.lower) else bool(error.lower <= truth <= error.upper)

    return repeated(holds)(rng, data_sets)


def _items_hold(n: int, runs: int, effect: float, rng: Rng, data_sets: int) -> Outcome:
    """Count how often the limits of what infinitely many runs leave contain it, by whole runs."""
    moved = rng.normal(0, effect, 100)
    chances = [special.expit(logit[:, None] + moved).mean(axis=1) for logit in _logits(MANY, rng).T]
    truth = float(np.std(chances[0] - chances[1]) / np.sqrt(n))

    def holds(rng: Rng) -> bool | None:
        answers = components.estimate_from_runs(_runs(n, runs, effect, rng))
        error = components.decompose(answers).error(np.inf)
        return None if np.isnan(error.upper) else bool(error.lower <= truth <= error.upper)

    return repeated(holds)(rng, data_sets)


CHECKS = (
    *(
        Check(
            f"edges_top_{models}_{least}_{most}_{100 * share:.0f}", "leaderboard.top.resolution",
            "at most 5 %: some pair of the top five is wrongly separated",
            f"{models} models, five of them equal with a score of {share:g}, "
            f"{'' if least == most else f'{least} to '}{most} items each",
            **SIZE, data_sets=600,
            simulate=repeated(partial(_wrongly_separated, models, least, most, share)),
        )
        for models in (5, 20, 200) for least, most in ((200, 200), (30, 500))
        for share in (0.5, 0.95)
    ),
    *(
        Check(
            f"edges_detectable_{n}_{100 * share:.0f}", "leaderboard.top.power",
            "a model that is worse by the detectable difference is found",
            f"a best score of {share:g}, {n} items each", **POWER, data_sets=2000,
            simulate=partial(_detectable_is_found, n, share),
        )
        for n, share in ((30, 1.0), (200, 1.0), (200, 0.98), (200, 0.95), (200, 0.5), (10, 0.95))
    ),
    *(
        Check(
            f"edges_clusters_{name}_{100 * share:.0f}_{spread:g}", "statistics.pairs.paired_tests",
            "two equal models are significantly different",
            f"clusters of {', '.join(map(str, sizes[:6]))}{', ...' if len(sizes) > 6 else ''} "
            f"items, scores near {share:g}, models apart by {spread:g} logits in a cluster",
            **SIZE, data_sets=400,
            simulate=repeated(partial(_clusters_reject, sizes, share, spread)),
        )
        for name, sizes in CLUSTERS.items() for share in (0.6, 0.95) for spread in (0.0, 1.0)
    ),
    *(
        Check(
            f"edges_runs_{n}_{runs}_{effect:g}", "statistics.components.estimate_from_runs",
            "the 95 % interval contains the error of a gap with the runs at hand",
            f"{n} items, {runs} whole runs, an effect of a run of {effect:g} logits",
            **COVERAGE, data_sets=600, simulate=partial(_error_holds, n, runs, effect),
        )
        for n in (30, 200) for runs in (3, 5) for effect in (0.0, 0.5)
    ),
    *(
        Check(
            f"edges_items_{n}_{runs}_{effect:g}", "statistics.components.estimate_from_runs",
            "the 95 % interval contains the error of a gap with infinitely many runs",
            f"{n} items, {runs} whole runs, an effect of a run of {effect:g} logits",
            **COVERAGE, data_sets=600, simulate=partial(_items_hold, n, runs, effect),
        )
        for n in (50, 200) for runs in (3, 5) for effect in (0.0, 0.5)
    ),
)  # fmt: skip
