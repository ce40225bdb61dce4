"""The discriminability study's headline numbers by name, for the ledger and for readers."""

import re
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from saturation.discriminability.index_over_time import APPROACH
from saturation.discriminability.summaries import KEYS

BOARD = KEYS[:2]
COLUMNS = ["quantity", "value", "lower", "upper", "note"]
NOISE_GAP = 0.01  # Figure 5: below one point the top models are taken to be indistinguishable
RETIRED = pd.Period("2024-06", "M")  # of leaderboard v1
LOST_MOST = ("HellaSwag", "Winogrande", "ARC")  # whose loss the abstract gives
EARLY_2024 = "2024-03"  # Figure 1: by when V1 is said to be above 85
LATE_2023 = "2023-12"  # section 7.1: by when two benchmarks were due for retirement
Row = tuple[str, float, float, float, str]
Tables = Mapping[str, pd.DataFrame]


def quantities(tables: Tables) -> pd.DataFrame:
    """All quantities, sorted by name.

    Parameters
    ----------
    tables
        The study's results by name: ``monthly, changes, growth, fixed, dynamic, retirement,
        first_due, pace, kinds, agreement, bins_summary, dropped``.

    Returns
    -------
    pandas.DataFrame
        ``quantity, value, lower, upper, note``. A benchmark's quantities start with its
        leaderboard and its name (``v1_arc_``); ``name__reading`` is another reading of ``name``.
    """
    parts = (_levels, _changes, _growth, _fixed, _retirement, _pace, _kinds, _agreement, _boards)
    rows = [row for part in parts for row in part(tables)]
    rows += [*_bins(tables), *_overall(tables), *_paper_groups(tables)]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values("quantity", ignore_index=True)


def prefix(leaderboard: str, benchmark: str) -> str:
    """``v2`` and ``MATH Lvl 5`` to ``v2_math_lvl_5``."""
    return re.sub(r"[^a-z0-9]+", "_", f"{leaderboard}_{benchmark}".lower()).strip("_")


def _row(name: str, value: float, lower: float = np.nan, upper: float = np.nan,
         note: str = "") -> Row:  # fmt: skip
    return name, float(value), float(lower), float(upper), note


def _levels(tables: Tables) -> Iterator[Row]:
    for board, series in tables["monthly"].groupby(BOARD):
        name = prefix(*board)
        ordered = series.sort_values("elapsed")
        yield _row(f"{name}_max_score", ordered["max_score"].max())
        yield _row(f"{name}_max_score_first", ordered["max_score"].iloc[0])
        yield _row(f"{name}_top10_gap_largest", ordered["top10_gap"].max())
        for place, row in (("first", ordered.iloc[0]), ("last", ordered.iloc[-1])):
            note = f"{row['month']}, n = {row['n_models']}"
            for value in ("bdi", "bdi_corrected", "top10_gap"):
                bounds = row[f"{value}_lower"], row[f"{value}_upper"]
                yield _row(f"{name}_{value}_{place}", row[value], *bounds, note)


def _changes(tables: Tables) -> Iterator[Row]:
    for row in tables["changes"].to_dict("records"):
        name = f"{prefix(row['leaderboard'], row['benchmark'])}_{row['comparison']}"
        large = "" if row["last_window"] == "any" else "__large_last"
        note = f"{row['from']} (n = {row['n_from']}) to {row['to']} (n = {row['n_to']})"
        bounds = row["change_lower"], row["change_upper"]
        corrected = row["corrected_change_lower"], row["corrected_change_upper"]
        yield _row(f"{name}{large}", row["change"], *bounds, note)
        yield _row(f"{name}_relative_loss{large}", -row["relative"], note=note)
        yield _row(f"{name}_corrected{large}", row["corrected_change"], *corrected, note)


