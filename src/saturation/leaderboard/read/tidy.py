"""Convert all rows of a benchmark to a single unit and direction, or refuse with the reason."""

import math
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeGuard

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from saturation.errors import MOST_COUNTED, InputError, Key, Violation, listed, merge_rows, refuse
from saturation.leaderboard.read import registry
from saturation.leaderboard.read import rows as read_rows
from saturation.leaderboard.read.rows import Imported, Score, countable, day
from saturation.leaderboard.read.rows import n_items as n_that_follows

# More items than any benchmark has, and years before any of its models.
MOST_ITEMS = 10**9
FIRST_YEAR = 2000
# Largest difference of an aggregate from its item responses, as a proportion.
AGREEMENT = 0.005
# Standard errors by which a sample of the items may differ from all.
MOST_ERRORS = 5.0
# What the error of clustered items may be, where the user says that it is a standard error.
MOST_CLUSTERED = 10.0
# Scores of which one a hundred times smaller than the others stands out.
FEWEST_BESIDE = 2
_SERIAL = re.compile(r"[34]\d{4}(\.\d+)?")


SCORE_COLUMNS = [
    *("benchmark", "model", "metric", "run", "configuration", "date", "score"),
    *("standard_error", "n_items", "n_source"),
]
# What identifies an evaluation of a model, and an answer in it.
EVALUATION = ["model", "configuration", "run", "date"]
ANSWER = [*EVALUATION, "item"]
LABELS = ["model", "item", "cluster", "run", "configuration", "date"]
RESPONSE_COLUMNS = ["benchmark", *LABELS, "response"]
# The option that a model chose: a column where a file says it.
CHOICE = "choice"
ROUNDING = 1e-9
# Where a number of items comes from: column n_source.
STATED, DECLARED, DERIVED = "stated", "declared", "score and standard error"


@dataclass(frozen=True)
class Unit:
    """Declared unit of a benchmark's metric; None leaves a field to the files.

    Scores become (score - minimum) / range, and are turned round where lower is better.
    """

    minimum: float | None = None  #: in the files' own unit
    maximum: float | None = None
    higher_is_better: bool | None = None
    usually: bool | None = None  #: the direction of the family, where no file says it
    bounded: bool = True  #: False for ratings such as Elo, which keep their unit
    n_items: int | None = None
    counted: bool = False  #: whether each item is right or wrong: a score and its error tell n
    says_error: bool = False  #: whether the config says what a stated error is


def show(value: Any) -> str:
    """Format a value for a sentence; a missing value is ``nan``."""
    if value is None:
        return "nan"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}... ({len(text)} letters)"


def hint(value: Any) -> str:
    """Return what is probably wrong with a cell that should be a number, and what to do."""
    if value is None:
        return "; it is missing: fill it in, or leave the row out"
    if not isinstance(value, str):
        return "; a score is neither true nor false" if isinstance(value, bool) else ""
    text = value.strip()
    if re.fullmatch(r"[+-]?[\d.]*,\d+", text):
        return "; write a point for the decimal comma, and nothing between thousands"
    return "; correct the cell, or leave the row out"


def n_items(stated: Any, declared: int | None) -> Iterable[str]:
    """Return problems with a number of items, alone and against the config's declared number."""
    if stated is None:
        return
    number = read_rows.float_of(stated)
    if number is None or not 1 <= number <= MOST_ITEMS or number % 1:
        yield (
            f"n_items {show(stated)}; expected a whole number from 1 to {MOST_ITEMS:,}"
            f"{hint(stated)}"
        )
    elif declared not in (None, number):
        yield (
            f"n_items {number:g} in the file, but the config declares n_items {declared}; remove "
            "the key, or correct the file"
        )


def date(stated: Any) -> Iterable[str]:
    """Return problems with the date of an evaluation, where there is one."""
    if stated is None:
        return
    if (iso := day(stated)) is None:
        serial = "; it looks like a spreadsheet's day number: format the column as text"
        why = serial if _SERIAL.fullmatch(str(stated)) else ""
        yield f"date {show(stated)}; expected an ISO date such as 2026-01-31{why}"
    elif iso < str(FIRST_YEAR):
        yield f"date {iso} is before {FIRST_YEAR}; correct it"
    elif iso > (datetime.now(UTC) + timedelta(days=1)).date().isoformat():
        yield f"date {iso} is in the future; correct it"


