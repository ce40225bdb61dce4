"""In which range a column's scores lie and which direction is better: by evidence, else asked."""

import re
from collections.abc import Sequence
from itertools import pairwise

from saturation.errors import Key
from saturation.leaderboard.names import HIGHER_IS_BETTER, UNBOUNDED
from saturation.leaderboard.read import columns, rows
from saturation.leaderboard.read.board import Asked, Row
from saturation.leaderboard.read.cells import Read, Value
from saturation.leaderboard.read.roles import GRADE, Layout
from saturation.leaderboard.read.rows import Choice

# Fewer rows may be in any order by chance.
FEWEST_SORTED = 4
_OUT_OF = re.compile(r"(?:/|out of) ?(\d\d?)\b")


def range_of(board: Layout, place: int, choice: Choice, asked: Asked) -> tuple[float, float] | None:
    """Return the lowest and highest possible score of a column; None of a metric without bounds.

    A column is judged together with those beside it.
    """
    name, numbers = board.name(place), board.numbers(place)
    if choice.family in UNBOUNDED or columns.is_unbounded(name):
        return None
    if choice.score_range is not None:
        low, high = choice.score_range
        return float(low), float(high)
    largest = max((cell.number for cell in numbers), default=1.0)
    least = min((cell.number for cell in numbers), default=0.0)
    if any(cell.percent for cell in numbers):
        return 0.0, 100.0
    if -largest <= least < 0 < largest and columns.family_of(name) is None:
        return _ask_about_negative(board, place, least, largest, choice, asked)
    if largest > 100 or least < 0:
        return None
    if largest <= 1 + rows.ROUNDING:
        _ask_about_shares(board, place, largest, asked)
        return 0.0, 1.0
    return _range_of_grades(board, place, largest, asked)


def _ask_about_negative(
    board: Layout, place: int, least: float, largest: float, choice: Choice, asked: Asked
) -> tuple[float, float] | None:
    """Ask for the range where few scores are below 0, as correlations can be."""
    below = sum(cell.number < 0 for cell in board.numbers(place))
    if 4 * below > len(board.numbers(place)) or largest > 100 or choice.family is not None:
        return None
    top = 1.0 if largest <= 1 else 100.0
    asked.ask(
        f"'{board.name(place)}' runs from {least:g} to {largest:g}; say of what range with ",
        Key("score_range"),
        f": {-top:g} to {top:g}, or, if no score may be below 0, correct the cell",
        score_range=[-top, top],
    )
    return -top, top


def _ask_about_shares(board: Layout, place: int, largest: float, asked: Asked) -> None:
    """Ask whether scores of at most 1 are percentages, as their name or those beside them are."""
    beside = [place] if board.metrics else [*board.scores, *board.aggregates]
    percent = [any(cell.number > 1 for cell in board.numbers(p)) for p in beside]
    said = columns.words(board.name(place))
    in_percent = said & {"%", "percent", "pct"} or 2 * sum(percent) >= len(percent) - 1 > 0
    if largest > 0 and in_percent:
        asked.ask(
            f"'{board.name(place)}' is at most {largest:g}, but its name or the columns beside it "
            "are percentages; say of what range with ",
            Key("score_range"),
            ": 0 to 1, or 0 to 100",
            score_range=[0, 1],
        )


def _range_of_grades(
    board: Layout, place: int, largest: float, asked: Asked
) -> tuple[float, float]:
    """Return 0 to 100, or ask where the largest score may be a grade of at most ten."""
    name, said = board.name(place), columns.words(board.name(place))
    stated = [float(top) for top in _OUT_OF.findall(name) if largest <= float(top)]
    # How often each grade was given: score_0, score_1 and score_2 are of 0 to 2.
    steps = [float(found[1]) for other in board.sheet.columns if (found := GRADE.search(other))]
    stated += [max(steps)] if len(steps) > 1 and largest <= max(steps) else []
    beside = [*board.scores, *board.aggregates]
    percent_beside = any(cell.number > 10 for p in beside for cell in board.numbers(p))
    unsaid = columns.family_of(name) is None and not said & {"%", "rate", "percent", "pct"}
    few = len(board.numbers(place)) < 3 and not stated
    if not stated and (not unsaid or percent_beside or largest > 10 or few):
        return 0.0, 100.0
    top = [*stated, 10.0][0]
    least = min(cell.number for cell in board.numbers(place))
    asked.ask(
        f"'{name}' runs from {least:g} to {largest:g}; say of what range with ",
        Key("score_range"),
        f": 0 to {top:g}, or 0 to 100",
        score_range=[0, top],
    )
    return 0.0, top


