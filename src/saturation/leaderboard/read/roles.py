"""Assign roles to columns of a table: a table of roles, and relations between columns."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, NamedTuple

from saturation.errors import group_values, listed
from saturation.leaderboard.read import columns
from saturation.leaderboard.read.cells import (
    COMMA,
    IN_PARENTHESES,
    MARKS,
    Read,
    Value,
    blank,
    day_of,
    join_thousands,
    numbers_of,
    plain,
    value,
)
from saturation.leaderboard.read.rows import MARKS_OF_ANSWERS, RIGHT_OR_WRONG, are_counts
from saturation.leaderboard.read.sheets import Sheet, fill_gaps

# More columns of scores are those of tasks.
MOST_METRICS = 4
# Columns among which differences of others are looked for.
MOST_COMPARED = 12
# From here on, a whole number that is the same in all rows may be the number of items.
FEWEST_COUNTED = 10
# More words make a sentence, and so do more letters.
MOST_WORDS = 8
_NO_NAME = re.compile(
    r"(?is).{81}|[\[{]|(true|false)$|[^ ]*://[^ ]*$|(/[^ /]+){3}"
    # A hash, and a time.
    r"|(?=.*\d)(?=.*[a-f])[\da-f]{7,}(-[\da-f]+)*$|\d{4}-\d\d-\d\d[t ]\d\d:\d\d.{0,20}$"
)
# The column of parts of columns' names that may be models.
ACROSS = "column"
# Columns that are called by our names are what these say.
OURS = columns.words_set(
    """run configuration metric task date n_items standard_error standard_deviation lower upper
    model score"""
)
# As n_refusals: how often something other than an item happened; what was predicted and is true.
_COUNT_OF_EVENTS = re.compile(
    r"(?i)(n|no|num|nb|#)[ _.]|p ?\(|learning.rate|.*per.sec|unnamed:"
    r"|(.*[ _])?(m?s|secs?)[ _]per[ _]|.*positive.?predict|.*predicted.?positive"
    r"|(y[ _](true|pred)|ground[ _]truths?|predict(ed|ions?))$"
    r"|(true|pred|predicted|actual|gt)[ _](count|label|value)s?$|(.*[ _])?p[ _-]?values?$"
)
# Of time, memory and prices.
_UNIT = re.compile(
    r"(?i)[(\[](?:m?s|sec|seconds|min|h|hours|[kmgt]i?b|usd|\$)[)\]]|\w ?/ ?s(?:ec)?\b"
)
_OF_MANY = re.compile(r"(?:\bof|/) ?(\d+)\b")
# A column of a run.
_RUN = re.compile(r"(?i)[\W_]*(?<![a-z])(?:run|seed|trial|repeat|repetition)[\W_]*\d+")
# A column of how often a grade was given.
GRADE = re.compile(r"(?:score|grade|level|rating)[\W_]*(\d{1,2})$", re.IGNORECASE)
_POINT = re.compile(r"(?<![\d.])(?:0\.\d+|\d+\.(?:\d\d?|\d{4,}))(?![\d.])")
_POINTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_BETWEEN = re.compile(rf"(?<=\d)[.{MARKS}](?=\d{{3}})")
_WITH_COMMA = rf"[+-]?\d+(?:[.{MARKS}]\d{{3}})*(?:,\d+)? ?%?"
_WITH_COMMAS = re.compile(
    rf"±? ?{_WITH_COMMA}(?: ?[±/] ?{_WITH_COMMA})?"
    rf"|(?:{_WITH_COMMA} ?)?[\[(] ?{_WITH_COMMA} ?[;–] ?{_WITH_COMMA} ?[\])]"
)


# A grade with decimals, which is no count of right answers, and what it is of.
_GRADE = re.compile(r"\d*\.\d+ ?/ ?(5|10|100)(\.0+)?")
_OF_GRADE = re.compile(r" ?/ ?[\d.]+(?=\W*$)")


@dataclass(eq=False)
class Column:
    """A column: its name, its cells, and what they say."""

    place: int
    name: str
    cells: Sequence[Any]
    is_stated: bool = False  # as the score, by the user

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the name; of a corner such as ``policy/task`` those of the rows."""
        rows, _, across = self.name.partition("/")
        return columns.words(rows if columns.words(across) & columns.ROWS else self.name)

    @cached_property
    def key(self) -> frozenset[str]:
        """The words of the last part of a document's key."""
        return columns.key(self.name)

    @cached_property
    def values(self) -> list[Read]:
        """Parse the cells as scores; True and False are scores where the name is one."""
        with_errors = columns.names_error(self.words) or self._holds_spreads
        is_named = self.is_stated or self.key & columns.SUCCESSES
        is_flagged = is_named or MARKS_OF_ANSWERS.issuperset(self.texts)
        flags = RIGHT_OR_WRONG if is_flagged else {}
        cells = (flags.get(str(cell).strip().lower(), cell) for cell in self.cells)
        return [value(cell, with_errors=with_errors) for cell in cells]

    @property
    def _holds_spreads(self) -> bool:
        """Check whether most cells have a much smaller number in parentheses: 93.3 (0.5)."""
        pairs = filter(None, map(IN_PARENTHESES.fullmatch, self.texts))
        small = (4 * float(pair[2]) < float(pair[1].rstrip(" %")) for pair in pairs)
        return 2 * sum(small) > len(self.texts)

    @property
    def numbers(self) -> list[float]:
        """The numbers in the column."""
        return numbers_of(self.values)

    @cached_property
    def role(self) -> str:
        """The role by name and cells; a column of our name has our role."""
        if self.is_stated:
            return "score"
        if self.name in OURS:
            ours = {"n_items": "n", "standard_error": "error", "standard_deviation": "error"}
            return ours.get(self.name, self.name)
        return next(role.name for role in ROLES if role.fits(self))

    @cached_property
    def texts(self) -> list[str]:
        """The cells that say something, as text."""
        return [plain(str(cell)) for cell in self.cells if not blank(cell)]

    @cached_property
    def numeric(self) -> bool:
        """Check whether most cells are numbers."""
        filled = [cell for cell in self.values if cell is not None]
        return 2 * len(self.numbers) > len(filled) > 0

    @cached_property
    def unfit(self) -> bool:
        """Check whether most cells are no names: sentences, lists, links, hashes, true or false."""
        return columns.are_most(_NO_NAME.match, self.texts)

    @cached_property
    def whole(self) -> bool:
        """Check that no cell has decimals, a percent sign or a fraction."""
        return not any({".", "%", "/"} & set(cell) for cell in self.texts)

    @cached_property
    def names_score(self) -> bool:
        """Check whether the name is a score's name and no count's name."""
        terms = self.words & columns.NAMES_OF_SCORES and not self.words & {"num", "count", "#"}
        return self.is_stated or bool(terms) or any(map(columns.names_cutoff, self.words))


