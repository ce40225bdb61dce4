"""The saturation index of a leaderboard's top, and how firm it is.

Three questions about the best and the k-th model, each with its own answer. *Which index do the
true scores of these two have?* An interval, for two models that are named. *Is that index at the
threshold?* P(saturated), a posterior probability in which all models of the board tell how far
luck picked these two. *Could all be equal?* The p-value of the gap between the best and the k-th
of so many equal models.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation.index import (
    ALPHA,
    BIN_EDGES,
    EPSILON,
    SATURATED_FROM,
    K,
    index_limits,
    interval_of_proportions,
    saturation_bin,
    widest_gap,
)
from saturation.statistics import intervals, shrinkage, standard_errors
from saturation.statistics.top_gap import EqualModels

Floats = NDArray[np.float64]

# Errors apart from what all models share are at least this part of a model's own error.
LEAST_SEPARATE = 0.1
# Fewer right answers of the leader than this leave its error to luck: below ten the normal law of
# a count is off by more than it should be.
FEW_RIGHT = 10
# Up to so many items the gap of equal models is exact; beyond, a binomial is normal to all that is
# read, and counting takes seconds.
MOST_COUNTED = 20_000
# From so many of the pair's items, those that all models answered speak for the board.
LEAST_SHARED = 0.5


@dataclass(frozen=True)
class Settings:
    """What the index is made with: the settings of the plateau study.

    Parameters
    ----------
    k, alpha, epsilon, edges, saturated_from
        See :mod:`saturation.index`.
    level
        Confidence level of the interval.
    k_grid, alpha_grid
        Settings over which the index is shown to move.
    """

    k: int = K
    alpha: float = ALPHA
    epsilon: float = EPSILON
    edges: tuple[float, ...] = BIN_EDGES
    saturated_from: float = SATURATED_FROM
    level: float = intervals.LEVEL
    k_grid: tuple[int, ...] = (2, 3, 4, 5)
    alpha_grid: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class AllEqual:
    """What the gap would be if all models of the board were equally good.

    Parameters
    ----------
    n_models
        Number of models, of which the best and the k-th are compared.
    score
        Their common true score: the mean of all.
    dependence
        Correlation of two models' answers to an item, by which shared items make gaps smaller; 0
        without items that all have answered.
    law
        ``binomial`` (exact for models that solve each item with one probability) or ``normal``.
    expected_gap
        Mean gap between the best and the k-th then, in the unit of the scores.
    p_value
        Probability of at least the observed gap then.
    """

    n_models: int
    score: float
    dependence: float
    law: str
    expected_gap: float
    p_value: float


@dataclass(frozen=True)
class Index:
    """The saturation index of a leaderboard.

    Parameters
    ----------
    k, alpha, s_1, s_k, s_index, bin
        See :mod:`saturation.index`.
    first, kth
        The two models.
    gap
        Best less k-th score, on the items that both answered where there are such.
    lower, upper
        Interval of the index of the true scores of these two models, as if they had been named
        before they were measured; it reaches 1 where the gap may be 0.
    method
        What the gap's interval is: ``newcombe`` (independent proportions), ``paired_adjusted`` (the
        same independent 0/1 items), ``paired_t`` (the same items, graded or in clusters) or
        ``normal``.
    p_saturated
        Posterior probability that the index of the two true scores reaches the threshold
        (:mod:`saturation.statistics.shrinkage`).
    p_saturated_lowest, p_saturated_highest
        The same over other prior weights, on which the answer leans. Where one
        of the two has so few right or wrong answers that its error would be another if it were as
        good as the other, also over that error.
    few_right
        Whether the last is so.
    threshold
        From which value on the index counts as saturated.
    all_equal
        See :class:`AllEqual`.
    implied_alpha
        :func:`saturation.statistics.standard_errors.implied_alpha`; None without shared items.
    s_index_measured
        The index at that alpha: by the error of the gap that the shared items show; None without.
    grid
        ``k, alpha, s_index, bin`` over the settings.
    """

    k: int
    alpha: float
    s_1: float
    s_k: float
    s_index: float
    bin: str
    first: str
    kth: str
    gap: float
    lower: float
    upper: float
    method: str
    p_saturated: float
    p_saturated_lowest: float
    p_saturated_highest: float
    few_right: bool
    threshold: float
    all_equal: AllEqual
    implied_alpha: float | None
    s_index_measured: float | None
    grid: list[dict[str, Any]]


@dataclass(frozen=True)
class _Pair:
    """The leader and another model: the gap, its error and interval, its items.

    Parameters
    ----------
    gap, error, lower, upper
        In the unit of the scores; the interval is of the signed gap, empty for ``newcombe``, where
        the index has its own.
    method
        How the interval is made: ``paired_adjusted``, ``paired_t``, ``newcombe`` or ``normal``.
    items
        Number of items that both answered; NaN where scores are compared.
    """

    gap: float
    error: float
    lower: float
    upper: float
    method: str
    items: float


def index(
    estimates: pd.DataFrame, matrix: pd.DataFrame, clusters: pd.Series, settings: Settings
) -> Index:
    """S with its interval, P(saturated), and the gap of equal models.

    The index is the plateau paper's, with each model's own error in place of the binomial one (the
    same where that is the binomial one). Without n only alpha = 1 is possible.

    Parameters
    ----------
    estimates
        :func:`saturation.statistics.standard_errors.estimates`, best first, at least two models,
        the errors of the first k known. A model without a known error does not enter P(saturated).
    matrix, clusters
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    settings
        See :class:`Settings`.
    """
    board = estimates[estimates["standard_error"] > 0].reset_index(drop=True)
    last = min(settings.k, len(board)) - 1
    pair = _pair(board, last, matrix, clusters, settings.level)
    alpha = settings.alpha if _sized(board, last) else 1.0
    scale = _scale(board, last, alpha, settings.epsilon)
    value = _value(pair.gap, scale)
    lower, upper = _limits(board, last, pair, alpha, scale, settings)
    separate = _separate_errors(board, matrix, clusters, pair.items)
    errors = separate.copy()
    errors[[0, last]] *= pair.error / np.hypot(*errors[[0, last]])
    few_right = _few_right(board, last)
    width = widest_gap(settings.saturated_from) * scale
    close = _close(board, errors, last, width, few_right)
    s_1, s_k = float(board["score"][0]), float(board["score"][last])
    return Index(
        k=last + 1,
        alpha=alpha,
        s_1=s_1,
        s_k=s_k,
        s_index=value,
        bin=str(saturation_bin(value, settings.edges)),
        first=str(board["model"][0]),
        kth=str(board["model"][last]),
        gap=pair.gap,
        lower=float(lower),
        upper=float(upper),
        method=pair.method,
        p_saturated=close.probability,
        p_saturated_lowest=close.lowest,
        p_saturated_highest=close.highest,
        few_right=few_right,
        threshold=settings.saturated_from,
        all_equal=_all_equal(board, last + 1, pair.gap, separate, matrix),
        implied_alpha=standard_errors.implied_alpha(s_1, s_k, pair.error, pair.items)
        if np.isfinite(pair.items)
        else None,
        s_index_measured=_value(pair.gap, pair.error + settings.epsilon)
        if np.isfinite(pair.items)
        else None,
        grid=_grid(board, matrix, clusters, settings),
    )


def _pair(
    board: pd.DataFrame, place: int, matrix: pd.DataFrame, clusters: pd.Series, level: float
) -> _Pair:
    """The leader and the model at a place, on the items that both answered if that can be."""
    gap = float(board["score"][0] - board["score"][place])
    error = float(np.hypot(board["standard_error"][0], board["standard_error"][place]))
    names = list(board["model"][[0, place]])
    if set(names) <= set(matrix.columns):
        both = matrix[names].dropna()
        groups = clusters.loc[both.index]
        # One cluster says nothing about variation between clusters, no shared item about anything.
        if len(set(groups)) > 1:
            return _paired(both.to_numpy(), groups, error, level)
    sources = set(board["error_source"][[0, place]])
    method = "newcombe" if sources == {"binomial"} else "normal"
    lower, upper = intervals.normal(gap, error, level)
    return _Pair(gap, error, float(lower), float(upper), method, float("nan"))


def _paired(both: Floats, groups: pd.Series, independent: float, level: float) -> _Pair:
    difference = both[:, 0] - both[:, 1]
    n, gap = len(difference), float(difference.mean())
    if groups.nunique() == n and bool(standard_errors.right_or_wrong(both).all()):
        lower, upper = intervals.paired_proportions(
            (difference > 0).sum(), (difference < 0).sum(), n, level
        )
        error = float(upper - lower) / (2 * intervals.normal_quantile(level))
        return _Pair(gap, error, float(lower), float(upper), "paired_adjusted", n)
    error = standard_errors.clustered_error(difference, groups)
    if not error > 0:
        # The same difference on every item leaves no sign of its error but the models' own.
        lower, upper = intervals.normal(gap, independent, level)
        return _Pair(gap, independent, float(lower), float(upper), "normal", n)
    half = float(scipy.special.stdtrit(groups.nunique() - 1, 0.5 + level / 2)) * error
    return _Pair(gap, error, gap - half, gap + half, "paired_t", n)


def _limits(
    board: pd.DataFrame,
    last: int,
    pair: _Pair,
    alpha: float,
    scale: float,
    settings: Settings,
) -> tuple[Floats, Floats]:
    if pair.method == "newcombe":
        (s_1, s_k), (n_1, n_k) = (board[name][[0, last]] for name in ("score", "n_items"))
        return interval_of_proportions(s_1, s_k, n_1, n_k, alpha, settings.level, settings.epsilon)
    return index_limits(pair.lower, pair.upper, scale, scale)


def _separate_errors(
    board: pd.DataFrame, matrix: pd.DataFrame, clusters: pd.Series, pair_items: float
) -> Floats:
    """Each model's error apart from what all share; its own where there are no shared items."""
    own = board["standard_error"].to_numpy(float)
    if len(board) < 3 or not set(board["model"]) <= set(matrix.columns):
        return own
    shared = matrix[list(board["model"])].dropna()
    groups = clusters.loc[shared.index]
    if groups.nunique() < 2 or not len(shared) >= LEAST_SHARED * pair_items:
        return own
    separate = standard_errors.separate_errors(shared.to_numpy(), groups.to_numpy())
    errors: Floats = np.maximum(separate, LEAST_SEPARATE * own)
    return errors


