"""Any table of models with scores: a whole reading is proposed, and what is open is asked."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

from saturation.errors import (
    InputError,
    Key,
    NoResults,
    Violation,
    group_values,
    listed,
    refuse,
)
from saturation.leaderboard.read import cells, columns, counts, roles, rows, spreads
from saturation.leaderboard.read.board import Questions, Reading, day_of_board, remarks_on
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.documents import KEY, OUTER, OWN
from saturation.leaderboard.read.duplicates import resolve
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.roles import Column, Layout
from saturation.leaderboard.read.rows import AVERAGE, Choice, Imported, Origin, Score
from saturation.leaderboard.read.scale import direction_by_rank, direction_of, range_of, trend
from saturation.leaderboard.read.sheets import MOST_ROWS, Sheet
from saturation.leaderboard.read.suites import (
    FEWEST_TASKS,
    averages,
    matches_mean,
    share_a_unit,
    suite,
)

# Words of headings over tables that are not the leaderboard of today, and over those that are.
_PAST = re.compile(
    r"(?i)\b(archived?|older?|previous|legacy|deprecated|historical|past|retired|former|ablations?"
    r"|outdated|superseded|reruns?|bugs?|leaks?|costs?|settings|adversarial|train(ing)?|val(id(ation)?)?"
    r"|dev|cross[-_ ]?val(idation)?|cv)(\b|_)"
)
_PRESENT = re.compile(
    r"(?i)\b(leaderboard|main|overall|current|latest|rankings?|results|headline|comparison"
    r"|benchmarks?|evaluation)(\b|_)"
)
# What stands in the lines of a program's log.
_OF_LOGS = re.compile(r"\b(INFO|DEBUG)\b|\b\d\d:\d\d\b")
_AS_TABLE = "write the results as a table with a row for each model"


def parse(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> Imported:
    """Read a benchmark's scores from the tables of a file, or a suite's tasks as items."""
    questions = Questions(origin.file)
    board = _board(sheets, choice, origin, questions)
    for name, column in zip(board.sheet.columns, zip(*board.sheet.rows)):
        texts = [str(cell).rstrip(" %") for cell in column if not cells.blank(cell)]
        # Beside decimal points, a column of decimal commas would pass for text.
        if texts and all(map(cells.COMMA.fullmatch, texts)):
            raise InputError(
                f"{origin.file}: column '{name}' has decimal commas, others have points; write "
                "points in all of the table"
            )
    _require_no_items(board, sheets, choice, origin)
    if len(board.sheet.rows) > MOST_ROWS:
        raise InputError(
            Violation(
                f"{origin.file}: more than {MOST_ROWS:,} rows; allowed: so many scores; if each "
                "row is an answer to an item, say so with ",
                Key("columns", value=dict.fromkeys(("model", "item", "response"), "NAME")),
            )
        )
    mean = (choice.task or "").lower() in averages(board)
    if mean or choice.suite is not None:
        readings = _readings_of_tasks(board, choice, origin, questions)
        questions.settle()
        return suite(readings)
    place = _column_of_scores(board, choice, origin, questions)
    if board.task is not None:
        board = _rows_of_task(board, choice, origin)
    if place is None:  # the average is proposed
        questions.settle()
        raise AssertionError
    imported = _scores(Reading(board, place, choice, origin, questions))
    questions.settle()
    return imported


def _ask_for_models(board: Layout, questions: Questions) -> None:
    """Ask what the keys of a document are, of which one may be models."""
    keys = listed({str(row[board.model]) for row in board.sheet.rows})
    named = {"model": board.name(board.model)}
    otherwise, answer = "if parts, name their model with ", Key("model")
    if board.task is not None and board.name(board.task) == OUTER:
        otherwise = f"if {listed(_places_by_task(board))} are, with "
        answer = Key("columns", value={"model": OUTER})
    questions.ask(
        f"{keys} may be models or parts of one benchmark: if models, say so with ",
        Key("columns", value=named),
        f"; {otherwise}",
        answer,
        *(f"; {remark}" for remark in board.remarks_on_unread()),
        columns=named,
    )


def _readings_of_tasks(
    board: Layout, choice: Choice, origin: Origin, questions: Questions
) -> dict[str, Reading]:
    """Return the readings of the tasks of a suite: each a column, or the rows that name it."""
    if board.task is None:
        parts = {board.name(place): (board, place) for place in board.scores}
    else:
        column = _column_of_scores(board, choice, origin, questions)
        places = _places_by_task(board)
        parts = {
            task: (roles.only(board, places[task]), column)
            for task in _names_of_tasks(board, origin)
            if column is not None
        }
    if unknown := set(choice.suite or ()).difference(parts):
        raise InputError(f"{origin.file}: no task {listed(unknown)}; it has {listed(parts)}")
    return {
        task: Reading(*parts[task], choice, origin, Questions(origin.file))
        for task in choice.suite or parts
    }


def tasks(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> list[str]:
    """Return the tasks of a table: its columns of scores, or what its column of tasks holds."""
    questions = Questions(origin.file)
    # A document's own record has no tasks.
    board = _board(sheets, replace(choice, task=AVERAGE), origin, questions)
    questions.settle()
    names = _names_of_tasks(board, origin)
    alone = len(names) == 1 and columns.names_metric_alone(columns.words(names[0]))
    return [] if alone or (board.task is None and choice.metric in names) else names


def _names_of_tasks(board: Layout, origin: Origin) -> list[str]:
    if board.task is None:
        return [board.name(place) for place in board.scores]
    name = board.name(board.task)
    return rows.list_tasks({name: [row[board.task] for row in board.sheet.rows]}, name, origin)


def _board(sheets: Sequence[Sheet], choice: Choice, origin: Origin, questions: Questions) -> Layout:
    """Return the table that is meant, with the meaning of its columns."""
    boards = []
    stacked = map(roles.stack_runs, map(roles.take_grades, sheets))
    for sheet in chain.from_iterable(map(roles.split_by_unit, stacked)):
        _require_header(sheet, origin)
        board = _layout(sheet, origin, choice)
        if board is not None and (len(sheet.rows) > 1 or len(sheets) == 1 or sheet.name == OWN):
            boards.append(board)
    boards = _leave_unsure_out(boards) or _name_rows(sheets, choice, origin)
    boards = list(filter(_may_be_scored, boards)) or boards
    boards = _leave_record_out(boards, choice)
    boards = boards if choice.table else _join_alike(boards)
    is_only = len(boards) == 1 and choice.table is None
    board = boards[0] if is_only else _pick(boards, choice, origin, questions)
    if board.name(board.model) in (KEY, roles.ACROSS) and not board.sure:
        _ask_for_models(board, questions)
    return board


def _leave_unsure_out(boards: list[Layout]) -> list[Layout]:
    """Return the tables whose column of models is named so, if any, and those of metrics."""
    sure = any(board.sure for board in boards)
    return [board for board in boards if not sure or board.sure or board.metrics]


def _leave_record_out(boards: list[Layout], choice: Choice) -> list[Layout]:
    """Return the tables of tasks where a task is wanted: a document's own record has none."""
    of_tasks = [board for board in boards if board.sheet.name != OWN]
    return boards if choice.task is None else of_tasks or boards


