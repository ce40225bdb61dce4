"""Tie groups, rank intervals and tests of pairs, on leaderboards whose truth is known."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.simulation.check import Check, Outcome
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.pairs import Pairs

Floats = NDArray[np.float64]

LEVEL = 0.95
# Chance with which a plain adjusted test would find the worse model of the power checks.
POWER = 0.8
SO_MANY = 20000
# Items differ in difficulty, and models in how they take to a cluster, by so much on the logit.
DIFFICULTY, AFFINITY = 1.0, 1.5


@dataclass(frozen=True)
class Board:
    """A law of leaderboards.

    Parameters
    ----------
    score
        Roughly the share of items that an equal model solves.
    clusters
        ``none``, ``equal`` (five items each) or ``unequal`` (one to some twenty, five on average).
    runs
        A response is the share of so many runs that solve the item; 1 for 0/1 responses.
    paired
        Whether the models answer the same items.
    worse
        By how much the last model is worse, as a share of its wins that are turned into misses.
    """

    models: int
    items: int
    score: float
    clusters: str = "none"
    runs: int = 1
    paired: bool = True
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

    def draw(self, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int_]]:
        """Responses, items by models, and the items' clusters."""
        clusters = self._clusters(rng)
        spread = AFFINITY if self.clusters != "none" else 0.0
        logit = special.logit(self.score) * np.sqrt(1 + (DIFFICULTY**2 + spread**2) / 2.9)
        ease = logit + rng.normal(0, DIFFICULTY, (self.items, 1))
        ease = ease + rng.normal(0, spread, (clusters[-1] + 1, self.models))[clusters]
        chance = special.expit(ease)
        chance[:, -1] *= 1 - self.worse
        return rng.binomial(self.runs, chance) / self.runs, clusters

    def _clusters(self, rng: np.random.Generator) -> NDArray[np.int_]:
        if self.clusters == "none":
            return np.arange(self.items)
        sizes = np.full(self.items, 5)
        if self.clusters == "unequal":
            sizes = rng.geometric(0.2, self.items)
        return np.repeat(np.arange(self.items), sizes)[: self.items]


def tested(board: Board, rng: np.random.Generator) -> tuple[Floats, Pairs]:
    """Scores of one drawn leaderboard, and the tests of all its pairs, as a card makes them."""
    if not board.paired:
        scores = rng.binomial(board.items, _truth(board)) / board.items
        return scores, statistics_pairs.pooled_z_tests(scores, np.full(board.models, board.items))
    responses, clusters = board.draw(rng)
    pairs = statistics_pairs.paired_tests(pd.DataFrame(responses), pd.Series(clusters))
    return responses.mean(axis=0), pairs


def group_holds(board: Board) -> Callable[[np.random.Generator, int], Outcome]:
    """All truly best models are in the tie group of the one that leads."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        best = np.arange(board.models) < board.models - (board.worse > 0)
        hits = sum(bool(_tied(board, rng)[best].all()) for _ in range(data_sets))
        return Outcome(hits, data_sets)

    return simulate


def worse_is_told(board: Board) -> Callable[[np.random.Generator, int], Outcome]:
    """The worse model is told from the first of the equal ones, among all pairs."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        hits = 0
        for _ in range(data_sets):
            _, pairs = tested(board, rng)
            hits += bool(statistics_pairs.holm_pairs(pairs.p_value)[0, -1] <= 1 - LEVEL)
        return Outcome(hits, data_sets)

    return simulate


def ranks_hold(board: Board) -> Callable[[np.random.Generator, int], Outcome]:
    """All models' true ranks lie in their intervals at once; equal models share their ranks."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        equal = board.models - (board.worse > 0)
        first = np.where(np.arange(board.models) < equal, 1, board.models)
        last = np.where(np.arange(board.models) < equal, equal, board.models)
        hits = 0
        for _ in range(data_sets):
            _, pairs = tested(board, rng)
            adjusted = statistics_pairs.holm_pairs(pairs.p_value)
            ranks = statistics_pairs.rank_intervals(pairs.difference, adjusted, LEVEL)
            hits += bool(((ranks[:, 0] <= first) & (ranks[:, 1] >= last)).all())
        return Outcome(hits, data_sets)

    return simulate


def pair_rejects(board: Board, mid: bool = False) -> Callable[[np.random.Generator, int], Outcome]:
    """Two equal models that were named beforehand are told apart; by McNemar's mid-p if asked."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        hits = 0
        for _ in range(data_sets):
            _, pairs = tested(board, rng)
            p = pairs.p_value[0, 1]
            if mid:
                p = statistics_pairs.mid_p(pairs.wins[0, 1], pairs.wins[1, 0])
            hits += bool(p <= 1 - LEVEL)
        return Outcome(hits, data_sets)

    return simulate


