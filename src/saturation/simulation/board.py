"""Numbers of items: the test finds what it is said to find with so many.

The truth is two models as far apart as the board's two best. Data sets of the stated size are
tested as the board tests them; the event is that the difference is found.
"""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.leaderboard import top as leaderboard_top
from saturation.simulation.check import Check, Outcome
from saturation.simulation.counting import repeated
from saturation.simulation.statistics import runs_table
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import standard_errors

Floats = NDArray[np.float64]
Rng = np.random.Generator
Clusters = NDArray[np.int_]

SETTINGS = leaderboard_top.LeadersSettings(k=2)
LEVEL = 1 - SETTINGS.level
SCORES = np.array([0.86, 0.82])
PILOT = 400_000
IN_CLUSTER = 4


def _power(
    scores: Floats, errors: Floats, n: int, pairs: statistics_pairs.Pairs
) -> leaderboard_top.Power:
    """What the board says of two models."""
    top = pd.DataFrame({"model": ["a", "b"], "score": scores, "standard_error": errors})
    return leaderboard_top.power(top.assign(n_items=float(n)), pairs, SETTINGS)


def _items(power: leaderboard_top.Power) -> int:
    if power.items_for_top_two is None:
        raise ValueError("the board does not know its number of items")
    return int(power.items_for_top_two)


def _pooled(scores: Floats, n: int) -> statistics_pairs.Pairs:
    return statistics_pairs.pooled_z_tests(scores, [n, n])


def _found(tests: statistics_pairs.Pairs) -> bool:
    return bool(tests.p_value[0, 1] <= LEVEL)


def _items_independent(rng: Rng, data_sets: int) -> Outcome:
    errors = standard_errors.binomial_error(SCORES, PILOT)
    items = _items(_power(SCORES, errors, PILOT, _pooled(SCORES, PILOT)))
    return repeated(lambda rng: _found(_pooled(rng.binomial(items, SCORES) / items, items)))(
        rng, data_sets
    )


def _detectable(n: int, rng: Rng, data_sets: int) -> Outcome:
    """Two models as far apart as the smallest difference that n items are said to show."""
    scores = SCORES.copy()
    for _ in range(20):
        errors = standard_errors.binomial_error(scores, n)
        said = _power(scores, errors, n, _pooled(scores, n)).minimum_detectable_difference
        scores[1] = scores[0] - said
    return repeated(lambda rng: _found(_pooled(rng.binomial(n, scores) / n, n)))(rng, data_sets)


def _responses(rng: Rng, items: int, shift: float, between: float) -> tuple[Floats, Clusters]:
    """Two models on shared items: an item's difficulty is the same for both.

    The better model is `shift` ahead; what a model knows of a cluster of items, and the other
    does not, has the standard deviation `between`.
    """
    cluster = np.arange(items) // IN_CLUSTER
    known = rng.normal(0, between, (cluster[-1] + 1, 2))[cluster]
    difficulty = rng.normal(0, 1.2, (items, 1))
    right = rng.normal(size=(items, 2)) < np.array([1.6 + shift, 1.6]) + known - difficulty
    return right.astype(float), cluster


def _paired_tests(responses: Floats, cluster: Clusters) -> statistics_pairs.Pairs:
    """McNemar's test where every item stands alone, else the one for clusters of items."""
    return statistics_pairs.paired_tests(pd.DataFrame(responses), pd.Series(cluster))


def _items_paired(shift: float, between: float, rng: Rng, data_sets: int) -> Outcome:
    """So many items as a board of very many, whose difference and error are true, says."""

    def drawn(items: int) -> tuple[Floats, statistics_pairs.Pairs]:
        responses, cluster = _responses(rng, items, shift, between)
        clusters = cluster if between else np.arange(items)
        return responses, _paired_tests(responses, clusters)

    responses, tests = drawn(PILOT)
    errors = responses.std(axis=0) / np.sqrt(PILOT)
    items = _items(_power(responses.mean(axis=0), errors, PILOT, tests))
    return repeated(lambda _: _found(drawn(items)[1]))(rng, data_sets)


