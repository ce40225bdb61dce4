"""Summaries of OpenCompass (a table with models as columns), MTEB and simple-evals (JSON)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from saturation.leaderboard.names import MTEB_MODEL
from saturation.leaderboard.read import open, rows
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.rows import PERCENT, SHARE, Choice, Imported, Origin, Score, choose

if TYPE_CHECKING:
    import pandas as pd

OPENCOMPASS = ("dataset", "version", "metric", "mode")
# What OpenCompass writes where it has no score.
NONE = "-"


def opencompass(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Return a data set's row: a score for each model's column, in percent."""
    numbered = [(number, row) for number, row in rows.rows(table) if row["metric"] != NONE]
    tasks = [rows.text(row["dataset"]) for _, row in numbered]
    task = choose(choice, "task", tasks, origin, what="data sets")
    of_task = [(number, row) for number, row in numbered if rows.text(row["dataset"]) == task]
    metrics = [rows.text(row["metric"]) for _, row in of_task]
    metric = choose(choice, "metric", metrics, origin)
    scores = [
        Score(str(model), rows.number(row[model]), metric, task, row=number, **PERCENT._asdict())
        for number, row in of_task
        if row["metric"] == metric
        for model in table.columns
        if model not in OPENCOMPASS and rows.text(row[model]).strip() not in (NONE, "")
    ]
    return Imported(scores=scores)


def data_sets(table: pd.DataFrame, choice: Choice, _origin: Origin) -> list[str]:
    """Return the data sets of a summary, if they have the chosen metric."""
    metrics = table["metric"].astype(str)
    has_metric = metrics == choice.metric if choice.metric else metrics != NONE
    return list(dict.fromkeys(table.loc[has_metric, "dataset"].astype(str)))


# MTEB: the JSON file of one model's results in one task.

Content = Mapping[str, Any]


def task_result(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return the main score of a task in a split, as the mean over its subsets."""
    if choice.task is not None:
        choose(choice, "task", [str(content["task_name"])], origin)
    splits = content["scores"]
    subsets = splits[choose(choice, "filter", splits, origin, what="splits")]
    scores = [float(subset["main_score"]) for subset in subsets]
    score = Score(
        model=origin.model or _model(origin),
        score=sum(scores) / len(scores),
        metric=choice.metric or "main_score",
        task=str(content["task_name"]),
        higher_is_better=True,
    )
    notes = [f"mean of the {len(scores)} subsets' main scores"] if len(scores) > 1 else []
    why = "MTEB's files do not say how many queries, pairs or texts the task has"
    return Imported(scores=[score], notes=notes, n_proposed=(None, why))


def old_task_result(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return the main score of a file before version 1.12, whose splits stand at its top."""
    splits = {
        name: [split]
        if "main_score" in split
        else [part for part in split.values() if isinstance(part, Mapping) and "main_score" in part]
        for name, split in content.items()
        if isinstance(split, Mapping)
    }
    scores = {"task_name": content["mteb_dataset_name"], "scores": splits}
    return task_result(scores, choice, origin)


def _model(origin: Origin) -> str:
    meta = origin.path.with_name(MTEB_MODEL)
    if meta.is_file() and (name := open.parse_beside(meta).get("name")):
        return str(name)
    # results/MODEL/REVISION/TASK.json, or without a revision
    folders = [folder.name for folder in list(origin.path.parents)[:2] if "__" in folder.name]
    if folders:
        return folders[0].replace("__", "/", 1)
    raise rows.nameless(
        origin.file, f"neither {MTEB_MODEL} beside it nor its folders' names give the model"
    )


# simple-evals: the JSON file of one model's metrics in one evaluation.

# The tool writes neither into the file.
_NAME = re.compile(
    r"(?P<task>[A-Za-z0-9-]+)_(?P<model>.+?)(?:_DEBUG)?(?:_(?P<day>\d{8})_\d{6})?", re.ASCII
)


def metrics(content: Mapping[str, Any], _choice: Choice, origin: Origin) -> Imported:
    """Return an evaluation's score, a proportion; the file lacks the number of questions."""
    match = _NAME.fullmatch(origin.path.stem)
    model = origin.model or (match["model"] if match else None)
    if model is None:
        why = "the file names no model, and its name is not EVALUATION_MODEL"
        raise rows.nameless(origin.file, why)
    day = match["day"] if match else None
    score = Score(
        model=model,
        score=content["score"],
        metric="score",
        task=origin.task or (match["task"] if match else None),
        date=origin.date or (f"{day[:4]}-{day[4:6]}-{day[6:]}" if day else None),
        **SHARE._asdict(),
    )
    return Imported(scores=[score])


FORMATS = (
    Importer(
        "opencompass",
        "an OpenCompass summary",
        Shape.TABLE,
        opencompass,
        keys=OPENCOMPASS,
        tasks=data_sets,
    ),
    Importer(
        "mteb",
        "MTEB results",
        Shape.DOCUMENT,
        task_result,
        keys=("mteb_version", "task_name", "scores"),
        accepts=lambda content: isinstance(content["scores"], Mapping),
        holds="the scores by split",
        tasks=lambda content, *_: [str(content["task_name"])],
    ),
    Importer(
        "mteb_older",
        "MTEB results before version 1.12",
        Shape.DOCUMENT,
        old_task_result,
        keys=("mteb_version", "mteb_dataset_name"),
        tasks=lambda content, *_: [str(content["mteb_dataset_name"])],
    ),
    Importer(
        "simple_evals", "simple-evals metrics", Shape.DOCUMENT, metrics, keys=("score", "score:std")
    ),
)
