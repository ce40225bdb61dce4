"""A leaderboard's rows, and what its text says: dates, and what is open."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from saturation.errors import Key, Unsettled, Violation, listed, refuse
from saturation.leaderboard.read import cells, columns, rows
from saturation.leaderboard.read.cells import FOOTNOTES, Read, Value, strip_links
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import Choice, Origin

# What a sentence counts, and the number before it; 'n=2k' and runs are none.
_COUNTED = "|".join(sorted(columns.UNITS))
STATED_N = re.compile(
    rf"(?<![\w.,–-])(\d{{1,3}}(?:,\d{{3}})+|\d{{2,6}})(?:[ \t]+(?:[\w-]+[ \t]){{0,2}}(?:{_COUNTED})"
    r"|-(?:question|problem|item|example|prompt|sentence))\b"
    r"|\b[nN] ?= ?(\d{1,3}(?:,\d{3})+|\d{2,6})(?![\w.]| ?(?:run|seed|trial))"
)
# What is no test set, in the words before a number or after it.
_UNTESTED = re.compile(r"(?i)train|tun(ed|ing)|token|param|shots?\b|validation|\bper\b|[*×] ?$")
_SIGNS = re.compile("^[🥇🥈🥉🏆 ]+|( [📑🔒✅])+$|" + FOOTNOTES.pattern)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_A_DAY = re.compile(
    r"\b(20\d\d([-/]?)[01]\d\2[0-3]\d|20\d\d-[01]\d(?!\d|-)|\d\d?\.\d\d?\.20\d\d"
    rf"|{_MONTH} (?:\d\d?(?:st|nd|rd|th)?,? )?20\d\d|\d\d?(?:st|nd|rd|th)? {_MONTH},? 20\d\d)\b"
)
_UPDATED = re.compile(r"(?:[Uu]pdated?|[Aa]s of)\W{0,3}(?:on )?" + _A_DAY.pattern)
_IN_NAME = re.compile(r"(20\d\d)[-_]?([01]\d)[-_]?([0-3]\d)(?!\d)")

# A metric in a heading, a caption or a file's name: RMSE ↓, wer_results.
_HEADED = re.compile(
    r"[\w@-]+ ?[↓↑]|(?i:(?<![a-z])(?:[wc]er|(?:word|character) error rate|mcc"
    r"|auroc|auprc|auc|rmse|mae|mse|mape|perplexity|spearman|pearson|kendall|kappa)(?![a-z]))"
)


@dataclass
class Questions:
    """Open questions of a table, with the proposed answers."""

    file: str
    sentences: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)

    def ask(self, *question: str | Key, **answers: Any) -> None:
        """Ask for the values of keys of the benchmark, once where the proposal is the same."""
        if not answers.items() <= self.answers.items():
            where = f"{self.file}: " if self.file else ""
            self.sentences.append(Violation(where, *question))
            self.answers |= answers

    def settle(self) -> None:
        """Raise what is open."""
        if self.sentences:
            raise Unsettled(self.sentences, self.answers)


Limits = tuple[float, float] | None


@dataclass
class Row:
    """Row of a model: its cells in a column of scores and beside that column."""

    line: int
    cells: dict[str, Any]
    values: list[Read]  # what the cell of each column says
    model: str
    value: Value | str


@dataclass
class Reading:
    """A column of scores in its table, with what is stated of it and what is open."""

    board: Layout
    place: int
    choice: Choice
    origin: Origin
    questions: Questions
    notes: list[str] = field(default_factory=list)
    limits: Limits = None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.board.name(self.place)

    @property
    def numbers(self) -> list[Value]:
        """The numbers in the column."""
        return self.board.numbers(self.place)

    @cached_property
    def sizes(self) -> int | None:
        """The column of the scores' numbers of items."""
        return self.board.n_of(self.place)

    @cached_property
    def metric(self) -> str:
        """The metric that a column names beside every score, the column's name, or a heading."""
        names = (name for name in self.board.sheet.columns if columns.words(name) & {"metric"})
        texts = {str(row.cells[name]) for name in list(names)[:1] for row in self.models}
        title = f"{self.board.sheet.name} {self.origin.path.stem}"
        if not (self.board.metrics or columns.words(self.name) & columns.TERMS_OF_METRICS):
            texts |= {*_HEADED.findall(title)}
        return texts.pop() if len(texts) == 1 else self.name

    @cached_property
    def models(self) -> list[Row]:
        """The rows of models that have a score."""
        return rows_of_models(self.board, self.place, self.notes)


def _places_of_humans(board: Layout) -> set[int]:
    """Return the rows that a column calls human; where most rows are, it tells of raters."""
    places = set()
    for column in zip(*board.sheet.rows):
        human = [n for n, cell in enumerate(column) if str(cell).strip().lower() == "human"]
        if 2 * len(human) < len(column):
            places.update(human)
    return places


