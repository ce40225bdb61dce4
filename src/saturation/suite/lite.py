"""Choose the tasks of a suite to keep: the lite suite that predicts the mean over all tasks.

The mean over all tasks is predicted from the mean over the tasks kept plus a ridge regression on
their scores. Tasks are added one by one, each time the one that leaves the smallest error on
families of models that the regression has not seen. How large a difference the lite suite shows is
measured forward: tasks and regression come from the older models, the error from the newer ones.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from saturation.arrays import Bools, Floats, Places
from saturation.statistics.intervals import t_quantile

FOLDS = 5
# Ridge penalties as shares of the predictors' mean variance.
PENALTIES = (0.02, 0.2, 1.0)
# Share of the older models on which tasks are chosen before their error is measured on the rest.
OLDER = 0.6
# Fewer newer models measure no error, and fewer in all are not enough for these.
FEWEST_NEWER, FEWEST_MODELS = 10, 25


class Models(NamedTuple):
    """Scores of models on all tasks, oldest model first, with the family of each model."""

    scores: Floats
    families: Places

    def part(self, rows: slice | Places) -> "Models":
        """Return some of the models."""
        return Models(self.scores[rows], self.families[rows])


class Lite(NamedTuple):
    """Tasks in the order in which they were chosen, and what so many of them show.

    ``smallest_difference`` has, for each number of tasks, the difference of two means over all
    tasks that the tasks kept show (95 %, a pair chosen in advance). ``penalty`` is the ridge
    regression's.
    """

    order: tuple[int, ...]
    smallest_difference: Floats
    penalty: float


@dataclass(frozen=True)
class Trial:
    """Trial on some later models of so many tasks, chosen on older models in some way.

    ``pairs`` is the number of pairs that the whole suite separates, ``kept`` the share of these
    that the tasks kept order too; ``wrong`` the share of the pairs so ordered that the whole suite
    orders the other way;
    ``covered`` the share of pairs whose difference lies within the stated one of its prediction;
    ``rank_correlation`` Spearman's of predicted and whole means.
    """

    models: str
    chosen_by: str
    tasks: int
    smallest_difference: float
    pairs: int
    kept: float
    wrong: float
    covered: float
    rank_correlation: float


def choose(models: Models, most: int, *, by_rank: bool = False) -> Lite:
    """Choose tasks step by step, and measure their results on newer models.

    By rank, tasks are chosen whose plain mean ranks the models most like the mean over all tasks:
    what maintainers of suites do today.
    """
    split = int(len(models.scores) * OLDER)
    older, newer = models.part(slice(None, split)), models.part(slice(split, None))
    measured = {
        penalty: _errors_forward(older, newer, _order(older, most, penalty), penalty)
        for penalty in ((np.inf,) if by_rank else PENALTIES)
    }
    penalty = min(measured, key=lambda one: measured[one].mean())
    quantile = t_quantile(len(newer.scores) - 1)
    return Lite(_order(models, most, penalty), quantile * measured[penalty], penalty)


def try_later(
    older: Models, later: Models, lite: Lite, separated: Bools, models: str, chosen_by: str
) -> list[Trial]:
    """Try tasks chosen on older models on later models.

    `separated` says which pairs of the later models the whole suite separates, in their order;
    `models` and `chosen_by` name the later models and how the tasks were chosen.
    """
    first, second = np.triu_indices(len(later.scores), 1)
    whole = later.scores.mean(axis=1)
    true = whole[first] - whole[second]
    trials = []
    for size in range(1, len(lite.order) + 1):
        means = predict(older.scores, lite.order[:size], lite.penalty, later.scores)
        gap, detectable = means[first] - means[second], lite.smallest_difference[size - 1]
        ordered, agrees = np.abs(gap) > detectable, np.sign(gap) == np.sign(true)
        trials.append(
            Trial(
                models=models,
                chosen_by=chosen_by,
                tasks=size,
                smallest_difference=detectable,
                pairs=int(separated[first, second].sum()),
                kept=_share(ordered & agrees, separated[first, second]),
                wrong=_share(~agrees, ordered),
                covered=np.mean(np.abs(gap - true) <= detectable),
                rank_correlation=_rank_correlation(means, whole),
            )
        )
    return trials


def predict(known: Floats, tasks: tuple[int, ...], penalty: float, scores: Floats) -> Floats:
    """Predict the mean over all tasks from the tasks kept, by a regression on known models."""
    selection, whole = known[:, list(tasks)], known.mean(axis=1)
    centre = selection.mean(axis=0)
    slopes = _ridge(selection - centre, whole - selection.mean(axis=1), penalty)
    centred = scores[:, list(tasks)] - centre
    predicted: Floats = whole.mean() + centred.mean(axis=1) + centred @ slopes
    return predicted


def explained(models: Models) -> Floats:
    """Return the share of each task's variance that the other tasks predict, families left out.

    R2 of a ridge regression on all other tasks, predicted for families of models that it has not
    seen; the best of four penalties. 1 where all models are equal; negative where the prediction is
    worse than the mean.
    """
    fold = _folds(models.families)
    shares = np.ones(models.scores.shape[1])
    for task in np.flatnonzero(np.ptp(models.scores, axis=0)):
        predictors = np.delete(models.scores, task, axis=1)
        outcome = models.scores[:, task]
        squares = min(
            (_out_of_family(predictors, outcome, fold, penalty) ** 2).sum()
            for penalty in (0.001, *PENALTIES)
        )
        shares[task] = 1 - squares / ((outcome - outcome.mean()) ** 2).sum()
    return shares


def _order(models: Models, most: int, penalty: float) -> tuple[int, ...]:
    """Add tasks step by step, each time the task that leaves the smallest loss.

    The loss is the error of the prediction; at an infinite penalty, 1 minus the rank correlation.
    """
    fold, whole = _folds(models.families), models.scores.mean(axis=1)
    order: list[int] = []
    for _ in range(most):
        losses = {}
        for task in set(range(models.scores.shape[1])) - set(order):
            selection = models.scores[:, [*order, task]]
            mean = selection.mean(axis=1)
            if np.isinf(penalty):
                losses[task] = 1 - _rank_correlation(mean, whole)
            else:
                errors = _out_of_family(selection, whole - mean, fold, penalty)
                losses[task] = (errors**2).mean()
        order.append(min(sorted(losses), key=losses.__getitem__))
    return tuple(order)


def _rank_correlation(first: Floats, second: Floats) -> float:
    """Return Spearman's rank correlation; NaN where either is constant."""
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(stats.rankdata(first), stats.rankdata(second))[0, 1])


