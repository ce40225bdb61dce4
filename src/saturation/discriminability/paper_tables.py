"""Tables 1 and 2 of the discriminability paper, one row a benchmark."""

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal

import pandas as pd

Tables = Mapping[str, pd.DataFrame]


def leaderboard(monthly: pd.DataFrame, number: int) -> str:
    """Name of the leaderboard that table `number` (from 1) shows, in order of their names."""
    return str(sorted(monthly["leaderboard"].unique())[number - 1])


def status(tables: Tables, board: str) -> pd.DataFrame:
    """The paper's columns for one leaderboard, with intervals and the projection that abstains.

    Parameters
    ----------
    tables
        ``monthly, changes, growth, first_due``.
    board
        The leaderboard.

    Returns
    -------
    pandas.DataFrame
        ``benchmark, max_score, ceiling_proximity, bdi_first, bdi_last, change`` with its
        interval, ``ceiling`` and ``r_squared`` of the paper's fit, ``honest_ceiling`` (missing
        where the growth curve abstains), ``abstains_because``, ``first_due``. Proportions.
    """
    mine = {name: table[table["leaderboard"] == board] for name, table in tables.items()}
    highest = mine["monthly"].groupby("benchmark", as_index=False)["max_score"].max()
    change = mine["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    change = change.rename(columns={"bdi_from": "bdi_first", "bdi_to": "bdi_last"})
    paper = mine["growth"].query("reading == 'paper'")[["benchmark", "ceiling", "r_squared"]]
    honest = mine["growth"].query("reading == 'honest'")
    honest = pd.DataFrame(
        {
            "benchmark": honest["benchmark"],
            "honest_ceiling": honest["ceiling"].where(~honest["abstains"].astype(bool)),
            "abstains_because": honest["reason"],
        }
    )
    columns = ["benchmark", "bdi_first", "bdi_last", "change", "change_lower", "change_upper"]
    table = highest.assign(ceiling_proximity=highest["max_score"])
    for part in (change[columns], paper, honest, mine["first_due"][["benchmark", "first_due"]]):
        table = table.merge(part, on="benchmark", how="left")
    return table


def printed(table: pd.DataFrame) -> pd.DataFrame:
    """The table as the paper prints it: scores in percent, an interval in one cell."""
    interval = [
        "—"
        if pd.isna(row.change)
        else f"{row.change:+.3f} [{row.change_lower:+.3f}, {row.change_upper:+.3f}]"
        for row in table.itertuples()
    ]
    return pd.DataFrame(
        {
            "Benchmark": table["benchmark"],
            "Max score (%)": _cells(table, "max_score", 1, 100),
            "CP": _cells(table, "ceiling_proximity", 2),
            "BDI first": _cells(table, "bdi_first", 3),
            "BDI last": _cells(table, "bdi_last", 3),
            "Change [95 % interval]": interval,
            "Ceiling L, paper's fit (%)": _cells(table, "ceiling", 1, 100),
            "R²": _cells(table, "r_squared", 2),
            "Ceiling, where the data carry one (%)": _cells(table, "honest_ceiling", 1, 100),
            "Why no projection": table["abstains_because"].fillna(""),
            "First due for retirement": table["first_due"].fillna("never"),
        }
    )


def _cells(table: pd.DataFrame, column: str, digits: int, scale: int = 1) -> pd.Series:
    """Rounded half to even as decimals, so that 0.8935 is 89.4 % whatever its binary form."""
    step = Decimal(1).scaleb(-digits)

    def cell(value: float) -> str:
        if pd.isna(value):
            return "—"
        return str((Decimal(f"{value:.12g}") * scale).quantize(step, rounding=ROUND_HALF_EVEN))

    return table[column].map(cell)
