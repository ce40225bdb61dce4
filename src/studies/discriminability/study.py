"""Run the whole study: its tables, headline numbers, and the paper's tables."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import scipy

from saturation.discriminability import growth
from saturation.discriminability.growth import RATE_BOUNDS, logistic, slopes
from saturation.discriminability.names import BOARD
from saturation.errors import InputError
from saturation.files.tables import NamedTables, records, round_as_csv
from saturation.statistics import intervals
from studies.discriminability import leaderboards, windows
from studies.discriminability.leaderboards import DROPPED
from studies.discriminability.names import LATE_2023, LOST_MOST, NOISE_GAP, SATURATED, prefix
from studies.quantity import Pick, Quantity, frame, list_numbers, picked

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
DUE = growth.Thresholds(0.90, NOISE_GAP, 0.15)  # section 7.1


def study(
    summary: NamedTables,
    benchmarks: pd.DataFrame,
    settings: Mapping[str, Any],
    dropped: pd.DataFrame | None = None,
    families: pd.DataFrame | None = None,
    file: str = "benchmarks",
) -> NamedTables:
    """Compute all tables; written tables equal the workflow's, byte for byte.

    Returned are the tables by name; ``inputs_NAME`` are those from which the others are computed,
    ``table_NUMBER`` the paper's tables, one a leaderboard.

    Parameters
    ----------
    summary
        ``bins, top, population, submitters`` of
        :func:`studies.discriminability.leaderboards.summarise`.
    settings
        The config's section ``discriminability``, with the ``seed``.
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
    unknown = sorted(set(summary["bins"]["benchmark"]) - set(benchmarks["benchmark"]))
    if unknown:
        raise InputError([f"{file}: no row for benchmark '{name}'; add one" for name in unknown])
    formed, short = leaderboards.windowed(
        summary, settings["window"], settings["rolling_months"], settings["min_models"]
    )
    formed["benchmarks"] = benchmarks
    formed = {name: round_as_csv(table) for name, table in formed.items()}
    before = pd.DataFrame(columns=DROPPED) if dropped is None else dropped
    left_out = pd.concat([before, short], ignore_index=True).reindex(columns=DROPPED)
    how = (settings[name] for name in ("bins", "resamples", "level", "seed"))
    resampling = windows.Resampling(*how)
    monthly, changes = windows.measured(formed, resampling, settings["min_last_models"])
    tables = {"dropped": round_as_csv(left_out), "monthly": monthly, "changes": changes}
    # What follows is made from tables as their files hold them: it could be made from the files.
    monthly, changes = round_as_csv(monthly), round_as_csv(changes)
    tables |= _derived(formed, monthly, changes, settings, resampling)
    written_tables = {name: round_as_csv(table) for name, table in tables.items()}
    boards = enumerate(sorted(monthly["leaderboard"].astype(str).unique()), start=1)
    more = {} if families is None else {"families": families}
    return {
        **tables,
        **{f"inputs_{name}": table for name, table in formed.items()},
        **{f"table_{number}": status(written_tables, board) for number, board in boards},
        "quantities": quantities(written_tables | more),
    }


def status(tables: NamedTables, board: str) -> pd.DataFrame:
    """Build the paper's columns for a leaderboard, with intervals and the projection that abstains.

    ``benchmark, max_score`` (the ceiling proximity), ``bdi_first, bdi_last, change``,
    ``submitters_change`` (each submitter counted once) with its interval or
    ``not_tested_because``, ``ceiling`` and ``r_squared`` of the paper's fit, ``honest_ceiling``
    (missing where the growth curve abstains), ``abstains_because``, ``first_due``. Proportions.
    """
    of_board = {name: tables[name][tables[name]["leaderboard"] == board] for name in SHOWN}
    table = of_board["monthly"].groupby("benchmark", as_index=False)[["max_score"]].max()
    change = of_board["changes"].query(_ANY)
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


