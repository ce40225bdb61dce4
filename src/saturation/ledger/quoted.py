"""The numbers that README, docs and the report's first page quote, by the names in their texts."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.files.tables import records


def quoted(
    quantities: Mapping[str, pd.DataFrame], summary: pd.DataFrame, grades: pd.DataFrame
) -> dict[str, Any]:
    """Values by name; one that was not computed is left out.

    Parameters
    ----------
    quantities
        Tables of headline numbers, by study; see ``schemas.QUANTITIES``.
    summary, grades
        Counts of claims by verdict and by grade, see ``schemas.SUMMARY`` and ``schemas.GRADES``.

    Returns
    -------
    dict
        ``NAME``, ``NAME_lower``, ``NAME_upper`` and ``NAME_note`` of every quantity; where studies
        share a name, that of the first. Of the ledger, the counts by verdict and by grade.
    """
    named: dict[str, Any] = {}
    for table in quantities.values():
        for row in records(table):
            name = row["quantity"]
            limits = {f"{name}_{key}": row[key] for key in ("lower", "upper", "note")}
            named = {name: row["value"], **limits, **named}
    for row in records(grades):
        named[row["grade"].replace(",", "").replace(" ", "_")] = row["claims"]
    for total in records(summary[summary["paper"] == "all"]):
        named |= {name.replace(" ", "_"): count for name, count in total.items()}
    if {"n_boards", "n_boards_kth_tied"} <= set(named):
        named["n_boards_told_apart"] = named["n_boards"] - named["n_boards_kth_tied"]
    return {name: value for name, value in named.items() if not pd.isna(value)}
