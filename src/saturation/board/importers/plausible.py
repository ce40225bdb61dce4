"""What no evaluation can have measured: impossible numbers, dates, errors and units."""

import math
import re
import statistics
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd

from saturation.board.importers.rows import Score
from saturation.board.importers.stated import day

# More items than any benchmark has, and years before any of its models.
MOST_ITEMS = 10**9
FIRST_YEAR = 2000
# Largest difference of an aggregate from its item responses, as a proportion.
AGREEMENT = 0.005
# Standard errors by which a sample of the items may differ from all.
MOST_ERRORS = 5.0
# How far the error of a count of right answers may be from the binomial one: strata lower it
# somewhat, clusters raise it.
LEAST_RATIO, MOST_RATIO = 0.2, 10.0
# Scores of which one a hundred times smaller than the others stands out.
FEWEST_BESIDE = 2
_SERIAL = re.compile(r"[34]\d{4}(\.\d+)?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([,' .]\d{3})+([.,]\d+)?")
_COMMA = re.compile(r"[+-]?\d+,\d+")


def shown(value: Any) -> str:
    """A value as a sentence shows it; a missing one is ``nan``."""
    if value is None:
        return "nan"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}... ({len(text)} letters)"


def hint(value: Any) -> str:
    """What is probably wrong with a cell that should be a number, and what to do."""
    if value is None:
        return "; it is missing: fill it in, or leave the row out"
    if not isinstance(value, str):
        return "; a score is neither true nor false" if isinstance(value, bool) else ""
    text = value.strip()
    if _COMMA.fullmatch(text) and not _GROUPED.fullmatch(text):
        return "; write a point for the decimal comma"
    if _GROUPED.fullmatch(text):
        return "; leave out what separates thousands, and write a point before decimals"
    return "; correct the cell, or leave the row out"


def n_items(stated: Any, declared: int | None) -> Iterable[str]:
    """Problems with a number of items, alone and beside the one that the config declares."""
    if stated is None:
        return
    plain = isinstance(stated, (int, float)) and not isinstance(stated, bool)
    if not plain or not 1 <= stated <= MOST_ITEMS or stated % 1:
        yield (
            f"n_items {shown(stated)}; expected a whole number from 1 to {MOST_ITEMS:,}"
            f"{hint(stated)}"
        )
    elif declared is not None and stated != declared:
        yield (
            f"n_items {stated:g} in the file, but the config declares n_items {declared}; remove "
            "the key, or correct the file"
        )


def date(stated: Any) -> Iterable[str]:
    """Problems with the date of an evaluation."""
    if (iso := day(stated)) is None:
        serial = _SERIAL.fullmatch(str(stated))
        yield (
            f"date {shown(stated)}; expected an ISO date such as 2026-01-31"
            + (
                "; it looks like a spreadsheet's day number: format the column as text"
                if serial
                else ""
            )
        )
    elif int(iso[:4]) < FIRST_YEAR:
        yield f"date {iso} is before {FIRST_YEAR}; correct it"
    elif iso > (datetime.now(UTC) + timedelta(days=1)).date().isoformat():
        yield f"date {iso} is in the future; correct it"


def error(share: float, standard_error: float, n: float | None) -> Iterable[str]:
    """Problems with the standard error of a proportion.

    Parameters
    ----------
    share, standard_error
        Both as proportions.
    n
        Number of items, each right or wrong; None if they are not or it is unknown.
    """
    largest = math.sqrt(max(share * (1 - share), 0.0))
    if standard_error > max(largest, 0.5 if largest == 0 else 0) + 1e-9:
        yield (
            f"standard error {standard_error:.4g} of the score {share:.4g} (both as proportions) "
            f"is impossible: a single item has {largest:.4g}; is it in another unit?"
        )
    elif n and n > 0 and largest > 0 and standard_error > 0:
        ratio = standard_error / (largest / math.sqrt(n))
        if not LEAST_RATIO <= ratio <= MOST_RATIO:
            yield (
                f"standard error {standard_error:.4g} of the score {share:.4g} (both as "
                f"proportions) is {ratio:.2g} times that of {n:g} right or wrong items; is one of "
                "them in another unit?"
            )


def agree(score: float, n: float, mean: float, count: int) -> bool:
    """Whether an aggregate and item responses can be of one evaluation.

    Parameters
    ----------
    score, n
        The aggregate in [0, 1] or a rating, and its number of items, NaN if unknown.
    mean, count
        Mean and number of the responses; fewer than n are a sample of its items.
    """
    if not 0 <= score <= 1:
        return True
    chance = 0.0
    if n > count:
        chance = MOST_ERRORS * math.sqrt(score * (1 - score) / count + 1 / count**2)
    return not n < count and abs(mean - score) <= AGREEMENT + chance


def unit_of_scores(
    scores: Sequence[Score], limits: tuple[float, float] | None, where: str
) -> list[str]:
    """Scores that are proportions where percentages are declared.

    Parameters
    ----------
    scores
        All of a benchmark, finite and in their range.
    limits
        The range, None for metrics without one.
    where
        Whose they are, for the message.
    """
    if limits is None or limits[0] != 0 or not limits[1] > 10 or not scores:
        return []
    values = [float(score.score) for score in scores]
    if max(values) <= 1 and any(value % 1 for value in values):
        return [
            f"{where}: all scores are at most 1 in a range from 0 to {limits[1]:g}; if they are "
            "proportions declare score_range [0, 1], if they are not divide them and it by "
            f"{limits[1]:g}"
        ]
    large = [value for value in values if value > 10]
    if len(large) < FEWEST_BESIDE or any(1 < value <= 10 for value in values):
        return []
    typical = statistics.median(large)
    return [
        f"{where}, row {score.row}, model {score.model!r}: score {float(score.score):g} beside "
        f"others of about {typical:g} in a range from 0 to {limits[1]:g}: is it a proportion? "
        f"Write {100 * float(score.score):g}, or give all scores as proportions"
        for score in scores
        if 0 < float(score.score) <= 1
        and float(score.score) % 1
        and min(large) <= limits[1] * float(score.score) <= max(large) * 1.1
    ]


def lone_one(values: Sequence[float], limits: tuple[float, float] | None) -> int | None:
    """Place of the one score of exactly 1 among percentages: it may be 1 %, or all as a proportion.

    Parameters
    ----------
    values
        All scores of a benchmark.
    limits
        The range, None for metrics without one.
    """
    if limits is None or limits[0] != 0 or not limits[1] > 10:
        return None
    small = [place for place, value in enumerate(values) if value <= 10]
    if len(small) != 1 or values[small[0]] != 1 or len(values) - 1 < FEWEST_BESIDE:
        return None
    return small[0]


def unit_of_responses(values: pd.Series, limits: tuple[float, float], file: str) -> list[str]:
    """A sentence if responses are proportions where percentages are declared."""
    low, high = limits
    if low != 0 or high <= 10 or values.max() > 1 or values.empty:
        return []
    return [
        f"{file}: all responses are at most 1 in a range from 0 to {high:g}; if they are "
        "proportions, or 0 and 1, declare score_range [0, 1]"
    ]
