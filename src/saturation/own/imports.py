"""All files of one of the user's benchmarks as two tidy tables, and a record of what was read.

Pandas is imported once files are read: who only hears what is open need not wait for it.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from saturation.errors import InputError, Unsettled, listed, refuse
from saturation.leaderboard import names
from saturation.leaderboard.read import columns, registry, rows
from saturation.leaderboard.read.rows import Choice, Imported, Origin

if TYPE_CHECKING:
    import pandas as pd

    from saturation.leaderboard.read import tidy
    from saturation.planning.config import Config

log = logging.getLogger(__name__)

# What each file holds, in its own unit, with the file's name.
Files = Sequence[tuple[str, Imported]]

_PERCENT = 100.0
# Highest grades of item responses, beside 1 and 100.
_GRADES = (2.0, 3.0, 4.0, 5.0, 10.0)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
# What tools put into the names of their files beside the benchmark's: kind, date, identifier.
_DATE = r"\d{4}-\d{2}-\d{2}T[\d.:+-]+"
_OF_THE_TOOL = re.compile(
    rf"\.(json|jsonl|csv|tsv|parquet|eval|gz|zst|zip|md|ya?ml|html?|xlsx)\b|^(README|index)$|^(results|samples|details)(_|$)|^{_DATE}_"
    rf"|(^|_){_DATE}$|(?<=_)[A-Za-z0-9]{{22}}$"
)
_EACH_TASK = "each_task"
# Keys whose values tasks need not share.
_OF_TASKS = ("n_items", "score_range", "higher_is_better")
# In place of a card's date, where the data have none.
UNDATED = "undated"


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
    """What the files gave; either table of :mod:`saturation.leaderboard.read.tidy` may be empty."""

    scores: pd.DataFrame
    responses: pd.DataFrame
    record: ImportRecord
    dates: pd.Series | None = None  # of items, by their names


def read(benchmark: str, files: Sequence[Config], declared: Config) -> Imports:
    """Read and check every file of a benchmark; the tables that others read have their schema."""
    from saturation.files import schema
    from saturation.own.schemas import SCORES

    scores, responses, record, dates = together(benchmark, load(files, declared), declared)
    if not scores.empty:
        scores = schema.validate(scores, SCORES, f"{benchmark}: scores")
    if not responses.empty:
        _check_responses(responses, f"{benchmark}: responses")
    return Imports(scores, responses, record, dates)


def load(files: Sequence[Config], declared: Config) -> list[tuple[str, Imported]]:
    """What each file holds, in its own unit, with the file's name; each is logged as it is read.

    What all files leave open is raised at once.
    """
    choice = _choice(declared)
    imported: list[tuple[str, Imported]] = []
    questions: list[str] = []
    answers: dict[str, Any] = {}
    for place, entry in enumerate(files, start=1):
        origin = Origin(**{**entry, "path": Path(entry["path"])})
        log.info("reading %s (%d of %d)", origin.file, place, len(files))
        try:
            imported.append((origin.file, registry.read(origin, choice)))
        except Unsettled as open_:
            questions += open_.violations
            answers |= open_.answers
    if questions:
        raise Unsettled(questions, answers)
    return imported


def together(
    benchmark: str,
    imported: list[tuple[str, Imported]],
    declared: Config,
    concluded: Sequence[str] = (),
) -> Imports:
    """The tidy tables of what :func:`load` gave, which is emptied: a large table is held once."""
    import pandas as pd

    from saturation.leaderboard.read import tidy

    refuse(
        f"benchmark '{benchmark}': observed_on: {problem}"
        for problem in tidy.date(declared.get("observed_on") or "2000-01-01")
    )
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
    days = {item: day for _, content in imported for item, day in content.item_dates.items()}
    if days and scores.empty and responses.empty:
        raise InputError(f"{imported[0][0]}: only dates of items; give the models' answers too")
    imported.clear()
    for table in (scores, responses):
        table["synthetic"] = bool(declared.get("synthetic", False))
    return Imports(scores, responses, record, pd.Series(days) if days else None)


def without_files() -> Imports:
    """Return the tables of a benchmark none of whose files could be read."""
    import pandas as pd

    from saturation.leaderboard.read import tidy

    scores = pd.DataFrame(columns=tidy.SCORE_COLUMNS).assign(synthetic=False)
    responses = pd.DataFrame(columns=tidy.RESPONSE_COLUMNS).assign(synthetic=False)
    return Imports(scores, responses, ImportRecord([], 0, 0, {}, []))


def _choice(declared: Config) -> Choice:
    """Return what the config chooses; the rest keeps its default."""
    keys = [field.name for field in fields(Choice)]
    return Choice(**{key: declared[key] for key in keys if declared.get(key) is not None})


def _unit(declared: Config) -> tidy.Unit:
    from saturation.leaderboard.read import tidy

    minimum, maximum = declared.get("score_range") or (None, None)
    n = declared.get("n_items")
    return tidy.Unit(
        minimum=minimum,
        maximum=maximum,
        higher_is_better=declared.get("higher_is_better"),
        usually=declared["family"] in names.HIGHER_IS_BETTER or None,
        bounded=names.bounded(declared["family"]),
        n_items=None if n == rows.DIGITS else n,
        counted=declared["family"] == "accuracy",
        says_error=declared.get("interval_level") is not None,
    )


def _check_responses(table: pd.DataFrame, name: str) -> None:
    """Check every text, and the least and the greatest response, once.

    Text stays categories: millions of rows as text take half a gigabyte and as many seconds.
    """
    from saturation.files import schema
    from saturation.own.schemas import RESPONSES
    from saturation.statistics.standard_errors import first_places

    places = {int(table["response"].argmin()), int(table["response"].argmax())}
    categories = table.select_dtypes("category")
    for label in categories:
        places.update(first_places(table[label].cat.codes.to_numpy()).tolist())
    distinct = table.iloc[sorted(places)].astype(dict.fromkeys(categories, str))
    schema.validate(distinct, RESPONSES, name)


def _doubts(
    imported: Files, scores: pd.DataFrame, responses: pd.DataFrame, unit: tidy.Unit
) -> Iterator[str]:
    """Return what no file says: where n comes from, and doubtful scores, units and rows."""
    from saturation.leaderboard.read import tidy

    derived = scores[scores["n_source"] == tidy.DERIVED]
    if not derived.empty:
        counts = ", ".join(f"{n:,.0f}" for n in sorted(set(derived["n_items"])))
        yield f"n of {len(derived)} scores follows from score and standard error: {counts} items"
    every = [(file, score) for file, content in imported for score in content.scores]
    if False in ({unit.higher_is_better} - {None} or _directions(imported)):
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
    if none := [model for model in models if columns.no_model(model)]:
        yield f"ranked among the models; leave the rows out that are none: {listed(none)}"
    if unit.counted:
        yield from _uncountable(scores[scores["n_items"].notna()])


def _uncountable(known: pd.DataFrame) -> Iterator[str]:
    """Return a wrong n is seen where it allows no such score (GRIM; Brown and Heathers 2017)."""
    wrong = [
        (score, n)
        for score, n in zip(known["score"].astype(float), known["n_items"].astype(int), strict=True)
        if not rows.countable(round(score, 12), n)
    ]
    for score, n in wrong[:1]:
        yield (
            f"{len(wrong)} of {len(known)} scores are not those of so many right answers of n, "
            f"such as {score:.6g} of {n:,}: are n and the unit right, or are they means over runs "
            "or tasks?"
        )


class Settled(NamedTuple):
    """The answers to all that files leave open, as proposed, and what was read by them."""

    answers: dict[str, Any]
    questions: list[str]
    files: list[tuple[str, Imported]] | None  # None where it has to be read again


def settled(files: Sequence[Config], given: Config) -> Settled:
    """Try what is proposed until nothing is open, or something that only a person can answer."""
    answers: dict[str, Any] = {}
    questions: list[str] = []
    while True:
        now = {**given, **answers}
        try:
            if now.get(_EACH_TASK):
                _try_each(files, now)
                return Settled(answers, questions, None)
            loaded = load(files, now)
            found = entry(loaded, now)
            if questions and any(len(content.responses) for _, content in loaded):
                # Errors that no answer mends are reported with the questions.
                together(found.name, list(loaded), found.declared)
            return Settled(answers, questions, loaded)
        except Unsettled as open_:
            new = {key: value for key, value in open_.answers.items() if now.get(key) != value}
            questions += [line for line in open_.violations if line not in questions]
            answers |= open_.answers
            if not new or None in new.values():
                break
        except InputError as error:
            if not questions:
                raise
            questions += error.violations
            break
    return Settled(answers, questions, None)


def _try_each(files: Sequence[Config], given: Config) -> None:
    """Read every task, and raise what is open in them; what is wrong is said of its card.

    A number of items is asked for if all tasks lack it, a range only if one answer fits all too.
    """
    opened: list[tuple[str, str, Any]] = []
    every, settled_ones = each("benchmark", files, given), 0
    for one in every.values():
        try:
            entry(load(one["files"], one), one)
            settled_ones += 1
        except Unsettled as open_:
            opened += [
                (line, *answer) for line, answer in zip(open_.violations, open_.answers.items())
            ]
        except InputError:
            continue
    questions: list[str] = []
    answers: dict[str, Any] = {}
    for line, key, value in opened:
        proposed = [known for _, name, known in opened if name == key]
        alike = all(known == value for known in proposed)
        if key == "n_items" and not settled_ones and key not in {**given, **answers}:
            line += "; of tasks that differ in it, make one card each with the key 'task'"
            value = value if alike else None
        elif key in _OF_TASKS and not (alike and len(proposed) == len(every)):
            continue
        questions.append(line)
        answers[key] = value
    if questions:
        raise Unsettled(questions, answers)


class Entry(NamedTuple):
    """A benchmark's entry, as a config would hold it."""

    name: str
    declared: Config  # what was given, completed by what the files say
    remarks: list[str]  # what was concluded and not read


