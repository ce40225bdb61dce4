"""What files state in more than one way: the error of a score, and when it was measured."""

import math
from datetime import UTC, datetime

from scipy.stats import norm


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
        return (upper - lower) / (2 * float(norm.ppf(0.5 + level / 2)))
    return None


def utc_date(seconds: float) -> str:
    """ISO date of a moment in Unix seconds.

    Raises
    ------
    ValueError
        If no calendar has it.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, OSError):
        raise ValueError(f"the moment {seconds:g} s is in no calendar") from None
