"""Of how many items a table's scores are: stated in a column, told by digits, or proposed."""

import math
import re
from collections.abc import Sequence
from typing import Any

from saturation.leaderboard.read import cells, columns, rows
from saturation.leaderboard.read.board import Reading, Row, numbers_in_text
from saturation.leaderboard.read.cells import Value, plain
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import Imported, Score

# Widely used test sets by what their name holds: a proposal, never taken without being said.
SIZES = {
    "humaneval": 164,
    "gsm8k": 1319,
    "math 500": 500,
    "mmlu pro": 12032,
    "mmlu": 14042,
    "gpqa diamond": 198,
    "hellaswag": 10042,
    "winogrande": 1267,
    "truthfulqa": 817,
    "swe bench verified": 500,
    "swe bench lite": 300,
    "alpaca eval": 805,
    "alpacaeval": 805,
    "arena hard": 500,
    "ifeval": 541,
    "simpleqa": 4326,
    "polyglot": 225,
    "mbpp+": 378,
    "mt bench": 80,
}
# Not 'n=5 runs', and not 2 of 'n=2k'.
_N_IN_NAME = re.compile(r"(?i)\bn ?= ?(\d++(?:[,.'’\s]\d{3})*+)(?![\w.]| ?(?:run|seed|trial))")
# Whole counts are evidence of right or wrong items where chance would hardly give them.
CHANCE = 0.01

Limits = tuple[float, float]


def n_of_row(reading: Reading, row: Row) -> Any:
    """Return the number of items that a score's cell, name or column of numbers says of a row."""
    if isinstance(row.value, Value) and row.value.n is not None:
        return row.value.n
    if in_name := _N_IN_NAME.search(reading.name):
        return int(re.sub(r"\D", "", in_name[1]))
    if (sizes := reading.board.n_of(reading.place)) is None:
        return None
    stated = row.values[sizes]
    if not isinstance(stated, Value):
        return stated
    return stated.n or stated.number


def score_of_row(reading: Reading, row: Row) -> Score:
    """Return what a row says of a score, but for its error and what all rows share."""
    board, name, cell = reading.board, reading.name, row.value
    low, high = reading.limits or (None, None)
    number: Any = cell.number if isinstance(cell, Value) else cell
    is_count = isinstance(cell, Value) and cell.n is not None and cell.decimals == 12
    if is_count and high and high > 1 and number <= 1:
        number *= high
    if high and isinstance(cell, Value) and number > high and columns.names_rate_of_words(name):
        reading.notes.append(f"'{name}' {number:g} of {row.model} counts as {high:g}")
        number = high
    date, task, run = (
        "" if place is None else _text(row, board.name(place))
        for place in (board.date, board.task, board.run)
    )
    if not task and board.has_tasks:
        task = name
    metric = reading.choice.metric
    return Score(
        model=row.model,
        score=number,
        metric=_text(row, "metric") or (metric if metric and metric != task else name),
        task=task or None,
        n_items=n_of_row(reading, row),
        run=run,
        configuration=_text(row, "configuration"),
        date=(date and (cells.day_of(date) or date)) or None,
        minimum=low,
        maximum=high,
        row=row.line,
        details=tuple((name, _text(row, name)) for name in board.unread),
    )


def _text(row: Row, name: str) -> str:
    cell = row.cells.get(name)
    return "" if cells.blank(cell) else str(cell)


def usual_n(reading: Reading) -> int | None:
    """Return the size of the test set that a column's or the file's name holds."""
    texts = [reading.name, reading.origin.path.name]
    for text in texts[:1] if reading.board.has_tasks else texts:
        title = re.sub(r"[^a-z0-9+]+", " ", plain(text).lower())
        for benchmark, size in SIZES.items():
            if re.search(rf"(^| |@1 ){re.escape(benchmark)}( |\+?$)", title):
                return size
    return None


def counted(reading: Reading, scores: list[Score]) -> Imported:
    """Return the scores with n, or a proposed n, and the metric's family."""
    name, limits, declared = reading.name, reading.limits, reading.choice.n_items
    family = columns.family_of(name)
    if limits is None:
        has_errors = any(score.standard_error is not None for score in scores)
        return Imported(scores, family="rating" if family == "rating" or has_errors else "other")
    scores = _add_n_of_errors(scores, limits)
    stated = any(score.n_items is not None for score in scores)
    # A number of items that is given need not be sought.
    settled = stated or isinstance(declared, int)
    follows = None if settled else _n_of_digits(reading, limits)
    if follows and (declared == rows.DIGITS or follows == usual_n(reading)):
        return _add_n_of_digits(scores, follows, name)
    if _match_counts(scores, limits) and not columns.names_error_rate(name):
        family = "accuracy"
    scores, notes = _without_errors(scores, reading.metric)
    imported = Imported(scores, family=family or "bounded_mean", notes=notes)
    if not (stated or notes or all(_n_of_error(score, limits) for score in scores)):
        imported.n_proposed = _n_beside(reading.board) or _propose_n(
            reading, scores, limits, follows, family
        )
    return imported


def _without_errors(scores: list[Score], name: str) -> tuple[list[Score], list[str]]:
    """Return scores whose number of items tells no error where the metric is no mean over items."""
    counts_words = columns.names_rate_of_words(name)
    is_mean = not (counts_words or columns.words(name) & columns.NO_MEANS)
    if is_mean or all(score.standard_error for score in scores):
        return scores, []
    from saturation.statistics.standard_errors import UTTERANCES

    note = f"'{name}' is no mean over items: n does not tell its error"
    if counts_words:
        note = (
            f"'{name}' counts wrong words: without the words of each utterance its error is not "
            "known; n does not tell it"
        )
    return [score._replace(n_source=UTTERANCES) for score in scores], [note]