def entry(files: Files, given: Config) -> Entry:
    """The entry of a benchmark by its files: what is given stands, what is open is raised."""
    declared = {key: value for key, value in given.items() if value is not None}
    wished = declared.pop("name", None)
    remarks: list[str] = []
    questions: list[str] = []
    answers: dict[str, Any] = {}
    if "family" not in declared:
        called = dict(declared.get("columns") or {}).get("score")
        try:
            declared["family"] = family(files, called)
            remarks.append(f"the metric's family is taken to be {declared['family']}")
        except Unsettled as error:
            questions, answers = error.violations, error.answers
            declared["family"] = answers["family"]
    found = score_range(files)
    if "score_range" not in declared and found is not None:
        if declared["family"] in ("accuracy", "pass_at_k"):
            declared["score_range"] = list(found)
            remarks.append(f"the metric is taken to lie from {found[0]:g} to {found[1]:g}")
        elif names.bounded(declared["family"]):
            questions.append(
                f"{files[0][0]}: no file says the metric's range; say it with the key 'score_range'"
            )
            answers["score_range"] = list(found)
    said = _directions(files)
    if said == {True} and "score_range" in declared:
        declared.setdefault("higher_is_better", True)
    known = "higher_is_better" in declared or declared["family"] in names.HIGHER_IS_BETTER
    if None in said and not known:
        questions.append(
            f"{files[0][0]}: no file says which direction is better; say it with the "
            "key 'higher_is_better'"
        )
        answers["higher_is_better"] = True
    lacking = _without_n(files, declared)
    if lacking and names.bounded(declared["family"]):
        questions.append(lacking[1])
        answers["n_items"] = lacking[0]
    if questions:
        raise Unsettled(questions, answers)
    remarks += _without_date(files, declared)
    return Entry(wished or name(files), declared, remarks)