# The columns of a sheet.
Table = Sequence[Column]


@dataclass(frozen=True)
class Layout:
    """Roles of a sheet's columns, by place; scores belong to tasks or to metrics."""

    sheet: Sheet
    model: int
    scores: list[int]
    aggregates: list[int]
    sizes: list[int]  # numbers of items
    date: int | None
    task: int | None
    run: int | None
    errors: list[int]  # standard errors, deviations and intervals
    ends: list[tuple[int, int]]  # lower and upper ends
    rank: int | None
    sure: bool  # whether the column of models is named so
    values: list[list[Read]]  # what the cells of each column say of a score

    def name(self, place: int) -> str:
        """Return a column's name."""
        return self.sheet.columns[place]

    def numbers(self, place: int) -> list[Value]:
        """Return the numbers in a column."""
        cells = self.values[place]
        return [cell for cell in cells if isinstance(cell, Value) and math.isfinite(cell.number)]

    def n_of(self, place: int) -> int | None:
        """Return the column of a score's n: that of its key or its own words, or what it counts.

        A column of n beside more scores than a benchmark has metrics is not that of each.
        """
        key = self.name(place).rpartition(".")[0]
        stated = [p for p in self.sizes if self.name(p) == "n_items"]
        below = [p for p in self.sizes if key and self.name(p).rpartition(".")[0] == key]
        by_word = [p for p in self.sizes if place in self.named_by(p)]
        few = len(self.scores) <= MOST_METRICS or self.wholes == self.scores
        free = [p for p in self.sizes if not ("." in self.name(p) or self.named_by(p))]
        shared = free if few or self.task is not None else []
        return next(iter([*stated, *below, *by_word, *self._counted_in(place), *shared]), None)

    def _counted_in(self, place: int) -> Iterator[int]:
        """List the columns of whose numbers the scores are whole counts, those of n first."""
        top = 100 if any(cell.number > 1 for cell in self.numbers(place)) else 1
        foreign = (columns.MEASURES | columns.OTHER | columns.RUNS) - {"rows"}
        for size in [*self.sizes, *map(self.sheet.columns.index, self.unread)]:
            pairs = (
                (score.number, n.number)
                for score, n in zip(self.values[place], self.values[size])
                if isinstance(score, Value) and isinstance(n, Value)
            )
            if not columns.words(self.name(size)) & foreign and are_counts(pairs, (0, top)):
                yield size

    def named_by(self, size: int) -> list[int]:
        """Return the scores whose names have the words of a column of n that do not say n."""
        words = columns.words(self.name(size)) - columns.OF_N
        return [p for p in self.all_scores if words and words <= columns.words(self.name(p))]

    @cached_property
    def all_scores(self) -> list[int]:
        """Columns of scores, averages last."""
        return [*self.scores, *self.aggregates]

    @property
    def has_tasks(self) -> bool:
        """Check whether the scores are those of several tasks."""
        return len(self.scores) > 1 and not self.metrics

    @cached_property
    def metrics(self) -> bool:
        """Check whether the scores are several metrics of a benchmark instead of several tasks."""
        names = [columns.words(self.name(place)) for place in self.scores]
        shared = frozenset.intersection(*names)
        shared -= shared if shared <= {"rate", "winrate"} else frozenset()
        specific = [name - shared for name in names]
        bare = columns.are_most(columns.names_metric_alone, specific)
        if self.wholes or any("metrics" in name for name in names):
            return True
        if len(names) > MOST_METRICS or self.aggregates or bare:
            return bare
        terms = [
            name & (columns.NAMES_OF_SCORES | columns.OF_CONFUSION | {"avg", "mean"})
            or any(map(columns.names_cutoff, name))
            for name in specific
        ]
        # A score and its variants, such as a raw rating.
        variants = shared & columns.NAMES_OF_SCORES and frozenset() in specific
        return bool(variants) or columns.are_most(bool, terms)

    @cached_property
    def wholes(self) -> list[int]:
        """Scores that are called by a metric alone, as no task is; none beside a mean of tasks."""
        names = {place: columns.words(self.name(place)) for place in self.scores}
        terms = columns.TERMS_OF_METRICS
        if self.aggregates and not all(name & terms for name in names.values()):
            return []
        return [p for p, name in names.items() if name & terms and name <= columns.WORDS_OF_METRICS]

    @cached_property
    def mixed(self) -> bool:
        """Check whether scores are called by different metrics, which have no common mean."""
        metrics = {columns.words(self.name(place)) & columns.METRICS for place in self.scores}
        return len(metrics - {frozenset()}) > 1

    @property
    def unread(self) -> list[str]:
        """Columns that say nothing of a score."""
        roles = {self.model, *self.all_scores, *self.sizes, self.date, self.task}
        roles |= {self.run, *self.errors, *(end for pair in self.ends for end in pair)}
        return [name for place, name in enumerate(self.sheet.columns) if place not in roles]

    def remarks_on_unread(self) -> list[str]:
        """Return a remark on the file's columns that are not read; none where all are."""
        names = [*self.sheet.leftovers, *(name for name in self.unread if name not in OURS)]
        return [f"not read: {listed(names)}"] if names else []


def only(board: Layout, rows: Sequence[int]) -> Layout:
    """Return a layout of some of the rows."""
    values = [[cells[row] for row in rows] for cells in board.values]
    return replace(board, sheet=board.sheet.select(rows), values=values)


class Role(NamedTuple):
    """Role, with the properties of a column in that role."""

    name: str
    fits: Callable[[Column], bool]


def _holds_errors(column: Column) -> bool:
    """Return whether a column holds spreads of scores that are columns themselves."""
    return columns.names_error(column.words) and not any(
        isinstance(cell, Value) and not (cell.error is None and cell.low is None)
        for cell in column.values
    )


def _holds_dates(column: Column) -> bool:
    """Return whether a column holds dates of an evaluation, not of a model's release."""
    is_named = column.words & columns.words_set(
        "date datum submitted evaluated day created updated timestamp"
    )
    of_release = column.words & columns.words_set("release released cutoff knowledge training")
    return bool(is_named and column.texts and not of_release) and all(map(day_of, column.texts))


