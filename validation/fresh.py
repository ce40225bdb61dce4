"""What a card says on held-out distributions of true scores, and on boards drawn from real answers.

The prior weights of P(saturated) were set on the twenty distributions of :mod:`validation.index`.
Here are fourteen of other kinds, and boards from real item banks: some of the respondents answer
200 of its items, drawn with replacement, so that their shares right of all items are their true
scores, and their dependence is real.
"""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.adaptive import names
from saturation.adaptive.frontier import embedded
from saturation.index import saturation_index
from saturation.leaderboard import top
from saturation.leaderboard.top import unpooled_error
from saturation.seeds import generator
from saturation.statistics import intervals
from saturation.statistics import pairs as statistics_pairs
from validation.check import COVERAGE, Check, Outcome, Rng
from validation.index import (
    CARD_INDEX,
    TOGETHER,
    Law,
    Statement,
    Statements,
    answered,
    calibration_checks,
    range_check,
    range_holds,
    said_by_scores,
    said_of_tops,
)

Floats = NDArray[np.float64]

K, ITEMS, LEVEL, POWER = 5, 200, 0.95, 0.8
SETTINGS = tuple(top.Settings(k=K, alpha=alpha, k_grid=()) for alpha in (1.0, 0.75, 0.5))
# Gaps at which the index of 200 items reaches 0.7 at these alphas, in errors of one score.
WIDTHS = (0.84, 1.6, 3.2)
# Models of boards of which only the best are known.
MOST = 1000
# A pair is asked for the difference that can be found if its own is about that, in the whole bank.
ABOUT = (0.8, 1.25)


