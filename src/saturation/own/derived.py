"""What files say of their benchmark, where nobody declares it: name, family, range and date."""

import datetime
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.board.importers.rows import Imported
from saturation.errors import InputError

# Metrics whose name says that every item is right or wrong.
_RIGHT_OR_WRONG = re.compile(
    r"accuracy|acc(_norm|_stderr)?|(quasi_)?(prefix_)?exact_match|q?p?q?em|mc1|resolved"
    r"|(inst|prompt)_level_(strict|loose)_acc|extractive_match"
)
_MEANS = re.compile(r"mc2|f1.*|(sacre)?bleu.*|rouge.*|chrf.*|.*win_?rate|mean|average")
_RATINGS = re.compile(r"elo.*|.*rating")
_PERCENT = 100.0
# A unit behind a column's name.
_UNIT = re.compile(r"\(?\s*(%|percent|in %)\s*\)?$")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
# What tools put into the names of their files beside the benchmark's: kind, date, identifier.
_DATE = r"\d{4}-\d{2}-\d{2}T[\d.:+-]+"
_OF_THE_TOOL = re.compile(
    rf"\.(json|jsonl|csv|tsv|parquet|eval|gz|zst|zip)\b|^(results|samples|details)(_|$)|^{_DATE}_"
    rf"|(^|_){_DATE}$|(?<=_)[A-Za-z0-9]{{22}}$"
)

Files = Sequence[tuple[str, Imported]]


class Entry(NamedTuple):
    """A benchmark's entry, as a config would hold it.

    Parameters
    ----------
    name
        The benchmark's name.
    declared
        What was given, completed by what the files say.
    remarks
        What was concluded and not read, in sentences.
    """

    name: str
    declared: dict[str, Any]
    remarks: list[str]


def entry(files: Files, given: Mapping[str, Any]) -> Entry:
    """The entry of a benchmark by its files; what is given stands.

    Parameters
    ----------
    files
        What :func:`saturation.own.imports.load` gave.
    given
        Keys of a benchmark that the user declares, ``name`` among them; None where not.

    Raises
    ------
    InputError
        If the files do not tell what the metric is.
    """
    declared = {key: value for key, value in given.items() if value is not None}
    wished = declared.pop("name", None)
    remarks: list[str] = []
    if "family" not in declared:
        called = dict(declared.get("columns") or {}).get("score")
        try:
            declared["family"] = family(files, called)
        except InputError as error:
            raise InputError([*error.violations, *_without_n(files, declared)]) from None
        remarks.append(f"the metric's family is taken to be {declared['family']}")
    if "score_range" not in declared and declared["family"] in ("accuracy", "pass_at_k"):
        found = score_range(files)
        if found is not None:
            declared["score_range"] = list(found)
            remarks.append(f"the metric is taken to lie from {found[0]:g} to {found[1]:g}")
    if "observed_on" not in declared and not _dated(files):
        declared["observed_on"] = _changed_on(files)
        remarks.append("no file gives a date: the card's is that of the latest change to a file")
    return Entry(wished or name(files), declared, remarks)


def family(files: Files, called: str | None = None) -> str:
    """The metric's family, by its name in the files or by item responses of 0 and 1.

    Parameters
    ----------
    files
        What :func:`saturation.own.imports.load` gave.
    called
        What the files call the column of the scores, where the user named it.

    Raises
    ------
    InputError
        If neither tells.
    """
    metrics = sorted({score.metric.lower() for _, content in files for score in content.scores})
    if called and metrics == ["score"]:
        metrics = [_UNIT.sub("", called).strip().lower()]
    found = {_family_of(metric) for metric in metrics}
    if any(len(content.responses) for _, content in files):
        binary = all(_binary(content) for _, content in files if len(content.responses))
        found = {"accuracy"} if binary else {"bounded_mean"}
    if len(found) == 1 and None not in found:
        (only,) = found
        return str(only)
    listed = ", ".join(f"'{metric}'" for metric in metrics) or "the files"
    raise InputError(
        f"{files[0][0]}: what the metric is cannot be told from {listed}; say it with the key "
        "'family': accuracy (every item right or wrong), bounded_mean (F1, BLEU and the like), "
        "rating (Elo), pass_at_k or other"
    )


def score_range(files: Files) -> tuple[float, float] | None:
    """Proportions or percentages, by the highest score; None where the files say it or neither is.

    Parameters
    ----------
    files
        What :func:`saturation.own.imports.load` gave.
    """
    values: list[float] = []
    for _, content in files:
        if len(content.responses) and content.minimum is None:
            values += [_highest(content)]
        values += [_number(score.score) for score in content.scores if score.minimum is None]
    highest = max((value for value in values if np.isfinite(value)), default=np.inf)
    if highest <= 1:
        return 0.0, 1.0
    return (0.0, _PERCENT) if highest <= _PERCENT else None


def name(files: Files) -> str:
    """The one task of the files, else what their names share, else ``benchmark``.

    Parameters
    ----------
    files
        What :func:`saturation.own.imports.load` gave.
    """
    tasks = {score.task for _, content in files for score in content.scores if score.task}
    if len(tasks) == 1:
        return _as_name(tasks.pop())
    return stem([Path(file) for file, _ in files])


def stem(files: Sequence[Path]) -> str:
    """What the names of files share without what their tool put there, else their folder's name.

    Parameters
    ----------
    files
        Their paths.
    """
    stems = {_stem(path) for path in files}
    if len(stems) == 1 and (only := stems.pop()):
        return _as_name(only)
    return _as_name(files[0].resolve().parent.name)


def _as_name(said: str) -> str:
    return hyphenated(said).strip("-._") or "benchmark"


def hyphenated(text: str) -> str:
    """Text with hyphens in place of what no benchmark's name may hold (see the config's schema)."""
    return _NOT_IN_NAMES.sub("-", text)


def _without_n(files: Files, declared: Mapping[str, Any]) -> list[str]:
    """That numbers of items are lacking too, so that all that is asked for is asked at once."""
    scores = [score for _, content in files for score in content.scores]
    known = any(score.n_items is not None or score.standard_error is not None for score in scores)
    if not scores or known or "n_items" in declared:
        return []
    return [f"{files[0][0]}: no score has a number of items; say it with the key 'n_items'"]


def _stem(path: Path) -> str:
    """A file's name without what its tool put there."""
    left, before = path.name, ""
    while left != before:
        left, before = _OF_THE_TOOL.sub("", left), left
    return left


def _family_of(metric: str) -> str | None:
    if _RIGHT_OR_WRONG.fullmatch(metric):
        return "accuracy"
    if metric.startswith("pass@"):
        return "pass_at_k"
    if _MEANS.fullmatch(metric):
        return "bounded_mean"
    return "rating" if _RATINGS.fullmatch(metric) else None


def _responses(content: Imported) -> pd.Series:
    return pd.to_numeric(pd.DataFrame(content.responses)["response"], errors="coerce")


def _binary(content: Imported) -> bool:
    return bool(_responses(content).dropna().isin([0, 1]).all())


def _highest(content: Imported) -> float:
    return float(_responses(content).max())


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def _dated(files: Files) -> bool:
    return any(
        any(score.date for score in content.scores) or _dates(content) for _, content in files
    )


def _dates(content: Imported) -> bool:
    table = pd.DataFrame(content.responses)
    return "date" in table and bool(table["date"].notna().any() and (table["date"] != "").any())


def _changed_on(files: Files) -> str:
    latest = max(Path(file).stat().st_mtime for file, _ in files)
    return datetime.datetime.fromtimestamp(latest, datetime.UTC).date().isoformat()
