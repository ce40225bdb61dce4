"""All files of one of the user's benchmarks as two tidy tables, and a record of what was read."""

import datetime
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.errors import InputError, listed
from saturation.files import schema
from saturation.leaderboard import names
from saturation.leaderboard.read import registry, rows, tidy
from saturation.leaderboard.read.rows import Choice, Imported, Origin
from saturation.planning.config import Config, check_names, expand
from saturation.statistics.standard_errors import first_places

log = logging.getLogger(__name__)

# What each file holds, in its own unit, with the file's name.
Files = Sequence[tuple[str, Imported]]

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
# How rows begin that stand among the models and are none.
_NO_MODEL = re.compile(
    r"(humans?|average|mean|median|random|chance|majority|overall|total|sota)\b", re.IGNORECASE
)
_EACH_TASK = "each_task"


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
    """What was read of a benchmark."""

    files: list[FileRecord]
    scores: int
    responses: int
    n_sources: dict[str, int]  # how many scores have their number of items from where
    notes: list[str]  # what is doubtful about all files together

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
    """What the files gave; either table of :mod:`saturation.leaderboard.names` may be empty."""

    scores: pd.DataFrame
    responses: pd.DataFrame
    record: ImportRecord


def read(benchmark: str, files: Sequence[Config], declared: Config) -> Imports:
    """Read and check every file of a benchmark."""
    return together(benchmark, load(files, declared), declared)


def load(files: Sequence[Config], declared: Config) -> list[tuple[str, Imported]]:
    """What each file holds, in its own unit, with the file's name; each is logged as it is read."""
    choice = _choice(declared)
    imported = []
    for place, entry in enumerate(files, start=1):
        origin = Origin(**{**entry, "path": Path(entry["path"])})
        log.info("reading %s (%d of %d)", origin.file, place, len(files))
        imported.append((origin.file, registry.read(origin, choice)))
    return imported


def together(
    benchmark: str,
    imported: list[tuple[str, Imported]],
    declared: Config,
    concluded: Sequence[str] = (),
) -> Imports:
    """The tidy tables of what :func:`load` gave, which is emptied: a large table is held once."""
    unit = _unit(declared)
    scores = tidy.scores(benchmark, imported, unit)
    responses = tidy.responses(benchmark, imported, unit)
    tidy.require_errors(scores, responses, unit)
    tidy.require_agreement(scores, responses)
    observed, dates = declared.get("observed_on"), scores["date"].dropna()
    if observed and len(dates) and dates.max() > observed:
        raise InputError(
            f"benchmark '{benchmark}': observed_on is {observed}, but a score is of {dates.max()}; "
            "correct the key, or leave it out to take the latest date"
        )
    record = ImportRecord(
        files=[
            FileRecord(
                file, content.format, len(content.scores), len(content.responses), content.notes
            )
            for file, content in imported
        ],
        scores=len(scores),
        responses=len(responses),
        n_sources={str(key): int(n) for key, n in scores["n_source"].value_counts().items()},
        notes=[*_doubts(imported, scores, responses, unit), *concluded],
    )
    imported.clear()
    for table in (scores, responses):
        table["synthetic"] = bool(declared.get("synthetic", False))
    if not scores.empty:
        scores = schema.validate(scores, names.SCORES, f"{benchmark}: scores")
    if not responses.empty:
        _check_responses(responses, f"{benchmark}: responses")
    return Imports(scores, responses, record)


def _choice(declared: Config) -> Choice:
    """What the config chooses; the rest keeps its default."""
    keys = [field.name for field in fields(Choice)]
    return Choice(**{key: declared[key] for key in keys if declared.get(key) is not None})


def _unit(declared: Config) -> tidy.Unit:
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


def _check_responses(table: pd.DataFrame, name: str) -> None:
    """Check every text, and the least and the greatest response, once.

    Text stays categories: millions of rows as text take half a gigabyte and as many seconds.
    """
    places = {int(table["response"].argmin()), int(table["response"].argmax())}
    categories = table.select_dtypes("category")
    for label in categories:
        places.update(first_places(table[label].cat.codes.to_numpy()).tolist())
    distinct = table.iloc[sorted(places)].astype(dict.fromkeys(categories, str))
    schema.validate(distinct, names.RESPONSES, name)


def _doubts(
    imported: Files, scores: pd.DataFrame, responses: pd.DataFrame, unit: tidy.Unit
) -> Iterator[str]:
    """What no file says: where n comes from, and doubtful scores, units and rows."""
    derived = scores[scores["n_source"] == tidy.DERIVED]
    if not derived.empty:
        counts = ", ".join(f"{n:,.0f}" for n in sorted(set(derived["n_items"])))
        yield f"n of {len(derived)} scores follows from score and standard error: {counts} items"
    every = [(file, score) for file, content in imported for score in content.scores]
    directions = {score.higher_is_better for _, score in every}
    directions |= {content.higher_is_better for _, content in imported}
    lower = False in directions if unit.higher_is_better is None else not unit.higher_is_better
    if lower:
        now = "80 % stands for their 20 %" if unit.bounded else "scores have the other sign"
        yield f"lower is better in the files; here it is turned round: {now}"
    limits = tidy.range_of([score for _, score in every], unit)
    place = tidy.lone_one([float(score.score) for _, score in every], limits)
    if place is not None and limits is not None:
        file, score = every[place]
        yield (
            f"{tidy.where_of(file, score.row, score.model)}: score 1 beside percentages is read as "
            f"1 of {limits[1]:g}; if it stands for all, write {limits[1]:g}"
        )
    models = sorted({*scores["model"], *responses["model"].unique()})
    if none := [model for model in models if _NO_MODEL.match(model)]:
        yield f"ranked among the models; leave the rows out that are none: {listed(none)}"
    if unit.counted:
        yield from _uncountable(scores[scores["n_items"].notna()])


