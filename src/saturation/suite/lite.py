"""Choose the tasks of a suite to keep: the lite suite that predicts the mean over all tasks.

The mean over all tasks is predicted from the mean over the tasks kept plus a ridge regression on
their scores. Tasks are added one by one, each time the one that leaves the smallest error on
families of models that the regression has not seen. How large a difference the lite suite shows is
measured forward: tasks and regression come from the older models, the error from the newer ones.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from saturation.arrays import Bools, Floats, Places
from saturation.errors import InputError
from saturation.statistics.intervals import CONFIDENCE

FOLDS = 5
# Ridge penalties as shares of the predictors' mean variance.
PENALTIES = (0.02, 0.2, 1.0)
# Share of the older models on which tasks are chosen before their error is measured on the rest.
OLDER = 0.6
# Fewer models on either side measure no error.
FEWEST_MODELS = 10


class Models(NamedTuple):
    """Scores of models on all tasks, oldest model first, with the family of each model."""

    scores: Floats
    families: Places

    def part(self, rows: slice | Places) -> "Models":
        """Return some of the models."""
        return Models(self.scores[rows], self.families[rows])


class Prediction(NamedTuple):
    """A linear prediction of the mean over all tasks from the tasks kept."""

    tasks: tuple[int, ...]
    centre: Floats
    mean: float
    slopes: Floats

    def means(self, scores: Floats) -> Floats:
        """Predict the mean over all tasks of each model."""
        centred = scores[:, list(self.tasks)] - self.centre
        predicted: Floats = self.mean + centred.mean(axis=1) + centred @ self.slopes
        return predicted


class Lite(NamedTuple):
    """Tasks in the order in which they were chosen, and what so many of them show.

    ``smallest_difference`` has, for each number of tasks, the difference of two means over all
    tasks that the tasks kept show (95 %, a pair chosen in advance). ``penalty`` is the ridge
    regression's.
    """

    order: tuple[int, ...]
    smallest_difference: Floats
    penalty: float


class Trial(NamedTuple):
    """Trial on later models of so many tasks, chosen on older models.

    ``pairs`` is the number of pairs that the whole suite separates, ``kept`` the share of these
    that the tasks kept order too; ``wrong`` the share of the pairs so ordered that the whole suite
    orders the other way;
    ``covered`` the share of pairs whose difference lies within the stated one of its prediction;
    ``rank_correlation`` Spearman's of predicted and whole means.
    """

    tasks: int
    smallest_difference: float
    pairs: int
    kept: float
    wrong: float
    covered: float
    rank_correlation: float


def choose(models: Models, most: int, confidence: float = CONFIDENCE) -> Lite:
    """Choose tasks step by step, and measure their results on newer models.

    Raises
    ------
    InputError
        If there are too few models to measure an error on the newer ones.
    """
    split = int(len(models.scores) * OLDER)
    older, newer = models.part(slice(None, split)), models.part(slice(split, None))
    if min(len(older.scores), len(newer.scores)) < FEWEST_MODELS:
        fewest = int(np.ceil(FEWEST_MODELS / min(OLDER, 1 - OLDER)))
        raise InputError(
            [f"{len(models.scores)} models with all tasks: a lite suite needs {fewest} or more"]
        )
    measured = {
        penalty: _errors_forward(older, newer, _order(older, most, penalty), penalty)
        for penalty in PENALTIES
    }
    penalty = min(measured, key=lambda one: float(measured[one].mean()))
    detectable = _quantile(confidence, newer) * measured[penalty]
    return Lite(_order(models, most, penalty), detectable, penalty)


def choose_by_rank(models: Models, most: int, confidence: float = CONFIDENCE) -> Lite:
    """Choose tasks whose plain mean ranks the models most like the mean over all tasks.

    What maintainers of suites do today; its error is measured forward too, so that it is compared
    with :func:`choose` on equal terms.
    """
    split = int(len(models.scores) * OLDER)
    older, newer = models.part(slice(None, split)), models.part(slice(split, None))
    order = _order_by_rank(older, most)
    spreads = [
        _pair_spread(newer.scores.mean(axis=1) - newer.scores[:, order[:size]].mean(axis=1), newer)
        for size in range(1, most + 1)
    ]
    detectable = _quantile(confidence, newer) * np.array(spreads)
    return Lite(_order_by_rank(models, most), detectable, np.inf)


def try_later(
    older: Models, later: Models, lite: Lite, sizes: Sequence[int], separated: Bools
) -> list[Trial]:
    """Try tasks chosen on older models on later models.

    `separated` says which pairs of the later models the whole suite separates, in their order.
    """
    first, second = np.triu_indices(len(later.scores), 1)
    whole = later.scores.mean(axis=1)
    true = whole[first] - whole[second]
    trials = []
    for size in sizes:
        means = predict(older, lite, size).means(later.scores)
        gap, detectable = means[first] - means[second], float(lite.smallest_difference[size - 1])
        ordered, agrees = np.abs(gap) > detectable, np.sign(gap) == np.sign(true)
        trials.append(
            Trial(
                tasks=size,
                smallest_difference=detectable,
                pairs=int(separated[first, second].sum()),
                kept=_share(ordered & agrees, separated[first, second]),
                wrong=_share(~agrees, ordered),
                covered=float(np.mean(np.abs(gap - true) <= detectable)),
                rank_correlation=float(stats.spearmanr(means, whole).statistic),
            )
        )
    return trials


def predict(models: Models, lite: Lite, size: int) -> Prediction:
    """Fit the prediction of the mean over all tasks from the first so many tasks chosen."""
    return _fit(models.scores, lite.order[:size], lite.penalty)


def explained(models: Models) -> Floats:
    """Return the share of each task's variance that the other tasks predict, families left out.

    R2 of a ridge regression on all other tasks, predicted for families of models that it has not
    seen; the best of three penalties. Negative where the prediction is worse than the mean.
    """
    fold = _folds(models.families)
    shares = np.empty(models.scores.shape[1])
    for task in range(len(shares)):
        predictors = np.delete(models.scores, task, axis=1)
        outcome = models.scores[:, task]
        squares = min(
            float((_out_of_family(predictors, outcome, fold, penalty) ** 2).sum())
            for penalty in (0.001, *PENALTIES)
        )
        shares[task] = 1 - squares / ((outcome - outcome.mean()) ** 2).sum()
    return shares


def _order(models: Models, most: int, penalty: float) -> tuple[int, ...]:
    """Add tasks step by step, each time the task that leaves the smallest error."""
    fold, whole = _folds(models.families), models.scores.mean(axis=1)
    order: list[int] = []
    for _ in range(most):
        errors = {}
        for task in set(range(models.scores.shape[1])) - set(order):
            selection = models.scores[:, [*order, task]]
            squared_errors = _out_of_family(
                selection, whole - selection.mean(axis=1), fold, penalty
            )
            errors[task] = float((squared_errors**2).mean())
        order.append(min(sorted(errors), key=errors.__getitem__))
    return tuple(order)


def _order_by_rank(models: Models, most: int) -> tuple[int, ...]:
    """Add tasks step by step, each time the task whose mean ranks most like the whole mean."""
    whole = stats.rankdata(models.scores.mean(axis=1))
    order: list[int] = []
    for _ in range(most):
        remaining = [task for task in range(models.scores.shape[1]) if task not in order]
        means = np.stack([models.scores[:, [*order, task]].mean(axis=1) for task in remaining])
        ranks = stats.rankdata(means, axis=1)
        order.append(remaining[int(np.argmax([np.corrcoef(row, whole)[0, 1] for row in ranks]))])
    return tuple(order)


def _errors_forward(older: Models, newer: Models, order: tuple[int, ...], penalty: float) -> Floats:
    """Measure, for each number of tasks, the spread of errors of differences of newer models."""
    whole = newer.scores.mean(axis=1)
    return np.array(
        [
            _pair_spread(
                whole - _fit(older.scores, order[:size], penalty).means(newer.scores), newer
            )
            for size in range(1, len(order) + 1)
        ]
    )


def _quantile(confidence: float, newer: Models) -> float:
    """Return the two-sided t quantile for a spread measured on so many models."""
    return float(stats.t.ppf((1 + confidence) / 2, len(newer.scores) - 1))


def _pair_spread(errors: Floats, models: Models) -> float:
    """Return the root mean square of the errors' differences over pairs of unlike families."""
    first, second = np.triu_indices(len(errors), 1)
    unlike = models.families[first] != models.families[second]
    return float(np.sqrt(np.mean((errors[first] - errors[second])[unlike] ** 2)))


