"""Describe a suite of tasks: what its ranking shows, what each task adds, which tasks to keep."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.arrays import Bools, Floats, Places
from saturation.errors import InputError
from saturation.suite import lite, ranking

# The frontier: so many best models, of which the suite is asked again.
TOP = 30
# Share of the separated pairs that a lite suite keeps.
KEPT = 0.95
# Of fewer separated pairs this share is all of them: nothing is said of what is kept.
FEWEST_PAIRS = 20
# A task whose variance the other tasks predict to this share repeats them.
REPEATED = 0.95
FEWEST_TASKS, FEWEST_MODELS = 5, 5
# Tasks that a smaller share of the models has are left out.
LEAST_SHARE = 0.5
MEAN, WINS = "mean score", "mean win rate (Borda)"
# On which models a lite suite is tried, and how its tasks were chosen.
LATER, FRONTIER = "later models", "best later models"
BY_ERROR, BY_RANK = "smallest error", "rank correlation"
# More models are not ranked: all pairs are tested.
MOST_MODELS = 400


class Table(NamedTuple):
    """Scores of models on the tasks of a suite, higher is better, and what is known of both.

    ``scores`` has a row a model and a column a task; ``task_families`` and ``model_families`` name
    the family of each task and model; ``dates`` are the models' release dates, missing where they
    are not known.
    """

    scores: pd.DataFrame
    task_families: pd.Series
    model_families: pd.Series
    dates: pd.Series


@dataclass(frozen=True)
class Aggregate:
    """Ranking by an aggregate, with tasks and with families as the sample."""

    name: str
    leader: str
    adjacent_by_tasks: int
    adjacent_by_families: int
    possibly_best_by_tasks: list[str]
    possibly_best_by_families: list[str]


@dataclass(frozen=True)
class Task:
    """Task with its share of variance that the remaining tasks predict, and its rank for keeping.

    ``kept_as`` counts from 1, the first task that a lite suite takes.
    """

    task: str
    family: str
    predicted: float
    kept_as: int | None


@dataclass(frozen=True)
class Lite:
    """Tasks in the order in which to keep them, and all trials on later models.

    ``later`` says which models are the later ones, ``tasks`` orders them by choice on all models.
    """

    later: str
    models_later: int
    tasks: list[str]
    trials: list[lite.Trial]

    def results(self, models: str = LATER, chosen_by: str = BY_ERROR) -> list[lite.Trial]:
        """Return the trials of a group of models and a choice, by the number of tasks."""
        return [
            trial for trial in self.trials if (trial.models, trial.chosen_by) == (models, chosen_by)
        ]

    def fewest(self, models: str = LATER) -> lite.Trial | None:
        """Return the trial of the fewest tasks from which on all trials keep enough pairs."""
        fewest = None
        for trial in reversed(self.results(models)):
            if trial.pairs < FEWEST_PAIRS or trial.kept < KEPT:
                break
            fewest = trial
        return fewest

    def third(self, models: str = LATER, chosen_by: str = BY_ERROR) -> lite.Trial:
        """Return the trial of a third of the tasks."""
        return self.results(models, chosen_by)[round((len(self.tasks) + 1) / 3) - 1]


@dataclass(frozen=True)
class Suite:
    """All that is said of a suite."""

    models: int
    without_all_tasks: list[str]
    rare_tasks: list[str]
    families: int
    aggregates: list[Aggregate]
    first_by_weights: dict[str, float]
    dimensions: float
    dimensions_of_the_best: float
    tasks: list[Task]
    lite: Lite | None
    no_lite: str


def describe(table: Table, before: str | None = None, seed: int = 0) -> Suite:
    """Describe a suite from the models that have all its tasks.

    Parameters
    ----------
    table
        Scores, families and dates; see :class:`Table`.
    before
        ISO date: the lite suite is chosen on models released before it and tried on later ones. By
        default the date before which 60 % of the dated models were released; without dates, 40 %
        of the families of models are held out at random.
    seed
        Seed of the random signs, weights and families held out.

    Raises
    ------
    InputError
        If fewer than five models have all tasks, or there are fewer than five tasks.
    """
    given = table.scores
    usual = given.loc[:, given.notna().mean() >= LEAST_SHARE]
    complete = usual.dropna().sort_index(axis=1)
    complete = complete.loc[complete.mean(axis=1).nlargest(MOST_MODELS).index].sort_index()
    if complete.shape[1] < FEWEST_TASKS or len(complete) < FEWEST_MODELS:
        raise InputError(
            f"a suite needs {FEWEST_MODELS} models with scores on {FEWEST_TASKS} tasks or more; "
            f"{len(complete)} have scores on all of {list(usual)}; name the "
            "tasks to use with --tasks"
        )
    codes = pd.factorize(table.model_families.loc[complete.index])[0]
    if not codes.any():
        # No family can be left out: each model is.
        return describe(table._replace(model_families=given.index.to_series()), before, seed)
    scores = complete.to_numpy(float)
    families = pd.factorize(table.task_families.loc[complete.columns])[0]
    shares = ranking.first_by_weights(scores, seed=seed)
    lite_suite, reason = _lite(table, complete, before, seed)
    predicted = lite.explained(lite.Models(scores, codes))
    kept_as = {
        task: place for place, task in enumerate(lite_suite.tasks if lite_suite else [], start=1)
    }
    return Suite(
        models=len(complete),
        without_all_tasks=list(map(str, given.index.difference(complete.index))),
        rare_tasks=list(map(str, given.columns.difference(usual.columns))),
        families=int(families.max()) + 1,
        aggregates=[
            _aggregate(MEAN, complete, scores, families, seed),
            _aggregate(WINS, complete, ranking.win_rates(scores), families, seed),
        ],
        first_by_weights={str(name): share for name, share in zip(complete.index, shares) if share},
        dimensions=ranking.participation_ratio(scores),
        dimensions_of_the_best=ranking.participation_ratio(scores[_best(scores)]),
        tasks=[
            Task(str(task), str(table.task_families[task]), share, kept_as.get(str(task)))
            for task, share in zip(complete.columns, predicted.tolist())
        ],
        lite=lite_suite,
        no_lite=reason,
    )


def text(suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield the printed lines: a label and a sentence."""
    leader = suite.aggregates[0].leader
    names = [task.task for task in suite.tasks]
    grouped = suite.families < len(names)
    yield "data", f"{suite.models} models, {len(names)} tasks: {', '.join(names)}"
    if suite.rare_tasks or suite.without_all_tasks:
        yield (
            "left out",
            f"models that lack a task or are not among the best {MOST_MODELS}: "
            f"{len(suite.without_all_tasks)}; tasks that most models lack: "
            + (", ".join(suite.rare_tasks) or "none"),
        )
    for aggregate in suite.aggregates:
        of_families = (
            f", {len(aggregate.possibly_best_by_families)} if the {suite.families} families of "
            "tasks are the sample"
            if grouped
            else ""
        )
        yield (
            aggregate.name.partition(" (")[0],
            f"{aggregate.leader} leads; models that may be the best (95 %): "
            f"{len(aggregate.possibly_best_by_tasks)}{of_families}; pairs of neighbours in the "
            f"ranking that are separated: {aggregate.adjacent_by_tasks} of {suite.models - 1}",
        )
    yield (
        "weights",
        f"with random weights of the tasks {leader} leads in "
        f"{100 * suite.first_by_weights.get(leader, 0.0):.0f} % of the draws; models that "
        f"ever lead: {len(suite.first_by_weights)}",
    )
    if np.isfinite(suite.dimensions_of_the_best):
        yield (
            "dimensions",
            f"the tasks measure {suite.dimensions:.1f} dimensions over all models, "
            f"{suite.dimensions_of_the_best:.1f} over the best {min(TOP, suite.models)} "
            "(participation ratio)",
        )
    repeated = [task.task for task in suite.tasks if task.predicted >= REPEATED]
    yield (
        "repeated",
        f"tasks whose scores the others predict (R2 of {REPEATED} or more): "
        + (", ".join(repeated) or "none"),
    )
    yield from _lite_lines(suite)


