"""Run the whole study: its tables, headline numbers, and the paper's tables."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from saturation.discriminability import bdi, growth, windows
from saturation.discriminability.growth import RATE_BOUNDS, logistic, slopes
from saturation.discriminability.names import (
    BOARD,
    LATE_2023,
    LOST_MOST,
    NOISE_GAP,
    SATURATED,
    prefix,
)
from saturation.errors import InputError
from saturation.files.tables import records, round_as_csv
from saturation.quantity import Quantity, frame
from saturation.statistics import intervals
from studies.discriminability import leaderboards
from studies.discriminability.leaderboards import DROPPED, Summary

Tables = Mapping[str, pd.DataFrame]
# Of the author's fit: steps after the search, of what is as far from its bounds.
STEPS, INSIDE = 20, 1e-6
SHOWN = ("monthly", "changes", "growth", "first_due")
# What the paper's tables have of a change.
CHANGE = [
    *("benchmark", "bdi_first", "bdi_last", "change"),
    *("submitters_change", "submitters_change_lower", "submitters_change_upper"),
    "not_tested_because",
]
RETIRED = pd.Period("2024-06", "M")  # of leaderboard v1
EARLY_2024 = "2024-03"  # Figure 1: by when V1 is said to be above 85
CHECKED = ("v1", "HellaSwag")  # the one benchmark of the released check of the number of bins
EDGE = 5.0  # months that the midpoint may lie outside the observed ones, in the released code
DUE = {"cp": 0.90, "decline": 0.15}  # section 7.1, with NOISE_GAP


@dataclass(frozen=True)
class Settings:
    """Settings of the study, as the config's section has them."""

    window: leaderboards.WindowKind
    rolling_months: int
    min_models: int  # fewest evaluations of a window (section 3: 10)
    resampling: bdi.Resampling
    min_last_models: int  # fewest models of a large last window
    bins_sweep: Sequence[int]
    demands: growth.Demands
    retirement: growth.Thresholds
    k: int  # of the saturation index over time, as alpha
    alpha: float

    @classmethod
    def parse(cls, config: Mapping[str, Any], seed: int) -> "Settings":
        """Return settings from the config's section ``discriminability``."""
        same = ("window", "rolling_months", "min_models", "min_last_models", "bins_sweep")
        return cls(
            **{name: config[name] for name in same},
            resampling=bdi.Resampling(config["bins"], config["resamples"], config["level"], seed),
            demands=growth.Demands(**config["growth"]),
            retirement=growth.Thresholds(**config["retirement"]),
            **config["index"],
        )


@dataclass(frozen=True)
class Results:
    """All tables of the study, by the names of their files in ``results/discriminability/``."""

    windows: Summary  # what all of it is computed from, in the folder ``inputs``
    dropped: pd.DataFrame
    monthly: pd.DataFrame
    changes: pd.DataFrame
    bin_choice: pd.DataFrame
    bin_choice_summary: pd.DataFrame
    growth: pd.DataFrame
    backtests: pd.DataFrame
    population: pd.DataFrame
    retirement: pd.DataFrame
    first_due: pd.DataFrame
    index_over_time: pd.DataFrame
    agreement: pd.DataFrame
    pace: pd.DataFrame
    kinds: pd.DataFrame
    status: Summary  # the paper's tables, one a leaderboard, in the folder ``tables``
    quantities: pd.DataFrame


