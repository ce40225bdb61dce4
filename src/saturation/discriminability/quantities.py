"""The discriminability study's headline numbers by name, for the ledger and for readers."""

import math
from collections.abc import Iterator, Mapping

import pandas as pd

from saturation.discriminability.names import (
    BOARD,
    LATE_2023,
    LOST_MOST,
    NOISE_GAP,
    SATURATED,
    prefix,
)
from saturation.errors import InputError
from saturation.files.tables import records
from saturation.quantity import Quantity, frame
from saturation.statistics import intervals

RETIRED = pd.Period("2024-06", "M")  # of leaderboard v1
EARLY_2024 = "2024-03"  # Figure 1: by when V1 is said to be above 85
CHECKED = ("v1", "HellaSwag")  # the one benchmark of the released check of the number of bins
Tables = Mapping[str, pd.DataFrame]


def quantities(tables: Tables) -> pd.DataFrame:
    """All quantities, sorted by name.

    Parameters
    ----------
    tables
        The study's results by name: ``monthly, changes, growth, population, dynamic, retirement,
        pace, kinds, agreement, bin_choice, bin_choice_summary, dropped``; of the paper's
        leaderboards also ``families``.

    Returns
    -------
    pandas.DataFrame
        ``quantity, value, lower, upper, note``. A benchmark's quantities start with its
        leaderboard and its name (``v1_arc_``); ``name__reading`` is another reading of ``name``.

    Raises
    ------
    InputError
        If two benchmarks' names make the same quantity.
    """
    makers = (_levels, _changes, _growth, _fixed, _retirement, _pace, _kinds, _agreement, _boards)
    rows = [row for maker in makers for row in maker(tables)]
    rows += [*_bins(tables), *_overall(tables), *_paper_groups(tables), *_released_checks(tables)]
    rows += _families(tables)
    try:
        return frame(rows).sort_values("quantity", ignore_index=True)
    except ValueError as error:
        raise InputError(f"{error}; give the benchmarks names that differ in letters") from None


def _levels(tables: Tables) -> Iterator[Quantity]:
    for (board, benchmark), series in tables["monthly"].groupby(BOARD):
        name = prefix(board, benchmark)
        ordered = series.sort_values("elapsed")
        yield Quantity(f"{name}_max_score", ordered["max_score"].max())
        yield Quantity(f"{name}_max_score_first", ordered["max_score"].iloc[0])
        yield Quantity(f"{name}_top10_gap_largest", ordered["top10_gap"].max())
        for place, row in (("first", ordered.iloc[0]), ("last", ordered.iloc[-1])):
            note = f"{row['month']}, n = {row['n_models']}"
            yield Quantity(f"{name}_bdi_{place}", row["bdi"], note=note)
            once = f"{row['month']}, {row['n_submitters']} submitters"
            for value, remark in (("bdi_submitters", once), ("top10_gap", note)):
                bounds = row[f"{value}_lower"], row[f"{value}_upper"]
                yield Quantity(f"{name}_{value}_{place}", row[value], *bounds, remark)


def _changes(tables: Tables) -> Iterator[Quantity]:
    for row in tables["changes"].to_dict("records"):
        name = f"{prefix(row['leaderboard'], row['benchmark'])}_{row['comparison']}"
        large = "" if row["last_window"] == "any" else "__large_last"
        note = f"{row['from']} (n = {row['n_from']}) to {row['to']} (n = {row['n_to']})"
        yield Quantity(f"{name}{large}", row["change"], note=note)
        yield Quantity(f"{name}_relative_loss{large}", -row["relative"], note=note)
        reason = row["reason"]
        once = reason if pd.notna(reason) and reason else f"from {row['submitters_from']}"
        bounds = row["submitters_change_lower"], row["submitters_change_upper"]
        yield Quantity(f"{name}_submitters{large}", row["submitters_change"], *bounds, once)


