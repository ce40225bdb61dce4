"""Of how many items a table's scores are: stated in a column, told by digits, or proposed."""

import re
from collections.abc import Sequence
from typing import Any

from saturation.errors import listed
from saturation.leaderboard.read import cells, columns, rows
from saturation.leaderboard.read.board import Reading, Row, numbers_in_text
from saturation.leaderboard.read.cells import Value, plain
from saturation.leaderboard.read.roles import Layout
from saturation.leaderboard.read.rows import Imported, Score

# Widely used test sets by what their name holds: a proposal, never taken without being said.
SIZES = """
    humaneval 164
    gsm8k 1319
    math 500 500
    mmlu pro 12032
    mmlu 14042
    gpqa diamond 198
    hellaswag 10042
    winogrande 1267
    truthfulqa 817
    swe bench verified 500
    swe bench lite 300
    alpaca eval 805
    alpacaeval 805
    arena hard 500
    ifeval 541
    simpleqa 4326
    polyglot 225
    mbpp+ 378
    mt bench 80
"""
# Not 'n=5 runs', and not 2 of 'n=2k'.
_N_IN_NAME = re.compile(
    r"(?i)\bn ?= ?(\d+(?:[,.'’\s]\d{3})*)(?![\w.]|\W\d{3}| ?(?:run|seed|trial))"
)

Limits = tuple[float, float]


def n_of_row(reading: Reading, row: Row) -> Any:
    """Return the number of items that a score's cell, name or column of numbers says of a row."""
    if isinstance(row.value, Value) and row.value.n is not None:
        return row.value.n
    if in_name := _N_IN_NAME.search(reading.name):
        return int(re.sub(r"\D", "", in_name[1]))
    if reading.sizes is None:
        return None
    stated = row.values[reading.sizes]
    return stated.n or stated.number if isinstance(stated, Value) else stated


def score_of_row(reading: Reading, row: Row) -> Score:
    """Return what a row says of a score, but for its error and what all rows share."""
    board, name, cell = reading.board, reading.name, row.value
    low, high = reading.limits or (None, None)
    number: Any = cell
    if isinstance(cell, Value):
        is_count = cell.n is not None and cell.decimals == 12 and cell.number <= 1
        number = cell.number * high if is_count and high else cell.number
        if high and number > high and columns.names_rate_of_words(reading.metric):
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
        for benchmark, size in re.findall(r"(\S.*) (\d+)", SIZES):
            if re.search(rf"(^| |@1 ){re.escape(benchmark)}( |\+?$)", title):
                return int(size)
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
    _remark_on_n(reading)
    # A number of items that is given need not be sought.
    follows = None if stated or isinstance(declared, int) else _n_of_digits(reading, limits)
    if follows and (declared == rows.DIGITS or follows == usual_n(reading)):
        return _add_n_of_digits(scores, follows, name)
    pairs = ((score.score, score.n_items) for score in scores)
    if rows.are_counts(pairs, limits) and not columns.names_error_rate(name):
        family = "accuracy"
    scores, notes = _without_errors(scores, reading.metric)
    imported = Imported(scores, family=family or "bounded_mean", notes=notes)
    if not (stated or notes or all(_n_of_error(score, limits) for score in scores)):
        imported.n_proposed = (
            _n_beside(reading.board)
            or _n_of_rows(reading)
            or _propose_n(reading, limits, follows, family)
        )
    return imported


def _remark_on_n(reading: Reading) -> None:
    """Remark on a number of items that digits or a benchmark's name tell."""
    if reading.sizes is not None and reading.sizes not in reading.board.sizes:
        reading.notes.append(
            f"n is '{reading.board.name(reading.sizes)}', of which scores are whole counts"
        )
    if (usual := usual_n(reading)) and usual == reading.choice.n_items:
        reading.notes.append(f"n = {usual:,} is that of most benchmarks of this name: a guess")


