"""A study's headline numbers: the rows of every ``results/STUDY/quantities.csv``."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd


class Quantity(NamedTuple):
    """One number with its interval, as the ledger joins it to a claim.

    Parameters
    ----------
    quantity
        Name: lower-case letters, digits and underscores; ``name__reading`` is another reading of
        ``name``.
    value, lower, upper
        The number and the ends of its interval; NaN where there is none.
    note
        Remark for readers, or empty.
    """

    quantity: str
    value: float
    lower: float = math.nan
    upper: float = math.nan
    note: str = ""


def frame(quantities: Iterable[Quantity]) -> pd.DataFrame:
    """The table ``quantity, value, lower, upper, note``, numbers as floats, in the given order.

    Raises
    ------
    ValueError
        If a name stands twice: the ledger could not tell which of the two is meant.
    """
    rows = list(quantities)
    counts = Counter(row.quantity for row in rows)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise ValueError(f"quantities named more than once: {', '.join(twice)}")
    table = pd.DataFrame(rows, columns=list(Quantity._fields))
    return table.astype({"value": float, "lower": float, "upper": float})
