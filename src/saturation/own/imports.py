"""Read all files of a user's benchmark into two tidy tables, with a record of the files.

Pandas is imported once files are read: to say what is open does not take it.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from saturation.errors import (
    InputError,
    Key,
    NoResults,
    Unsettled,
    Violation,
    group_values,
    listed,
    refuse,
)
from saturation.leaderboard import names
from saturation.leaderboard.read import columns, duplicates, registry, rows, scale, suites
from saturation.leaderboard.read.documents import KEY
from saturation.leaderboard.read.rows import Choice, Imported, Origin

if TYPE_CHECKING:
    import pandas as pd

    from saturation.leaderboard.read import tidy
    from saturation.planning.config import Config

log = logging.getLogger(__name__)

# The content of each file, in its own unit, with the file's name.
Contents = list[tuple[str, Imported]]
# Keys of a benchmark in the config, with their values.
Declarations = dict[str, Any]

_PERCENT = 100.0
# Highest grades of item responses, beside 1 and 100.
_GRADES = (2.0, 3.0, 4.0, 5.0, 10.0)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
# What tools put into the names of their files beside the benchmark's: kind, date, identifier.
_DATE = r"\d{4}-\d{2}-\d{2}T[\d.:+-]+"
_OF_THE_TOOL = re.compile(
    rf"\.(json|jsonl|csv|tsv|parquet|eval|gz|zst|zip|md|tex|ya?ml|html?|xlsx)\b|^(README|index|(?i:benchmarks))$|^(results|samples|details)(_|$)|^{_DATE}_"
    rf"|(^|_){_DATE}$|(?<=_)[A-Za-z0-9]{{22}}$"
)
_EACH_TASK = "each_task"
# Files that are read by themselves where all together cannot be read.
MOST_ALONE = 50
# Keys whose values tasks need not share.
_OF_TASKS = ("n_items", "score_range", "higher_is_better")
# Keys that say how a file is built up.
_LAYOUT = {"columns", "model", "table"}
# In place of a card's date, where the data have none.
UNDATED = "undated"


@dataclass(frozen=True)
class FileRecord:
    """The format in which a file was read, and the number of its rows."""

    file: str
    format: str
    scores: int
    responses: int
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ImportRecord:
    """The files of a benchmark with the numbers of their rows."""

    files: list[FileRecord]
    scores: int = 0
    responses: int = 0
    #: Numbers of scores by the source of their number of items.
    n_sources: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # doubts about all files together

    @property
    def remarks(self) -> list[str]:
        """List the importers' remarks; a remark that many files share stands once."""
        by_note = group_values((note, entry.file) for entry in self.files for note in entry.notes)
        return [
            f"{names[0] if len(names) == 1 else f'{len(names)} files'}: {note}"
            for note, names in by_note.items()
        ] + self.notes


class Imports(NamedTuple):
    """The tables of :mod:`saturation.leaderboard.read.tidy`, of which either may be empty."""

    scores: pd.DataFrame
    responses: pd.DataFrame
    record: ImportRecord
    dates: pd.Series | None = None  # of items, by their names


@dataclass
class Questions:
    """Questions that files leave open, with the proposed answers by the keys of a benchmark.

    An answer is None where only a person knows it.
    """

    given: Config
    sentences: list[str] = field(default_factory=list)
    answers: Declarations = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Tell whether anything is open."""
        return bool(self.sentences)

    @property
    def answered(self) -> Declarations:
        """Return the benchmark's declarations, with the proposed answers."""
        return {**self.given, **self.answers}

    def ask(self, sentences: Sequence[str], answers: Config) -> None:
        """Add questions, each once."""
        self.sentences += [line for line in sentences if line not in self.sentences]
        self.answers |= answers
        if self.answers.get(_EACH_TASK):
            self.answers.pop("task", None)

    def require_answers(self) -> None:
        """Raise what is open."""
        if self:
            raise Unsettled(self.sentences, self.answers)


def load(files: Sequence[Config], declared: Config) -> Contents:
    """Read the content of each file; what all files leave open is raised at once."""
    questions = Questions(declared)
    contents = _load(files, questions)
    questions.require_answers()
    return contents


