"""The models of a board that are ranked, each once, and what was left out, in sentences."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation import index
from saturation.arrays import Integers
from saturation.errors import InputError, listed
from saturation.files.formats import ITEM, TASK
from saturation.files.tables import NamedTables
from saturation.leaderboard import entries, top
from saturation.pages.templates import percent
from saturation.statistics import standard_errors
from saturation.statistics.intervals import CONFIDENCE
from studies.boards.names import BOARDS, GROUPED_BY_NAME, SHARES


@dataclass(frozen=True)
class Settings(top.Settings):
    """Settings of the top's tests, and the keys of the config's `boards`."""

    z: float = index.Z  #: errors of a gap within which models are similar, as in the plateau study
    fewest_items: int = 30  #: that all top models answered; with fewer, alpha is not measured
    fewest_groups: int = 8  #: worth as many equal ones; fewer are not taken for the sample
    splits: int = 20  #: random halves of the items, on which models are chosen and measured
    draws: int = 4000  #: of alpha for each of the published benchmarks
    seed: int = 20251101


class Ranked(NamedTuple):
    """A board as its models are compared.

    Answers are items by models, best first, in [0, 1]; a group is the task of an item, or the
    repository of its issue; dates are those of the models' releases; counts say how many answers of
    each model to an item there are; remarks say what was left out.
    """

    board: str
    answers: pd.DataFrame
    groups: pd.Series
    dates: pd.Series
    counts: Integers
    remarks: list[str]

    @property
    def shares(self) -> bool:
        """Check whether answers are shares of right answers over repeated runs."""
        return BOARDS[self.board].kind == SHARES


def all_ranked(
    responses: NamedTables, evaluations: pd.DataFrame, least_coverage: float
) -> list[Ranked]:
    """Rank every board by :func:`ranked`, in the order of the responses."""
    return [
        ranked(board, table, evaluations[evaluations["board"] == board], least_coverage)
        for board, table in responses.items()
    ]


def ranked(
    board: str, responses: pd.DataFrame, evaluations: pd.DataFrame, least_coverage: float
) -> Ranked:
    """Rank the models, each by its best evaluation that answered enough of the items.

    Evaluations that answered less than a share `least_coverage` of the board's items are left out,
    and then all but the best of each model, as leaderboards have it.
    """
    answers = responses.drop(columns=[TASK]).set_index(ITEM)
    known = evaluations.set_index("evaluation")
    unlisted = answers.columns.difference(known.index)
    if len(unlisted):
        raise InputError(
            f"evaluations.csv: board '{board}' has no row for the evaluation '{unlisted[0]}'; "
            "add it, or make the table anew (snakemake boards_sources)"
        )
    remarks = []
    nobody = answers.isna().all(axis=1)
    if nobody.any():
        remarks.append(f"left out: {nobody.sum()} items that no evaluation answered")
    answers = answers[~nobody]
    answers = _covering(answers, least_coverage, remarks)
    answers, kept = _once(answers, known, remarks)
    dates = kept["date"]
    task = responses.set_index(ITEM)[TASK].loc[answers.index]
    if board in GROUPED_BY_NAME:
        task = task.index.to_series().str.extract(GROUPED_BY_NAME[board], expand=False)
    if dates.isna().all():
        remarks.append("no model has a release date")
    elif dates.isna().any():
        remarks.append(f"{dates.isna().sum()} of {len(dates)} models have no release date")
    return Ranked(board, answers, task, dates, kept["answers"].to_numpy(), remarks)


def _covering(answers: pd.DataFrame, least: float, remarks: list[str]) -> pd.DataFrame:
    """Select evaluations that answered enough of the items of the board."""
    estimates = pd.DataFrame(
        {"model": answers.columns, "n_items": answers.notna().sum().to_numpy()}
    )
    share, n_items = entries.coverage(estimates, answers)
    few = share.to_numpy() < least
    if few.any():
        remarks.append(
            f"left out: {few.sum()} evaluations that answered less than {percent(least, 0)} of "
            f"{n_items:.0f} items: {listed(answers.columns[few])}"
        )
    return answers.loc[:, ~few]


def _once(
    answers: pd.DataFrame, known: pd.DataFrame, remarks: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Each model by its best evaluation, best first, under the model's name; and their rows."""
    order = answers.mean().sort_values(ascending=False, kind="stable").index
    models = known.loc[order, "model"]
    first = ~models.duplicated()
    if not first.all():
        remarks.append(
            f"left out: {(~first).sum()} further evaluations of a model that has a better one"
        )
    kept = order[first.to_numpy()]
    listed = known.loc[kept].astype({"date": object}).set_index("model")
    return answers[kept].set_axis(listed.index.to_list(), axis=1), listed


def estimates(answers: pd.DataFrame, level: float = CONFIDENCE) -> pd.DataFrame:
    """Scores of models with errors from their answers to items that stand alone, best first."""
    nothing = pd.DataFrame(columns=["model", "configuration", "run", "score"])
    return standard_errors.estimates(
        nothing, answers, separate_clusters(answers), "accuracy", level
    )


def separate_clusters(answers: pd.DataFrame) -> pd.Series:
    """Make every item a cluster of its own."""
    return pd.Series(np.arange(len(answers)), index=answers.index)
