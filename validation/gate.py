"""A gate on real repeated answers: false alarms, coverage, power with early stopping.

The truth is the share right of about 1,100 answers to every item; runs are drawn from it. Bounds
were set beforehand: 3 to 6 % red where nothing changed; at most 5 % for any task of a suite of 12
and for looks after each of eight runs; with stopping, at least the power of five runs. With
"worse>2", a version that is worse by exactly two points fails, and passes, in at most 5 %; in a
suite of 12 such versions any fails in at most 5 %.
"""

from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.compare.gate import bound_difference, decide, parse_rules
from saturation.compare.paired import Answers, Difference, measure_difference
from saturation.compare.sequential import repeated_p
from saturation.compare.suite import Item, Settings, judge_suite
from saturation.files import formats
from saturation.statistics.intervals import ALPHA
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, drawn_once, repeated

Floats = NDArray[np.float64]

RESPONSES = Path(__file__).resolve().parents[1] / "resources" / "boards" / "responses"
BOARDS = {"human_eval_plus": "HumanEval+", "math500": "MATH-500", "aime2024": "AIME 2024",
          "aime2025": "AIME 2025"}  # fmt: skip
# Drops that a team wants to see, and the design that stops early.
DROPS, MOST_RUNS, FIXED_RUNS = (0.02, 0.08), 8, 5
TASKS = 12
# Runs of each version in a gate with a margin.
RUNS = 3


@lru_cache
def _shares(board: str) -> Floats:
    """Share right of each item and model."""
    table = formats.read(RESPONSES / f"{board}.parquet").drop(columns=["item", "task"])
    shares: Floats = table.dropna(axis=1).to_numpy(float)
    return shares


def _runs(rng: Rng, shares: Floats, runs: int) -> pd.DataFrame:
    return pd.DataFrame((rng.random((len(shares), runs)) < shares[:, None]).astype(float))


def _unchanged(board: str, runs: int, rng: Rng) -> Difference:
    """Two versions that are the same model."""
    shares = _shares(board)
    model = shares[:, rng.integers(shares.shape[1])]
    return measure_difference(Answers(_runs(rng, model, runs), _runs(rng, model, runs)))


def _red(board: str, runs: int, rng: Rng) -> bool:
    return bool(_unchanged(board, runs, rng).p_worse <= ALPHA)


def _contains(board: str, runs: int, rng: Rng) -> bool:
    """The interval contains the difference of two models on these items."""
    shares = _shares(board)
    one, other = rng.choice(shares.shape[1], 2, replace=False)
    pair = shares[:, one], shares[:, other]
    tables = [_runs(rng, model, runs) for model in pair]
    found = measure_difference(Answers(tables[0], tables[1]))
    return bool(found.lower <= (pair[1] - pair[0]).mean() <= found.upper)


def _any_red(rng: Rng) -> bool:
    """Any of twelve tasks fails, of which each is one of the boards and nothing changed."""
    tasks = {}
    for number in range(TASKS):
        shares = _shares(list(BOARDS)[number % len(BOARDS)])
        model = shares[:, rng.integers(shares.shape[1])]
        tasks[str(number)] = Answers(_runs(rng, model, 3), _runs(rng, model, 3))
    bounds = {name: bound_difference(answers) for name, answers in tasks.items()}
    items = [Item(name, bound.observed, bound.observed.scores) for name, bound in bounds.items()]
    settings = Settings()
    suite = judge_suite(items, settings)
    return decide(bounds, suite, parse_rules("worse"), settings).exit_code == 3


def _drop(shares: Floats, points: float) -> Floats:
    """Truths of a version whose mean is lower by so much, each in proportion to its own."""
    dropped: Floats = shares * (1 - points / shares.mean())
    return dropped


def _margin_decisions(boards: list[str], rng: Rng) -> int:
    """Exit code of "worse>2" where every task's candidate is worse by exactly the margin."""
    rules, settings, tasks = parse_rules("worse>2"), Settings(), {}
    for number, board in enumerate(boards):
        shares = _shares(board)
        able = np.flatnonzero(shares.mean(axis=0) > 2 * rules.margins[0])
        model = shares[:, rng.choice(able)]
        candidate = _drop(model, rules.margins[0])
        tasks[str(number)] = Answers(_runs(rng, model, RUNS), _runs(rng, candidate, RUNS))
    bounds = {name: bound_difference(answers) for name, answers in tasks.items()}
    items = [Item(name, bound.observed, bound.observed.scores) for name, bound in bounds.items()]
    return decide(bounds, judge_suite(items, settings), rules, settings).exit_code


def _at_the_margin(boards: list[str], code: int, rng: Rng) -> bool:
    return _margin_decisions(boards, rng) == code


