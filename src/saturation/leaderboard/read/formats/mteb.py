"""MTEB: the JSON file of one model's results in one task."""

from collections.abc import Mapping

from saturation.leaderboard.names import MTEB_MODEL
from saturation.leaderboard.read import open, rows
from saturation.leaderboard.read.registry import Content, Importer, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Score, choose


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


FORMATS = (
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
)