def _families(rng: Rng, m: int) -> Floats:
    """Siblings are nearly tied."""
    of = rng.integers(0, max(2, m // 4), m)
    return rng.normal(0, 2, m)[of] + rng.normal(0, 0.15, m)


def _leapfrog(rng: Rng, m: int) -> Floats:
    """A frontier that each third model moves on; the others lag behind it."""
    frontier = np.cumsum(rng.exponential(0.6, m))
    return frontier - np.where(rng.random(m) < 1 / 3, 0, rng.exponential(2, m))


def _breakaway(rng: Rng, m: int) -> Floats:
    """The best leads by a gap of Pareto's law."""
    true = rng.normal(0, 0.7, m)
    true[true.argmax()] += rng.pareto(1.5)
    return true


def _large_and_small(rng: Rng, m: int) -> Floats:
    """Most of the large ones are near the best, the small ones far behind."""
    large = rng.random(m) < 0.6
    return np.where(large, -rng.exponential(0.8, m), -6 - rng.exponential(3, m))


def _anew(rng: Rng, m: int) -> Floats:
    """Each board has a law of its own, drawn from a Dirichlet process."""
    seat = np.arange(m)
    for model in range(1, m):
        if rng.random() > 3 / (3 + model):
            seat[model] = seat[rng.integers(model)]
    return rng.normal(0, 2.5, m)[seat] + rng.normal(0, 0.2, m)


# Laws of the true scores of a board, in standard errors of one score.
LAWS: dict[str, Law] = {
    "families of siblings": _families,
    "leapfrogging frontier": _leapfrog,
    "one breaks away": _breakaway,
    "Pareto upwards": lambda rng, m: rng.pareto(2.0, m),
    "lognormal upwards": lambda rng, m: 0.7 * rng.lognormal(0, 1, m),
    "half at a ceiling": lambda rng, m: np.clip(rng.normal(0, 2, m), None, 0),
    "lognormal below a ceiling": lambda rng, m: -rng.lognormal(0, 1.5, m),
    "large and small": _large_and_small,
    "evenly spaced": lambda rng, m: rng.uniform(0.1, 1) * np.arange(float(m)),
    "stairs of equals": lambda rng, m: -2.0 * rng.geometric(0.4, m).astype(float),
    "at both ends": lambda rng, m: 6 * rng.beta(0.4, 0.4, m),
    "normal abilities": lambda rng, m: 12 * special.expit(rng.normal(1, 2, m)),
    "drawn anew": _anew,
    "normal of any width": lambda rng, m: (
        np.exp(rng.uniform(np.log(0.1), np.log(10))) * rng.normal(0, 1, m)
    ),
}


class Drawn(NamedTuple):
    """A board drawn from a real bank, and what a card has of it."""

    # Answers of its models to all items of the bank, items by models, in the order m0, m1, ...
    population: Floats
    board: pd.DataFrame
    items: tuple[pd.DataFrame, pd.Series]

    @property
    def true(self) -> Floats:
        """True scores, in the order m0, m1, ..."""
        scores: Floats = self.population.mean(axis=0)
        return scores


class Judged(NamedTuple):
    """What a card says of one board besides P(saturated), and whether it is so."""

    # The interval of S holds the true index of the truly best and the truly fifth model.
    interval: bool
    # All truly best models are tied with the leader.
    group: bool
    # All true ranks lie in their intervals at once.
    ranks: bool
    # The stated power for a pair's true difference, missing where no model is about so far from the
    # best, and whether that pair differs significantly.
    power: float
    told: bool


@cache
def law_statements(m: int, boards: int) -> Floats:
    """What is said of boards of m models, of each law in turn: shape (boards, 4)."""
    rng, laws = generator(0, "simulation", "fresh", "laws", m), list(LAWS.values())
    said = [
        said_by_scores(laws[board % len(laws)], WIDTHS[board // len(laws) % len(WIDTHS)], m, rng)
        for board in range(boards)
    ]
    return np.array(said, float)


@cache
def top_statements(boards: int) -> Floats:
    """What is said of boards of which the five best are known, sixty at once: shape (boards, 4)."""
    rng, laws = generator(0, "simulation", "fresh", "tops"), list(LAWS.values())

    def draw() -> Floats:
        m = int(np.exp(rng.uniform(np.log(K), np.log(MOST))))
        law = laws[int(rng.integers(len(laws)))]
        return law(rng, m) * float(np.exp(rng.uniform(-1, 1)))

    return np.vstack([said_of_tops(draw, rng) for _ in range(max(1, boards // TOGETHER))])


@cache
def bank_statements(m: int, boards: int) -> Floats:
    """What is said of boards of m respondents, of each bank in turn: shape (boards, 4)."""
    rng = generator(0, "simulation", "fresh", "banks", m)
    return np.array([_said(*_draw(m, board, rng)) for board in range(boards)], float)


@cache
def judged(m: int, boards: int) -> pd.DataFrame:
    """Boards of m respondents, of each bank in turn: a :class:`Judged` a row."""
    rng = generator(0, "simulation", "fresh", "judged", m)
    return pd.DataFrame([_judge(*_draw(m, board, rng)) for board in range(boards)])


def _draw(m: int, board: int, rng: Rng) -> tuple[Drawn, top.Settings]:
    banks = list(names.RESPONDENTS)
    bank = _bank(banks[board % len(banks)])
    population = bank[:, rng.choice(bank.shape[1], m, replace=False)]
    of_card = answered(population[rng.integers(0, len(bank), ITEMS)])
    return Drawn(population, *of_card), SETTINGS[board // len(banks) % len(SETTINGS)]


@cache
def _bank(name: str) -> Floats:
    """Answers, items by respondents."""
    return np.ascontiguousarray(embedded(name).bank.responses.T, float)


def _said(drawn: Drawn, settings: top.Settings) -> Statement:
    index = top.index(drawn.board, *drawn.items, settings)
    first, other = (int(name[1:]) for name in (index.first, index.kth))
    near = _true_index(drawn, first, other, settings) >= settings.saturated_from
    return index.p_saturated, near, index.p_saturated_lowest, index.p_saturated_highest


def _true_index(drawn: Drawn, one: int, other: int, settings: top.Settings) -> float:
    return float(saturation_index(drawn.true[one], drawn.true[other], ITEMS, settings.alpha))


def _judge(drawn: Drawn, settings: top.Settings) -> Judged:
    independent, paired = top.all_pairs(drawn.board, *drawn.items, len(drawn.board))
    pairs = independent if paired is None else paired
    return Judged(_held(drawn, settings), *_placed(drawn, pairs), *_found(drawn, pairs))


def _held(drawn: Drawn, settings: top.Settings) -> bool:
    best, fifth = (int(place) for place in np.argsort(-drawn.true, kind="stable")[[0, K - 1]])
    named = drawn.board["model"].isin([f"m{best}", f"m{fifth}"])
    index = top.index(drawn.board[named].reset_index(drop=True), *drawn.items, settings)
    # Rounding decides nothing where the true index is 1.
    true = _true_index(drawn, best, fifth, settings)
    return index.lower - 1e-9 <= true <= index.upper + 1e-9


def _placed(drawn: Drawn, pairs: statistics_pairs.Pairs) -> tuple[bool, bool]:
    """Whether the tie group holds the truly best, and the intervals all true ranks."""
    true = drawn.true[drawn.board["model"].str[1:].astype(int)]
    adjusted = statistics_pairs.adjusted_pairs(pairs.p_value)
    group = statistics_pairs.tie_group(adjusted, LEVEL)
    ranks = statistics_pairs.rank_intervals(pairs.difference, adjusted, LEVEL)
    first = 1 + (true[None, :] > true[:, None]).sum(axis=1)
    last = (true[None, :] >= true[:, None]).sum(axis=1)
    held = (ranks[:, 0] <= first) & (ranks[:, 1] >= last)
    return bool(group[true == true.max()].all()), bool(held.all())


def _found(drawn: Drawn, pairs: statistics_pairs.Pairs) -> tuple[float, bool]:
    """Said power, and whether it is told from the best, of a model that is about so far from it."""
    best = int(drawn.true.argmax())
    ahead = drawn.population[:, [best]] - drawn.population
    gap, spread = ahead.mean(axis=0), ahead.std(axis=0)
    reach = statistics_pairs.minimum_detectable_difference(1.0, LEVEL, POWER)
    asked = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0) * ITEMS**0.5 / reach
    other = int(np.abs(asked - 1).argmin())
    if not ABOUT[0] <= asked[other] <= ABOUT[1]:
        return float("nan"), False
    one, two = (int(np.flatnonzero(drawn.board["model"] == f"m{place}")[0])
                for place in (best, other))  # fmt: skip
    detectable = statistics_pairs.minimum_detectable_difference(
        unpooled_error(drawn.board, pairs, one, two), LEVEL, POWER, float(pairs.degrees[one, two])
    )
    power = special.ndtr(gap[other] / detectable * reach - intervals.normal_quantile(LEVEL))
    return float(power), bool(pairs.p_value[one, two] <= 1 - LEVEL)


def _share(column: str, m: int, _rng: Rng, boards: int) -> Outcome:
    return Outcome(int(judged(m, boards)[column].sum()), boards)


def _powers(m: int, _rng: Rng, boards: int) -> Outcome:
    asked = judged(m, boards).dropna(subset=["power"])
    return Outcome(int(asked["told"].sum()), len(asked), float(asked["power"].mean()))


def _laws_in_range(m: int, _rng: Rng, boards: int) -> Outcome:
    """Laws on whose boards the range, on average, meets the share of boards and its error."""
    statements = law_statements(m, boards)
    held = [range_holds(statements[law :: len(LAWS)]) for law in range(min(len(LAWS), boards))]
    return Outcome(sum(held), len(held))


CLOSE = "saturation.statistics.shrinkage.close"
TOPS = 12_000
BOARDS = {20: 6000, 50: 6000}
DRAWN = {20: 6000, 50: 3000}
JUDGED = {20: 1000, 50: 500}
UNSET = "fourteen laws that nothing was set on"
OF_BANKS = "respondents and 200 items of ten real banks"
# Of checks: the end of their names, estimator, scenario, number of boards, what is said of these.
PREDICTED: list[tuple[str, str, str, int, Statements]] = [
    ("tops", f"{CLOSE}_at_the_top", f"the best five of 5 to {MOST:,} models, {UNSET}", TOPS,
     top_statements),
    *((f"laws_{m}", CLOSE, f"boards of {m} models, {UNSET}", boards, partial(law_statements, m))
      for m, boards in BOARDS.items()),
    *((f"banks_{m}", CLOSE, f"{m} {OF_BANKS}", boards, partial(bank_statements, m))
      for m, boards in DRAWN.items()),
]  # fmt: skip


def _bank_check(column: str, m: int) -> Check:
    estimator, statement = {
        "interval": (
            CARD_INDEX,
            "the 95 % interval holds the index of the two true scores, of the truly best and fifth",
        ),
        "group": (
            "statistics.pairs.tie_group",
            "the 95 % tie group holds all truly best models",
        ),
        "ranks": (
            "statistics.pairs.rank_intervals",
            "the 95 % rank intervals hold the true ranks of all models at once",
        ),
    }[column]
    return Check(
        f"fresh_{column}_{m}", estimator, statement, f"{m} {OF_BANKS}",
        **COVERAGE, data_sets=JUDGED[m], simulate=partial(_share, column, m),
    )  # fmt: skip


CHECKS = (
    *(
        check
        for name, estimator, scenario, boards, statements in PREDICTED
        for check in (
            *calibration_checks(f"fresh_p_{name}", estimator, scenario, boards, statements),
            range_check(f"fresh_range_{name}", estimator, scenario, boards, statements),
        )
    ),
    Check(
        "fresh_range_each_law_20", CLOSE,
        "laws on whose boards the range beside P(saturated), on average, holds how often the two "
        "true scores have such an index",
        f"boards of 20 models, {UNSET}", stated=1.0, safe="neither",
        data_sets=BOARDS[20], simulate=partial(_laws_in_range, 20),
    ),
    _bank_check("interval", 20),
    *(_bank_check(column, m) for column in ("group", "ranks") for m in JUDGED),
    Check(
        "fresh_power_20", "leaderboard.top.power",
        "a difference about as large as the one that can be found in 80 % is found as often as "
        "the stated one says",
        f"20 {OF_BANKS}, the best and one about so far behind",
        stated=POWER, safe="more", data_sets=JUDGED[20], simulate=partial(_powers, 20),
    ),
)  # fmt: skip