def _directions(files: Files) -> set[bool | None]:
    said = {score.higher_is_better for _, content in files for score in content.scores}
    return said | {content.higher_is_better for _, content in files if len(content.responses)}


def _without_date(files: Files, declared: Config) -> list[str]:
    dated = "observed_on" in declared or any(_dated(content) for _, content in files)
    return [] if dated else ["no file gives a date, so the card has none"]


def family(files: Files, called: str | None = None) -> str:
    """Return the metric's family, by its name in the files or by item responses of 0 and 1."""
    told = {content.family for _, content in files}
    if len(told) == 1 and (said := told.pop()) and not called:
        return said
    metrics = sorted({score.metric.lower() for _, content in files for score in content.scores})
    if called and metrics == ["score"]:
        metrics = [called.lower()]
    found = {_family_of(metric) for metric in metrics}
    answered = [_responses(content) for _, content in files if len(content.responses)]
    if answered:
        binary = any(
            all(values.dropna().isin([0, one]).all() for values in answered)
            for one in (1, _PERCENT)
        )
        found = {"accuracy" if binary else "bounded_mean"}
    if len(found) == 1 and (only := found.pop()):
        return only
    said = ", ".join(f"'{metric}'" for metric in metrics) or "the files"
    raise Unsettled(
        [
            f"{files[0][0]}: what the metric is cannot be told from {said}; say it with the key "
            "'family': accuracy (every item right or wrong), bounded_mean (F1, BLEU and the like), "
            "rating (Elo), pass_at_k or other"
        ],
        {"family": "bounded_mean"},
    )


