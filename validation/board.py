"""Pairs of models on one leaderboard: tie groups, rank intervals, tests, and numbers of items."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.leaderboard import top as leaderboard_top
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import standard_errors
from saturation.statistics.pairs import Pairs
from validation.check import COVERAGE, POWER, SIZE, Check, Outcome, Rng, repeated
from validation.statistics import runs_table

Floats = NDArray[np.float64]
Clusters = NDArray[np.int_]

SETTINGS = leaderboard_top.Settings(k=2)
CONFIDENCE = SETTINGS.level
WRONG = 1 - CONFIDENCE
# Chance with which a plain adjusted test would find the worse model of the power checks.
# Items by which scores and errors are as good as known.
SO_MANY, PILOT = 20_000, 400_000
# Items differ in difficulty, and models in how they take to a cluster, by so much on the logit.
DIFFICULTY, AFFINITY = 1.0, 1.5
IN_CLUSTER = 4
SCORES = np.array([0.86, 0.82])


@dataclass(frozen=True)
class Board:
    """A data-generating process of leaderboards."""

    models: int
    items: int
    # Roughly the share of items that an equal model solves.
    score: float
    # none, equal (five items each) or unequal (one to some twenty, five on average).
    clusters: str = "none"
    # A response is the share of so many runs that solve the item; 1 for 0/1 responses.
    runs: int = 1
    # Whether the models answer the same items.
    paired: bool = True
    # By how much the last model is worse, as a share of its wins that are turned into misses.
    worse: float = 0.0

    def __str__(self) -> str:
        shared = "on the same items" if self.paired else "each on items of its own"
        kind = "" if self.runs == 1 else f", shares over {self.runs} runs"
        hang = "" if self.clusters == "none" else f", {self.clusters} clusters of about five"
        last = ", one of them worse" if self.worse else ""
        return (
            f"{self.models} equal models{last}, {self.items} items {shared}, scores near "
            f"{self.score:g}{kind}{hang}"
        )

    @property
    def equal(self) -> int:
        """Number of models that are truly best."""
        return self.models - (self.worse > 0)

    def draw(self, rng: Rng) -> tuple[Floats, Clusters]:
        """Responses, items by models, and the items' clusters."""
        clusters = self._clusters(rng)
        spread = AFFINITY if self.clusters != "none" else 0.0
        logit = special.logit(self.score) * np.sqrt(1 + (DIFFICULTY**2 + spread**2) / 2.9)
        ease = logit + rng.normal(0, DIFFICULTY, (self.items, 1))
        ease = ease + rng.normal(0, spread, (clusters[-1] + 1, self.models))[clusters]
        chance = special.expit(ease)
        chance[:, -1] *= 1 - self.worse
        return rng.binomial(self.runs, chance) / self.runs, clusters

    def _clusters(self, rng: Rng) -> Clusters:
        if self.clusters == "none":
            return np.arange(self.items)
        sizes = np.full(self.items, 5)
        if self.clusters == "unequal":
            sizes = rng.geometric(0.2, self.items)
        return np.repeat(np.arange(self.items), sizes)[: self.items]

    def tested(self, rng: Rng) -> tuple[Floats, Pairs]:
        """Scores of one drawn leaderboard, and the tests of all its pairs, as a card makes them."""
        if not self.paired:
            truth = np.full(self.models, self.score)
            truth[-1] *= 1 - self.worse
            scores = rng.binomial(self.items, truth) / self.items
            return scores, statistics_pairs.pooled_z_tests(scores, np.full(self.models, self.items))
        responses, clusters = self.draw(rng)
        return responses.mean(axis=0), _paired_tests(responses, clusters)


def _paired_tests(responses: Floats, clusters: Clusters) -> Pairs:
    """McNemar's test where every item stands alone, else the one for clusters of items."""
    return statistics_pairs.paired_tests(pd.DataFrame(responses), pd.Series(clusters))


def _group_holds(board: Board, rng: Rng) -> bool:
    """All truly best models are in the tie group of the one that leads."""
    scores, pairs = board.tested(rng)
    order = np.argsort(-scores, kind="stable")
    tied = np.empty(board.models, bool)
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)[np.ix_(order, order)]
    tied[order] = statistics_pairs.tie_group(adjusted, CONFIDENCE)
    return bool(tied[: board.equal].all())


def _worse_is_found(board: Board, rng: Rng) -> bool:
    """The worse model is distinguishable from the first of the equal ones, among all pairs."""
    _, pairs = board.tested(rng)
    return bool(statistics_pairs.holm_pairs(pairs.p_value)[0, -1] <= WRONG)


def _ranks_hold(board: Board, rng: Rng) -> bool:
    """All models' true ranks lie in their intervals at once; equal models share their ranks."""
    best = np.arange(board.models) < board.equal
    first, last = np.where(best, 1, board.models), np.where(best, board.equal, board.models)
    _, pairs = board.tested(rng)
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)
    ranks = statistics_pairs.rank_intervals(pairs.difference, adjusted, CONFIDENCE)
    return bool(((ranks[:, 0] <= first) & (ranks[:, 1] >= last)).all())