def _close(
    board: pd.DataFrame, errors: Floats, place: int, width: float, few_right: bool
) -> shrinkage.Closeness:
    """P(saturated); of few right answers also with the error of a leader that is no better."""
    close = shrinkage.close(board["score"], errors, 0, place, width)
    if not few_right:
        return close
    alike = errors.copy()
    alike[0] = errors[place]
    return close.with_range_of(shrinkage.close(board["score"], alike, 0, place, width))


def _few_right(board: pd.DataFrame, place: int) -> bool:
    """Whether the error of the leader, a share of items, follows from its luck.

    A share's error depends on the share: near 0 a model that guessed one right answer more has a
    larger one, and seems to say less. With few right answers (or wrong ones, where the other has
    many) that decides how far the rest of the board draws the leader to itself.
    """
    error, score, n = (
        board[name].to_numpy(float)[[0, place]] for name in ("standard_error", "score", "n_items")
    )
    bounded = bool(((score >= 0) & (score <= 1)).all())
    return bounded and bool(score[0] * n[0] < FEW_RIGHT and error[0] > error[1])


def _all_equal(
    board: pd.DataFrame, k: int, gap: float, separate: Floats, matrix: pd.DataFrame
) -> AllEqual:
    own = board["standard_error"].to_numpy(float)
    score = float(board["score"].mean())
    dependence = float(np.clip(1 - np.mean(separate**2) / np.mean(own**2), 0, 1))
    sizes, sources = board["n_items"], set(board["error_source"])
    right_or_wrong = sources == {"binomial"} or (
        sources == {"items"} and bool(standard_errors.right_or_wrong(matrix).all())
    )
    if right_or_wrong and len(set(sizes)) == 1 and sizes[0] <= MOST_COUNTED and sizes[0] % 1 == 0:
        law, n = "binomial", int(sizes[0])
        equal = EqualModels.binomial(k, len(board), n, min(max(score, 0.0), 1.0), dependence)
    else:
        law = "normal"
        error = float(np.sqrt(np.mean(own**2)))
        equal = EqualModels.normal(k, len(board), error, dependence)
    p_value = float(equal.p_value(max(gap, 0.0)))
    return AllEqual(len(board), score, dependence, law, equal.mean(), p_value)


