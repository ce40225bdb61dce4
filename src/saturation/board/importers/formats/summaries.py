"""Summary tables that OpenCompass and AlpacaEval write: models as columns, or one a row."""

import pandas as pd

from saturation.board.importers import cells
from saturation.board.importers.choosing import choose
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin, Score

OPENCOMPASS = ("dataset", "version", "metric", "mode")
# What OpenCompass writes where it has no score.
NONE = "-"
# Scores of AlpacaEval, each with its error.
ALPACA_ERRORS = {"length_controlled_winrate": "lc_standard_error", "win_rate": "standard_error"}


def opencompass(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One data set's row: a score for each model's column, in percent.

    Parameters
    ----------
    table
        Columns `OPENCOMPASS`, then one a model.
    choice
        Data set (as its task) and metric, where there are several.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If there are several data sets or metrics and none was chosen.
    """
    named = [(number, row) for number, row in cells.rows(table) if row["metric"] != NONE]
    tasks = [cells.text(row["dataset"]) for _, row in named]
    task = choose(origin.task or choice.task, tasks, "data sets", "task", origin.file)
    of_task = [(number, row) for number, row in named if cells.text(row["dataset"]) == task]
    metrics = [cells.text(row["metric"]) for _, row in of_task]
    metric = choose(choice.metric, metrics, "metrics", "metric", origin.file)
    scores = [
        Score(
            str(model),
            cells.number(row[model]),
            metric,
            task,
            configuration=origin.configuration,
            date=origin.date,
            row=number,
            minimum=0.0,
            maximum=100.0,
            higher_is_better=True,
        )
        for number, row in of_task
        if row["metric"] == metric
        for model in table.columns
        if model not in OPENCOMPASS and cells.text(row[model]).strip() not in (NONE, "")
    ]
    return Imported(scores=scores)


def data_sets(table: pd.DataFrame, choice: Choice) -> list[str]:
    """The data sets of a summary, if they have the chosen metric."""
    kept = table["metric"].astype(str)
    chosen = kept == choice.metric if choice.metric else kept != NONE
    return list(dict.fromkeys(table.loc[chosen, "dataset"].astype(str)))


def alpaca_eval(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One model a row, with its win rate in percent, its error and the number of comparisons.

    Parameters
    ----------
    table
        A first column of models, ``win_rate, standard_error, n_total`` and, in newer versions,
        ``length_controlled_winrate, lc_standard_error``.
    choice
        Metric, where there are both win rates.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If there are both win rates and none was chosen, or a model has no name.
    """
    present = [name for name in ALPACA_ERRORS if name in table]
    metric = choose(choice.metric, present, "metrics", "metric", origin.file)
    models = cells.names(table, str(table.columns[0]), origin)
    scores = [
        Score(
            str(model),
            cells.number(row[metric]),
            metric,
            standard_error=cells.number(row.get(ALPACA_ERRORS[metric])),
            n_items=cells.number(row["n_total"]),
            configuration=origin.configuration,
            date=origin.date,
            row=number,
            minimum=0.0,
            maximum=100.0,
            higher_is_better=True,
        )
        for (number, row), model in zip(cells.rows(table), models)
        if cells.text(row[metric]).strip()
    ]
    return Imported(scores=scores)


FORMATS = (
    Importer(
        name="opencompass",
        title="an OpenCompass summary",
        shape=Shape.TABLE,
        keys=OPENCOMPASS,
        tasks=data_sets,
        read=opencompass,
    ),
    Importer(
        name="alpaca_eval",
        title="an AlpacaEval leaderboard",
        shape=Shape.TABLE,
        keys=("win_rate", "standard_error", "n_total"),
        read=alpaca_eval,
    ),
)