def study(
    summary: Mapping[str, pd.DataFrame],
    benchmarks: pd.DataFrame,
    settings: Settings,
    dropped: pd.DataFrame | None = None,
    families: pd.DataFrame | None = None,
    file: str = "benchmarks",
) -> Results:
    """Compute all tables; written tables equal the workflow's, byte for byte.

    Parameters
    ----------
    summary
        ``bins, top, moments, population, submitters`` of
        :func:`studies.discriminability.leaderboards.summarise`.
    dropped
        Rows that were left out of the summary; none by default.
    families
        What the paper counts by the models' names; None of another leaderboard.
    file
        Name of the table of benchmarks, for messages.

    Raises
    ------
    InputError
        Naming each benchmark that the table of benchmarks lacks, or that has no valid window.
    """
    unknown = sorted(set(summary["moments"]["benchmark"]) - set(benchmarks["benchmark"]))
    if unknown:
        raise InputError([f"{file}: no row for benchmark '{name}'; add one" for name in unknown])
    formed, short = leaderboards.windowed(
        summary, settings.window, settings.rolling_months, settings.min_models
    )
    formed["benchmarks"] = benchmarks
    formed = {name: round_as_csv(table) for name, table in formed.items()}
    before = pd.DataFrame(columns=DROPPED) if dropped is None else dropped
    left_out = pd.concat([before, short], ignore_index=True).reindex(columns=DROPPED)
    monthly, changes = windows.measured(formed, settings.resampling, settings.min_last_models)
    tables = {"dropped": round_as_csv(left_out), "monthly": monthly, "changes": changes}
    # What follows is made from tables as their files hold them: it could be made from the files.
    written_tables = {name: round_as_csv(table) for name, table in tables.items()}
    tables |= _derived(formed, written_tables["monthly"], written_tables["changes"], settings)
    written_tables = {name: round_as_csv(table) for name, table in tables.items()}
    boards = enumerate(sorted(monthly["leaderboard"].astype(str).unique()), start=1)
    return Results(
        **tables,
        windows=formed,
        status={f"table_{number}": status(written_tables, board) for number, board in boards},
        quantities=quantities(
            written_tables | ({} if families is None else {"families": families})
        ),
    )


def status(tables: Tables, board: str) -> pd.DataFrame:
    """Build the paper's columns for a leaderboard, with intervals and the projection that abstains.

    ``benchmark, max_score`` (the ceiling proximity), ``bdi_first, bdi_last, change``,
    ``submitters_change`` (each submitter counted once) with its interval or
    ``not_tested_because``, ``ceiling`` and ``r_squared`` of the paper's fit, ``honest_ceiling``
    (missing where the growth curve abstains), ``abstains_because``, ``first_due``. Proportions.
    """
    of_board = {name: tables[name][tables[name]["leaderboard"] == board] for name in SHOWN}
    table = of_board["monthly"].groupby("benchmark", as_index=False)[["max_score"]].max()
    change = of_board["changes"].query("comparison == 'first_to_last' and last_window == 'any'")
    change = change.rename(
        columns={"bdi_from": "bdi_first", "bdi_to": "bdi_last", "reason": "not_tested_because"}
    )
    paper = of_board["growth"].query("reading == 'paper'")[["benchmark", "ceiling", "r_squared"]]
    honest = of_board["growth"].query("reading == 'honest'")
    honest = pd.DataFrame(
        {
            "benchmark": honest["benchmark"],
            "honest_ceiling": honest["ceiling"].where(~honest["abstains"].astype(bool)),
            "abstains_because": honest["reason"],
        }
    )
    due = of_board["first_due"][["benchmark", "first_due"]]
    for measured in (change[CHANGE], paper, honest, due):
        table = table.merge(measured, on="benchmark", how="left")
    return table


def quantities(tables: Tables) -> pd.DataFrame:
    """All quantities, sorted by name.

    ``quantity, value, lower, upper, note``. A benchmark's quantities start with its leaderboard and
    its name (``v1_arc_``); ``name__reading`` is another reading of ``name``.
    """
    makers = (_levels, _changes, _growth, _retirement, _pace, _kinds, _agreement, _boards)
    rows = [row for maker in makers for row in maker(tables)]
    rows += [*_bins(tables), *_overall(tables), *_paper_groups(tables), *_released_checks(tables)]
    rows += _families(tables)
    try:
        return frame(rows).sort_values("quantity", ignore_index=True)
    except ValueError as error:
        raise InputError(f"{error}; give the benchmarks names that differ in letters") from None


def author_quantities(monthly: pd.DataFrame, fits: pd.DataFrame) -> pd.DataFrame:
    """Gather the author's numbers under the study's names; ``__refit`` is a repeated fit."""
    of_fit = {prefix(row["leaderboard"], row["benchmark"]): row for row in records(fits)}
    rows = list(_summarise_release(monthly))
    for keys, rows_of_one in monthly.groupby(BOARD, sort=False):
        name = prefix(*keys)
        ordered = rows_of_one.sort_values("month")
        rows += [
            Quantity(f"{name}_{measure}", value) for measure, value in measure_release(ordered)
        ]
        refitted = refit(ordered["max_score"].to_numpy())
        highest = float(ordered["max_score"].max())
        for ending, fit in (("released", of_fit[name]), ("refit", refitted)):
            rows += [
                Quantity(f"{name}_{measure}__{ending}", float(fit[measure]))
                for measure in ("ceiling", "r_squared")
            ]
            rows.append(Quantity(f"{name}_headroom__{ending}", float(fit["ceiling"]) - highest))
    return frame(rows)


