"""The three-criteria retirement test, window by window (discriminability paper, section 7.1)."""

from dataclasses import dataclass

import pandas as pd

from saturation.discriminability.names import BOARD, KEYS

CRITERIA = ("ceiling_met", "gap_met", "decline_met")


@dataclass(frozen=True)
class Thresholds:
    """Limits as proportions; the paper's are 0.90, 0.01 and 0.15.

    Parameters
    ----------
    ceiling_proximity
        The best score is above this.
    top10_gap
        The mean gap among the top ten is below this.
    bdi_decline
        The index lies below its peak so far by more than this share of it.
    """

    ceiling_proximity: float
    top10_gap: float
    bdi_decline: float


def retirement_table(monthly: pd.DataFrame, thresholds: Thresholds) -> pd.DataFrame:
    """Each criterion's value and verdict in every window.

    Parameters
    ----------
    monthly
        ``leaderboard, benchmark, month, elapsed, n_models, ceiling_proximity, top10_gap, bdi``.
    thresholds
        A criterion is met strictly beyond its limit.

    Returns
    -------
    pandas.DataFrame
        The criteria's values (``bdi_decline`` is relative to ``peak_bdi``, the highest index up
        to and including the window: what an operator would have known then), ``*_met``, ``met``
        (how many) and ``due`` (all three). A gap that cannot be computed is not met.
    """
    ordered = monthly.sort_values([*BOARD, "elapsed"], ignore_index=True)
    columns = [*KEYS, "elapsed", "n_models", "ceiling_proximity", "top10_gap", "bdi"]
    table = ordered[columns].copy()
    table["peak_bdi"] = table.groupby(BOARD)["bdi"].cummax()
    table["bdi_decline"] = (1 - table["bdi"] / table["peak_bdi"]).fillna(0.0)
    table["ceiling_met"] = table["ceiling_proximity"] > thresholds.ceiling_proximity
    table["gap_met"] = table["top10_gap"] < thresholds.top10_gap
    table["decline_met"] = table["bdi_decline"] > thresholds.bdi_decline
    table["met"] = table[list(CRITERIA)].sum(axis=1)
    table["due"] = table["met"] == len(CRITERIA)
    return table


def first_due(table: pd.DataFrame) -> pd.DataFrame:
    """First window in which each criterion and all three are met, and how often all three are.

    Parameters
    ----------
    table
        :func:`retirement_table`.

    Returns
    -------
    pandas.DataFrame
        One row a benchmark: ``first_ceiling_met, first_gap_met, first_decline_met, first_due``
        (missing: never), ``windows``, ``windows_due``.
    """
    rows = []
    for board, series in table.groupby(BOARD, sort=True):
        firsts = {
            f"first_{name}": series.loc[series[name], "month"].min() for name in (*CRITERIA, "due")
        }
        rows.append(
            {
                **dict(zip(BOARD, board, strict=True)),
                **firsts,
                "windows": len(series),
                "windows_due": int(series["due"].sum()),
            }
        )
    return pd.DataFrame(rows)