def _load(files: Sequence[Config], questions: Questions) -> Contents:
    """Read each file and leave out what another file replaces."""
    choice = Choice.select(questions.answered)
    contents = _read_each(files, choice, questions)
    if not questions:
        _count_each_once(contents, choice, questions)
        _leave_retried_out(contents)
    is_mean = choice.suite is None and any(content.suite for _, content in contents)
    if len(contents) > 1 and is_mean:
        contents[0][1].notes += suites.leave_incomplete_out([content for _, content in contents])
    return contents


def _read_each(files: Sequence[Config], choice: Choice, questions: Questions) -> Contents:
    """Read each file; name those without results, beside files that hold some."""
    contents = []
    failures: dict[str, InputError] = {}
    for place, entry in enumerate(name_models(files, questions.answered), start=1):
        origin = Origin(**{**entry, "path": Path(entry["path"])})
        log.info("reading %s (%d of %d)", origin.file, place, len(files))
        try:
            contents.append((origin.file, registry.load(origin, choice)))
        except InputError as error:
            failures[origin.file] = error
    without = _ask_of_files(failures, questions, contents)
    if without and contents:
        contents[0][1].notes.append(
            "left out, since they hold no results, no table of models or not what is chosen: "
            f"{listed(without)}"
        )
    elif without and not questions:
        raise failures[without[0]]
    return contents


def _ask_of_files(
    failures: Mapping[str, InputError], questions: Questions, contents: Contents
) -> list[str]:
    """Ask what files leave open, a question of many files once; return those without results."""
    several = len(failures) + len(contents) > 1
    answers = {file: _answers_to(error, several=several) for file, error in failures.items()}
    asked, without = _files_to_ask(answers, contents)
    opened: list[tuple[str, str]] = []
    for file in asked:
        lines = failures[file].violations
        opened += [(line.replace(f"{file}: ", ""), line) for line in lines]
        questions.answers |= _first_names(answers[file], questions.answers)
    for first, *further in group_values(opened).values():
        more = f" (and so in {len(further)} more files)" if further else ""
        questions.sentences.append(Violation(first, more))
    return without


def _files_to_ask(answers: Mapping[str, Config], contents: Contents) -> tuple[list[str], list[str]]:
    """Return the files of which most leave the same open, and those that are left out.

    Files with the ending of most are asked of. Files of another layout than more files that are
    read are left out. Names of files are models only where nothing else is open and no file has
    several models.
    """
    endings = group_values((Path(file).suffix, file) for file in answers if answers[file])
    kind = max(endings.values(), key=len, default=[])
    alike = group_values((tuple(answers[file] if file in kind else ()), file) for file in answers)
    has_table = any(len(_models(content)) > 1 for _, content in contents)
    without = alike.pop((), [])
    for keys in list(alike):
        is_other = len(alike[keys]) <= len(contents) and not _LAYOUT.isdisjoint(keys)
        by_name = keys == ("model",) and (has_table or len(alike) > 1)
        if is_other or by_name:
            without += alike.pop(keys)
    return max(alike.values(), key=len, default=[]), without


def name_models(files: Sequence[Config], declared: Config) -> Sequence[Config]:
    """Return files with the models that the files' entries or their benchmark name."""
    if not (model := declared.get("model")):
        return files
    names = _names_of_files(files)
    return [
        {"model": name if model == "file" else model, **file} for name, file in zip(names, files)
    ]


def _names_of_files(files: Sequence[Config]) -> list[str]:
    """Return the files' names without their endings or, where files share them, the folders'."""
    paths = [Path(file["path"]) for file in files]
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        root = os.path.commonpath([path.parent for path in paths])
        folders = [path.parent.relative_to(root).as_posix() for path in paths]
        names = folders if len(set(folders)) > 1 else [path.name for path in paths]
    return names


def _answers_to(error: InputError, *, several: bool) -> Config:
    """Return proposed answers: of several files each is a model's that names none, or only keys.

    A file without results has none; any other error that no answer mends is raised.
    """
    if isinstance(error, Unsettled):
        # Keys, and a column of settings, name no models where each file is a model's.
        model = (error.answers.get("columns") or {}).get("model", "model")
        is_setting = columns.words(model) <= columns.SETTINGS - columns.MODEL
        is_open = several and (is_setting or model == KEY)
        return {"model": "file"} if is_open else error.answers
    parts = [part for line in error.violations for part in getattr(line, "parts", ())]
    keys = [part for part in parts if isinstance(part, Key)]
    # Scores of several models would stand beside their names.
    if several and keys and all(k.name == "model" or "score" in (k.value or ()) for k in keys):
        return {"model": "file"}
    if not isinstance(error, NoResults):
        raise error
    return {}


