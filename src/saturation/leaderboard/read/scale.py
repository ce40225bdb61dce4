"""In which range a column's scores lie and which direction is better: by evidence, else asked."""

import re
import statistics
from collections.abc import Sequence
from itertools import pairwise

from saturation.errors import Key
from saturation.leaderboard.names import HIGHER_IS_BETTER, UNBOUNDED
from saturation.leaderboard.read import columns, rows
from saturation.leaderboard.read.board import Limits, Reading
from saturation.leaderboard.read.cells import Read, Value, numbers_of
from saturation.leaderboard.read.roles import GRADE, Layout

# Letters after which a text is no longer of the table above.
FAR_BELOW = 1000
# Fewer rows may be in any order by chance.
FEWEST_SORTED = 4
_ERROR_RATE = re.compile(r"\b([WC]ER|[Ww]ord [Ee]rror [Rr]ates?)\b")
_IN_PERCENT = re.compile(rf"{_ERROR_RATE.pattern} ?\(%\)")
_OUT_OF = re.compile(r"(?:/|out of) ?(\d\d?)\b")


def range_of(reading: Reading) -> Limits:
    """Return the lowest and highest possible score of a column; None of a metric without bounds.

    A column is judged together with those beside it.
    """
    choice = reading.choice
    if choice.family in UNBOUNDED or columns.words(reading.metric) & columns.UNBOUNDED:
        return None
    if choice.score_range is not None:
        low, high = choice.score_range
        return float(low), float(high)
    if any(cell.percent for cell in reading.numbers):
        return 0.0, 100.0
    numbers = numbers_of(reading.numbers) or [0.0, 1.0]
    least, largest = min(numbers), max(numbers)
    if -largest <= least < 0 < largest and columns.family_of(reading.name) is None:
        return _ask_about_negative(reading, numbers)
    if reading.sizes is None and _may_be_counts(reading.name, numbers):
        reading.questions.ask(
            f"'{reading.name}' may be counts of right answers; say of what range with ",
            Key("score_range"),
            ": 0 to how many were asked, or 0 to 100",
            score_range=None,
        )
        return 0.0, max(100.0, largest)
    # Beside returns, a name that says nothing is in their unit.
    names = [reading.metric]
    if not columns.words(reading.metric) & columns.TERMS_OF_METRICS:
        names += map(reading.board.name, reading.board.scores)
    is_reward = largest > 1 and any(columns.words(n) & columns.REWARDS for n in names)
    if largest > 100 or least < 0 or is_reward:
        return None
    if largest <= 1 + rows.ROUNDING:
        _ask_about_shares(reading, largest)
        return 0.0, 1.0
    return _range_of_grades(reading, least, largest)


def _may_be_counts(name: str, numbers: Sequence[float]) -> bool:
    """Return whether whole numbers are named for right answers, and for no share of them."""
    key = columns.key(name)
    is_named = key & columns.COUNTED and not key & columns.RATES
    return bool(is_named) and max(numbers) > 1 and not any(number % 1 for number in numbers)


def _ask_about_negative(reading: Reading, numbers: Sequence[float]) -> Limits:
    """Ask for the range where few scores are below 0, as correlations can be."""
    largest = max(numbers)
    few = 4 * sum(number < 0 for number in numbers) <= len(numbers)
    is_known = reading.choice.family is not None and reading.choice.suite is None
    if not few or largest > 100 or is_known:
        return None
    top = 1.0 if largest <= 1 else 100.0
    reading.questions.ask(
        f"'{reading.name}' runs from {min(numbers):g} to {largest:g}; say of what range with ",
        Key("score_range"),
        f": {-top:g} to {top:g}, or, if no score may be below 0, correct the cell",
        score_range=[-top, top],
    )
    return -top, top


