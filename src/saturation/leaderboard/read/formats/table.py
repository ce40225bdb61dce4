"""Any table of models with scores: a whole reading is proposed, and what is open is asked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from saturation.errors import InputError, Unsettled, listed, refuse
from saturation.leaderboard.names import UNBOUNDED
from saturation.leaderboard.read import columns, rows
from saturation.leaderboard.read.columns import Layout, Value
from saturation.leaderboard.read.registry import Importer, Shape, item_columns
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score
from saturation.leaderboard.read.sheets import MOST_ROWS, Sheet, plain

# The name of a suite's mean over its tasks, and how few tasks give no error of it.
AVERAGE = "average"
FEWEST_TASKS = 5
# Largest difference of a stated average from the mean of the tasks, in units of the last digit.
MOST_DIGITS = 2.0
DUPLICATES = ("latest", "best", "mean", "runs", "separate")
# Widely used test sets by what their name holds: a proposal, never taken without being said.
SIZES = {
    "humaneval": 164, "gsm8k": 1319, "math 500": 500, "mmlu pro": 12032, "mmlu": 14042,
    "gpqa diamond": 198, "hellaswag": 10042, "winogrande": 1267, "truthfulqa": 817,
    "swe bench verified": 500, "swe bench lite": 300, "alpaca eval": 805, "alpacaeval": 805,
    "arena hard": 500, "ifeval": 541, "simpleqa": 4326, "polyglot": 225, "mbpp+": 378,
    "mt bench": 80,
}  # fmt: skip
_SIGNS = re.compile("^[🥇🥈🥉🏆 ]+|( [📑🔒✅])+$|" + columns.FOOTNOTES.pattern)
_STATED = re.compile(
    r"\b(\d{1,3}(?:,\d{3})+|\d{2,6})[ \t]+(?:[\w-]+[ \t]){0,2}"
    r"(?:articles|documents|questions|problems|items|examples|prompts|tasks|instances|tests)\b"
)
_UPDATED = re.compile(r"(?:[Uu]pdated?|[Aa]s of)\W{0,3}(?:on )?([A-Z0-9][\w ,/-]{7,18})")
# Not 'n=5 runs', and not 2 of 'n=2k'.
_N_IN_NAME = re.compile(r"(?i)\bn ?= ?(\d++(?:[,.'’\s]\d{3})*+)(?![\w.]| ?(?:run|seed|trial))")
_OUT_OF = re.compile(r"(?:/|out of) ?(\d\d?)\b")
_IN_NAME = re.compile(r"(20\d\d)[-_]?([01]\d)[-_]?([0-3]\d)(?!\d)")


@dataclass
class Asked:
    """What is open in a table, with the answers that are proposed."""

    file: str
    questions: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)

    def ask(self, question: str, **answers: Any) -> None:
        """Ask for the values of keys of the benchmark."""
        self.questions.append(f"{self.file}: {question}")
        self.answers |= answers

    def settle(self) -> None:
        """Raise what is open."""
        if self.questions:
            raise Unsettled(self.questions, self.answers)


def read(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> Imported:
    """One benchmark's scores out of the tables of a file, or a suite's tasks as items."""
    asked = Asked(origin.file)
    board = _board(sheets, choice, origin, asked)
    _require_points(board, origin)
    _require_no_items(board, origin)
    if len(board.sheet.rows) > MOST_ROWS:
        raise InputError(
            f"{origin.file}: more than {MOST_ROWS:,} rows; allowed: so many scores; if each row is "
            "an answer to an item, say so with the key 'columns': model=NAME, item=NAME, "
            "response=NAME"
        )
    wanted = choice.task
    place: int | None
    if board.task is not None:
        place = _of(board.scores, board, choice, origin, asked)
        board = _task_rows(board, wanted, origin)
    elif (wanted or "").lower() in _averages(board):
        found = _suite(board, choice, origin)
        asked.settle()
        return found
    else:
        place = _of(board.scores + board.aggregates, board, choice, origin, asked)
    if place is None:  # the average is proposed
        asked.settle()
        raise AssertionError
    found = _scores(board, place, choice, origin, asked)
    asked.settle()
    return found


def tasks(sheets: Sequence[Sheet], choice: Choice) -> list[str]:
    """The tasks of a table: its columns of scores, or what its column of tasks holds."""
    asked = Asked("")
    board = _board(sheets, choice, Origin(Path(), model="any"), asked)
    asked.settle()
    if board.task is not None:
        cells = (row[board.task] for row in board.sheet.rows)
        return list(dict.fromkeys(str(cell) for cell in cells if not columns.blank(cell)))
    names = [board.name(place) for place in board.scores]
    return [] if names == ["score"] else names


def _averages(board: Layout) -> set[str]:
    if len(board.scores) < 2:
        return set()
    return {AVERAGE, *(board.name(place).lower() for place in board.aggregates)}


def _board(sheets: Sequence[Sheet], choice: Choice, origin: Origin, asked: Asked) -> Layout:
    """The table that is meant, with the meaning of its columns."""
    found = []
    for sheet in map(columns.with_points, sheets):
        if {"model_a", "model_b"} <= set(sheet.columns):
            raise InputError(
                f"{origin.file}: pairs of models need a column that says who won; name it with the "
                "key 'columns', winner=NAME, in a file that is CSV, JSON, JSONL or Parquet"
            )
        if 2 * sum(isinstance(columns.value(name), Value) for name in sheet.columns) >= len(
            sheet.columns
        ):
            raise InputError(
                f"{origin.file}: the first line holds numbers and seems to be no header; add one "
                "such as model,score"
            )
        one = columns.layout(sheet)
        if one is None and (other := columns.turned(sheet)) is not None:
            one = columns.layout(other)
        if one is None and origin.model:
            rows_of_one = [[origin.model, *row] for row in sheet.rows]
            one = columns.layout(
                replace(sheet, columns=["model", *sheet.columns], rows=rows_of_one)
            )
        if one is not None and (len(sheet.rows) > 1 or len(sheets) == 1):
            found.append(one)
    found = [one for one in found if one.sure] or found
    if not found:
        seen = "; ".join(", ".join(sheet.columns[:12]) for sheet in sheets[:4]) or "none"
        raise InputError(
            f"{origin.file}: no table with a column of models and one of scores (columns: {seen}); "
            + _remedy(sheets)
        )
    names = [one.sheet.name or str(place) for place, one in enumerate(found, start=1)]
    names = [name if names.count(name) == 1 else f"{name} {place}".strip()
             for place, name in enumerate(names, start=1)]  # fmt: skip
    if choice.table is not None:
        return found[names.index(rows.choose(choice.table, names, "tables", "table", origin.file))]
    largest = max(range(len(found)), key=lambda place: len(found[place].sheet.rows))
    if len(found) > 1:
        held = ", ".join(f"'{name}' ({len(one.sheet.rows)} rows)"
                         for name, one in zip(names[:12], found))  # fmt: skip
        asked.ask(f"{len(found)} tables hold scores: {held}; choose one with the key 'table'",
                  table=names[largest])  # fmt: skip
    return found[largest]


def _remedy(sheets: Sequence[Sheet]) -> str:
    """What to do about tables without models and scores."""
    if all(len(sheet.columns) == 1 for sheet in sheets):
        return "separate the columns by commas, semicolons, tabs or |"
    for sheet in sheets:
        for line, row in zip(sheet.lines, sheet.rows):
            for name, cell in zip(sheet.columns, row):
                if columns.is_score(name) and isinstance(columns.value(cell), str):
                    return (
                        f"row {line}, column '{name}' holds {cell!r}: write a number (with a point "
                        "before decimals), 'score ± error', 'score [lower, upper]' or 'right/n'"
                    )
    return (
        "name them with the key 'columns', such as model=NAME, score=NAME, or, if all scores are "
        "one model's, name it with the key 'model' of the file"
    )


def _require_points(board: Layout, origin: Origin) -> None:
    """Refuse decimal commas beside decimal points: a column of them would pass for text."""
    for name, cells in zip(board.sheet.columns, zip(*board.sheet.rows)):
        given = [str(cell).rstrip(" %") for cell in cells if not columns.blank(cell)]
        if given and all(map(columns.COMMA.fullmatch, given)):
            raise InputError(
                f"{origin.file}: column '{name}' has decimal commas, others have points; write "
                "points in all of the table"
            )


def _require_no_items(board: Layout, origin: Origin) -> None:
    """Ask what a table is whose rows or columns seem to be answers to items."""
    sheet = board.sheet
    models = [str(row[board.model]) for row in sheet.rows]
    answers = {str(row[board.scores[0]]) for row in sheet.rows}
    repeated = len(models) > 2 * len(set(models)) > 2 and 3 * len(answers) <= len(models)
    if board.task is None and repeated:
        ours = {board.name(board.model): "model"}
        others = [name for name in sheet.columns if name not in ours]
        score = board.name(board.scores[0])
        frame = sheet.frame().rename(columns=ours)
        if found := item_columns(frame, [name for name in others if name != score]):
            named = {"model": board.name(board.model), **found, "response": score}
            pairs = ", ".join(f"{ours}={theirs}" for ours, theirs in named.items())
            raise Unsettled(
                [f"{origin.file}: most models have several rows; if each is an answer to an item, "
                 f"say so with the key 'columns': {pairs}"], {"columns": named},
            )  # fmt: skip
    answered = [cell.number in (0, 1) for p in board.scores for cell in board.numbers(p)]
    model = board.name(board.model)
    if len(board.scores) > 1 and model != "model" and all(answered):
        raise Unsettled(
            [f"{origin.file}: every cell is 0 or 1; if the columns are items, say so with the key "
             f"'columns': model={model}"], {"columns": {"model": model}},
        )  # fmt: skip


def _of(
    places: list[int], board: Layout, choice: Choice, origin: Origin, asked: Asked
) -> int | None:
    """The column of scores that is wanted, else the one that is proposed; None for the average."""
    names = [board.name(place) for place in places]
    by_name = dict(zip(names, places))
    wishes = (choice.metric,) if board.task is not None else (choice.task, choice.metric)
    for wish in wishes:
        if wish in by_name:
            return by_name[wish]
    if len(board.scores) == 1 and choice.task not in board.unread:
        return board.scores[0]
    wanted = choice.task
    if board.task is None and wanted is not None:
        rows.choose(wanted, [*names, AVERAGE], "tasks", "task", origin.file)
    shown = listed(board.name(place) for place in board.scores)
    if board.metrics or board.task is not None:
        headline = _headline(board)
        asked.ask(f"{len(board.scores)} columns hold scores: {shown}; choose one with the key "
                  "'metric'", metric=board.name(headline))  # fmt: skip
        return headline
    proposed: dict[str, Any] = {"task": AVERAGE}
    if len(board.scores) < FEWEST_TASKS or not _is_their_mean(board):
        proposed = {"each_task": True}
        right = all(columns.family_of(board.name(p)) == "accuracy" for p in board.scores)
        if right and not board.sizes and choice.n_items is None:
            proposed["n_items"] = rows.DIGITS
    asked.ask(
        f"{len(board.scores)} columns hold scores of tasks: {shown}; choose one with the key "
        f"'task', their mean with the key 'task' ({AVERAGE}), or a card of each with the key "
        "'each_task'",
        **proposed,
    )
    return None


def _headline(board: Layout) -> int:
    """Of several metrics the one that the rows are sorted by, else the last of a series."""
    first = board.scores[0]
    for place in board.scores:
        steps = list(pairwise(cell.number for cell in board.numbers(place)))
        if len(steps) > 2 and (all(a >= b for a, b in steps) or all(a <= b for a, b in steps)):
            first = place
            break
    stem = re.sub(r"\d+", "", board.name(first))
    series = [place for place in board.scores if re.sub(r"\d+", "", board.name(place)) == stem]
    return series[-1]


def _task_rows(board: Layout, wanted: str | None, origin: Origin) -> Layout:
    """The rows of one task."""
    assert board.task is not None
    present = [str(row[board.task]) for row in board.sheet.rows]
    tasks = [name for name in present if not columns.blank(name)]
    task = rows.choose(wanted, tasks, "tasks", "task", origin.file)
    return columns.only(board, [place for place, name in enumerate(present) if name == task])


def _range(board: Layout, place: int, choice: Choice, asked: Asked) -> tuple[float, float] | None:
    """Lowest and highest possible score of a column, judged with those beside it; None if free."""
    if choice.family in UNBOUNDED or columns.is_unbounded(board.name(place)):
        return None
    if choice.score_range is not None:
        low, high = choice.score_range
        return float(low), float(high)
    own = board.numbers(place)
    if not own:
        return 0.0, 1.0
    name, largest = board.name(place), max(cell.number for cell in own)
    least = min(cell.number for cell in own)
    if any(cell.percent for cell in own):
        return 0.0, 100.0
    if largest > 100 or least < 0:
        return None
    beside = [*board.scores, *board.aggregates] if not board.metrics else [place]
    said = columns.words(name)
    if largest <= 1:
        percent = [any(cell.number > 1 for cell in board.numbers(one)) for one in beside]
        in_percent = said & {"%", "percent", "pct"} or 2 * sum(percent) >= len(percent) - 1 > 0
        if largest > 0 and in_percent:
            asked.ask(
                f"'{name}' is at most {largest:g}, but its name or the columns beside it are "
                "percentages; say of what range with the key 'score_range': 0 to 1, or 0 to 100",
                score_range=[0, 1],
            )
        return 0.0, 1.0
    stated = [float(of) for of in _OUT_OF.findall(name) if largest <= float(of)]
    unsaid = columns.family_of(name) is None and not said & {"%", "rate"}
    if stated or (unsaid and len(own) > 2 and 1 <= least < largest <= 10):
        of = [*stated, 10.0][0]
        asked.ask(
            f"'{name}' runs from {least:g} to {largest:g}; say of what range with the key "
            f"'score_range': 0 to {of:g}, or 0 to 100",
            score_range=[0, of],
        )
        return 0.0, of
    return 0.0, 100.0


def _lower(board: Layout, place: int) -> bool:
    """Whether a column counts errors, by its name or, of a task, by that of the average."""
    named = [place] if board.metrics else [place, *board.aggregates]
    return any(columns.lower_is_better(board.name(one)) for one in named)


def _ask_direction(
    board: Layout, place: int, kept: Sequence[_Row], higher: bool, asked: Asked
) -> None:
    """Ask if the table's own ranks say the opposite of the metric's name."""
    if board.rank is None:
        return
    ranks = [columns.value(row.cells[board.name(board.rank)]) for row in kept]
    ranked = sorted((rank.number, row.value.number) for row, rank in zip(kept, ranks)
                    if isinstance(row.value, Value) and isinstance(rank, Value))  # fmt: skip
    rises = sum((b > a) - (b < a) for (_, a), (_, b) in pairwise(ranked))
    if len(ranked) > 4 and rises * (1 if higher else -1) > 0.8 * (len(ranked) - 1):
        asked.ask(
            f"'{board.name(place)}' is {'lowest' if higher else 'highest'} on the first ranks; say "
            "which is better with the key 'higher_is_better'",
            higher_is_better=not higher,
        )


def _so_far(board: Layout, origin: Origin) -> list[str]:
    """Remarks on the sheet itself; too many rows that do not fit the header are refused."""
    sheet = board.sheet
    if 20 * len(sheet.ragged) > len(sheet.rows):
        refuse(f"{origin.file}, {one.removeprefix(f'{origin.file}, ')}" for one in sheet.ragged)
    return [*sheet.notes, *(f"left out: {one.removeprefix(origin.file).lstrip(', ')}"
                            for one in sheet.ragged)]  # fmt: skip


@dataclass
class _Row:
    """A model's row: what it says of one column of scores."""

    line: int
    cells: dict[str, Any]
    model: str
    value: Value | str