def _first_names(answers: Config, before: Config) -> Declarations:
    """Return answers; of two proposed names that which all of a series have, the first."""
    return {
        key: min(value, before.get(key, value), key=rows.natural)
        if isinstance(value, str)
        else value
        for key, value in answers.items()
    }


def _count_each_once(contents: Contents, choice: Choice, questions: Questions) -> None:
    """Ask which of several scores of a model count that files of any format hold."""
    scores = [
        score._replace(details=(*score.details, ("file", file)))
        for file, content in contents
        for score in content.scores
    ]
    keys = {(s.model, s.task, s.configuration, s.run, s.date) for s in scores}
    if len(keys) == len(scores) and choice.duplicates is None:
        return
    resolved = duplicates.resolve(scores, choice, contents[0][0])
    if resolved.question:
        sets = _are_data_sets(contents, scores)
        remedy = ("; if each file is a data set, make a card of each with ", Key(_EACH_TASK))
        sentence = Violation(f"{contents[0][0]}: ", resolved.question, *(remedy if sets else ()))
        questions.ask([sentence], {_EACH_TASK: True} if sets else {"duplicates": resolved.proposed})
        return
    for file, content in contents:
        content.scores = [s for s in resolved.scores if dict(s.details)["file"] == file]
    contents[0][1].notes += resolved.notes


def _are_data_sets(contents: Contents, scores: Sequence[rows.Score]) -> bool:
    """Return whether files hold each model once, without tasks, and are not numbered as runs."""
    stems = {re.sub(r"\d+", "", Path(file).stem) for file, _ in contents}
    pairs = {(score.model, score.details[-1]) for score in scores}
    several = all(len(content.scores) > 1 for _, content in contents)
    once = len(pairs) == len(scores) and not any(score.task for score in scores)
    return several and once and len(stems) == len(contents)


def _leave_retried_out(contents: Contents) -> None:
    """Leave out a log that did not end well where another log of the models did."""
    complete = {_models(log): file for file, log in contents if log.status == "success"}
    for _, content in contents:
        successor = complete.get(_models(content))
        if content.status not in ("", "success") and successor is not None:
            content.notes.append(
                f"left out: its status is '{content.status}', {successor} is complete"
            )
            content.responses = []


def _models(content: Imported) -> tuple[str, ...]:
    responses: Any = content.responses
    names = [row.model for row in responses] if isinstance(responses, list) else responses["model"]
    return tuple(sorted({*names, *(score.model for score in content.scores)}))


def join_tables(
    benchmark: str, contents: Contents, declared: Config, remarks: Sequence[str] = ()
) -> Imports:
    """Join the contents of files to tidy tables that have their schema.

    The list of contents is emptied, so that a large table is held once. `remarks` are those of
    what was concluded about the benchmark.
    """
    import pandas as pd

    from saturation.files import schema
    from saturation.leaderboard.read import tidy
    from saturation.own.schemas import SCORES

    refuse(
        f"benchmark '{benchmark}': observed_on: {problem}"
        for problem in tidy.date(declared.get("observed_on") or None)
    )
    unit = _unit(declared)
    try:
        scores = tidy.scores(benchmark, contents, unit)
        responses = tidy.responses(benchmark, contents, unit)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{contents[0][0]}: {error.object!a} holds half a character (U+D800 to U+DFFF), which "
            "no file may hold; write the name again"
        ) from None
    tidy.require_n(scores, responses, unit)
    tidy.require_agreement(scores, responses)
    _require_declared_n(benchmark, responses, unit.n_items)
    dates, observed = scores["date"].dropna(), declared.get("observed_on")
    if observed and len(dates) and dates.max() > observed:
        raise InputError(
            f"benchmark '{benchmark}': observed_on is {observed}, but a score is of {dates.max()}; "
            "correct the key, or leave it out to take the latest date"
        )
    days = {item: day for _, content in contents for item, day in content.item_dates.items()}
    if days and scores.empty and responses.empty:
        raise InputError(f"{contents[0][0]}: only dates of items; give the models' answers too")
    notes = [*_doubts(contents, scores, responses, unit), *remarks]
    if not (observed or len(dates) or (responses["date"] != "").any()):
        notes.append("no file gives a date, so the card has none")
    record = ImportRecord(
        files=[
            FileRecord(file, read.format, len(read.scores), len(read.responses), read.notes)
            for file, read in contents
        ],
        scores=len(scores),
        responses=len(responses),
        n_sources={str(key): int(n) for key, n in scores["n_source"].value_counts().items()},
        notes=notes,
    )
    contents.clear()
    for table in (scores, responses):
        table["synthetic"] = bool(declared.get("synthetic", False))
    if not scores.empty:
        scores = schema.validate(scores, SCORES, f"{benchmark}: scores")
    if not responses.empty:
        _check_responses(responses, f"{benchmark}: responses")
    return Imports(scores, responses, record, pd.Series(days) if days else None)