def _holds_ranks(column: Column) -> bool:
    is_named = column.words & columns.words_set("rank place rang platz") or column.words == {"#"}
    plain_rank = not column.words & columns.SCORES_BY_RANK
    return bool(is_named) and plain_rank and 2 * len(set(column.numbers)) > len(column.numbers)


def _holds_n(column: Column) -> bool:
    """Return whether a column holds numbers of items, by name or by equal cells."""
    counts = [cell.n or cell.number for cell in column.values if isinstance(cell, Value)]
    if not counts or any(count < 1 or count % 1 for count in counts):
        return False
    is_same = 2 * counts.count(max(counts)) > len(counts)
    of_n = columns.OF_N | (columns.ITEMS if column.name.startswith("#") else set())
    of_test = {"test"} < column.key or column.key == {"sample", "size"}
    counts_items = column.key & (columns.N | {"total", "num", "#"})
    if (counts_items or of_test) and not column.key - of_n:
        weak = map(columns.words_set, ("tasks tests cases files images", "total num count"))
        is_sure = not any(column.key <= names for names in weak)
        return is_sure or (is_same and "/" not in "".join(column.texts))
    others = columns.MEASURES | columns.OTHER | columns.ERROR_RATES | columns.RUNS
    is_named = column.key & columns.COUNTS and not column.words & others
    return bool(is_named) and is_same and max(counts) >= FEWEST_COUNTED and len(counts) > 1


def _holds_tasks(column: Column) -> bool:
    """Return whether a column may hold tasks: no numbers of items, and no sentences."""
    is_named = column.words & columns.TASKS and not columns.numbers_items(column.name)
    return bool(is_named) and not column.unfit


def _describes_rows(column: Column) -> bool:
    """Return whether a column says where a row stands or who made the row."""
    words = column.words
    ranked = words & columns.SCORES_BY_RANK and {"rank", "ranking"}
    in_percent = column.names_score and any(
        isinstance(cell, Value) and cell.percent for cell in column.values
    )
    foreign = not in_percent and words & columns.OTHER - ranked
    # 0.62 is no number of shots.
    scored = column.names_score or ("shot" in words and not column.whole)
    beside = words & (columns.MEASURES | columns.COUNTS - {"total", "n"}) and not scored
    if not words:
        return column.whole or not column.name
    return bool(
        _COUNT_OF_EVENTS.match(column.name)
        or words & columns.words_set("δ delta gap difference improvement")
        or _UNIT.search(column.name)
        or foreign
        or beside
        or words <= columns.words_set("index row column 1 no")
        or words <= columns.ITEMS
    )


# The first role that fits is a column's.
ROLES = (
    Role("error", _holds_errors),
    Role("date", _holds_dates),
    Role("rank", _holds_ranks),
    Role("n", lambda column: column.numeric and _holds_n(column)),
    Role("run", lambda column: columns.names_run(column.name)),
    Role("other", lambda column: column.numeric and _describes_rows(column)),
    Role("score", lambda column: column.numeric),
    Role("task", _holds_tasks),
    Role("other", lambda _: True),
)


def layout(sheet: Sheet, *, of_tasks: bool = False) -> Layout | None:
    """Return what the columns of a sheet are; None if no column holds models, or none scores.

    Names of tasks, such as ``GunPointAgeSpan``, do not say that a column is of something else.
    """
    table = columns_of(sheet)
    model = _model(table)
    if model is None:
        return None
    model.role = "model"
    if of_tasks:
        _take_measures_for_tasks(table)
    ends = _ends(table)
    for relate in RELATIONS:
        relate(table)
    _assign("score", (column for column in table if column.is_stated))
    # Columns of our names go before others.
    ours_first = sorted(table, key=lambda column: column.name not in OURS)
    of = group_values((column.role, column.place) for column in ours_first)
    first = {role: places_of[0] for role, places_of in of.items()}
    scores = of.get("score", [])
    if not scores:
        return None
    tasks = _tasks(table, model)
    return Layout(
        _join_tasks(sheet, tasks) if tasks else sheet,
        model.place,
        scores[:1] if table[scores[0]].name == "score" else scores,
        of.get("aggregate", []),
        of.get("n", []),
        first.get("date"),
        tasks[0].place if tasks else None,
        first.get("run"),
        of.get("error", []),
        ends,
        first.get("rank"),
        bool(model.words & (columns.MODEL | columns.SETTINGS)) or _look_like_models(model),
        [column.values for column in table],
    )


def _take_measures_for_tasks(table: Table) -> None:
    """Take columns that are called like measures for scores where their numbers can be scores."""
    top = max((n for column in _select(table, "score") for n in column.numbers), default=0)
    measures = (c for c in _select(table, "other") if c.numeric and not c.whole)
    _assign("score", [c for c in measures if max(c.numbers) <= (1 if top <= 1 else 100)])


def columns_of(sheet: Sheet) -> list[Column]:
    """Return the columns of a sheet."""
    cells = list(zip(*sheet.rows, strict=True)) or [()] * len(sheet.columns)
    return [
        Column(place, name, cells[place], is_stated=name == sheet.score)
        for place, name in enumerate(sheet.columns)
    ]


def _model(table: Table) -> Column | None:
    """Return the column of models: named so, else the first of text that hardly repeats."""
    exact = next((column for column in table if column.name in ("model", ACROSS)), None)
    if exact is not None and not (_holds_metrics(exact) and len(_models_across(table)) > 1):
        return _methods_of(exact, table) or exact
    models = min(
        (column for column in table if _may_be_models(column)),
        key=lambda column: (_strength(column), -len(set(column.texts)), column.place),
        default=None,
    )
    if models is None:
        return _second_of_unnamed(table) or _crossed_with_tasks(table) or _repeated_file(table)
    if len(set(models.texts)) == 1 and (settings := _methods_of(models, table)) is not None:
        return settings
    return None if _is_doubtful(models, table) and not _look_like_models(models) else models


def _is_doubtful(models: Column, table: Table) -> bool:
    """Return whether texts may be answers of a log, or benchmarks or metrics below models."""
    names = [column.name for column in table]
    numeric = [c.name for c in table if c.numeric]
    across = list(filter(columns.looks_like_model, numeric))
    if _holds_metrics(models):
        across = [c.name for c in _models_across(table)]
    elif not models.words & columns.MODEL:
        methods = next(iter(columns.split_names(numeric).values()), {})
        across = across or list(filter(columns.names_method, methods))
    allowed = columns.MODEL - {"name" if "item" in names else ""}
    return len(across) > 1 or (columns.describe_log(names) and not models.words & allowed)