def _lite_lines(suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield what a lite suite keeps, or why there is none."""
    lite_suite = suite.lite
    if lite_suite is None:
        yield "lite suite", suite.no_lite
        return
    third, by_rank = lite_suite.third(), lite_suite.third(chosen_by=BY_RANK)
    later = f"{lite_suite.models_later} models {lite_suite.later}"
    if third.pairs < FEWEST_PAIRS:
        yield (
            "lite suite",
            f"of {later} all tasks separate {third.pairs} pairs: too few to say which tasks keep "
            "them",
        )
        return
    trial = lite_suite.fewest()
    if trial is None:
        yield "lite suite", f"no fewer tasks keep {100 * KEPT:.0f} % of the separated pairs"
    else:
        yield (
            "lite suite",
            f"{trial.tasks} of {len(suite.tasks)} tasks "
            f"({', '.join(lite_suite.tasks[: trial.tasks])}) keep {_kept(trial)} of {later}",
        )
    yield "frontier", f"among the best of them (at most {TOP}), {_frontier(lite_suite)}"
    yield (
        "at a third",
        f"{third.tasks} tasks keep {_kept(third)}; {by_rank.tasks} chosen by rank correlation "
        f"keep {_kept(by_rank)}",
    )


def _frontier(lite_suite: Lite) -> str:
    """Say how few tasks keep the separated pairs of the best later models."""
    if trial := lite_suite.fewest(FRONTIER):
        return f"it takes {trial.tasks} tasks, which keep {_kept(trial)}"
    if (pairs := lite_suite.third(FRONTIER).pairs) < FEWEST_PAIRS:
        return f"all tasks separate {pairs} pairs, too few for an answer"
    return f"nothing can be dropped: no smaller suite keeps {100 * KEPT:.0f} %"


def _kept(trial: lite.Trial) -> str:
    """Say which share of the separated pairs tasks keep, and how small a difference they show."""
    return (
        f"{100 * trial.kept:.1f} % of the separated pairs (they show differences of "
        f"{100 * trial.smallest_difference:.1f} points or more)"
    )


def _aggregate(
    name: str, complete: pd.DataFrame, scores: Floats, families: Places, seed: int
) -> Aggregate:
    """Rank models by an aggregate, with tasks and with families of tasks as the sample."""
    by_tasks = ranking.rank(scores, seed=seed)
    by_families = ranking.rank(scores, families, seed=seed)
    names = complete.index.astype(str).to_numpy()[by_tasks.order]
    return Aggregate(
        name=name,
        leader=str(names[0]),
        adjacent_by_tasks=by_tasks.adjacent_separated,
        adjacent_by_families=by_families.adjacent_separated,
        possibly_best_by_tasks=names[by_tasks.possibly_best].tolist(),
        possibly_best_by_families=names[by_families.possibly_best].tolist(),
    )


def _lite(
    table: Table, complete: pd.DataFrame, before: str | None, seed: int
) -> tuple[Lite | None, str]:
    """Choose a lite suite on older models and try the suite on later models, or explain why not."""
    models, split, later = _order_by_age(table, complete, before, seed)
    tasks = complete.shape[1]
    older, newer = models.part(slice(None, split)), models.part(slice(split, None))
    if len(older.scores) < lite.FEWEST_MODELS or len(newer.scores) < lite.FEWEST_NEWER:
        return None, (
            f"choosing tasks takes {lite.FEWEST_MODELS} models (there are {len(older.scores)}), "
            f"trying them {lite.FEWEST_NEWER} models {later} (there are {len(newer.scores)})"
        )
    choice = lite.choose(older, tasks - 1)
    by_rank = lite.choose(older, tasks - 1, by_rank=True)
    final = lite.choose(models, tasks - 1)
    names = [str(complete.columns[task]) for task in final.order]
    trials = [
        trial
        for models_tried, group in ((LATER, newer), (FRONTIER, newer.part(_best(newer.scores))))
        for chosen_by, suite in ((BY_ERROR, choice), (BY_RANK, by_rank))
        for trial in lite.try_later(
            older, group, suite, _separated(group.scores, seed), models_tried, chosen_by
        )
    ]
    return Lite(later, len(newer.scores), names, trials), ""


def _best(scores: Floats) -> Places:
    """Return the places of the models with the highest means."""
    return np.argsort(-scores.mean(axis=1), kind="stable")[:TOP]


def _order_by_age(
    table: Table, complete: pd.DataFrame, before: str | None, seed: int
) -> tuple[lite.Models, int, str]:
    """Order models by date; return the number of older models, and the later models' label."""
    dates = pd.to_datetime(table.dates.reindex(complete.index)).dropna().sort_values(kind="stable")
    if len(dates) >= 2 * lite.FEWEST_NEWER:
        limit = pd.Timestamp(before) if before else dates.iloc[int(lite.OLDER * len(dates))]
        rows, split = complete.loc[dates.index], (dates < limit).sum()
        later = f"released from {limit:%Y-%m-%d} on"
    else:
        families = table.model_families.loc[complete.index]
        names = np.random.default_rng(seed).permutation(families.drop_duplicates().to_numpy())
        place = families.map({name: number for number, name in enumerate(names)})
        rows = complete.loc[place.sort_values(kind="stable").index]
        split, later = int(len(rows) * lite.OLDER), "of families held out at random"
    codes = pd.factorize(table.model_families.loc[rows.index])[0]
    return lite.Models(rows.to_numpy(float), codes), split, later


def _separated(scores: Floats, seed: int) -> Bools:
    """Say which pairs of models all tasks separate, in the models' own order."""
    ranked = ranking.rank(scores, seed=seed)
    rank = np.argsort(ranked.order)
    return ranked.separated[np.ix_(rank, rank)]
