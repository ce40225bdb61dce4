"""Plain tables of attempts: how often each model solved each item, read as pass@k."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from saturation.board.importers import cells
from saturation.board.importers.formats.responses import labelled
from saturation.board.importers.registry import Importer, Shape
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.errors import InputError, shortened

REQUIRED = ("model", "item", "attempts", "correct")


def attempts(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Items as counts of attempts and successes, turned into pass@k.

    Parameters
    ----------
    table
        Columns `REQUIRED` and, optionally, ``cluster, run, configuration``.
    choice
        The k of pass@k.
    origin
        The file, and what the config says about it.

    Raises
    ------
    InputError
        If k was not chosen, a count is not a whole number, or an item has fewer attempts than k.
    """
    k = choice.pass_k
    if k is None:
        raise InputError(f"{origin.file}: give the k of pass@k with the key 'pass_k'")
    tried, right = (_counts(table[name]) for name in ("attempts", "correct"))
    lines = table.index.to_numpy()
    allowed = (tried >= k) & (right >= 0) & (right <= tried)
    refused = np.flatnonzero(~allowed)
    if len(refused):
        raise InputError(
            shortened(
                [
                    f"{origin.file}, row {lines[place]}: "
                    f"{_shown(table['correct'].iloc[place])} of "
                    f"{_shown(table['attempts'].iloc[place])} attempts; allowed: at least {k} "
                    "attempts (pass_k), at most as many correct, whole numbers"
                    for place in refused
                ]
            )
        )
    values = pd.Series(pass_at_k(tried, right, k), table.index)
    return Imported(
        responses=labelled(table, values, origin), minimum=0.0, maximum=1.0, higher_is_better=True
    )


def pass_at_k(attempts: ArrayLike, correct: ArrayLike, k: int) -> NDArray[np.float64]:
    """Unbiased estimate of each item's pass@k from c successes in n attempts.

    1 - C(n - c, k)/C(n, k), in logarithms so that large n do not overflow (Chen et al. 2021,
    equation 1).

    Parameters
    ----------
    attempts, correct
        Counts for each item, ``correct <= attempts`` and ``attempts >= k``.
    k
        Attempts of which at least one must succeed.
    """
    n, c = np.asarray(attempts, float), np.asarray(correct, float)
    failing = n - c
    enough = failing >= k
    safe = np.where(enough, failing, k)
    log_ratio = gammaln(safe + 1) - gammaln(safe - k + 1) - gammaln(n + 1) + gammaln(n - k + 1)
    return np.where(enough, 1 - np.exp(log_ratio), 1.0)


def _counts(column: pd.Series) -> NDArray[np.float64]:
    """Whole numbers; what is none becomes NaN, which no comparison allows."""
    numbers = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(float)
    return np.where(numbers % 1 == 0, numbers, np.nan)


def _shown(cell: object) -> str:
    return cells.text(cell) or "nothing"


FORMATS = (
    Importer(
        name="attempts",
        title="attempts",
        shape=Shape.TABLE,
        keys=REQUIRED,
        read=attempts,
    ),
)