def score_range(files: Files) -> tuple[float, float] | None:
    """Proportions or percentages, by the highest score; None if neither, or if the files say it.

    Responses may also be grades of a few steps.
    """
    scores = [score for _, content in files for score in content.scores]
    values = [one.score for one in scores if one.minimum is None]
    for _, content in files:
        if len(content.responses) and content.minimum is None:
            values.append(float(_responses(content).max()))
    numbers = [float(one) for one in values if isinstance(one, (int, float)) and math.isfinite(one)]
    highest = max(numbers, default=math.inf)
    grades = () if scores else _GRADES
    return next(((0.0, top) for top in (1.0, *grades, _PERCENT) if highest <= top), None)


def name(files: Files) -> str:
    """Return the one task of the files, else what their names share, else ``benchmark``."""
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
    return _NOT_IN_NAMES.sub("-", text.replace("+", "plus"))


def _without_n(files: Files, declared: Config) -> tuple[int | None, str] | None:
    """Return the proposed number of items and why, where files with scores lack it."""
    if "n_items" in declared and declared["n_items"] != rows.DIGITS:
        return None
    if any(len(content.responses) for _, content in files):
        return None
    for file, content in files:
        known = any(one.n_items or one.standard_error is not None for one in content.scores)
        if content.n_proposed or (content.scores and not known):
            n, why = content.n_proposed or (None, "nothing in the file says it")
            return (
                n,
                f"{file}: the number of items is missing; give it with the key 'n_items': {why}",
            )
    return None


def _family_of(metric: str) -> str | None:
    return "pass_at_k" if metric.startswith("pass@") else columns.family_of(metric)


def _responses(content: Imported) -> pd.Series:
    import pandas as pd

    return pd.to_numeric(pd.DataFrame(content.responses)["response"], errors="coerce")


def _dated(content: Imported) -> bool:
    if isinstance(content.responses, list):
        answered = any(one.date for one in content.responses)
        return answered or any(one.date for one in content.scores)
    return "date" in content.responses and bool((content.responses["date"].fillna("") != "").any())


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
    from saturation.planning.config import check_names, expand

    found: dict[str, Config] = {}
    for name, entry in benchmarks.items():
        if not entry.get(_EACH_TASK):
            found[name] = entry
            continue
        try:
            found |= each(name, expand(entry["files"], workflow), entry)
        except InputError as error:
            remedy = (
                "config: own.benchmarks: each_task reads its files while the run is planned, "
                "before any rule can make them; give each task a benchmark of its own"
            )
            if made_later or len(benchmarks) == 1:
                raise InputError([*error.violations, *[remedy] * made_later]) from None
            # Its own job says what is wrong, and the others' cards are made.
            found[name] = {key: value for key, value in entry.items() if key != _EACH_TASK}
    check_names(found)
    return found