def is_higher_better(board: Layout, place: int) -> bool | None:
    """Return the direction of a column by its name or, of a task, by the average's name."""
    named = [place] if board.metrics else [place, *board.aggregates]
    is_task = len(board.scores) > 1 and not board.metrics
    stated = [columns.direction_of(board.name(p), is_task=is_task and p == place) for p in named]
    return False if False in stated else next((one for one in stated if one is not None), None)


def direction_of(
    board: Layout, place: int, models: Sequence[Row], choice: Choice, asked: Asked
) -> bool:
    """Return whether higher is better: as stated, else by the name, ranks and order of rows.

    What contradicts is asked, and so is a column that rises from the first row to the last.
    """
    if choice.higher_is_better is not None:
        return choice.higher_is_better
    stated, name = is_higher_better(board, place), board.name(place)
    stated = True if stated is None and choice.family in HIGHER_IS_BETTER else stated
    is_named = columns.words(name) & columns.FAULTS
    higher = stated if stated is not None else not is_named
    if board.rank is not None:
        by_rank = _by_rank(board, models)
        if by_rank is not None and by_rank != higher:
            asked.ask(
                f"'{name}' is {'highest' if by_rank else 'lowest'} on the first ranks; say which "
                "is better with ",
                Key("higher_is_better"),
                higher_is_better=by_rank,
            )
            return higher
        if by_rank is not None:
            return higher
    rising = _sorted_by(board, place, models)
    if rising is not None and stated is None and rising[1] == higher:
        asked.ask(
            f"rows {'rise' if higher else 'fall'} from the first to the last by '{rising[0]}'; say "
            "which is better with ",
            Key("higher_is_better"),
            higher_is_better=not higher,
        )
    elif stated is None and is_named:
        asked.ask(
            f"'{name}' may count what is bad; say which is better with ",
            Key("higher_is_better"),
            higher_is_better=False,
        )
    return higher


def _by_rank(board: Layout, models: Sequence[Row]) -> bool | None:
    """Return whether first ranks have the highest scores; None if ranks follow another column."""
    pairs = []
    for row in models:
        rank = row.values[board.rank or 0]
        if isinstance(row.value, Value) and isinstance(rank, Value):
            pairs.append((rank.number, row.value.number))
    ranked = sorted(pairs)
    falls = sum((b < a) - (b > a) for (_, a), (_, b) in pairwise(ranked))
    if len(ranked) < 5 or abs(falls) <= 0.8 * (len(ranked) - 1):
        return None
    return falls > 0


def _sorted_by(board: Layout, place: int, models: Sequence[Row]) -> tuple[str, bool] | None:
    """Return the column or mean by which all rows are sorted, and whether the scores rise."""
    for p in [place, *board.aggregates]:
        rises = _trend([row.values[p] for row in models])
        if rises is not None:
            return board.name(p), rises
    if len(board.scores) > 1 and not board.metrics:
        rises = _trend([_sum([row.values[p] for p in board.scores]) for row in models])
        if rises is not None:
            return "the mean of the tasks", rises
    return None


def _sum(cells: Sequence[Read]) -> Read:
    numbers = [cell.number for cell in cells if isinstance(cell, Value)]
    return Value(sum(numbers)) if len(numbers) == len(cells) else None


def _trend(cells: Sequence[Read]) -> bool | None:
    """Return whether numbers rise from the first to the last; None if they do neither."""
    numbers = [cell.number for cell in cells if isinstance(cell, Value)]
    steps = [b - a for a, b in pairwise(numbers)]
    if len(numbers) < max(FEWEST_SORTED, len(cells)) or not any(steps):
        return None
    if min(steps) >= 0:
        return True
    return False if max(steps) <= 0 else None