def rows_of_models(board: Layout, place: int, notes: list[str]) -> list[Row]:
    """Return the rows of models that have a score; a note says what is left out."""
    models, silent, left_out = [], 0, []
    name = board.name(place)
    names = _names(board)
    values, humans, compared = zip(*board.values), _places_of_humans(board), _compared(names)
    rows_of_sheet = zip(board.sheet.lines, board.sheet.rows, values, names)
    for n, (line, row, parsed, model) in enumerate(rows_of_sheet):
        score = parsed[place]
        is_title = str(row[place]) in (name, model)  # of all columns, or of a section
        if score is None or is_title or (isinstance(score, str) and not model):
            silent += 1
        elif columns.describes_no_model(model) or n in humans or model in compared:
            left_out.append(model)
        elif board.run is not None and columns.describes_no_model(str(row[board.run])):
            left_out.append(f"{model} ({row[board.run]})")
        else:
            models.append(
                Row(line, dict(zip(board.sheet.columns, row)), list(parsed), model, score)
            )
    if left_out:
        why = "no models" + " or compare a model's conditions" * bool(compared)
        notes.append(f"left out, since they are {why}: {listed(dict.fromkeys(left_out))}")
    if silent:
        notes.append(f"{silent} rows have no score in '{name}'")
    return models


def _compared(names: Sequence[str]) -> set[str]:
    """Return rows of differences, X (en - sw), and of the two conditions the rarer, X (en)."""
    times = Counter(name.partition(" (")[2] for name in names)
    compared = set()
    for name in names:
        model, _, condition = name.partition(" (")
        tags = [f"{part.strip('()')})" for part in condition.split(" - ")]
        pair = {f"{model} ({tag}": times[tag] for tag in tags}
        if len(pair) > 1 and pair.keys() <= {*names}:
            compared |= {name, min(pair, key=pair.__getitem__)}
    return compared


def _names(board: Layout) -> list[str]:
    """Return the models' names without links and ornaments; names stay distinct."""
    texts = [rows.text(row[board.model]).strip() for row in board.sheet.rows]
    cleaned = {text: _SIGNS.sub("", strip_links(text)).strip() or text for text in set(texts)}
    times = Counter(cleaned.values())
    return [cleaned[text] if times[cleaned[text]] == 1 else text for text in texts]


def remarks_on(board: Layout, origin: Origin) -> list[str]:
    """Return remarks on the sheet itself; many rows that do not fit the header are refused."""
    sheet = board.sheet
    if 20 * len(sheet.ragged) > len(sheet.rows):
        refuse(f"{origin.file}, {line.removeprefix(f'{origin.file}, ')}" for line in sheet.ragged)
    left_out = (line.removeprefix(origin.file).lstrip(", ") for line in sheet.ragged)
    return [*sheet.notes, *(f"left out: {line}" for line in left_out)]


def day_of_board(board: Layout, origin: Origin, notes: list[str]) -> str | None:
    """Return the date of the whole table from the text around the table or the file's name.

    A text's date is the table's if the text has no later one and counts nothing by it.
    """
    if board.date is not None or origin.date:
        return None
    today = datetime.now(UTC).date().isoformat()
    stated = [pair for pair in _stated_days(board.sheet.about) if pair[0] <= today]
    if not stated:
        return _day_of_name(origin.path.name, today, notes)
    days = (cells.day_of(match[0]) or "" for match in _A_DAY.finditer(board.sheet.about))
    latest = max((day for day in days if day <= today), default="")
    day, sentence = max(stated)
    # Of a month alone, the first day is known.
    if latest[:7] > day[:7]:
        notes.append(f"not dated: the text says '{sentence}', but also names {latest}")
        return None
    notes.append(f"the date {day} is the text's: '{sentence}'")
    return day


def _day_of_name(name: str, today: str, notes: list[str]) -> str | None:
    date = _IN_NAME.search(name)
    day = cells.day_of("-".join(date.groups())) if date else None
    if not day or day > today:
        return None
    notes.append(f"the date {day} is that of the file's name")
    return day


def _stated_days(text: str) -> Iterator[tuple[str, str]]:
    """Yield the dates of updates that a text states, each with its words."""
    for update in _UPDATED.finditer(text):
        sentence = text[update.start(1) : update.start(1) + 120].partition("\n")[0]
        if STATED_N.search(sentence.partition(". ")[0]) is None and (
            day := cells.day_of(update[1])
        ):
            yield day, update[0]


def numbers_in_text(text: str) -> list[tuple[int, str]]:
    """Return the numbers of items that a text states, each with its words.

    Numbers of a sentence on training, tokens or shots are left out.
    """
    numbers = []
    for statement in STATED_N.finditer(text):
        before = re.split(r"[.;,:\n]|\band\b", text[: statement.start()][-60:])[-1]
        words = " ".join(statement[0].split())
        if not _UNTESTED.search(f"{before}{words}"):
            numbers.append((int((statement[1] or statement[2]).replace(",", "")), words))
    return numbers


def speaks_of_runs(text: str) -> str:
    """Return the words of a text that mention errors over runs, seeds or repeats."""
    for sentence in re.split(r"(?<=[.!?])\s|\n", text):
        low = sentence.lower()
        runs = re.search(
            r"\b(runs|seeds|repeats|repetitions|trials|replicates|replications)\b", low
        )
        numbered = re.search(r"\b\d+([ -]random)?[ -](seeds|folds?)\b", low)
        if numbered or (runs and re.search("±|standard error|std|deviation", low)):
            return " ".join(sentence.split())[:120]
    return ""