def _add_n_of_digits(scores: Sequence[Score], n: int, name: str) -> Imported:
    """Return scores with the number of items that their digits tell."""
    note = (
        f"n = {n} follows from the digits of the scores in '{name}', which are whole counts of it; "
        "where answers are repeated, n is smaller"
    )
    family = "bounded_mean" if columns.names_error_rate(name) else "accuracy"
    counted = [score._replace(n_items=n, n_source=rows.DIGITS) for score in scores]
    return Imported(counted, notes=[note], family=family)


def _match_counts(scores: Sequence[Score], limits: Limits) -> bool:
    """Return whether all scores are whole counts of n, as scores of any digits hardly are."""
    chance = 1.0
    if not all(can_be_count(score, limits) for score in scores):
        return False
    for score in {(score.score, score.n_items): score for score in scores}.values():
        half = rows.half_digit(float(score.score)) / (limits[1] - limits[0])
        chance *= min(1.0, 2 * half * float(score.n_items))
    return bool(scores) and chance <= CHANCE


def _n_of_digits(reading: Reading, limits: Limits) -> int | None:
    """Return the number of items that the digits of a column tell."""
    values = reading.numbers
    width = limits[1] - limits[0]
    digits = max((cell.decimals for cell in values), default=0)
    shares = [(cell.number - limits[0]) / width for cell in values]
    return rows.n_of_digits(shares, 0.5 * 10.0**-digits / width)


def _shares(score: Score, limits: Limits) -> tuple[float, float] | None:
    """Return score and standard error as proportions, divided as decimals are."""
    if not isinstance(score.score, float) or not isinstance(score.standard_error, float):
        return None
    width = limits[1] - limits[0]
    share, error = (
        float(f"{part / width:.15g}") for part in (score.score - limits[0], score.standard_error)
    )
    return share, error


def _n_of_error(score: Score, limits: Limits) -> int | None:
    shares = _shares(score, limits)
    return rows.n_items(*shares) if shares else None


def _add_n_of_errors(scores: list[Score], limits: Limits) -> list[Score]:
    """Return scores with the number of items that their standard errors leave, if three agree."""
    bare = (score for score in scores if score.n_items is None)
    sizes = [n for score in bare if (n := _n_of_error(score, limits)) is not None]
    if len(sizes) < 3 or len(set(sizes)) > 1:
        return scores
    return [
        score._replace(n_items=sizes[0], n_source="score and standard error")
        if score.n_items is None
        else score
        for score in scores
    ]


def _propose_n(
    reading: Reading,
    scores: Sequence[Score],
    limits: Limits,
    follows: int | None,
    family: str | None,
) -> tuple[int | None, str]:
    """Return a number of items that something hints at, and what.

    A text that states several numbers speaks of several things: the number is that which the
    digits of the scores allow, or none is proposed.
    """
    stated = dict(numbers_in_text(reading.board.sheet.about))
    proposals = {n: f"the text says '{words}'" for n, words in stated.items()}
    if family == "accuracy":
        allowed = [n for n in stated if _allows(n, scores, limits)]
        if len(allowed) == 1:
            return allowed[0], proposals[allowed[0]]
        if follows:
            return follows, f"scores are whole counts of {follows:,}, n unless answers are repeated"
        if n := _typical_n(scores, limits):
            return n, f"the errors are those of {n:,} right or wrong items"
    if len(proposals) == 1:
        return next(iter(proposals.items()))
    if usual := usual_n(reading):
        return usual, f"benchmarks of this name mostly have {usual:,}"
    why = f"nothing in '{reading.name}' says it"
    if stated:
        why = f"the text says {', '.join(map(repr, list(stated.values())[:3]))}: which?"
    if follows:
        why += (
            f"; scores are whole counts of {follows:,}, n if each item is right or wrong and "
            "answered once"
        )
    return None, why


def _n_beside(board: Layout) -> tuple[int, str] | None:
    """Return the number that is the same in all rows beside more scores than share an n."""
    sizes = [p for p in board.sizes if "." not in board.name(p)] or board.sizes
    beside = {cell.number: board.name(p) for p in sizes for cell in board.numbers(p)}
    if len(beside) != 1 or 1 in beside:
        return None
    [(size, column)] = beside.items()
    return int(size), f"'{column}' is {size:,.0f} in all rows, of each task or of all"


def _allows(n: int, scores: Sequence[Score], limits: Limits) -> bool:
    return all(can_be_count(score._replace(n_items=n), limits) for score in scores)


def _typical_n(scores: Sequence[Score], limits: Limits) -> int | None:
    """Return of how many right or wrong items the median error is; None without errors."""
    pairs = [shares for score in scores if (shares := _shares(score, limits))]
    sizes = sorted(p * (1 - p) / error**2 for p, error in pairs if 0 < p < 1 and error > 0)
    return max(1, round(sizes[len(sizes) // 2])) if sizes else None


def can_be_count(score: Score, limits: Limits) -> bool:
    """Return whether a score can be a whole number of right answers of n."""
    if not isinstance(score.score, float) or not isinstance(score.n_items, (int, float)):
        return False
    if not math.isfinite(score.score):
        return False
    share = round((score.score - limits[0]) / (limits[1] - limits[0]), 12)
    return score.n_items >= 1 and rows.countable(share, int(score.n_items))