# What the name of a benchmark's or a leaderboard's quantity begins with is the row's ``name``.
_ANY, _LARGE = "last_window == 'any'", "last_window == 'large'"
_WINDOW = "{month}, n = {n_models}"
# What the author's monthly table gives too.
SHARED_PICKS = [
    Pick(
        "highest", "", "{name}_{word}", {"max_score": "max_score", "top10_gap": "top10_gap_largest"}
    ),
    Pick("first", "", "{name}_max_score_first", ["max_score"]),
    Pick("first", "", "{name}_{word}_first", ["bdi", "top10_gap"], _WINDOW),
    Pick("last", "", "{name}_{word}_last", ["bdi", "top10_gap"], _WINDOW),
    Pick(
        "changes",
        _ANY,
        "{name}_first_to_last{word}",
        {"change": "", "loss": "_relative_loss"},
        "{from} (n = {n_from}) to {to} (n = {n_to})",
    ),
    Pick(
        "pace",
        "",
        "{name}_{word}",
        {"first_cp": "first_cp", "highest_cp": "cp", "printed_cp": "cp__of_printed_score"},
    ),
]
PICKS = [
    *SHARED_PICKS,
    *(
        Pick(
            "changes",
            rows,
            f"{{name}}_first_to_last_submitters{end}",
            ["submitters_change"],
            "{once}",
        )
        for rows, end in ((_ANY, ""), (_LARGE, "__large_last"))
    ),
    Pick(
        "growth",
        "reading == 'honest'",
        "{name}_{word}",
        {"ceiling": "honest_ceiling", "abstains": "abstains"},
        "{reason}",
    ),
    Pick("growth", "reading == 'paper'", "{name}_{word}", ["ceiling", "r_squared"]),
    Pick("pace", "", "{name}_{word}", ["last_cp", "gain_a_month"]),
    Pick("pace", "", "{name}_{word}", ["months_to_085"], "missing: not reached"),
    Pick(
        "kinds",
        "",
        "{name}_{kind}_{word}",
        ["gain_a_month", "months_to_085"],
        "mean, least and most of {benchmarks} benchmarks",
    ),
    Pick(
        "agreement",
        "leaderboard == 'all' and scope == 'window'",
        "all_all_{word}",
        {"estimate": "agreement"},
        "Spearman of 1 - BDI and S, n = {n}",
    ),
]
# Models counted by their names as the released code does, on the exports.
FAMILIES = Pick(
    "families",
    "",
    "{name}_{word}",
    {"families": "families", "largest_family": "largest_family", "named": "qwen2_5_models"},
    "of {evaluations} evaluations",
)


def quantities(tables: NamedTables) -> pd.DataFrame:
    """All quantities, sorted by name.

    ``quantity, value, lower, upper, note``. A benchmark's quantities start with its leaderboard and
    its name (``v1_arc_``); ``name__reading`` is another reading of ``name``.
    """
    monthly, changes = tables["monthly"], tables["changes"].query(_ANY)
    rows = [
        *_cells(tables),
        *_overall(monthly, changes),
        *_retirement(tables["retirement"]),
        *_months(tables),
        *_bins(tables),
        *_judged(tables, changes),
        *_paper_groups(tables),
        *_released_checks(tables),
    ]
    try:
        return frame(rows).sort_values("quantity", ignore_index=True)
    except ValueError as error:
        raise InputError(f"{error}; give the benchmarks names that differ in letters") from None


