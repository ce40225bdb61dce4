"""What a card says on boards drawn from real answers.

Some of the respondents of an item bank answer 200 of its items, drawn with replacement, so that
their shares right of all items are their true scores, and their dependence is real.
"""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.adaptive import names
from saturation.adaptive.responses import embedded
from saturation.index import saturation_index
from saturation.leaderboard import top
from saturation.leaderboard.sizes import contrast
from saturation.seeds import generator
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics.power import Contrast, detectable_difference
from validation.check import COVERAGE, Check, Outcome, Rng
from validation.index import CARD_INDEX, answered

Floats = NDArray[np.float64]

K, ITEMS, CONFIDENCE, POWER = 5, 200, 0.95, 0.8
SETTINGS = tuple(top.Settings(k=K, alpha=alpha, k_grid=()) for alpha in (1.0, 0.75, 0.5))
# A pair is asked for the difference that can be found if its own is about that, in the whole bank.
ABOUT = (0.8, 1.25)


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
    """What a card says of one board, and whether it is so."""

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
def judged(m: int, boards: int) -> pd.DataFrame:
    """Boards of m respondents, of each bank in turn: a :class:`Judged` a row."""
    rng = generator(0, "simulation", "fresh", "judged", m)
    return pd.DataFrame([_judge(*draw_board(m, board, rng)) for board in range(boards)])


def draw_board(m: int, board: int, rng: Rng) -> tuple[Drawn, top.Settings]:
    """A board of m respondents of the banks in turn, and the settings of the card."""
    banks = list(names.RESPONDENTS)
    bank = _bank(banks[board % len(banks)])
    population = bank[:, rng.choice(bank.shape[1], m, replace=False)]
    of_card = answered(population[rng.integers(0, len(bank), ITEMS)])
    return Drawn(population, *of_card), SETTINGS[board // len(banks) % len(SETTINGS)]


@cache
def _bank(name: str) -> Floats:
    """Answers, items by respondents."""
    return np.ascontiguousarray(embedded(name).bank.responses.T, float)


def true_index(drawn: Drawn, one: int, other: int, settings: top.Settings) -> float:
    """The index of the true scores of two models."""
    return float(saturation_index(drawn.true[one], drawn.true[other], ITEMS, settings.alpha))


def _judge(drawn: Drawn, settings: top.Settings) -> Judged:
    pairs = top.deciding(top.all_pairs(drawn.board, drawn.items, len(drawn.board)))
    return Judged(_held(drawn, settings), *_placed(drawn, pairs), *_found(drawn, pairs))


def _held(drawn: Drawn, settings: top.Settings) -> bool:
    best, fifth = (int(place) for place in np.argsort(-drawn.true, kind="stable")[[0, K - 1]])
    named = drawn.board["model"].isin([f"m{best}", f"m{fifth}"])
    index = top.index(drawn.board[named].reset_index(drop=True), drawn.items, settings)
    # Rounding decides nothing where the true index is 1.
    true = true_index(drawn, best, fifth, settings)
    return index.lower - 1e-9 <= true <= index.upper + 1e-9


def _placed(drawn: Drawn, pairs: statistics_pairs.Pairs) -> tuple[bool, bool]:
    """Whether the tie group holds the truly best, and the intervals all true ranks."""
    true = drawn.true[drawn.board["model"].str[1:].astype(int)]
    adjusted = statistics_pairs.adjust_pairs(pairs.p_value)
    may_lead = top.contenders(drawn.board, pairs, 1)
    group = statistics_pairs.tie_group(
        statistics_pairs.adjust_pairs(pairs.p_value, may_lead), CONFIDENCE
    )
    ranks = statistics_pairs.rank_intervals(pairs.difference, adjusted, CONFIDENCE)
    first = 1 + (true[None, :] > true[:, None]).sum(axis=1)
    last = (true[None, :] >= true[:, None]).sum(axis=1)
    held = (ranks[:, 0] <= first) & (ranks[:, 1] >= last)
    return bool(group[true == true.max()].all()), bool(held.all())


def _found(drawn: Drawn, pairs: statistics_pairs.Pairs) -> tuple[float, bool]:
    """Said power, and whether it is told from the best, of a model that is about so far from it."""
    best = int(drawn.true.argmax())
    ahead = drawn.population[:, [best]] - drawn.population
    gap, spread = ahead.mean(axis=0), ahead.std(axis=0)
    reach = detectable_difference(Contrast(0.0, 1.0), 1 - CONFIDENCE, POWER)
    asked = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0) * ITEMS**0.5 / reach
    other = int(np.abs(asked - 1).argmin())
    if not ABOUT[0] <= asked[other] <= ABOUT[1]:
        return float("nan"), False
    one, two = (int(np.flatnonzero(drawn.board["model"] == f"m{place}")[0])
                for place in (best, other))  # fmt: skip
    stated = contrast(drawn.board, pairs, one, two, bounded=True).power(gap[other], 1 - CONFIDENCE)
    return stated, bool(pairs.p_value[one, two] <= 1 - CONFIDENCE)


def _share(column: str, m: int, _rng: Rng, boards: int) -> Outcome:
    return Outcome(int(judged(m, boards)[column].sum()), boards)


def _powers(m: int, _rng: Rng, boards: int) -> Outcome:
    asked = judged(m, boards).dropna(subset=["power"])
    return Outcome(int(asked["told"].sum()), len(asked), float(asked["power"].mean()))


JUDGED = {20: 1000, 50: 500}
OF_BANKS = "respondents and 200 items of ten real banks"


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