def _ask_about_shares(reading: Reading, largest: float) -> None:
    """Ask whether scores of at most 1 are percentages, as their name or those beside them are."""
    board = reading.board
    # Of different metrics only those of right answers share a unit.
    percent = [
        any(cell.number > 1 for cell in board.numbers(place))
        for place in board.all_scores
        if not (words := columns.words(board.name(place))) & columns.UNBOUNDED
        and (words & columns.RIGHT or not board.metrics)
    ]
    # Shares such as 2/30 have their own n.
    if (
        largest > 0
        and all(cell.n is None for cell in reading.numbers)
        and (
            columns.words(reading.name) & columns.words_set("% percent pct")
            or 2 * sum(percent) >= len(percent) - 1 > 0
        )
    ):
        reading.questions.ask(
            f"'{reading.name}' is at most 1, but its name or the columns beside it are "
            "percentages; say of what range with ",
            Key("score_range"),
            ": 0 to 1, or 0 to 100",
            score_range=[0, 1],
        )


def _range_of_grades(reading: Reading, least: float, largest: float) -> tuple[float, float]:
    """Return 0 to 100, or ask where the largest score may be a grade of at most ten."""
    board, name = reading.board, reading.name
    values = numbers_of(reading.numbers)
    # How often each grade was given: score_0, score_1 and score_2 are of 0 to 2.
    steps = [int(step[1]) for title in board.sheet.columns if (step := GRADE.search(title))]
    tops = [*_OUT_OF.findall(name), *([max(steps)] if len(steps) > 1 else [])]
    stated = [float(top) for top in tops if largest <= float(top)]
    is_clear = (
        largest > 10
        or len(values) < 2
        or columns.words(name) & columns.words_set("% rate percent pct")
        # A percent sign tells nothing of columns without one.
        or any(c.number > 10 and not c.percent for p in board.all_scores for c in board.numbers(p))
    )
    likely = 100.0 if _IN_PERCENT.search(board.sheet.about) else likely_top(reading.metric, values)
    if is_clear and not stated and likely != 1:
        return 0.0, 100.0
    low, top = 0.0, likely if likely == 1 else [*stated, likely][0]
    # Whole grades that recur show their scale.
    if not (stated or any(value % 1 for value in values)) and 10 * len({*values}) <= len(values):
        low, top = least, largest
    reading.questions.ask(
        f"'{name}' runs from {least:g} to {largest:g}; say of what range with ",
        Key("score_range"),
        f": {low:g} to {top:g}, or 0 to {'1' if top == 100 else '100'}",
        score_range=[int(low), int(top)],
    )
    return low, top


def likely_top(metric: str, numbers: Sequence[float]) -> float:
    """Return the likely top of a range of scores up to ten: 1, 100 of a known metric, else 10."""
    # A recogniser that repeats itself has more wrong words than were said.
    if columns.names_rate_of_words(metric) and statistics.median(numbers) <= 1:
        return 1.0
    return 100.0 if columns.names_metric_alone(columns.words(metric) - {"score"}) else 10.0


def direction_by_name(board: Layout, place: int) -> bool | None:
    """Return the direction of a column by its name or, of a task, by the average's name."""
    places = [place] if board.metrics else [place, *board.aggregates]
    is_task = board.has_tasks
    stated = [columns.direction_of(board.name(p), is_task=is_task and p == place) for p in places]
    return False if False in stated else (True if True in stated else None)


def direction_of(reading: Reading) -> bool:
    """Return whether higher is better: as stated, else by the name, ranks and order of rows.

    What contradicts is questions, and so is a column that rises from the first row to the last.
    """
    choice = reading.choice
    if choice.higher_is_better is not None:
        return choice.higher_is_better
    metric = reading.metric
    stated = columns.direction_of(metric) if metric != reading.name else None
    if stated is None:
        stated = direction_by_name(reading.board, reading.place)
    if stated is None and choice.family in HIGHER_IS_BETTER:
        stated = True
    words = columns.parts_of(reading.name)
    # Of a task's name only the last word can be a metric's.
    may_be_bad = bool(set(words[-1:] if reading.board.has_tasks else words) & columns.FAULTS)
    higher = stated if stated is not None else not may_be_bad
    by_rank = direction_by_rank(reading.board, reading.place)
    rising = None if by_rank is not None or stated is not None else _order_of_rows(reading)
    if by_rank not in (None, higher):
        why = f"'{reading.name}' is {'highest' if by_rank else 'lowest'} on the first ranks"
        _ask_direction(reading, why, proposed=not higher)
    elif rising is not None and rising[1] == higher:
        verb = "rise" if higher else "fall"
        why = f"rows {verb} from the first to the last by '{rising[0]}'"
        _ask_direction(reading, why, proposed=not higher)
    elif by_rank is stated is None:
        _ask_about_faults(reading, may_be_bad=may_be_bad)
    return higher