def _growth(tables: Tables) -> Iterator[Quantity]:
    for row in tables["growth"].to_dict("records"):
        name = prefix(row["leaderboard"], row["benchmark"])
        bounds = row["ceiling_lower"], row["ceiling_upper"]
        note = str(row["reason"]) if pd.notna(row["reason"]) else ""
        if row["reading"] == "honest":
            yield Quantity(f"{name}_honest_ceiling", row["ceiling"], *bounds, note)
            yield Quantity(f"{name}_honest_r_squared", row["r_squared"])
            yield Quantity(f"{name}_abstains", row["abstains"], note=note)
            yield Quantity(f"{name}_backtest_error", row["backtest_error"])
            yield Quantity(f"{name}_persistence_error", row["persistence_error"])
        else:
            reading = row["reading"].removeprefix("paper").replace("_", "__", 1)
            yield Quantity(f"{name}_ceiling{reading}", row["ceiling"])
            yield Quantity(f"{name}_r_squared{reading}", row["r_squared"])
            yield Quantity(f"{name}_t90{reading}", row["t90"], note="months since the first window")
            yield Quantity(f"{name}_headroom{reading}", row["headroom"])


def _fixed(tables: Tables) -> Iterator[Quantity]:
    for row in tables["population"].to_dict("records"):
        if row["last_window"] == "large" and row["unit"] == "family" and pd.notna(row["change"]):
            name = f"{prefix(row['leaderboard'], row['benchmark'])}_{row['comparison']}_family"
            bounds = row["corrected_change_lower"], row["corrected_change_upper"]
            note = f"one model of each of {row['members']} families present in both windows"
            yield Quantity(name, row["corrected_change"], *bounds, note)


def _retirement(tables: Tables) -> Iterator[Quantity]:
    for (board, benchmark), series in tables["retirement"].groupby(BOARD):
        name = prefix(board, benchmark)
        due = series.loc[series["due"], "month"]
        note = f"first due {due.min()}" if len(due) else "never due"
        yield Quantity(f"{name}_windows_due", len(due), note=note)
        yield Quantity(f"{name}_windows_due_by_late_2023", (due <= LATE_2023).sum(), note=note)


def _pace(tables: Tables) -> Iterator[Quantity]:
    for row in tables["pace"].to_dict("records"):
        name = prefix(row["leaderboard"], row["benchmark"])
        gain = row["gain_a_month"]
        lower, upper = intervals.normal(gain, row["gain_a_month_error"])
        yield Quantity(f"{name}_first_cp", row["first_cp"])
        yield Quantity(f"{name}_cp", row["highest_cp"])
        # To one decimal first, as a score is printed: 87.46 % to 87.5 % to 0.88.
        rounded = round(row["highest_cp"], 3)
        yield Quantity(f"{name}_cp__of_printed_score", rounded)
        yield Quantity(f"{name}_last_cp", row["last_cp"])
        yield Quantity(f"{name}_gain_a_month", gain, float(lower), float(upper))
        yield Quantity(f"{name}_months_to_085", row["months_to_085"], note="missing: not reached")


def _kinds(tables: Tables) -> Iterator[Quantity]:
    for row in tables["kinds"].to_dict("records"):
        name = f"{prefix(row['leaderboard'])}_{row['kind']}"
        note = f"mean, least and most of {row['benchmarks']} benchmarks"
        for value in ("first_cp", "highest_cp", "gain_a_month", "months_to_085"):
            mean, least, most = (row[f"{value}_{of}"] for of in ("mean", "min", "max"))
            yield Quantity(f"{name}_{value}", mean, least, most, note)


def _agreement(tables: Tables) -> Iterator[Quantity]:
    for row in tables["agreement"].to_dict("records"):
        name = f"{prefix(row['leaderboard'], row['benchmark'])}_agreement"
        reading = "" if row["scope"] == "window" else f"__{row['scope']}"
        yield Quantity(f"{name}{reading}", row["estimate"], row["lower"], row["upper"],
                   f"Spearman of 1 - BDI and S, n = {row['n']}")  # fmt: skip