def _join_alike(boards: list[Layout]) -> list[Layout]:
    """Return tables of the same columns as one: of mostly the same models a task each."""
    sheets = [board.sheet for board in boards]
    titles = {sheet.name for sheet in sheets if not _PAST.search(sheet.name)}
    headers = {tuple(sorted(sheet.columns)) for sheet in sheets}
    if len(titles) < max(FEWEST_TASKS, len(sheets)) or len(headers) > 1:
        return boards
    header, cells_by_name = sheets[0].columns, list(chain.from_iterable(map(_name_cells, sheets)))
    models = {row[header[boards[0].model]] for row in cells_by_name}
    if boards[0].metrics and 2 * len(models) <= len(cells_by_name):
        header = ["task", *header]
    elif len(models) < len(cells_by_name):
        return boards
    table_rows = [[row[name] for name in header] for row in cells_by_name]
    lines = list(chain.from_iterable(sheet.lines for sheet in sheets))
    joined = roles.layout(replace(sheets[0], columns=header, rows=table_rows, lines=lines))
    return [joined] if joined else boards


def _name_cells(sheet: Sheet) -> list[dict[str, Any]]:
    return [{"task": sheet.name, **dict(zip(sheet.columns, row))} for row in sheet.rows]


def _may_be_scored(board: Layout) -> bool:
    """Return whether columns are named as models or scores, or cells are no plain counts."""
    names = map(board.name, [board.model, *board.all_scores])
    evidence = columns.MODELS[0] | columns.MODELS[1] | columns.NAMES_OF_SCORES
    numbers = (cell for place in board.scores for cell in board.numbers(place))
    is_named = any(columns.words(name) & evidence for name in names)
    return is_named or any(cell.percent or cell.number % 1 for cell in numbers)


