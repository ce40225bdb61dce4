"""Opening a file, recognising what it is, and handing it to its importer."""

import json
import re
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from saturation.board.importers import every_eval_ever, helm, lm_eval, plain, recognition, streams
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError

HEAD_BYTES = 4096
# A name made of digits is still a name.
TEXT_COLUMNS = ("model", "item", "cluster", "run", "configuration")
_SAMPLES_NAME = re.compile(r"samples_(?P<task>.+)_(?P<stamp>\d{4}-\d\d-\d\dT[\d.:-]+)")


def read(path: Path, choice: Choice, origin: Origin) -> Imported:
    """Rows of one file, whatever its format; JSONL and JSON lists are read as a stream.

    Raises
    ------
    InputError
        If the file is missing, is not UTF-8, is damaged or has an unknown format.
    """
    if not path.is_file():
        raise InputError(f"{origin.file}: the file does not exist")
    with path.open("rb") as stream:
        shape = recognition.shape(stream.read(HEAD_BYTES), origin.file)
    if shape == "parquet":
        return _table(pd.read_parquet(path), choice, origin)
    try:
        with path.open(encoding="utf-8-sig") as text:
            return _TEXT[shape](text, path, choice, origin)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{origin.file}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{origin.file}: a part that the format requires is missing or of another type: "
            f"{error}; compare it with a file that the tool itself has written"
        ) from None


def _object(text: TextIO, path: Path, choice: Choice, origin: Origin) -> Imported:
    """A JSON document or JSONL: a first line that is a whole record tells them apart."""
    first = recognition.first_object(text.readline(streams.LONGEST_RECORD))
    text.seek(0)
    kind = None if first is None else recognition.line_format(first)
    if kind is None:
        content = streams.document(text.read(), origin.file)
        kind = recognition.document_format(content, origin.file)
        module: Callable[..., Imported] = (
            lm_eval.results if kind == "lm_eval_results" else every_eval_ever.aggregate
        )
        return module(content, choice, origin)
    numbered = streams.lines(text, origin.file)
    if kind == "lm_eval_samples":
        task, model = _lm_eval_names(path, origin)
        named = Origin(origin.file, model, task, origin.configuration, origin.date)
        return lm_eval.samples(numbered, choice, named, model)
    release = every_eval_ever.version(first or {}, origin.file)
    return every_eval_ever.samples(numbered, choice, origin, release)


def _array(text: TextIO, path: Path, choice: Choice, origin: Origin) -> Imported:
    numbered = streams.elements(text, origin.file)
    first = list(islice(numbered, 1))
    recognition.element_format(first[0][1] if first else [], origin.file)
    spec = path.with_name("run_spec.json")
    content = json.loads(spec.read_text(encoding="utf-8")) if spec.is_file() else None
    model = origin.model or helm.model_name(content, path.parent.name)
    if model is None:
        raise InputError(
            f"{origin.file}: neither run_spec.json beside it nor its folder's name gives the "
            "model; give it with the key 'model' of the file"
        )
    return helm.per_instance_stats(chain(first, numbered), choice, origin, model)


def _text(text: TextIO, _path: Path, choice: Choice, origin: Origin) -> Imported:
    try:
        frame = pd.read_csv(
            text,
            keep_default_na=False,
            na_values=[""],
            dtype=dict.fromkeys(TEXT_COLUMNS, str),
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{origin.file}: not readable as a table: {error}") from None
    return _table(frame, choice, origin)


def _table(frame: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    frame.columns = [str(name).strip() for name in frame.columns]
    kind = recognition.table_format(list(frame.columns), origin.file)
    if kind == "leaderboard":
        return plain.leaderboard(frame, choice, origin)
    if kind == "attempts":
        return plain.attempts(frame, choice, origin)
    if kind == "long_responses":
        return plain.long_responses(frame, origin)
    return plain.wide_responses(frame, origin)


def _lm_eval_names(path: Path, origin: Origin) -> tuple[str | None, str]:
    """Task and model of a samples file, which holds neither.

    From the config, else from the results file of the same run beside it, else from the names
    that the harness gives to the file and to its folder.
    """
    match = _SAMPLES_NAME.match(path.stem)
    task = origin.task or (match["task"] if match else None)
    if origin.model:
        return task, origin.model
    if match:
        sibling = path.with_name(f"results_{match['stamp']}.json")
        if sibling.is_file():
            content: Any = json.loads(sibling.read_text(encoding="utf-8"))
            return task, lm_eval.model_name(content, str(sibling))
        if "__" in path.parent.name:
            return task, path.parent.name.replace("__", "/")
    raise InputError(
        f"{origin.file}: the samples name no model, and there is no results file of the same run "
        "beside them; give it with the key 'model' of the file"
    )


_TEXT = {"object": _object, "array": _array, "text": _text}
