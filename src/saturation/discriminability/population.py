"""How much of a change in the index is a change in who submits (discriminability, section 7.3)."""

import numpy as np
import pandas as pd

from saturation.discriminability.bdi import Counts, bdi, rebin
from saturation.discriminability.names import BOARD, FINE_BINS
from saturation.discriminability.summaries import histograms
from saturation.statistics import entropy

MEASURED = [
    "bdi_from",
    "bdi_to",
    "change",
    "corrected_change",
    "corrected_change_lower",
    "corrected_change_upper",
    "note",
]
Ends = Counts  # bins at both ends of a change, shape (members, 2)
FEWEST = 10  # as for a window: fewer members carry no index


def fixed_population(
    population: pd.DataFrame,
    changes: pd.DataFrame,
    bins: int,
    level: float,
) -> pd.DataFrame:
    """Change of the index among the models, or base families, present at both ends.

    Parameters
    ----------
    population
        ``leaderboard, benchmark, month, unit, name, bin``: one evaluation a name and window.
    changes
        Rows of :func:`saturation.discriminability.windows.changes`; each gives a pair of windows.
    bins
        Bins of the index.
    level
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        One row a change and unit (``model`` or ``family``): ``members`` in both windows,
        ``bdi_from``, ``bdi_to``, ``change``, ``corrected_change`` (bias taken off) with its
        interval, ``plain_change`` of everybody, and ``note`` where too few members are shared for
        an interval, or for anything.
    """
    wide = population.pivot(index=[*BOARD, "unit", "name"], columns="month", values="bin")
    groups = dict(list(wide.groupby(level=[*BOARD, "unit"])))
    rows = []
    for row in changes.to_dict("records"):
        for unit in ("model", "family"):
            names = groups.get((row["leaderboard"], row["benchmark"], unit))
            pair = _shared(names, row["from"], row["to"])
            rows.append(
                {
                    **{key: row[key] for key in (*BOARD, "comparison", "last_window")},
                    "from": row["from"],
                    "to": row["to"],
                    "unit": unit,
                    "members": len(pair),
                    "plain_change": row["change"],
                    **_paired_change(pair, bins, level),
                }
            )
    labels = [*BOARD, "comparison", "last_window", "from", "to", "unit", "members", "plain_change"]
    return pd.DataFrame(rows, columns=[*labels, *MEASURED])


def dynamic_bdi(bins_table: pd.DataFrame, bins: int) -> pd.DataFrame:
    """Index of all models seen so far, each counted once, beside that of the window alone.

    Parameters
    ----------
    bins_table
        ``leaderboard, benchmark, month, bin, count, so_far``.
    bins
        Bins of the index.

    Returns
    -------
    pandas.DataFrame
        ``leaderboard, benchmark, month, bdi, bdi_so_far, models_so_far``.
    """
    window, union = histograms(bins_table), histograms(bins_table, "so_far")
    table = pd.DataFrame(
        {
            "bdi": bdi(rebin(window.to_numpy(), bins)),
            "bdi_so_far": bdi(rebin(union.to_numpy(), bins)),
            "models_so_far": union.sum(axis=1),
        },
        index=window.index,
    )
    return table.reset_index()


def _shared(names: pd.DataFrame | None, start: str, end: str) -> Ends:
    """Bins at both ends of the names that are in both windows, shape (members, 2)."""
    if names is None or start == end or not {start, end} <= set(names.columns):
        return np.empty((0, 2), dtype=int)
    pair: Ends = names[[start, end]].dropna().to_numpy(int)
    return pair


def _paired_change(pair: Ends, bins: int, level: float) -> dict[str, float | str]:
    if len(pair) < FEWEST:
        return {"note": f"{len(pair)} members in both windows; at least {FEWEST} are needed"}
    # The kinds of members by their two bins: what a member adds to the error at one end is
    # subtracted from what it adds at the other.
    kinds, copies = np.unique(pair * bins // FINE_BINS, axis=0, return_counts=True)
    ends = [entropy.jackknife(np.eye(bins)[kinds[:, end]], copies) for end in (0, 1)]
    corrected = ends[1].value - ends[0].value
    deviations = ends[1].deviations - ends[0].deviations
    before, after = (float(bdi(np.bincount(kinds[:, end], copies, bins))) for end in (0, 1))
    found = entropy.estimate(corrected, deviations, copies)
    known = len(pair) >= entropy.FEWEST and found.standard_error > 0
    half = float(entropy.half_width(found, level)) / np.log(bins) if known else np.nan
    change = float(corrected) / np.log(bins)
    return {
        "bdi_from": before,
        "bdi_to": after,
        "change": after - before,
        "corrected_change": change,
        "corrected_change_lower": change - half,
        "corrected_change_upper": change + half,
        "note": "" if known else _no_interval(len(pair)),
    }


def _no_interval(members: int) -> str:
    if members < entropy.FEWEST:
        return f"{members} members; at least {entropy.FEWEST} are needed for an interval"
    return "every member has the same part in it, so nothing is known of the error"
