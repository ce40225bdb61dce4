"""Any table of models with scores: a whole reading is proposed, and what is open is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from saturation.errors import InputError, Key, Unsettled, Violation, listed, refuse
from saturation.leaderboard.read import cells, columns, counts, roles, rows, spreads
from saturation.leaderboard.read.board import (
    Asked,
    Row,
    day_of_board,
    remarks_on,
    rows_of_models,
)
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.duplicates import resolve
from saturation.leaderboard.read.registry import Importer, Shape, item_columns
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import AVERAGE, Choice, Imported, Origin, Score
from saturation.leaderboard.read.scale import direction_of, range_of
from saturation.leaderboard.read.sheets import MOST_ROWS, Sheet
from saturation.leaderboard.read.suites import (
    FEWEST_TASKS,
    averages,
    matches_mean,
    suite,
)

# Words of headings over tables that are not the leaderboard of today, and over those that are.
_PAST = re.compile(
    r"(?i)\b(archived?|older?|previous|legacy|deprecated|historical|past|retired|former|ablations?"
    r"|outdated|superseded)\b"
)
_PRESENT = re.compile(r"(?i)\b(leaderboard|main|overall|current|latest|rankings?|results)\b")


def read(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> Imported:
    """Read a benchmark's scores from the tables of a file, or a suite's tasks as items."""
    asked = Asked(origin.file)
    board = _board(sheets, choice, origin, asked)
    _require_points(board, origin)
    _require_no_items(board, origin)
    if len(board.sheet.rows) > MOST_ROWS:
        raise InputError(
            Violation(
                f"{origin.file}: more than {MOST_ROWS:,} rows; allowed: so many scores; if each "
                "row is an answer to an item, say so with ",
                Key("columns", value=dict.fromkeys(("model", "item", "response"), "NAME")),
            )
        )
    if board.task is not None:
        place = _column_of_scores(board.scores, board, choice, origin, asked)
        board = _rows_of_task(board, choice.task, origin)
    elif (choice.task or "").lower() in averages(board):
        imported = suite(board, choice, origin)
        asked.settle()
        return imported
    else:
        every = board.scores + board.aggregates
        place = _column_of_scores(every, board, choice, origin, asked)
    if place is None:  # the average is proposed
        asked.settle()
        raise AssertionError
    imported = _scores(board, place, choice, origin, asked)
    asked.settle()
    return imported


def tasks(sheets: Sequence[Sheet], choice: Choice) -> list[str]:
    """Return the tasks of a table: its columns of scores, or what its column of tasks holds."""
    asked = Asked("")
    board = _board(sheets, choice, Origin(Path(), model="any"), asked)
    asked.settle()
    if board.task is not None:
        texts = (row[board.task] for row in board.sheet.rows)
        return list(dict.fromkeys(str(cell) for cell in texts if not cells.blank(cell)))
    names = [board.name(place) for place in board.scores]
    return [] if names == ["score"] else names


def _board(sheets: Sequence[Sheet], choice: Choice, origin: Origin, asked: Asked) -> Layout:
    """Return the table that is meant, with the meaning of its columns."""
    boards = []
    for sheet in map(roles.set_points, sheets):
        _require_header(sheet, origin)
        board = _layout(sheet, origin)
        if board is not None and (len(sheet.rows) > 1 or len(sheets) == 1):
            boards.append(board)
    boards = [board for board in boards if board.sure] or boards
    if not boards:
        seen = "; ".join(_header(sheet) for sheet in sheets[:4]) or "none"
        lack = f"no table with a column of models and one of scores (columns: {seen}); "
        raise InputError(Violation(f"{origin.file}: ", lack, _remedy(sheets)))
    if len(boards) == 1 and choice.table is None:
        return boards[0]
    return _chosen(boards, choice, origin, asked)


def _chosen(boards: Sequence[Layout], choice: Choice, origin: Origin, asked: Asked) -> Layout:
    """Return the wanted table of several, else the proposed table.

    Proposed is the first whose heading is that of a leaderboard, and of none of the past.
    """
    names = [board.sheet.name or str(place) for place, board in enumerate(boards, start=1)]
    names = [
        name if names.count(name) == 1 else f"{name} {place}".strip()
        for place, name in enumerate(names, start=1)
    ]
    if choice.table is not None:
        table = rows.choose(choice.table, names, "tables", "table", origin.file)
        return boards[names.index(table)]
    order = [(bool(_PAST.search(name)), not _PRESENT.search(name)) for name in names]
    proposed = order.index(min(order))
    sizes = (
        f"'{name[:60]}' ({len(board.sheet.rows)} rows)" for name, board in zip(names[:12], boards)
    )
    asked.ask(
        f"{len(boards)} tables hold scores: {', '.join(sizes)}; choose one with ",
        Key("table"),
        table=names[proposed],
    )
    return boards[proposed]


def _header(sheet: Sheet) -> str:
    return ", ".join(name[:40] for name in sheet.columns[:12])


def _layout(sheet: Sheet, origin: Origin) -> Layout | None:
    """Return a sheet's layout: unchanged, transposed, or with the model that the file names."""
    board = roles.layout(sheet)
    if board is None and (other := roles.turned(sheet)) is not None:
        board = roles.layout(other)
    if board is None and origin.model:
        rows_of_one = [[origin.model, *row] for row in sheet.rows]
        named = replace(sheet, columns=["model", *sheet.columns], rows=rows_of_one)
        board = roles.layout(named)
    return board