def _value(gap: float, scale: float) -> float:
    return float(index_limits(gap, gap, scale, scale)[0])


def _sized(board: pd.DataFrame, place: int) -> bool:
    """Whether both models' numbers of items are known."""
    return bool(np.isfinite(board["n_items"][[0, place]]).all())


def _scale(board: pd.DataFrame, place: int, alpha: float, epsilon: float) -> float:
    """Denominator of R_norm: the independent error of the gap, each model's at n^alpha items."""
    first, other = (
        standard_errors.discounted(board["standard_error"][model], board["n_items"][model], alpha)
        if alpha < 1
        else float(board["standard_error"][model])
        for model in (0, place)
    )
    return float(np.hypot(first, other)) + epsilon


def _grid(
    board: pd.DataFrame, matrix: pd.DataFrame, clusters: pd.Series, settings: Settings
) -> list[dict[str, Any]]:
    rows = []
    for k in settings.k_grid:
        if k > len(board):
            continue
        gap = _pair(board, k - 1, matrix, clusters, settings.level).gap
        for alpha in settings.alpha_grid if _sized(board, k - 1) else (1.0,):
            scale = _scale(board, k - 1, alpha, settings.epsilon)
            value = _value(gap, scale)
            rows.append(
                {"k": k, "alpha": alpha, "s_index": value,
                 "bin": str(saturation_bin(value, settings.edges))}
            )  # fmt: skip
    return rows
