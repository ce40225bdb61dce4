"""How few items keep the top of a board in order, tried on models that did not choose them."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.boards.ranked import alone
from saturation.statistics import intervals, paired

Floats = NDArray[np.float64]

SIZES = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000)
CHOSEN, RANDOM = "chosen", "random"
# With fewer models, half of them choose nothing and show nothing.
FEWEST_MODELS = 12


class Settings(NamedTuple):
    """How subsets are tried.

    Parameters
    ----------
    k
        Number of top models.
    level
        Confidence level of the tests that tell models apart.
    kept
        Share of the pairs that a subset has to order as all items do.
    halves
        Random halves of the models.
    """

    k: int
    level: float
    kept: float
    halves: int


def subsets(answers: pd.DataFrame, settings: Settings, rng: np.random.Generator) -> pd.DataFrame:
    """Share of the pairs at the top that subsets of items keep in order.

    Half of the models choose items, those with the largest covariance with the score; the other
    half shows what they are worth, beside as many items at random. Pairs are one of the best k of
    the showing models and any other of them that all items tell apart (paired tests of the pair at
    the level). A tie on the subset does not keep a pair.

    Parameters
    ----------
    answers
        Items by models, in [0, 1].
    settings
        See :class:`Settings`.
    rng
        What draws halves and random subsets.

    Returns
    -------
    pandas.DataFrame
        ``way`` (chosen or random), ``size``, ``kept`` (mean over the halves), ``lower`` and
        ``upper`` (the halves' central share at the level). Empty with fewer than `FEWEST_MODELS`
        models, or where no pair is told apart.
    """
    if answers.shape[1] < FEWEST_MODELS:
        return pd.DataFrame()
    pairs = paired.paired_tests(answers, alone(answers))
    told = pairs.p_value <= 1 - settings.level
    better = (pairs.difference > 0) & told
    x = answers.to_numpy()
    given = (~np.isnan(x)).astype(float)
    value = np.where(given > 0, x, 0.0)
    sizes = [size for size in SIZES if size < len(x)]
    found: dict[str, list[Floats]] = {CHOSEN: [], RANDOM: []}
    for _ in range(settings.halves):
        choosing, showing = _halves(rng, x.shape[1])
        ways = {CHOSEN: _by_covariance(x[:, choosing]), RANDOM: rng.permutation(len(x))}
        asked = better[np.ix_(showing[: settings.k], showing)]
        # A worse model may be among the best k of the showing ones, above the better one by luck.
        asked_below = better[np.ix_(showing, showing[: settings.k])].T
        if not (asked.any() or asked_below.any()):
            continue
        for way, order in ways.items():
            inside = np.zeros((len(sizes), len(x)))
            for row, size in enumerate(sizes):
                inside[row, order[:size]] = 1.0
            sums, counts = ((inside @ each)[:, showing] for each in (value, given))
            score = sums / np.maximum(counts, 1)
            gap = score[:, : settings.k, None] - score[:, None, :]
            right = ((gap > 0) & asked).sum((1, 2)) + ((gap < 0) & asked_below).sum((1, 2))
            found[way].append(right / (asked.sum() + asked_below.sum()))
    return pd.concat(
        [_summary(way, sizes, shares, settings.level) for way, shares in found.items()]
    )


def _halves(rng: np.random.Generator, count: int) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Places of two random halves, each in their order."""
    order = rng.permutation(count)
    return np.sort(order[: count // 2]), np.sort(order[count // 2 :])


def _by_covariance(answers: Floats) -> NDArray[np.int_]:
    """Items by their covariance with the score of the choosing models, largest first."""
    filled = np.where(np.isnan(answers), np.nanmean(answers, axis=1, keepdims=True), answers)
    filled = np.nan_to_num(filled)
    score = filled.mean(axis=0)
    covariance = filled @ (score - score.mean())
    order: NDArray[np.int_] = np.argsort(-covariance, kind="stable")
    return order


def _summary(way: str, sizes: list[int], shares: list[Floats], level: float) -> pd.DataFrame:
    if not shares:
        return pd.DataFrame()
    lower, upper = intervals.percentile(shares, level)
    return pd.DataFrame(
        {"way": way, "size": sizes, "kept": np.mean(shares, axis=0), "lower": lower, "upper": upper}
    )


def smallest(table: pd.DataFrame, way: str, kept: float) -> float:
    """The smallest size from which on the share is kept, on average; NaN if none that was tried.

    Parameters
    ----------
    table
        Of :func:`subsets`.
    way
        Chosen or random.
    kept
        Share of the pairs.
    """
    if table.empty:
        return float("nan")
    rows = table[table["way"] == way].sort_values("size")
    missed = rows["kept"].to_numpy() < kept
    after = np.flatnonzero(missed).max(initial=-1) + 1
    return float(rows["size"].iloc[after]) if after < len(rows) else float("nan")
