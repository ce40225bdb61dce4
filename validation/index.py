"""The saturation index's interval, P(saturated), and the gap of equal models, under known truth."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import GapModel, index_limits, interval_of_proportions, saturation_index
from saturation.leaderboard import top
from saturation.seeds import generator
from saturation.statistics import intervals, shrinkage, standard_errors
from validation.check import COVERAGE, SIZE, Check, Outcome, Rng, Simulate, repeated

Floats = NDArray[np.float64]
Law = Callable[[Rng, int], Floats]
# Predicted probability, whether it came true, and the lowest and highest over priors.
Statement = tuple[float, bool, float, float]
# Of so many boards: a `Statement` each, shape (boards, 4); the same boards each time.
Statements = Callable[[int], Floats]

# True gaps of the two models, in standard errors.
GAPS = (0.0, 0.05, 0.1, 0.25, 1.0, 2.0, 3.0)

# Laws of the true scores of a board, in standard errors of one score.
LAWS: dict[str, Law] = {
    "all equal": lambda rng, m: rng.normal(0, 0, m),
    "normal 0.1": lambda rng, m: rng.normal(0, 0.1, m),
    "normal 0.3": lambda rng, m: rng.normal(0, 0.3, m),
    "normal 0.6": lambda rng, m: rng.normal(0, 0.6, m),
    "normal 1": lambda rng, m: rng.normal(0, 1, m),
    "normal 2": lambda rng, m: rng.normal(0, 2, m),
    "normal 4": lambda rng, m: rng.normal(0, 4, m),
    "uniform 3": lambda rng, m: rng.uniform(-1.5, 1.5, m),
    "uniform 8": lambda rng, m: rng.uniform(-4, 4, m),
    "two clusters, 6 apart": lambda rng, m: (
        np.where(rng.random(m) < 0.4, 0.0, -6.0) + rng.normal(0, 0.3, m)
    ),
    "two clusters, 3 apart": lambda rng, m: (
        np.where(rng.random(m) < 0.25, 0.0, -3.0) + rng.normal(0, 0.6, m)
    ),
    "three clusters": lambda rng, m: rng.choice([0.0, -2.5, -5], m) + rng.normal(0, 0.2, m),
    "most at the top, 1": lambda rng, m: -rng.exponential(1, m),
    "most at the top, 3": lambda rng, m: -rng.exponential(3, m),
    "most at the bottom, 1": lambda rng, m: rng.exponential(1, m),
    "most at the bottom, 2": lambda rng, m: rng.exponential(2, m),
    "Laplace": lambda rng, m: rng.laplace(0, 1, m),
    "Student t, 3 degrees": lambda rng, m: 1.5 * rng.standard_t(3, m),
    "Student t, 2 degrees": lambda rng, m: 0.7 * rng.standard_t(2, m),
    "Gumbel": lambda rng, m: rng.gumbel(0, 1.5, m),
}
# Gaps at which the index reaches 0.7, in errors of one score: alpha = 1, and alpha = 0.5 with about
# 4 and 30 items; wider ones leave little doubt. The 200 items have 0.84 and 1.6: alpha = 0.75.
WIDTHS = (0.84, 1.2, 2.0)
K = 5
SETTINGS = tuple(top.Settings(k=K, alpha=alpha, k_grid=()) for alpha in (1.0, 0.75))
# Numbers of models from which the five best may be, and on how many boards what is said of all of
# them is found together.
NUMBERS = (5, 20, 100, 1000)
TOGETHER = 60
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
    scale = GapModel.of_scores(s_1, s_k, n).scale
    true = saturation_index(0.5, 0.5 * (1 - lost), n)
    return _covered(true, index_limits(lower, upper, scale, scale))


def _normal(gap: float, rng: Rng, data_sets: int) -> Outcome:
    """A gap whose standard error is known."""
    measured = GapModel(rng.normal(gap, 1, data_sets), np.array(2.0), np.array(1.0))
    return _covered(np.exp(-((gap / 2) ** 2)), measured.interval())


def said_by_scores(
    law: Law, width: float, m: int, rng: Rng, listed: int | None = None
) -> Statement:
    """Of one board whose normal errors are not the same for all models.

    The index reaches its threshold at a gap of `width`. Of a board that is cut only the best,
    `listed` of them, are known.
    """
    errors, true = np.exp(rng.normal(0, 0.2, m)), law(rng, m)
    scores = true + errors * rng.normal(size=m)
    best = np.argsort(-scores)[:listed]
    said = shrinkage.close(scores[best], errors[best], 0, K - 1, width)
    near = bool(abs(true[best[0]] - true[best[K - 1]]) <= width)
    return said.probability, near, said.lowest, said.highest


def _said_by_board(m: int, board: int, rng: Rng, listed: int | None = None) -> Statement:
    law = list(LAWS.values())[board % len(LAWS)]
    return said_by_scores(law, WIDTHS[board // len(LAWS) % len(WIDTHS)], m, rng, listed)


def _said_by_items(m: int, board: int, rng: Rng) -> Statement:
    """Models that answer the same 200 items of mixed difficulty, judged as a card does."""
    n = 200
    law = list(LAWS.values())[board % len(LAWS)]
    # Equal models answer alike to a third: the error apart from the items is a sixth of n.
    true = 0.5 + law(rng, m) * np.sqrt(1 / 6 / n)
    true = np.clip(true, 0.05, 0.95)
    difficulty = rng.random((n, 1))
    # Solved with the item's chance raised to a power: its mean over uniform items is the score.
    right = (rng.random((n, m)) < difficulty ** ((1 - true) / true)).astype(float)
    board_of, items = answered(right)
    settings = SETTINGS[board // len(LAWS) % len(SETTINGS)]
    found = top.index(board_of, *items, settings)
    truth = dict(zip(items[0].columns, true))
    index = saturation_index(truth[found.first], truth[found.kth], n, settings.alpha)
    near = bool(index >= settings.saturated_from)
    return found.p_saturated, near, found.p_saturated_lowest, found.p_saturated_highest


def said_of_tops(draw: Callable[[], Floats], rng: Rng) -> Floats:
    """Of boards of which the five best scores are known: a `Statement` each.

    `draw` gives the true scores of one board, in errors of a score.
    """
    scores, widths, truth = [], [], []
    for _ in range(TOGETHER):
        true = draw()
        measured = true + rng.normal(size=len(true))
        best = np.argsort(-measured)[:K]
        width = float(rng.choice(WIDTHS))
        scores.append(measured[best])
        widths.append(width)
        truth.append(bool(abs(true[best[0]] - true[best[-1]]) <= width))
    found = shrinkage.close_at_the_top(scores, np.ones((TOGETHER, K)), widths, NUMBERS)
    return np.column_stack([found.probability, truth, found.lowest, found.highest])


def _tops(rng: Rng) -> Floats:
    """Boards of 5 to 1,000 models of one law, of many widths."""
    laws: tuple[Law, ...] = (
        lambda rng, m: rng.normal(0, 1, m),
        lambda rng, m: rng.uniform(-1.7, 1.7, m),
        lambda rng, m: -rng.exponential(1, m),
        lambda rng, m: rng.standard_t(4, m) / 1.4,
    )
    law = laws[int(rng.integers(len(laws)))]

    def draw() -> Floats:
        m = int(rng.choice(NUMBERS))
        return law(rng, m) * float(np.exp(rng.uniform(np.log(0.2), np.log(20))))

    return said_of_tops(draw, rng)


@cache
def _statements(scenario: str, data_sets: int) -> Floats:
    """What is said of each board, and whether it is so: a `Statement` each, shape (boards, 4).

    All tenths are read off the same boards, so that these have a seed of their own.
    """
    rng = generator(0, "simulation", "index", scenario)
    if scenario == "tops":
        return np.vstack([_tops(rng) for _ in range(max(1, data_sets // TOGETHER))])
    kind, m = scenario.split()
    kinds: dict[str, Callable[..., Statement]] = {
        "scores": _said_by_board,
        "items": _said_by_items,
        "cut": partial(_said_by_board, listed=K),
    }
    return np.array([kinds[kind](int(m), board, rng) for board in range(data_sets)], float)


def _equal(m: int, n: int, shared: bool, rng: Rng) -> bool:
    """Whether the gap of m equal models is found too large at 5 %."""
    chance = rng.random((n, 1)) if shared else np.full((n, 1), 0.8)
    board, items = answered((rng.random((n, m)) < chance).astype(float))
    index = top.index(board, *(items if shared else NOTHING), SETTINGS[0])
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


def calibration_checks(
    name: str, estimator: str, scenario: str, boards: int, statements: Statements
) -> list[Check]:
    """For each tenth of P(saturated) a check that it is true as often as is predicted."""
    return [
        Check(
            f"{name}_tenth_{tenth}", estimator,
            f"P(saturated) from {tenth / 10:g} to {(tenth + 1) / 10:g}: so often the two true "
            "scores have such an index",
            scenario, stated=(tenth + 0.5) / 10, safe="neither", data_sets=boards,
            simulate=partial(_tenth, statements, tenth),
        )
        for tenth in range(10)
    ]  # fmt: skip


def range_check(
    name: str, estimator: str, scenario: str, boards: int, statements: Statements
) -> Check:
    """A check that the range beside P(saturated) holds the truth in every tenth."""
    return Check(
        name, estimator,
        "tenths of P(saturated) whose range, on average, holds how often the two true scores "
        "have such an index",
        scenario, stated=1.0, safe="neither", data_sets=boards,
        simulate=partial(_ranges, statements),
    )  # fmt: skip


def _tenths(predicted: Floats) -> NDArray[np.int_]:
    """The tenth of each probability, 0 to 9."""
    found: NDArray[np.int_] = np.minimum((predicted * 10).astype(int), 9)
    return found


def _tenth(statements: Statements, tenth: int, _rng: Rng, boards: int) -> Outcome:
    predicted, true = statements(boards).T[:2]
    inside = _tenths(predicted) == tenth
    stated = float(predicted[inside].mean()) if inside.any() else float("nan")
    return Outcome(int(true[inside].sum()), int(inside.sum()), stated)


def range_holds(statements: Floats) -> bool:
    """Whether the range, on average, meets the share of boards and its error."""
    _, true, lowest, highest = statements.T
    low, high = intervals.wilson(true.sum(), len(true))
    return bool(lowest.mean() <= high and low <= highest.mean())


def _ranges(statements: Statements, _rng: Rng, boards: int) -> Outcome:
    made = statements(boards)
    tenths = _tenths(made[:, 0])
    held = [range_holds(made[tenths == tenth]) for tenth in np.unique(tenths)]
    return Outcome(sum(held), len(held))


CARD_INDEX = "saturation.leaderboard.top.index"
PROPORTIONS = "saturation.index.interval_of_proportions"
SCENARIOS = {
    "scores 20": ("boards of 20 models, twenty laws of true scores, three widths", 12_000),
    "scores 50": ("boards of 50 models, twenty laws of true scores, three widths", 12_000),
    "items 20": ("20 models on the same 200 items, twenty laws, alpha 0.75 and 1", 24_000),
    "tops": ("the best five of 5 to 1,000 models, four laws of many widths", 24_000),
}
# Where the dependence on the prior is stated.
RANGES = {
    "scores 5": ("boards of five models, twenty laws of true scores, three widths", 2000),
    "scores 10": ("boards of ten models, twenty laws of true scores, three widths", 2000),
    "cut 50": ("boards of 50 models cut at the best five, twenty laws, three widths", 2000),
    "tops": SCENARIOS["tops"],
}


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


def _probability_checks() -> list[Check]:
    def of(
        name: str, scenario: str, told: str, boards: int
    ) -> tuple[str, str, str, int, Statements]:
        function = "close_at_the_top" if scenario == "tops" else "close"
        return (
            f"index_p_{name}_{scenario.replace(' ', '_')}",
            f"saturation.statistics.shrinkage.{function}", told, boards,
            partial(_statements, scenario),
        )  # fmt: skip

    return [
        *(
            check
            for scenario, told in SCENARIOS.items()
            for check in calibration_checks(*of("saturated", scenario, *told))
        ),
        *(range_check(*of("range", scenario, *told)) for scenario, told in RANGES.items()),
    ]


CHECKS = (
    *(check for gap in GAPS for check in _interval_checks(gap)),
    _interval_check(
        "near_1", "two equal scores of 0.98 on 50 items each: more than stated, never less",
        partial(_independent, 50, 0.98, 0.0, 0.5), PROPORTIONS,
    ),
    *_probability_checks(),
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
