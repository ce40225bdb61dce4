"""The top of a leaderboard: ties, ranks, what n items can show, and the index with its interval."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from saturation.board import ties, top_index
from saturation.board.answers import Settings as AnswerSettings
from saturation.board.answers import answers, shared_items, unpooled_error
from saturation.files.tables import records
from saturation.statistics import comparisons

T = TypeVar("T")


@dataclass(frozen=True)
class Settings(AnswerSettings):
    """How the frontier is judged; the index's settings are those of the plateau study.

    Parameters
    ----------
    k, alpha, epsilon, edges, saturated_from, level, k_grid, alpha_grid
        See :class:`saturation.board.top_index.Settings`; tests and intervals have the same level.
    power, margin, ceiling
        See :class:`saturation.board.answers.Settings`.
    compared
        Number of top models that are listed; all are compared.
    least_coverage
        Share of the benchmark's items from which a model is ranked.
    """

    compared: int = 25
    least_coverage: float = 0.8


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
        tests and, with responses, by paired ones), ``answers`` (see
        :mod:`saturation.board.answers`), ``power`` (:class:`Power`) and ``index``
        (:class:`saturation.board.top_index.Index`), as dictionaries.
    """
    ranked = estimates.reset_index(drop=True)
    listed = max(settings.compared, settings.k)
    independent, paired = ties.all_pairs(ranked, matrix, clusters, listed)
    tests = {"independent": independent} | ({} if paired is None else {"paired": paired})
    adjusted = {name: comparisons.adjusted_pairs(pairs.p_value) for name, pairs in tests.items()}
    name, best = deciding(tests)
    ranking = ties.placed(ranked, best, adjusted[name], settings.level)
    top = ranking.head(listed)
    return {
        "models": records(top),
        "ties": {
            name: ties.group(ranked, pairs, adjusted[name], settings.level, settings.compared)
            for name, pairs in tests.items()
        },
        "answers": answers(ranked, (matrix, clusters), best, adjusted[name], settings),
        "power": asdict(power(ranked, best, settings)),
        "index": asdict(top_index.index(ranked, matrix, clusters, settings)),
    }


def deciding(by_tests: Mapping[str, T]) -> tuple[str, T]:
    """The tests that decide, and what they gave: paired ones where the data allow them.

    Parameters
    ----------
    by_tests
        By ``independent`` and, with item responses, ``paired``, as ``ties`` of :func:`frontier` is.
    """
    name = "paired" if "paired" in by_tests else "independent"
    return name, by_tests[name]


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
        n = shared_items(top, pairs, 0, place)
        if not np.isfinite(n):
            return None
        gap, error = float(pairs.difference[0, place]), unpooled_error(top, pairs, 0, place)
        return comparisons.items_needed(gap, error, n, settings.level, settings.power)

    return Power(
        level=settings.level,
        power=settings.power,
        n_items=shared_items(top, pairs, 0, last),
        minimum_detectable_difference=comparisons.minimum_detectable_difference(
            unpooled_error(top, pairs, 0, last),
            settings.level,
            settings.power,
            float(pairs.degrees[0, last]),
        ),
        items_for_top_two=needed(1),
        items_for_top_k=needed(last),
        k=last + 1,
    )
