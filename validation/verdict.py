"""Wrong verdicts, on leaderboards whose truth is known: each kind in at most 5 %.

Leaderboards of models with known true scores are judged as a card judges them. Their truths are the
worst cases of each statement: models exactly equal where something may be significantly different,
one exactly by the margin ahead of equal ones where they may pass as equivalent, the best exactly at
the ceiling where headroom is tested.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.leaderboard import top
from saturation.leaderboard import verdict as board_verdict
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import standard_errors
from validation.check import SIZE, Check, Rng, repeated

Floats = NDArray[np.float64]
Items = tuple[pd.DataFrame, pd.Series]

SETTINGS = top.Settings()
WRONG = 1 - SETTINGS.level
MARGIN = 0.02
CEILING = 0.9
# Items of a cluster, and the share of them that a model's luck with the cluster decides.
IN_CLUSTER, TOGETHER = 5, 0.8
# Share of the items that each model of an incomplete board has answered, the least that is ranked.
ANSWERED = (0.8, 1.0)
NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration"]
)


@dataclass(frozen=True)
class Board:
    """A data-generating process of leaderboards."""

    models: int
    items: int
    # True score of the best model.
    score: float = 0.7
    # True distance of each other model from the best, the last repeated for the rest.
    behind: tuple[float, ...] = (0.0,)
    # paired (the same 0/1 items), scores (only scores and numbers of items; models answer
    # independently), shared (only scores, of answers to the same items), clusters, incomplete
    # (items missing at random) or runs (shares over four repeated runs).
    kind: str = "paired"
    # Share of items that all models solve or fail alike.
    shared: float = 0.6
    k: int = 5

    def __str__(self) -> str:
        said = {
            "paired": "on the same items",
            "scores": "of which only scores are known",
            "shared": "on the same items, of which only scores are known",
            "clusters": f"on the same items in clusters of {IN_CLUSTER}",
            "incomplete": "on the same items, up to a fifth of them missing at random",
            "runs": "on the same items, shares over 4 runs",
        }[self.kind]
        far = sorted(set(self.behind) - {0.0})
        apart = f", the others up to {max(far):g} behind the best" if far else ", all equal"
        return f"{self.models} models {said}, {self.items} items, best {self.score:g}{apart}"

    def truth(self) -> Floats:
        """True scores."""
        rest = self.behind + self.behind[-1:] * self.models
        return self.score - np.array((0.0, *rest)[: self.models])

    def draw(self, rng: Rng) -> tuple[Floats, NDArray[np.int_]]:
        """Responses, items by models, and the items' clusters.

        An item is one of those that all models solve or fail alike, by its own luck, or each model
        solves it by a luck of its own, so that true scores are exact.
        """
        n, m = self.items, self.models
        clusters = np.arange(n) // (IN_CLUSTER if self.kind == "clusters" else 1)
        luck = rng.random((n, m))
        if self.kind == "clusters":
            of_cluster = rng.random((clusters[-1] + 1, m))[clusters]
            luck = np.where(rng.random((n, m)) < TOGETHER, of_cluster, luck)
        alike = rng.random((n, 1)) < self.shared
        common = rng.random((n, 1))
        # The common part is solved alike by the worst model's chance, the rest makes up the gap.
        truth = self.truth()
        low = truth.min()
        chance = low + (truth - low) / (1 - self.shared)
        right = np.where(alike, common < low, luck < chance).astype(float)
        if self.kind == "runs":
            again = rng.random((3, n, m)) < chance
            right = np.where(alike, right, (right + again.sum(axis=0)) / 4)
        if self.kind == "incomplete":
            right[rng.random((n, m)) > rng.uniform(*ANSWERED, m)] = np.nan
        return right, clusters


@dataclass(frozen=True)
class Judged:
    """A drawn board's verdict and answers, with the true scores of its models in their order."""

    verdict: str
    reason: str
    answers: dict[str, Any]
    truth: Floats


def judged(board: Board, rng: Rng) -> Judged:
    """One drawn leaderboard, judged as a card judges it."""
    ranked, items = estimated(board, rng)
    settings = replace(SETTINGS, k=min(board.k, board.models), margin=MARGIN, ceiling=CEILING)
    pairs = top_pairs(ranked, items)
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)
    found = top.answers(ranked, items, pairs, adjusted, settings)
    order = ranked["model"].str[1:].astype(int).to_numpy()
    reached = board_verdict.judge(found)
    return Judged(
        reached.verdict,
        reached.reason,
        vars(found),
        board.truth()[order],
    )