def _name_rows(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> list[Layout]:
    """Return the tables whose rows are named by several columns; refuse where no table's are."""
    if any(map(_ranks_documents, sheets)):
        raise NoResults(f"{origin.file}: its rows are documents that a search ranked; {_AS_TABLE}")
    _require_no_log(sheets[0], choice, origin)
    for convert in (roles.named_by_texts, roles.split_columns):
        boards = list(filter(None, map(roles.layout, filter(None, map(convert, sheets)))))
        if boards:
            return boards
    if any(_OF_LOGS.search(name) for sheet in sheets for name in sheet.columns):
        raise NoResults(f"{origin.file}: it is a log of a program; {_AS_TABLE}")
    headers = (", ".join(name[:40] for name in sheet.columns[:12]) for sheet in sheets[:4])
    seen = "; ".join(headers) or "none"
    lack = f"no table with a column of models and one of scores (columns: {seen}); "
    flags = _describe_flags(sheets[0], fewest=2)
    remedy = flags or (rows.describe_unscored(()) if origin.model else _remedy(sheets))
    raise NoResults([Violation(f"{origin.file}: ", lack, remedy)])


def _pick(boards: Sequence[Layout], choice: Choice, origin: Origin, questions: Questions) -> Layout:
    """Return the wanted table of several, else the proposed table.

    Proposed is the first of several rows whose heading is that of a leaderboard, none of the past.
    """
    names = [board.sheet.name or str(place) for place, board in enumerate(boards, start=1)]
    names = [
        name if names.count(name) == 1 else f"{name} {place}"
        for place, name in enumerate(names, start=1)
    ]
    if choice.table is not None:
        table = rows.choose(choice, "table", names, origin)
        return boards[names.index(table)]
    order = [
        (
            name != OWN,
            bool(_PAST.search(name)),
            len(board.sheet.rows) < 2,
            _repeats_models(board),
            not (_PRESENT.search(name) or columns.words(name) & columns.METRICS),
        )
        for name, board in zip(names, boards)
    ]
    proposed = order.index(min(order))
    sizes = (
        f"'{name[-72:]}' ({len(board.sheet.rows)} rows)" for name, board in zip(names[:12], boards)
    )
    questions.ask(
        f"{len(boards)} tables hold scores: {', '.join(sizes)}; choose one with ",
        Key("table"),
        table=names[proposed],
    )
    return boards[proposed]


def _repeats_models(board: Layout) -> bool:
    """Return whether models have several rows that are not those of tasks."""
    models = [row[board.model] for row in board.sheet.rows]
    return board.task is None and len(set(models)) < len(models)


def _layout(sheet: Sheet, origin: Origin, choice: Choice) -> Layout | None:
    """Return a sheet's layout: unchanged, transposed, or with the model that the file names."""
    first, *further = roles.columns_of(sheet)
    across = [column.name for column in further]
    trained = first.words & {"train", "trained", "training"} and first.words & columns.ROWS
    # What a model was trained on names it.
    if trained and not first.numeric and all(column.numeric for column in further):
        sheet = replace(sheet, columns=["model", *across])
    # Confusions of classes and pairs of models have the same names down and across.
    elif "model" not in (choice.columns or ()) and {*first.texts} == {*across}:
        return None
    if _ranks_documents(sheet):
        return None
    board = roles.layout(roles.continue_names(sheet))
    if origin.model:
        return _layout_of_one(sheet, board, origin.model)
    if board is None and (transposed := roles.turned(sheet)) is not None:
        board = roles.layout(
            transposed, of_tasks=bool(columns.words(sheet.columns[0]) & columns.ROWS)
        )
    return board


def _ranks_documents(sheet: Sheet) -> bool:
    """Return whether rows are documents that a search ranked."""
    documents = columns.words_set("doc document passage chunk")
    ids = map(columns.words, filter(columns.numbers_items, sheet.columns))
    return "rank" in sheet.columns and any(words & documents for words in ids)


def _layout_of_one(sheet: Sheet, board: Layout | None, model: str) -> Layout | None:
    """Return the layout of a model's tasks or settings; of models that a column names, theirs."""
    if board is not None:
        name = board.name(board.model)
        is_setting = columns.words(name) & columns.SETTINGS
        if columns.words(name) & columns.MODEL or (board.sure and not is_setting):
            return board
        if not is_setting:
            sheet = replace(sheet, columns=["task" if n == name else n for n in sheet.columns])
    sheet = roles.metrics_down(sheet) or sheet
    rows_of_one = [[model, *row] for row in sheet.rows]
    return roles.layout(replace(sheet, columns=["model", *sheet.columns], rows=rows_of_one))


def _require_header(sheet: Sheet, origin: Origin) -> None:
    if {"model_a", "model_b"} <= set(sheet.columns):
        raise NoResults(
            Violation(
                f"{origin.file}: pairs of models need a column that says who won; name it with ",
                Key("columns", value={"winner": "NAME"}),
                " in a file that is CSV, JSON, JSONL or Parquet",
            )
        )
    numbers = sum(isinstance(cells.value(name), Value) for name in sheet.columns)
    if 2 * numbers >= len(sheet.columns) and not columns.words(sheet.columns[0]) & columns.MODEL:
        raise NoResults(
            f"{origin.file}: the first line holds numbers and seems to be no header; add one "
            "such as model,score"
        )


def _remedy(sheets: Sequence[Sheet]) -> str:
    """Return what to do about tables without models and scores."""
    tables = [roles.columns_of(sheet) for sheet in sheets]
    by_name = dict(zip(sheets[0].columns, tables[0]))
    if "winner" in by_name:
        return Violation(
            "'winner' says who won: name the two with ",
            Key("columns", value={"model_a": "NAME", "model_b": "NAME"}),
        )
    has_scores = any(
        column.role == "score" and not column.words & columns.FORECAST
        for table in tables
        for column in table
    )
    labels = columns.pair_of_labels(list(by_name))
    share = labels and rows.share_labels(*(by_name[name].cells for name in labels))
    is_row = has_scores and all(len((roles.metrics_down(s) or s).rows) == 1 for s in sheets)
    is_scored = has_scores or share or "response" in by_name
    if is_row or (is_scored and columns.describe_log(sheets[0].columns)):
        return Violation("the scores seem to be one model's: name it with ", *rows.BY_MODEL)
    if all(len(sheet.columns) == 1 for sheet in sheets):
        return "separate the columns by commas, semicolons, tabs or |"
    if not has_scores:
        # Two texts can be compared, whatever a single flag says.
        flags = _describe_flags(sheets[0], fewest=1 + bool(labels))
        return flags or rows.describe_unscored(labels, list(by_name))
    return Violation(
        "name them with ",
        Key("columns", value={"model": "NAME", "score": "NAME"}),
        ", or, if all scores are one model's, name it with ",
        *rows.BY_MODEL,
    )


def _describe_flags(sheet: Sheet, *, fewest: int) -> str:
    """Return what to do with so many columns of true and false that are not named as scores."""
    table = roles.columns_of(sheet)
    flags = [column.name for column in table if {*column.texts} == {"True", "False"}]
    if len(flags) < fewest or any(map(columns.names_score, flags)):
        return ""
    grade = "; if it grades what the others say, write a row for each of these and each item"
    return Violation(
        f"if one of {listed(flags)} scores each answer, name it as the response with ",
        Key("columns", value=dict.fromkeys(("model", "item", "run", "response"), "NAME")),
        ", and, if true is bad, add ",
        Key("higher_is_better", value=False),
        grade * (len(flags) > 1),
    )


def _require_no_items(
    board: Layout, sheets: Sequence[Sheet], choice: Choice, origin: Origin
) -> None:
    """Ask what a table is whose rows or columns seem to be answers to items."""
    _require_no_answers(board, choice, origin)
    name = board.name(board.model)
    # The only table may be turned round.
    first = sheets[0].columns[0] if name == "model" and len(sheets) == 1 else name
    answered = [cell.number in (0, 1) for p in board.scores for cell in board.numbers(p)]
    if len(board.scores) > 1 and first != "model" and all(answered):
        question = "every cell is 0 or 1; if they are answers to items"
        items = columns.ITEMS | columns.ROWS | {"test"}
        ours = "item" if first != name or columns.words(first) & items else "model"
        raise rows.ask_for_columns(origin, choice, f"{question}, say so", {ours: first})


def _require_no_answers(board: Layout, choice: Choice, origin: Origin) -> None:
    """Ask what a table is whose models have several rows with items."""
    models = [str(row[board.model]) for row in board.sheet.rows]
    distinct = len(set(models))
    scores = [
        column
        for column in _columns_of_answers(board)
        if {"True", "False"} & {*map(str, column.cells)}
        or (_names_outcome(column) and len({*column.cells}) == 1)
        or len({*zip(models, column.cells)}) > distinct
    ]
    if not scores or len(models) <= 2 * distinct:
        return
    answers = set(map(str, scores[0].cells))
    few = 3 * len(answers) <= len(models) and (
        board.task is None or answers <= columns.words_set("0 1 True False")
    )
    pairs = _columns_of_items(board.sheet, board.name(board.model), scores[0].name)
    if pairs and (few or _are_shared(board, pairs["item"])):
        question = "most models have several rows; if each is an answer to an item"
        raise rows.ask_for_columns(origin, choice, question + _describe_scores(scores), pairs)


def _places_by_task(board: Layout) -> dict[str, list[int]]:
    """Return the rows of each task; of a table without a column of tasks, all."""
    cells_of_tasks = ("" if board.task is None else row[board.task] for row in board.sheet.rows)
    return group_values((str(cell), place) for place, cell in enumerate(cells_of_tasks))


def _are_shared(board: Layout, item: str) -> bool:
    """Return whether a column numbers or holds items that most models have."""
    items = [str(row[board.sheet.columns.index(item)]) for row in board.sheet.rows]
    names_items = columns.numbers_items(item) or bool(columns.words(item) & columns.LOGGED)
    names_items |= columns.are_most(columns.RECORDING.search, items)
    lone = len({str(row[board.model]) for row in board.sheet.rows}) == 1
    return names_items and (lone or 2 * len(set(items)) <= len(items))


def _require_no_log(sheet: Sheet, choice: Choice, origin: Origin) -> None:
    """Ask which columns name the models and their settings in a log of several models."""
    table = roles.columns_of(sheet)
    scores = sorted(filter(_names_outcome, table), key=lambda c: (not c.whole, -len(c.texts)))
    scores = scores or [c for c in table if {*c.texts} == {"True", "False"}]
    items = _find_item_columns(sheet.columns)
    labels = [c.name for c in _labels(sheet) if not c.numeric and c.name not in items]
    possible = labels if items and scores else []
    readings = [_columns_of_items(sheet, name, scores[0].name) for name in possible]
    readings = [p for p in readings if p and sheet.frame()[p["item"]].duplicated().any()]
    if not readings:
        return
    pairs = min(readings, key=len)
    if columns.words(pairs["model"]) & columns.DETECTORS and not scores[0].whole:
        raise NoResults(
            f"{origin.file}: '{scores[0].name}' is what each {pairs['model']} says, no column "
            "what is true; write 1 or 0 in a column 'correct'"
        )
    question = f"several models seem to have answered the items; if so{_describe_scores(scores)}"
    raise rows.ask_for_columns(origin, choice, question, pairs)


def _describe_scores(scores: Sequence[Column]) -> str:
    """Return the end of a question: what else may be the score, and what answers are right."""
    named = [column.name for column in scores if _names_outcome(column)]
    others = f", scored by any of {listed(named)}" if len(named) > 1 else ""
    right = rows.word_of_right(scores[0].texts)
    unless = " unless lower is better" * (right == "yes")
    right = f", right where the response is '{right}'{unless}" if right else ""
    return f"{others}{right}, say so"


def _names_outcome(column: Column) -> bool:
    """Return whether a column is named for a score of answers, or grades them as right."""
    is_named = column.numeric and (column.key & columns.SUCCESSES or column.names_score)
    # The top score is a retriever's own.
    is_confidence = "top" in column.name.lower() and "score" in column.key
    return bool((is_named and not is_confidence) or rows.word_of_right(column.texts))


def _columns_of_answers(board: Layout) -> list[Column]:
    """Return columns of what answers score: right or wrong by name or by cells, then scores.

    An exact match of texts goes after other ways of being right.
    """
    table = roles.columns_of(board.sheet)
    if scores := [column for column in table if column.is_stated]:
        return scores
    binary = columns.words_set("0 1 0.0 1.0 true false")
    flags = [c for c in table if {*map(str.lower, c.texts)} <= binary]
    successes = [column for column in flags if column.words & columns.SUCCESSES]
    # Beside marks, yes is an answer.
    unsure = "" if successes else "yes"
    stated = [column for column in table if rows.word_of_right(column.texts, unsure)]
    successes.sort(key=lambda column: "exact" in column.words)
    others = flags if any(columns.numbers_items(column.name) for column in table) else []
    scores = [table[place] for place in [*board.aggregates, *board.scores]]
    by_name = filter(_names_outcome, scores)
    return list(dict.fromkeys([*successes, *by_name, *stated, *others, *scores]))


def _find_item_columns(names: Sequence[str]) -> list[str]:
    """Return the columns that may name items, by numbers first."""
    return [*filter(columns.numbers_items, names), *columns.columns_of_items(names)]


def _may_be_items(column: Column) -> bool:
    """Return whether a column may hold items that models share, though it is not named so."""
    foreign = columns.RUNS | columns.MEASURES | columns.RATERS
    repeats = 2 * len(set(column.cells)) <= len(column.cells)
    return repeats and column.role not in ("n", "score") and not column.words & foreign


def _columns_of_items(sheet: Sheet, model: str, score: str) -> dict[str, str]:
    """Return the columns that make a table answers, by our names; nothing without items.

    A model has an item once, or once a run; models share items whose column is not named so.
    """
    further = [c for c in roles.columns_of(sheet) if c.name not in (model, score)]
    items = _find_item_columns([c.name for c in further if len(c.texts) == len(c.cells)])
    frame = sheet.frame()
    common = [item for item in items if not frame[item].is_unique]
    candidates = common or items or [c.name for c in further if _may_be_items(c)]
    for labels in _runs_and_settings(sheet, [c.name for c in further], only_runs=not items):
        for item in candidates:
            names = {"model": model, "item": item, **labels}
            if not frame.duplicated([*names.values()]).any():
                return {**names, "response": score}
    return {}


def _runs_and_settings(
    sheet: Sheet, names: Sequence[str], *, only_runs: bool
) -> list[dict[str, str]]:
    """Return what may distinguish a model's answers to an item: nothing, a run, a setting, both."""
    labels = [
        {"configuration" if column.words & columns.SETTINGS else "run": column.name}
        for column in _labels(sheet)
        if column.name in names and (column.role == "run" or not only_runs)
    ]
    return [{}, *labels, *(a | b for a, b in combinations(labels, 2) if a.keys() != b.keys())]


def _labels(sheet: Sheet) -> list[Column]:
    """List columns that may name runs or settings: repeated texts, or numbers that are named so."""
    return [
        column
        for column in roles.columns_of(sheet)
        if 2 * len(set(column.texts)) <= len(sheet.rows)
        and (
            column.role == "run"
            or column.words & columns.SETTINGS
            or not (column.numeric or column.unfit or column.words & columns.WRITTEN)
        )
    ]


def _column_of_scores(
    board: Layout, choice: Choice, origin: Origin, questions: Questions
) -> int | None:
    """Return the column of scores that is wanted or proposed; None if the average is."""
    by_name = {board.name(place): place for place in board.all_scores}
    metric = choice.metric or choice.score
    wishes = (metric,) if board.task is not None else (choice.task, metric)
    for wish in wishes:
        if wish in by_name:
            return by_name[wish]
    if len(board.scores) == 1 and choice.task not in board.unread:
        return board.scores[0]
    if board.task is None and choice.task is not None:
        rows.choose(choice, "task", [*by_name, AVERAGE], origin)
    if board.metrics or board.task is not None:
        headline = _headline(board)
        names, first = [*map(board.name, board.all_scores)], board.name(headline)
        listing = listed(names, lambda name: (name != first, columns.standing_of(name)))
        splits = columns.words(" ".join(names)) & (columns.NOT_OF_TEST | {"test"})
        remarks = [f"{listed(splits)} are splits of the data"] * (len(splits) > 1)
        listing = "; ".join([listing, *remarks, *board.remarks_on_unread()])
        questions.ask(
            f"{len(board.all_scores)} columns hold scores: {listing}; choose one with ",
            Key("metric"),
            metric=first,
        )
        return headline
    own: tuple[str | Key, ...] = ()
    if board.aggregates:
        name = board.name(board.aggregates[0])
        own = (", the average that the table has with ", Key("metric", value=name))
    listing = "; ".join([listed(map(board.name, board.scores)), *board.remarks_on_unread()])
    questions.ask(
        f"{len(board.scores)} columns hold scores of tasks: {listing}; choose one with ",
        Key("task"),
        *((", their mean with ", Key("task", value=AVERAGE)) if _has_mean(board) else ()),
        *own,
        ", or a card of each with ",
        Key("each_task"),
        **_proposed_task(board),
    )
    return None


def _proposed_task(board: Layout) -> dict[str, Any]:
    """Propose the mean over tasks that have no n, the table's own mean, or each task."""
    numbers = (cells.numbers_of(board.numbers(place)) for place in board.scores)
    if not board.sizes and _has_mean(board) and share_a_unit(numbers):
        return {"task": AVERAGE}
    if board.aggregates:
        return {"metric": board.name(board.aggregates[0])}
    return {"each_task": True}


def _has_mean(board: Layout) -> bool:
    """Return whether tasks have a mean whose error is known."""
    return len(board.scores) >= FEWEST_TASKS and not board.mixed and matches_mean(board)


def _headline(board: Layout) -> int:
    """Return the metric that ranks follow or rows are sorted by, else the last of a series.

    Without either, a headline measure of most rows goes first. Ratings without errors are none,
    since they cannot be judged.
    """
    if board.aggregates:
        return board.aggregates[0]
    bounded = [
        place
        for place in board.scores
        if not columns.words(board.name(place)) & (columns.RATINGS | columns.UNBOUNDED)
    ]
    places = board.scores if [*board.errors, *board.ends] else bounded or board.scores
    standing = {p: columns.standing_of(board.name(p)) for p in board.scores}
    places = [p for p in places if standing[p] < 2] or places
    by_rank = (p for p in places if direction_by_rank(board, p) is not None)
    by_rows = (p for p in places if trend(board.values[p]) is not None)
    headline = min(
        board.scores,
        key=lambda p: (
            standing[p] + (p not in places),
            -len(board.numbers(p)),
        ),
    )
    return next(by_rank, _last_of_series(board, next(by_rows, headline)))


def _last_of_series(board: Layout, place: int) -> int:
    """Return the last of a score's tries; of hits among the first k and n-grams the column."""
    stem = re.sub(r"\d+", "", board.name(place))
    if re.search(
        r"(?i)(acc|top[-_ ]?|(r|p|recall|ndcg|mrr|map|hits?|rate)(@|_at_))$|rouge|bleu", stem
    ):
        return place
    series = [column for column in board.scores if re.sub(r"\d+", "", board.name(column)) == stem]
    return series[-1]


def _rows_of_task(board: Layout, choice: Choice, origin: Origin) -> Layout:
    places = _places_by_task(board)
    names = [name for name in places if not cells.blank(name)]
    task = rows.choose(choice, "task", names, origin, mean=len(names) >= FEWEST_TASKS)
    return roles.only(board, places[task])


def _scores(reading: Reading) -> Imported:
    """Return the scores of a column."""
    board, choice, origin = reading.board, reading.choice, reading.origin
    reading.notes += remarks_on(board, origin)
    if not reading.models:
        raise NoResults(f"{origin.file}: no model has a score in '{reading.name}'")
    _require_one_unit(reading)
    reading.limits = range_of(reading)
    is_share = choice.family is None and columns.family_of(reading.name) == "accuracy"
    if reading.limits is None and is_share:
        refuse(
            Violation(
                f"{origin.file}, row {row.line}, column '{reading.name}': "
                f"{row.cells[reading.name]} is outside 0 to 100; correct it (decimals need a "
                "point), or say what the metric is with ",
                Key("family"),
            )
            for row in reading.models
            if isinstance(row.value, Value) and not 0 <= row.value.number <= 100
        )
    reading.notes[:0] = _remarks_on_flags(reading)
    resolved = resolve(_scores_of_rows(reading), choice, origin.file)
    reading.notes += resolved.notes
    if resolved.question:
        reading.questions.ask(resolved.question, duplicates=resolved.proposed)
    alternatives = [board.name(p) for p in board.all_scores if p != reading.place]
    reading.notes += [f"read is '{reading.name}', not {listed(alternatives)}"] * bool(alternatives)
    reading.notes += board.remarks_on_unread()
    imported = counts.counted(reading, resolved.scores)
    return replace(imported, notes=[*reading.notes, *imported.notes])


def _remarks_on_flags(reading: Reading) -> list[str]:
    """Return remarks on models whose rows a short text calls invalid or incomplete."""
    flags = group_values(
        ((name, text), row.model)
        for row in reading.models
        for name in reading.board.unread
        if columns.words(text := str(row.cells[name])) & columns.FLAWED and len(text.split()) < 4
    )
    parts = (f"'{n}' says '{text}' of {listed(models)}" for (n, text), models in flags.items())
    return [f"{', '.join(parts)}: are they to count?"] if flags else []


def _scores_of_rows(reading: Reading) -> list[Score]:
    """Return a score for each row, with what all rows share: date, direction, kind of error."""
    day = day_of_board(reading.board, reading.origin, reading.notes)
    higher = direction_of(reading)
    declared = reading.choice.n_items
    n = declared if isinstance(declared, int) else counts.usual_n(reading)
    usable = spreads.check_errors(reading, n)
    scores = []
    for row in reading.models:
        score = counts.score_of_row(reading, row)
        scores.append(
            score._replace(
                standard_error=spreads.error_of(reading, row) if usable else None,
                higher_is_better=higher,
                date=score.date or day,
            )
        )
    return scores


def _require_one_unit(reading: Reading) -> None:
    models, name = reversed(reading.models), reading.name
    rows_by_sign = {row.value.percent: row for row in models if isinstance(row.value, Value)}
    if len(rows_by_sign) == 2:
        signed, bare = rows_by_sign[True], rows_by_sign[False]
        raise InputError(
            f"{reading.origin.file}, row {signed.line}, column '{name}': {signed.cells[name]} has "
            f"a percent sign, {bare.cells[name]} in row {bare.line} has none; write all with it or "
            "all without"
        )


FORMATS = (Importer("table", "a table of models with scores", Shape.SHEETS, parse, tasks=tasks),)
