"""Printed scores: errors predicted for a leaderboard from all others, on resampled items.

Pairs of the best five models of each of 26 boards have equal true scores: items are resampled, of
shares over runs single answers are drawn, and the observed difference is taken off. Bounds were set
beforehand: at most 5 % are significant on any board, at least 2 % on average.
"""

from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saturation.compare.paired import LIKE, THESE
from saturation.compare.published import (
    Agreement,
    load_agreement,
    predict_agreement,
    scores_difference,
)
from saturation.files import formats
from saturation.files.tables import load_table
from saturation.statistics import intervals
from saturation.statistics.intervals import ALPHA
from studies.boards.names import BOARDS
from studies.boards.ranked import ranked
from studies.releases.sources import LEADERS
from validation.check import SIZE, Check, Outcome, Rng

Floats = NDArray[np.float64]

RESOURCES = Path(__file__).resolve().parents[1] / "resources" / "boards"
AGREED = load_agreement().set_index("board", drop=False)


@lru_cache
def _board(name: str) -> tuple[Floats, bool, Agreement]:
    """Answers of the leaders, whether they are shares over runs, and what other boards predict."""
    evaluations = load_table(RESOURCES / "evaluations.csv")
    responses = formats.read(RESOURCES / "responses" / f"{name}.parquet")
    board = ranked(name, responses, evaluations[evaluations["board"] == name], 0.8)
    answers: Floats = board.answers.iloc[:, :LEADERS].dropna().to_numpy()
    others = AGREED.drop(index=name)
    return answers, board.shares, predict_agreement(others, str(AGREED.loc[name, "kind"]))


def _scores(rng: Rng, name: str, question: str) -> tuple[tuple[float, float], int]:
    """Scores of two leaders with equal true scores on resampled items, or on these items."""
    answers, shares, _ = _board(name)
    n = len(answers)
    pairs = list(combinations(range(answers.shape[1]), 2))
    one, other = pairs[rng.integers(len(pairs))]
    true = answers[:, one].mean() - answers[:, other].mean()
    items = np.arange(n) if question == THESE else rng.integers(n, size=n)
    drawn = answers[items][:, [one, other]]
    if shares:
        drawn = (rng.random(drawn.shape) < drawn).astype(float)
    first, second = drawn.mean(axis=0)
    return (float(first), float(np.clip(second + true, 0, 1))), n


def _called(name: str, question: str, rng: Rng, data_sets: int) -> Outcome:
    hits = 0
    for _ in range(data_sets):
        scores, n = _scores(rng, name, question)
        hits += scores_difference(scores, n, _board(name)[2], question).p_value <= ALPHA
    return Outcome(hits, data_sets)


def _called_on_average(rng: Rng, data_sets: int) -> Outcome:
    boards = list(AGREED.index)
    hits = sum(_called(boards[k % len(boards)], LIKE, rng, 1).hits for k in range(data_sets))
    return Outcome(hits, data_sets)


def _narrower(rng: Rng, data_sets: int) -> Outcome:
    """Intervals at least 15 % narrower than Newcombe's of independent proportions."""
    boards, ratios = list(AGREED.index), []
    for k in range(data_sets):
        name = boards[k % len(boards)]
        (first, second), n = _scores(rng, name, LIKE)
        found = scores_difference((first, second), n, _board(name)[2])
        lower, upper = intervals.newcombe(second * n, n, first * n, n)
        ratios.append((found.upper - found.lower) / (upper - lower))
    # The mean ratio as a share of the trials.
    return Outcome(round(float(np.sum(ratios))), data_sets)


CHECKS = (
    *(
        Check(
            f"releases_equal_{name}", "compare.published.scores_difference",
            "at most 5 %: two printed scores differ, whose true scores are equal",
            f"{BOARDS[name].title}, predicted from the other boards, items resampled",
            **SIZE, data_sets=1000, simulate=partial(_called, name, LIKE),
        )
        for name in AGREED.index
    ),
    *(
        Check(
            f"releases_runs_{name}", "compare.published.scores_difference",
            "at most 5 %: two printed scores differ on these items, whose true scores are equal",
            f"{BOARDS[name].title}, predicted from the other boards, answers drawn again",
            **SIZE, data_sets=1000, simulate=partial(_called, name, THESE),
        )
        for name in AGREED.index[AGREED["run_part"].notna()]
    ),
    Check(
        "releases_equal_average", "compare.published.scores_difference",
        "at least 2 %: two printed scores differ, whose true scores are equal",
        "all boards in turn, predicted from the others", 0.02, "more", 5200, _called_on_average,
    ),
    Check(
        "releases_width", "compare.published.scores_difference",
        "at most 0.85 times as wide as Newcombe's interval of independent proportions",
        "all boards in turn, predicted from the others", 0.85, "fewer", 2600, _narrower,
    ),
)  # fmt: skip