def _cells(tables: NamedTables) -> Iterator[Quantity]:
    """Yield the quantities that are cells of tables, of tables by kind of benchmark too."""
    changes, pace = tables["changes"], tables["pace"]
    since = "from " + changes["from"].astype(str)
    once = np.where(changes["reason"].isin(["", np.nan]), since, changes["reason"])
    lower, upper = intervals.normal(pace["gain_a_month"], pace["gain_a_month_error"])
    by_kind = pace.groupby(["leaderboard", "kind"])
    kinds = by_kind[["gain_a_month", "months_to_085"]].agg(["mean", "min", "max"])
    ends = {"mean": "", "min": "_lower", "max": "_upper"}
    kinds.columns = kinds.columns.map(lambda names: names[0] + ends[names[1]])
    more = {
        "growth": tables["growth"].astype({"reason": object}).fillna({"reason": ""}),
        "kinds": kinds.assign(benchmarks=by_kind.size()).reset_index(),
        "agreement": tables["agreement"],
        "families": tables.get("families", pd.DataFrame(columns=["leaderboard"])),
    }
    shared = _shared_tables(
        tables["monthly"],
        changes.assign(once=once),
        pace.assign(gain_a_month_lower=lower, gain_a_month_upper=upper),
    )
    yield from picked(_named({**shared, **more}), [*PICKS, FAMILIES])


def _shared_tables(monthly: pd.DataFrame, changes: pd.DataFrame, pace: pd.DataFrame) -> NamedTables:
    """Build the tables of `SHARED_PICKS`: first, last and highest values, changes, pace."""
    benchmarks = monthly.sort_values("elapsed").groupby(BOARD)
    return {
        "first": benchmarks.head(1),
        "last": benchmarks.tail(1),
        "highest": benchmarks[["max_score", "top10_gap"]].max().reset_index(),
        "changes": changes.assign(loss=-changes["relative"]),
        # To one decimal first, as a score is printed: 87.46 % to 87.5 % to 0.88.
        "pace": pace.assign(printed_cp=pace["highest_cp"].map(lambda share: round(share, 3))),
    }


def _named(tables: NamedTables) -> NamedTables:
    return {
        name: table.assign(
            name=[prefix(*row) for row in table[table.columns.intersection(BOARD)].to_numpy()]
        )
        for name, table in tables.items()
    }


def author_quantities(monthly: pd.DataFrame, fits: pd.DataFrame) -> pd.DataFrame:
    """Gather the author's numbers under the study's names; ``__refit`` is a repeated fit."""
    monthly = monthly.sort_values("month", ignore_index=True)
    monthly = monthly.assign(
        ceiling_proximity=monthly["max_score"], elapsed=monthly.groupby(BOARD).cumcount()
    )
    changes = pd.DataFrame(
        {**dict(zip(BOARD, board)), "last_window": "any", **windows.change_of_index(series)}
        for board, series in monthly.groupby(BOARD)
    )
    pace = windows.pace(monthly).fillna({"months_to_085": math.inf})
    shared = _named(_shared_tables(monthly, changes, pace))
    rows = [
        *picked(shared, [*SHARED_PICKS, Pick("pace", "", "{name}_{word}", ["months_to_085"])]),
        *_overall(monthly, changes),
        *_retirement(growth.retirement_table(monthly, DUE)),
    ]
    for row in records(shared["changes"]):
        printed = round(round(row["bdi_to"], 3) - round(row["bdi_from"], 3), 3)
        rows.append(Quantity(f"{row['name']}_first_to_last__of_printed_values", printed))
    released = {prefix(row["leaderboard"], row["benchmark"]): row for row in records(fits)}
    for board, series in monthly.groupby(BOARD):
        name, best = prefix(*board), series["max_score"].to_numpy()
        for ending, fit in (("released", released[name]), ("refit", refit(best))):
            rows += [
                Quantity(f"{name}_ceiling__{ending}", fit["ceiling"]),
                Quantity(f"{name}_r_squared__{ending}", fit["r_squared"]),
                Quantity(f"{name}_headroom__{ending}", fit["ceiling"] - best.max()),
            ]
    return frame(rows)


def refit(best: np.ndarray) -> dict[str, float]:
    """Fit the logistic curve of the released code (``analysis.py``).

    ``ceiling`` (a proportion) and ``r_squared``.

    Start (100, 1, half the windows); ceiling from one point below the best to 100, rate from 0.01
    to 10, midpoint at most five windows outside the observed ones. The paper prints the first two.
    """
    points = 100 * np.asarray(best, float)
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
    return {"ceiling": fitted[0] / 100, "r_squared": 1 - (residual**2).sum() / total}