def _is_human(cell: object) -> bool:
    return str(cell).strip().lower() == "human"


def _kept(board: Layout, place: int, notes: list[str]) -> list[_Row]:
    """Rows of models that have a score; what is left out is said."""
    kept, silent, others = [], 0, []
    name = board.name(place)
    # Columns that say it of less than half of the rows: raters may be human in all.
    some_human = [p for p, cells in enumerate(zip(*board.sheet.rows))
                  if 0 < 2 * sum(map(_is_human, cells)) < len(cells)]  # fmt: skip
    for line, row, cell in zip(board.sheet.lines, board.sheet.rows, board.values[place]):
        model = plain(rows.text(row[board.model])).strip()
        model = _SIGNS.sub("", model) or model
        if cell is None or str(row[place]) == name or (isinstance(cell, str) and not model):
            silent += 1
        elif columns.no_model(model) or any(_is_human(row[p]) for p in some_human):
            others.append(model)
        else:
            kept.append(_Row(line, dict(zip(board.sheet.columns, row)), model, cell))
    if others:
        notes.append(f"left out, since they are no models: {listed(others)}")
    if silent:
        notes.append(f"{silent} rows have no score in '{name}'")
    return kept


def _scores(board: Layout, place: int, choice: Choice, origin: Origin, asked: Asked) -> Imported:
    notes = _so_far(board, origin)
    kept = _kept(board, place, notes)
    if not kept:
        raise InputError(f"{origin.file}: no model has a score in '{board.name(place)}'")
    _require_one_unit(kept, board.name(place), origin)
    limits = _range(board, place, choice, asked)
    name = board.name(place)
    if limits is None and choice.family is None and columns.family_of(name) == "accuracy":
        refuse(f"{origin.file}, row {row.line}, column '{name}': {row.cells[name]} is "
               "outside 0 to 100; correct it (decimals need a point), or say what the metric is "
               "with the key 'family'"
               for row in kept if isinstance(row.value, Value)
               and not 0 <= row.value.number <= 100)  # fmt: skip
    day = _day(board, origin, notes)
    higher = not _lower(board, place)
    if choice.higher_is_better is None:
        _ask_direction(board, place, kept, higher, asked)
    if choice.interval_level is None:
        n = choice.n_items if isinstance(choice.n_items, int) else None
        n = n or _usual(board, board.name(place), origin.path.name)
        _ask_half_width(board, place, kept, limits, n, asked, notes)
    scores = []
    for row in kept:
        error = _error(board, place, row, choice, origin)
        scores.append(_score(board, place, row, choice, error, limits, higher, day))
    scores = _each_once(scores, _qualified(board, kept), choice, higher, asked, notes)
    unread = [name for name in board.unread if name not in columns.OURS]
    unread += [board.name(p) for p in board.scores + board.aggregates if p != place]
    if unread:
        notes.append(f"read is '{board.name(place)}'; not read: {listed(unread)}")
    return _counted(board, place, scores, limits, choice, origin, notes)


