"""All rows of a benchmark brought to one unit and one direction, or refused with the reason."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from saturation.board.importers import cells, plausible, spelling
from saturation.board.importers.rows import Imported, Score
from saturation.board.importers.stated import day
from saturation.board.importers.stated import n_items as n_that_follows
from saturation.errors import InputError, listed, shortened

SCORE_COLUMNS = [
    "benchmark",
    "model",
    "metric",
    "run",
    "configuration",
    "date",
    "score",
    "standard_error",
    "n_items",
    "n_source",
]
RESPONSE_COLUMNS = [
    "benchmark",
    "model",
    "item",
    "cluster",
    "run",
    "configuration",
    "date",
    "response",
]
# What tells one answer of a model to an item from another.
ANSWER = ["model", "configuration", "run", "date", "item"]
LABELS = ["model", "item", "cluster", "run", "configuration", "date"]
ROUNDING = 1e-9
# Where a number of items comes from: column n_source.
STATED, DECLARED, DERIVED = "stated", "declared", "score and standard error"


@dataclass(frozen=True)
class Unit:
    """What the config declares of a benchmark's metric; None leaves it to the files.

    Parameters
    ----------
    minimum, maximum
        The metric's bounds in the files' own unit; scores become (score - minimum) / range.
    higher_is_better
        The metric's direction; where lower is better, scores are turned round.
    bounded
        False for ratings such as Elo, which keep their unit.
    n_items
        Number of items, where the files do not say it.
    counted
        Whether each item is right or wrong, so that a score and its error tell n.
    """

    minimum: float | None = None
    maximum: float | None = None
    higher_is_better: bool | None = None
    bounded: bool = True
    n_items: int | None = None
    counted: bool = False


def scores(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Scores of all files as one table, higher is better, bounded metrics in [0, 1].

    ``n_source`` says where each number of items comes from: stated in the file, declared in the
    config, or derived from the score and its standard error, which together leave only one.

    Parameters
    ----------
    benchmark
        Name for the table and the messages.
    files
        Each file's name and what was read from it.
    unit
        What the config declares of the metric.

    Raises
    ------
    InputError
        With one line for every score that cannot be used: missing or infinite, out of range,
        without direction or bounds, an impossible error, n or date, in another unit than the
        others, or the same model twice, be it in another spelling.
    """
    _one_version(files)
    violations: list[str] = []
    rows = []
    for file, imported in files:
        undeclared = _undeclared_of(imported, unit)
        if undeclared:
            # A range that was to follow from the scores does not from those that are no numbers.
            violations += [*_unread(file, imported), *(f"{file}: {one}" for one in undeclared)]
        for score in imported.scores if not undeclared else []:
            where = where_of(file, score.row, score.model)
            problems = list(_problems(score, unit, where))
            violations += problems
            if not problems:
                rows.append(_converted(benchmark, score, unit))
    frame = pd.DataFrame(rows, columns=SCORE_COLUMNS)
    where = f"benchmark '{benchmark}'"
    violations += _duplicates(frame)
    violations += _misspelt(frame, where)
    if not violations:
        every = [score for _, imported in files for score in imported.scores]
        violations += plausible.unit_of_scores(every, range_of(every, unit), where)
    if violations:
        raise InputError(shortened(violations))
    return frame.sort_values(["model", "configuration", "run", "date"], ignore_index=True)


def responses(benchmark: str, files: Sequence[tuple[str, Imported]], unit: Unit) -> pd.DataFrame:
    """Item responses of all files as one table, higher is better, in [0, 1].

    Columns of text are categories. Of several dates of a model, configuration and run the latest
    counts: it is another evaluation of the same items, not a further one.

    Parameters
    ----------
    benchmark, files, unit
        As :func:`scores` takes them.

    Raises
    ------
    InputError
        As :func:`scores`, and if a model answers an item twice in one run, configuration and date.
    """
    violations: list[str] = []
    frames = [_responses(file, imported, unit, violations) for file, imported in files]
    if violations:
        raise InputError(shortened(violations))
    frames = [frame for frame in frames if not frame.empty]
    if not frames:
        return pd.DataFrame(columns=RESPONSE_COLUMNS)
    frame = _together(frames)
    if misspelt := _misspelt(frame, f"benchmark '{benchmark}'"):
        raise InputError(shortened(misspelt))
    order = _order(frame, benchmark)
    frame = frame.iloc[order].reset_index(drop=True)
    frame = _latest(frame)
    frame.insert(0, "benchmark", cells.categories([benchmark], np.zeros(len(frame), int)))
    return frame[RESPONSE_COLUMNS]


