"""Several scores of a model: which count, and what distinguishes them."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from saturation.errors import InputError, Key, Violation, group_values, list_first, listed, refuse
from saturation.leaderboard.read.cells import Value, value
from saturation.leaderboard.read.columns import MEASURES, SETTINGS, numbers_items, words
from saturation.leaderboard.read.rows import Choice, Score

POLICIES = ("latest", "best", "mean", "runs", "separate")
# Columns that are tried together.
MOST_TOGETHER, MOST_TRIED = 3, 12
# Settings of a model that a person compares; more are a sweep or a log.
MOST_SETTINGS = 50


class Resolved(NamedTuple):
    """Scores of which each counts once, or the question which of several count."""

    scores: list[Score]
    notes: list[str]
    question: str = ""
    proposed: str = ""


def resolve(scores: Sequence[Score], choice: Choice, where: str) -> Resolved:
    """Return a score of each model, run, configuration and date; equal rows count once.

    Names that differ in case alone are one model's, unless its scores are kept separate.
    """
    notes: list[str] = []
    distinct = {_without_place(score, choice): score for score in reversed(scores)}
    # Most rows of answers and runs are equal.
    if len(scores) / 2 <= len(distinct) < len(scores):
        notes.append(f"{len(scores) - len(distinct)} rows that repeat another in every value read")
        scores = list(reversed(distinct.values()))
    names, qualifiers = _qualifiers(scores)
    groups = _groups(scores, choice, dated=set(names) <= {"n"})
    several = [group for group in groups if len(group) > 1]
    if not several:
        return Resolved(list(scores), notes)
    if choice.duplicates == "separate":
        return Resolved(_separate(scores, qualifiers, where), notes)
    if choice.duplicates is None:
        few = max(Counter(score.model for score in scores).values()) <= MOST_SETTINGS
        are_settings = qualifiers and few and not _are_conditions(groups, names)
        proposed = "separate" if are_settings else "mean"
        return Resolved([group[0] for group in groups], notes, _question(several, names), proposed)
    if choice.duplicates == "latest":
        _require_dates(several, where)
    notes.append(f"of several scores of a model: {choice.duplicates}")
    return Resolved([score for group in groups for score in _merged(group, choice)], notes)


def _without_place(score: Score, choice: Choice) -> Score:
    """Return the score without its file and row: rows of other settings may have equal scores.

    In a mean each row counts: two raters may agree.
    """
    return score._replace(
        row=score.row if choice.duplicates == "mean" else None,
        details=tuple(pair for pair in score.details if pair[0] != "file"),
    )


def _require_dates(several: Sequence[Sequence[Score]], where: str) -> None:
    refuse(
        Violation(
            f"{where}, row {group[0].row}, model {group[0].model!r}: {len(group)} scores of one "
            "date, or none; give ",
            Key("duplicates"),
            " another value than latest",
        )
        for group in several
    )


def _question(several: Sequence[Sequence[Score]], settings: Iterable[str]) -> str:
    """Return the question which of several scores of a model count, and in what these differ."""
    scores = [score for group in several for score in group]
    models = {score.model for score in scores}
    cells = ((name, {_label(score, [name])[:60] for score in scores}) for name in settings)
    differences = [f"'{name}' ({list_first(sorted(map(repr, t)), 4)})" for name, t in cells]
    spellings = ({score.model for score in group} for group in several)
    names = next((names for names in spellings if len(names) > 1), None)
    differing = f", which differ in {' and '.join(differences)}" if differences else ""
    return Violation(
        f"several scores of {listed(models)}{differing}; say which count with ",
        Key("duplicates"),
        f": {', '.join(POLICIES)}",
        f"; {listed(names)} differ only in case: one model, but for separate" if names else "",
    )


def _groups(scores: Sequence[Score], choice: Choice, *, dated: bool) -> list[list[Score]]:
    """Return the scores of each model, run and configuration, under a single spelling."""
    by_date = choice.duplicates == "latest" or (choice.duplicates is None and dated)
    dates = ((score.date or "") if by_date else "" for score in scores)
    groups = group_values(
        ((score.model.casefold(), score.configuration, score.run, score.task or "", date), score)
        for score, date in zip(scores, dates)
    ).values()
    if not choice.duplicates:
        return list(groups)
    return [[score._replace(model=group[0].model) for score in group] for group in groups]


def _qualifiers(scores: Sequence[Score]) -> tuple[tuple[str, ...], dict[Score, str]]:
    """Return what distinguishes a model's scores: columns, and their cells for each score."""
    groups = group_values(((score.model, score.task, score.run), score) for score in scores)
    several = [group for group in groups.values() if len(group) > 1]
    names = _distinguishing([list(map(_details, group)) for group in several])
    return names, {score: _label(score, names) for group in several for score in group if names}