def _stopped(pair: tuple[Floats, Floats], rng: Rng) -> tuple[bool, int, bool]:
    """Whether looks after each run find a drop, after how many; and whether five runs find it."""
    tables = [_runs(rng, model, MOST_RUNS) for model in pair]
    looks = range(1, MOST_RUNS + 1)
    answers = [Answers(tables[0].iloc[:, :runs], tables[1].iloc[:, :runs]) for runs in looks]
    tails = [measure_difference(look).p_worse for look in answers]
    red = [repeated_p(tail, MOST_RUNS) <= ALPHA for tail in tails]
    return any(red), red.index(True) + 1 if any(red) else MOST_RUNS, tails[FIXED_RUNS - 1] <= ALPHA


def _peeked(board: str, rng: Rng) -> bool:
    shares = _shares(board)
    model = shares[:, rng.integers(shares.shape[1])]
    return _stopped((model, model), rng)[0]


def _dropped(board: str, rng: Rng) -> tuple[bool, int, bool]:
    shares = _shares(board)
    score = shares.mean(axis=0)
    drop = score[:, None] - score
    pairs = np.argwhere((drop >= DROPS[0]) & (drop <= DROPS[1]))
    before, now = pairs[rng.integers(len(pairs))]
    return _stopped((shares[:, before], shares[:, now]), rng)


DRAWN = {board: drawn_once(f"gate {board}", partial(_dropped, board)) for board in BOARDS}


def _power(board: str, _rng: Rng, data_sets: int) -> Outcome:
    """Power with stopping, beside that of five runs as what is stated."""
    drawn = DRAWN[board](data_sets)
    fixed = sum(found for _, _, found in drawn) / data_sets
    return Outcome(sum(found for found, _, _ in drawn), data_sets, stated=fixed)


def _share_of_runs(board: str, most: float, _rng: Rng, data_sets: int) -> Outcome:
    """Share of the runs of the fixed design that stopping takes."""
    used = sum(runs for _, runs, _ in DRAWN[board](data_sets))
    return Outcome(round(used / FIXED_RUNS), data_sets, stated=most)


CHECKS = (
    *(
        Check(
            f"gate_unchanged_{board}_{runs}", "compare.paired.measure_difference",
            "at most 5 %: worse, where nothing changed",
            f"{title}, a model drawn at random, runs: {runs}",
            **SIZE, data_sets=2000, simulate=repeated(partial(_red, board, runs)),
        )
        for board, title in BOARDS.items() for runs in (1, 3, 5)
    ),
    *(
        Check(
            f"gate_coverage_{board}_{runs}", "compare.paired.measure_difference",
            "the 95 % interval contains the difference of two models on these items",
            f"{title}, two models drawn at random, runs: {runs}",
            **COVERAGE, data_sets=1000, simulate=repeated(partial(_contains, board, runs)),
        )
        for board, title in BOARDS.items() for runs in (1, 3)
    ),
    Check(
        "gate_suite", "compare.gate.decide", "at most 5 %: any task fails, where nothing changed",
        f"{TASKS} tasks, three runs each", **SIZE, data_sets=400, simulate=repeated(_any_red),
    ),
    *(
        Check(
            f"gate_margin_{word}_{board}", "compare.gate.decide",
            f"at most 5 %: 'worse>2' {word} a version that is worse by exactly 2 points",
            f"{title}, a model drawn at random, three runs each", **SIZE, data_sets=2000,
            simulate=repeated(partial(_at_the_margin, [board], code)),
        )
        for board, title in BOARDS.items() for word, code in (("fails", 3), ("passes", 0))
    ),
    Check(
        "gate_margin_suite", "compare.gate.decide",
        "at most 5 %: any task fails 'worse>2', where each is worse by exactly 2 points",
        f"{TASKS} tasks, three runs each", **SIZE, data_sets=400,
        simulate=repeated(partial(_at_the_margin, [*BOARDS] * (TASKS // len(BOARDS)), 3)),
    ),
    *(
        Check(
            f"gate_peeking_{board}", "compare.sequential.repeated_p",
            "at most 5 %: worse at any look, where nothing changed",
            f"{title}, a look after each of {MOST_RUNS} runs",
            **SIZE, data_sets=600, simulate=repeated(partial(_peeked, board)),
        )
        for board, title in BOARDS.items()
    ),
    *(
        check
        for board, most in (("human_eval_plus", 0.75), ("math500", 0.5))
        for check in (
            Check(
                f"gate_power_{board}", "compare.sequential.repeated_p",
                f"a drop is found as often as by {FIXED_RUNS} runs",
                f"{BOARDS[board]}, models whose truths differ by 2 to 8 points, at most "
                f"{MOST_RUNS} runs", 0.8, "more", 1000, partial(_power, board),
            ),
            Check(
                f"gate_runs_{board}", "compare.sequential.repeated_p",
                f"at most {most:g} of the {FIXED_RUNS} runs are needed",
                f"{BOARDS[board]}, models whose truths differ by 2 to 8 points, at most "
                f"{MOST_RUNS} runs", most, "fewer", 1000, partial(_share_of_runs, board, most),
            ),
        )
    ),
)  # fmt: skip