def error(
    share: float, standard_error: float, n: float | None, most: float = read_rows.MOST_RATIO
) -> Iterable[str]:
    """Return problems with the standard error of a mean of `n` items, each from 0 to 1.

    No such items vary more than right and wrong ones: `most` is how much larger it may be.
    """
    largest = math.sqrt(max(share * (1 - share), 0.0))
    if standard_error > max(largest, 0.5 if largest == 0 else 0) + 1e-9:
        yield (
            f"standard error {standard_error:.4g} of the score {share:.4g} (both as proportions) "
            f"is impossible: a single item has {largest:.4g}; is it in another unit?"
        )
    elif n and n > 0 and largest > 0 and standard_error > 0:
        ratio = standard_error / (largest / math.sqrt(n))
        # Near 0 and 1 errors by an interval of Wilson are larger (Agresti and Coull 1998).
        near = (share * n + 2) / (n + 4)
        highest = most * max(largest, math.sqrt(near * (1 - near))) / math.sqrt(n)
        if ratio < read_rows.LEAST_RATIO:
            remedy: tuple[str | Key, ...] = (
                "An error over runs alone leaves the items out: give the answers of each run, or "
                "leave the errors out with ",
                Key("columns"),
            )
        elif standard_error > highest:
            remedy = (
                "Leave the errors out with ",
                Key("columns"),
                "; if they are standard errors of clustered items, say it with ",
                Key("interval_level", value=0.6827),
            )
        else:
            return
        yield Violation(
            f"standard error {standard_error:.4g} of the score {share:.4g} (both as proportions) "
            f"is {ratio:.2g} times that of {n:g} right or wrong items; is one of them in another "
            "unit? ",
            *remedy,
        )


def agree(score: float, n: float, mean: float, count: int) -> bool:
    """Check that an aggregate of n items (NaN if unknown) can belong to these responses.

    Fewer responses than n are a sample of its items. Ratings are not compared.
    """
    if not 0 <= score <= 1:
        return True
    chance = 0.0
    if n > count:
        chance = MOST_ERRORS * math.sqrt(score * (1 - score) / count + 1 / count**2)
    return not n < count and abs(mean - score) <= AGREEMENT + chance


def unit_of_scores(
    scores: Sequence[Score], limits: tuple[float, float] | None, unit: Unit, where: str
) -> list[str]:
    """Return scores that are proportions where percentages are declared.

    One is, if it would fit among the others as a percentage, or if it is no count of right answers
    and most others are. `scores` are all of a benchmark, finite and in their range.
    """
    if not _spans_percent(limits) or not scores:
        return []
    values, high = [score.score for score in scores], limits[1]
    if (
        max(values) <= 1
        and {*values} - {0, 1}
        and not read_rows.are_counts(((s.score, s.n_items) for s in scores), limits)
    ):
        return [
            Violation(
                f"{where}: all scores are at most 1 in a range from 0 to {high:g}; if they are "
                "proportions declare ",
                Key("score_range", value=[0, 1]),
                f", if they are not divide them and it by {high:g}",
            )
        ]
    small = [
        score
        for score, value in zip(scores, values)
        if 0 < value < 1 and high * value <= 1.1 * max(values)
    ]
    large = [value for value in values if value > 10]
    alone = len(large) >= FEWEST_BESIDE and not any(1 < value <= 10 for value in values)
    lowest = min(large) if alone else math.inf
    no_counts = _scores_that_are_no_counts(scores, high, unit)
    typical = statistics.median(values)
    return [
        f"{where}, row {score.row}, model {score.model!r}: score {score.score:g} beside "
        f"others of about {typical:g} in a range from 0 to {high:g}: is it a proportion? "
        f"Write {100 * score.score:g}, or give all scores as proportions"
        for score in small
        if high * score.score >= lowest or score in no_counts
    ]


def _scores_that_are_no_counts(scores: Sequence[Score], high: float, unit: Unit) -> list[Score]:
    """Return scores that are no counts of right answers, if most others are."""
    sizes = [read_rows.float_of(score.n_items) or unit.n_items for score in scores]
    counts = [
        bool(n and countable(round(score.score / high, 12), int(n)))
        for score, n in zip(scores, sizes)
    ]
    if not unit.counted or 2 * sum(counts) <= len(counts):
        return []
    return [score for score, n, count in zip(scores, sizes, counts) if n and not count]


def _spans_percent(limits: tuple[float, float] | None) -> TypeGuard[tuple[float, float]]:
    return limits is not None and limits[0] == 0 and limits[1] > 10