def _pair_rejects(board: Board, rng: Rng) -> bool:
    """A pair of equal models chosen in advance differs."""
    return _found(board.tested(rng)[1])


def _found(pairs: Pairs) -> bool:
    return bool(pairs.p_value[0, 1] <= WRONG)


def _detectable_worse(board: Board) -> Board:
    """The same with a last model so much worse that a normal test would find it.

    With a chance of 80 %, as one pair at the level of all pairs by Bonferroni.
    """
    number = board.models * (board.models - 1) / 2
    reach = special.ndtri(1 - WRONG / 2 / number) + special.ndtri(POWER["stated"])
    found = replace(board, models=2)
    for _ in range(3):
        # The error of a pair grows with the gap where scores are high.
        _, pairs = replace(found, items=SO_MANY).tested(np.random.default_rng(0))
        gap = reach * pairs.standard_error[0, 1] * np.sqrt(SO_MANY / board.items)
        found = replace(found, worse=float(gap / board.score))
    return replace(found, models=board.models)


# Numbers of items: the truth is two models as far apart as the board's two best. Data sets of the
# stated size are tested as the board tests them; the event is that the difference is found.
def _power(scores: Floats, errors: Floats, n: int, pairs: Pairs) -> leaderboard_top.Power:
    """What the board says of two models."""
    top = pd.DataFrame({"model": ["a", "b"], "score": scores, "standard_error": errors})
    return leaderboard_top.power(top.assign(n_items=float(n)), pairs, SETTINGS)


def _items(power: leaderboard_top.Power) -> int:
    if power.items_for_top_two is None:
        raise ValueError("the board does not know its number of items")
    return int(power.items_for_top_two)


def _pooled(scores: Floats, n: int) -> Pairs:
    return statistics_pairs.pooled_z_tests(scores, [n, n])


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


def _responses(items: int, shift: float, between: float, rng: Rng) -> tuple[Floats, Pairs]:
    """Answers and tests of two models on shared items, equally hard for both.

    The better model is `shift` ahead; what a model knows of a cluster of items, and the other
    does not, has the standard deviation `between`.
    """
    cluster = np.arange(items) // IN_CLUSTER
    known = rng.normal(0, between, (cluster[-1] + 1, 2))[cluster]
    difficulty = rng.normal(0, 1.2, (items, 1))
    right = rng.normal(size=(items, 2)) < np.array([1.6 + shift, 1.6]) + known - difficulty
    responses = right.astype(float)
    return responses, _paired_tests(responses, cluster if between else np.arange(items))


def _shared_found(items: int, shift: float, between: float, rng: Rng) -> bool:
    return _found(_responses(items, shift, between, rng)[1])


def _items_paired(shift: float, between: float, rng: Rng, data_sets: int) -> Outcome:
    """So many items as a board of very many, whose difference and error are true, says."""
    responses, tests = _responses(PILOT, shift, between, rng)
    errors = responses.std(axis=0) / np.sqrt(PILOT)
    items = _items(_power(responses.mean(axis=0), errors, PILOT, tests))
    return repeated(partial(_shared_found, items, shift, between))(rng, data_sets)


def _runs(runs: int, n: int, rng: Rng, data_sets: int) -> Outcome:
    """Two models of several runs each, as far apart as their errors are said to show."""

    def drawn(scores: Floats) -> tuple[Floats, Floats]:
        """Mean scores and errors of both; items differ in their chance, runs do not."""
        chances = rng.beta(2 * scores[:, None, None], 2 - 2 * scores[:, None, None], (2, 1, n))
        by_run = rng.binomial(1, chances, (2, runs, n)).mean(axis=2)
        table = pd.concat([runs_table(name, of, n) for name, of in zip("ab", by_run)])
        known = standard_errors.estimates(
            table, pd.DataFrame(), pd.Series(dtype=str), "accuracy", CONFIDENCE
        ).sort_values("model")
        return known["score"].to_numpy(), known["standard_error"].to_numpy()

    apart = SCORES
    for _ in range(4):
        usual = np.mean([drawn(apart)[1] for _ in range(400)], axis=0)
        said = _power(apart, usual, n, statistics_pairs.z_tests(apart, usual))
        apart = SCORES[0] - np.array([0.0, said.minimum_detectable_difference])
    return repeated(lambda _: _found(statistics_pairs.z_tests(*drawn(apart))))(rng, data_sets)


