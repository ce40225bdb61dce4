"""The rows that every importer gives back, and what may be chosen out of a file."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from numbers import Number
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from saturation.errors import (
    InputError,
    Key,
    NoResults,
    Unsettled,
    Violation,
    list_first,
    listed,
    refuse,
)
from saturation.leaderboard.read import columns
from saturation.leaderboard.read.cells import blank

if TYPE_CHECKING:
    import pandas as pd

# Level of intervals that do not say theirs.
CONFIDENCE = 0.95
# From here on, tasks are more like items than benchmarks.
MANY_TASKS = 20
# Names that a question lists, and how near a share is to what another number of samples makes it.
MOST_LISTED, MOST_OFF = 12, 0.01
# How far the error of a score may be from that of n right or wrong items: strata and grades lower
# it, clusters raise it somewhat.
LEAST_RATIO, MOST_RATIO = 0.2, 1.6


# The task that stands for the mean of a suite over its tasks.
AVERAGE = "average"


class Bounds(NamedTuple):
    """Bounds and direction of a metric; None where nobody says them."""

    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None


UNKNOWN, SHARE, PERCENT = Bounds(), Bounds(0.0, 1.0, True), Bounds(0.0, 100.0, True)


def bounds_of(metric: str) -> Bounds:
    """Bounds and direction of a metric by its name, where a tool does not write them."""
    if metric.startswith("pass@") or columns.family_of(metric) == "accuracy":
        return SHARE
    return Bounds(higher_is_better=columns.direction_of(metric))


class Score(NamedTuple):
    """One model's aggregate score, in the file's own unit; what the file does not say is None."""

    model: str
    score: Any
    metric: str
    task: str | None = None
    standard_error: Any = None
    n_items: Any = None
    run: str = ""
    configuration: str = ""
    date: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    row: int | None = None
    n_source: str | None = None
    details: tuple[tuple[str, str], ...] = ()  #: what may distinguish the scores of one model


class Response(NamedTuple):
    """Result of a model on an item, in the file's own unit."""

    model: str
    item: str
    response: Any
    cluster: str = ""
    run: str = ""
    configuration: str = ""
    row: int | None = None
    date: str | None = None
    choice: str = ""  #: the option that the model chose, where the file says it


Row = TypeVar("Row", Score, Response)


@dataclass(frozen=True)
class Choice:
    """Choices among several contents of files, and declarations that the files lack."""

    task: str | None = None
    metric: str | None = None
    filter: str | None = None  #: HELM: split
    pass_k: int | None = None  #: k of pass@k, where items come as counts of attempts and successes
    interval_level: float | None = None  #: of a table's intervals; None: 0.95, and ± is an error
    columns: Mapping[str, str] | None = None  #: a plain table's names of columns, by those here
    table: str | None = None  #: which of several tables of a file
    duplicates: str | None = None  #: which of several scores of a model count
    n_items: int | str | None = None  #: declared; DIGITS where they follow from a table's digits
    family: str | None = None
    score_range: tuple[float, float] | None = None
    higher_is_better: bool | None = None
    suite: Sequence[str] | None = None  #: tasks whose scores are wanted as responses; empty: all

    @classmethod
    def select(cls, settings: Mapping[str, Any]) -> Choice:
        """Select the choices among a benchmark's keys, or a command's options, by their names."""
        columns = {"columns": dict(settings.get("columns") or ()) or None}
        keys = [part.name for part in fields(cls) if part.name in settings]
        return cls(**{key: settings[key] for key in keys} | columns)

    @property
    def score(self) -> str | None:
        """The column that the user calls the score."""
        ours = self.columns or {}
        return ours.get("score", ours.get("response"))

    def complete(self, columns: Mapping[str, str]) -> dict[str, str]:
        """Return columns under the names in the file, with those that the user names."""
        names = dict(self.columns or {})
        if "response" in columns:
            names.pop("score", None)
        return names | {ours: names.get(theirs, theirs) for ours, theirs in columns.items()}


