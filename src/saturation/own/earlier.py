"""What the card would have said at earlier dates of the data: verdict, gap and ties."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from saturation.board.leaders import deciding
from saturation.drawing import pages
from saturation.own import card

# Dates that are judged, the last among them: enough for a course, few enough for large boards.
MOST_DATES = 8
FEWEST_DATES = 2


def earlier(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: card.Settings,
) -> dict[str, Any]:
    """The card's verdict on the evaluations up to each of some dates, as the card itself has it.

    A date is the last of its month on which something was evaluated. Of item responses only a
    model's latest are known, so that a model counts from their date on.

    Parameters
    ----------
    benchmark, scores, responses, declared, settings
        As :func:`saturation.own.card.assemble` takes them.

    Returns
    -------
    dict
        ``abstains`` with the reason, or ``undated`` (number of models left out because nothing
        dates them) and ``dates``: one record a date with ``date, n_models, verdict, reason, first,
        score, gap`` (of the first and the k-th) and ``tied`` (number of models).
    """
    tables = [_dated(scores), _dated(responses)]
    known = sorted({str(date) for table in tables for date in table["date"].unique()})
    if len(known) < FEWEST_DATES:
        return {"abstains": f"{pages.counted(len(known), 'date')} of evaluations"}
    rows = []
    for date in _chosen(known):
        scored, answered = (table[table["date"].astype(str) <= date] for table in tables)
        made = card.assemble(benchmark, scored, answered, declared, settings)
        if made["frontier"] is not None:
            rows.append({"date": date, **_row(made)})
    if len(rows) < FEWEST_DATES:
        return {
            "abstains": f"{pages.counted(len(rows), 'date')} by which enough models for a verdict "
            "had been evaluated"
        }
    models = [set(table["model"].unique()) for table in (scores, responses)]
    dated = [set(table["model"].unique()) for table in tables]
    return {
        "abstains": None,
        "undated": len(set.union(*models) - set.union(*dated)),
        "dates": rows,
    }


def _dated(table: pd.DataFrame) -> pd.DataFrame:
    if "date" not in table:
        return table.assign(date="").iloc[:0]
    return table[(table["date"].notna() & (table["date"] != "")).to_numpy()]


def _chosen(dates: list[str]) -> list[str]:
    """The last date of each month; of many months some, evenly, with the first and the last."""
    ends = list({date[:7]: date for date in dates}.values())
    if len(ends) == 1:
        ends = [dates[0], dates[-1]]
    places = np.linspace(0, len(ends) - 1, min(len(ends), MOST_DATES)).round().astype(int)
    return [ends[place] for place in places]


def _row(made: Mapping[str, Any]) -> dict[str, Any]:
    frontier = made["frontier"]
    return {
        "n_models": made["data"]["n_ranked"],
        "verdict": made["verdict"],
        "reason": made["reason"],
        "first": frontier["models"][0]["model"],
        "score": frontier["models"][0]["score"],
        "gap": frontier["index"]["gap"],
        "tied": len(deciding(frontier["ties"])[1]["group"]),
    }