def _growth(tables: Tables) -> Iterator[Row]:
    for row in tables["growth"].to_dict("records"):
        name = prefix(row["leaderboard"], row["benchmark"])
        bounds = row["ceiling_lower"], row["ceiling_upper"]
        note = str(row["reason"]) if pd.notna(row["reason"]) else ""
        if row["reading"] == "honest":
            yield _row(f"{name}_honest_ceiling", row["ceiling"], *bounds, note)
            yield _row(f"{name}_honest_r_squared", row["r_squared"])
            yield _row(f"{name}_abstains", row["abstains"], note=note)
            yield _row(f"{name}_backtest_error", row["backtest_error"])
            yield _row(f"{name}_persistence_error", row["persistence_error"])
        else:
            reading = row["reading"].removeprefix("paper").replace("_", "__", 1)
            yield _row(f"{name}_ceiling{reading}", row["ceiling"])
            yield _row(f"{name}_r_squared{reading}", row["r_squared"])
            yield _row(f"{name}_t90{reading}", row["t90"], note="months since the first window")
            yield _row(f"{name}_headroom{reading}", row["headroom"])


def _fixed(tables: Tables) -> Iterator[Row]:
    for row in tables["fixed"].to_dict("records"):
        if row["last_window"] == "large" and row["unit"] == "family" and pd.notna(row["change"]):
            name = f"{prefix(row['leaderboard'], row['benchmark'])}_{row['comparison']}_family"
            bounds = row["corrected_change_lower"], row["corrected_change_upper"]
            note = f"one model of each of {row['members']} families present in both windows"
            yield _row(name, row["corrected_change"], *bounds, note)


def _retirement(tables: Tables) -> Iterator[Row]:
    for board, series in tables["retirement"].groupby(BOARD):
        name = prefix(*board)
        due = series.loc[series["due"], "month"]
        note = f"first due {due.min()}" if len(due) else "never due"
        yield _row(f"{name}_windows_due", len(due), note=note)
        yield _row(f"{name}_windows_due_by_late_2023", (due <= LATE_2023).sum(), note=note)


def _pace(tables: Tables) -> Iterator[Row]:
    for row in tables["pace"].to_dict("records"):
        name = prefix(row["leaderboard"], row["benchmark"])
        error = 1.96 * row["gain_a_month_error"]
        gain = row["gain_a_month"]
        yield _row(f"{name}_first_cp", row["first_cp"])
        yield _row(f"{name}_cp", row["highest_cp"])
        # To one decimal first, as a score is printed: 87.46 % to 87.5 % to 0.88.
        rounded = round(row["highest_cp"], 3)
        yield _row(f"{name}_cp__of_printed_score", rounded)
        yield _row(f"{name}_last_cp", row["last_cp"])
        yield _row(f"{name}_gain_a_month", gain, gain - error, gain + error)
        yield _row(f"{name}_months_to_085", row["months_to_085"], note="missing: not reached")


def _kinds(tables: Tables) -> Iterator[Row]:
    for row in tables["kinds"].to_dict("records"):
        name = f"{prefix(row['leaderboard'], '')}_{row['kind']}"
        note = f"mean, least and most of {row['benchmarks']} benchmarks"
        for value in ("first_cp", "highest_cp", "gain_a_month", "months_to_085"):
            mean, least, most = (row[f"{value}_{of}"] for of in ("mean", "min", "max"))
            yield _row(f"{name}_{value}", mean, least, most, note)


def _agreement(tables: Tables) -> Iterator[Row]:
    for row in tables["agreement"].to_dict("records"):
        name = f"{prefix(row['leaderboard'], row['benchmark'])}_agreement"
        reading = "" if row["scope"] == "window" else f"__{row['scope']}"
        yield _row(f"{name}{reading}", row["estimate"], row["lower"], row["upper"],
                   f"Spearman of 1 - BDI and S_index, n = {row['n']}")  # fmt: skip


