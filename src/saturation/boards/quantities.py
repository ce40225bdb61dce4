"""The boards' headline numbers: alpha as measured, and what it makes of the published benchmarks.

Names and their meaning are listed in ``docs/boards.md``.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from saturation.boards.alpha import GROUPS, ITEMS, WHOLE
from saturation.boards.published import GRID, equal_shares
from saturation.quantity import Quantity, frame

Tables = Mapping[str, pd.DataFrame]

# Rows of the pooled table, by the names of their quantities.
_POOLED = {
    ("alpha", "all boards"): "alpha_pooled",
    ("alpha_pair", "all boards"): "alpha_pooled__first_and_kth",
    ("alpha_split", "all boards"): "alpha_pooled__chosen_on_other_items",
    ("alpha", "without NLU banks"): "alpha_pooled__without_nlu_banks",
    ("log_ratio", "all boards"): "log_ratio_pooled",
}
_OVERVIEW = ("n_models", "n_items", "n_left_out", "n_tied", "detectable", "items_needed", "s_index",
             "s_index_measured", "p_saturated", "all_right", "all_wrong", "backwards", "deciding",
             "smallest_chosen", "smallest_random")  # fmt: skip


def quantities(
    tables: Tables, k: int, alpha: float, z: float, saturated_from: float
) -> pd.DataFrame:
    """All headline numbers.

    Parameters
    ----------
    tables
        The study's tables by name: ``alpha, pooled, published, overview``.
    k, alpha, z, saturated_from
        Of the plateau study.

    Returns
    -------
    pandas.DataFrame
        ``quantity, value, lower, upper, note``.
    """
    return frame(
        [
            *_measured(tables["alpha"], alpha),
            *_pooled(tables["pooled"]),
            *_published(tables["published"]),
            *_equal(k, z, saturated_from),
            *_boards(tables["overview"]),
        ]
    )


def _measured(table: pd.DataFrame, paper: float) -> Iterator[Quantity]:
    whole = table[table["task"] == WHOLE]
    for row in whole.to_dict("records"):
        ending = "" if row["sample"] == ITEMS else "__groups"
        note = "" if pd.isna(row["reason"]) else str(row["reason"])
        yield Quantity(
            f"{row['board']}_alpha{ending}", row["alpha"], row["lower"], row["upper"], note
        )
        if row["sample"] == GROUPS:
            continue
        yield Quantity(f"{row['board']}_alpha__first_and_kth", row["alpha_pair"],
                       row["pair_lower"], row["pair_upper"], note)  # fmt: skip
        yield Quantity(f"{row['board']}_alpha__chosen_on_other_items", row["alpha_split"])
        yield Quantity(f"{row['board']}_correlation", row["correlation"])
        if not math.isnan(row["run_noise"]):
            yield Quantity(f"{row['board']}_alpha__mean_of_runs", row["alpha_published"])
            yield Quantity(f"{row['board']}_run_noise", row["run_noise"])
    items = whole[(whole["sample"] == ITEMS) & whole["reason"].isna()]
    yield Quantity("n_boards", float((whole["sample"] == ITEMS).sum()))
    yield Quantity("n_boards_measured", float(len(items)))
    yield Quantity("n_boards_above_paper", float((items["lower"] > paper).sum()))
    yield Quantity("n_boards_above_one", float((items["lower"] > 1).sum()))
    groups = whole[(whole["sample"] == GROUPS) & whole["reason"].isna()]
    yield Quantity("n_boards_groups", float(len(groups)))
    yield Quantity("n_boards_groups_above_paper", float((groups["lower"] > paper).sum()))
    yield Quantity("n_boards_groups_below_one", float((groups["upper"] < 1).sum()))


def _pooled(table: pd.DataFrame) -> Iterator[Quantity]:
    for row in table.to_dict("records"):
        name = _POOLED.get((row["what"], row["over"]))
        if name is not None:
            yield Quantity(name, row["value"], row["lower"], row["upper"])
        if name == "alpha_pooled":
            yield Quantity("alpha_predicted", row["value"], row["predicted_lower"],
                           row["predicted_upper"], "interval for a new board")  # fmt: skip
        if row["what"].startswith("slope on "):
            name = row["what"].removeprefix("slope on ")
            yield Quantity(f"alpha_slope_{name}", row["value"], row["lower"], row["upper"])


def _published(table: pd.DataFrame) -> Iterator[Quantity]:
    for row in table[table["reading"] != GRID].to_dict("records"):
        yield from _counts(row, row["reading"].replace(" ", "_"))


def _counts(row: Mapping[Any, Any], reading: str) -> Iterator[Quantity]:
    for name in ("saturated", "similar"):
        yield Quantity(f"published_n_{name}__{reading}", row[f"n_{name}"],
                       row[f"{name}_lower"], row[f"{name}_upper"])  # fmt: skip


def _equal(k: int, z: float, saturated_from: float) -> Iterator[Quantity]:
    shares = equal_shares(k, z, saturated_from)
    for name, share in zip(("saturated", "similar"), shares, strict=True):
        yield Quantity(f"equal_{name}_share", share, note=f"{k} equal models, true errors")


def _boards(table: pd.DataFrame) -> Iterator[Quantity]:
    for row in table.to_dict("records"):
        for name in _OVERVIEW:
            yield Quantity(f"{row['board']}_{name}", float(row[name]))
        yield Quantity(f"{row['board']}_gap", row["gap"], row["gap_lower"], row["gap_upper"])
    dead = table["all_right"] + table["all_wrong"]
    yield Quantity("dead_share_median", float((dead / table["n_items"]).median()))
    yield Quantity("n_boards_kth_tied", float(table["kth_tied"].sum()))