def _require_declared_n(benchmark: str, responses: pd.DataFrame, n_items: int | None) -> None:
    """Refuse a declared number of items that the answers contradict."""
    answered = responses["item"].nunique() if len(responses) else n_items
    if n_items is not None and answered != n_items:
        raise InputError(
            f"benchmark '{benchmark}': the config declares n_items {n_items}, but the files hold "
            f"answers to {answered} items; remove the key, or give all answers"
        )


def empty_imports() -> Imports:
    """Return the tables of a benchmark none of whose files could be read."""
    import pandas as pd

    from saturation.leaderboard.read import tidy

    scores = pd.DataFrame(columns=tidy.SCORE_COLUMNS).assign(synthetic=False)
    responses = pd.DataFrame(columns=tidy.RESPONSE_COLUMNS).assign(synthetic=False)
    return Imports(scores, responses, ImportRecord([]))


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

    places = {int(table["response"].argmin()), int(table["response"].argmax())}
    categories = table.select_dtypes("category")
    for label in categories:
        places.update(table[label].drop_duplicates().index)
    distinct = table.iloc[sorted(places)].astype(dict.fromkeys(categories, str))
    schema.validate(distinct, RESPONSES, name)


def _doubts(
    contents: Contents, scores: pd.DataFrame, responses: pd.DataFrame, unit: tidy.Unit
) -> Iterator[str]:
    """Say what no file says: the origin of n, and doubtful scores, units and rows."""
    from saturation.leaderboard.read import tidy

    derived = scores[scores["n_source"] == tidy.DERIVED]
    if not derived.empty:
        counts = ", ".join(f"{n:,.0f}" for n in sorted(set(derived["n_items"])))
        yield f"n of {len(derived)} scores follows from score and standard error: {counts} items"
    scored = [(file, score) for file, content in contents for score in content.scores]
    if False in ({unit.higher_is_better} - {None} or _directions(contents)):
        now = "80 % stands for their 20 %" if unit.bounded else "scores have the other sign"
        yield f"lower is better in the files; here it is turned round: {now}"
    limits = tidy.range_of([score for _, score in scored], unit)
    place = tidy.lone_one([float(score.score) for _, score in scored], limits)
    if place is not None and limits is not None:
        file, score = scored[place]
        yield (
            f"{tidy.where_of(file, score.row, score.model)}: score 1 beside percentages is read as "
            f"1 of {limits[1]:g}; if it stands for all, write {limits[1]:g}"
        )
    models = sorted({*scores["model"], *responses["model"].unique()})
    if none := [model for model in models if columns.describes_no_model(model)]:
        yield f"ranked among the models; leave the rows out that are none: {listed(none)}"
    if unit.counted:
        yield from _uncountable(scores[scores["n_items"].notna()])


def _uncountable(known: pd.DataFrame) -> Iterator[str]:
    """Find scores that are no counts of n (GRIM; Brown and Heathers 2017)."""
    wrong = [
        (score, n)
        for score, n in zip(known["score"].astype(float), known["n_items"].astype(int))
        if not rows.countable(round(score, 12), n)
    ]
    for score, n in wrong[:1]:
        yield (
            f"{len(wrong)} of {len(known)} scores are not those of so many right answers of n, "
            f"such as {score:.6g} of {n:,}: are n and the unit right, or are they means over runs "
            "or tasks?"
        )


class Settled(NamedTuple):
    """The questions of files with their proposed answers, and the entry that the answers give."""

    questions: Questions
    entry: Entry | None  # None where something is open, or where each task has an entry