def _ask_about_faults(reading: Reading, *, may_be_bad: bool) -> None:
    """Ask for the direction where a name may count what is bad, or the text speaks of errors."""
    sheet, column = reading.board.sheet, reading.board.model
    # What stands far below the table is of something else.
    above, _, below = sheet.about.rpartition(str(sheet.rows[0][column]))
    about = above + below[:FAR_BELOW]
    if may_be_bad:
        _ask_direction(reading, f"'{reading.name}' may count what is bad", proposed=False)
    elif guess := _leading_guess(reading.board):
        _ask_direction(reading, f"'{guess}' has the highest scores", proposed=False)
    elif rate := _ERROR_RATE.search(about):
        both = re.search(r"BLEU|F1|[Aa]ccuracy", about)
        why = f"the text speaks of '{rate[0]}'"
        _ask_direction(reading, why, proposed=None if both else False)


def _leading_guess(board: Layout) -> str:
    """Return the row of a guess that has the highest score in a third of the columns."""
    numbers = [numbers_of(board.numbers(place)) for place in board.scores]
    for row, cells in zip(board.sheet.rows, zip(*board.values)):
        name, scores = str(row[board.model]), (cells[place] for place in board.scores)
        leads = (isinstance(a, Value) and a.number == max(b) for a, b in zip(scores, numbers))
        if columns.is_guess(name) and 3 * sum(leads) > len(numbers):
            return name
    return ""


def _ask_direction(reading: Reading, why: str, *, proposed: bool | None) -> None:
    key = Key("higher_is_better")
    reading.questions.ask(f"{why}; say which is better with ", key, higher_is_better=proposed)


def direction_by_rank(board: Layout, place: int) -> bool | None:
    """Return whether first ranks have the highest scores; None if ranks follow another column."""
    if board.rank is None:
        return None
    pairs = zip(board.values[board.rank], board.values[place])
    ranked = sorted(
        (a.number, b.number) for a, b in pairs if isinstance(a, Value) and isinstance(b, Value)
    )
    falls = sum((b < a) - (b > a) for (_, a), (_, b) in pairwise(ranked))
    if len(ranked) < 5 or abs(falls) <= 0.8 * (len(ranked) - 1):
        return None
    return falls > 0


def _order_of_rows(reading: Reading) -> tuple[str, bool] | None:
    """Return the column or mean by which all rows are sorted, and whether the scores rise."""
    board = reading.board
    sorted_by = {board.name(place): [place] for place in [reading.place, *board.aggregates]}
    if board.has_tasks:
        sorted_by["the mean of the tasks"] = board.scores
    for name, places in sorted_by.items():
        sums = [_sum([row.values[place] for place in places]) for row in reading.models]
        if (rises := trend(sums)) is not None:
            return name, rises
    return None


def _sum(cells: Sequence[Read]) -> Read:
    numbers = numbers_of(cells)
    return Value(sum(numbers)) if len(numbers) == len(cells) else None


def trend(cells: Sequence[Read]) -> bool | None:
    """Return whether numbers rise from the first to the last; None if they do neither."""
    numbers = numbers_of(cells)
    steps = [b - a for a, b in pairwise(numbers)]
    # Of two different numbers, order tells nothing.
    if len(numbers) < max(FEWEST_SORTED, len(cells)) or len(set(numbers)) < 3:
        return None
    if min(steps) >= 0:
        return True
    return False if max(steps) <= 0 else None
