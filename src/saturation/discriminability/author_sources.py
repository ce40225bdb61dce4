"""The files that the paper's author released, as tables: monthly values and logistic fits."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import checks

# Names of the author's columns; scores there are points out of 100.
MONTHLY = {
    "leaderboard": "leaderboard",
    "benchmark": "benchmark",
    "month": "month",
    "n_models": "n_models",
    "max_score": "max_score",
    "bdi_entropy": "bdi",
    "top10_gap": "top10_gap",
}
FITTED = {
    "ceiling": "ceiling",
    "steepness": "rate",
    "inflection_month_idx": "midpoint",
    "r_squared": "r_squared",
}
DIGITS = 12  # more than the author's sums carry


def monthly_from_source(table: pd.DataFrame, file: str) -> pd.DataFrame:
    """The author's monthly table with the columns that the paper's numbers rest on.

    Parameters
    ----------
    table
        ``bdi_results.csv`` as read; scores in points.
    file
        The name to put in front of violations.

    Returns
    -------
    pandas.DataFrame
        Columns ``leaderboard, benchmark, month, n_models, max_score, bdi, top10_gap``; scores and
        gaps as proportions.
    """
    checks.require_columns(table, MONTHLY, file)
    kept = table[list(MONTHLY)].rename(columns=MONTHLY)
    return kept.assign(
        max_score=(kept["max_score"] / 100).map(_tidy),
        top10_gap=(kept["top10_gap"] / 100).map(_tidy),
        bdi=kept["bdi"].map(_tidy),
    )


def fits_from_source(released: Any, file: str) -> pd.DataFrame:
    """The author's fits as a table, ceilings as proportions.

    Parameters
    ----------
    released
        ``saturation_fits.json`` as read: parameters by ``LEADERBOARD_BENCHMARK``.
    file
        The name to put in front of violations.

    Raises
    ------
    InputError
        Naming each fit that lacks a parameter, or whose name holds no leaderboard.
    """
    rows, wrong = [], []
    for name, fit in (released if isinstance(released, Mapping) else {}).items():
        board, _, benchmark = str(name).partition("_")
        lacking = [key for key in FITTED if not isinstance(fit, Mapping) or key not in fit]
        if lacking or not benchmark:
            wrong.append(f"{file}: '{name}' lacks {', '.join(lacking) or 'a benchmark'}")
            continue
        values = {FITTED[key]: _tidy(float(fit[key])) for key in FITTED}
        values["ceiling"] = _tidy(values["ceiling"] / 100)
        rows.append({"leaderboard": board, "benchmark": benchmark, **values})
    if wrong or not rows:
        raise InputError(wrong or f"{file}: no fit by LEADERBOARD_BENCHMARK")
    return pd.DataFrame(rows)


def _tidy(value: float) -> float:
    """Without the digits that are rounding error."""
    return float(f"{value:.{DIGITS}g}")
