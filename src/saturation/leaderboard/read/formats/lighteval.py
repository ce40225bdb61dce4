"""lighteval: ``results_*.json`` and the Parquet files of details."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError
from saturation.leaderboard.read import rows
from saturation.leaderboard.read.registry import Content, Importer, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

if TYPE_CHECKING:
    import pandas as pd


# The mean over all tasks, which is no task.
ALL = "all"
_STAMP = re.compile(r"\d{4}-\d\d-\d\d(?=T)")


def results(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return a score from a results file."""
    task = rows.choose(choice, "task", tasks(content, Choice(), origin), origin)
    entry = content["results"][task]
    metrics = [name for name in entry if not name.endswith("_stderr")]
    series = rows.last_of_series({name: entry[name] for name in metrics})
    metric = rows.choose(choice, "metric", metrics, origin, proposed=series)
    score = Score(
        model=origin.model or _model(content, origin.file),
        score=entry[metric],
        metric=metric,
        task=task,
        standard_error=entry.get(f"{metric}_stderr"),
        n_items=_n_items(content, task),
        date=origin.date or _stamp(origin.path),
        **rows.bounds_of(metric)._asdict(),
    )
    return Imported(scores=[score])


def tasks(content: Content, choice: Choice, _origin: Origin) -> list[str]:
    """Return the tasks of a results file, if they have the chosen metric."""
    return [
        task
        for task, entry in content["results"].items()
        if task != ALL and (choice.metric is None or choice.metric in entry)
    ]


def details(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Return item responses out of a task's details.

    An item is called by its identifier where there is one, else by a hash of its question.
    """
    model = origin.model or _model_of_folders(origin)
    values = list(table["metric"])
    if not all(isinstance(value, Mapping) for value in values):
        raise InputError(f"{origin.file}: a sample without its metrics; write the details again")
    present = {name for value in values for name in value if value[name] is not None}
    metric = rows.choose(choice, "metric", present, origin)
    date = origin.date or _stamp(origin.path)
    responses = [
        Response(model, item, value.get(metric), row=row, date=date)
        for row, item, value in zip(table.index, _items(table), values)
    ]
    return Imported(responses=responses, **rows.bounds_of(metric)._asdict())


def _items(table: pd.DataFrame) -> list[str]:
    """Return names of the samples; a question that is asked twice is numbered."""
    names = [
        str(doc.get("id") or hashlib.sha256(doc["query"].encode()).hexdigest()[:12])
        for doc in table["doc"]
    ]
    seen: dict[str, int] = {}
    items = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        items.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return items


def _model(content: Content, file: str) -> str:
    general = content["config_general"]
    name = general.get("model_name") or (general.get("model_config") or {}).get("model_name")
    if not name:
        raise rows.nameless(file, "the file names no model (config_general.model_name)")
    return str(name)


def _model_of_folders(origin: Origin) -> str:
    """``details/ORGANISATION/MODEL/DATE/details_*.parquet``."""
    folders = origin.path.parts[:-1]
    if "details" in folders:
        start = len(folders) - folders[::-1].index("details")
        between = [part for part in folders[start:] if not _STAMP.match(part)]
        if between:
            return "/".join(between).replace("__", "/")
    raise rows.nameless(origin.file, "no folder below 'details' names the model")


def _n_items(content: Content, task: str) -> Any:
    configs = content.get("config_tasks") or {}
    config = configs.get(task) or configs.get(task.rpartition("|")[0]) or {}
    return config.get("effective_num_docs") if isinstance(config, Mapping) else None


def _stamp(path: Path) -> str | None:
    match = _STAMP.search(path.name)
    return match[0] if match else None


FORMATS = (
    Importer(
        "lighteval_results",
        "lighteval results",
        Shape.DOCUMENT,
        results,
        keys=("config_general", "results"),
        accepts=lambda content: all(
            isinstance(content[key], Mapping) for key in ("config_general", "results")
        ),
        holds="the results by task",
        tasks=tasks,
    ),
    Importer(
        "lighteval_details",
        "lighteval details",
        Shape.TABLE,
        details,
        keys=("doc", "metric", "model_response"),
    ),
)
