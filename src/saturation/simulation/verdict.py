"""Wrong verdicts, on leaderboards whose truth is known: each kind in at most 5 %.

A board has models of known true scores, drawn anew each time and judged as a card judges it. The
laws are the ones that are worst for the statement: models exactly equal where something may be told
apart, one exactly by the margin ahead of models that are otherwise alike where they may pass as
alike, the best exactly at the ceiling where that is asked.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.leaderboard import top
from saturation.leaderboard import verdict as board_verdict
from saturation.simulation.check import Check, Outcome
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import standard_errors

Floats = NDArray[np.float64]
Items = tuple[pd.DataFrame, pd.Series]

SETTINGS = top.LeadersSettings()
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
    """A law of leaderboards.

    Parameters
    ----------
    score
        True score of the best model.
    behind
        True distance of each other model from the best, the last repeated for the rest.
    kind
        ``paired`` (the same 0/1 items), ``scores`` (only scores and numbers of items; models answer
        independently), ``shared`` (only scores, of answers to the same items), ``clusters``,
        ``incomplete`` (items missing at random) or ``runs`` (shares over four repeated runs).
    shared
        Share of items that all models solve or fail alike.
    """

    models: int
    items: int
    score: float = 0.7
    behind: tuple[float, ...] = (0.0,)
    kind: str = "paired"
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

    def draw(self, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int_]]:
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
    answers: dict[str, Any]
    truth: Floats
    told_apart: NDArray[np.bool_]
    difference: Floats


def judged(board: Board, rng: np.random.Generator) -> Judged:
    """One drawn leaderboard, judged as a card judges it."""
    ranked, items = _estimated(board, rng)
    settings = replace(SETTINGS, k=min(board.k, board.models), margin=MARGIN, ceiling=CEILING)
    independent, paired = top.all_pairs(ranked, *items, len(ranked))
    pairs = independent if paired is None else paired
    adjusted = statistics_pairs.holm_pairs(pairs.p_value)
    found = top.answers(ranked, items, pairs, adjusted, settings)
    order = ranked["model"].str[1:].astype(int).to_numpy()
    return Judged(
        board_verdict.judge(found).verdict,
        found,
        board.truth()[order],
        adjusted <= WRONG,
        pairs.difference,
    )


def room_judged(board: Board, rng: np.random.Generator) -> Judged:
    """One drawn leaderboard of equal models, of which only the headroom is asked: many a second.

    Equal models may all be the best, so that no pair has to be compared to know which may.
    """
    ranked, items = _estimated(board, rng)
    may_lead = np.ones(board.models, bool)
    found = top.headroom(ranked, items, may_lead, replace(SETTINGS, ceiling=CEILING))
    nothing = np.zeros((0, 0))
    return Judged("", {"headroom": asdict(found)}, board.truth(), nothing.astype(bool), nothing)


def _estimated(board: Board, rng: np.random.Generator) -> tuple[pd.DataFrame, Items]:
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


def occurs(
    board: Board,
    event: Callable[[Judged], bool],
    judge: Callable[[Board, np.random.Generator], Judged] = judged,
) -> Callable[[np.random.Generator, int], Outcome]:
    """How often an event occurs on drawn boards."""

    def simulate(rng: np.random.Generator, data_sets: int) -> Outcome:
        return Outcome(sum(event(judge(board, rng)) for _ in range(data_sets)), data_sets)

    return simulate


def wrongly_apart(found: Judged) -> bool:
    """Some top models are told apart that are equal, or the wrong way round."""
    k = len(found.answers["resolution"]["models"])
    better = found.told_apart[:k, :k] & (found.difference[:k, :k] > 0)
    ahead = found.truth[:k, None] - found.truth[None, :k]
    return bool((better & (ahead < 1e-12)).any())


def wrongly_alike(found: Judged) -> bool:
    """The verdict is saturated or stagnated, and one of the top is the margin or more behind."""
    k = len(found.answers["resolution"]["models"])
    farthest = found.truth.max() - found.truth[:k].min()
    alike = found.answers["equivalence"]["answer"] == top.ALIKE
    return alike and bool(farthest >= MARGIN - 1e-12)


def wrongly_solved(found: Judged) -> bool:
    """No room is said to be left, and the best true score is below the ceiling."""
    none = found.answers["headroom"]["answer"] == top.NONE
    return none and bool(found.truth.max() < CEILING)


def wrongly_left(found: Judged) -> bool:
    """Room is said to be left, and the best true score is at the ceiling."""
    left = found.answers["headroom"]["answer"] == top.LEFT
    return left and bool(found.truth.max() >= CEILING)


def is_underpowered(found: Judged) -> bool:
    """Neither told apart nor shown alike."""
    return found.verdict == "underpowered"


def _sets(board: Board) -> int:
    """Data sets in about half a minute."""
    return {2: 1000, 5: 300, 20: 100, 100: 30}[board.models]


def _check(name: str, board: Board, event: Callable[[Judged], bool], **bounds: Any) -> Check:
    statement, estimator = STATEMENTS[event]
    # Not above the level but for the luck of the simulation.
    usual = {"stated": WRONG, "lower": 0.0, "upper": 0.065, "data_sets": _sets(board)}
    return Check(
        name=f"verdict_{name}",
        estimator=f"board.{estimator}",
        statement=statement,
        scenario=str(board),
        simulate=occurs(board, event),
        **(usual | bounds),
    )


STATEMENTS: dict[Callable[[Judged], bool], tuple[str, str]] = {
    wrongly_apart: (
        "at most 5 %: some of the top models are told apart, or the wrong way round, and are equal",
        "answers.resolution",
    ),
    wrongly_alike: (
        "at most 5 %: saturated or stagnated, and one of the top models is the margin of 2 points "
        "or more behind the best",
        "answers.alike",
    ),
    wrongly_solved: (
        "at most 5 %: no room is left, and the best true score is below the ceiling of 90 %",
        "answers.headroom",
    ),
    wrongly_left: (
        "at most 5 %: room is left, and the best true score is at the ceiling of 90 %",
        "answers.headroom",
    ),
    is_underpowered: (
        "underpowered is never wrong: how often it is said of these models",
        "verdict.judge",
    ),
}
KINDS = ("paired", "scores", "shared", "clusters", "incomplete", "runs")
# Without a choice between models the level is used up: where two are compared, or one is far ahead.
USED_UP = {"lower": 0.03, "upper": 0.065}
# Luck has to deceive four tests of five models, or those of the best of many.
BEHIND, HALF_WAY = (MARGIN,), (MARGIN / 2, MARGIN / 2, MARGIN / 2, MARGIN)
PAIR, MANY = Board(2, 8000, behind=BEHIND), Board(0, 5000, behind=BEHIND)


def _apart() -> list[Check]:
    sizes = ((5, 30), (20, 500), (100, 500))
    checks = [
        _check(f"apart_{kind}_{models}", Board(models, items, kind=kind), wrongly_apart)
        for kind in KINDS
        for models, items in sizes
    ]
    return [*checks, _check("apart_large_5", Board(5, 15_000), wrongly_apart, data_sets=100)]


def _alike() -> list[Check]:
    exact = [
        _check(
            f"alike_{kind}_2", Board(2, 8000, behind=BEHIND, kind=kind), wrongly_alike, **USED_UP
        )
        for kind in ("paired", "scores", "clusters", "runs")
    ]
    chosen = [
        _check(
            f"alike_{kind}_{models}", Board(models, 5000, behind=BEHIND, kind=kind), wrongly_alike
        )
        for kind in KINDS
        for models in (5, 20, 100)
    ]
    others = {
        "half_way_5": Board(5, 15_000, behind=HALF_WAY),
        "few_5": Board(5, 200, score=0.95, behind=BEHIND, shared=0.9),
        "large_100": Board(100, 15_000, behind=BEHIND),
    }
    fewer = {"half_way_5": 200, "few_5": 300, "large_100": 20}
    return [
        *exact,
        *chosen,
        *(
            _check(f"alike_{name}", board, wrongly_alike, data_sets=fewer[name])
            for name, board in others.items()
        ),
    ]


def _room_check(name: str, board: Board, event: Callable[[Judged], bool]) -> Check:
    """Of equal models: cheap enough that a level of 5 % is told from one of 7 %."""
    sets = {5: 4000, 20: 1000, 100: 400}[board.models]
    check = _check(name, board, event, data_sets=sets)
    return replace(check, simulate=occurs(board, event, room_judged))


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
    equal = [
        _room_check(f"{name}_{law}", replace(board, score=score), event)
        for name, score, event in (
            ("solved", CEILING - 1e-6, wrongly_solved),
            ("left", CEILING, wrongly_left),
        )
        for law, board in boards.items()
    ]
    one = Board(5, 3000, score=CEILING, behind=(0.3,), kind="scores")
    return [*equal, _check("left_one", one, wrongly_left, data_sets=1000, **USED_UP)]


def _underpowered() -> list[Check]:
    boards = {
        "equal_5_500": Board(5, 500),
        "equal_5_5000": Board(5, 5000),
        "equal_20_5000": Board(20, 5000),
        "equal_5_15000": Board(5, 15_000),
        "scores_5_15000": Board(5, 15_000, kind="scores"),
    }
    return [
        _check(f"underpowered_{name}", board, is_underpowered, upper=1.0, data_sets=100)
        for name, board in boards.items()
    ]


CHECKS = (*_apart(), *_alike(), *_room(), *_underpowered())