def _require_one_unit(kept: Sequence[_Row], name: str, origin: Origin) -> None:
    signed = [row for row in kept if isinstance(row.value, Value) and row.value.percent]
    bare = [row for row in kept if isinstance(row.value, Value) and not row.value.percent]
    if signed and bare:
        raise InputError(
            f"{origin.file}, row {signed[0].line}, column '{name}': {signed[0].cells[name]} has a "
            f"percent sign, {bare[0].cells[name]} in row {bare[0].line} has none; write all with "
            "it or all without"
        )


def _score(
    board: Layout, place: int, row: _Row, choice: Choice, error: object,
    limits: tuple[float, float] | None, higher: bool, day: str | None,
) -> Score:  # fmt: skip
    def said(name: str) -> str:
        cell = row.cells.get(name)
        return "" if columns.blank(cell) else str(cell)

    name = board.name(place)
    cell = row.value
    n: Any = cell.n if isinstance(cell, Value) else None
    if n is None:
        n = _counted_by(board, place, row)
    number: Any = cell.number if isinstance(cell, Value) else cell
    if isinstance(cell, Value) and cell.n is not None and cell.decimals == 12 and limits:
        number *= limits[1] if limits[1] > 1 and number <= 1 else 1
    date = said(board.name(board.date)) if board.date is not None else ""
    task = said(board.name(board.task)) if board.task is not None else ""
    if not task and not board.metrics and len(board.scores) > 1:
        task = name
    low, high = limits or (None, None)
    metric = said("metric") or (choice.metric if choice.metric and choice.metric != task else "")
    return Score(
        model=row.model, score=number, metric=metric or name, task=task or None,
        standard_error=error, n_items=n, run=said("run"), configuration=said("configuration"),
        date=(columns.day_of(date) or date) or day, minimum=low, maximum=high,
        higher_is_better=higher, row=row.line,
    )  # fmt: skip


