"""Verdict and advice on 400 leaderboards in nine situations whose right answer is known.

``python -m validation.advice`` writes the confusion table, validation/confusion.csv.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from saturation.files.tables import write_csv
from saturation.leaderboard import verdict as board_verdict
from saturation.leaderboard.sizes import items_to_show_equivalence
from saturation.seeds import generator
from saturation.statistics import pairs as statistics_pairs
from validation.__main__ import ROOT
from validation.check import POWER, SIZE, Check, Outcome, Rng, repeated
from validation.verdict import MARGIN, WRONG, Board, estimated, judged, top_pairs

BOARDS = 400


@dataclass(frozen=True)
class Situation:
    """A data-generating process, and the verdicts and acts that are right on it."""

    name: str
    board: Board
    verdicts: tuple[str, ...]
    acts: tuple[str, ...]

    @property
    def at_the_ceiling(self) -> bool:
        """Whether the best true score is at the ceiling."""
        return self.board.score >= 0.9


SITUATIONS = (
    Situation("room, all differ", Board(5, 3000, 0.8, (0.06, 0.12, 0.18, 0.24), shared=0.1),
              ("separates",), ("keep",)),
    Situation("room, some differ", Board(5, 1000, 0.7, (0.0, 0.15)),
              ("separates_in_part",), ("more_items",)),
    Situation("room, equal, few items", Board(5, 200, 0.6), ("underpowered",), ("more_items",)),
    Situation("room, equal, many items", Board(5, 12_000, 0.6), ("stagnated",), ("look",)),
    Situation("ceiling, equal, few items", Board(5, 400, 0.96), ("exhausted",),
              ("harder_items",)),
    Situation("ceiling, equal, many items", Board(5, 12_000, 0.95), ("saturated",),
              ("harder_items",)),
    Situation("ceiling, all differ",
              Board(5, 8000, 0.98, (0.025, 0.05, 0.075, 0.1), shared=0.1), ("exhausted",),
              ("harder_items",)),
    # The widest gap that the ceiling leaves is not detectable with 60 items.
    Situation("ceiling, too few items to show it", Board(5, 60, 0.95),
              ("undetermined", "exhausted"), ("more_items", "harder_items")),
    Situation("20 models of which scores are known, ceiling",
              Board(20, 1000, 0.95, kind="scores"), ("exhausted",), ("harder_items",)),
)  # fmt: skip


@lru_cache
def found(boards: int) -> pd.DataFrame:
    """One row a board: its situation, the verdict and the act."""
    rng = generator(0, "simulation", "advice")
    rows = []
    for number in range(boards):
        situation = SITUATIONS[number % len(SITUATIONS)]
        given = judged(situation.board, rng)
        act = board_verdict.ADVICE[given.reason][0]
        rows.append(
            {
                "situation": situation.name,
                "at_the_ceiling": situation.at_the_ceiling,
                "verdict": given.verdict,
                "act": act,
                "verdict_right": given.verdict in situation.verdicts,
                "act_right": act in situation.acts,
            }
        )
    return pd.DataFrame(rows)


def confusion(boards: int = BOARDS) -> pd.DataFrame:
    """Number of boards by situation, verdict and act."""
    columns = ["situation", "verdict", "act", "verdict_right", "act_right"]
    return found(boards).groupby(columns, sort=False).size().reset_index(name="boards")


def _right(column: str) -> Check:
    said = {"verdict_right": "the verdict is the right one", "act_right": "the advice is right"}

    def simulate(_: Rng, boards: int) -> Outcome:
        return Outcome(int(found(boards)[column].sum()), boards)

    stated = {"verdict_right": 0.9, "act_right": 0.95}[column]
    return Check(
        f"advice_{column}", "leaderboard.verdict.judge", said[column],
        "nine situations in turn, see validation/confusion.csv", stated, "more", BOARDS, simulate,
    )  # fmt: skip


def _more_at_the_ceiling(_: Rng, boards: int) -> Outcome:
    table = found(boards)
    wrong = table["at_the_ceiling"] & ~table["act_right"] & (table["act"] == "more_items")
    return Outcome(int(wrong.sum()), boards)


# Numbers of items are read from boards of so many.
PRESENT = 500


def _enough(board: Board) -> Check:
    """Whether the number of items that one board names shows the next one equivalent."""

    def event(rng: Rng) -> bool:
        ranked, items = estimated(board, rng)
        pairs = top_pairs(ranked, items)
        k = min(5, board.models)
        wrong = WRONG / (board.models - k + 1)
        everyone = np.ones(board.models, bool)
        n = items_to_show_equivalence(ranked, pairs, everyone, MARGIN, wrong, 0.8, k)
        assert n is not None
        ranked, items = estimated(replace(board, items=int(n)), rng)
        pairs = top_pairs(ranked, items)
        p = statistics_pairs.lead_p_values(pairs, ranked["score"], ranked["n_items"], MARGIN, k)
        p[np.arange(k), np.arange(k)] = 0.0
        return bool(p.max() <= wrong)

    return Check(
        f"advice_enough_{board.kind}_{board.models}", "leaderboard.sizes.items_to_show_equivalence",
        "the number of items that is named shows equal models equivalent in 80 %", str(board),
        simulate=repeated(event), **{**POWER, "data_sets": 400},
    )  # fmt: skip


CHECKS = (
    _right("verdict_right"),
    _right("act_right"),
    Check(
        "advice_more_at_the_ceiling", "leaderboard.verdict.judge",
        "more items are advised although the best true score is at the ceiling and the items are "
        "enough, in at most 1 %",
        "nine situations in turn, five of them at the ceiling, four of these with enough items",
        simulate=_more_at_the_ceiling, **{**SIZE, "stated": 0.01, "data_sets": BOARDS},
    ),
    *(
        _enough(board)
        for board in (
            Board(5, PRESENT),
            Board(20, PRESENT),
            Board(2, PRESENT, kind="scores"),
            Board(5, PRESENT, kind="scores"),
            Board(5, PRESENT, kind="clusters"),
            Board(5, PRESENT, kind="runs"),
        )
    ),
)  # fmt: skip


if __name__ == "__main__":
    write_csv(confusion(), ROOT / "validation" / "confusion.csv")