def _second_of_unnamed(table: Table) -> Column | None:
    """Return the second of two unnamed columns of text that together name the rows."""
    texts = [c for c in table[:2] if not c.numeric and re.fullmatch(r"(column \d)?", c.name)]
    return texts[1] if len(texts) == 2 and _name_rows(texts) else None


def named_by_texts(sheet: Sheet) -> Sheet | None:
    """Return a table with a column of models, where several columns together name each row.

    They are those of text and, where these leave rows alike, the settings before the scores.
    """
    table = columns_of(sheet)
    texts = [
        c
        for c in table
        if c.texts and not (c.numeric or (c.unfit and not c.words & columns.SETTINGS))
    ]
    is_enough = _name_rows(texts) or len(sheet.rows) == 1
    settings = [] if is_enough else _settings(table)
    labels = [*texts, *settings]
    foreign = columns.ROWS | columns.WRITTEN | columns.OTHER | {"type", "metric", "winner"}
    is_log = columns.describe_log(sheet.columns) or any(c.words & foreign for c in texts)
    if len(labels) < 2 or is_log or not _name_rows(labels):
        return None
    further = [c for c in table if c not in labels]
    rows = [list(row) for row in zip(_join_cells(labels), *(c.cells for c in further))]
    note = f"each row is a model, named by {listed(c.name for c in labels)} together"
    titles = ["model", *(c.name for c in further)]
    return replace(sheet, columns=titles, rows=rows, notes=[*sheet.notes, note])


def _settings(table: Table) -> Table:
    """Return the numeric columns before the first score, unless some count the rows."""
    of_scores = columns.NAMES_OF_METRICS - {"rate"}  # which may be that of learning
    first = next((c.place for c in table if c.words & of_scores), 0)
    settings = [c for c in table[:first] if c.numeric]
    return [] if any(c.words & columns.COUNTERS for c in settings) else settings


def _crossed_with_tasks(table: Table) -> Column | None:
    """Return the first column of names that have a row for each task of another column."""
    texts = [c for c in table if not (c.numeric or c.unfit or c.words & columns.OTHER)]
    tasks = [column for column in texts if column.words & columns.ROWS]
    foreign = columns.ROWS | columns.NO_MODELS | {"mode"}
    for column in texts:
        several = not column.words & foreign and len(set(column.texts)) > 1
        crossed = (_name_rows([column, task]) and _divides(task, column.texts) for task in tasks)
        if several and any(crossed) and not _is_doubtful(column, table):
            return column
    return None


def _repeated_file(table: Table) -> Column | None:
    """Return the only column of text, if it names files of several rows each."""
    texts = [column for column in table if not column.numeric]
    is_file = len(texts) == 1 and texts[0].words & {"file", "path"}
    return texts[0] if is_file and not _name_rows(texts) else None


def _methods_of(model: Column, table: Table) -> Column | None:
    """Return the column of methods, systems or teams that use few models, or settings of one."""
    models, rows = len(set(model.texts)), len(model.cells)
    # A model with a row for each task is the subject; what also names the rows are their runs.
    tasks = [c for c in table if c.words & columns.ROWS and not c.numeric]
    few = 2 * models <= rows and not any(_name_rows([model, task]) for task in tasks)
    # Paths lead to models and are none.
    others = [c for c in table if c is not model and any(t.count("/") < 2 for t in c.texts)]
    method = _model(others) if few else None
    if method is None or (models > 1 and len(set(method.texts)) < 0.8 * rows):
        return None
    names = columns.SETTINGS if models == 1 else frozenset()
    return method if method.words & names.union(*columns.MODELS[1:]) else None


def _look_like_models(column: Column) -> bool:
    """Return whether most cells look like names of models."""
    return columns.are_most(columns.looks_like_model, column.texts)


def _strength(column: Column) -> int:
    """Return how surely a column names models: 0 is the surest."""
    if column.words == {"model"}:
        return 0
    matches = [column.words & names for names in columns.MODELS]
    if matches[0] and column.words & columns.words_set("base editor judge gpu"):
        return 3
    return next((place for place, match in enumerate(matches, start=1) if match), 5)


def _may_be_models(column: Column) -> bool:
    texts, words = column.texts, column.words
    # Ranks and wins are those of columns.
    of_ranks = not words and any(columns.words(text) & {"rank", "wins"} for text in texts)
    differ = {text[:1] for text in texts} <= set("+-−")
    unnamed = differ or 2 * len(texts) < len(column.cells) or all(map(day_of, texts))
    if (
        column.numeric
        or column.unfit
        or unnamed
        or words & columns.NO_MODELS
        or of_ranks
        or (words - columns.NUMBERS and columns.numbers_items(column.name))
        or _is_corner(column)
    ):
        return False
    is_named = words - columns.ROWS == {"name"} != words  # as dataset_name
    if words & columns.MODEL and not is_named:
        return True
    # The rows of a table whose columns are models, unless they have names of models.
    of_tasks = words & columns.TASKS or (words & columns.ROWS and not _look_like_models(column))
    sentences = sum(len(text.split()) > MOST_WORDS for text in texts)
    return not of_tasks and 2 * sentences <= len(texts) and len(set(texts)) >= 0.8 * len(texts)


def _tasks(table: Table, model: Column) -> list[Column]:
    """Return the columns of tasks, where models have a row for each.

    They are one that is named so, and those whose texts or horizons cross with the models, as
    groups do, if no two rows are then alike and no settings of the models tell them apart.
    """
    models = list(map(str, model.cells))
    candidates, runs = _select(table, "task"), _select(table, "run")
    several = bool(runs) and not _name_rows([model, *runs])
    named = [
        c
        for c in candidates
        if c.words & {"task", "benchmark"}
        or (several and _name_rows([model, c, *runs]))
        or _divides(c, models)
    ][:1]
    settings = [c for c in table if c is not model and c.words & columns.SETTINGS]
    tasks, rows = list(named), _join_cells([model, *named])
    single = len(set(models)) == 1 or (named and _name_rows([model, *named, *settings]))
    further = [] if single else filter(_may_part_tasks, _select(table, "other", "metric"))
    for column in further:
        joined = _join_cells([model, *tasks, column])
        # Most models are in several groups.
        if 3 * len(set(joined)) >= 4 * len(set(rows)) and _divides(column, rows):
            tasks.append(column)
            rows = joined
    return tasks if _name_rows([model, *tasks, *settings]) else named