def _tied(board: Board, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Who is tied with the leader, in the order of the models."""
    scores, pairs = tested(board, rng)
    order = np.argsort(-scores, kind="stable")
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)[np.ix_(order, order)]
    tied = np.empty(board.models, bool)
    tied[order] = statistics_pairs.tie_group(adjusted, LEVEL)
    return tied


def _truth(board: Board) -> Floats:
    truth = np.full(board.models, board.score)
    truth[-1] *= 1 - board.worse
    return truth


def _detectable(board: Board) -> Board:
    """The same with a last model so much worse that a normal test would find it.

    With the chance `POWER`, as one pair at the level of all pairs by Bonferroni.
    """
    number = board.models * (board.models - 1) / 2
    reach = special.ndtri(1 - (1 - LEVEL) / 2 / number) + special.ndtri(POWER)
    found = replace(board, models=2)
    for _ in range(3):
        # The error of a pair, from a board so large that it is as good as known; it grows with the
        # gap where scores are high.
        _, pairs = tested(replace(found, items=SO_MANY), np.random.default_rng(0))
        gap = reach * pairs.standard_error[0, 1] * np.sqrt(SO_MANY / board.items)
        found = replace(found, worse=float(gap / board.score))
    return replace(found, models=board.models)


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
# Lower bounds of what is found. With few items, unequal clusters or scores near 1, careful tests
# find less than a normal test would.
FOUND = {"independent": 0.72, "independent_high": 0.72, "mcnemar": 0.68, "mcnemar_high": 0.62,
         "shares": 0.65, "clusters": 0.55, "unequal": 0.2}  # fmt: skip


def _sets(models: int) -> int:
    return 2000 if models < 100 else 500


def _groups() -> list[Check]:
    return [
        Check(
            name=f"ties_group_{law}_{models}",
            estimator="statistics.comparisons.tie_group",
            statement="the 95 % tie group holds all truly best models",
            scenario=str(replace(board, models=models)),
            stated=LEVEL,
            lower=0.94,
            upper=1.0,
            data_sets=_sets(models),
            simulate=group_holds(replace(board, models=models)),
        )
        for law, board in LAWS.items()
        for models in (5, 10, 20, 100)
    ]


def _powers() -> list[Check]:
    boards = {
        f"{law}_{models}": (_detectable(replace(LAWS[law], models=models)), lower)
        for law, lower in FOUND.items()
        for models in (5, 100)
    }
    return [
        Check(
            name=f"ties_power_{name}",
            estimator="statistics.comparisons.holm_pairs",
            statement="a model is told from one better by so much that a normal test of the pair, "
            "at the level over all pairs, finds it in 80 %",
            scenario=str(board),
            stated=POWER,
            lower=lower,
            upper=0.9,
            data_sets=500,
            simulate=worse_is_told(board),
        )
        for name, (board, lower) in boards.items()
    ]


def _ranks() -> list[Check]:
    boards = {
        f"{law}_{models}": _detectable(replace(LAWS[law], models=models))
        for law in ("independent", "mcnemar", "shares", "unequal")
        for models in (5, 20)
    }
    return [
        Check(
            name=f"ties_ranks_{name}",
            estimator="statistics.comparisons.rank_intervals",
            statement="the 95 % rank intervals hold the true ranks of all models at once",
            scenario=str(board),
            stated=LEVEL,
            lower=0.94,
            upper=1.0,
            data_sets=1000,
            simulate=ranks_hold(board),
        )
        for name, board in boards.items()
    ]


def _pairs() -> list[Check]:
    exact, mid = ("statistics.paired.paired_tests", False), ("statistics.paired.mid_p", True)
    # An exact test of few discordant items cannot use up its level; t tests of few clusters are
    # near it.
    laws = {
        "mcnemar": (exact, 0.02, 0.05), "mcnemar_small": (exact, 0.005, 0.05),
        "shares": (exact, 0.035, 0.065), "shares_small": (exact, 0.035, 0.065),
        "clusters": (exact, 0.035, 0.065), "unequal": (exact, 0.025, 0.065),
    }  # fmt: skip
    mids = {"mcnemar": (mid, 0.035, 0.065), "mcnemar_small": (mid, 0.02, 0.065)}
    return [
        Check(
            name=f"ties_pair{'_mid_p' if by_mid else ''}_{law}",
            estimator=estimator,
            statement="two equal models that were named beforehand are told apart",
            scenario=str(replace(LAWS[law], models=2)),
            stated=0.05,
            lower=lower,
            upper=upper,
            data_sets=4000,
            simulate=pair_rejects(replace(LAWS[law], models=2), by_mid),
        )
        for chosen in (laws, mids)
        for law, ((estimator, by_mid), lower, upper) in chosen.items()
    ]


CHECKS = (*_groups(), *_powers(), *_ranks(), *_pairs())