def _uncountable(known: pd.DataFrame) -> Iterator[str]:
    """A wrong n is seen where it allows no such score (GRIM; Brown and Heathers 2017)."""
    wrong = [
        (score, n)
        for score, n in zip(known["score"].astype(float), known["n_items"].astype(int), strict=True)
        if not rows.countable(round(score, 12), n)
    ]
    for score, n in wrong[:1]:
        yield (
            f"{len(wrong)} of {len(known)} scores are not those of so many right answers of n, "
            f"such as {score:.6g} of {n:,}: is n right, or are they means over runs or tasks?"
        )


class Entry(NamedTuple):
    """A benchmark's entry, as a config would hold it."""

    name: str
    declared: Config  # what was given, completed by what the files say
    remarks: list[str]  # what was concluded and not read


def entry(files: Files, given: Config) -> Entry:
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
    if "observed_on" not in declared and not any(_dated(content) for _, content in files):
        latest = max(Path(file).stat().st_mtime for file, _ in files)
        day = datetime.datetime.fromtimestamp(latest, datetime.UTC).date()
        declared["observed_on"] = day.isoformat()
        remarks.append("no file gives a date: the card's is that of the latest change to a file")
    return Entry(wished or name(files), declared, remarks)


def family(files: Files, called: str | None = None) -> str:
    """The metric's family, by its name in the files or by item responses of 0 and 1."""
    metrics = sorted({score.metric.lower() for _, content in files for score in content.scores})
    if called and metrics == ["score"]:
        metrics = [_UNIT.sub("", called).strip().lower()]
    found = {_family_of(metric) for metric in metrics}
    answered = [_responses(content) for _, content in files if len(content.responses)]
    if answered:
        binary = all(values.dropna().isin([0, 1]).all() for values in answered)
        found = {"accuracy" if binary else "bounded_mean"}
    if len(found) == 1 and (only := found.pop()):
        return only
    said = ", ".join(f"'{metric}'" for metric in metrics) or "the files"
    raise InputError(
        f"{files[0][0]}: what the metric is cannot be told from {said}; say it with the key "
        "'family': accuracy (every item right or wrong), bounded_mean (F1, BLEU and the like), "
        "rating (Elo), pass_at_k or other"
    )


def score_range(files: Files) -> tuple[float, float] | None:
    """Proportions or percentages, by the highest score; None if neither, or if the files say it."""
    scores = [score for _, content in files for score in content.scores]
    said = pd.Series([one.score for one in scores if one.minimum is None], dtype=object)
    values = [*pd.to_numeric(said, errors="coerce")]
    for _, content in files:
        if len(content.responses) and content.minimum is None:
            values.append(_responses(content).max())
    highest = max((float(value) for value in values if np.isfinite(value)), default=np.inf)
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
    stems = set()
    for path in files:
        left, before = path.name, ""
        while left != before:
            left, before = _OF_THE_TOOL.sub("", left), left
        stems.add(left)
    if len(stems) == 1 and (only := stems.pop()):
        return _as_name(only)
    return _as_name(files[0].resolve().parent.name)


def _as_name(said: str) -> str:
    return _hyphenated(said).strip("-._") or "benchmark"


def _hyphenated(text: str) -> str:
    """Text with hyphens in place of what no benchmark's name may hold (see the config's schema)."""
    return _NOT_IN_NAMES.sub("-", text)


def _without_n(files: Files, declared: Config) -> list[str]:
    """That numbers of items are lacking too, so that all that is asked for is asked at once."""
    scores = [score for _, content in files for score in content.scores]
    known = any(score.n_items is not None or score.standard_error is not None for score in scores)
    if not scores or known or "n_items" in declared:
        return []
    return [f"{files[0][0]}: no score has a number of items; say it with the key 'n_items'"]


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


def _dated(content: Imported) -> bool:
    table = pd.DataFrame(content.responses)
    answered = "date" in table and (table["date"].notna() & (table["date"] != "")).any()
    return bool(answered) or any(score.date for score in content.scores)


def each(benchmark: str, files: Sequence[Config], declared: Config) -> dict[str, Config]:
    """A benchmark's entry for every task of its files, by name, with the files that hold it."""
    choice = _choice({**declared, "task": None})
    holding: dict[str, list[Config]] = {}
    for given in files:
        tasks = registry.tasks(Origin(**{**given, "path": Path(given["path"])}), choice)
        if not tasks:
            raise InputError(
                f"{given['path']}: the file holds no tasks to choose from; leave out the key "
                f"'{_EACH_TASK}' of own.benchmarks.{benchmark}"
            )
        for task in tasks:
            holding.setdefault(task, []).append(dict(given))
    common = {key: value for key, value in declared.items() if key != _EACH_TASK}
    entries: dict[str, Config] = {}
    tasks_of: dict[str, str] = {}
    for task in sorted(holding):
        name = f"{benchmark}-{_hyphenated(task).strip('-')}"
        other = tasks_of.setdefault(name.lower(), task)
        if other != task:
            raise InputError(
                f"config: own.benchmarks.{benchmark}: the tasks '{other}' and '{task}' would both "
                f"be called '{name}'; give each a benchmark of its own with the key 'task'"
            )
        entries[name] = {**common, "task": task, "files": holding[task]}
    return entries


def split(
    benchmarks: Mapping[str, Config], workflow: Path, *, made_later: bool
) -> dict[str, Config]:
    """The user's benchmarks, of which one that asks for a card of each task stands for as many."""
    found: dict[str, Config] = {}
    try:
        for name, entry in benchmarks.items():
            if entry.get(_EACH_TASK):
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