def _errors_forward(older: Models, newer: Models, order: tuple[int, ...], penalty: float) -> Floats:
    """Measure, for each number of tasks, the error of differences of newer models.

    The root mean square over pairs of unlike families.
    """
    whole = newer.scores.mean(axis=1)
    first, second = np.triu_indices(len(whole), 1)
    unlike = newer.families[first] != newer.families[second]
    squares = []
    for size in range(1, len(order) + 1):
        errors = whole - predict(older.scores, order[:size], penalty, newer.scores)
        squares.append(((errors[first] - errors[second])[unlike] ** 2).mean())
    return np.sqrt(squares)


def _ridge(centred: Floats, outcome: Floats, penalty: float) -> Floats:
    """Return the slopes of a ridge regression of centred predictors: 0 at an infinite penalty."""
    if np.isinf(penalty) or not centred.any():
        return np.zeros(centred.shape[1])
    products = centred.T @ centred
    weight = penalty * np.trace(products) / len(products)
    return np.linalg.solve(
        products + weight * np.eye(len(products)), centred.T @ (outcome - outcome.mean())
    )


def _out_of_family(predictors: Floats, outcome: Floats, fold: Places, penalty: float) -> Floats:
    """Return the errors of a ridge regression for the families of each fold, left out in turn."""
    errors = np.empty(len(outcome))
    for number in range(fold.max() + 1):
        out = fold == number
        centre = predictors[~out].mean(axis=0)
        slopes = _ridge(predictors[~out] - centre, outcome[~out], penalty)
        errors[out] = outcome[out] - outcome[~out].mean() - (predictors[out] - centre) @ slopes
    return errors


def _folds(families: Places) -> Places:
    """Deal families to folds, the largest first, each to the fold with the fewest models."""
    sizes = pd.Series(families).value_counts()
    filled = np.zeros(min(FOLDS, len(sizes)), np.intp)
    fold_of = {}
    for family, size in sizes.items():
        fold_of[family] = np.argmin(filled)
        filled[fold_of[family]] += size
    return np.array([fold_of[family] for family in families], np.intp)


def _share(part: Bools, whole: Bools) -> float:
    """Return the share of the marked pairs that are of a part; NaN without marked pairs."""
    return part[whole].mean() if whole.any() else np.nan