def require_errors(scores: pd.DataFrame, responses: pd.DataFrame, unit: Unit) -> None:
    """Refuse scores whose uncertainty cannot be known.

    A score needs n, item responses, or, if its metric has no bounds, a standard error or repeated
    runs of the same model. A bounded one without n would be judged by an index at another alpha
    than that of its thresholds.

    Parameters
    ----------
    scores, responses
        As :func:`scores` and :func:`responses` give them.
    unit
        What the config declares of the metric.

    Raises
    ------
    InputError
        Naming each model.
    """
    known = set(responses["model"].unique())
    bare = scores["n_items"].isna() & ~scores["model"].isin(known)
    if not unit.bounded:
        runs = scores.groupby("model")["score"].transform("size")
        bare &= ~(scores["standard_error"].astype(float) > 0) & (runs < 2)
        remedy = "supply standard errors or intervals (lower, upper), or repeated runs"
        lack = "neither a standard error above 0 nor repeated runs"
    else:
        remedy = "give it with the key 'n_items' or a column of that name, or supply item responses"
        lack = "no number of items, and none follows from its standard error"
    if bare.any():
        benchmark = scores["benchmark"].iloc[0]
        first, *others = scores.loc[bare, "model"].drop_duplicates()
        violations = [f"benchmark '{benchmark}': the score of model {first!r} has {lack}; {remedy}"]
        if others:
            violations.append(f"the same is true of {listed(others)}")
        raise InputError(violations)


def require_agreement(scores: pd.DataFrame, responses: pd.DataFrame) -> None:
    """Refuse aggregate scores that contradict the same model's item responses.

    Parameters
    ----------
    scores, responses
        As :func:`scores` and :func:`responses` give them.

    Raises
    ------
    InputError
        Naming model, both scores and both numbers of items.
    """
    if scores.empty or responses.empty:
        return
    shared = set(scores["model"]) & set(responses["model"].unique())
    if not shared:
        return
    of_shared = responses[responses["model"].isin(shared)]
    told = of_shared.groupby("model", observed=True)
    means, counts = told["response"].mean(), told["item"].nunique()
    violations = []
    for row in scores[scores["model"].isin(shared)].to_dict("records"):
        model, score, n = row["model"], float(row["score"]), float(row["n_items"] or math.nan)
        mean, count = float(means[model]), int(counts[model])
        if not plausible.agree(score, n, mean, count):
            of_items = "" if math.isnan(n) else f" of {n:g} items"
            violations.append(
                f"benchmark '{row['benchmark']}': the aggregate of model {model!r} is {score:.4g}"
                f"{of_items}, its {count} item responses have the mean {mean:.4g}; leave one of "
                "the two files out"
            )
    if violations:
        raise InputError(shortened(violations))


def _responses(file: str, imported: Imported, unit: Unit, violations: list[str]) -> pd.DataFrame:
    """One file's responses in [0, 1]; what is wrong is appended to `violations`."""
    frame = pd.DataFrame(imported.responses)
    if frame.empty:
        return frame
    values = pd.to_numeric(frame["response"], errors="coerce").astype(float)
    low, high = _bounds(unit, imported.minimum, imported.maximum)
    higher = _direction(unit, imported.higher_is_better)
    if missing := list(_undeclared(low, high, higher, unit.bounded)):
        violations.append(f"{file}: {missing[0]}")
        return frame
    if unit.bounded:
        bad = values.isna() | (values < low - ROUNDING) | (values > high + ROUNDING)
        expected = f"expected a number from {low:g} to {high:g}"
    else:
        bad, expected = ~np.isfinite(values), "expected a finite number"
    violations += [
        f"{where_of(file, row.row, row.model)}, item {row.item!r}: response "
        f"{plausible.shown(row.response)}; {expected}{plausible.hint(row.response)}"
        for row in frame[bad].itertuples()
    ]
    if not bad.any() and unit.bounded:
        violations += plausible.unit_of_responses(values, (low, high), file)
    stated: Any = (
        frame["date"].astype(str)[frame["date"].notna()].unique() if "date" in frame else []
    )
    violations += [f"{file}: {problem}" for day in stated if day for problem in plausible.date(day)]
    frame["response"] = _to_unit(values, low, high, bool(higher), unit.bounded)
    return frame


