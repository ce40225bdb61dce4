"""What alpha cannot say at one test size: by how much errors fall as the same tasks get more items.

:mod:`saturation.boards.alpha` measures the level of the error at one number of items. How far gaps
between models move when a benchmark is renewed is in :mod:`saturation.renewal.movement`.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.boards.ranked import Ranked, Settings

Floats = NDArray[np.float64]

# Growth of a test over which the fall of the variance is averaged: the present size over an eighth.
GROWTH = 8.0
_COLUMNS = ["reading", "board", "quantity", "value", "models", "items"]


def readings(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """One row a reading, board and quantity."""
    return pd.DataFrame(_growing(boards, settings), columns=_COLUMNS)


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