@dataclass(frozen=True)
class Origin:
    """File, with the config's entries on that file."""

    path: Path
    model: str | None = None
    task: str | None = None
    configuration: str = ""  #: prompt or setting, where a model has several
    date: str | None = None  #: ISO date of the evaluation
    trial: bool = False  #: whether the file's name says that the file is no result

    @property
    def file(self) -> str:
        """The file's name for messages."""
        return str(self.path)


@dataclass
class Imported:
    """Rows of a file in its own unit, and remarks for the reader of the card."""

    scores: list[Score] = field(default_factory=list)
    #: Many are a table with the columns of :class:`Response`, text as categories.
    responses: list[Response] | pd.DataFrame = field(default_factory=list)
    version: str = ""  #: of the format's schema; the files of one benchmark may not mix versions
    #: Bounds and direction of the responses' metric, where the file or the metric says them.
    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    notes: list[str] = field(default_factory=list)
    item_dates: dict[str, str] = field(default_factory=dict)  #: ISO dates of items, by their names
    format: str = ""
    family: str | None = None  #: of the metric, where the reader can tell
    #: Where scores have no number of items: the proposed one or its column, if any, and why.
    n_proposed: tuple[int | str | None, str] | None = None
    suite: bool = False  #: whether the items are tasks, of which a mean needs all
    status: str = ""  #: of a log, where its tool says whether it came to its end

    def completed(self, importer: str, origin: Origin) -> Imported:
        """With the importer's name, and the origin's setting and date where the file has none."""

        def filled(row: Row) -> Row:
            configuration = row.configuration or origin.configuration
            return row._replace(configuration=configuration, date=row.date or origin.date)

        responses = self.responses
        if not isinstance(responses, list):
            defaults = {"configuration": origin.configuration, "date": origin.date or ""}
            columns = {name: labels(responses, name, text) for name, text in defaults.items()}
            responses = responses.assign(**columns)
        else:
            responses = [filled(row) for row in responses]
        scores = [filled(row) for row in self.scores]
        return replace(self, scores=scores, responses=responses, format=importer)


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a key that sorts names with their numbers as numbers: 2 goes before 16."""
    parts = re.split(r"(\d{1,18})", name)
    return tuple((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)


def choose(
    choice: Choice,
    key: str,
    present: Iterable[str],
    origin: Origin,
    *,
    what: str = "",
    proposed: tuple[str, str] | None = None,
    mean: bool = False,
) -> str:
    """Return the chosen thing of several in a file; without a choice, the only thing.

    An error says `what` the things are, the config's `key` that chooses, what is `proposed`
    and why, and whether the `mean` over tasks can be chosen.
    """
    wanted = getattr(choice, key)
    names = sorted(set(present), key=natural)
    listing = list_first([f"'{name[:60]}'" for name in names], MOST_LISTED) or "none"
    if wanted in names:
        return str(wanted)
    if wanted is not None:
        raise NoResults(f"{origin.file}: no {what or key} '{wanted}'; the file has: {listing}")
    if len(names) == 1:
        return names[0]
    name, why = proposed or (names[0] if names else "", "")
    answer: dict[str, Any] = {key: name}
    remedy = ()
    if key == "task":
        average = (", their mean with ", Key("task", value=AVERAGE)) if mean else ()
        remedy = (*average, ", or a card of each with ", Key("each_task"))
        is_suite = mean and len(names) >= MANY_TASKS
        answer = {key: AVERAGE} if is_suite else {"each_task": True}
    found = f"{origin.file}: the file has {len(names)} {what or f'{key}s'} ({listing}); "
    question = Violation(found, "choose one with ", Key(key), *remedy, why)
    raise Unsettled([question], answer) if names else InputError(question)


def last_of_series(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the metric with the most samples of a series, e.g. pass@1 of 1, 4 and 16 samples.

    A share of right answers that falls as the samples double was computed of fewer, and pass@k
    that falls with k is impossible: from there on nothing is proposed, and a sentence says why.
    """
    numbers = {name: re.findall(r"\d+", name) for name in values}
    stems = {re.sub(r"\d+(?=\D*$)", "#", name) for name in values}
    if len(values) < 2 or len(stems) > 1 or not all(numbers.values()):
        return None
    series = sorted(values, key=lambda name: int(numbers[name][-1]))
    of_k = all(re.search(r"@\d+$", name) for name in series)
    for before, after in pairwise(series):
        pair = values[before], values[after]
        if not all(isinstance(value, (int, float)) for value in pair):
            return None
        times = int(numbers[after][-1]) / max(1, int(numbers[before][-1]))
        falls = pair[1] < pair[0] - ROUNDING
        if falls and (of_k or abs(pair[1] * times - pair[0]) < MOST_OFF * pair[0]):
            why = "falls though k rises" if of_k else "falls as if no more samples were generated"
            return before, f"; '{after}' {why}, so '{before}' is proposed"
    return series[-1], ""


