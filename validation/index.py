"""The saturation index's interval, and the gap of equal models, under known truth."""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import GapModel, index_limits, interval_of_proportions, saturation_index
from saturation.leaderboard import top
from saturation.statistics import intervals, standard_errors
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, Simulate, repeated

Floats = NDArray[np.float64]

# True gaps of the two models, in standard errors.
GAPS = (0.0, 0.05, 0.1, 0.25, 1.0, 2.0, 3.0)

K = 5
SETTINGS = top.Settings(k=K, alpha=1.0, k_grid=())
NOTHING = (pd.DataFrame(), pd.Series(dtype=str))


def _covered(true: Floats | float, limits: tuple[Floats, Floats]) -> Outcome:
    # Rounding decides nothing where the true index is 1.
    inside = (limits[0] <= true + 1e-12) & (limits[1] >= true - 1e-12)
    return Outcome(int(inside.sum()), len(inside))


def _independent(
    n: int, middle: float, gap: float, alpha: float, rng: Rng, data_sets: int
) -> Outcome:
    """Two models, each with its own n items."""
    half = gap * np.sqrt(2 * middle * (1 - middle) / n) / 2
    first, second = middle + half, middle - half
    s_1, s_k = (rng.binomial(n, p, data_sets) / n for p in (first, second))
    true = saturation_index(first, second, n, alpha)
    return _covered(true, interval_of_proportions(s_1, s_k, n, n, alpha))


def _paired(n: int, gap: float, rng: Rng, data_sets: int) -> Outcome:
    """Two models on the same n items, whose difficulty is uniform."""
    # Of what the first solves, the second misses a share; answers are independent given the item.
    lost = gap * np.sqrt(1 / 3 / n) / 0.5
    both = (1 - lost) / 3
    chances = [both, 0.5 - both, 0.5 * (1 - lost) - both]
    counts = rng.multinomial(n, [*chances, 1 - sum(chances)], data_sets)
    s_1, s_k = (counts[:, [0, other]].sum(axis=1) / n for other in (1, 2))
    lower, upper = intervals.paired_proportions(counts[:, 1], counts[:, 2], n)
    scale = GapModel.fit_scores(s_1, s_k, n).scale
    true = saturation_index(0.5, 0.5 * (1 - lost), n)
    return _covered(true, index_limits(lower, upper, scale, scale))


def _normal(gap: float, rng: Rng, data_sets: int) -> Outcome:
    """A gap whose standard error is known."""
    measured = GapModel(rng.normal(gap, 1, data_sets), np.array(2.0), np.array(1.0))
    return _covered(np.exp(-((gap / 2) ** 2)), measured.interval())


def _equal(m: int, n: int, shared: bool, rng: Rng) -> bool:
    """Whether the gap of m equal models is found too large at 5 %."""
    chance = rng.random((n, 1)) if shared else np.full((n, 1), 0.8)
    board, items = answered((rng.random((n, m)) < chance).astype(float))
    index = top.index(board, items if shared else NOTHING, SETTINGS)
    return bool(index.all_equal.p_value <= 0.05)


def answered(right: Floats) -> tuple[pd.DataFrame, tuple[pd.DataFrame, pd.Series]]:
    """Scores with errors, best first, and the items, as a card has them.

    Of answers, items by models, 0 or 1; the models are called m0, m1, ...
    """
    n, m = right.shape
    matrix = pd.DataFrame(right, columns=[f"m{place}" for place in range(m)])
    score = right.mean(axis=0)
    error = np.maximum(right.std(axis=0, ddof=1) / np.sqrt(n), standard_errors.binomial_error(1, n))
    board = pd.DataFrame(
        {"model": matrix.columns, "score": score, "standard_error": error, "n_items": float(n)}
    ).assign(error_source="items")
    clusters = pd.Series(matrix.index.astype(str), index=matrix.index)
    return board.sort_values("score", ascending=False, ignore_index=True), (matrix, clusters)


CARD_INDEX = "saturation.leaderboard.top.index"
PROPORTIONS = "saturation.index.interval_of_proportions"


def _interval_check(
    name: str, scenario: str, simulate: Simulate, estimator: str,
) -> Check:  # fmt: skip
    return Check(
        f"index_interval_{name}", estimator,
        "the 95 % interval holds the index of the two true scores", scenario,
        **COVERAGE, data_sets=20_000, simulate=simulate,
    )  # fmt: skip


def _interval_checks(gap: float) -> list[Check]:
    said = f"true gap of {gap:g} standard errors"
    return [
        *(
            _interval_check(
                f"proportions_{n}_{middle:g}_{gap:g}",
                f"two scores around {middle:g} on {n} items each, alpha {alpha:g}, {said}",
                partial(_independent, n, middle, gap, alpha), PROPORTIONS,
            )
            for n, middle, alpha in (
                (20, 0.5, 0.5), (200, 0.5, 1.0), (200, 0.9, 0.5), (2000, 0.98, 0.5)
            )
        ),
        _interval_check(
            f"paired_{gap:g}", f"two models on the same 100 items, {said}",
            partial(_paired, 100, gap), CARD_INDEX,
        ),
        _interval_check(
            f"normal_{gap:g}", f"a normal gap of known error, {said}",
            partial(_normal, gap), "saturation.index.GapModel.interval",
        ),
    ]  # fmt: skip


CHECKS = (
    *(check for gap in GAPS for check in _interval_checks(gap)),
    _interval_check(
        "near_1", "two equal scores of 0.98 on 50 items each: more than stated, never less",
        partial(_independent, 50, 0.98, 0.0, 0.5), PROPORTIONS,
    ),
    *(
        Check(
            f"index_all_equal_{'items' if shared else 'scores'}_{m}_{n}", CARD_INDEX,
            "the gap of equal models has a p-value of at most 0.05 in 5 % of boards",
            f"{m} equal models, {n} items{', the same for all' if shared else ''}",
            **SIZE, data_sets=1000, simulate=repeated(partial(_equal, m, n, shared)),
        )
        for m, n, shared in ((20, 500, False), (20, 500, True), (60, 200, True))
    ),
)  # fmt: skip