def _boards(tables: Tables) -> Iterator[Quantity]:
    first_to_last = tables["changes"].query("comparison == 'first_to_last'")
    dropped = tables["dropped"]
    for board, series in tables["monthly"].groupby("leaderboard"):
        name = prefix(str(board))
        first_changes = first_to_last.query("leaderboard == @board and last_window == 'any'")
        first_benchmark = series[series["benchmark"] == series["benchmark"].iloc[0]]
        left_out = dropped[(dropped["leaderboard"] == board) & dropped["row"].notna()]
        union = tables["dynamic"].query("leaderboard == @board")["models_so_far"].max()
        yield Quantity(
            f"{name}_evaluations", first_benchmark["n_models"].sum(), note="in valid windows"
        )
        yield Quantity(f"{name}_rows_dropped", left_out["row"].nunique())
        small = dropped.loc[dropped["leaderboard"] == board, "month"].dropna()
        months = {*series["month"], *small}
        yield Quantity(
            f"{name}_months", len(months), note=f"{min(months)} to {max(months)}, small ones too"
        )
        yield Quantity(f"{name}_models", union)
        yield Quantity(f"{name}_windows", first_benchmark["month"].nunique())
        yield Quantity(f"{name}_benchmarks", series["benchmark"].nunique())
        yield Quantity(f"{name}_declines", (first_changes["change"] < 0).sum())
        tested = first_changes.dropna(subset="p_value")
        fallen = tested["significant"].astype(bool) & (tested["submitters_change"] < 0)
        yield Quantity(
            f"{name}_declines_significant",
            fallen.sum() if len(tested) else math.nan,
            note=f"of {len(tested)} tested",
        )
        highest = series.groupby("benchmark")["max_score"].max()
        yield Quantity(f"{name}_cp_lowest", highest.min())
        yield Quantity(f"{name}_cp_range", highest.max() - highest.min())
        yield Quantity(f"{name}_gaps_below_share", (series["top10_gap"] < NOISE_GAP).mean())


def _bins(tables: Tables) -> list[Quantity]:
    others = tables["bin_choice_summary"].query("order_agreement < 1 or mean_shift != 0")
    shifts = others[["min_shift", "max_shift"]].abs().to_numpy()
    from_10 = others.query("bins >= 10")
    order = "least Kendall tau-b over all windows"
    trend = "least share of changes that keep their sign"
    return [
        Quantity("bins_shift", shifts.max(initial=0), note="largest shift of any window"),
        Quantity("bins_shift__mean", others["mean_shift"].abs().max(), note="largest mean shift"),
        Quantity(
            "bins_shift__mean_from_10",
            from_10["mean_shift"].abs().max(),
            note="largest mean shift without B = 5",
        ),
        Quantity("bins_order_agreement", others["order_agreement"].min(), note=order),
        Quantity("bins_order_agreement__from_10", from_10["order_agreement"].min(), note=order),
        Quantity(
            "bins_worst_month_agreement",
            others["worst_month_agreement"].min(),
            note="lowest Kendall tau-b of the benchmarks of one month",
        ),
        Quantity("bins_worst_trend_correlation", others["worst_trend_correlation"].min()),
        Quantity("bins_trend_agreement", others["trend_agreement"].min(), note=trend),
        Quantity("bins_trend_agreement__from_10", from_10["trend_agreement"].min(), note=trend),
    ]


def _overall(tables: Tables) -> list[Quantity]:
    monthly = tables["monthly"]
    first_to_last = tables["changes"].query("comparison == 'first_to_last'")
    plain = first_to_last.query("last_window == 'any'")
    honest = tables["growth"].query("reading == 'honest'")
    per_benchmark = monthly.groupby(BOARD)["n_models"].sum().groupby("leaderboard").max()
    return [
        Quantity("evaluations", per_benchmark.sum(), note="in valid windows"),
        Quantity("benchmarks", monthly.groupby(BOARD).ngroups),
        Quantity("bdi_lowest", monthly["bdi"].min()),
        Quantity("bdi_highest", monthly["bdi"].max()),
        _not_significant("changes_not_significant", plain["p_value"]),
        _not_significant("changes_not_significant__entries", plain["p_value_entries"]),
        _not_significant(
            "changes_not_significant__large_last",
            first_to_last.query("last_window == 'large'")["p_value"],
        ),
        Quantity("projections_made", (~honest["abstains"].astype(bool)).sum()),
    ]