def _equal_models(items: int, between: float, rng: Rng) -> bool:
    """Whether two equal models on shared items are told apart."""
    responses, cluster = _responses(rng, items, 0.0, between)
    clusters = cluster if between else np.arange(items)
    return _found(_paired_tests(responses, clusters))


def _runs(runs: int, n: int, rng: Rng, data_sets: int) -> Outcome:
    """Two models of several runs each, as far apart as their errors are said to show."""

    def drawn(scores: Floats) -> tuple[Floats, Floats]:
        """Mean scores and errors of both; items differ in their chance, runs do not."""
        chances = rng.beta(2 * scores[:, None, None], 2 - 2 * scores[:, None, None], (2, 1, n))
        by_run = rng.binomial(1, chances, (2, runs, n)).mean(axis=2)
        table = pd.concat([runs_table(name, of, n) for name, of in zip("ab", by_run)])
        known = standard_errors.estimates(
            table, pd.DataFrame(), pd.Series(dtype=str), "accuracy", SETTINGS.level
        ).sort_values("model")
        return known["score"].to_numpy(), known["standard_error"].to_numpy()

    apart = SCORES
    for _ in range(4):
        usual = np.mean([drawn(apart)[1] for _ in range(80)], axis=0)
        said = _power(apart, usual, n, statistics_pairs.z_tests(apart, usual))
        apart = SCORES[0] - np.array([0.0, said.minimum_detectable_difference])
    return repeated(lambda _: _found(statistics_pairs.z_tests(*drawn(apart))))(rng, data_sets)


POWER = {"stated": SETTINGS.power, "lower": 0.76, "upper": 0.84}
FINDS = "with the items that the board says are needed, the difference is found"
SHOWS = "the smallest difference that the board says it can show is found"

EQUAL = "the test at 5 % tells two equal models apart"

CHECKS: tuple[Check, ...] = (
    Check(
        "board_equal_paired", "board.leaders.frontier",
        f"{EQUAL}, at most so often (exact)", "300 shared items",
        stated=LEVEL, lower=0.0, upper=0.06, data_sets=2000,
        simulate=repeated(partial(_equal_models, 300, 0.0)),
    ),
    *(
        Check(
            f"board_equal_clusters_{clusters}", "board.leaders.frontier", EQUAL,
            f"{clusters} clusters of {IN_CLUSTER} shared items",
            stated=LEVEL, lower=0.03, upper=0.07, data_sets=1500,
            simulate=repeated(partial(_equal_models, IN_CLUSTER * clusters, 0.7)),
        )
        for clusters in (10, 50)
    ),
    Check(
        "board_items_independent", "board.leaders.power", FINDS,
        "scores of 86 and 82 %, each model on items of its own", **POWER,
        data_sets=4000, simulate=_items_independent,
    ),
    *(
        Check(
            f"board_detectable_{n}", "board.leaders.power", SHOWS,
            f"a best score of 86 %, {n} items", **POWER,
            data_sets=4000, simulate=partial(_detectable, n),
        )
        for n in (200, 2000)
    ),
    Check(
        "board_items_paired", "board.leaders.power",
        f"{FINDS}; by the exact McNemar test a little less often", "two models on shared items",
        stated=SETTINGS.power, lower=0.74, upper=0.84,
        data_sets=2000, simulate=partial(_items_paired, 0.2, 0.0),
    ),
    Check(
        "board_items_clustered", "board.leaders.power", FINDS,
        f"two models on shared items in clusters of {IN_CLUSTER}", **POWER,
        data_sets=800, simulate=partial(_items_paired, 0.35, 0.7),
    ),
    *(
        Check(
            f"board_detectable_runs_{runs}", "board.leaders.power",
            f"{SHOWS}; errors from few runs err on the safe side",
            f"two models of {runs} runs on 400 items each",
            stated=SETTINGS.power, lower=0.74, upper=0.87,
            data_sets=500, simulate=partial(_runs, runs, 400),
        )
        for runs in (2, 5)
    ),
)  # fmt: skip
