"""All files of one of the user's benchmarks as two tidy tables, and a record of what was read."""

import datetime
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.errors import InputError, listed
from saturation.files import schema as files_schema
from saturation.files.schema import Schema
from saturation.leaderboard import names
from saturation.leaderboard.read import registry, rows, tidy
from saturation.leaderboard.read.rows import Choice, Imported, Origin
from saturation.planning.config import check_names, expand
from saturation.statistics.standard_errors import first_places

# What files say of their benchmark, where nobody declares it: name, family, range and date.

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
    declared
        What was given, completed by what the files say.
    remarks
        What was concluded and not read, in sentences.
    """

    name: str
    declared: dict[str, Any]
    remarks: list[str]


def entry(files: Files, given: Mapping[str, Any]) -> Entry:
    """The entry of a benchmark by its files; what is given stands."""
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
    """The metric's family, by its name in the files or by item responses of 0 and 1."""
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
    """Proportions or percentages, by the highest score; None if neither, or if the files say it."""
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
    """The one task of the files, else what their names share, else ``benchmark``."""
    tasks = {score.task for _, content in files for score in content.scores if score.task}
    if len(tasks) == 1:
        return _as_name(tasks.pop())
    return stem([Path(file) for file, _ in files])


def stem(files: Sequence[Path]) -> str:
    """What the names of files share without what their tool put there, else their folder's name."""
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


# What a reader of a card should know of its scores, and no file says.

# How rows begin that stand among the models and are none.
_NO_MODEL = re.compile(
    r"(humans?|average|mean|median|random|chance|majority|overall|total|sota)\b", re.IGNORECASE
)


def remarks(
    imported: Sequence[tuple[str, Imported]],
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    unit: tidy.Unit,
) -> list[str]:
    """Sentences on what is doubtful: where n comes from, scores, units, rows that are no models."""
    models = sorted({*scores["model"], *responses["model"].unique()})
    found = [
        _derived(scores),
        _turned(imported, unit),
        _lone_one(imported, unit),
        _no_models(models),
        _uncountable(scores) if unit.counted else "",
    ]
    return [sentence for sentence in found if sentence]


def _derived(scores: pd.DataFrame) -> str:
    derived = scores[scores["n_source"] == tidy.DERIVED]
    if derived.empty:
        return ""
    counts = ", ".join(f"{n:,.0f}" for n in sorted(set(derived["n_items"])))
    return f"n of {len(derived)} scores follows from score and standard error: {counts} items"


def _turned(imported: Sequence[tuple[str, Imported]], unit: tidy.Unit) -> str:
    said = {score.higher_is_better for _, content in imported for score in content.scores}
    said |= {content.higher_is_better for _, content in imported}
    lower = False in said if unit.higher_is_better is None else not unit.higher_is_better
    if not lower:
        return ""
    if unit.bounded:
        return "lower is better in the files; here it is turned round: 80 % stands for their 20 %"
    return "lower is better in the files; here it is turned round: scores have the other sign"


def _lone_one(imported: Sequence[tuple[str, Imported]], unit: tidy.Unit) -> str:
    every = [(file, score) for file, content in imported for score in content.scores]
    limits = tidy.range_of([score for _, score in every], unit)
    place = tidy.lone_one([float(score.score) for _, score in every], limits)
    if place is None or limits is None:
        return ""
    file, score = every[place]
    return (
        f"{tidy.where_of(file, score.row, score.model)}: score 1 beside percentages is read as "
        f"1 of {limits[1]:g}; if it stands for all, write {limits[1]:g}"
    )


def _no_models(models: Sequence[str]) -> str:
    names = [model for model in models if _NO_MODEL.match(model)]
    if not names:
        return ""
    return f"ranked among the models; leave the rows out that are none: {listed(names)}"


def _uncountable(scores: pd.DataFrame) -> str:
    """A wrong n is seen where it allows no such score (GRIM; Brown and Heathers 2017)."""
    known = scores[scores["n_items"].notna()]
    wrong = [
        (score, n)
        for score, n in zip(known["score"].astype(float), known["n_items"].astype(int), strict=True)
        if not rows.countable(round(score, 12), n)
    ]
    if not wrong:
        return ""
    score, n = wrong[0]
    return (
        f"{len(wrong)} of {len(known)} scores are not those of so many right answers of n, such as "
        f"{score:.6g} of {n:,}: is n right, or are they means over runs or tasks?"
    )


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FileRecord:
    """Which file was read as what, and how many rows it gave."""

    file: str
    format: str
    scores: int
    responses: int
    notes: list[str]


@dataclass(frozen=True)
class ImportRecord:
    """What was read of a benchmark.

    Parameters
    ----------
    n_sources
        How many scores have their number of items from where.
    notes
        What is doubtful about all files together.
    """

    files: list[FileRecord]
    scores: int
    responses: int
    n_sources: dict[str, int]
    notes: list[str]

    @property
    def remarks(self) -> list[str]:
        """The importers' remarks; one that many files share is said once."""
        by_note: dict[str, list[str]] = {}
        for entry in self.files:
            for note in entry.notes:
                by_note.setdefault(note, []).append(entry.file)
        return [
            f"{names[0] if len(names) == 1 else f'{len(names)} files'}: {note}"
            for note, names in by_note.items()
        ] + self.notes


