"""Measure alpha from item answers: the n^alpha at which the paper's error is the paired error."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.arrays import Bools, Floats, Integers
from saturation.files.tables import Row
from saturation.statistics.intervals import t_quantile
from studies.boards import pooling
from studies.boards.names import ORIGINS
from studies.boards.ranked import Ranked, Settings

# What is resampled in another test set: items, or groups of items with all that they hold.
ITEMS, GROUPS = "items", "groups"
# Variances below this are the rounding of a zero: two models that answered alike.
ROUNDING = 1e-12
_MEASURED = [
    *("board", "sample", "n_models", "n_items", "alpha", "lower", "upper", "error", "alpha_pair"),
    *("alpha_split", "reason"),
]
_POOLED = [
    *("boards", "origins", "value", "lower", "upper", "error", "between_groups", "between_units"),
    *("predicted_lower", "predicted_upper", "predicted_degrees"),
]
# Growth of a test over which the fall of the variance is averaged: the present size over an eighth.
GROWTH = 8.0
_READINGS = ["board", "models", "items", "between_tasks", "exponent"]


class Ratios(NamedTuple):
    """Log ratios of pairs of models: the variance of independent items over the paired variance.

    `pairs` are places of models, shape (p, 2); `value` is NaN where two models answered alike;
    `without` is the same without one group of items, shape (groups, p). The groups are worth
    `effective` equal ones (:func:`count_equal_groups`).
    """

    pairs: Integers
    value: Floats
    without: Floats
    effective: float


class Estimate(NamedTuple):
    """Log ratio with its jackknife error; degrees of freedom are the number of groups less 1."""

    value: float
    error: float
    degrees: float

    def alpha(self, n_items: int, level: float) -> tuple[float, float, float]:
        """Alpha at a number of items with its interval, by Student's t."""
        half = t_quantile(self.degrees, level) * self.error
        middle, low, high = (
            1 + (self.value + side * half) / np.log(n_items) for side in (0, -1, 1)
        )
        return middle, low, high


