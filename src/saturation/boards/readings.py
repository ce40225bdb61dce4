"""What alpha cannot say at one test size: how errors fall as a test grows, and after a renewal.

:mod:`saturation.boards.alpha` measures the level of the error at one number of items. Here are the
two other readings of the same question: by how much the error falls as the same tasks get more
items, and how far gaps between models move when a benchmark is renewed.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation.boards.alpha import jackknife, ratios
from saturation.boards.names import OLD
from saturation.boards.ranked import Ranked, Settings
from saturation.files.formats import ITEM, TASK
from saturation.statistics.intervals import CONFIDENCE

Floats = NDArray[np.float64]

# Growth of a test over which the fall of the variance is averaged: the present size over an eighth.
GROWTH = 8.0
# New scores as a function of old ones: how much harder the new items are, for weak and strong.
DEGREE = 2
# Errors beyond which two models' old and new gap differ.
Z = 1.96
_COLUMNS = ["reading", "board", "quantity", "value", "lower", "upper", "models", "items"]


class Renewal(NamedTuple):
    """How far gaps between models move from old items to new ones.

    Parameters
    ----------
    factor, lower, upper
        Sum of the squared changes of all gaps over the sum of their variances by the items' paired
        errors, with the interval of a jackknife over models; 1 if items say all.
    beyond
        Share of the pairs whose gap changes by more than 1.96 of its errors.
    alpha
        Alpha of the old items' top, with the variance times the factor.
    rank, rank_top
        Spearman correlation of old and new scores: of all models, of the old top ten.
    """

    factor: float
    lower: float
    upper: float
    beyond: float
    alpha: float
    rank: float
    rank_top: float


def readings(boards: Sequence[Ranked], renewed: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """One row a reading, board and quantity."""
    rows = [*_growing(boards, settings), *_renewed(renewed, settings.k)]
    return pd.DataFrame(rows).reindex(columns=_COLUMNS)


def growth(answers: Floats, groups: NDArray[np.int_]) -> tuple[float, float]:
    """How the variance of the top gaps falls as the same tasks get more items.

    Parameters
    ----------
    answers
        Items by models in [0, 1], complete.
    groups
        Task of each item, numbered from 0; tasks of one item say nothing of their own spread.

    Returns
    -------
    between, exponent
        Share of the variance that lies between tasks, which more items of the same tasks leave;
        and b of n^b, the mean fall of the variance over the last eightfold growth: -1 for
        independent items, 0 where all of it lies between tasks. Means over pairs of models.
    """
    sizes = np.bincount(groups).astype(float)
    weights = sizes / len(answers)
    total, within = 0.0, 0.0
    for a, b in itertools.combinations(range(answers.shape[1]), 2):
        gap = answers[:, a] - answers[:, b]
        means = np.bincount(groups, gap) / sizes
        spread = np.bincount(groups, (gap - means[groups]) ** 2) / np.maximum(sizes - 1, 1)
        off = weights * (means - gap.mean())
        total += len(sizes) / (len(sizes) - 1) * float(off @ off)
        within += float(np.sum(weights**2 * spread / sizes))
    between = max(total - within, 0.0)
    fall = np.log((between + within) / (between + GROWTH * within)) / np.log(GROWTH)
    return between / (between + within), float(fall)


def renewal(old: pd.DataFrame, new: pd.DataFrame, k: int) -> Renewal:
    """How far gaps move from old to new items, beyond the general shift in difficulty.

    Parameters
    ----------
    old, new
        Items by models in [0, 1], complete; the same models, in the same order.
    k
        Of the top whose alpha is set beside the factor.
    """
    a, b = old.to_numpy(), new.to_numpy()
    factor, beyond = _change(a, b)
    m = a.shape[1]
    without = [np.log(_change(np.delete(a, i, 1), np.delete(b, i, 1))[0]) for i in range(m)]
    error = np.sqrt((m - 1) / m * np.sum((without - np.mean(without)) ** 2))
    half = float(scipy.special.stdtrit(m - 1, 0.5 + CONFIDENCE / 2)) * error
    top = np.argsort(-a.mean(axis=0), kind="stable")
    items = jackknife(ratios(a[:, top[:k]], np.arange(len(a)), single_run=False)).value
    before, after = pd.Series(a.mean(axis=0)), pd.Series(b.mean(axis=0))
    return Renewal(
        factor=factor,
        lower=factor * float(np.exp(-half)),
        upper=factor * float(np.exp(half)),
        beyond=beyond,
        alpha=1 + (items - np.log(factor)) / np.log(len(a)),
        rank=before.corr(after, method="spearman"),
        rank_top=before[top[:10]].corr(after[top[:10]], method="spearman"),
    )


def _change(old: Floats, new: Floats) -> tuple[float, float]:
    """The factor of the variance, and the share of pairs beyond 1.96 errors."""
    before, after = old.mean(axis=0), new.mean(axis=0)
    shift = np.polynomial.Polynomial.fit(before, after, DEGREE)
    rest, slope = after - shift(before), shift.deriv()(before)
    pairs = np.array(list(itertools.combinations(range(old.shape[1]), 2)))
    squared = (rest[pairs[:, 0]] - rest[pairs[:, 1]]) ** 2
    variance = _variance(old * slope, pairs) + _variance(new, pairs)
    return float(squared.sum() / variance.sum()), float((squared > Z**2 * variance).mean())


def _variance(answers: Floats, pairs: NDArray[np.int_]) -> Floats:
    """Variance of each pair's gap, by its items."""
    gaps = answers[:, pairs[:, 0]] - answers[:, pairs[:, 1]]
    found: Floats = gaps.var(axis=0, ddof=1) / len(gaps)
    return found


def _growing(boards: Sequence[Ranked], settings: Settings) -> Iterator[dict[str, Any]]:
    for board in boards:
        top = board.answers.iloc[:, : settings.k].dropna()
        groups = pd.factorize(board.groups[top.index])[0]
        sizes = np.bincount(groups)
        effective = np.sum(sizes**2) ** 2 / np.sum(sizes**4)
        if sizes.max() < 2 or effective < settings.fewest_groups:
            continue
        between, exponent = growth(top.to_numpy(), groups)
        of = {"reading": "growth", "board": board.board, "models": settings.k, "items": len(top)}
        yield {**of, "quantity": "between_tasks", "value": between}
        yield {**of, "quantity": "exponent", "value": exponent}


def _renewed(table: pd.DataFrame, k: int) -> Iterator[dict[str, Any]]:
    earlier = (table[TASK] == OLD).to_numpy()
    answers = table.drop(columns=[ITEM, TASK])
    found = renewal(answers[earlier], answers[~earlier], k)
    of = {"reading": "renewal", "board": "livecodebench", "models": answers.shape[1]}
    of |= {"items": len(answers)}
    for name in ("factor", "beyond", "alpha", "rank", "rank_top"):
        limits = {"lower": found.lower, "upper": found.upper} if name == "factor" else {}
        yield {**of, "quantity": name, "value": getattr(found, name), **limits}