def settle(files: Sequence[Config], given: Config) -> Settled:
    """Settle what files leave open; of files that make no benchmark together, propose one."""
    try:
        return _settle(files, given)
    except InputError as error:
        if len(files) < 2:
            raise
        sizes = [_count_models(file, given) for file in files[:MOST_ALONE]]
        if max(sizes) < 2:
            raise
        best = files[sizes.index(max(sizes))]["path"]
        advice = f"if the files do not belong together, make a card of one, such as {best}"
        # What is open in other files matters no more.
        faults = getattr(error.__cause__, "violations", error.violations)
        raise InputError([advice, *faults]) from None


def _count_models(file: Config, given: Config) -> int:
    """Return the number of models that a file has by itself, where nothing unknown is open."""
    try:
        entry = _settle([file], given).entry
    except InputError:
        return 0
    return len({name for _, part in entry.contents for name in _models(part)}) if entry else 0


def _settle(files: Sequence[Config], given: Config) -> Settled:
    """Try the proposed answers until nothing is open, or only a person can answer.

    An answer that fails is not proposed: in place of a suite's average each task is.
    """
    questions = Questions(given)
    while True:
        still_open = Questions(questions.answered)
        try:
            entry = _try(files, still_open, questions)
        except InputError as error:
            if questions.answers.get("task") != rows.AVERAGE:
                # Errors that no answer mends are reported with the questions.
                raise InputError([*error.violations, *questions.sentences]) from error
            del questions.answers["task"]
            questions.answers[_EACH_TASK] = True
            continue
        if not still_open:
            return Settled(questions, entry)
        given = still_open.given
        fresh = [x for key, x in still_open.answers.items() if given.get(key) != x]
        questions.ask(still_open.sentences, still_open.answers)
        if not fresh or None in fresh:
            return Settled(questions, None)


def _try(files: Sequence[Config], questions: Questions, asked: Questions) -> Entry | None:
    """Read the files by the answers so far, and add what is open to the questions."""
    if questions.given.get(_EACH_TASK):
        _ask_of_tasks(files, questions)
        return None
    entry = _read(files, questions)
    if entry and asked and not questions:
        _require_tables(entry)
    return entry


def _require_tables(entry: Entry) -> None:
    """Refuse an entry whose contents make no tables, and leave its contents as they are."""
    copies = [(file, replace(content)) for file, content in entry.contents]
    join_tables(entry.name, copies, entry.declared)


def _read(files: Sequence[Config], questions: Questions) -> Entry | None:
    """Read the files and conclude what they say; None where something in them is open."""
    contents = _load(files, questions)
    return None if questions else _conclude(contents, questions)


def remarks_on_proposals(given: Config, answered: Config) -> list[str]:
    """Return a remark for each answer that was taken as proposed."""
    return [
        f"taken as proposed, not stated: {key} = {value}"
        for key, value in answered.items()
        if given.get(key) != value
    ]


def _ask_of_tasks(files: Sequence[Config], questions: Questions) -> None:
    """Read every task, and add what is open in them; what is wrong is said of its card.

    A number of items is asked for if all tasks lack it, a range only if one answer fits all too.
    """
    try:
        tasks = split_tasks("benchmark", files, questions.given)
    except Unsettled as error:
        questions.ask(error.violations, error.answers)
        return
    readable, failures = [], []
    for task in tasks.values():
        of_task = Questions(task)
        try:
            entry = _read(task["files"], of_task)
            if entry and not of_task:
                _require_tables(entry)
            readable.append(of_task)
        except InputError as error:
            failures.append(error)
    if not readable:
        raise failures[0]
    _ask_common(readable, len(readable), questions)


def _ask_common(of_tasks: Sequence[Questions], n_tasks: int, questions: Questions) -> None:
    """Ask for each key once, if a single answer can hold for all tasks."""
    lacks_n = "n_items" not in questions.answered
    by_key = group_values(
        (key, (line, answer))
        for of_task in of_tasks
        for line, (key, answer) in zip(of_task.sentences, of_task.answers.items())
    )
    for key, pairs in by_key.items():
        fits_all = all(pair[1] == pairs[0][1] for pair in pairs)
        # A direction or a number of items does no harm to tasks that do not ask for it.
        enough = n_tasks if key == "score_range" else n_tasks / 2
        is_common = fits_all or key == "higher_is_better"
        of_all = (lacks_n if key == "n_items" else is_common) and len(pairs) >= enough
        if key not in _OF_TASKS or of_all:
            sentence = _reword_for_tasks(pairs[0][0], key, len(pairs))
            questions.ask([sentence], {key: pairs[0][1] if fits_all else None})