def _require_header(sheet: Sheet, origin: Origin) -> None:
    if {"model_a", "model_b"} <= set(sheet.columns):
        raise InputError(
            Violation(
                f"{origin.file}: pairs of models need a column that says who won; name it with ",
                Key("columns", value={"winner": "NAME"}),
                " in a file that is CSV, JSON, JSONL or Parquet",
            )
        )
    numbers = sum(isinstance(cells.value(name), Value) for name in sheet.columns)
    if 2 * numbers >= len(sheet.columns):
        raise InputError(
            f"{origin.file}: the first line holds numbers and seems to be no header; add one "
            "such as model,score"
        )


def _remedy(sheets: Sequence[Sheet]) -> str:
    """Return what to do about tables without models and scores."""
    if all(len(sheet.columns) == 1 for sheet in sheets):
        return "separate the columns by commas, semicolons, tabs or |"
    for sheet in sheets:
        if (wrong := _wrong_score(sheet)) is not None:
            return wrong
    names = (name for sheet in sheets for name in sheet.columns)
    if kind := next((name for name in names if columns.words(name) & columns.ROWS), None):
        return Violation(
            f"the rows seem to be one model's, a '{kind[:40]}' each: name the model with ",
            Key("model"),
        )
    return Violation(
        "name them with ",
        Key("columns", value={"model": "NAME", "score": "NAME"}),
        ", or, if all scores are one model's, name it with ",
        Key("model"),
    )


def _wrong_score(sheet: Sheet) -> str | None:
    """Return what to write in the first cell of a column of scores that is no number."""
    for line, row in zip(sheet.lines, sheet.rows):
        for name, cell in zip(sheet.columns, row):
            if columns.is_score(name) and isinstance(cells.value(cell), str):
                return (
                    f"row {line}, column '{name}' holds {str(cell)[:60]!r}: write a number (with a "
                    "point before decimals), 'score ± error', 'score [lower, upper]' or 'right/n'"
                )
    return None


def _require_points(board: Layout, origin: Origin) -> None:
    """Refuse decimal commas beside decimal points: a column of them would pass for text."""
    for name, column in zip(board.sheet.columns, zip(*board.sheet.rows)):
        texts = [str(cell).rstrip(" %") for cell in column if not cells.blank(cell)]
        if texts and all(map(cells.COMMA.fullmatch, texts)):
            raise InputError(
                f"{origin.file}: column '{name}' has decimal commas, others have points; write "
                "points in all of the table"
            )


def _require_no_items(board: Layout, origin: Origin) -> None:
    """Ask what a table is whose rows or columns seem to be answers to items."""
    sheet, model = board.sheet, board.name(board.model)
    models = [str(row[board.model]) for row in sheet.rows]
    answers = {str(row[board.scores[0]]) for row in sheet.rows}
    repeated = len(models) > 2 * len(set(models)) > 2 and 3 * len(answers) <= len(models)
    if board.task is None and repeated and (named := _columns_of_items(board)):
        question = "most models have several rows; if each is an answer to an item"
        raise _ask_for_columns(origin, question, named)
    answered = [cell.number in (0, 1) for p in board.scores for cell in board.numbers(p)]
    if len(board.scores) > 1 and model != "model" and all(answered):
        question = "every cell is 0 or 1; if the columns are items"
        raise _ask_for_columns(origin, question, {"model": model})


def _ask_for_columns(origin: Origin, question: str, columns: dict[str, str]) -> Unsettled:
    key = Key("columns", value=columns)
    violation = Violation(f"{origin.file}: {question}, say so with ", key)
    return Unsettled([violation], {"columns": columns})