# Longer texts are no options.
LONGEST_OPTION = 100


def option(value: Any) -> str:
    """Return a chosen option as text: empty where the file holds none, or a text at length."""
    stated = str(value) if isinstance(value, (str, int, float)) and value == value else ""
    return stated.strip() if len(stated) <= LONGEST_OPTION else ""


# How a model is named that no file names.
BY_MODEL = (Key("model"), ", 'file' for the file's name")


def share_labels(predicted: Iterable[Any], expected: Iterable[Any]) -> bool:
    """Return whether most predictions are of the short labels that are true, unlike free texts."""
    labels = set(map(parse_label, expected))
    cells = [*map(parse_label, predicted)]
    hits = sum(cell in labels for cell in cells if cell)
    return 2 * hits >= len(cells) and max(map(len, labels), default=0) <= LONGEST_OPTION


def parse_label(cell: Any) -> str:
    """Return the label in a cell, in small letters; the label of 1.0 is 1."""
    return text(cell).strip().casefold().removesuffix(".0")


def find_predictions(table: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the column of true labels, and those of several models that predicted the labels.

    Where no column is named for predictions, all but texts hold labels: features are no models.
    """
    predicted, expected = columns.columns_of_labels(list(table))
    further = (n for n in table if not (n in expected or columns.names_score(n)))
    of_models = [name for name in predicted or further if columns.words(name) - columns.OF_LABELS]
    for truth in expected:
        labels = {*map(parse_label, table[truth])}
        models = [name for name in of_models if share_labels(table[name], labels)]
        others = {*of_models} - {*models}
        sure = predicted or all(isinstance(number(next(iter(table[o]))), str) for o in others)
        repeated = 2 * len(labels) <= len(table[truth])
        if sure and repeated and len(models) > 1:
            return truth, models
    return "", []


def describe_unscored(labels: Sequence[str], present: Sequence[str] = ()) -> str:
    """Return what to do with answers that nobody has scored, whose texts are not those of a key."""
    predicted, expected = columns.columns_of_labels(present)
    if predicted and expected:
        labels = [*predicted, expected[0]]
    if labels:
        return (
            f"no scores: compare {listed(labels[:-1])} with '{labels[-1]}' first, and put each "
            "answer's score in a column 'score', a word error rate in a column 'wer'"
        )
    model = next((name for name in present if columns.words(name) & columns.MODELS[1]), "NAME")
    item = next(iter(columns.columns_of_items(present)), "NAME")
    truth = next(iter(expected), "NAME")
    names = {"model": model, "item": item, "prediction": "NAME", "truth": truth}
    return Violation(
        "no column holds scores (0.85, 85 %, right/n; ranks are none); if each row is an answer, "
        "name what was answered and what is true with ",
        Key("columns", value=names),
        ", or a model that no column names with ",
        *BY_MODEL,
    )


def ask_for_columns(
    origin: Origin, choice: Choice, question: str, columns: Mapping[str, str]
) -> Unsettled:
    """Return the question what columns of a table are, with a proposed answer."""
    columns = choice.complete(columns)
    if origin.model and columns.get("model") == "model":
        columns = {ours: theirs for ours, theirs in columns.items() if ours != "model"}
    sentence = Violation(f"{origin.file}: {question} with ", Key("columns", value=columns))
    return Unsettled([sentence], {"columns": columns})


def nameless(file: str, why: str) -> InputError:
    """Return the error of a file whose model nobody names; `why` says where its name was sought."""
    return InputError(Violation(f"{file}: {why}; give it with ", *BY_MODEL))


# Cells of plain tables, where an empty one means that nothing is said.

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_RIGHT = columns.words_set("true right correct pass passed win won ✓ ✔ ✔️ ✅ ☑ ○")
_WRONG = columns.words_set("false incorrect wrong fail failed loss lost ✗ ✘ ❌ × ✖ ✖️ ☒")
RIGHT_OR_WRONG = dict.fromkeys(_RIGHT, 1.0) | dict.fromkeys(_WRONG, 0.0)
MARKS_OF_ANSWERS = {cell for cell in RIGHT_OR_WRONG if not cell.isalpha()}
# In place of a grade that could not be given.
_NO_GRADES = columns.words_set("error timeout exception")
# More different words are no grades.
MOST_GRADES = 6


def text(value: Any) -> str:
    """Return text of a cell, empty for a missing cell."""
    return "" if value is None or value != value or str(value) in ("<NA>", "NaT") else str(value)


def number(value: Any) -> Any:
    """Return the number in a cell, None if blank; leave other values unchanged.

    A percent sign says what the declared range has to say as well, and is left out.
    """
    if blank(value):
        return None
    if isinstance(value, str):
        plain = value.strip().removesuffix("%").rstrip()
        return float(plain) if _NUMBER.fullmatch(plain) else value
    if type(value).__name__ == "bool":  # of Python or numpy
        return str(value)
    return value


def responses(column: pd.Series) -> pd.Series:
    """Return numbers of a column of responses; True and False count, NaN is empty.

    Where a cell is no number, the whole column comes back as objects with that cell as it is.
    """
    if column.dtype.kind in "biuf":
        return column.astype(float)
    # Of categories each is looked at once.
    parsed = column.map(response)
    has_text = any(isinstance(value, str) for value in parsed.unique())
    return parsed.astype(object if has_text else float)


def names(table: pd.DataFrame, column: str, origin: Origin) -> pd.Series:
    """Return a column of names as categories."""
    column_of_names = labels(table, column)
    refuse(
        f"{origin.file}, row {row}, column '{column}': the value is missing; name it"
        for row in table.index[(column_of_names == "").to_numpy()]
    )
    return column_of_names


def list_tasks(
    table: pd.DataFrame | Mapping[str, Iterable[Any]], name: str, origin: Origin
) -> list[str]:
    """Return the tasks in a column, in the order of its rows: each row names one, or none does."""
    tasks = Counter("" if blank(cell) else str(cell) for cell in table[name])
    missing = tasks.pop("", 0)
    if missing and tasks:
        raise InputError(
            Violation(
                f"{origin.file}: column '{name}' names no task in {missing} rows; name it, or "
                "choose one task with ",
                Key("task"),
            )
        )
    return list(tasks)


def labels(table: pd.DataFrame, column: str, default: str = "") -> pd.Series:
    """Return a column of text as categories; an empty or missing cell has the default."""
    import pandas as pd

    if column not in table:
        return categories([default], [0] * len(table), table.index)
    cells = table[column]
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.map(text).astype("category")
    if cells.isna().any():
        cells = cells.cat.add_categories([""] if "" not in cells.cat.categories else []).fillna("")
    if not default:
        return cells
    return cells.map(lambda value: text(value) or default).astype("category")


def categories(bounds_of: list[str], codes: Any, index: Any = None) -> pd.Series:
    """Return a column of text of which each is held once."""
    import pandas as pd

    column = pd.Categorical.from_codes(codes, categories=pd.Index(bounds_of, dtype=str))
    return pd.Series(column, index=index)


def response(value: Any) -> Any:
    """Return the number in a response cell, NaN if ungraded; leave other values unchanged."""
    if (word := str(value).strip().lower()) in RIGHT_OR_WRONG:
        return RIGHT_OR_WRONG[word]
    parsed = number(value)
    if parsed is None or word in _NO_GRADES:
        return math.nan
    return parsed if isinstance(parsed, str) else float(parsed)


def word_of_right(cells: Iterable[Any], unsure: str = "yes") -> str:
    """Return the word for right answers of a column of grades in words, else nothing.

    Right alone may be a direction, and true an answer; so may yes, which is asked about.
    """
    grades = {text(cell).strip().lower() for cell in cells} - {""}
    right = min(grades.intersection(_RIGHT - {"true", "right"} | {unsure}), default="")
    return right if 1 < len(grades) <= MOST_GRADES else ""


def float_of(value: Any) -> float | None:
    """Return a number as a float; None of texts and of True."""
    is_number = isinstance(value, Number) and not isinstance(value, bool)
    return float(value) if is_number else None


# What files state in more than one way: a score's error, its number of items, and its date.

# Relative error of arithmetic with all digits of a float.
ROUNDING = 1e-9
# Most numbers of items that digits may leave open, and how rare a match by chance must be.
WIDEST = 50.0
FALSE_MATCHES = 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d([T ]|\Z)", re.ASCII)


def standard_error(
    error: float | None = None,
    deviation: float | None = None,
    n: float | None = None,
    interval: tuple[float, float] | None = None,
    level: float | None = None,
) -> float | None:
    """Return the best that is stated: the error itself, else deviation and n, else an interval."""
    if error is not None:
        return error
    if deviation is not None and n:
        return deviation / math.sqrt(n)
    if interval is not None and level:
        lower, upper = interval
        return (upper - lower) / (2 * NormalDist().inv_cdf(0.5 + level / 2))
    return None


def n_items(score: float, error: float, width: float = 1.0) -> int | None:
    """Return the number of items behind an accuracy, if its standard error determines the number.

    Both are divided by the `width` of their range as decimals are: 85.0 of 100 has two digits.
    The error of a share p of n items is sqrt(p(1 - p)/(n - 1)) or, by other tools, with n. A whole
    number n is told by both only if it lies in the range that their printed digits leave open, and
    p n is a whole number as well. Where several n fit, or one fits that chance alone would
    produce in more than one of `FALSE_MATCHES` cases, nothing follows: so it does not from
    errors of clustered or resampled items, which obey neither formula.
    """
    score, error = (float(f"{part / width:.15g}") for part in (score, error))
    if not 0 < score < 1 or not 0 < error < 0.5:
        return None
    slack = half_digit(score)
    spread = 2 * half_digit(error) / error + slack * abs(1 - 2 * score) / (score * (1 - score))
    middle = score * (1 - score) / error**2
    low, high = middle * (1 - spread), middle * (1 + spread)
    chance = (high - low + 2) * min(1.0, 2 * middle * slack)
    if high - low > WIDEST or chance * FALSE_MATCHES > 1:
        return None
    fitting = {
        n
        for added in (0, 1)
        for n in range(
            math.ceil(low + added - ROUNDING * high), math.floor(high + added + ROUNDING * high) + 1
        )
        if n > 1 and countable(score, n)
    }
    return fitting.pop() if len(fitting) == 1 else None


# Where a number of items comes from that the digits of all scores tell.
DIGITS = "digits"
# How many scores must say so, one of how many may be none, and how rare a match by chance must be.
FEWEST_SCORES, ONE_IN, RAREST = 10, 12, 1e-3
MOST_COUNTED, MOST_SCORES = 20_000, 300
# Whole counts are evidence of right or wrong items where chance would hardly give them.
CHANCE = 0.01


def n_of_digits(shares: Sequence[float], half: float) -> int | None:
    """Return the smallest number of items of which the scores are whole counts, to half a digit.

    One score in `ONE_IN` may be none. Nothing follows from fewer than `FEWEST_SCORES` different
    scores, because all counts might share a divisor, or where so many scores would fit this n or
    a smaller one by chance with a probability above `RAREST`: rounded scores lie on a grid, and a
    share of its points is that of counts.
    """
    inner = sorted({round(share, 12) for share in shares if 0 < share < 1})
    if len(inner) < FEWEST_SCORES or half <= 0:
        return None
    # Of thousands of scores, some that are spread evenly say as much.
    inner = inner[:: math.ceil(len(inner) / MOST_SCORES)]
    # One mistyped score would fit a larger n, of which the others are counts as well.
    sizes = (_counts(inner, half, misses) for misses in {0, len(inner) // ONE_IN})
    return min((n for n in sizes if n), default=None)


def _counts(shares: Sequence[float], half: float, misses: int) -> int | None:
    """Return the smallest n of which all but so many shares are counts, unless by chance."""
    grid, fits = round(0.5 / half), len(shares) - misses
    # In logarithms: of thousands of shares, these numbers leave the range of floats.
    ways = math.log(misses + 1) + math.log(math.comb(len(shares), misses))
    chance = 0.0
    for n in range(2, MOST_COUNTED):
        divisor = math.gcd(grid, n)
        # A count midway between two points of the grid may be rounded to either.
        points = n + 1 + (divisor if n // divisor % 2 == 0 else 0)
        exponent = ways + fits * math.log(min(1.0, points / (grid + 1)))
        chance += math.exp(min(0.0, exponent))
        if chance > RAREST:
            return None
        if _match_counts(shares, n, n * (half + ROUNDING), misses):
            return n
    return None


def _match_counts(shares: Sequence[float], n: int, slack: float, misses: int) -> bool:
    missed = 0
    for share in shares:
        missed += abs(round(share * n) - share * n) > slack
        if missed > misses:
            return False
    return True


def countable(score: float, n: int) -> bool:
    """Check that a score can be a share of whole right answers, to the score's digits."""
    return abs(round(score * n) - score * n) <= n * (half_digit(score) + ROUNDING)


def are_counts(pairs: Iterable[tuple[Any, Any]], limits: tuple[float, float]) -> bool:
    """Return whether scores are whole counts of their n, as scores of any digits hardly are."""
    low, high = limits
    chances = {}
    for score, n in pairs:
        if not isinstance(score, float) or not isinstance(n, (int, float)) or n < 1 or n % 1:
            return False
        share = round((score - low) / (high - low), 12)
        if not math.isfinite(share) or not countable(share, int(n)):
            return False
        chances[score, n] = min(1.0, 2 * half_digit(share) * n)
    return math.prod(chances.values()) <= CHANCE


def day(stated: object) -> str | None:
    """Return the ISO date of a date or moment as text; None for other text."""
    text = str(stated)
    try:
        return datetime.fromisoformat(text).date().isoformat() if _DAY.match(text) else None
    except ValueError:
        return None


def half_digit(value: float) -> float:
    """Return half a unit of the last digit that a number is written with."""
    exponent = Decimal(repr(float(value))).as_tuple().exponent
    return 0.5 * 10.0 ** int(exponent) if math.isfinite(value) else 0.5


def utc_date(seconds: float) -> str:
    """Return ISO date of a moment in Unix seconds."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        raise ValueError(f"the moment {seconds:g} s is in no calendar") from None
