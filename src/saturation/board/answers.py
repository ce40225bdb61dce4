"""Three answers about the top of a leaderboard, each with the error rate that the level leaves.

*Resolution*: are the top models told apart? *Equivalence*: if not, is every one of them shown to be
within a margin of the best? *Headroom*: is anything left below the ceiling? Each is wrong with at
most 1 - level, whichever models came first by luck: a difference is held to the stricter measure of
all pairs, likeness to that of all models that may be the best.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from saturation.board import top_index
from saturation.statistics import comparisons, equivalence
from saturation.statistics.comparisons import Pairs
from saturation.statistics.standard_errors import right_or_wrong

Floats = NDArray[np.float64]

ALL, SOME, NONE = "all", "some", "none"
ALIKE, NOT_SHOWN = "alike", "not_shown"
LEFT, UNCLEAR = "left", "unclear"
NOT_ASKED = "not_asked"
# A model that k others beat with less than this p-value each is not among the best k beyond any
# doubt that the number of models could raise.
DOUBT = 1e-30
# Halvings of the range of scores in the search for the smallest margin that is shown.
HALVINGS = 16


@dataclass(frozen=True)
class Settings(top_index.Settings):
    """How the answers are reached; ``k`` and ``level`` are those of the index.

    Parameters
    ----------
    power
        Power for numbers of items.
    margin
        Smallest difference of scores that matters; None where no unit says what it is.
    ceiling
        Score from which nothing is left to gain; None for a metric without a highest score.
    """

    power: float = 0.8
    margin: float | None = 0.02
    ceiling: float | None = 0.9


@dataclass(frozen=True)
class Resolution:
    """Which of the top models are told apart.

    Parameters
    ----------
    answer
        ``all`` pairs of the top models, ``some`` or ``none`` are told apart.
    models
        The top models, best score first.
    told_apart, pairs
        Number of their pairs that are told apart, and of all.
    groups
        Models of which no two are told apart, best first; groups may overlap.
    minimum_detectable_difference
        Between the best and the k-th, where all pairs are compared.
    n_items
        Items that the best and the k-th share, or the fewer of theirs; NaN if unknown.
    items_for_any, items_for_all
        Items at which the first, and the last, of the pairs that are not told apart would be, at
        the gaps as measured and among all pairs: more than there are. None if all are told apart or
        the number of items is unknown, infinite for equal scores.
    """

    answer: str
    models: list[str]
    told_apart: int
    pairs: int
    groups: list[list[str]]
    minimum_detectable_difference: float
    n_items: float
    items_for_any: float | None
    items_for_all: float | None


@dataclass(frozen=True)
class Equivalence:
    """Whether the top models are shown alike.

    Parameters
    ----------
    answer
        ``alike``: every one of them is less than the margin behind the best model, whichever that
        is; ``not_shown``; ``not_asked`` without a margin.
    margin
        In the unit of the scores; None for a metric without range.
    contenders
        Number of models that may be the best: all but those far behind.
    p_value
        Of the weakest of the tests that all have to succeed, adjusted for the choice of the top.
    within
        Smallest margin at which they would be alike.
    items_for_alike
        Items at which models that are truly equal would be shown alike with the power; None where
        they are, where some are told apart, or the number of items is unknown.
    """

    answer: str
    margin: float | None
    contenders: int
    p_value: float | None
    within: float | None
    items_for_alike: float | None


@dataclass(frozen=True)
class Headroom:
    """What is left below the ceiling.

    Parameters
    ----------
    answer
        ``none``: the best true score is shown to reach the ceiling; ``left``: shown not to;
        ``unclear``; ``not_asked`` for a metric without range.
    ceiling
        Score from which nothing is left, less what is known of wrong labels.
    lower, upper
        One-sided bounds of the best true score, each at the level.
    """

    answer: str
    ceiling: float | None
    lower: float | None
    upper: float | None


def answers(
    ranked: pd.DataFrame,
    items: tuple[pd.DataFrame, pd.Series],
    pairs: Pairs,
    adjusted: Floats,
    settings: Settings,
) -> dict[str, dict[str, Any]]:
    """The three answers, as dictionaries by their names.

    Parameters
    ----------
    ranked
        Estimates of the ranked models, best first, at least two.
    items
        :func:`saturation.statistics.standard_errors.item_matrix`; empty without item responses.
    pairs, adjusted
        Tests of all pairs, and their p-values adjusted over all pairs.
    settings
        ``k``, ``level``, ``power``, ``margin`` and ``ceiling``.
    """
    may_lead = contenders(ranked, pairs, settings.k)
    apart = resolution(ranked, pairs, adjusted, settings)
    same = alike(ranked, pairs, may_lead, settings)
    if apart.answer != NONE:
        # Models that differ are not shown equal by any number of items.
        same = replace(same, items_for_alike=None)
    return {
        "resolution": asdict(apart),
        "equivalence": asdict(same),
        "headroom": asdict(headroom(ranked, items, may_lead, settings)),
    }


def contenders(ranked: pd.DataFrame, pairs: Pairs, k: int) -> NDArray[np.bool_]:
    """Models that may be among the best k: not behind k others beyond any doubt.

    A weak model is no contender, so that adding one makes no other answer harder to reach. A model
    whose error nobody knows cannot be one.

    Parameters
    ----------
    ranked, pairs
        See :func:`answers`.
    k
        Number of top models.
    """
    behind = (pairs.difference < 0) & (pairs.p_value < DOUBT)
    known = np.isfinite(ranked["standard_error"].to_numpy(float))
    may_lead: NDArray[np.bool_] = (behind.sum(axis=1) < k) & known
    return may_lead


def resolution(
    ranked: pd.DataFrame, pairs: Pairs, adjusted: Floats, settings: Settings
) -> Resolution:
    """Which pairs of the top models are told apart among all pairs.

    Parameters
    ----------
    ranked, pairs, adjusted, settings
        See :func:`answers`.
    """
    k = min(settings.k, len(ranked))
    # The adjustment leaves so many pairs, and holds each to this.
    level = 1 - (1 - settings.level) / max(comparisons.open_pairs(adjusted, settings.level), 1)
    shown = adjusted[:k, :k] <= 1 - settings.level
    inside = np.triu_indices(k, 1)
    told_apart = int(shown[inside].sum())
    needed = list(_needed(ranked, pairs, shown, level, settings.power))
    names = [str(name) for name in ranked["model"].head(k)]
    return Resolution(
        answer=ALL if told_apart == len(inside[0]) else SOME if told_apart else NONE,
        models=names,
        told_apart=told_apart,
        pairs=len(inside[0]),
        groups=[[names[place] for place in group] for group in groups(shown)],
        minimum_detectable_difference=comparisons.minimum_detectable_difference(
            unpooled_error(ranked, pairs, 0, k - 1),
            level,
            settings.power,
            float(pairs.degrees[0, k - 1]),
        ),
        n_items=shared_items(ranked, pairs, 0, k - 1),
        items_for_any=min(needed, default=None),
        items_for_all=max(needed, default=None),
    )


def groups(told_apart: NDArray[np.bool_]) -> list[list[int]]:
    """Largest sets of models of which no two are told apart, in the models' order.

    By insertion and absorption (H.-P. Piepho (2004), Journal of Computational and Graphical
    Statistics 13, 456-466): a set that holds two models that are told apart is split into one
    without the first and one without the second.

    Parameters
    ----------
    told_apart
        Shape (k, k), symmetric.
    """
    found = [frozenset(range(len(told_apart)))]
    for one, other in np.argwhere(np.triu(told_apart, 1)).tolist():
        parts = []
        for group in found:
            both = {one, other} <= group
            parts += [group - {one}, group - {other}] if both else [group]
        found = [group for group in set(parts) if not any(group < larger for larger in parts)]
    return sorted(sorted(group) for group in found)


def alike(
    ranked: pd.DataFrame, pairs: Pairs, may_lead: NDArray[np.bool_], settings: Settings
) -> Equivalence:
    """Whether each of the top models is less than the margin behind the best of all.

    The best model and the top are not known beforehand. With v contenders and k in the top, each
    one-sided test is held to (1 - level)/(v - k + 1): against the one model that is truly best,
    no more than v - k + 1 models can stand wrongly in the top alone, and where more do all of them
    have to pass. Without a choice (v = k) this is the plain pair of one-sided tests.

    Parameters
    ----------
    ranked, pairs, settings
        See :func:`answers`.
    may_lead
        :func:`contenders`.
    """
    k, margin, number = min(settings.k, len(ranked)), settings.margin, int(may_lead.sum())
    if margin is None:
        return Equivalence(NOT_ASKED, None, number, None, None, None)
    chosen = max(number - k + 1, 1)

    def p_value(margin: float) -> float:
        p = equivalence.not_ahead(pairs, ranked["score"], ranked["n_items"], margin, k)
        p[np.arange(k), np.arange(k)] = 0.0
        return min(float(p[may_lead].max()) * chosen, 1.0)

    p = p_value(margin)
    shown = p <= 1 - settings.level
    return Equivalence(
        answer=ALIKE if shown else NOT_SHOWN,
        margin=margin,
        contenders=number,
        p_value=p,
        within=_smallest(p_value, 1 - settings.level, margin),
        items_for_alike=None if shown else _items_for_alike(ranked, pairs, chosen, settings),
    )


def headroom(
    ranked: pd.DataFrame,
    items: tuple[pd.DataFrame, pd.Series],
    may_lead: NDArray[np.bool_],
    settings: Settings,
) -> Headroom:
    """Whether the best true score reaches the ceiling.

    The leader's score is the highest of many, so that its lower bound is held to the level over all
    contenders; the upper bound is the highest of theirs. Bounds of shares are exact (Clopper and
    Pearson), for other errors with the number of items that the error stands for (Korn and Graubard
    1998, Survey Methodology 24, 193-201).

    Parameters
    ----------
    ranked, items, settings
        See :func:`answers`.
    may_lead
        :func:`contenders`.
    """
    if settings.ceiling is None:
        return Headroom(NOT_ASKED, None, None, None)
    wrong = 1 - settings.level
    within = ranked[may_lead]
    each = wrong / max(len(within), 1)
    lower = _bound(within.head(1), items, each, upper=False).max()
    upper = _bound(within, items, wrong, upper=True).max()
    answer = UNCLEAR
    if lower >= settings.ceiling:
        answer = NONE
    elif upper < settings.ceiling:
        answer = LEFT
    return Headroom(answer, settings.ceiling, float(lower), float(upper))


def shared_items(ranked: pd.DataFrame, pairs: Pairs, one: int, other: int) -> float:
    """Number of items that the difference of two models rests on; NaN if unknown.

    Parameters
    ----------
    ranked, pairs
        See :func:`answers`.
    one, other
        Places of the models.
    """
    shared = float(pairs.items[one, other])
    return shared if np.isfinite(shared) else float(ranked["n_items"].iloc[[one, other]].min())


def unpooled_error(ranked: pd.DataFrame, pairs: Pairs, one: int, other: int) -> float:
    """Error of the difference of two models: paired where items allow it, else from their own.

    Parameters
    ----------
    ranked, pairs, one, other
        See :func:`shared_items`.
    """
    paired = float(pairs.standard_error[one, other])
    if np.isfinite(pairs.items[one, other]) and paired > 0:
        return paired
    return float(np.hypot(*ranked["standard_error"].iloc[[one, other]]))


def _needed(
    ranked: pd.DataFrame, pairs: Pairs, shown: NDArray[np.bool_], level: float, power: float
) -> Iterator[float]:
    """Items that each pair of the top that is not told apart would need."""
    for one, other in combinations(range(len(shown)), 2):
        n = shared_items(ranked, pairs, one, other)
        if shown[one, other] or not np.isfinite(n):
            continue
        gap = float(pairs.difference[one, other])
        error = unpooled_error(ranked, pairs, one, other)
        # These did not tell them apart: an exact test may ask for a little more than the formula.
        yield max(comparisons.items_needed(gap, error, n, level, power), n + 1)


def _items_for_alike(
    ranked: pd.DataFrame, pairs: Pairs, chosen: int, settings: Settings
) -> float | None:
    """Items at which equal models would pass, by the widest error among the top."""
    k = min(settings.k, len(ranked))
    reach = special.ndtri(1 - (1 - settings.level) / chosen) + special.ndtri(
        (1 + settings.power) / 2
    )
    per_item = [
        n * unpooled_error(ranked, pairs, one, other) ** 2
        for one, other in combinations(range(k), 2)
        if np.isfinite(n := shared_items(ranked, pairs, one, other))
    ]
    if not per_item or settings.margin is None:
        return None
    n = shared_items(ranked, pairs, 0, k - 1)
    return float(max(np.ceil(max(per_item) * (reach / settings.margin) ** 2), n + 1))


def _smallest(p_value: Callable[[float], float], wrong: float, margin: float) -> float | None:
    """Smallest margin whose p-value is low enough, by halving; None if none is that is searched."""
    # Shares lie within 1 of each other; in points, ten times what matters is far.
    low, high = 0.0, 1 - 1e-9 if margin < 1 else 10 * margin
    if p_value(high) > wrong:
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if p_value(middle) <= wrong else (middle, high)
    return high


def _bound(
    models: pd.DataFrame,
    items: tuple[pd.DataFrame, pd.Series],
    wrong: float,
    *,
    upper: bool,
) -> Floats:
    """One-sided bounds of true scores."""
    score = models["score"].to_numpy(float)
    n = _effective(models, items, wrong)
    right = np.clip(score, 0, 1) * n
    wrong_answers = n - right
    with np.errstate(invalid="ignore"):
        if upper:
            exact = np.where(
                wrong_answers > 0, special.betaincinv(right + 1, wrong_answers, 1 - wrong), 1.0
            )
        else:
            exact = np.where(right > 0, special.betaincinv(right, wrong_answers + 1, wrong), 0.0)
    reach = special.ndtri(1 - wrong) * models["standard_error"].to_numpy(float)
    by_error = score + reach if upper else score - reach
    return np.where(np.isfinite(n), exact, by_error)


def _effective(models: pd.DataFrame, items: tuple[pd.DataFrame, pd.Series], wrong: float) -> Floats:
    """Number of independent right or wrong answers that each model's error stands for."""
    matrix, clusters = items
    score, error = (models[name].to_numpy(float) for name in ("score", "standard_error"))
    # A score at either end has no variance to compare with its error.
    n = models["n_items"].to_numpy(float)
    inside = (score > 0) & (score < 1) & (error > 0)
    n = np.where(inside, score * (1 - score) / np.where(inside, error, 1.0) ** 2, n)
    codes = pd.factorize(clusters.reindex(matrix.index))[0]
    for place, (name, source) in enumerate(zip(models["model"], models["error_source"])):
        if name in matrix.columns:
            n[place] = _of_items(matrix[name].to_numpy(float), codes, float(n[place]), wrong)
        elif source == "binomial":
            n[place] = float(models["n_items"].iloc[place])
    return n


def _of_items(values: Floats, clusters: NDArray[np.intp], by_error: float, wrong: float) -> float:
    """Of one model's responses: all items, or fewer where they are clustered or graded."""
    given = ~np.isnan(values)
    answered, number = values[given], np.count_nonzero(np.bincount(clusters[given]))
    alone = number == len(answered) and bool(right_or_wrong(answered).all())
    if alone or bool((answered == answered[0]).all()):
        return float(number)
    # What a t quantile takes for an error from few values.
    reach = special.stdtrit(number - 1, 1 - wrong) if number > 1 else np.inf
    return float(by_error * (special.ndtri(1 - wrong) / reach) ** 2 if reach > 0 else by_error)