def _error(board: Layout, place: int, row: _Row, choice: Choice, origin: Origin) -> object:
    """The standard error that a row states, in the file's unit; text where it is no number."""
    cell = row.value
    if not isinstance(cell, Value):
        return None
    level, n = columns.level_of(board.name(place)) or choice.interval_level, cell.n
    n = n or _counted_by(board, place, row)
    n = n if isinstance(n, (int, float)) and n > 0 else None
    if cell.error is None:
        return _error_beside(board, place, row, choice, origin, cell, level, n)
    if columns.is_deviation(board.name(place)):
        return rows.standard_error(deviation=cell.error, n=n)
    # Half an interval, if the column's name or the user says so.
    half = (-cell.error, cell.error) if level else None
    return rows.standard_error(None if level else cell.error, interval=half, level=level)


def _error_beside(
    board: Layout, place: int, row: _Row, choice: Choice, origin: Origin, cell: Value,
    level: float | None, n: float | None,
) -> object:  # fmt: skip
    interval = None if cell.low is None or cell.high is None else (cell.low, cell.high)
    stated: dict[str, Value | str | None] = {}
    for other in _beside(board, place):
        name, said = board.name(other), row.cells[board.name(other)]
        own = columns.level_of(name)
        if columns.is_deviation(name):
            stated["deviation"] = columns.value(said)
        elif own == 0 or (choice.interval_level is None and not columns.says_of_what(name)):
            stated["error"] = columns.value(said)
        elif not columns.blank(said):
            interval, level = columns.width(said, cell.number), own or choice.interval_level
    for value in stated.values():
        if isinstance(value, str):
            return value
    if (ends := _own_ends(board, place)) is not None:
        interval = _stated_ends(board, ends, row, cell.number, origin) or interval
    numbers = {key: one.number for key, one in stated.items() if isinstance(one, Value)}
    return rows.standard_error(**numbers, n=n, interval=interval, level=level or rows.CONFIDENCE)


