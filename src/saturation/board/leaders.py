"""The top of a leaderboard: ties, ranks, what n items can show, and the index with its interval."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation.board import ties
from saturation.index import BIN_EDGES, EPSILON, SATURATED_FROM, GapModel, saturation_bin
from saturation.statistics import comparisons, standard_errors


@dataclass(frozen=True)
class Settings:
    """How the frontier is judged; the index's settings are those of the plateau study.

    Parameters
    ----------
    k, alpha, epsilon, edges, saturated_from
        See :mod:`saturation.index`.
    level, power
        Confidence level of tests and intervals, and power for numbers of items.
    compared
        Number of top models that are listed; all are compared.
    least_coverage
        Share of the benchmark's items from which a model is ranked.
    k_grid, alpha_grid
        Settings over which the index is shown to move.
    """

    k: int = 5
    alpha: float = 0.5
    epsilon: float = EPSILON
    edges: tuple[float, ...] = BIN_EDGES
    saturated_from: float = SATURATED_FROM
    level: float = 0.95
    power: float = 0.8
    compared: int = 25
    least_coverage: float = 0.8
    k_grid: tuple[int, ...] = (2, 3, 4, 5)
    alpha_grid: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Power:
    """What a number of items can show of the top.

    Parameters
    ----------
    level, power
        As set.
    n_items
        Number of items that the best and the k-th model share, or the fewer of theirs where scores
        are compared; NaN if unknown.
    minimum_detectable_difference
        Between the best and the k-th model, in the unit of the scores.
    items_for_top_two, items_for_top_k
        Items at which the observed gap to the second and to the k-th model would be found; None
        without a number of items, infinite for equal scores.
    k
        The k of the k-th model: fewer than set if there are fewer models.
    """

    level: float
    power: float
    n_items: float
    minimum_detectable_difference: float
    items_for_top_two: float | None
    items_for_top_k: float | None
    k: int


@dataclass(frozen=True)
class Index:
    """The saturation index of a leaderboard, under two noises that are never mixed.

    Parameters
    ----------
    k, alpha, s_1, s_k, s_index, bin
        See :mod:`saturation.index`.
    lower, upper, p_saturated
        Interval of the index and probability that it reaches the threshold, by the sampling error
        of the gap between the best and the k-th model as the data tell it. An error of 0, as that
        of two models that answer every item alike, stays 0: then they are certain.
    lower_index_noise, upper_index_noise, p_saturated_index_noise
        The same if the gap is as noisy as the index assumes at its alpha; the interval holds 95 %
        whatever the level, as in the plateau study.
    implied_alpha
        :func:`saturation.statistics.standard_errors.implied_alpha`; None without shared items.
    grid
        ``k, alpha, s_index, bin`` over the settings.
    """

    k: int
    alpha: float
    s_1: float
    s_k: float
    s_index: float
    bin: str
    lower: float
    upper: float
    p_saturated: float
    lower_index_noise: float
    upper_index_noise: float
    p_saturated_index_noise: float
    implied_alpha: float | None
    grid: list[dict[str, Any]]


def frontier(
    estimates: pd.DataFrame, matrix: pd.DataFrame, clusters: pd.Series, settings: Settings
) -> dict[str, Any]:
    """Everything the card says about the top models.

    Ties and ranks are those among all models; `settings.compared` only limits what is listed.

    Parameters
    ----------
    estimates
        :func:`saturation.statistics.standard_errors.estimates` of the models that are ranked, best
        first, at least two; the errors of the first k known.
    matrix, clusters
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    settings
        See :class:`Settings`.

    Returns
    -------
    dict
        ``models`` (with rank intervals and whether tied with the leader), ``ties`` (by independent
        tests and, with responses, by paired ones), ``power`` (:class:`Power`) and ``index``
        (:class:`Index`), as dictionaries.
    """
    ranked = estimates.reset_index(drop=True)
    independent, paired = ties.all_pairs(ranked, matrix, clusters)
    tests = {"independent": independent} | ({} if paired is None else {"paired": paired})
    adjusted = {name: comparisons.holm_pairs(pairs.p_value) for name, pairs in tests.items()}
    # The last are the best.
    name, best = list(tests.items())[-1]
    placed = ties.placed(ranked, best, adjusted[name], settings.level)
    top = placed.head(max(settings.compared, settings.k))
    return {
        "models": [
            {str(key): value for key, value in row.items()} for row in top.to_dict("records")
        ],
        "ties": {
            name: ties.group(ranked, pairs, adjusted[name], settings.level, settings.compared)
            for name, pairs in tests.items()
        },
        "power": asdict(power(ranked, best, settings)),
        "index": asdict(index(ranked, best, settings)),
    }


def power(top: pd.DataFrame, pairs: comparisons.Pairs, settings: Settings) -> Power:
    """What this number of items can show, and how many the top would need.

    Each gap to the leader is taken with the items that the two models share, or the fewer of theirs
    where scores are compared; no other model's number of items enters.

    Parameters
    ----------
    top
        As :func:`frontier` takes `estimates`.
    pairs
        Tests of their differences, in the same order.
    settings
        See :class:`Settings`.
    """
    last = min(settings.k, len(top)) - 1

    def needed(place: int) -> float | None:
        n = _items(top, pairs, place)
        if not np.isfinite(n):
            return None
        gap, error = float(pairs.difference[0, place]), _unpooled(top, pairs, place)
        return comparisons.items_needed(gap, error, n, settings.level, settings.power)

    return Power(
        level=settings.level,
        power=settings.power,
        n_items=_items(top, pairs, last),
        minimum_detectable_difference=comparisons.minimum_detectable_difference(
            _unpooled(top, pairs, last),
            settings.level,
            settings.power,
            float(pairs.degrees[0, last]),
        ),
        items_for_top_two=needed(1),
        items_for_top_k=needed(last),
        k=last + 1,
    )


def index(top: pd.DataFrame, best: comparisons.Pairs, settings: Settings) -> Index:
    """S_index with interval and P(saturated), over k and alpha, and the alpha the items imply.

    The index is the plateau paper's, with each model's own error in place of the binomial one
    (the same where that is the binomial one). The gap is that of the items which both models
    answered; only the numbers of items of these two enter. Without n only alpha = 1 is possible.

    Parameters
    ----------
    top
        As :func:`frontier` takes `estimates`.
    best
        Tests of their differences, in the same order; paired ones if there are any.
    settings
        See :class:`Settings`.
    """
    last = min(settings.k, len(top)) - 1
    known = bool(np.isfinite(_items(top, best, last)))
    alpha = settings.alpha if known else 1.0
    s_1, s_k = float(top["score"][0]), float(top["score"][last])
    gap, noise = float(best.difference[0, last]), float(best.standard_error[0, last])
    scale = _scale(top, last, alpha, settings.epsilon)
    measured, assumed = (_model(gap, scale, error) for error in (noise, scale))
    lower, upper = measured.interval(settings.level)
    assumed_lower, assumed_upper = assumed.interval()
    value = float(measured.index())
    return Index(
        k=last + 1,
        alpha=alpha,
        s_1=s_1,
        s_k=s_k,
        s_index=value,
        bin=str(saturation_bin(value, settings.edges)),
        lower=float(lower),
        upper=float(upper),
        p_saturated=float(measured.probability(settings.saturated_from)),
        lower_index_noise=float(assumed_lower),
        upper_index_noise=float(assumed_upper),
        p_saturated_index_noise=float(assumed.probability(settings.saturated_from)),
        implied_alpha=standard_errors.implied_alpha(s_1, s_k, noise, float(best.items[0, last]))
        if np.isfinite(best.items[0, last])
        else None,
        grid=_grid(top, best, settings),
    )


def _items(top: pd.DataFrame, pairs: comparisons.Pairs, place: int) -> float:
    """Number of items that the gap to the leader rests on; NaN if unknown."""
    shared = float(pairs.items[0, place])
    return shared if np.isfinite(shared) else float(min(top["n_items"].iloc[[0, place]]))


def _unpooled(top: pd.DataFrame, pairs: comparisons.Pairs, place: int) -> float:
    """Error of the gap to the leader: paired where items allow it, else from both own errors."""
    if np.isfinite(pairs.items[0, place]) and pairs.standard_error[0, place] > 0:
        return float(pairs.standard_error[0, place])
    return float(np.hypot(top["standard_error"][0], top["standard_error"][place]))


def _scale(top: pd.DataFrame, place: int, alpha: float, epsilon: float) -> float:
    """Denominator of R_norm: the independent error of the gap, each model's at n^alpha items."""
    first, other = (
        standard_errors.discounted(top["standard_error"][model], top["n_items"][model], alpha)
        for model in (0, place)
    )
    return float(np.hypot(first, other)) + epsilon


def _model(gap: float, scale: float, noise: float) -> GapModel:
    return GapModel(np.asarray(gap), np.asarray(scale), np.asarray(noise))


def _grid(top: pd.DataFrame, pairs: comparisons.Pairs, settings: Settings) -> list[dict[str, Any]]:
    rows = []
    for k in settings.k_grid:
        if k > len(top):
            continue
        known = bool(np.isfinite(_items(top, pairs, k - 1)))
        for alpha in settings.alpha_grid if known else (1.0,):
            scale = _scale(top, k - 1, alpha, settings.epsilon)
            gap = float(pairs.difference[0, k - 1])
            value = float(_model(gap, scale, scale).index())
            rows.append(
                {"k": k, "alpha": alpha, "s_index": value,
                 "bin": str(saturation_bin(value, settings.edges))}
            )  # fmt: skip
    return rows