def _may_part_tasks(column: Column) -> bool:
    """Return whether a column may hold parts of tasks: texts but settings, or horizons."""
    others = columns.SETTINGS | columns.RATERS | columns.OTHER | columns.MODEL
    others |= columns.LOGGED | columns.SPOKEN
    # Tasks have names in all rows.
    is_foreign = column.unfit or column.words & others or any(map(blank, column.cells))
    return not (column.numeric or is_foreign) or "horizon" in column.words


def _name_rows(joined: Table) -> bool:
    """Return whether the cells of columns together name each row."""
    names = _join_cells(joined)
    return 0 < len(set(names)) == len(names)


def _join_cells(joined: Table) -> list[str]:
    """Return the cells of columns, joined row by row."""
    return [" ".join(map(str, cells)) for cells in zip(*(column.cells for column in joined))]


def _join_tasks(sheet: Sheet, tasks: Table) -> Sheet:
    """Return the sheet with the cells of all columns of tasks in the first."""
    place, names = tasks[0].place, _join_cells(tasks)
    rows = [[*row[:place], task, *row[place + 1 :]] for row, task in zip(sheet.rows, names)]
    return replace(sheet, rows=rows)


def _divides(column: Column, models: Sequence[str]) -> bool:
    """Return whether a column names tasks: models have several, which models share."""
    names, distinct = set(map(str, column.cells)), set(models)
    pairs = set(zip(models, map(str, column.cells)))
    shared = len(distinct) == 1 or 2 * len(names) <= len(pairs)
    enough = len(pairs) > len(distinct) and len(pairs) * min(2 * len(distinct), 4) >= len(models)
    return shared and len(names) > 1 and enough


def _ends(table: Table) -> list[tuple[int, int]]:
    """Return pairs of columns that differ by 'lower' and 'upper' alone, never the wrong way."""
    exact = {column.name: column.place for column in table if column.name in ("lower", "upper")}
    if len(exact) == 2:
        return [(exact["lower"], exact["upper"])]
    numeric = [column for column in table if column.numeric]
    highs = {c.words - columns.HIGH: c for c in numeric if c.words & columns.HIGH}
    pairs = []
    for low in (column for column in numeric if column.words & columns.LOW):
        high = highs.get(low.words - columns.LOW)
        if high is not None and all(a <= b for a, b in _pairs(low, high)):
            pairs.append((low.place, high.place))
            _assign("end", [low, high])
    return pairs


# Relations between columns: each may change roles.


def _select(table: Table, *names: str) -> list[Column]:
    return [column for column in table if column.role in names]


def _assign(role: str, assigned: Iterable[Column]) -> None:
    """Give columns another role."""
    for column in assigned:
        column.role = role


def _numbers_of_rows(column: Column, *others: Column) -> list[list[float]]:
    """Return the numbers of columns, row by row where the first has a number."""
    rows = zip(column.values, *(other.values for other in others))
    return [numbers_of(row) for row in rows if isinstance(row[0], Value)]


def _pairs(column: Column, other: Column) -> list[tuple[float, float]]:
    """Return the numbers of two columns in the rows where both have numbers."""
    return [(row[0], row[1]) for row in _numbers_of_rows(column, other) if len(row) > 1]


def _relate_right_to_total(table: Table) -> None:
    """Read counts of right answers as shares of how many were tried, which is n.

    Beside scores that are named so, only n is read.
    """
    counts = []
    for right in _select(table, "score", "other"):
        if totals := _totals_of(right, table):
            right.values = list(map(_share, right.values, totals))
            counts.append(right)
    if counts:
        scores = [column for column in _select(table, "score") if column not in counts]
        by_name = [column for column in scores if column.words & columns.NAMES_OF_SCORES]
        _assign("other", [*scores, *counts])
        _assign("score", by_name or counts)


def _add_confusions(table: Table) -> None:
    """Read the sum of the four counts of a confusion as n."""
    counts = [c for c in table if c.key & columns.words_set("tn fp fn tp")]
    if len(counts) == 4 and all(len(c.numbers) == len(c.cells) and c.whole for c in counts):
        counts[0].values = [Value(math.fsum(row)) for row in zip(*(c.numbers for c in counts))]
        counts[0].role = "n"


def _share(right: Read, total: Read) -> Read:
    """Return a count of right answers as a share of how many were tried."""
    if isinstance(right, Value) and isinstance(total, Value) and total.number:
        return Value(right.number / total.number, n=int(total.number), decimals=12)
    return right


def _totals_of(right: Column, table: Table) -> list[Read]:
    """Return of how many a column counts right answers; nothing of other columns.

    Its name, a column of totals or numbers that are no percentages of so many items say so.
    """
    name = join_thousands(right.name)
    of = _OF_MANY.search(name)
    words = columns.words(_OF_MANY.sub("", name.rpartition(".")[2]))
    if not words & columns.COUNTED or any(number % 1 for number in right.numbers):
        return []
    if of and all(number <= float(of[1]) for number in right.numbers):
        return [Value(float(of[1]))] * len(right.cells)
    return _totals_beside(right, words, table)


def _totals_beside(right: Column, words: frozenset[str], table: Table) -> list[Read]:
    """Return the column of how many were tried beside a count, and give it the role of n.

    Both have the same further words, as ``math_correct`` and ``math_total``, or none; or n is the
    sum of the right answers and other outcomes.
    """
    part = words - columns.COUNTED - columns.OF_N - {"out"}
    parent = right.name.rpartition(".")[0]
    for total in (*_select(table, "n"), *_select(table, "other", "score")):
        pairs = _pairs(right, total)
        is_n = total.name == f"{parent}.n".removeprefix(".") and not words & columns.RATES
        foreign = not is_n and total.key - columns.TRIED != part
        foreign = foreign and not _sums_outcomes(total, right, table)
        is_named = total.words & columns.TRIED and total is not right and not foreign
        if not is_named or not pairs or any(not 0 <= a <= b for a, b in pairs):
            continue
        sure = "total" in total.key or words & {"num", "number", "count", "#"} or _count(pairs)
        if sure or (is_n and parent):
            total.role = "n"
            return total.values
    return []


