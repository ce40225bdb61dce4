"""Name the statuses of benchmarks; what prints them loads nothing that judges them."""

import re
from typing import TYPE_CHECKING

from saturation.leaderboard.names import HEADROOM

if TYPE_CHECKING:
    import pandas as pd

UNRATED, SUPERSEDED, STALE = UNDECIDED = ("not rated", "superseded", "no data since")
RATED = HEADROOM
STATUSES = (*RATED, *UNDECIDED)


def plain(name: str) -> str:
    """Normalise a name for comparison: Human-Eval is HumanEval, HumanEval+ is not."""
    return re.sub(r"[^a-z0-9+]", "", name.lower())


def current(status: "pd.DataFrame") -> "pd.DataFrame":
    """Return the current benchmarks with a status, those most likely to be exhausted next first."""
    table = status[status["current"]]
    place = table["status"].map(STATUSES.index)
    ordered = table.assign(place=place, next_year=table["next_year"].fillna(-1.0)).sort_values(
        ["place", "next_year", "best_share"], ascending=[True, False, False]
    )
    return table.loc[ordered.index]