def _details(score: Score) -> dict[str, str]:
    """Return what may distinguish a score: the cells beside it, and its n."""
    n = score.n_items
    return dict(score.details) | {"n": f"n = {n:g}" if isinstance(n, (int, float)) else ""}


def _are_conditions(groups: Sequence[Sequence[Score]], names: Sequence[str]) -> bool:
    """Return whether each of several models has the same cells of columns that name no setting."""
    cells = {tuple(sorted(_label(score, names) for score in group)) for group in groups}
    no_setting = not any(words(name) & SETTINGS or name in ("file", "n") for name in names)
    return no_setting and len(cells) == 1 < len(groups)


def _label(score: Score, names: Iterable[str]) -> str:
    details = _details(score)
    return ", ".join(text for name in names if (text := details.get(name)))


def _distinguishing(groups: Sequence[Sequence[dict[str, str]]]) -> tuple[str, ...]:
    """Return the fewest columns that together distinguish all scores of a model."""
    names = _names_of_settings(groups)
    for size in range(1, MOST_TOGETHER + 1):
        for together in combinations(names, size):
            if all(_distinguish(group, together) for group in groups):
                return together
    return ()


def _names_of_settings(groups: Sequence[Sequence[dict[str, str]]]) -> list[str]:
    """Return the columns that may distinguish rows: settings first, then columns of few values."""
    rows = [details for group in groups for details in group]
    cells = group_values(pair for details in rows for pair in details.items())
    values = {name: set(texts) for name, texts in cells.items()}
    # Of answers to items, no text beside them is a setting.
    is_log = any(map(numbers_items, values))
    useful = [
        n for n, texts in values.items() if not is_log and _names_settings(n, texts, len(rows))
    ]
    order = {name: (not words(name) & SETTINGS, len(values[name]), name) for name in useful}
    return sorted(useful, key=lambda name: order[name])[:MOST_TRIED]


def _names_settings(name: str, texts: set[str], rows: int) -> bool:
    """Return whether a column names settings: no links, numbers and ids only of a named setting."""
    if len(texts) < 2 or any("://" in text for text in texts):
        return False
    numbers = all(isinstance(value(text), Value) for text in texts if text)
    numbers = numbers or "id" in words(name)
    few = 2 * len(texts) <= rows and not words(name) & MEASURES
    return not numbers or bool(words(name) & SETTINGS) or few


def _distinguish(group: Sequence[dict[str, str]], names: Sequence[str]) -> bool:
    texts = [tuple(details.get(name, "") for name in names) for details in group]
    return len(set(texts)) == len(texts)


def _separate(scores: Sequence[Score], qualifiers: dict[Score, str], where: str) -> list[Score]:
    """Return scores whose models' names say what distinguishes them."""
    spellings = group_values((model.casefold(), model) for model in {s.model for s in scores})
    if not qualifiers and all(len(names) == 1 for names in spellings.values()):
        raise InputError(
            Violation(
                f"{where}: no columns distinguish all scores of one model; give ",
                Key("duplicates"),
                " another value",
            )
        )
    separate = []
    for score in scores:
        label = qualifiers.get(score, "")
        if not label and len(spellings[score.model.casefold()]) > 1:
            label = f"row {score.row}"
        separate.append(score._replace(model=f"{score.model} [{label}]") if label else score)
    return separate


def _merged(group: list[Score], choice: Choice) -> list[Score]:
    if len(group) == 1:
        return group
    if choice.duplicates == "runs":
        return [score._replace(run=str(place)) for place, score in enumerate(group, start=1)]
    if any(isinstance(score.score, str) for score in group):
        return group
    if choice.duplicates == "best":
        stated = (choice.higher_is_better, group[0].higher_is_better, True)
        higher = next(direction for direction in stated if direction is not None)
        return [(max if higher else min)(group, key=lambda score: score.score)]
    errors = [
        float(score.standard_error)
        for score in group
        if isinstance(score.standard_error, (int, float))
    ]
    mean = math.fsum(score.score for score in group) / len(group)
    error = math.sqrt(math.fsum(error**2 for error in errors) / len(errors)) if errors else None
    return [group[-1]._replace(score=mean, standard_error=error)]