def _sums_outcomes(total: Column, right: Column, table: Table) -> bool:
    """Return whether a total is the sum of right answers and of all other outcomes."""
    of_all = columns.COUNTED | columns.TRIED
    outcomes = [c for c in _select(table, "score", "other") if c.whole and not c.words & of_all]
    return _is_sum(total, [right, *outcomes])


def _count(pairs: Sequence[tuple[float, float]]) -> bool:
    """Return whether numbers are counts, since some are no percentages of so many items."""
    return any(a > 100 or abs(a * n / 100 - round(a * n / 100)) > n / 200 for a, n in pairs)


def _leave_counts_out(table: Table) -> None:
    """Leave out whole numbers beside columns of other numbers, or of named scores."""
    scores = _select(table, "score")
    whole = [column for column in scores if column.whole]
    if _has_sum(scores):
        return
    grades = [c for c in whole if GRADE.search(c.name)] if len(whole) < len(scores) else []
    by_name = [column for column in scores if column.names_score and column not in grades]
    if by_name or 2 * len(whole) < len(scores):
        keep = {*by_name, *filter(_names_mean, whole)}
        _assign("other", (column for column in whole if column not in keep))


def _names_mean(column: Column) -> bool:
    """Return whether a column is named for an average or total, not for the index of an item."""
    counted = columns.ITEMS | {"positives", "negatives", "answer"}
    return bool(column.words & columns.AGGREGATES) and not column.words & counted


def _has_sum(scores: Table) -> bool:
    """Return whether an average or total is the sum of the other columns."""
    totals = [column for column in scores if column.words & columns.AGGREGATES]
    parts = [column for column in scores if column not in totals]
    return len(parts) > 1 and any(_is_sum(column, parts) for column in totals)


def _leave_rare_out(table: Table) -> None:
    """Leave out scores that few rows have beside one of all rows, and constants above 100."""
    scores = _select(table, "score")
    same = (c for c in scores if len(c.numbers) > 2 and 100 < min(c.numbers) == max(c.numbers))
    _assign("other", same if len(scores) > 1 else ())
    if any(len(column.numbers) == len(column.cells) for column in scores):
        others = (column for column in scores if column.name != "score")
        rare = (column for column in others if 10 * len(column.numbers) < len(column.cells))
        _assign("other", rare)


def _leave_other_units_out(table: Table) -> None:
    """Leave out numbers above 100 beside few named scores, and the twin of a score.

    Its twin is the raw score, that of the training set, or the sum beside the mean.
    """
    scores = _select(table, "score")
    names = [column.words - columns.HEADLINES for column in scores]
    shares = [c for c in scores if c.names_score and max(c.numbers, default=0) <= 100]
    few = shares and len(scores) <= MOST_METRICS
    for column in scores:
        in_percent = any(c.words - {"%", "pct", "percent", "rate"} == column.words for c in shares)
        is_other = in_percent or (few and not column.names_score)
        beyond = is_other and max(column.numbers, default=0) > 100
        twin = column.words & columns.TWINS
        if beyond or (twin and column.words - twin - columns.HEADLINES in names):
            column.role = "other"


def _leave_complements_out(table: Table) -> None:
    """Leave out rates of failures that are what the rates of successes leave of 1 or 100."""
    scores = _select(table, "score")
    for column in scores if len(scores) <= 2 * MOST_METRICS else []:
        faults = column.words & (columns.ERROR_RATES | columns.FAULTS)
        others = (_pairs(column, other) for other in scores if other is not column)
        if faults and any(map(_complete, others)):
            column.role = "other"


def _leave_differences_out(table: Table) -> None:
    """Leave out columns that are in each row the difference of the same two columns before."""
    scores = [c for c in _select(table, "score") if len(c.numbers) == len(c.cells) > 2]
    for place, column in enumerate(scores[:MOST_COMPARED]):
        pairs = combinations([c.numbers for c in scores[:place]], 2)
        if any(all(map(_differ_by, *pair, column.numbers)) for pair in pairs):
            column.role = "difference"


def _differ_by(a: float, b: float, gap: float) -> bool:
    return math.isclose(abs(a - b), abs(gap), rel_tol=0.01, abs_tol=1e-9)


def _complete(pairs: Sequence[tuple[float, float]]) -> bool:
    """Return whether two numbers add up to 1, or to 100, in most of several rows."""
    return len(pairs) > 2 and any(
        sum(abs(a + b - whole) < 0.002 * whole for a, b in pairs) > 0.8 * len(pairs)
        for whole in (1, 100)
    )


def _set_aggregates_apart(table: Table) -> None:
    """Tell averages, as a score is that is the only score or the mean, from two tasks or more.

    A column that lies beyond all tasks in most rows is another metric, but for a mean win rate and
    a sum; so is the mean of a metric that most tasks do not have.
    """
    scores = _select(table, "score")
    tasks = [column for column in scores if not column.words & columns.AGGREGATES]
    own = [column for column in tasks if "score" in column.words]
    if len(own) == 1 and _sums_up(own[0], tasks):
        tasks.remove(own[0])
    averages = [c for c in scores if c not in tasks and _is_average(c, tasks, table)]
    _assign("aggregate", averages if tasks[1:] else ())


def _sums_up(column: Column, tasks: Table) -> bool:
    """Return whether no column but a score is named a metric, or the score is the mean of all."""
    others = [c for c in tasks if c is not column]
    is_sum = len(others) > 2 and _is_sum(column, others)
    return is_sum or not any(c.words & columns.TERMS_OF_METRICS for c in others)


def _is_average(column: Column, tasks: Table, table: Table) -> bool:
    metrics = columns.METRICS | columns.UNBOUNDED
    metric = column.words & metrics
    alike = [c for c in tasks if not metric or c.words & metrics <= metric]
    return 2 * len(alike) > len(tasks) and bool(
        column.words & {"win", "winrate"}
        or _lies_between(column, tasks)
        or _is_sum(column, tasks)
        or _is_sum(column, [c for c in table if c.numeric and c is not column])
    )


def _is_sum(column: Column, tasks: Table) -> bool:
    """Return whether most numbers of a column are the sums, or means, of all tasks'."""
    whole = [row for row in _numbers_of_rows(column, *tasks) if len(row) > len(tasks)]
    hits = [
        any(math.isclose(k * total, math.fsum(parts), rel_tol=0.01) for k in (1, len(parts)))
        for total, *parts in whole
    ]
    return columns.are_most(bool, hits)