def _fit(scores: Floats, tasks: tuple[int, ...], penalty: float) -> Prediction:
    """Regress what the mean over the tasks kept leaves of the whole mean on their scores."""
    selection, whole = scores[:, list(tasks)], scores.mean(axis=1)
    centre = selection.mean(axis=0)
    slopes = _ridge(selection - centre, whole - selection.mean(axis=1), penalty)
    return Prediction(tasks, centre, float(whole.mean()), slopes)


def _ridge(centred: Floats, outcome: Floats, penalty: float) -> Floats:
    """Return the slopes of a ridge regression of centred predictors: 0 at an infinite penalty."""
    if np.isinf(penalty):
        return np.zeros(centred.shape[1])
    products = centred.T @ centred
    weight = penalty * np.trace(products) / len(products)
    slopes: Floats = np.linalg.solve(
        products + weight * np.eye(len(products)), centred.T @ (outcome - outcome.mean())
    )
    return slopes


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
    sizes = pd.Series(families).value_counts(sort=True)
    filled = np.zeros(min(FOLDS, len(sizes)), dtype=np.intp)
    fold_of = {}
    for family, size in sizes.items():
        fold_of[family] = int(np.argmin(filled))
        filled[fold_of[family]] += size
    return np.array([fold_of[family] for family in families], dtype=np.intp)


def _share(part: Bools, whole: Bools) -> float:
    """Return the share of the marked pairs that are of a part; NaN without marked pairs."""
    return float(part[whole].mean()) if whole.any() else float("nan")