def _boards(tables: Tables) -> Iterator[Row]:
    first_to_last = tables["changes"].query("comparison == 'first_to_last'")
    dropped = tables["dropped"]
    for board, series in tables["monthly"].groupby("leaderboard"):
        name = prefix(str(board), "")
        mine = first_to_last.query("leaderboard == @board and last_window == 'any'")
        one = series[series["benchmark"] == series["benchmark"].iloc[0]]
        left_out = dropped[(dropped["leaderboard"] == board) & dropped["row"].notna()]
        union = tables["dynamic"].query("leaderboard == @board")["models_so_far"].max()
        yield _row(f"{name}_evaluations", one["n_models"].sum(), note="in valid windows")
        yield _row(f"{name}_rows_dropped", left_out["row"].nunique())
        yield _row(f"{name}_models", union)
        yield _row(f"{name}_windows", one["month"].nunique())
        yield _row(f"{name}_benchmarks", series["benchmark"].nunique())
        yield _row(f"{name}_declines_significant",
                   (mine["significant"] & (mine["change"] < 0)).sum())  # fmt: skip
        yield _row(f"{name}_declines", (mine["change"] < 0).sum())
        highest = series.groupby("benchmark")["max_score"].max()
        yield _row(f"{name}_cp_lowest", highest.min())
        yield _row(f"{name}_cp_range", highest.max() - highest.min())
        yield _row(f"{name}_gaps_below_share", (series["top10_gap"] < NOISE_GAP).mean())


def _bins(tables: Tables) -> list[Row]:
    others = tables["bins_summary"].query("order_agreement < 1 or mean_shift != 0")
    shifts = others[["min_shift", "max_shift"]].abs().to_numpy()
    return [
        _row("bins_shift", shifts.max(), note="largest shift of any window"),
        _row("bins_shift__mean", others["mean_shift"].abs().max(), note="largest mean shift"),
        _row("bins_shift__mean_from_10", others.query("bins >= 10")["mean_shift"].abs().max(),
             note="largest mean shift without B = 5"),
        _row("bins_worst_month_agreement", others["worst_month_agreement"].min(),
             note="lowest Kendall tau-b of the benchmarks of one month"),
        _row("bins_worst_trend_correlation", others["worst_trend_correlation"].min()),
        _row("bins_trend_agreement", others["trend_agreement"].min(),
             note="least share of benchmarks whose change keeps its sign"),
    ]  # fmt: skip


def _overall(tables: Tables) -> list[Row]:
    monthly = tables["monthly"]
    plain = tables["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    per_benchmark = monthly.groupby(BOARD)["n_models"].sum().groupby("leaderboard").max()
    return [
        _row("evaluations", per_benchmark.sum(), note="in valid windows"),
        _row("benchmarks", monthly.groupby(BOARD).ngroups),
        _row("bdi_lowest", monthly["bdi"].min()),
        _row("bdi_highest", monthly["bdi"].max()),
        _row("changes_not_significant", (~plain["significant"]).sum()),
        _row("changes_not_significant__corrected", (~plain["corrected_significant"]).sum()),
        _row("projections_made", (tables["growth"].query("reading == 'honest'")["abstains"]
                                  .astype(bool).eq(False)).sum()),
    ]  # fmt: skip


def _paper_groups(tables: Tables) -> Iterator[Row]:
    """What the paper says of groups of its benchmarks; nothing for another leaderboard."""
    changes = tables["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    three = changes[(changes["leaderboard"] == "v1") & changes["benchmark"].isin(LOST_MOST)]
    if len(three) == len(LOST_MOST):
        loss = -three["relative"]
        yield _row("v1_three_relative_loss_least", loss.min(), note=", ".join(LOST_MOST))
        yield _row("v1_three_relative_loss_most", loss.max(), note=", ".join(LOST_MOST))
        decline = three.set_index("benchmark").loc["HellaSwag"]
        yield _row("v1_hellaswag_loss", -decline["change"], -decline["change_upper"],
                   -decline["change_lower"])  # fmt: skip
    early = tables["monthly"].query("leaderboard == 'v1' and month <= @EARLY_2024")
    if len(early):
        highest = early.groupby("benchmark")["max_score"].max()
        yield _row("v1_above_085_by_early_2024", (highest > APPROACH).sum(), note=EARLY_2024)
    due = tables["retirement"].query("leaderboard == 'v1' and benchmark == 'HellaSwag' and due")
    if len(due) and due["month"].str.fullmatch(r"\d{4}-\d{2}").all():
        months = (RETIRED - pd.Period(due["month"].min(), "M")).n
        yield _row("v1_hellaswag_months_due_before_retirement", months)