def _lies_between(column: Column, tasks: Table) -> bool:
    """Return whether most numbers of a column are neither above nor below all tasks'."""
    rows = [row for row in _numbers_of_rows(column, *tasks) if len(row) > 1]
    inside = (min(parts) * 0.99 <= mean <= max(parts) * 1.01 for mean, *parts in rows)
    return 2 * sum(inside) >= len(rows)


def _relate_counts_to_scores(table: Table) -> None:
    """Read the count beside a spread, as summaries of answers have it, and 4/5 beside 80 % as n."""
    if _select(table, "error"):
        _assign("n", (column for column in table if column.key == {"count"}))
    scores = _select(table, "score")
    for column in scores if len(scores) <= 2 * MOST_METRICS else []:
        is_share = all(isinstance(cell, Value) and cell.n for cell in column.values)
        beside = set(_select(table, "score")) - {column}
        if is_share and any(_are_percent(_pairs(c, column)) for c in beside):
            column.role = "n"


def _are_percent(pairs: Sequence[tuple[float, float]]) -> bool:
    """Return whether all pairs are a percentage and its share, or all the same share twice."""
    return any(b for _, b in pairs) and any(
        all(abs(a / unit - b) < 0.006 for a, b in pairs) for unit in (1, 100)
    )


RELATIONS = (
    _add_confusions,
    _relate_right_to_total,
    _relate_counts_to_scores,
    _leave_rare_out,
    _leave_counts_out,
    _leave_other_units_out,
    _leave_complements_out,
    _set_aggregates_apart,
)


# Repeats side by side, orientation, and decimal commas.


def stack_runs(sheet: Sheet) -> Sheet:
    """Return a sheet with a row a run where the runs of a score are columns: run1, run2."""
    runs = [name for name in sheet.columns if _RUN.search(name)]
    if len(runs) < 2 or len({_RUN.sub("", name) for name in runs}) > 1:
        return sheet
    beside = [name for name in sheet.columns if name not in runs]
    means = [name for name in beside if columns.words(name) & columns.AGGREGATES]
    summaries = columns.AGGREGATES | columns.ERRORS
    labels = [name for name in beside if not columns.words(name) & summaries]
    score = [*means, _RUN.sub("", runs[0]) or "score"][0]
    frame = sheet.frame()[[*labels, *runs]].melt(labels, runs, "run", score, ignore_index=False)
    notes = [*sheet.notes, f"{listed(runs)} are repeats of a score"]
    stacked = Sheet.convert(frame)
    return replace(stacked, name=sheet.name, ragged=sheet.ragged, about=sheet.about, notes=notes)


def split_columns(sheet: Sheet) -> Sheet | None:
    """Return a table with a row for each model in the columns' names; None of another table.

    A single row is mostly a model's own.
    """
    table = columns_of(sheet)
    cells = {column.name: column.cells for column in table}
    _leave_differences_out(table)
    scored = _select(table, "score", "error")
    beside = [c.name for c in table if c.role not in ("score", "error", "difference")]
    metrics = _group_by_metric(scored)
    sources = {*beside, *chain.from_iterable(of.values() for of in metrics.values())}
    models = list(next(iter(metrics.values()), ()))
    # Answers to items are scored by criteria, and beside their parts as a whole.
    whole = set(metrics) == {"score"} or len(scored) > len(models) * len(metrics)
    if whole and columns.describe_log(sheet.columns):
        models = list(filter(columns.names_method, models))
    rows = [
        [model, *row]
        for model in models
        for row in zip(*(cells[n] for n in [*beside, *(of[model] for of in metrics.values())]))
    ]
    if not models or len(sheet.rows) < 2:
        return None
    leftovers = [name for name in sheet.columns if name not in sources]
    titles, lines = [ACROSS, *beside, *metrics], sheet.lines * len(models)
    return replace(sheet, columns=titles, rows=rows, lines=lines, leftovers=leftovers)


def _group_by_metric(scored: Table) -> dict[str, dict[str, str]]:
    """Return columns by the metric and the model in their names.

    Names are models as a whole where a single metric in them would lose scores of the same scale,
    unless one is a metric.
    """
    metrics = columns.split_names([column.name for column in scored])
    models = tuple(chain.from_iterable(metrics.values()))
    tops = group_values((c.name.startswith(models), max(c.numbers)) for c in scored)
    top = max(tops.get(True, (0,)))
    is_lossy = any(top <= 2 * number <= 4 * top for number in tops.get(False, ()))
    if not is_lossy or len(metrics) > 1:
        return metrics
    if any(columns.names_metric_alone(c.words) for c in scored):
        return {}
    return {"score": {c.name: c.name for c in scored}}


def metrics_down(sheet: Sheet) -> Sheet | None:
    """Return a table of a number for each metric as one row; None of another table."""
    first, *further = columns_of(sheet)
    numbers = [list(column.cells) for column in further if column.numeric]
    are_metrics = columns.are_most(columns.names_metric_alone, [*map(columns.words, first.texts)])
    if len(numbers) != 1 or not (are_metrics and _name_rows([first])):
        return None
    return replace(sheet, columns=first.texts, rows=numbers, lines=sheet.lines[:1])


def _holds_metrics(column: Column) -> bool:
    """Return whether at least half of the cells are names of scores."""
    return 0 < len(column.texts) <= 2 * sum(map(columns.names_score, column.texts))


def turned(sheet: Sheet) -> Sheet | None:
    """Return a table of benchmarks down and models across turned round; None of another table."""
    table = columns_of(sheet)
    tasks = _tasks_down(table)
    across = _models_across(table)
    counts = _counts_outcomes(table)
    if tasks is None or len(across) < 2 - _is_corner(tasks) or counts:
        return None
    titles = _titles_of(tasks, table)
    # The rows of a log repeat the kinds of its items.
    if 2 * len({*titles}) <= len(titles):
        return None
    header, filled = ["model"], []
    for row, task in enumerate(titles):
        if not blank(task) and "wins" not in columns.words(task):
            header.append(f"{task} ({len(header)})" if task in header else task)
            filled.append(row)
    rows = [[plain(column.name), *(column.cells[row] for row in filled)] for column in across]
    note = "benchmarks are the rows and models the columns: the table is turned"
    leftovers = [c.name for c in table if c.numeric and c not in across and c.role != "n"]
    lines = [sheet.lines[0] - 1 if sheet.lines else 1] * len(rows)
    notes = [*sheet.notes, note]
    return replace(sheet, columns=header, rows=rows, lines=lines, notes=notes, leftovers=leftovers)