def _not_significant(name: str, p_values: pd.Series) -> Quantity:
    """How many of the tested changes are not significant; missing if none is tested."""
    tested = p_values.dropna()
    count = (tested > 1 - intervals.LEVEL).sum() if len(tested) else math.nan
    return Quantity(name, count, note=f"of {len(tested)} tested; {len(p_values)} changes")


def _paper_groups(tables: Tables) -> Iterator[Quantity]:
    """What the paper says of groups of its benchmarks; nothing for another leaderboard."""
    changes = tables["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    three = changes[(changes["leaderboard"] == "v1") & changes["benchmark"].isin(LOST_MOST)]
    if len(three) == len(LOST_MOST):
        loss = -three["relative"]
        yield Quantity("v1_three_relative_loss_least", loss.min(), note=", ".join(LOST_MOST))
        yield Quantity("v1_three_relative_loss_most", loss.max(), note=", ".join(LOST_MOST))
        hellaswag = three.loc[three["benchmark"] == "HellaSwag"].iloc[0]
        yield Quantity("v1_hellaswag_loss", -hellaswag["change"])
    early = tables["monthly"].query("leaderboard == 'v1' and month <= @EARLY_2024")
    if len(early):
        highest = early.groupby("benchmark")["max_score"].max()
        yield Quantity("v1_above_085_by_early_2024", (highest > SATURATED).sum(), note=EARLY_2024)
    due = tables["retirement"].query("leaderboard == 'v1' and benchmark == 'HellaSwag' and due")
    if len(due) and due["month"].str.fullmatch(r"\d{4}-\d{2}").all():
        months = (RETIRED - pd.Period(due["month"].min(), "M")).n
        yield Quantity("v1_hellaswag_months_due_before_retirement", months)


def _families(tables: Tables) -> Iterator[Quantity]:
    """What the released code counts by the models' names, on the exports."""
    for row in records(tables["families"]) if "families" in tables else []:
        name, note = prefix(row["leaderboard"]), f"of {row['evaluations']} evaluations"
        yield Quantity(f"{name}_families", row["families"], note=note)
        yield Quantity(f"{name}_largest_family", row["largest_family"], note=note)
        yield Quantity(f"{name}_qwen2_5_models", row["named"], note=note)


def _released_checks(tables: Tables) -> Iterator[Quantity]:
    """The checks in the paper's released code (``review_fixes.py``), made again.

    Changes whose two plain intervals overlap, of all windows and up to the last large one, to which
    that code goes; and half the range of one benchmark's index over the numbers of bins in that
    window.
    """
    changes = tables["changes"].query("comparison == 'first_to_last'")
    for last_window, ending in (("any", ""), ("large", "_large_last")):
        rows = changes[changes["last_window"] == last_window]
        for board, of_board in [("", rows), *rows.groupby("leaderboard")]:
            yield Quantity(
                f"{prefix(str(board), 'changes_overlapping')}{ending}",
                (~of_board["apart"].astype(bool)).sum(),
                note=f"of {len(of_board)}",
            )
    large = changes.query("last_window == 'large'").set_index(BOARD)["to"]
    if CHECKED in large.index:
        month = large.loc[[CHECKED]].iloc[0]
        table = tables["bin_choice"].set_index(BOARD).sort_index().loc[[CHECKED]]
        index = table.loc[table["month"] == month, "bdi"]
        yield Quantity("bins_shift__released_check", (index.max() - index.min()) / 2, note=month)