def _reword_for_tasks(line: str, key: str, tasks: int) -> Violation:
    """Rewrite a question of a single task as a question of many."""
    remedy = ("; of tasks that differ in it, make one card each with ", Key("task"))
    more = f" (and so of {tasks - 1} more tasks)" if tasks > 1 else ""
    return Violation(line, *(remedy if key == "n_items" else ()), more)


class Entry(NamedTuple):
    """Config entry of a benchmark, and the contents of its files."""

    name: str
    declared: Config  # what was given, completed by what the files say
    remarks: list[str]  # what was concluded and not read
    contents: Contents


def conclude(contents: Contents, given: Config) -> Entry:
    """Complete a benchmark's entry by the contents of its files; what is open is raised."""
    questions = Questions(given)
    entry = _conclude(contents, questions)
    questions.require_answers()
    return entry


def _conclude(contents: Contents, questions: Questions) -> Entry:
    declared = {key: value for key, value in questions.given.items() if value is not None}
    wished = declared.pop("name", None)
    remarks = [
        *_conclude_family(contents, declared, questions),
        *_conclude_range(contents, declared, questions),
    ]
    _ask_about_grades(contents, declared, questions)
    if len(tasks := _tasks_of(contents)) > 1:
        caution = f"models of different tasks are no rivals, but ranked: {listed(tasks)}"
        contents[0][1].notes.insert(0, caution)
    _ask_direction(contents, declared, questions)
    declared = state_direction(contents, declared)
    _ask_n(contents, declared, questions)
    return Entry(wished or name_of(contents), declared, remarks, contents)


def _conclude_family(
    contents: Contents, declared: Declarations, questions: Questions
) -> Iterator[str]:
    if "family" in declared:
        return
    try:
        declared["family"] = family(contents)
        yield f"the metric's family is taken to be {declared['family']}"
        scores = (score for _, content in contents for score in content.scores)
        bare = any(score.standard_error is None and not score.n_source for score in scores)
        if bare and declared["family"] == "bounded_mean":
            yield "scores without errors have the largest that n allows: of right or wrong items"
    except Unsettled as error:
        questions.ask(error.violations, error.answers)
        declared |= error.answers


def _conclude_range(
    contents: Contents, declared: Declarations, questions: Questions
) -> Iterator[str]:
    limits = score_range(contents)
    if "score_range" in declared or limits is None:
        return
    is_bounded = names.bounded(declared["family"])
    of_answers = limits == (0.0, 1.0) and any(len(content.responses) for _, content in contents)
    if declared["family"] in ("accuracy", "pass_at_k") or (is_bounded and of_answers):
        declared["score_range"] = list(limits)
        yield f"the metric is taken to lie from {limits[0]:g} to {limits[1]:g}"
    elif is_bounded:
        sentence = f"{contents[0][0]}: no file says the metric's range; say it with "
        questions.ask([Violation(sentence, Key("score_range"))], {"score_range": list(limits)})


def _ask_about_grades(contents: Contents, declared: Declarations, questions: Questions) -> None:
    """Ask for the range of files of a score each, which tell the range only together."""
    scores = [score for _, content in contents for score in content.scores]
    bounded = [score.score for score in scores if score.maximum is not None]
    numbers = [number for number in bounded if isinstance(number, (int, float))]
    is_alone = len(numbers) == len(contents) == len(scores) > 1
    if "score_range" in declared or not is_alone or not 1 < max(numbers) <= 10:
        return
    top = int(scale.likely_top(scores[0].metric or "", numbers))
    sentence = f"{contents[0][0]}: the files' scores run from {min(numbers):g} to {max(numbers):g}"
    remedy = (Key("score_range"), f": 0 to {top}, or 0 to {1 if top == 100 else 100}")
    questions.ask(
        [Violation(f"{sentence}; say of what range with ", *remedy)], {"score_range": [0, top]}
    )