def _derived(
    formed: NamedTables,
    monthly: pd.DataFrame,
    changes: pd.DataFrame,
    settings: Mapping[str, Any],
    how: windows.Resampling,
) -> NamedTables:
    """Derive tables from the metrics of the windows, by the names of the results."""
    benchmarks = formed["benchmarks"]
    counts = windows.histograms(formed["bins"])
    sweep = windows.bins_table(counts, sorted({*settings["bins_sweep"], how.bins}))
    judged = growth.retirement_table(monthly, growth.Thresholds(**settings["retirement"]))
    index = windows.index_over_time(formed["top"], benchmarks, **settings["index"])
    kinds = benchmarks[["benchmark", "kind"]]
    return {
        "bin_choice": sweep,
        "bin_choice_summary": windows.bins_summary(sweep, how.bins),
        "growth": growth.growth_table(monthly, growth.Demands(**settings["growth"]), how.level),
        "population": windows.fixed_population(formed["population"], changes, how.bins, how.level),
        "retirement": judged,
        "first_due": windows.first_due(judged),
        "index_over_time": index,
        "agreement": windows.agreement(monthly, index),
        "pace": windows.pace(monthly).merge(kinds, on="benchmark", how="left"),
    }


def _overall(monthly: pd.DataFrame, changes: pd.DataFrame) -> Iterator[Quantity]:
    """Yield numbers on leaderboards, on all of them, and on the three benchmarks that lost most."""
    benchmarks = monthly.groupby(BOARD)
    # Every benchmark of a leaderboard has the same evaluations.
    evaluations = benchmarks["n_models"].sum().groupby("leaderboard").max()
    highest = benchmarks["max_score"].max()
    for board, series in monthly.groupby("leaderboard"):
        name, best = prefix(board), highest[board]
        declines = (changes["leaderboard"] == board) & (changes["change"] < 0)
        yield Quantity(f"{name}_evaluations", evaluations[board], note="in valid windows")
        yield from list_numbers(
            {
                f"{name}_windows": series["month"].nunique(),
                f"{name}_benchmarks": len(best),
                f"{name}_declines": declines.sum(),
                f"{name}_cp_lowest": best.min(),
                f"{name}_cp_range": best.max() - best.min(),
            }
        )
    yield Quantity("evaluations", evaluations.sum(), note="in valid windows")
    yield Quantity("benchmarks", len(highest))
    yield Quantity("bdi_lowest", monthly["bdi"].min())
    yield Quantity("bdi_highest", monthly["bdi"].max())
    three = changes[(changes["leaderboard"] == "v1") & changes["benchmark"].isin(LOST_MOST)]
    if len(three) == len(LOST_MOST):
        for word, loss in (("least", -three["relative"].max()), ("most", -three["relative"].min())):
            yield Quantity(f"v1_three_relative_loss_{word}", loss, note=", ".join(LOST_MOST))


def _retirement(judged: pd.DataFrame) -> Iterator[Quantity]:
    for board, series in judged.groupby(BOARD):
        due = series.loc[series["due"], "month"]
        note = f"first due {due.min()}" if len(due) else "never due"
        name = f"{prefix(*board)}_windows_due_by_late_2023"
        yield Quantity(name, (due <= LATE_2023).sum(), note=note)


def _months(tables: NamedTables) -> Iterator[Quantity]:
    dropped = tables["dropped"]
    for board, series in tables["monthly"].groupby("leaderboard"):
        small = dropped.loc[dropped["leaderboard"] == board, "month"].dropna()
        months = {*series["month"], *small}
        note = f"{min(months)} to {max(months)}, small ones too"
        yield Quantity(f"{prefix(board)}_months", len(months), note=note)