def _columns_of_items(board: Layout) -> dict[str, str]:
    """Return the columns that make a table answers, by our names; nothing without items."""
    model, score = board.name(board.model), board.name(board.scores[0])
    others = [name for name in board.sheet.columns if name not in (model, score)]
    frame = board.sheet.frame().rename(columns={model: "model"})
    items = item_columns(frame, others)
    shares = any(cell.number not in (0, 1) for cell in board.numbers(board.scores[0]))
    if not items or (shares and columns.is_run(items["item"])):
        return {}
    return {"model": model, **items, "response": score}


def _column_of_scores(
    places: list[int], board: Layout, choice: Choice, origin: Origin, asked: Asked
) -> int | None:
    """Return the column of scores that is wanted or proposed; None if the average is."""
    names = [board.name(place) for place in places]
    by_name = dict(zip(names, places))
    wishes = (choice.metric,) if board.task is not None else (choice.task, choice.metric)
    for wish in wishes:
        if wish in by_name:
            return by_name[wish]
    if len(board.scores) == 1 and choice.task not in board.unread:
        return board.scores[0]
    if board.task is None and choice.task is not None:
        rows.choose(choice.task, [*names, AVERAGE], "tasks", "task", origin.file)
    shown = listed(board.name(place) for place in board.scores)
    if board.metrics or board.task is not None:
        headline = _headline(board)
        asked.ask(
            f"{len(board.scores)} columns hold scores: {shown}; choose one with ",
            Key("metric"),
            metric=board.name(headline),
        )
        return headline
    asked.ask(
        f"{len(board.scores)} columns hold scores of tasks: {shown}; choose one with ",
        Key("task"),
        ", their mean with ",
        Key("task", value=AVERAGE),
        ", or a card of each with ",
        Key("each_task"),
        **_proposed_task(board, choice),
    )
    return None


def _proposed_task(board: Layout, choice: Choice) -> dict[str, Any]:
    """Propose the mean over tasks where the mean has an error, or else each task."""
    if len(board.scores) >= FEWEST_TASKS and matches_mean(board):
        return {"task": AVERAGE}
    proposed: dict[str, Any] = {"each_task": True}
    if (
        not board.sizes
        and choice.n_items is None
        and all(columns.family_of(board.name(p)) == "accuracy" for p in board.scores)
    ):
        proposed["n_items"] = rows.DIGITS
    return proposed


def _headline(board: Layout) -> int:
    """Return the metric that ranks follow or rows are sorted by, else the last of a series."""
    for order in ([board.rank] if board.rank is not None else []) + [None]:
        for place in board.scores:
            if _is_sorted(board, place, order):
                return _last_of_series(board, place) if order is None else place
    return _last_of_series(board, board.scores[0])


def _is_sorted(board: Layout, place: int, order: int | None) -> bool:
    """Return whether a column rises or falls by all rows, or by the ranks of a column."""
    scores = list(board.values[place])
    if order is not None:
        ranks = board.values[order]
        pairs = [
            (a.number, b.number)
            for a, b in zip(ranks, scores)
            if isinstance(a, Value) and isinstance(b, Value)
        ]
        numbers = [number for _, number in sorted(pairs)]
    else:
        numbers = [cell.number for cell in scores if isinstance(cell, Value)]
    steps = list(pairwise(numbers))
    return len(steps) > 2 and (all(a >= b for a, b in steps) or all(a <= b for a, b in steps))


def _last_of_series(board: Layout, place: int) -> int:
    stem = re.sub(r"\d+", "", board.name(place))
    series = [other for other in board.scores if re.sub(r"\d+", "", board.name(other)) == stem]
    return series[-1]


def _rows_of_task(board: Layout, wanted: str | None, origin: Origin) -> Layout:
    assert board.task is not None
    present = [str(row[board.task]) for row in board.sheet.rows]
    names = [name for name in present if not cells.blank(name)]
    task = rows.choose(wanted, names, "tasks", "task", origin.file)
    return roles.only(board, [place for place, name in enumerate(present) if name == task])


