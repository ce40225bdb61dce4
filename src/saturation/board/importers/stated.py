"""What files state in more than one way: a score's error, its number of items, and its date."""

import math
import re
from datetime import UTC, date, datetime

import scipy

# Relative error of arithmetic with all digits of a float.
ROUNDING = 1e-9
# Most numbers of items that digits may leave open, and how rare a match by chance must be.
WIDEST = 50.0
FALSE_MATCHES = 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def standard_error(
    error: float | None = None,
    deviation: float | None = None,
    n: float | None = None,
    interval: tuple[float, float] | None = None,
    level: float | None = None,
) -> float | None:
    """The best that is stated: the error itself, else deviation and n, else an interval.

    Parameters
    ----------
    error
        The standard error itself.
    deviation, n
        Standard deviation of the items' scores, and their number.
    interval, level
        Lower and upper end of a normal interval, and its level in (0, 1); without a level an
        interval says nothing.

    Returns
    -------
    float or None
        In the unit of what is given; None if that is not enough.
    """
    if error is not None:
        return error
    if deviation is not None and n:
        return deviation / math.sqrt(n)
    if interval is not None and level:
        lower, upper = interval
        return (upper - lower) / (2 * float(scipy.special.ndtri(0.5 + level / 2)))
    return None


def n_items(score: float, error: float) -> int | None:
    """The number of items behind an accuracy, if its standard error leaves only one.

    The error of a share p of n items is sqrt(p(1 - p)/(n - 1)) or, by other tools, with n. A whole
    number n is told by both only if it lies in the range that their printed digits leave open, and
    p n is a whole number as well. Where several n fit, or one fits that chance alone would
    produce in more than one of `FALSE_MATCHES` cases, nothing follows: so it does not from
    errors of clustered or resampled items, which obey neither formula.

    Parameters
    ----------
    score
        Proportion, with as many digits as the file has.
    error
        Its standard error in the same unit.

    Returns
    -------
    int or None
        The number, or None if it does not follow.
    """
    if not 0 < score < 1 or not 0 < error < 0.5:
        return None
    slack = _half_digit(score)
    spread = 2 * _half_digit(error) / error + slack * abs(1 - 2 * score) / (score * (1 - score))
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


def countable(score: float, n: int) -> bool:
    """Whether a score can be that of a whole number of right answers, to the digits it has.

    Parameters
    ----------
    score
        Proportion, with as many digits as the file has.
    n
        Number of items.
    """
    return abs(round(score * n) - score * n) <= n * (_half_digit(score) + ROUNDING)


def day(stated: object) -> str | None:
    """ISO date of a date or moment as text; None if it is neither.

    Parameters
    ----------
    stated
        ``2026-01-31`` or a moment that begins so.
    """
    text = str(stated)
    if not _DAY.fullmatch(text[:10]) or (len(text) > 10 and text[10] not in "T "):
        return None
    try:
        datetime.fromisoformat(text)
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return None


def _half_digit(value: float) -> float:
    """Half a unit of the last digit that a number is written with."""
    digits = repr(float(value)).lower()
    mantissa, _, exponent = digits.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return 0.5 * 10.0**-decimals


def utc_date(seconds: float) -> str:
    """ISO date of a moment in Unix seconds.

    Raises
    ------
    ValueError
        If no calendar has it.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        raise ValueError(f"the moment {seconds:g} s is in no calendar") from None