def _ask_half_width(
    board: Layout, place: int, kept: Sequence[_Row], limits: tuple[float, float] | None,
    n_items: int | None, asked: Asked, notes: list[str],
) -> None:  # fmt: skip
    """Say that ± is read as a standard error; ask where n makes it half a 95 % interval."""
    name = board.name(place)
    named = {p: board.name(p) for p in _beside(board, place)}
    beside = next((p for p in named if "±" in columns.words(named[p])), None)
    if columns.says_of_what(name if beside is None else named[beside]):
        return
    found, ratios = False, []
    low, high = limits or (0.0, 0.0)
    for row in kept:
        cell = row.value
        error = cell if beside is None else columns.value(row.cells[named[beside]])
        if not isinstance(cell, Value) or not isinstance(error, Value):
            continue
        stated = error.error if beside is None else error.number
        found |= stated is not None
        n = cell.n or _counted_by(board, place, row) or n_items
        if stated and isinstance(n, (int, float)) and n > 0 and low < cell.number < high:
            ratios.append(stated / math.sqrt((cell.number - low) * (high - cell.number) / n))
    if not found:
        return
    why = "" if limits else "ratings mostly come with half a 95 % interval"
    if ratios and 1.85 < sorted(ratios)[len(ratios) // 2] < 2.1:
        why = "it is about 1.96 times the standard error of so many right or wrong items"
    if why:
        asked.ask(
            f"what the ± of '{name}' is: say it with the key 'interval_level': 0.95 if half a 95 % "
            f"interval, 0.6827 if a standard error; {why}",
            interval_level=0.95,
        )
    else:
        notes.append(
            f"the ± of '{name}' is read as a standard error; interval_level: 0.95 reads it as half "
            "a 95 % interval"
        )


def _counted_by(board: Layout, place: int, row: _Row) -> Any:
    """What a score's name, or its column of numbers of items, says of a row."""
    if named := _N_IN_NAME.search(board.name(place)):
        return int(re.sub(r"\D", "", named[1]))
    if (sizes := board.n_of(place)) is None:
        return None
    stated = columns.value(row.cells[board.name(sizes)])
    return stated.number if isinstance(stated, Value) else stated


_OF_ERRORS = frozenset(
    """standard error err stderr se sem sd std stdev deviation ci confidence interval margin of
    konfidenzintervall lc pct percent pp % ± 90 95 99 lower upper low high""".split()  # noqa: SIM905
)


def _beside(board: Layout, place: int) -> list[int]:
    """The columns of errors that belong to a column of scores."""
    own = columns.words(board.name(place))
    every = [*board.scores, *board.aggregates]

    def belongs(other: int) -> bool:
        left = columns.words(board.name(other)) - _OF_ERRORS
        if left:
            named = [p for p in every if left <= columns.words(board.name(p))]
            return place in named and (len(named) == 1 or left == own - _OF_ERRORS)
        return len(every) == 1 or max((p for p in every if p < other), default=None) == place

    return [other for other in board.errors if belongs(other)]


def _own_ends(board: Layout, place: int) -> tuple[int, int] | None:
    own = columns.words(board.name(place))
    for pair in board.ends:
        left = columns.words(board.name(pair[0])) - _OF_ERRORS
        if left <= own or len(board.scores) == 1:
            return pair
    return None


def _stated_ends(
    board: Layout, ends: tuple[int, int], row: _Row, score: float, origin: Origin
) -> tuple[float, float] | None:
    low, high = (columns.value(row.cells[board.name(place)]) for place in ends)
    if not isinstance(low, Value) or not isinstance(high, Value):
        return None
    if not low.number <= score <= high.number:
        raise InputError(
            f"{origin.file}, row {row.line}, model {row.model!r}: score {score:g} is outside its "
            f"interval {low.number:g} to {high.number:g}; correct the ends"
        )
    return low.number, high.number


def _day(board: Layout, origin: Origin, notes: list[str]) -> str | None:
    """The date of the whole table, as its text or its file's name gives it."""
    if board.date is not None or origin.date:
        return None
    for found in _UPDATED.finditer(board.sheet.about):
        words = found[1].split()
        for take in range(len(words), 0, -1):
            if day := columns.day_of(" ".join(words[:take]).rstrip(",.")):
                notes.append(f"the date {day} is the text's: '{found[0].strip()}'")
                return day
    if named := _IN_NAME.search(origin.path.name):
        day = columns.day_of("-".join(named.groups()))
        if day and day <= datetime.now(UTC).date().isoformat():
            notes.append(f"the date {day} is that of the file's name")
            return day
    return None


def _qualified(board: Layout, kept: Sequence[_Row]) -> dict[int, str]:
    """By row, what distinguishes the rows of one model: its agent or setting."""
    by_model: dict[str, list[_Row]] = {}
    for row in kept:
        by_model.setdefault(row.model, []).append(row)
    groups = [group for group in by_model.values() if len(group) > 1]
    distinct = {name: len({str(row.cells[name]) for row in kept}) for name in board.unread}
    for name in sorted(distinct, key=lambda name: distinct[name]) if groups else []:
        cells = [[plain(str(row.cells[name])) for row in group] for group in groups]
        text = all(isinstance(columns.value(row.cells[name]), str) and "://" not in row.cells[name]
                   for group in groups for row in group)  # fmt: skip
        if text and all(len(set(one)) == len(one) for one in cells):
            return {row.line: cell for group, one in zip(groups, cells)
                    for row, cell in zip(group, one)}  # fmt: skip
    return {}


def _each_once(
    scores: list[Score], qualified: dict[int, str], choice: Choice, higher: bool, asked: Asked,
    notes: list[str],
) -> list[Score]:  # fmt: skip
    """One score of each model, run, configuration and date; identical rows count once."""
    alike = list(dict.fromkeys(score._replace(row=None) for score in scores))
    if len(alike) < len(scores):
        notes.append(f"{len(scores) - len(alike)} rows that repeat another in every value read")
        first = {score._replace(row=None): score for score in reversed(scores)}
        scores = [first[score] for score in alike]
    if choice.duplicates == "separate":
        lacking = [] if qualified else ["no column of text distinguishes all scores of one model; "]
        refuse(f"{asked.file}: {one}give the key 'duplicates' another value" for one in lacking)
        return [score._replace(model=f"{score.model} [{qualified[score.row]}]")
                if score.row in qualified else score for score in scores]  # fmt: skip
    several: dict[tuple[str, ...], list[Score]] = {}
    dated = choice.duplicates == "latest" or (choice.duplicates is None and not qualified)
    for score in scores:
        date = (score.date or "") if dated else ""
        key = (score.model, score.configuration, score.run, score.task or "", date)
        several.setdefault(key, []).append(score)
    twice = [key[0] for key, group in several.items() if len(group) > 1]
    if not twice:
        return scores
    if choice.duplicates is None:
        asked.ask(
            f"several scores of {listed(set(twice))}; say which count with the key 'duplicates': "
            f"{', '.join(DUPLICATES)}",
            duplicates="separate" if qualified else "mean",
        )
    elif choice.duplicates == "latest":
        refuse(f"{asked.file}, row {group[0].row}, model {key[0]!r}: {len(group)} scores of one "
               "date, or none; give the key 'duplicates' another value than latest"
               for key, group in several.items() if len(group) > 1)  # fmt: skip
    else:
        notes.append(f"of several scores of a model: {choice.duplicates}")
    return [one for group in several.values() for one in _merged(group, choice, higher)]


def _merged(group: list[Score], choice: Choice, higher: bool) -> list[Score]:
    if len(group) == 1 or choice.duplicates is None:
        return group[:1]
    if choice.duplicates == "runs":
        return [score._replace(run=str(place)) for place, score in enumerate(group, start=1)]
    if any(isinstance(score.score, str) for score in group):
        return group
    if choice.duplicates == "best":
        return [(max if higher else min)(group, key=lambda score: score.score)]
    errors = [score.standard_error for score in group]
    known = [float(e) for e in errors if isinstance(e, (int, float))]
    mean = math.fsum(score.score for score in group) / len(group)
    error = math.sqrt(math.fsum(e**2 for e in known) / len(known)) if known else None
    return [group[-1]._replace(score=mean, standard_error=error)]


def _counted(
    board: Layout, place: int, scores: list[Score], limits: tuple[float, float] | None,
    choice: Choice, origin: Origin, notes: list[str],
) -> Imported:  # fmt: skip
    """The scores with their number of items, or a proposed one, and the metric's family."""
    name = board.name(place)
    family = columns.family_of(name)
    found = Imported(scores=scores, notes=notes, family=family)
    if limits is None:
        errors = any(score.standard_error is not None for score in scores)
        found.family = "rating" if family == "rating" or errors else "other"
        return found
    scores = _with_n_of_errors(scores, limits)
    usual, follows = _usual(board, name, origin.path.name), _follows(board, place, limits)
    known = any(score.n_items is not None for score in scores)
    if (usual is not None and follows == usual) or (
        known and all(_countable(score, limits) for score in scores)
    ):
        family = "accuracy"
    if not known and follows and (choice.n_items == rows.DIGITS or follows == usual):
        notes.append(
            f"n = {follows} follows from the digits of the scores in '{name}', which are whole "
            "counts of it; where answers are repeated, n is smaller"
        )
        scores = [one._replace(n_items=follows, n_source=rows.DIGITS) for one in scores]
        known, family = True, "accuracy"
    found.scores, found.family = scores, family or "bounded_mean"
    if not known and not all(_own_n(score, limits) for score in scores):
        found.n_proposed = _proposed_n(board, name, scores, limits, usual, follows, family)
    return found


def _follows(board: Layout, place: int, limits: tuple[float, float]) -> int | None:
    """The number of items that the digits of a column tell."""
    values = board.numbers(place)
    width = limits[1] - limits[0]
    digits = max((cell.decimals for cell in values), default=0)
    return rows.n_of_digits([(cell.number - limits[0]) / width for cell in values],
                            0.5 * 10.0**-digits / width)  # fmt: skip


def _shares(score: Score, limits: tuple[float, float]) -> tuple[float, float] | None:
    """Score and standard error as proportions, divided as decimals are."""
    if not isinstance(score.score, float) or not isinstance(score.standard_error, float):
        return None
    width = limits[1] - limits[0]
    share, error = (
        float(f"{part / width:.15g}") for part in (score.score - limits[0], score.standard_error)
    )
    return share, error


def _own_n(score: Score, limits: tuple[float, float]) -> int | None:
    shares = _shares(score, limits)
    return rows.n_items(*shares) if shares else None


def _with_n_of_errors(scores: list[Score], limits: tuple[float, float]) -> list[Score]:
    """Scores with the one number of items that their standard errors leave, if three agree."""
    told = [n for one in scores if one.n_items is None and (n := _own_n(one, limits)) is not None]
    if len(told) < 3 or len(set(told)) > 1:
        return scores
    return [one._replace(n_items=told[0], n_source="score and standard error")
            if one.n_items is None else one for one in scores]  # fmt: skip


def _proposed_n(
    board: Layout, name: str, scores: Sequence[Score], limits: tuple[float, float],
    usual: int | None, follows: int | None, family: str | None,
) -> tuple[int | None, str]:  # fmt: skip
    """A number of items that something hints at, and what."""
    pairs = [shares for score in scores if (shares := _shares(score, limits))]
    effective = sorted(p * (1 - p) / error**2 for p, error in pairs if 0 < p < 1 and error > 0)
    stated = [(int(found[1].replace(",", "")), " ".join(found[0].split()))
              for found in _STATED.finditer(board.sheet.about)]  # fmt: skip
    allowed = [(n, said) for n, said in stated if family == "accuracy" and all(
        _countable(score._replace(n_items=n), limits) for score in scores)]  # fmt: skip
    if allowed:
        return max(allowed)[0], f"the text says '{max(allowed)[1]}'"
    if follows and family == "accuracy":
        return follows, f"scores are whole counts of {follows:,}, n unless answers are repeated"
    if effective and family == "accuracy":
        n = max(1, round(effective[len(effective) // 2]))
        return n, f"the errors are those of {n:,} right or wrong items"
    if stated:
        return max(stated)[0], f"the text says '{max(stated)[1]}'"
    if usual:
        return usual, f"benchmarks of this name mostly have {usual:,}"
    why = f"nothing in '{name}' says it"
    if follows:
        why += (f"; scores are whole counts of {follows:,}, n if each item is right or wrong and "
                "answered once")  # fmt: skip
    return None, why


def _usual(board: Layout, name: str, file: str) -> int | None:
    """The size of the test set that a column's or the file's name holds."""
    places = [name] if len(board.scores) > 1 and not board.metrics else [name, file]
    for text in places:
        held = re.sub(r"[^a-z0-9+]+", " ", plain(text).lower())
        for called, size in SIZES.items():
            if re.search(rf"(^| |@1 ){re.escape(called)}( |\+?$)", f"{held}"):
                return size
    return None


def _countable(score: Score, limits: tuple[float, float]) -> bool:
    if not isinstance(score.score, float) or not isinstance(score.n_items, (int, float)):
        return False
    if not math.isfinite(score.score):
        return False
    share = round((score.score - limits[0]) / (limits[1] - limits[0]), 12)
    return score.n_items >= 1 and rows.countable(share, int(score.n_items))


def _is_their_mean(board: Layout) -> bool:
    """Whether the table's own average, if it has one, is the mean of its tasks.

    A mean win rate over other models is a rank in another unit and speaks for no other mean.
    """
    stated = [p for p in board.aggregates if not columns.words(board.name(p)) & {"win", "winrate"}]
    return not stated or any(_differs(board, place) <= 0 for place in stated)


def _differs(board: Layout, place: int) -> float:
    """By how much a stated average differs from the mean of the tasks beyond its digits."""
    worst, digits = -math.inf, 0
    for cells in zip(*(board.values[p] for p in (place, *board.scores))):
        numbers = [cell for cell in cells if isinstance(cell, Value)]
        if len(numbers) == len(cells):
            stated, *parts = (cell.number for cell in numbers)
            worst = max(worst, abs(stated - math.fsum(parts) / len(parts)))
            digits = max(digits, numbers[0].decimals)
    return math.inf if worst < 0 else worst - MOST_DIGITS * 10.0 ** -min(digits, 2)


def _suite(board: Layout, choice: Choice, origin: Origin) -> Imported:
    """The mean over tasks as a mean over items: its error is that of other such tasks."""
    if len(board.scores) < FEWEST_TASKS:
        raise InputError(
            f"{origin.file}: the mean of {len(board.scores)} tasks has no known error (at least "
            f"{FEWEST_TASKS} are needed); choose one with the key 'task', or a card of each with "
            "the key 'each_task'"
        )
    wished = [p for p in board.aggregates if board.name(p) == choice.task]
    if not _is_their_mean(board) or any(_differs(board, p) > 0 for p in wished):
        raise InputError(
            f"{origin.file}: {listed(board.name(p) for p in board.aggregates)} is not the mean of "
            f"the {len(board.scores)} columns of tasks, so its error is unknown; choose one with "
            "the key 'task', or a card of each with the key 'each_task'"
        )
    if len({_lower(board, p) for p in board.scores}) > 1:
        raise InputError(
            f"{origin.file}: higher is better in some of the tasks, lower in others; choose one "
            "with the key 'task', or a card of each with the key 'each_task'"
        )
    asked = Asked(origin.file)
    ranges = {p: _range(board, p, choice, asked) for p in board.scores}
    if len(set(ranges.values())) > 1 or None in ranges.values():
        raise InputError(
            f"{origin.file}: the tasks have different ranges, so their mean has none; choose one "
            "with the key 'task', or a card of each with the key 'each_task'"
        )
    asked.settle()
    notes = _so_far(board, origin)
    day = _day(board, origin, notes)
    responses = []
    for place in board.scores:
        for row in _kept(board, place, notes):
            said = row.cells.get(board.name(board.date)) if board.date is not None else None
            date = columns.day_of(said) if said is not None else day
            number: Any = row.value.number if isinstance(row.value, Value) else row.value
            responses.append(
                Response(row.model, board.name(place), number, row=row.line, date=date)
            )
    low, high = ranges[board.scores[0]] or (0.0, 1.0)
    higher = not _lower(board, board.scores[0])
    notes = list(dict.fromkeys(notes))
    notes.append(
        f"scores are means over {len(board.scores)} tasks, which count as the items: errors are "
        "those of other tasks of this kind"
    )
    return Imported(responses=responses, notes=notes, minimum=low, maximum=high,
                    higher_is_better=higher, family="bounded_mean")  # fmt: skip


FORMATS = (Importer("table", "a table of models with scores", Shape.SHEETS, read, tasks=tasks),)