def _scores(board: Layout, place: int, choice: Choice, origin: Origin, asked: Asked) -> Imported:
    """Return the scores of a column."""
    notes = remarks_on(board, origin)
    models = rows_of_models(board, place, notes)
    name = board.name(place)
    if not models:
        raise InputError(f"{origin.file}: no model has a score in '{name}'")
    _require_one_unit(models, name, origin)
    limits = range_of(board, place, choice, asked)
    if limits is None and choice.family is None and columns.family_of(name) == "accuracy":
        _require_shares(models, name, origin)
    scores = _scores_of_rows(board, place, models, limits, choice, origin, asked, notes)
    resolved = resolve(scores, choice, origin.file)
    notes += resolved.notes
    if resolved.question:
        asked.ask(resolved.question, duplicates=resolved.proposed)
    unread = [name for name in board.unread if name not in roles.OURS]
    unread += [board.name(p) for p in board.scores + board.aggregates if p != place]
    if unread:
        notes.append(f"read is '{name}'; not read: {listed(unread)}")
    imported = counts.counted(board, place, resolved.scores, limits, choice, origin)
    return replace(imported, notes=[*notes, *imported.notes])


def _require_shares(models: Sequence[Row], name: str, origin: Origin) -> None:
    refuse(
        Violation(
            f"{origin.file}, row {row.line}, column '{name}': {row.cells[name]} is outside 0 to "
            "100; correct it (decimals need a point), or say what the metric is with ",
            Key("family"),
        )
        for row in models
        if isinstance(row.value, Value) and not 0 <= row.value.number <= 100
    )


def _scores_of_rows(
    board: Layout,
    place: int,
    models: Sequence[Row],
    limits: tuple[float, float] | None,
    choice: Choice,
    origin: Origin,
    asked: Asked,
    notes: list[str],
) -> list[Score]:
    """Return a score for each row, with what all rows share: date, direction, kind of error."""
    day = day_of_board(board, origin, notes)
    higher = direction_of(board, place, models, choice, asked)
    n = choice.n_items if isinstance(choice.n_items, int) else None
    n = n or counts.usual_n(board, place, origin.path.name)
    usable = spreads.check_errors(board, place, models, limits, n, choice, asked, notes)
    details = _names_of_details(board, place, models)
    scores = []
    for row in models:
        score = _score(board, place, row, choice, limits)
        scores.append(
            score._replace(
                standard_error=spreads.error_of(board, place, row, choice, origin)
                if usable
                else None,
                higher_is_better=higher,
                date=score.date or day,
                details=tuple((name, _text(row, name)) for name in details),
            )
        )
    return scores


def _names_of_details(board: Layout, place: int, models: Sequence[Row]) -> list[str]:
    """Return the columns that may distinguish rows of a model, if any has two."""
    names = [row.model.casefold() for row in models]
    if len(set(names)) == len(names):
        return []
    others = [board.name(p) for p in board.scores + board.aggregates if p != place]
    return [name for name in board.unread if name not in others]


def _text(row: Row, name: str) -> str:
    cell = row.cells.get(name)
    return "" if cells.blank(cell) else str(cell)


def _require_one_unit(models: Sequence[Row], name: str, origin: Origin) -> None:
    signed = [row for row in models if isinstance(row.value, Value) and row.value.percent]
    bare = [row for row in models if isinstance(row.value, Value) and not row.value.percent]
    if signed and bare:
        raise InputError(
            f"{origin.file}, row {signed[0].line}, column '{name}': {signed[0].cells[name]} has a "
            f"percent sign, {bare[0].cells[name]} in row {bare[0].line} has none; write all with "
            "it or all without"
        )


def _score(
    board: Layout, place: int, row: Row, choice: Choice, limits: tuple[float, float] | None
) -> Score:
    """Return what a row says of a score, but for its error and what all rows share."""
    name, cell = board.name(place), row.value
    number: Any = cell.number if isinstance(cell, Value) else cell
    if isinstance(cell, Value) and cell.n is not None and cell.decimals == 12 and limits:
        number *= limits[1] if limits[1] > 1 and number <= 1 else 1
    date = _text(row, board.name(board.date)) if board.date is not None else ""
    task = _text(row, board.name(board.task)) if board.task is not None else ""
    if not task and not board.metrics and len(board.scores) > 1:
        task = name
    low, high = limits or (None, None)
    metric = _text(row, "metric")
    metric = metric or (choice.metric if choice.metric and choice.metric != task else "")
    return Score(
        model=row.model,
        score=number,
        metric=metric or name,
        task=task or None,
        n_items=counts.n_of_row(board, place, row),
        run=_text(row, board.name(board.run)) if board.run is not None else "",
        configuration=_text(row, "configuration"),
        date=(cells.day_of(date) or date) or None,
        minimum=low,
        maximum=high,
        row=row.line,
    )


FORMATS = (Importer("table", "a table of models with scores", Shape.SHEETS, read, tasks=tasks),)