def lone_one(values: Sequence[float], limits: tuple[float, float] | None) -> int | None:
    """Return the place of a lone score of exactly 1 among percentages: all right, or 1 %."""
    if not _spans_percent(limits):
        return None
    small = [place for place, value in enumerate(values) if value <= 10]
    if len(small) != 1 or values[small[0]] != 1 or len(values) - 1 < FEWEST_BESIDE:
        return None
    return small[0]


def scores(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Return scores of all files as a table, higher is better, bounded metrics in [0, 1].

    ``n_source`` says where each number of items comes from: stated in the file, declared in the
    config, or derived from the score and its standard error, which together leave only one.
    An error has a line for every score that cannot be used.
    """
    _require_one_version(files)
    violations: list[str] = []
    rows: list[Score] = []
    for file, imported in files:
        rows += _scores_of_file(file, imported.scores, unit, violations)
    frame = pd.DataFrame(rows, columns=Score._fields).assign(benchmark=benchmark)[SCORE_COLUMNS]
    where = f"benchmark '{benchmark}'"
    violations += [
        f"{where}: model {row.model!r} has more than one score in the same run, configuration and "
        "date; remove one, or distinguish them by a column 'run' or 'configuration'"
        for row in frame[frame.duplicated(EVALUATION)].itertuples()
    ]
    violations += _misspelt(frame, where)
    if not violations:
        all_scores = [score for _, imported in files for score in imported.scores]
        violations += unit_of_scores(all_scores, range_of(all_scores, unit), unit, where)
    refuse(merge_rows(violations))
    return frame.sort_values(EVALUATION, ignore_index=True)


def _scores_of_file(
    file: str, scores: Sequence[Score], unit: Unit, violations: list[str]
) -> list[Score]:
    """Return a file's scores in the benchmark's unit; append errors to `violations`.

    What nobody declares is said once, after scores that are no numbers: from those no range could
    follow.
    """
    undeclared = [problem for score in scores[:1] for problem in _undeclared(score, unit)]
    check = _unreadable if undeclared else _problems
    problems = [
        list(check(score, unit, where_of(file, score.row, score.model))) for score in scores
    ]
    violations += [problem for of_score in problems for problem in of_score]
    violations += [Violation(f"{file}: ", problem) for problem in undeclared]
    usable = [score for score, of_score in zip(scores, problems) if not of_score]
    return [] if undeclared else [_converted(score, unit) for score in usable]


def responses(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Return item responses of all files as a table, higher is better, in [0, 1].

    Columns of text are categories. Of several dates of a model, configuration and run the latest
    counts: it is another evaluation of the same items, not a further one.
    """
    violations: list[str] = []
    frames = [_responses(file, imported, unit, violations) for file, imported in files]
    refuse(merge_rows(violations))
    frames = [frame for frame in frames if not frame.empty]
    if not frames:
        return pd.DataFrame(columns=RESPONSE_COLUMNS)
    frame = _join(frames)
    refuse(_misspelt(frame, f"benchmark '{benchmark}'"))
    refuse(
        merge_rows(
            Violation(
                f"benchmark '{benchmark}': model {row.model!r} answers item {row.item!r} twice in "
                "one run and configuration; give files in which each model answers once, or, if an "
                "item was asked again, name the run of each answer in a column 'run' (with ",
                Key("columns", value={"run": "ITS NAME"}),
                ")",
            )
            for row in frame[frame.duplicated(ANSWER)].itertuples()
        )
    )
    frame = frame[newest(frame)].sort_values(ANSWER, kind="stable", ignore_index=True)
    frame.insert(0, "benchmark", read_rows.categories([benchmark], np.zeros(len(frame), int)))
    return frame[[name for name in (*RESPONSE_COLUMNS, CHOICE) if name in frame]]


def require_n(scores: pd.DataFrame, responses: pd.DataFrame, unit: Unit) -> None:
    """Refuse scores of a bounded metric without n or item responses.

    They would be judged by an index at another alpha than that of its thresholds. Where n tells no
    error, it is not needed. Tables are those of :func:`scores` and :func:`responses`.
    """
    from saturation.statistics.standard_errors import UTTERANCES

    answering = set(responses["model"].unique())
    bare = scores["n_items"].isna() & ~scores["model"].isin(answering)
    bare &= unit.bounded & (scores["n_source"] != UTTERANCES)
    if bare.any():
        benchmark = scores["benchmark"].iloc[0]
        first, *further = scores.loc[bare, "model"].drop_duplicates()
        sentence = (
            f"benchmark '{benchmark}': the score of model {first!r} has no number of items, and "
            "none follows from its standard error; give it with "
        )
        remedy = " or a column of that name, or supply item responses"
        same = [f"the same is true of {listed(further)}"] if further else []
        raise InputError([Violation(sentence, Key("n_items"), remedy), *same])


def require_agreement(scores: pd.DataFrame, responses: pd.DataFrame) -> None:
    """Refuse aggregate scores that contradict the model's item responses."""
    if scores.empty or responses.empty:
        return
    shared = set(scores["model"]) & set(responses["model"].unique())
    if not shared:
        return
    of_shared = responses[responses["model"].isin(shared)]
    by_model = of_shared.groupby("model")
    means, counts = by_model["response"].mean(), by_model["item"].nunique()
    violations = []
    for row in scores[scores["model"].isin(shared)].to_dict("records"):
        model, score, n = row["model"], float(row["score"]), float(row["n_items"] or math.nan)
        mean, count = float(means[model]), int(counts[model])
        if not agree(score, n, mean, count):
            of_items = "" if math.isnan(n) else f" of {n:g} items"
            violations.append(
                f"benchmark '{row['benchmark']}': the aggregate of model {model!r} is {score:.4g}"
                f"{of_items}, its {count} item responses have the mean {mean:.4g}; leave one of "
                "the two files out"
            )
    refuse(merge_rows(violations))


def _responses(file: str, imported: Imported, unit: Unit, violations: list[str]) -> pd.DataFrame:
    """Return a file's responses in [0, 1]; append errors to `violations`."""
    frame = pd.DataFrame(imported.responses)
    if frame.empty:
        return frame
    values = pd.to_numeric(frame["response"], errors="coerce").astype(float)
    low, high = _bounds(unit, imported)
    higher = _direction(unit, imported)
    if missing := list(_undeclared(imported, unit)):
        violations.append(Violation(f"{file}: ", missing[0]))
        return frame
    if unit.bounded:
        bad = values.isna() | (values < low - ROUNDING) | (values > high + ROUNDING)
        expected = f"expected a number from {low:g} to {high:g}"
    else:
        bad, expected = ~np.isfinite(values), "expected a finite number"
    violations += [
        f"{where_of(file, row.row, row.model)}, item {row.item!r}: response "
        f"{show(row.response)}; {expected}{hint(row.response)}"
        for row in frame[bad].head(MOST_COUNTED).itertuples()
    ]
    if not bad.any() and unit.bounded and _spans_percent((low, high)) and values.max() <= 1:
        violations.append(
            Violation(
                f"{file}: all responses are at most 1 in a range from 0 to {high:g}; if they are "
                "proportions, or 0 and 1, declare ",
                Key("score_range", value=[0, 1]),
            )
        )
    stated: Any = frame["date"].dropna().astype(str).unique() if "date" in frame else []
    violations += [f"{file}: {problem}" for day in stated if day for problem in date(day)]
    frame["response"] = _scale(values, low, high, bool(higher), unit.bounded)
    return frame


def _join(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return responses of all files, text as sorted categories."""
    has_choice = any(
        CHOICE in frame and (frame[CHOICE].astype(str) != "").any() for frame in frames
    )
    joined: dict[str, Any] = {}
    for name in [*LABELS, CHOICE] if has_choice else LABELS:
        parts: Any = [read_rows.labels(frame, name).array for frame in frames]
        joined[name] = union_categoricals(parts, sort_categories=True)
    dates = joined["date"]
    # Without the time of the day.
    days = pd.Categorical([day(moment) or moment for moment in dates.categories])
    joined["date"] = days[dates.codes]
    joined["response"] = np.concatenate([frame["response"].to_numpy(float) for frame in frames])
    return pd.DataFrame(joined)


def newest(table: pd.DataFrame) -> pd.Series:
    """Mask the latest rows of each model, configuration and run; undated rows are earlier."""
    dates = table["date"]
    if isinstance(dates.dtype, pd.CategoricalDtype):
        dates = dates.cat.codes
    else:
        dates = dates.astype(object).fillna("")
    keys = [table[name] for name in EVALUATION[:3]]
    return dates == dates.groupby(keys).transform("max")


def _misspelt(frame: pd.DataFrame, where: str) -> list[str]:
    problems = []
    for name in LABELS[:-1]:
        if name in frame:
            names = map(str, frame[name].unique().tolist())
            problems += registry.misspelt(names, name, where, case=name != "model")
    return problems


def _unreadable(score: Score, _unit: Unit, where: str) -> Iterable[str]:
    value = read_rows.float_of(score.score)
    if value is None or not math.isfinite(value):
        yield f"{where}: score {show(score.score)}; expected a finite number{hint(score.score)}"


def _problems(score: Score, unit: Unit, where: str) -> Iterable[str]:
    if not score.model:
        yield f"{where}: the model's name is missing; name it"
    if unreadable := list(_unreadable(score, unit, where)):
        yield from unreadable
        return
    value = float(score.score)
    low, high = _bounds(unit, score)
    if unit.bounded and low is not None and not low - ROUNDING <= value <= high + ROUNDING:
        yield Violation(
            f"{where}: score {value:g} is outside the metric's range {low:g} to {high:g}; "
            "is it a percentage? Declare the unit with ",
            Key("score_range"),
        )
    stated_error = read_rows.float_of(score.standard_error)
    if score.standard_error is not None and (
        stated_error is None or not 0 <= stated_error < math.inf
    ):
        yield (
            f"{where}: standard error {show(score.standard_error)}; expected a number "
            f"from 0{hint(score.standard_error)}"
        )
        stated_error = None
    problems = [*n_items(score.n_items, unit.n_items), *date(score.date)]
    if unit.bounded and stated_error is not None and low is not None:
        share, width = (value - low) / (high - low), high - low
        n = read_rows.float_of(score.n_items) or unit.n_items
        most = MOST_CLUSTERED if unit.says_error else read_rows.MOST_RATIO
        problems += error(share, stated_error / width, n, most)
    yield from (Violation(f"{where}: ", problem) for problem in problems)


def _converted(score: Score, unit: Unit) -> Score:
    low, high = _bounds(unit, score)
    higher = bool(_direction(unit, score))
    width = high - low if unit.bounded and low is not None and high is not None else 1.0
    error = read_rows.float_of(score.standard_error)
    share = _scale(float(score.score), low, high, higher, unit.bounded)
    n, source = _n_items(score, unit, width)
    return score._replace(
        date=None if score.date is None else day(score.date),
        score=share,
        standard_error=None if error is None else error / width,
        n_items=n,
        n_source=source,
    )


def _n_items(score: Score, unit: Unit, width: float) -> tuple[int | None, str | None]:
    """Return the number of items, and the number's source."""
    if score.n_items is not None:
        return int(float(score.n_items)), score.n_source or STATED
    if unit.n_items is not None:
        return unit.n_items, score.n_source or DECLARED
    error, (low, _) = read_rows.float_of(score.standard_error), _bounds(unit, score)
    if unit.counted and error is not None and low is not None:
        n = n_that_follows(float(score.score) - low, error, width)
        return n, DERIVED if n else score.n_source
    return None, score.n_source


def range_of(every: Sequence[Score], unit: Unit) -> tuple[float, float] | None:
    """Lowest and highest possible score of a benchmark's files; None for metrics without."""
    if not every or not unit.bounded:
        return None
    low, high = _bounds(unit, every[0])
    return low, high


def _scale(value: Any, low: float | None, high: float | None, higher: bool, bounded: bool) -> Any:
    if not bounded or low is None or high is None:
        return value if higher else -value
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return share if higher else 1 - share


def _bounds(unit: Unit, said: Score | Imported) -> tuple[Any, Any]:
    declared = said if unit.minimum is None else unit
    return declared.minimum, declared.maximum


def _direction(unit: Unit, said: Score | Imported) -> bool | None:
    stated = (unit.higher_is_better, said.higher_is_better, unit.usually)
    return next((direction for direction in stated if direction is not None), None)


def _undeclared(said: Score | Imported, unit: Unit) -> Iterable[str]:
    if unit.bounded and None in _bounds(unit, said):
        yield Violation(
            "the file does not say in which range the metric lies; declare it with ",
            Key("score_range"),
            ", for example 0 to 1 or 0 to 100, or give the metric family 'rating'",
        )
    if _direction(unit, said) is None:
        yield Violation(
            "the file does not say whether a higher score is better; declare it with ",
            Key("higher_is_better"),
        )


def _require_one_version(files: Sequence[tuple[str, Imported]]) -> None:
    versions = {imported.version for _, imported in files if imported.version}
    refuse(
        f"{file}: schema version {imported.version}; the files of one benchmark mix the versions "
        f"{', '.join(sorted(versions))}: convert them to one"
        for file, imported in files
        if imported.version and len(versions) > 1
    )


def where_of(file: str, row: int | None, model: str) -> str:
    """Return file, row if known, and model of a score, for a sentence about the score."""
    place = f", row {row}" if row is not None and not pd.isna(row) else ""
    return f"{file}{place}, model {model!r}"