def _ask_direction(contents: Contents, declared: Declarations, questions: Questions) -> None:
    directions = _directions(contents)
    if directions == {True} and "score_range" in declared:
        declared.setdefault("higher_is_better", True)
    settled = "higher_is_better" in declared or declared["family"] in names.HIGHER_IS_BETTER
    if None in directions and not settled:
        sentence = f"{contents[0][0]}: no file says which direction is better; say it with "
        questions.ask([Violation(sentence, Key("higher_is_better"))], {"higher_is_better": True})


def _ask_n(contents: Contents, declared: Config, questions: Questions) -> None:
    """Ask for the number of items where files with scores lack the number."""
    if declared.get("n_items", rows.DIGITS) != rows.DIGITS:
        return
    if not names.bounded(declared["family"]) or any(
        len(imported.responses) for _, imported in contents
    ):
        return
    for file, content in contents:
        has_n = any(
            score.n_items is not None or score.standard_error is not None or score.n_source
            for score in content.scores
        )
        if content.n_proposed or (content.scores and not has_n):
            _ask_for_n(file, content, contents, declared, questions)
            return


def _ask_for_n(
    file: str, content: Imported, contents: Contents, declared: Config, questions: Questions
) -> None:
    """Ask for the number of items of a file, or for its column."""
    answer: Any
    answer, why = content.n_proposed or (None, "nothing in the file says it")
    stated = {score.n_items for _, beside in contents for score in beside.scores} - {None}
    if answer is None and len(stated) == 1:
        answer, why = stated.pop(), "other files say it"
    key = Key("n_items")
    if isinstance(answer, str):
        answer = {**(declared.get("columns") or {}), "n_items": answer}
        key = Key("columns", value=answer)
    sentence = f"{file}: the number of items is missing; give it with "
    questions.ask([Violation(sentence, key, f": {why}")], {key.name: answer})


def state_direction(contents: Contents, declared: Config) -> Declarations:
    """Return a benchmark's entry that says that lower is better, where the files alone say it."""
    stated = _directions(contents) == {False}
    return ({"higher_is_better": False} if stated else {}) | dict(declared)


def _directions(contents: Contents) -> set[bool | None]:
    directions = {score.higher_is_better for _, content in contents for score in content.scores}
    return directions | {
        imported.higher_is_better for _, imported in contents if len(imported.responses)
    }


def family(contents: Contents) -> str:
    """Return the metric's family, by its name in the files or by item responses of 0 and 1."""
    families = {content.family for _, content in contents}
    if len(families) == 1 and (stated := families.pop()):
        return stated
    metrics = sorted({score.metric.lower() for _, content in contents for score in content.scores})
    candidates = {_family_of_metric(metric) for metric in metrics}
    answers = [_responses(content) for _, content in contents if len(content.responses)]
    if answers:
        candidates = {_family_of_answers(answers)}
    if len(candidates) == 1 and (only := candidates.pop()):
        return only
    listing = ", ".join(f"'{metric}'" for metric in metrics) or "the files"
    question = Violation(
        f"{contents[0][0]}: what the metric is cannot be told from {listing}; say it with ",
        Key("family"),
        ": accuracy (every item right or wrong), bounded_mean (F1, BLEU and the like), "
        "rating (Elo), pass_at_k or other",
    )
    raise Unsettled([question], {"family": "bounded_mean"})


def _family_of_answers(answers: Sequence[pd.Series]) -> str:
    for right in (1, _PERCENT):
        if all(values.dropna().isin([0, right]).all() for values in answers):
            return "accuracy"
    return "bounded_mean"


def score_range(contents: Contents) -> tuple[float, float] | None:
    """Return the range of proportions or percentages, by the highest score.

    Responses may also be grades of a few steps. None if no range fits, or if the files state it.
    """
    scores = [score for _, content in contents for score in content.scores]
    values = [score.score for score in scores if score.minimum is None]
    for responses in (_responses(content) for _, content in contents if content.minimum is None):
        values += [float(responses.max()), float(responses.min())]
    numbers = [float(x) for x in values if isinstance(x, (int, float)) and math.isfinite(x)]
    highest = max(numbers, default=math.inf)
    if min(numbers, default=0.0) < 0 and highest <= 1:
        return -1.0, 1.0
    grades = () if scores else _GRADES
    return next(((0.0, top) for top in (1.0, *grades, _PERCENT) if highest <= top), None)


def _tasks_of(contents: Contents) -> set[str]:
    """Return the tasks that scores name."""
    return {score.task for _, content in contents for score in content.scores if score.task}