def _without_errors(scores: list[Score], name: str) -> tuple[list[Score], list[str]]:
    """Return scores whose number of items tells no error where the metric is no mean over items."""
    counts_words = columns.names_rate_of_words(name)
    is_mean = not (counts_words or columns.words(name) & columns.NO_MEANS)
    if is_mean or all(score.standard_error for score in scores):
        return scores, []
    from saturation.statistics.standard_errors import UTTERANCES

    why = "counts wrong words, not utterances" if counts_words else "is no mean over items"
    note = f"'{name}' {why}: n does not tell its error"
    return [score._replace(n_source=UTTERANCES) for score in scores], [note]


def _add_n_of_digits(scores: Sequence[Score], n: int, name: str) -> Imported:
    """Return scores with the number of items that their digits tell."""
    note = (
        f"n = {n} follows from the digits of the scores in '{name}', which are whole counts of it; "
        "where answers are repeated, n is smaller"
    )
    family = "bounded_mean" if columns.names_error_rate(name) else "accuracy"
    with_n = [score._replace(n_items=n, n_source=rows.DIGITS) for score in scores]
    return Imported(with_n, notes=[note], family=family)


def _shares(reading: Reading, limits: Limits) -> list[float]:
    low, high = limits
    return [round((cell.number - low) / (high - low), 12) for cell in reading.numbers]


def _n_of_digits(reading: Reading, limits: Limits) -> int | None:
    """Return the number of items that the digits of a column tell."""
    digits = max((cell.decimals for cell in reading.numbers), default=0)
    half = 0.5 * 10.0**-digits / (limits[1] - limits[0])
    return rows.n_of_digits(_shares(reading, limits), half)


def _n_of_error(score: Score, limits: Limits) -> int | None:
    low, high = limits
    if not isinstance(score.score, float) or not isinstance(score.standard_error, float):
        return None
    return rows.n_items(score.score - low, score.standard_error, high - low)


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
    limits: Limits,
    follows: int | None,
    family: str | None,
) -> tuple[int | None, str]:
    """Return a number of items that something hints at, and what.

    Of several numbers in the text the proposal is the only number of which every score can be a
    whole count; a lone number needs half of the scores.
    """
    stated = dict(numbers_in_text(reading.board.sheet.about))
    shares = _shares(reading, limits) if family == "accuracy" else []
    fewest = len(shares) / (1 if len(stated) > 1 else 2)
    allowed = [n for n in stated if sum(rows.countable(s, n) for s in shares) >= fewest]
    if len(allowed) == 1:
        return allowed[0], f"the text says '{stated[allowed[0]]}'"
    if follows:
        why = f"scores are whole counts of {follows:,}, n if each item is right or wrong"
        return follows, f"{why} and answered once"
    if usual := usual_n(reading):
        return usual, f"benchmarks of this name mostly have {usual:,}"
    why = f"nothing in '{reading.name}' says it"
    return None, f"the text says {listed(stated.values())}: which, if any?" if stated else why


def _n_beside(board: Layout) -> tuple[int | str | None, str] | None:
    """Return the number or, where rows differ, the column beside more scores than share an n.

    A column of n whose words name other scores is theirs.
    """
    beside = {
        cell.number: board.name(p)
        for p in board.sizes
        if not board.named_by(p)
        for cell in board.numbers(p)
    }
    if not beside or beside.keys() == {1}:
        return None
    (size, column), *further = beside.items()
    names = dict.fromkeys(beside.values())
    if len(names) > 1:
        return None, f"{listed(names)} may be it: which?"
    if further:
        return column, f"'{column}' may be it, of each task or of all"
    return int(size), f"'{column}' is {size:,.0f} in all rows, of each task or of all"


def _n_of_rows(reading: Reading) -> tuple[int, str] | None:
    """Return the number of items that several rows have."""
    for name in filter(columns.numbers_items, reading.board.unread):
        n = len({str(row.cells[name]) for row in reading.models})
        # Fewer ids are those of settings, such as prompts.
        if 5 <= n <= len(reading.models) / 2:
            return n, f"'{name}' numbers {n} items"
    return None