def _together(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Responses of all files, text as sorted categories."""
    joined: dict[str, Any] = {}
    for name in LABELS:
        parts: Any = [_categories(frame[name]) for frame in frames]
        whole = union_categoricals(parts, sort_categories=True)
        joined[name] = _days(whole) if name == "date" else whole
    joined["response"] = np.concatenate([frame["response"].to_numpy(float) for frame in frames])
    return pd.DataFrame(joined)


def _categories(column: pd.Series) -> Any:
    """Text as categories; what is missing is the empty text."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return cells.labels(pd.DataFrame({"column": column}), "column").array
    return column.array


def _days(moments: Any) -> Any:
    """Dates without the time of the day."""
    days = [day(moment) or moment for moment in moments.categories]
    known = sorted(set(days))
    codes = np.array([known.index(one) for one in days], int)
    return cells.categories(known, codes[moments.codes]).array


def _latest(frame: pd.DataFrame) -> pd.DataFrame:
    if len(frame["date"].cat.categories) < 2:
        return frame
    dates = frame["date"].cat.codes
    keys = [frame[name].cat.codes for name in ("model", "configuration", "run")]
    newest: pd.Series = dates == dates.groupby(keys).transform("max")
    return frame[newest].reset_index(drop=True)


def _order(frame: pd.DataFrame, benchmark: str) -> np.ndarray:
    """Places of the rows by model, configuration, run, date and item.

    Raises
    ------
    InputError
        If two rows are the same answer.
    """
    key = np.zeros(len(frame), np.int64)
    for name in ANSWER:
        key = key * len(frame[name].cat.categories) + frame[name].cat.codes.to_numpy(np.int64)
    order = np.argsort(key, kind="stable")
    repeated = order[1:][np.diff(key[order]) == 0]
    if len(repeated):
        raise InputError(
            shortened(
                [
                    f"benchmark '{benchmark}': model {row.model!r} answers item {row.item!r} twice "
                    "in one run and configuration; remove one, or, if it was asked again, name the "
                    "run of each in a column 'run' (with the key 'columns': run=ITS NAME)"
                    for row in frame.iloc[np.sort(repeated)].itertuples()
                ]
            )
        )
    return order


def _misspelt(frame: pd.DataFrame, where: str) -> list[str]:
    found = []
    for name in LABELS[:-1]:
        if name in frame:
            known = map(str, frame[name].unique())
            found += spelling.violations(known, name, where, case=name != "model")
    return found


def _undeclared_of(imported: Imported, unit: Unit) -> list[str]:
    """What neither the config nor a file's first score says of its metric: said once a file."""
    if not imported.scores:
        return []
    first = imported.scores[0]
    low, high = _bounds(unit, first.minimum, first.maximum)
    higher = _direction(unit, first.higher_is_better)
    return list(_undeclared(low, high, higher, unit.bounded))


def _unread(file: str, imported: Imported) -> list[str]:
    return [
        problem
        for score in imported.scores
        for problem in _unreadable(score, where_of(file, score.row, score.model))
    ]


def _unreadable(score: Score, where: str) -> Iterable[str]:
    value = _float(score.score)
    if value is None or not math.isfinite(value):
        yield (
            f"{where}: score {plausible.shown(score.score)}; expected a finite number"
            f"{plausible.hint(score.score)}"
        )


def _problems(score: Score, unit: Unit, where: str) -> Iterable[str]:
    if not score.model:
        yield f"{where}: the model's name is missing; name it"
    if unreadable := list(_unreadable(score, where)):
        yield from unreadable
        return
    value = float(score.score)
    low, high = _bounds(unit, score.minimum, score.maximum)
    if unit.bounded and low is not None and not low - ROUNDING <= value <= high + ROUNDING:
        yield (
            f"{where}: score {value:g} is outside the metric's range {low:g} to {high:g}; "
            "is it a percentage? Declare the unit with the key 'score_range'"
        )
    stated_error = _float(score.standard_error)
    if score.standard_error is not None and (
        stated_error is None or not 0 <= stated_error < math.inf
    ):
        yield (
            f"{where}: standard error {plausible.shown(score.standard_error)}; expected a number "
            f"from 0{plausible.hint(score.standard_error)}"
        )
        stated_error = None
    yield from (f"{where}: {problem}" for problem in plausible.n_items(score.n_items, unit.n_items))
    if score.date is not None:
        yield from (f"{where}: {problem}" for problem in plausible.date(score.date))
    if unit.bounded and stated_error is not None and low is not None:
        share, width = (value - low) / (high - low), high - low
        n = _float(score.n_items) or unit.n_items if unit.counted else None
        yield from (
            f"{where}: {problem}" for problem in plausible.error(share, stated_error / width, n)
        )


def _converted(benchmark: str, score: Score, unit: Unit) -> dict[str, Any]:
    low, high = _bounds(unit, score.minimum, score.maximum)
    higher = bool(_direction(unit, score.higher_is_better))
    width = high - low if unit.bounded and low is not None and high is not None else 1.0
    error = _float(score.standard_error)
    share = _to_unit(float(score.score), low, high, higher, unit.bounded)
    n, source = _n_items(score, unit, width)
    return {
        "benchmark": benchmark,
        "model": score.model,
        "metric": score.metric,
        "run": score.run,
        "configuration": score.configuration,
        "date": None if score.date is None else day(score.date),
        "score": share,
        "standard_error": None if error is None else error / width,
        "n_items": n,
        "n_source": source,
    }


def _n_items(score: Score, unit: Unit, width: float) -> tuple[int | None, str | None]:
    """The number of items, and where it comes from."""
    if score.n_items is not None:
        return int(float(score.n_items)), STATED
    if unit.n_items is not None:
        return unit.n_items, DECLARED
    error, low = (
        _float(score.standard_error),
        score.minimum if unit.minimum is None else unit.minimum,
    )
    if unit.counted and error is not None and low is not None:
        # Divided as decimals are: 85.0 of 100 has the digits of 0.85.
        share, share_error = (
            float(f"{part / width:.15g}") for part in (float(score.score) - low, error)
        )
        if (n := n_that_follows(share, share_error)) is not None:
            return n, DERIVED
    return None, None


def range_of(every: Sequence[Score], unit: Unit) -> tuple[float, float] | None:
    """Lowest and highest possible score of a benchmark's files; None for metrics without.

    Parameters
    ----------
    every
        Scores that :func:`scores` takes.
    unit
        What the config declares of the metric.
    """
    if not every or not unit.bounded:
        return None
    low, high = _bounds(unit, every[0].minimum, every[0].maximum)
    return low, high


def _to_unit(value: Any, low: float | None, high: float | None, higher: bool, bounded: bool) -> Any:
    if not bounded or low is None or high is None:
        return value if higher else -value
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return share if higher else 1 - share


def _bounds(unit: Unit, low: float | None, high: float | None) -> tuple[Any, Any]:
    return (low, high) if unit.minimum is None else (unit.minimum, unit.maximum)


def _direction(unit: Unit, declared: bool | None) -> bool | None:
    return declared if unit.higher_is_better is None else unit.higher_is_better


def _undeclared(low: Any, high: Any, higher: bool | None, bounded: bool) -> Iterable[str]:
    if bounded and (low is None or high is None):
        yield (
            "the file does not say in which range the metric lies; declare it with the key "
            "'score_range', for example [0, 1] or [0, 100], or give the metric family 'rating'"
        )
    if higher is None:
        yield (
            "the file does not say whether a higher score is better; declare it with the key "
            "'higher_is_better'"
        )


def _duplicates(frame: pd.DataFrame) -> list[str]:
    key = ["model", "run", "configuration", "date"]
    return [
        f"benchmark '{row.benchmark}': model {row.model!r} has more than one score in the same "
        "run, configuration and date; remove one, or tell them apart with the column or key "
        "'run' or 'configuration'"
        for row in frame[frame.duplicated(key)].itertuples()
    ]


def _one_version(files: Sequence[tuple[str, Imported]]) -> None:
    versions = {imported.version for _, imported in files if imported.version}
    if len(versions) > 1:
        raise InputError(
            shortened(
                [
                    f"{file}: schema version {imported.version}; the files of one benchmark mix "
                    f"the versions {', '.join(sorted(versions))}: convert them to one"
                    for file, imported in files
                    if imported.version
                ]
            )
        )


def where_of(file: str, row: int | None, model: str) -> str:
    """File, row and model of a score, for a sentence about it.

    Parameters
    ----------
    file, row, model
        The row may be unknown.
    """
    place = f", row {row}" if row is not None and not pd.isna(row) else ""
    return f"{file}{place}, model {model!r}"


def _float(value: Any) -> float | None:
    """A number as a float; True is none."""
    if value is None or isinstance(value, (bool, str)):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
