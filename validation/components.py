"""The two errors of a difference, and plans by them, where about 1,100 answers tell the truth.

A data set draws items of an embedded benchmark with replacement and a few answers to each, for two
of its five best models; the truth is that of all its items and answers.
"""

from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.files import formats
from saturation.statistics import components
from validation.check import COVERAGE, Check, Outcome, Rng, repeated

Floats = NDArray[np.float64]

RESOURCES = Path(__file__).parents[1] / "resources" / "boards"
BENCHMARKS = ("aime2024", "aime2025", "human_eval_plus", "math500")
# Where runs make at least eight tenths of the variance of one run.
RUNS_DOMINATE = ("aime2024", "aime2025")
TOP, RUNS, FEWEST_ANSWERS = 5, 3, 1000
# Limits of what infinitely many runs leave need fifty items: of smaller benchmarks more are drawn.
FEWEST_ITEMS = 60
# Answers of a budget for each item that there is, and what a new item costs in answers.
BUDGET, ITEM_COST = 3, 10.0


@lru_cache
def shares(benchmark: str) -> Floats:
    """Items by the five best models with about 1,100 answers."""
    listed = pd.read_csv(RESOURCES / "evaluations.csv").query("board == @benchmark")
    known = listed.loc[listed["answers"] >= FEWEST_ANSWERS, "evaluation"]
    table = formats.read(RESOURCES / "responses" / f"{benchmark}.parquet")[list(known)]
    best = table.mean().sort_values(ascending=False, kind="stable").index[:TOP]
    return np.asarray(table[best].to_numpy())


def truth(pair: Floats) -> components.Components:
    """The components of two models whose shares are known."""
    items = float((pair[:, 0] - pair[:, 1]).var())
    answers = float((pair * (1 - pair)).sum(axis=1).mean())
    return components.Components(items, answers, 0.0, np.zeros((len(pair), 2)))


def _drawn(
    benchmark: str, rng: Rng, runs: int, fewest: int = 0
) -> tuple[Floats, components.Components]:
    """Two models' true shares, and the components as a few answers to drawn items show them."""
    pair = shares(benchmark)[:, np.sort(rng.choice(TOP, 2, replace=False))]
    items = pair[rng.integers(0, len(pair), max(len(pair), fewest))]
    found = components.estimate_from_shares(rng.binomial(runs, items) / runs, [runs, runs])
    return pair, components.decompose(found)


def _contains(benchmark: str, known: int, runs: float, rng: Rng) -> bool | None:
    """The interval of the error with so many runs contains the truth."""
    pair, found = _drawn(benchmark, rng, known, FEWEST_ITEMS if np.isinf(runs) else 0)
    error, n = found.error(runs), len(found.without)
    if np.isnan(error.upper):
        return None
    return bool(error.lower <= np.sqrt(truth(pair).variance(n, runs)) <= error.upper)


def _close(benchmark: str, runs: float, rng: Rng, data_sets: int) -> Outcome:
    """The median over pairs of the predicted error is within 10 % of that on the same items."""
    table = shares(benchmark)
    pairs = [(a, b) for a in range(TOP) for b in range(a + 1, TOP)]
    off = np.empty((data_sets, len(pairs)))
    for row in range(data_sets):
        drawn = rng.binomial(RUNS, table) / RUNS
        for place, pair in enumerate(pairs):
            answers = components.estimate_from_shares(drawn[:, pair], [RUNS] * 2)
            error = components.decompose(answers).error(runs).value
            true = np.sqrt(truth(table[:, pair]).variance(len(table), runs))
            off[row, place] = abs(error / true - 1)
    # The median over pairs, in each data set.
    return Outcome(int((np.median(off, axis=1) <= 0.1).sum()), data_sets)


def _plan_is_good(benchmark: str, cost: float, gain: float, rng: Rng) -> bool:
    """The plan's true error is at most this share of that of every item once, at equal cost."""
    pair, found = _drawn(benchmark, rng, RUNS)
    known, n = truth(pair), len(pair)
    budget = BUDGET * n * (1 + cost)
    # Items are limited to those that there are, unless new ones can be bought.
    most = n if cost == 0 else 10 * n
    plan = found.plan(budget, most, item_cost=cost)
    once = min(most, int(budget / (1 + cost)))
    return bool(known.variance(plan.items, plan.runs) <= gain**2 * known.variance(once, 1))


CHECKS = (
    *(
        Check(
            f"components_{benchmark}_{name}", "statistics.components.decompose",
            f"the 95 % interval contains the error of a difference with {said}",
            f"{benchmark}, two of the five best models, items drawn"
            f"{f' (at least {FEWEST_ITEMS})' if np.isinf(runs) else ''}, {known} answers to each",
            **COVERAGE, data_sets=1000,
            simulate=repeated(partial(_contains, benchmark, known, runs)),
        )
        for benchmark in BENCHMARKS
        for name, said, known, runs in (
            ("one", "one run", RUNS, 1),
            ("ten", "ten runs", RUNS, 10),
            ("items", "infinitely many runs", 11, np.inf),
        )
    ),
    *(
        Check(
            f"components_{benchmark}_within_{name}", "statistics.components.decompose",
            f"the predicted error with {said} lies within 10 % of the truth, median over pairs",
            f"{benchmark}, all pairs of the five best models, its items, {RUNS} answers to each",
            stated=0.5, safe="more", data_sets=400, simulate=partial(_close, benchmark, runs),
        )
        for benchmark in BENCHMARKS
        for name, said, runs in (("one", "one run", 1), ("ten", "ten runs", 10))
    ),
    *(
        Check(
            f"components_{benchmark}_plan_{name}_{100 * gain:.0f}", "statistics.components.plan",
            f"the plan's true error is at most {gain:g} times that of every item once",
            f"{benchmark}, two of the five best models, items drawn, {RUNS} answers to each; {of}",
            stated=stated, safe="more", data_sets=400,
            simulate=repeated(partial(_plan_is_good, benchmark, cost, gain)),
        )
        for gain, stated, benchmarks in ((1.02, 0.95, BENCHMARKS), (0.7, 0.5, RUNS_DOMINATE))
        for benchmark in benchmarks
        for name, of, cost in (
            ("repeats", f"{BUDGET} answers an item may be spent, of which one each is a part", 0.0),
            ("buys", f"at equal cost, where a new item costs {ITEM_COST:g} answers", ITEM_COST),
        )
    ),
)  # fmt: skip