def top_judged(board: Board, rng: Rng) -> Judged:
    """One drawn leaderboard, of which the card's two answers about the top are asked."""
    ranked, items = estimated(board, rng)
    settings = replace(SETTINGS, k=min(board.k, board.models), margin=MARGIN)
    pairs = top_pairs(ranked, items)
    may_lead = top.contenders(ranked, pairs, settings.k)
    found = {
        "resolution": top.resolution(ranked, pairs, settings),
        "equivalence": top.equivalence(ranked, pairs, may_lead, settings),
    }
    order = ranked["model"].str[1:].astype(int).to_numpy()
    return Judged("", "", found, board.truth()[order])


def room_judged(board: Board, rng: Rng) -> Judged:
    """One drawn leaderboard of equal models, of which only the headroom is asked: many a second.

    Equal models may all be the best, so that no pair has to be compared to know which may.
    """
    ranked, items = estimated(board, rng)
    may_lead = np.ones(board.models, bool)
    found = top.headroom(ranked, items, may_lead, replace(SETTINGS, ceiling=CEILING))
    return Judged("", "", {"headroom": found}, board.truth())


def top_pairs(ranked: pd.DataFrame, items: Items) -> statistics_pairs.Pairs:
    """The deciding tests of all pairs."""
    return top.deciding(top.all_pairs(ranked, items, len(ranked)))


def estimated(board: Board, rng: Rng) -> tuple[pd.DataFrame, Items]:
    names = [f"m{i}" for i in range(board.models)]
    nothing = (pd.DataFrame(), pd.Series(dtype=str))
    if board.kind in ("scores", "shared"):
        if board.kind == "scores":
            scores = rng.binomial(board.items, board.truth()) / board.items
        else:
            scores = board.draw(rng)[0].mean(axis=0)
        ranked = pd.DataFrame({
            "model": names, "score": scores, "n_items": float(board.items),
            "standard_error": standard_errors.binomial_error(scores, board.items),
            "error_source": "binomial",
        })  # fmt: skip
        ordered = ranked.sort_values(["score", "model"], ascending=[False, True], kind="stable")
        return ordered.reset_index(drop=True), nothing
    right, clusters = board.draw(rng)
    items = pd.DataFrame(right, columns=names), pd.Series(clusters)
    return standard_errors.estimates(NO_SCORES, *items, "accuracy", SETTINGS.level), items


def wrongly_apart(found: Judged) -> bool:
    """Some top models are separated that are equal, or the wrong way round."""
    resolution = found.answers["resolution"]
    truth = dict(zip(resolution.models, found.truth, strict=False))
    tied = [set(group) for group in resolution.groups]
    return any(
        truth[better] - truth[worse] < 1e-12 and not any({better, worse} <= group for group in tied)
        for better, worse in itertools.combinations(resolution.models, 2)
    )


def wrongly_alike(found: Judged) -> bool:
    """The verdict is saturated or stagnated, and one of the top is the margin or more behind."""
    k = len(found.answers["resolution"].models)
    farthest = found.truth.max() - found.truth[:k].min()
    alike = found.answers["equivalence"].answer == top.EQUIVALENT
    return alike and bool(farthest >= MARGIN - 1e-12)


def wrongly_solved(found: Judged) -> bool:
    """No room is said to be left, and the best true score is below the ceiling."""
    none = found.answers["headroom"].answer == top.NONE
    return none and bool(found.truth.max() < CEILING)


def wrongly_left(found: Judged) -> bool:
    """Room is said to be left, and the best true score is at the ceiling."""
    left = found.answers["headroom"].answer == top.LEFT
    return left and bool(found.truth.max() >= CEILING)


