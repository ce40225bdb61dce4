"""The top of a leaderboard: ties, ranks, what n items can show, and the index with its interval."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from saturation.board import top_index
from saturation.statistics import comparisons, intervals


@dataclass(frozen=True)
class Settings(top_index.Settings):
    """How the frontier is judged; the index's settings are those of the plateau study.

    Parameters
    ----------
    k, alpha, epsilon, edges, saturated_from, level, k_grid, alpha_grid
        See :class:`saturation.board.top_index.Settings`; tests and intervals have the same level.
    power
        Power for numbers of items.
    compared
        Number of top models that are compared pair by pair.
    resamples
        Resamples of the paired bootstrap.
    """

    power: float = 0.8
    compared: int = 25
    resamples: int = 10000


@dataclass(frozen=True)
class Power:
    """What a number of items can show of the top.

    Parameters
    ----------
    level, power
        As set.
    n_items
        Number of items that all compared models have, or the smallest of theirs; NaN if unknown.
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


def frontier(
    estimates: pd.DataFrame,
    matrix: pd.DataFrame,
    clusters: pd.Series,
    settings: Settings,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Everything the card says about the top models.

    Parameters
    ----------
    estimates
        :func:`saturation.statistics.standard_errors.estimates`, best first, at least two
        models, all errors known.
    matrix, clusters
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    settings
        See :class:`Settings`.
    rng
        The stage's generator.

    Returns
    -------
    dict
        ``models`` (with rank intervals and whether tied with the leader), ``ties`` (by independent
        tests and, with responses, by paired ones), ``power`` (:class:`Power`) and ``index``
        (:class:`saturation.board.top_index.Index`), as dictionaries.
    """
    top = estimates.head(settings.compared).reset_index(drop=True)
    independent = independent_pairs(top)
    paired = None
    if set(top["model"]) <= set(matrix.columns):
        shared = matrix[list(top["model"])]
        # One cluster says nothing about variation between clusters, no shared item about anything.
        if len(set(clusters.loc[shared.dropna().index])) > 1:
            paired = comparisons.paired_tests(shared, clusters, settings.resamples, rng)
    best = independent if paired is None else paired
    return {
        "models": _models(top, best, settings.level),
        "ties": {
            name: _ties(top, pairs, settings.level)
            for name, pairs in (("independent", independent), ("paired", paired))
            if pairs is not None
        },
        "power": asdict(power(top, best, settings)),
        "index": asdict(top_index.index(estimates, matrix, clusters, settings)),
    }


def independent_pairs(top: pd.DataFrame) -> comparisons.Pairs:
    """Tests that take the models' scores as independent.

    The pooled test where all errors are binomial, since it holds at 0 % and 100 %; else the z-test
    with each model's own error.
    """
    if bool((top["error_source"] == "binomial").all()):
        return comparisons.pooled_z_tests(top["score"], top["n_items"])
    return comparisons.z_tests(top["score"], top["standard_error"])


def power(top: pd.DataFrame, pairs: comparisons.Pairs, settings: Settings) -> Power:
    """What this number of items can show, and how many the top would need.

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
    n = pairs.items if np.isfinite(pairs.items) else float(top["n_items"].min())

    def needed(place: int) -> float | None:
        if not np.isfinite(n):
            return None
        gap = float(top["score"][0] - top["score"][place])
        error = _unpooled(top, pairs, place)
        return comparisons.items_needed(gap, error, n, settings.level, settings.power)

    return Power(
        level=settings.level,
        power=settings.power,
        n_items=n,
        minimum_detectable_difference=comparisons.minimum_detectable_difference(
            _unpooled(top, pairs, last), settings.level, settings.power
        ),
        items_for_top_two=needed(1),
        items_for_top_k=needed(last),
        k=last + 1,
    )


def _models(top: pd.DataFrame, pairs: comparisons.Pairs, level: float) -> list[dict[str, Any]]:
    ranks = comparisons.rank_intervals(top["score"], pairs.p_value, level)
    tied = comparisons.tie_group(pairs.p_value, level)
    table = top.assign(best_rank=ranks[:, 0], worst_rank=ranks[:, 1], tied_with_leader=tied)
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def _ties(top: pd.DataFrame, pairs: comparisons.Pairs, level: float) -> dict[str, Any]:
    tied = comparisons.tie_group(pairs.p_value, level)
    adjusted = comparisons.holm_pairs(pairs.p_value)[0]
    return {
        "method": pairs.method,
        "adjustment": "holm",
        "items": None if np.isnan(pairs.items) else int(pairs.items),
        "group": [str(name) for name in top["model"][tied]],
        "with_leader": [
            {
                "model": str(top["model"][place]),
                "difference": float(pairs.difference[0, place]),
                "standard_error": float(pairs.standard_error[0, place]),
                "p_value": float(pairs.p_value[0, place]),
                "p_adjusted": float(adjusted[place]),
                **_difference_interval(top, pairs, place, level),
            }
            for place in range(1, len(top))
        ],
    }


def _difference_interval(
    top: pd.DataFrame, pairs: comparisons.Pairs, place: int, level: float
) -> dict[str, float]:
    """Interval of the gap to the leader: Newcombe's for independent proportions, else normal."""
    if pairs.method == "pooled_z":
        (a, b), (n_a, n_b) = top["score"].iloc[[0, place]], top["n_items"].iloc[[0, place]]
        lower, upper = intervals.newcombe(a * n_a, n_a, b * n_b, n_b, level)
    else:
        lower, upper = intervals.normal(
            pairs.difference[0, place], pairs.standard_error[0, place], level
        )
    return {"lower": float(lower), "upper": float(upper)}


def _unpooled(top: pd.DataFrame, pairs: comparisons.Pairs, place: int) -> float:
    """Error of the gap to the leader: paired where items allow it, else from both own errors."""
    if np.isfinite(pairs.items) and pairs.standard_error[0, place] > 0:
        return float(pairs.standard_error[0, place])
    return float(np.hypot(top["standard_error"][0], top["standard_error"][place]))