def _counts_outcomes(table: Table) -> bool:
    """Return whether a column counts outcomes, or right answers of a number of items."""
    return any(c.words & columns.OUTCOMES or _totals_of(c, table) for c in table)


def _models_across(table: Table) -> list[Column]:
    """Return the columns that may be models, unless more columns are metrics by name."""
    numeric = [column for column in table if column.numeric]
    models = list(filter(_may_be_a_model, numeric))
    metrics = [column for column in numeric if column.names_score and column not in models]
    return models if len(models) >= len(metrics) else []


def _titles_of(tasks: Column, table: Table) -> list[str]:
    """Return the names of tasks, with the n that stands in their rows."""
    sizes = next((column.numbers for column in table if column.role == "n"), [])
    titles = _label_rows(tasks, table)
    if len(sizes) < len(titles):
        return titles
    return [f"{title} (n={n:.0f})" for title, n in zip(titles, sizes)]


def continue_names(sheet: Sheet) -> Sheet:
    """Return the sheet with the name above in empty first cells, if a text tells the rows apart.

    The text is beside the names, or repeats and so names no models.
    """
    names = fill_gaps(row[0] for row in sheet.rows)
    filled = replace(sheet, rows=[[name, *row[1:]] for name, row in zip(names, sheet.rows)])
    column, *texts = columns_of(filled)
    texts = [c for c in texts if not (c.numeric or (c.place > 1 and _may_be_models(c)))]
    return filled if any(_name_rows([column, c]) for c in texts) else sheet


def split_by_unit(sheet: Sheet) -> list[Sheet]:
    """Return a sheet's tables where only some of the types of its tasks have scores above 1."""
    kinds = next((c.cells for c in columns_of(sheet) if c.words == {"type"}), ())
    if not kinds or layout(sheet) is not None:
        return [sheet]
    rows = group_values((str(cell), row) for row, cell in enumerate(kinds))
    parts = [
        replace(sheet.select(places), name=f"{sheet.name} {kind}".strip())
        for kind, places in rows.items()
    ]
    units = {any(n > 1 for c in columns_of(part) for n in c.numbers) for part in parts}
    return parts if len(units) > 1 else [sheet]


def _tasks_down(table: Table) -> Column | None:
    """Return the column of tasks of a table that has no column of models."""
    texts = [column for column in table if not column.numeric]
    general = columns.MODEL | columns.words_set("metric metrics measure key")
    first = [
        c
        for c in texts[:1]
        if _is_corner(c) or (not c.place and (c.words <= general or _holds_metrics(c)))
    ]
    task_columns = [column for column in texts if column.words & columns.ROWS] or first
    labels = (column for column in texts if column not in [*first, *task_columns])
    has_models = any(column.words & columns.MODEL for column in labels)
    return task_columns[-1] if task_columns and not has_models else None


def _label_rows(tasks: Column, table: Table) -> list[str]:
    """Return the names of tasks; below a name that spans rows, with the kinds beside it."""
    names = [plain(str(cell)) for cell in tasks.cells]
    kinds = next((c for c in table[tasks.place + 1 :] if not (c.numeric or c.unfit)), None)
    if kinds is None or all(names) or not names[0]:
        return names
    return [
        f"{name} {plain(str(kind))}".strip() for name, kind in zip(fill_gaps(names), kinds.cells)
    ]


def _is_corner(column: Column) -> bool:
    """Check whether a name says what the rows are, then the columns, as ``dataset/model``."""
    rows, _, across = column.name.partition("/")
    return bool(columns.words(rows) & columns.ROWS and columns.words(across) & columns.MODEL)


def _may_be_a_model(column: Column) -> bool:
    """Return whether a column of numbers may hold the scores of a model that is its name."""
    if columns.looks_like_model(column.name):
        return True
    is_named = column.names_score or column.words & (columns.AGGREGATES | columns.TERMS_OF_METRICS)
    is_logged = column.words & (columns.NUMBERED | columns.EXPECTED | columns.WRITTEN)
    return not (
        is_named
        or is_logged
        or columns.names_run(column.name)
        or _describes_rows(column)
        or column.words & (columns.N | columns.words_set("value train test validation"))
        or columns.names_error(column.words)
    )


def set_points(sheet: Sheet) -> Sheet:
    """Return the sheet with decimal points for decimal commas, and nothing between thousands.

    It is changed if no number has a decimal point and most numbers of a column have a decimal
    comma, or all of a column of items or ratings a point between thousands.
    """
    texts = [[_short(cell) for cell in row] for row in sheet.rows]
    numbers = [[text if _WITH_COMMAS.fullmatch(text) else "" for text in row] for row in texts]
    pointed = any(_POINT.search(text) and value(text) != text for row in texts for text in row)
    if pointed or not any(map(_hold_commas, sheet.columns, zip(*numbers))):
        return sheet
    rows = [list(map(_set_point, *pair)) for pair in zip(numbers, sheet.rows)]
    return replace(sheet, rows=rows, notes=[*sheet.notes, "commas are decimal, 1.470 is 1470"])


def take_grades(sheet: Sheet) -> Sheet:
    """Return the sheet with 7.5 for 7.5/10 and, in the same column, 8 for 8/10."""
    graded = {c.place for c in columns_of(sheet) if any(map(_GRADE.fullmatch, c.texts))}
    if not graded:
        return sheet
    rows = [
        [
            _OF_GRADE.sub("", str(cell)) if place in graded else cell
            for place, cell in enumerate(row)
        ]
        for row in sheet.rows
    ]
    return replace(sheet, rows=rows)


def _set_point(number: str, cell: Any) -> Any:
    """Return a number with a decimal point; the cell where there is no number."""
    return _BETWEEN.sub("", number).replace(",", ".") or cell


def _short(cell: Any) -> str:
    """Return a cell's text, nothing of a text too long for a number."""
    text = str(cell)
    return " ".join(plain(text).replace("−", "-").split()) if len(text) <= 200 else ""


def _hold_commas(name: str, cells: Sequence[str]) -> bool:
    """Return whether most numbers have a decimal comma, or all a point between thousands."""
    filled = [cell for cell in cells if not blank(cell)]
    return columns.are_most(COMMA.search, filled) or (
        bool(filled and columns.words(name) & (columns.N | columns.RATINGS))
        and all(map(_POINTED.fullmatch, filled))
    )