def refit(best: np.ndarray) -> dict[str, float]:
    """Fit the logistic curve of the released code (``analysis.py``).

    ``ceiling`` (a proportion) and ``r_squared``.

    Start (100, 1, half the windows); ceiling from one point below the best to 100, rate from 0.01
    to 10, midpoint at most five windows outside the observed ones. The paper prints the first two.
    """
    points = 100 * np.asarray(best, dtype=float)
    windows = np.arange(len(points))
    lower = [points.max() - 1, RATE_BOUNDS[0], -EDGE]
    upper = [100.0, RATE_BOUNDS[1], len(points) + EDGE]
    fitted, _ = scipy.optimize.curve_fit(
        logistic,
        windows,
        points,
        p0=[100.0, 1.0, len(points) // 2],
        bounds=(lower, upper),
        jac=slopes,
        max_nfev=10_000,
        ftol=None,
        xtol=1e-12,
        gtol=None,
    )
    # The search stops where the squares' last digit does, which is the processor's.
    inside = np.minimum(fitted - lower, upper - fitted) > INSIDE
    for _ in range(STEPS):
        by = slopes(windows, *fitted)[:, inside]
        fitted[inside] += np.linalg.lstsq(by, points - logistic(windows, *fitted))[0]
    residual = points - logistic(windows, *fitted)
    total = ((points - points.mean()) ** 2).sum()
    return {
        "ceiling": float(fitted[0]) / 100,
        "r_squared": float(1 - (residual**2).sum() / total),
    }


def _derived(
    formed: Mapping[str, pd.DataFrame],
    monthly: pd.DataFrame,
    changes: pd.DataFrame,
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """Derive tables from the metrics of the windows, by the names of the results."""
    how, benchmarks = settings.resampling, formed["benchmarks"]
    counts = windows.histograms(formed["bins"])
    sweep = bdi.bins_table(counts, sorted({*settings.bins_sweep, how.bins}))
    fits, backtests = growth.growth_table(monthly, settings.demands, how.level)
    judged = growth.retirement_table(monthly, settings.retirement)
    index = windows.index_over_time(formed["top"], benchmarks, settings.k, settings.alpha)
    paces = windows.pace(monthly, benchmarks)
    return {
        "bin_choice": sweep,
        "bin_choice_summary": bdi.bins_summary(sweep, how.bins),
        "growth": fits,
        "backtests": backtests,
        "population": windows.fixed_population(formed["population"], changes, how.bins, how.level),
        "retirement": judged,
        "first_due": growth.first_due(judged),
        "index_over_time": index,
        "agreement": windows.agreement(monthly, index),
        "pace": paces,
        "kinds": windows.kinds(paces),
    }


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
            bounds = row["top10_gap_lower"], row["top10_gap_upper"]
            yield Quantity(f"{name}_top10_gap_{place}", row["top10_gap"], *bounds, note)


def _changes(tables: Tables) -> Iterator[Quantity]:
    for row in tables["changes"].query("comparison == 'first_to_last'").to_dict("records"):
        name = f"{prefix(row['leaderboard'], row['benchmark'])}_first_to_last"
        large = "" if row["last_window"] == "any" else "__large_last"
        if not large:
            note = f"{row['from']} (n = {row['n_from']}) to {row['to']} (n = {row['n_to']})"
            yield Quantity(name, row["change"], note=note)
            yield Quantity(f"{name}_relative_loss", -row["relative"], note=note)
        reason = row["reason"]
        once = reason if pd.notna(reason) and reason else f"from {row['submitters_from']}"
        bounds = row["submitters_change_lower"], row["submitters_change_upper"]
        yield Quantity(f"{name}_submitters{large}", row["submitters_change"], *bounds, once)


def _growth(tables: Tables) -> Iterator[Quantity]:
    for row in tables["growth"].to_dict("records"):
        name = prefix(row["leaderboard"], row["benchmark"])
        note = str(row["reason"]) if pd.notna(row["reason"]) else ""
        if row["reading"] == "honest":
            yield Quantity(f"{name}_honest_ceiling", row["ceiling"], note=note)
            yield Quantity(f"{name}_abstains", row["abstains"], note=note)
        elif row["reading"] == "paper":
            yield Quantity(f"{name}_ceiling", row["ceiling"])
            yield Quantity(f"{name}_r_squared", row["r_squared"])


def _retirement(tables: Tables) -> Iterator[Quantity]:
    for (board, benchmark), series in tables["retirement"].groupby(BOARD):
        name = prefix(board, benchmark)
        due = series.loc[series["due"], "month"]
        note = f"first due {due.min()}" if len(due) else "never due"
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
        for value in ("gain_a_month", "months_to_085"):
            mean, least, most = (row[f"{value}_{of}"] for of in ("mean", "min", "max"))
            yield Quantity(f"{name}_{value}", mean, least, most, note)


def _agreement(tables: Tables) -> Iterator[Quantity]:
    """Make the quantity of all windows of all benchmarks."""
    over_all = tables["agreement"].query("leaderboard == 'all' and scope == 'window'")
    for row in over_all.to_dict("records"):
        note = f"Spearman of 1 - BDI and S, n = {row['n']}"
        yield Quantity("all_all_agreement", row["estimate"], row["lower"], row["upper"], note)


def _boards(tables: Tables) -> Iterator[Quantity]:
    first_to_last = tables["changes"].query("comparison == 'first_to_last'")
    dropped = tables["dropped"]
    for board, series in tables["monthly"].groupby("leaderboard"):
        name = prefix(str(board))
        first_changes = first_to_last.query("leaderboard == @board and last_window == 'any'")
        first_benchmark = series[series["benchmark"] == series["benchmark"].iloc[0]]
        yield Quantity(
            f"{name}_evaluations", first_benchmark["n_models"].sum(), note="in valid windows"
        )
        small = dropped.loc[dropped["leaderboard"] == board, "month"].dropna()
        months = {*series["month"], *small}
        yield Quantity(
            f"{name}_months", len(months), note=f"{min(months)} to {max(months)}, small ones too"
        )
        yield Quantity(f"{name}_windows", first_benchmark["month"].nunique())
        yield Quantity(f"{name}_benchmarks", series["benchmark"].nunique())
        yield Quantity(f"{name}_declines", (first_changes["change"] < 0).sum())
        highest = series.groupby("benchmark")["max_score"].max()
        yield Quantity(f"{name}_cp_lowest", highest.min())
        yield Quantity(f"{name}_cp_range", highest.max() - highest.min())


def _bins(tables: Tables) -> list[Quantity]:
    sensitive = tables["bin_choice_summary"].query("order_agreement < 1 or mean_shift != 0")
    shifts = sensitive[["min_shift", "max_shift"]].abs().to_numpy()
    from_10 = sensitive.query("bins >= 10")
    order = "least Kendall tau-b over all windows"
    trend = "least share of changes that keep their sign"
    return [
        Quantity("bins_shift", shifts.max(initial=0), note="largest shift of any window"),
        Quantity(
            "bins_shift__mean", sensitive["mean_shift"].abs().max(), note="largest mean shift"
        ),
        Quantity(
            "bins_shift__mean_from_10",
            from_10["mean_shift"].abs().max(),
            note="largest mean shift without B = 5",
        ),
        Quantity("bins_order_agreement", sensitive["order_agreement"].min(), note=order),
        Quantity("bins_order_agreement__from_10", from_10["order_agreement"].min(), note=order),
        Quantity(
            "bins_worst_month_agreement",
            sensitive["worst_month_agreement"].min(),
            note="lowest Kendall tau-b of the benchmarks of one month",
        ),
        Quantity("bins_trend_agreement", sensitive["trend_agreement"].min(), note=trend),
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
        _count_insignificant("changes_not_significant", plain["p_value"]),
        _count_insignificant("changes_not_significant__entries", plain["p_value_entries"]),
        Quantity("projections_made", (~honest["abstains"].astype(bool)).sum()),
    ]


def _count_insignificant(name: str, p_values: pd.Series) -> Quantity:
    """Count the tested changes that are not significant; missing if none is tested."""
    tested = p_values.dropna()
    count = (tested > intervals.ALPHA).sum() if len(tested) else math.nan
    return Quantity(name, count, note=f"of {len(tested)} tested; {len(p_values)} changes")


def _paper_groups(tables: Tables) -> Iterator[Quantity]:
    """Yield the paper's statements on groups of its benchmarks; empty for another leaderboard."""
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
    """Count models by their names as the released code does, on the exports."""
    for row in records(tables["families"]) if "families" in tables else []:
        name, note = prefix(row["leaderboard"]), f"of {row['evaluations']} evaluations"
        yield Quantity(f"{name}_families", row["families"], note=note)
        yield Quantity(f"{name}_largest_family", row["largest_family"], note=note)
        yield Quantity(f"{name}_qwen2_5_models", row["named"], note=note)


def _released_checks(tables: Tables) -> Iterator[Quantity]:
    """Repeat the checks of ``review_fixes.py``, which the author released and later withdrew.

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


def _summarise_release(monthly: pd.DataFrame) -> Iterator[Quantity]:
    """Yield the author's numbers over all benchmarks."""
    ordered = monthly.sort_values("month")
    changes = ordered.groupby(BOARD)["bdi"].agg(lambda bdi: bdi.iloc[-1] - bdi.iloc[0])
    losses = -changes / ordered.groupby(BOARD)["bdi"].first()
    three = [losses["v1", name] for name in LOST_MOST]
    # Every benchmark of a leaderboard has the same evaluations.
    sizes = monthly.groupby(BOARD)["n_models"].sum().groupby(BOARD[0]).max()
    yield Quantity("evaluations", float(sizes.sum()), note="in windows of at least ten")
    yield Quantity("benchmarks", float(len(changes)))
    yield Quantity("v1_three_relative_loss_least", min(three))
    yield Quantity("v1_three_relative_loss_most", max(three))
    yield Quantity("bdi_lowest", float(monthly["bdi"].min()))
    yield Quantity("bdi_highest", float(monthly["bdi"].max()))
    for board, table in monthly.groupby(BOARD[0]):
        highest = table.groupby("benchmark")["max_score"].max()
        yield Quantity(f"{board}_evaluations", float(sizes[board]))
        yield Quantity(f"{board}_benchmarks", float(table["benchmark"].nunique()))
        yield Quantity(f"{board}_windows", float(table["month"].nunique()))
        yield Quantity(f"{board}_declines", float((changes[board] < 0).sum()))
        yield Quantity(f"{board}_cp_lowest", float(highest.min()))
        yield Quantity(f"{board}_cp_range", float(highest.max() - highest.min()))


def measure_release(windows: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Yield the author's numbers of a benchmark, whose windows are in order."""
    best, bdi = windows["max_score"].to_numpy(), windows["bdi"].to_numpy()
    gaps = windows["top10_gap"].to_numpy()
    decline = 1 - bdi / np.maximum.accumulate(bdi)
    due = (best > DUE["cp"]) & (gaps < NOISE_GAP) & (decline > DUE["decline"])
    above = np.flatnonzero(np.maximum.accumulate(best) > SATURATED)
    early = windows["month"].to_numpy() <= LATE_2023
    yield "max_score", float(best.max())
    yield "cp", float(best.max())
    # As a table does that rounds what it has printed.
    yield "cp__of_printed_score", round(float(best.max()), 3)
    yield "max_score_first", float(best[0])
    yield "first_cp", float(best[0])
    yield "bdi_first", float(bdi[0])
    yield "bdi_last", float(bdi[-1])
    yield "first_to_last", float(bdi[-1] - bdi[0])
    yield "first_to_last__of_printed_values", round(round(bdi[-1], 3) - round(bdi[0], 3), 3)
    yield "first_to_last_relative_loss", float(1 - bdi[-1] / bdi[0])
    yield "loss", float(bdi[0] - bdi[-1])
    yield "top10_gap_first", float(gaps[0])
    yield "top10_gap_last", float(gaps[-1])
    yield "top10_gap_largest", float(gaps.max())
    yield "months_to_085", float(above[0]) if len(above) else float("inf")
    yield "windows_due_by_late_2023", float((due & early).sum())