class Imports(NamedTuple):
    """What a benchmark's files gave.

    Parameters
    ----------
    scores, responses
        Tables of :mod:`saturation.leaderboard.names`; either may be empty. Text of the responses is
        categories.
    record
        Which file was read as what, with the importers' remarks.
    """

    scores: pd.DataFrame
    responses: pd.DataFrame
    record: ImportRecord


def read(
    benchmark: str, files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> Imports:
    """Read and check every file of a benchmark."""
    return together(benchmark, load(files, declared), declared)


def load(
    files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> list[tuple[str, Imported]]:
    """What each file holds, in its own unit, with the file's name; each is logged as it is read."""
    choice = choice_of(declared)
    imported = []
    for place, entry in enumerate(files, start=1):
        origin = Origin(**{**entry, "path": Path(entry["path"])})
        log.info("reading %s (%d of %d)", origin.file, place, len(files))
        imported.append((origin.file, registry.read(origin, choice)))
    return imported


def together(
    benchmark: str,
    imported: list[tuple[str, Imported]],
    declared: Mapping[str, Any],
    concluded: Sequence[str] = (),
) -> Imports:
    """The tidy tables of what :func:`load` gave, which is emptied: a large table is held once."""
    unit = _unit(declared)
    scores = tidy.scores(benchmark, imported, unit)
    responses = tidy.responses(benchmark, imported, unit)
    tidy.require_errors(scores, responses, unit)
    tidy.require_agreement(scores, responses)
    _require_dates(benchmark, scores, declared)
    notes = [*remarks(imported, scores, responses, unit), *concluded]
    record = _record(imported, scores, responses, notes)
    imported.clear()
    synthetic = bool(declared.get("synthetic", False))
    for table in (scores, responses):
        table["synthetic"] = synthetic
    return Imports(
        _checked(scores, names.SCORES, f"{benchmark}: scores"),
        _checked_responses(responses, f"{benchmark}: responses"),
        record,
    )


def choice_of(declared: Mapping[str, Any]) -> Choice:
    """What the config chooses; the rest keeps its default."""
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
    return table if table.empty else files_schema.validate(table, schema, name)


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
    files_schema.validate(
        distinct.astype(dict.fromkeys(distinct.select_dtypes("category"), str)),
        names.RESPONSES,
        name,
    )
    return table


def _record(
    imported: Sequence[tuple[str, Imported]],
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    notes: list[str],
) -> ImportRecord:
    return ImportRecord(
        files=[
            FileRecord(
                file, content.format, len(content.scores), len(content.responses), content.notes
            )
            for file, content in imported
        ],
        scores=len(scores),
        responses=len(responses),
        n_sources={str(key): int(n) for key, n in scores["n_source"].value_counts().items()},
        notes=notes,
    )


# One entry of the config, a card for each task of its files: names derived, and checked.

KEY = "each_task"


def each(
    benchmark: str, files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """A benchmark's entry for every task of its files, with the files that hold the task.

    Returns
    -------
    dict
        Entries by name, in the order of the tasks' names.
    """
    choice = choice_of({**declared, "task": None})
    holding: dict[str, list[dict[str, Any]]] = {}
    for entry in files:
        tasks = registry.tasks(Origin(**{**entry, "path": Path(entry["path"])}), choice)
        if not tasks:
            raise InputError(
                f"{entry['path']}: the file holds no tasks to choose from; leave out the key "
                f"'{KEY}' of own.benchmarks.{benchmark}"
            )
        for task in tasks:
            holding.setdefault(task, []).append(dict(entry))
    common = {key: value for key, value in declared.items() if key != KEY}
    entries: dict[str, dict[str, Any]] = {}
    tasks_of: dict[str, str] = {}
    for task in sorted(holding):
        name = f"{benchmark}-{hyphenated(task).strip('-')}"
        other = tasks_of.setdefault(name.lower(), task)
        if other != task:
            raise InputError(
                f"config: own.benchmarks.{benchmark}: the tasks '{other}' and '{task}' would both "
                f"be called '{name}'; give each a benchmark of its own with the key 'task'"
            )
        entries[name] = {**common, "task": task, "files": holding[task]}
    return entries


def split(
    benchmarks: Mapping[str, Mapping[str, Any]], workflow: Path, *, made_later: bool
) -> dict[str, Mapping[str, Any]]:
    """The user's benchmarks, of which one that asks for a card of each task stands for as many."""
    found: dict[str, Mapping[str, Any]] = {}
    try:
        for name, entry in benchmarks.items():
            if entry.get(KEY):
                found |= each(name, expand(entry["files"], workflow), entry)
            else:
                found[name] = entry
    except InputError as error:
        remedy = (
            "config: own.benchmarks: each_task reads its files while the run is planned, before "
            "any rule can make them; give each task a benchmark of its own"
        )
        raise InputError([*error.violations, *([remedy] if made_later else [])]) from None
    check_names(found)
    return found
