"""Alpha from item responses, its pooling, and items against the rest, where the truth is known."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from studies.boards import alpha, pooling
from validation.check import COVERAGE, Check, Outcome, Rng, repeated

Floats = NDArray[np.float64]

CONFIDENCE = 0.95
# A board of so many items is as good as known.
LARGE = 200_000
# Abilities of the top models, on the logit, and the spread of how easy items are.
ABILITIES = np.array([1.5, 1.3, 1.2, 1.1, 1.0])
EASE = 1.5
# How a model takes to a group of items, on the logit.
AFFINITY = 0.6
# Boards of each origin, and the errors of their alphas, as embedded.
ORIGINS = np.repeat(np.arange(8), [1, 3, 1, 1, 1, 16, 2, 1])
ERRORS = np.array([0.005, 0.015, 0.059, 0.008, 0.001, 0.008, 0.013, 0.041, 0.073, 0.019, 0.008,
                   0.008, 0.004, 0.006, 0.004, 0.025, 0.005, 0.022, 0.015, 0.004, 0.010, 0.008,
                   0.008, 0.006, 0.004, 0.013])  # fmt: skip
MEAN = 1.12


@dataclass(frozen=True)
class Board:
    """A data-generating process of boards."""

    n_items: int
    # right or wrong, shares of eight runs, or grades.
    answers: str = "right or wrong"
    # none, or sixteen groups of items that models take to differently: equal or unequal (the
    # largest are some three times the smallest).
    groups: str = "none"

    def __str__(self) -> str:
        hang = "" if self.groups == "none" else f", sixteen {self.groups} groups resampled"
        return f"five models, {self.n_items} items, {self.answers}{hang}"

    @property
    def single_run(self) -> bool:
        """Whether answers are shares over runs, of which one is asked for."""
        return self.answers.startswith("shares")

    def draw(self, rng: Rng, copies: int = 1) -> tuple[Floats, NDArray[np.int_]]:
        """Answers, items by models, and the items' groups; of so many boards in one."""
        groups = self._groups(copies)
        affinity = AFFINITY if self.groups != "none" else 0.0
        logit = ABILITIES + rng.normal(0, EASE, (len(groups), 1))
        logit = logit + rng.normal(0, affinity, (groups[-1] + 1, len(ABILITIES)))[groups]
        if self.answers == "grades":
            return special.expit(logit + rng.normal(0, 1, logit.shape)), groups
        runs = 8 if self.single_run else 1
        return rng.binomial(runs, special.expit(logit)) / runs, groups

    def _groups(self, copies: int) -> NDArray[np.int_]:
        if self.groups == "none":
            return np.arange(self.n_items * copies)
        weights = np.ones(16) if self.groups == "equal" else np.linspace(1, 3, 16)
        ends = np.round(np.cumsum(weights) / weights.sum() * self.n_items).astype(int)
        sizes = np.diff(ends, prepend=0)
        return np.repeat(np.arange(16 * copies), np.tile(sizes, copies))

    def log_ratio(self, rng: Rng, last: bool) -> tuple[alpha.Estimate, int]:
        """Estimate on one drawn board, and its number of items; of the first and last if asked."""
        answers, groups = self.draw(rng)
        return self._estimate(answers, groups, last), len(answers)

    def truth(self, last: bool) -> float:
        """The log ratio of a board so large that it is as good as known."""
        answers, groups = self.draw(np.random.default_rng(0), LARGE // self.n_items + 1)
        return self._estimate(answers, groups, last).value

    def _estimate(self, answers: Floats, groups: NDArray[np.int_], last: bool) -> alpha.Estimate:
        found = alpha.ratios(answers, groups, self.single_run)
        chosen = (found.pairs == [0, len(ABILITIES) - 1]).all(axis=1) if last else None
        return alpha.jackknife(found, chosen)


def _alpha_holds(board: Board, last: bool, rng: Rng, data_sets: int) -> Outcome:
    """The interval of alpha contains the one of the same models on all items."""
    truth = board.truth(last)

    def holds(rng: Rng) -> bool | None:
        found, n = board.log_ratio(rng, last)
        _, lower, upper = found.alpha(n, CONFIDENCE)
        return None if np.isnan(lower) else bool(lower <= 1 + truth / np.log(n) <= upper)

    return repeated(holds)(rng, data_sets)


def _pooled_holds(between_groups: float, between_units: float, new: bool, rng: Rng) -> bool:
    """The pooled interval contains the mean, or the one for a new unit of a new group that unit."""
    deviations = rng.normal(0, between_groups, ORIGINS[-1] + 2)
    units = MEAN + deviations[ORIGINS] + rng.normal(0, between_units, len(ORIGINS))
    found = pooling.pool(units + rng.normal(0, ERRORS), ERRORS, ORIGINS)
    if new:
        lower, upper = found.prediction(CONFIDENCE)
        target = MEAN + deviations[-1] + rng.normal(0, between_units)
        return bool(lower <= target <= upper)
    lower, upper = found.interval(CONFIDENCE)
    return bool(lower <= MEAN <= upper)


BOARDS = {
    "45_shares": Board(45, "shares of eight runs"),
    "200": Board(200),
    "200_shares": Board(200, "shares of eight runs"),
    "1000": Board(1000),
    "1000_grades": Board(1000, "grades"),
    "1000_equal": Board(1000, groups="equal"),
    "1000_unequal": Board(1000, groups="unequal"),
    "4000_unequal": Board(4000, groups="unequal"),
}
# Standard deviations of origins and of boards.
SPREADS = {"alike": (0.0, 0.03), "apart": (0.04, 0.03), "groups_only": (0.04, 0.0)}

CHECKS = (
    *(
        Check(
            f"boards_alpha_{name}{'_pair' if last else ''}", "boards.alpha.jackknife",
            "the 95 % interval contains alpha of "
            + ("the first and the fifth" if last else "the top, a mean over pairs"),
            str(board), **COVERAGE, data_sets=2000, simulate=partial(_alpha_holds, board, last),
        )
        for name, board in BOARDS.items()
        for last in (False, True)
    ),
    *(
        Check(
            f"boards_pooled_{name}{'_new' if new else ''}", "boards.pooling.pool",
            "the 95 % interval contains "
            + ("alpha of a new board of a new origin" if new else "the mean alpha"),
            "26 boards of 8 origins, one of them with 16, standard deviations "
            f"{between:g} of origins and {within:g} of boards",
            **COVERAGE, data_sets=1000,
            simulate=repeated(partial(_pooled_holds, between, within, new)),
        )
        for name, (between, within) in SPREADS.items()
        for new in (False, True)
    ),
)  # fmt: skip