# Of each event: the function that makes the statement, and what it states.
STATEMENTS: dict[Callable[[Judged], bool], tuple[str, str]] = {
    wrongly_apart: (
        "top.resolution",
        "at most 5 %: some of the top models are separated, or the wrong way round, and are equal",
    ),
    wrongly_alike: (
        "top.equivalence",
        "at most 5 %: saturated or stagnated, and one of the top models is the margin of 2 points "
        "or more behind the best",
    ),
    wrongly_solved: (
        "top.headroom",
        "at most 5 %: no room is left, and the best true score is below the ceiling of 90 %",
    ),
    wrongly_left: (
        "top.headroom",
        "at most 5 %: room is left, and the best true score is at the ceiling of 90 %",
    ),
}
KINDS = ("paired", "scores", "shared", "clusters", "incomplete", "runs")
# Data sets by the number of models.
SETS = {2: 1000, 5: 400, 20: 400, 50: 400, 100: 400, 200: 400}
# Leaderboards of which the top is selected by scores, and none of it differs: five are far ahead of
# all others, or all are equal.
FIVE = (0.0, 0.0, 0.0, 0.0)
SELECTED = {
    "five": Board(20, 200, behind=(*FIVE, 0.3), shared=0.3),
    "five_high": Board(50, 200, score=0.95, behind=(*FIVE, 0.1), shared=0.3),
    "five_few": Board(50, 30, behind=(*FIVE, 0.3), shared=0.3),
    "many": Board(200, 100),
}
# Chance has to deceive four tests of five models, or those of the best of many.
BEHIND, HALF_WAY = (MARGIN,), (MARGIN / 2, MARGIN / 2, MARGIN / 2, MARGIN)
Event = Callable[[Judged], bool]


def _check(
    name: str,
    board: Board,
    event: Event,
    judge: Callable[[Board, Rng], Judged] = top_judged,
    **bounds: Any,
) -> Check:
    function, statement = STATEMENTS[event]
    usual = {**SIZE, "data_sets": SETS[board.models]}
    return Check(
        f"verdict_{name}", f"leaderboard.{function}", statement, str(board),
        simulate=repeated(lambda rng: event(judge(board, rng))), **(usual | bounds),
    )  # fmt: skip


def _apart() -> list[Check]:
    return [
        *(
            _check(f"apart_{kind}_{models}", Board(models, items, kind=kind), wrongly_apart)
            for kind in KINDS
            for models, items in ((5, 30), (20, 500), (100, 500))
        ),
        _check("apart_large_5", Board(5, 15_000), wrongly_apart, data_sets=400),
        # First and fifth of all equal, by their scores, and of five that are far ahead.
        *(
            _check(f"apart_{name}_{kind}_{board.models}", replace(board, kind=kind), wrongly_apart,
                   data_sets=400)
            for kind in ("paired", "incomplete", "runs") for name, board in SELECTED.items()
        ),
    ]  # fmt: skip


def _alike() -> list[Check]:
    others = {
        "half_way_5": (Board(5, 15_000, behind=HALF_WAY), 400),
        "few_5": (Board(5, 200, score=0.95, behind=BEHIND, shared=0.9), 400),
        "large_100": (Board(100, 15_000, behind=BEHIND), 400),
    }
    return [
        *(
            _check(f"alike_{kind}_2", Board(2, 8000, behind=BEHIND, kind=kind), wrongly_alike)
            for kind in ("paired", "scores", "clusters", "runs")
        ),
        *(
            _check(f"alike_{kind}_{models}", Board(models, 5000, behind=BEHIND, kind=kind),
                   wrongly_alike)
            for kind in KINDS
            for models in (5, 20, 100)
        ),
        *(
            _check(f"alike_{name}", board, wrongly_alike, data_sets=data_sets)
            for name, (board, data_sets) in others.items()
        ),
    ]  # fmt: skip


def _room() -> list[Check]:
    boards = {
        "paired_5": Board(5, 500),
        "scores_20": Board(20, 500, kind="scores"),
        "paired_100": Board(100, 500),
        "clusters_5": Board(5, 2000, kind="clusters"),
        "incomplete_20": Board(20, 500, kind="incomplete"),
        "runs_20": Board(20, 500, kind="runs"),
        "small_5": Board(5, 30, kind="scores"),
    }
    # Of equal models: cheap enough that a level of 5 % is distinguished from one of 7 %.
    sets = {5: 4000, 20: 1000, 100: 400}
    one = Board(5, 3000, score=CEILING, behind=(0.3,), kind="scores")
    return [
        *(
            _check(f"{name}_{law}", replace(board, score=score), event, room_judged,
                   data_sets=sets[board.models])
            for name, score, event in (
                ("solved", CEILING - 1e-6, wrongly_solved),
                ("left", CEILING, wrongly_left),
            )
            for law, board in boards.items()
        ),
        _check("left_one", one, wrongly_left, judged, data_sets=1000),
    ]  # fmt: skip


CHECKS = (*_apart(), *_alike(), *_room())
