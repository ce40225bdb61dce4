"""All files of one of the user's benchmarks as two tidy tables, and a record of what was read."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from saturation.board import names, schemas
from saturation.board.importers import reading, tidy
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError
from saturation.files import checks
from saturation.files.schema import Schema
from saturation.own.remarks import remarks
from saturation.statistics.standard_errors import first_places

log = logging.getLogger(__name__)


class Imports(NamedTuple):
    """What a benchmark's files gave.

    Parameters
    ----------
    scores, responses
        Tables of :mod:`saturation.board.schemas`; either may be empty. Text of the responses is
        categories.
    record
        Which file was read as what, with the importers' remarks.
    """

    scores: pd.DataFrame
    responses: pd.DataFrame
    record: dict[str, Any]


def read(
    benchmark: str, files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> Imports:
    """Read and check every file of a benchmark.

    Parameters
    ----------
    benchmark
        Name.
    files
        One mapping a file: ``path`` and what the file does not say (fields of
        :class:`saturation.board.importers.rows.Origin`).
    declared
        The benchmark's entry in the config: ``family`` and, optionally, choices and units.

    Raises
    ------
    InputError
        If a file or a row cannot be used, or a score comes without any known error.
    """
    return together(benchmark, load(files, declared), declared)


def load(
    files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> list[tuple[str, Imported]]:
    """What each file holds, in its own unit, with the file's name; each is logged as it is read.

    Parameters
    ----------
    files
        As :func:`read` takes them.
    declared
        What is chosen out of the files: the fields of
        :class:`saturation.board.importers.rows.Choice` among its keys.

    Raises
    ------
    InputError
        If a file cannot be read.
    """
    choice = choice_of(declared)
    imported = []
    for place, entry in enumerate(files, start=1):
        origin = Origin(**{**entry, "path": Path(entry["path"])})
        log.info("reading %s (%d of %d)", origin.file, place, len(files))
        imported.append((origin.file, reading.read(origin, choice)))
    return imported


def together(
    benchmark: str, imported: list[tuple[str, Imported]], declared: Mapping[str, Any]
) -> Imports:
    """The tidy tables of what :func:`load` gave, which is emptied: a large table is held once.

    Parameters
    ----------
    benchmark
        Name.
    imported
        What :func:`load` gave.
    declared
        As :func:`read` takes it.

    Raises
    ------
    InputError
        If a row cannot be used, or a score comes without any known error.
    """
    unit = _unit(declared)
    scores = tidy.scores(benchmark, imported, unit)
    responses = tidy.responses(benchmark, imported, unit)
    tidy.require_errors(scores, responses, unit)
    tidy.require_agreement(scores, responses)
    _require_dates(benchmark, scores, declared)
    record = _record(imported, scores, responses, unit)
    imported.clear()
    synthetic = bool(declared.get("synthetic", False))
    for table in (scores, responses):
        table["synthetic"] = synthetic
    return Imports(
        _checked(scores, schemas.SCORES, f"{benchmark}: scores"),
        _checked_responses(responses, f"{benchmark}: responses"),
        record,
    )


def choice_of(declared: Mapping[str, Any]) -> Choice:
    """What the config chooses; the rest keeps its default.

    Parameters
    ----------
    declared
        The benchmark's entry in the config.
    """
    keys = [field.name for field in fields(Choice)]
    return Choice(**{key: declared[key] for key in keys if declared.get(key) is not None})


def _unit(declared: Mapping[str, Any]) -> tidy.Unit:
    minimum, maximum = declared.get("score_range") or (None, None)
    higher = declared.get("higher_is_better")
    if higher is None and declared["family"] in names.HIGHER_IS_BETTER:
        higher = True
    return tidy.Unit(
        minimum=minimum,
        maximum=maximum,
        higher_is_better=higher,
        bounded=names.bounded(declared["family"]),
        n_items=declared.get("n_items"),
        counted=declared["family"] == "accuracy",
    )


def _require_dates(benchmark: str, scores: pd.DataFrame, declared: Mapping[str, Any]) -> None:
    """Refuse data that are younger than the day on which, it is declared, they were seen."""
    observed = declared.get("observed_on")
    latest = scores["date"].dropna().max() if len(scores) else None
    if observed and isinstance(latest, str) and latest > observed:
        raise InputError(
            f"benchmark '{benchmark}': observed_on is {observed}, but a score is of {latest}; "
            "correct the key, or leave it out to take the latest date"
        )


def _checked(table: pd.DataFrame, schema: Schema, name: str) -> pd.DataFrame:
    return table if table.empty else checks.validate(table, schema, name)


def _checked_responses(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The table, of which every text, and the least and the greatest response, is checked once.

    Text stays categories: millions of rows as text take half a gigabyte and as many seconds.
    """
    if table.empty:
        return table
    places = {int(table["response"].argmin()), int(table["response"].argmax())}
    for label in table.select_dtypes("category"):
        places.update(first_places(table[label].cat.codes.to_numpy()).tolist())
    distinct = table.iloc[sorted(places)]
    checks.validate(
        distinct.astype(dict.fromkeys(distinct.select_dtypes("category"), str)),
        schemas.RESPONSES,
        name,
    )
    return table


def _record(
    imported: Sequence[tuple[str, Imported]],
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    unit: tidy.Unit,
) -> dict[str, Any]:
    return {
        "files": [
            {
                "file": file,
                "format": content.format,
                "scores": len(content.scores),
                "responses": len(content.responses),
                "notes": content.notes,
            }
            for file, content in imported
        ],
        "scores": len(scores),
        "responses": len(responses),
        "n_sources": {str(key): int(n) for key, n in scores["n_source"].value_counts().items()},
        "notes": remarks(imported, scores, responses, unit),
    }