def measured(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """Measure alpha of each board, with items and with groups of items as the sample.

    A row without alpha says the reason.
    """
    rows = [
        _row(board, sample, settings)
        for board in boards
        for sample in ((ITEMS, GROUPS) if len(board.groups.unique()) > 1 else (ITEMS,))
    ]
    return pd.DataFrame(rows).reindex(columns=_MEASURED)


def pooled(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Pool alpha over boards: one row, without numbers if there are fewer than two origins.

    Random effects of each origin (who evaluated) and of each board in it.
    """
    boards = table[table["reason"].isna() & (table["sample"] == ITEMS)]
    origins = boards["board"].map(ORIGINS)
    count = origins.nunique()
    row: dict[str, float] = {"boards": len(boards), "origins": count}
    if count > 1:
        mean = pooling.pool(boards["alpha"], boards["error"], origins)
        row |= {**mean._asdict(), "predicted_degrees": mean.predicted_degrees}
        row |= zip(("lower", "upper"), mean.interval(level))
        row |= zip(("predicted_lower", "predicted_upper"), mean.prediction(level))
    return pd.DataFrame([row]).reindex(columns=_POOLED)


def ratios(answers: Floats, groups: Integers, single_run: bool) -> Ratios:
    """Log ratios of all pairs of models, from complete answers of items by models in [0, 1].

    `groups` numbers the group of each item from 0. With `single_run`, answers are shares over
    repeated runs and the error is that of one run, which varies by x (1 - x) around the share x.
    """
    pairs = np.array(list(itertools.combinations(range(answers.shape[1]), 2)))
    sizes = np.bincount(groups).astype(float)
    sums = _sum_by_group(answers, groups)
    noise = _sum_by_group(answers * (1 - answers), groups) if single_run else np.zeros_like(sums)
    gap = sums[:, pairs[:, 0]] - sums[:, pairs[:, 1]]
    # What a variance of the mean difference is made of; groups enter as sums, so that each can be
    # taken out again.
    parts = (
        sums,
        noise[:, pairs[:, 0]] + noise[:, pairs[:, 1]],
        gap,
        gap**2,
        gap * sizes[:, None],
        np.column_stack([np.ones_like(sizes), sizes, sizes**2]),
    )
    totals = [part.sum(axis=0) for part in parts]
    remaining = [total - part for total, part in zip(totals, parts)]
    value, without = _log_ratio(pairs, *totals), _log_ratio(pairs, *remaining)
    return Ratios(pairs, value, without, count_equal_groups(sizes))


def count_equal_groups(sizes: Floats | Integers) -> float:
    """Count the equal groups that groups of s items each are worth: (sum s^2)^2 / sum s^4.

    The items of a group depend on each other.
    """
    return float(np.sum(sizes**2) ** 2 / np.sum(sizes**4))


def jackknife(found: Ratios, chosen: Bools | None = None) -> Estimate:
    """Mean log ratio of the chosen pairs, all by default, corrected for its bias.

    Pairs of models that answered alike, in all items or without a group, have no ratio and are left
    out; without any other pair the estimate is NaN.
    """
    groups = len(found.without)
    defined = np.isfinite(found.value) & np.isfinite(found.without).all(axis=0)
    taken = defined if chosen is None else defined & chosen
    if not taken.any():
        return Estimate(np.nan, np.nan, found.effective - 1)
    whole, without = found.value[taken].mean(), found.without[:, taken].mean(axis=1)
    error = np.sqrt((groups - 1) / groups * np.sum((without - without.mean()) ** 2))
    corrected = groups * whole - (groups - 1) * without.mean()
    return Estimate(float(corrected), float(error), found.effective - 1)


def split(
    answers: Floats, k: int, single_run: bool, rng: np.random.Generator, splits: int
) -> float:
    """Compute the mean log ratio of models chosen on half of the items and measured on the other.

    Over all pairs of the k models; `answers` are of all models of the board, missing where a model
    did not answer.
    """
    log_ratios = []
    for _ in range(splits):
        half = rng.permutation(len(answers)) < len(answers) // 2
        log_ratios += [
            _measure_selection(answers[rows], answers[~rows], k, single_run)
            for rows in (half, ~half)
        ]
    return float(np.nanmean(log_ratios))


def _row(board: Ranked, sample: str, settings: Settings) -> Row:
    """Measure alpha of a board's top models with items or groups of items as the sample."""
    k, answers = settings.k, board.answers
    top = answers.iloc[:, :k].dropna()
    row = {
        "board": board.board,
        "sample": sample,
        "n_items": len(top),
        "n_models": answers.shape[1],
        "reason": _unmeasured(answers, top, settings),
    }
    if row["reason"]:
        return row
    x = top.to_numpy()
    codes = pd.factorize(board.groups[top.index])[0] if sample == GROUPS else np.arange(len(x))
    by_pair = ratios(x, codes, board.shares)
    if by_pair.effective < settings.fewest_groups:
        few = (
            f"groups worth {by_pair.effective:.1f} equal ones; {settings.fewest_groups} are needed"
        )
        return row | {"reason": few}
    mean = jackknife(by_pair)
    if not mean.error > 0:
        return row | {"reason": "the top models answered alike: their gap shows no error"}
    scale = np.log(len(x))
    row |= zip(("alpha", "lower", "upper"), mean.alpha(len(x), settings.level))
    # Pairs are those of the first with all others, then of the second, and so on.
    pair = jackknife(by_pair, np.arange(len(by_pair.pairs)) == k - 2)
    row |= {"error": mean.error / scale, "alpha_pair": 1 + pair.value / scale}
    if sample == ITEMS:
        rng = seeds.generator(settings.seed, "boards", "alpha", board.board)
        halves = split(answers.to_numpy(), k, board.shares, rng, settings.splits)
        row["alpha_split"] = 1 + halves / scale
    return row


def _unmeasured(answers: pd.DataFrame, top: pd.DataFrame, settings: Settings) -> str | None:
    """Return the reason why alpha is not measured."""
    if answers.shape[1] < settings.k:
        return f"{answers.shape[1]} models; {settings.k} are compared"
    if len(top) < settings.fewest_items:
        return f"the top models share {len(top)} items; {settings.fewest_items} are needed"
    return None


def _sum_by_group(values: Floats, groups: Integers) -> Floats:
    sums = np.zeros((groups.max() + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums


def _log_ratio(
    pairs: Integers,
    sums: Floats,
    noise: Floats,
    gap: Floats,
    squares: Floats,
    mixed: Floats,
    sizes: Floats,
) -> Floats:
    count, n, squared = (sizes[..., place, None] for place in range(3))
    score = sums / n
    independent = score * (1 - score)
    mean = gap / n
    spread = np.maximum(squares - 2 * mean * mixed + mean**2 * squared, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        paired = (count / (count - 1) * spread + noise) / n
        paired = np.where(paired > ROUNDING, paired, np.nan)
        return np.log((independent[..., pairs[:, 0]] + independent[..., pairs[:, 1]]) / paired)


def _measure_selection(one: Floats, other: Floats, k: int, single_run: bool) -> float:
    """Measure the top of one half of the items on the other half."""
    answered = ~np.isnan(one)
    score = np.where(answered, one, 0).sum(axis=0) / np.maximum(answered.sum(axis=0), 1)
    top = other[:, np.argsort(-score, kind="stable")[:k]]
    top = top[~np.isnan(top).any(axis=1)]
    value = ratios(top, np.arange(len(top)), single_run)
    return float(np.nanmean(value.value))


def readings(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """Measure how errors fall as a task gets longer, which alpha at a single size cannot say.

    One row a board with enough groups of items. How far gaps between models move when a benchmark
    is renewed is in :mod:`saturation.renewal.movement`.
    """
    rows = []
    for board in boards:
        top = board.answers.iloc[:, : settings.k].dropna()
        groups = pd.factorize(board.groups[top.index])[0]
        sizes = np.bincount(groups)
        if sizes.max() > 1 and count_equal_groups(sizes) >= settings.fewest_groups:
            measures = growth(top.to_numpy(), groups)
            rows.append((board.board, settings.k, len(top), *measures))
    return pd.DataFrame(rows, columns=_READINGS)


def growth(answers: Floats, groups: Integers) -> tuple[float, float]:
    """Measure how the variance of the top gaps falls as a task gets longer.

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
        total += len(sizes) / (len(sizes) - 1) * (off @ off)
        within += np.sum(weights**2 * spread / sizes)
    between = max(total - within, 0.0)
    fall = np.log((between + within) / (between + GROWTH * within)) / np.log(GROWTH)
    return between / (between + within), fall