# Numbers of models are set by the checks.
LAWS = {
    "independent": Board(0, 500, 0.9, paired=False),
    "independent_high": Board(0, 200, 0.98, paired=False),
    "independent_small": Board(0, 30, 0.6, paired=False),
    "mcnemar": Board(0, 500, 0.8),
    "mcnemar_high": Board(0, 200, 0.98),
    "mcnemar_small": Board(0, 30, 0.6),
    "shares": Board(0, 200, 0.8, runs=4),
    "shares_small": Board(0, 30, 0.6, runs=4),
    "clusters": Board(0, 500, 0.8, clusters="equal"),
    "clusters_high": Board(0, 200, 0.98, clusters="equal"),
    "unequal": Board(0, 500, 0.8, clusters="unequal"),
    "unequal_high": Board(0, 200, 0.98, clusters="unequal", runs=4),
    "unequal_small": Board(0, 30, 0.6, clusters="unequal"),
}
POWER_LAWS = (
    "independent",
    "independent_high",
    "mcnemar",
    "mcnemar_high",
    "shares",
    "clusters",
    "unequal",
)
PAIRS = ("mcnemar", "mcnemar_small", "shares", "shares_small", "clusters", "unequal")
ENOUGH = "with the items that the board says are needed, the difference is found"
SHOWS = "the smallest difference that the board says it can show is found"
EQUAL = "the test at 5 % separates two equal models"


def _check(
    event: Callable[[Board, Rng], bool], board: Board, name: str, said: tuple[str, str], **of: Any
) -> Check:
    """A check of one event on leaderboards that are drawn from `board`."""
    simulate = repeated(partial(event, board))
    return Check(f"ties_{name}", *said, str(board), simulate=simulate, **of)


def _ties() -> list[Check]:
    """Tie groups, power over all pairs, and ranks."""
    group = ("statistics.pairs.tie_group", "the 95 % tie group holds all truly best models")
    power = (
        "statistics.pairs.holm_pairs",
        "a model is separated from one better by so much that a normal test of the pair, "
        "at the level over all pairs, finds it in 80 %",
    )
    ranks = (
        "statistics.pairs.rank_intervals",
        "the 95 % rank intervals hold the true ranks of all models at once",
    )

    def worse(law: str, models: int) -> Board:
        return _detectable_worse(replace(LAWS[law], models=models))

    return [
        *(
            _check(_group_holds, replace(board, models=models), f"group_{law}_{models}", group,
                   **COVERAGE, data_sets=1000 if models < 100 else 400)
            for law, board in LAWS.items()
            for models in (5, 10, 20, 100)
        ),
        *(
            _check(_worse_is_found, worse(law, models), f"power_{law}_{models}", power,
                   **POWER, data_sets=500)
            for law in POWER_LAWS
            for models in (5, 100)
        ),
        *(
            _check(_ranks_hold, worse(law, models), f"ranks_{law}_{models}", ranks,
                   **COVERAGE, data_sets=1000)
            for law in ("independent", "mcnemar", "shares", "unequal")
            for models in (5, 20)
        ),
    ]  # fmt: skip


def _pairs() -> list[Check]:
    equal = "two equal models chosen in advance are significantly different"
    return [
        _check(
            _pair_rejects, replace(LAWS[law], models=2), f"pair_{law}",
            ("statistics.pairs.paired_tests", equal),
            **SIZE, data_sets=4000,
        )
        for law in PAIRS
    ]  # fmt: skip


CHECKS = (
    *_ties(),
    *_pairs(),
    Check(
        "board_equal_paired", "leaderboard.top.frontier",
        f"{EQUAL}", "300 shared items",
        **SIZE, data_sets=2000,
        simulate=repeated(partial(_shared_found, 300, 0.0, 0.0)),
    ),
    *(
        Check(
            f"board_equal_clusters_{clusters}", "leaderboard.top.frontier", EQUAL,
            f"{clusters} clusters of {IN_CLUSTER} shared items",
            **SIZE, data_sets=1500,
            simulate=repeated(partial(_shared_found, IN_CLUSTER * clusters, 0.0, 0.7)),
        )
        for clusters in (10, 50)
    ),
    Check(
        "board_items_independent", "leaderboard.top.power", ENOUGH,
        "scores of 86 and 82 %, each model on items of its own", **POWER,
        data_sets=4000, simulate=_items_independent,
    ),
    *(
        Check(
            f"board_detectable_{n}", "leaderboard.top.power", SHOWS,
            f"a best score of 86 %, {n} items", **POWER,
            data_sets=4000, simulate=partial(_detectable, n),
        )
        for n in (200, 2000)
    ),
    Check(
        "board_items_paired", "leaderboard.top.power",
        ENOUGH, "two models on shared items",
        **POWER, data_sets=2000, simulate=partial(_items_paired, 0.2, 0.0),
    ),
    Check(
        "board_items_clustered", "leaderboard.top.power", ENOUGH,
        f"two models on shared items in clusters of {IN_CLUSTER}", **POWER,
        data_sets=800, simulate=partial(_items_paired, 0.35, 0.7),
    ),
    *(
        Check(
            f"board_detectable_runs_{runs}", "leaderboard.top.power",
            SHOWS,
            f"two models of {runs} runs on 400 items each",
            **POWER, data_sets=400, simulate=partial(_runs, runs, 400),
        )
        for runs in (2, 5)
    ),
)  # fmt: skip
