"""MTEB: the JSON file of one model's results in one task."""

from collections.abc import Mapping
from typing import Any

from saturation.board.importers import streams
from saturation.board.importers.choosing import choose
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin, Score
from saturation.errors import InputError

Content = Mapping[str, Any]

META = "model_meta.json"


def task_result(content: Content, choice: Choice, origin: Origin) -> Imported:
    """The main score of a task in one split, as the mean over its subsets.

    Parameters
    ----------
    content
        The parsed file.
    choice
        Split (as its filter), where there are several.
    origin
        The file. Its model, if the config is silent, is that of ``model_meta.json`` beside it, else
        that in the name of the folder above its revision.

    Raises
    ------
    InputError
        If there are several splits and none was chosen, or nothing names the model.
    """
    if choice.task is not None:
        choose(choice.task, [str(content["task_name"])], "task", "task", origin.file)
    splits = content["scores"]
    subsets = splits[choose(choice.filter, splits, "splits", "filter", origin.file)]
    scores = [float(subset["main_score"]) for subset in subsets]
    score = Score(
        model=origin.model or _model(origin),
        score=sum(scores) / len(scores),
        metric=choice.metric or "main_score",
        task=str(content["task_name"]),
        configuration=origin.configuration,
        date=origin.date,
        higher_is_better=True,
    )
    notes = [f"mean of the {len(scores)} subsets' main scores"] if len(scores) > 1 else []
    return Imported(scores=[score], notes=notes)


def _model(origin: Origin) -> str:
    meta = origin.path.with_name(META)
    if meta.is_file() and (name := streams.beside(meta).get("name")):
        return str(name)
    # results/MODEL/REVISION/TASK.json
    folder = origin.path.parent.parent.name
    if "__" in folder:
        return folder.replace("__", "/")
    raise InputError(
        f"{origin.file}: neither {META} beside it nor its folders' names give the model; give it "
        "with the key 'model' of the file"
    )


FORMATS = (
    Importer(
        name="mteb",
        title="MTEB results",
        shape=Shape.DOCUMENT,
        keys=("mteb_version", "task_name", "scores"),
        accepts=lambda content: isinstance(content["scores"], Mapping),
        holds="the scores by split",
        read=task_result,
    ),
)