def name_of(contents: Contents) -> str:
    """Return the only task of the files, else their names' common part, else ``benchmark``."""
    if len(tasks := _tasks_of(contents)) == 1:
        return _format_name(tasks.pop())
    return stem([Path(file) for file, _ in contents])


def stem(files: Sequence[Path]) -> str:
    """Return what names of files share without their tool's additions, else the folder's name."""
    stems = set()
    for path in files:
        name, before = path.name, ""
        while name != before:
            name, before = _OF_THE_TOOL.sub("", name), name
        stems.add(name)
    if len(stems) == 1 and (only := stems.pop()):
        return _format_name(only)
    return _format_name(Path(os.path.commonpath([f.resolve().parent for f in files])).name)


def _format_name(text: str) -> str:
    return _hyphenated(text).strip("-._") or "benchmark"


def _hyphenated(text: str) -> str:
    """Replace what no benchmark's name may hold by hyphens (see the config's schema)."""
    return _NOT_IN_NAMES.sub("-", text.replace("+", "plus"))


def _family_of_metric(metric: str) -> str | None:
    return "pass_at_k" if metric.startswith("pass@") else columns.family_of(metric)


def _responses(content: Imported) -> pd.Series:
    import pandas as pd

    responses = pd.DataFrame(
        content.responses, columns=None if len(content.responses) else ["response"]
    )
    return pd.to_numeric(responses["response"], errors="coerce")


def split_tasks(benchmark: str, files: Sequence[Config], declared: Config) -> dict[str, Config]:
    """Return a benchmark's entry for every task of its files, by name, with the task's files.

    Of several files without tasks each is a task.
    """
    choice = Choice.select({**declared, "task": None})
    holding: dict[str, list[Config]] = {}
    within = set()  # tasks that files name
    without = []
    for name, entry in zip(_names_of_files(files), name_models(files, declared)):
        try:
            tasks = registry.tasks(Origin(**{**entry, "path": Path(entry["path"])}), choice)
        except NoResults:
            without.append(entry)
            continue
        within |= set(tasks)
        for task in tasks or [name]:
            holding.setdefault(task, []).append(dict(entry))
    lack = "the file holds no tasks to choose from; leave out "
    single = within or len(files) == 1
    refuse(
        Violation(f"{name}: {lack}", Key(_EACH_TASK)) for name in holding.keys() - within if single
    )
    common = {key: value for key, value in declared.items() if key != _EACH_TASK}
    holding = holding or {benchmark: without}
    return {
        name: {
            **common,
            "task": task if task in within else None,
            "files": [*holding[task], *without],
        }
        for name, task in _names_of_cards(benchmark, holding).items()
    }


def _names_of_cards(benchmark: str, tasks: Iterable[str]) -> dict[str, str]:
    """Return the tasks by the names of their cards; names that lose letters stay distinct."""
    plain = {task: f"{benchmark}-{_hyphenated(task).strip('-.')}" for task in sorted(tasks)}
    times = Counter(name.lower() for name in plain.values())
    names_of_cards = {}
    for task, name in plain.items():
        if times[name.lower()] > 1 or name.endswith("-"):
            letters = task.encode("utf-8", "surrogatepass")
            name = f"{name.rstrip('-')}-{hashlib.sha256(letters).hexdigest()[:6]}"
        names_of_cards[name] = task
    return names_of_cards


def split(
    benchmarks: Mapping[str, Config], workflow: Path, *, made_later: bool
) -> dict[str, Config]:
    """Replace a benchmark that asks for a card of each task by a benchmark of each."""
    from saturation.planning.config import check_names, expand

    entries: dict[str, Config] = {}
    for name, entry in benchmarks.items():
        if not entry.get(_EACH_TASK):
            entries[name] = entry
            continue
        try:
            entries |= split_tasks(name, expand(entry["files"], workflow), entry)
        except InputError as error:
            remedy = (
                "config: own.benchmarks: each_task reads its files while the run is planned, "
                "before any rule can make them; give each task a benchmark of its own"
            )
            if made_later or len(benchmarks) == 1:
                raise InputError([*error.violations, *[remedy] * made_later]) from None
            # Its own job says what is wrong, and the others' cards are made.
            entries[name] = {key: value for key, value in entry.items() if key != _EACH_TASK}
    check_names(entries)
    return entries
