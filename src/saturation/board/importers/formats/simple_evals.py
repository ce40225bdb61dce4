"""simple-evals: the JSON file of one model's metrics in one evaluation."""

import re
from collections.abc import Mapping
from typing import Any

from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin, Score
from saturation.errors import InputError

# The tool writes neither into the file.
_NAME = re.compile(
    r"(?P<task>[A-Za-z0-9-]+)_(?P<model>.+?)(?:_DEBUG)?(?:_(?P<day>\d{8})_\d{6})?", re.ASCII
)


def metrics(content: Mapping[str, Any], _choice: Choice, origin: Origin) -> Imported:
    """The score of one evaluation, a proportion; the file does not say of how many questions.

    Parameters
    ----------
    content
        The parsed file.
    origin
        The file. Its model, if the config is silent, is the part of its name after the evaluation.

    Raises
    ------
    InputError
        If nothing names the model.
    """
    match = _NAME.fullmatch(origin.path.stem)
    model = origin.model or (match["model"] if match else None)
    if model is None:
        raise InputError(
            f"{origin.file}: the file's name is not EVALUATION_MODEL; give the model with the key "
            "'model' of the file"
        )
    day = match["day"] if match else None
    score = Score(
        model=model,
        score=content["score"],
        metric="score",
        task=origin.task or (match["task"] if match else None),
        configuration=origin.configuration,
        date=origin.date or (f"{day[:4]}-{day[4:6]}-{day[6:]}" if day else None),
        minimum=0.0,
        maximum=1.0,
        higher_is_better=True,
    )
    return Imported(scores=[score])


FORMATS = (
    Importer(
        name="simple_evals",
        title="simple-evals metrics",
        shape=Shape.DOCUMENT,
        keys=("score", "score:std"),
        read=metrics,
    ),
)