def _bins(tables: NamedTables) -> Iterator[Quantity]:
    sensitive = tables["bin_choice_summary"].query("order_agreement < 1 or mean_shift != 0")
    shifts = sensitive[["min_shift", "max_shift"]].abs().to_numpy()
    yield Quantity("bins_shift", shifts.max(initial=0), note="largest shift of any window")
    for rows, ending, which in (
        (sensitive, "", ""),
        (sensitive.query("bins >= 10"), "_from_10", " without B = 5"),
    ):
        shift, reading = rows["mean_shift"].abs().max(), ending and f"_{ending}"
        yield Quantity(f"bins_shift__mean{ending}", shift, note=f"largest mean shift{which}")
        note = "least Kendall tau-b over all windows"
        yield Quantity(f"bins_order_agreement{reading}", rows["order_agreement"].min(), note=note)
        note = "least share of changes that keep their sign"
        yield Quantity(f"bins_trend_agreement{reading}", rows["trend_agreement"].min(), note=note)
    note = "lowest Kendall tau-b of the benchmarks of one month"
    worst = sensitive["worst_month_agreement"].min()
    yield Quantity("bins_worst_month_agreement", worst, note=note)


def _judged(tables: NamedTables, changes: pd.DataFrame) -> Iterator[Quantity]:
    honest = tables["growth"].query("reading == 'honest'")
    yield Quantity("projections_made", (~honest["abstains"].astype(bool)).sum())
    yield _count_insignificant("changes_not_significant", changes["p_value"])
    yield _count_insignificant("changes_not_significant__entries", changes["p_value_entries"])


def _count_insignificant(name: str, p_values: pd.Series) -> Quantity:
    """Count the tested changes that are not significant; missing if none is tested."""
    tested = p_values.dropna()
    count = (tested > intervals.ALPHA).sum() if len(tested) else math.nan
    return Quantity(name, count, note=f"of {len(tested)} tested; {len(p_values)} changes")


def _paper_groups(tables: NamedTables) -> Iterator[Quantity]:
    """Yield the paper's statements on groups of its benchmarks; empty for another leaderboard."""
    early = tables["monthly"].query("leaderboard == 'v1' and month <= @EARLY_2024")
    if len(early):
        highest = early.groupby("benchmark")["max_score"].max()
        yield Quantity("v1_above_085_by_early_2024", (highest > SATURATED).sum(), note=EARLY_2024)
    due = tables["retirement"].query("leaderboard == 'v1' and benchmark == 'HellaSwag' and due")
    if len(due) and due["month"].str.fullmatch(r"\d{4}-\d{2}").all():
        months = (RETIRED - pd.Period(due["month"].min(), "M")).n
        yield Quantity("v1_hellaswag_months_due_before_retirement", months)


def _released_checks(tables: NamedTables) -> Iterator[Quantity]:
    """Repeat the checks of ``review_fixes.py``, which the author released and later withdrew.

    Changes whose two plain intervals overlap, of all windows and up to the last large one, to which
    that code goes; and half the range of one benchmark's index over the numbers of bins in that
    window.
    """
    changes = tables["changes"]
    for last_window, ending in (("any", ""), ("large", "_large_last")):
        rows = changes[changes["last_window"] == last_window]
        for board, of_board in [("", rows), *rows.groupby("leaderboard")]:
            yield Quantity(
                f"{prefix(board, 'changes_overlapping')}{ending}",
                (~of_board["apart"].astype(bool)).sum(),
                note=f"of {len(of_board)}",
            )
    large = changes.query("last_window == 'large'").set_index(BOARD)["to"]
    if CHECKED in large.index:
        month = large.loc[[CHECKED]].iloc[0]
        table = tables["bin_choice"].set_index(BOARD).sort_index().loc[[CHECKED]]
        index = table.loc[table["month"] == month, "bdi"]
        yield Quantity("bins_shift__released_check", (index.max() - index.min()) / 2, note=month)
