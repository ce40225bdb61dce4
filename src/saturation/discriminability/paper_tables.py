"""Tables 1 and 2 of the discriminability paper, one row a benchmark."""

import math
from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal

import pandas as pd

SHOWN = ("monthly", "changes", "growth", "first_due")
INTERVAL = ["submitters_change", "submitters_change_lower", "submitters_change_upper"]
Tables = Mapping[str, pd.DataFrame]


def leaderboards(monthly: pd.DataFrame) -> list[str]:
    """The leaderboards in the order of their tables: of their names."""
    return sorted(map(str, monthly["leaderboard"].unique()))


def status(tables: Tables, board: str) -> pd.DataFrame:
    """The paper's columns for one leaderboard, with intervals and the projection that abstains.

    Parameters
    ----------
    tables
        ``monthly, changes, growth, first_due`` of the study.
    board
        The leaderboard.

    Returns
    -------
    pandas.DataFrame
        ``benchmark, max_score, ceiling_proximity, bdi_first, bdi_last, change``,
        ``submitters_change`` (each submitter counted once) with its interval or
        ``not_tested_because``, ``ceiling`` and ``r_squared`` of the paper's fit,
        ``honest_ceiling`` (missing where the growth curve abstains), ``abstains_because``,
        ``first_due``. Proportions.
    """
    of_board = {name: tables[name][tables[name]["leaderboard"] == board] for name in SHOWN}
    highest = of_board["monthly"].groupby("benchmark", as_index=False)["max_score"].max()
    change = of_board["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    change = change.rename(columns={"bdi_from": "bdi_first", "bdi_to": "bdi_last"})
    paper = of_board["growth"].query("reading == 'paper'")[["benchmark", "ceiling", "r_squared"]]
    honest = of_board["growth"].query("reading == 'honest'")
    honest = pd.DataFrame(
        {
            "benchmark": honest["benchmark"],
            "honest_ceiling": honest["ceiling"].where(~honest["abstains"].astype(bool)),
            "abstains_because": honest["reason"],
        }
    )
    change = change.rename(columns={"reason": "not_tested_because"})
    columns = ["benchmark", "bdi_first", "bdi_last", "change", *INTERVAL, "not_tested_because"]
    table: pd.DataFrame = highest.assign(ceiling_proximity=highest["max_score"])
    due = of_board["first_due"][["benchmark", "first_due"]]
    for measured in (change[columns], paper, honest, due):
        table = table.merge(measured, on="benchmark", how="left")
    return table


def printed(table: pd.DataFrame) -> pd.DataFrame:
    """The table as the paper prints it: scores in percent, an interval in one cell."""
    interval = [
        "—" if pd.isna(change) else f"{change:+.3f} [{lower:+.3f}, {upper:+.3f}]"
        for change, lower, upper in table[INTERVAL].to_numpy(float)
    ]
    return pd.DataFrame(
        {
            "Benchmark": table["benchmark"],
            "Max score (%)": _cells(table, "max_score", 1, 100),
            "CP": _cells(table, "ceiling_proximity", 2),
            "BDI first": _cells(table, "bdi_first", 3),
            "BDI last": _cells(table, "bdi_last", 3),
            "Change": _cells(table, "change", 3),
            "Change, submitters once [95 % interval]": interval,
            "Why not tested": table["not_tested_because"].astype(object).fillna(""),
            "Ceiling L, paper's fit (%)": _cells(table, "ceiling", 1, 100),
            "R²": _cells(table, "r_squared", 2),
            "Ceiling, where the data carry one (%)": _cells(table, "honest_ceiling", 1, 100),
            "Why no projection": table["abstains_because"].fillna(""),
            "First due for retirement": table["first_due"].fillna("never"),
        }
    )


def _cells(table: pd.DataFrame, column: str, digits: int, scale: int = 1) -> list[str]:
    """Rounded half to even as decimals, so that 0.8935 is 89.4 % whatever its binary form."""
    step = Decimal(1).scaleb(-digits)

    def cell(value: float) -> str:
        if math.isnan(value):
            return "—"
        return str((Decimal(f"{value:.12g}") * scale).quantize(step, rounding=ROUND_HALF_EVEN))

    return [cell(value) for value in table[column].to_numpy(float)]
