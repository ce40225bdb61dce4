"""The discriminability study's figures; each function takes result tables and returns a figure.

Two leaderboards give two panels, a user's one gives one. Scores appear in percent on the axes.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.discriminability.names import BOARD
from saturation.pages.templates import percent
from studies.discriminability.names import SATURATED, WARNING
from studies.style import BLACK, BLUE, COLUMN, CYCLE, VERMILION, headline

MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
# What the test of a change from the first to the last large window says.
FELL, ROSE, UNCLEAR, NOT_TESTED = SAID = ("fell", "rose", "unclear", "not tested")


def draw_all(monthly: pd.DataFrame, changes: pd.DataFrame) -> dict[str, Figure]:
    """Draw all figures by name."""
    return {
        "figure1_trajectories": trajectories(monthly),
        "figure2_bdi": discriminability(monthly, changes),
        "figure4_status": status(monthly),
    }


def trajectories(monthly: pd.DataFrame) -> Figure:
    """Figure 1: best score of each window."""
    passed = monthly.groupby(BOARD)["max_score"].max() > SATURATED
    figure, panels = _panels(monthly)
    headline(figure, f"{passed.sum()} of {len(passed)} benchmarks passed {percent(SATURATED, 0)}")
    for board, axes in panels.items():
        rows = monthly[monthly["leaderboard"] == board]
        for place, (name, series) in enumerate(rows.groupby("benchmark", sort=False)):
            ordered = series.sort_values("elapsed")
            axes.plot(
                ordered["elapsed"],
                100 * ordered["max_score"],
                label=name,
                color=CYCLE[place % len(CYCLE)],
                marker=MARKERS[place % len(MARKERS)],
            )
        axes.legend(loc="best", fontsize=7.5, ncols=2)
        axes.axhline(100 * SATURATED, color=BLACK, linestyle=":", linewidth=1)
        axes.set_ylim(0, 100)
        _sizes(axes, rows)
    return figure


def discriminability(monthly: pd.DataFrame, changes: pd.DataFrame) -> Figure:
    """Figure 2: the index of each window, each submitter counted once, with its interval."""
    large = changes.query("last_window == 'large'")
    labels = {
        (row["leaderboard"], row["benchmark"]): _describe_change(row)
        for row in large.to_dict("records")
    }
    series = _group_by_benchmark(monthly)
    figure, grid = _grid(len(series))
    verdicts = [labels.get(board, NOT_TESTED) for board in series]
    for axes, board, verdict in zip(grid, series, verdicts):
        _course(axes, series[board])
        ends = series[board].iloc[[0, -1]]
        axes.set_xticks(ends["elapsed"], ends["month"])
        axes.set_title(f"{board[1]} ({board[0]})\n{verdict}", fontsize=7.5)
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in SAID if v in verdicts)
    headline(figure, f"Discriminability index (BDI) over time: {counts}")
    least, most = monthly["n_submitters"].min(), monthly["n_submitters"].max()
    figure.legend(
        *grid[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=2,
        title=f"{len(monthly)} windows, of {least} to {most} submitters each",
    )
    figure.supylabel("discriminability index BDI", fontsize=9)
    return figure


def status(monthly: pd.DataFrame) -> Figure:
    """Draw figure 4: ceiling proximity of the latest window, beside the index."""
    latest = monthly.sort_values("elapsed").groupby(BOARD, as_index=False).last()
    latest = latest.sort_values("ceiling_proximity", ignore_index=True)
    boards = {board: CYCLE[i] for i, board in enumerate(sorted(latest["leaderboard"].unique()))}
    figure, axes = plt.subplots(figsize=(COLUMN, 0.3 * len(latest) + 1.4))
    for board, rows in latest.groupby("leaderboard"):
        axes.barh(
            rows.index,
            100 * rows["ceiling_proximity"],
            color=boards[board],
            label=f"leaderboard {board}",
        )
    for place, row in enumerate(latest.itertuples()):
        axes.text(101, place, f"BDI {row.bdi:.2f}", va="center", fontsize=8)
    axes.set_yticks(
        range(len(latest)),
        [
            f"{r.benchmark} ({r.leaderboard}, {r.month}, n = {r.n_models})"
            for r in latest.itertuples()
        ],
    )
    for share, colour, style, name in (
        (SATURATED, VERMILION, "--", "the paper's saturation"),
        (WARNING, BLACK, ":", "its warning"),
    ):
        label = f"{name} ({percent(share, 0)})"
        axes.axvline(100 * share, color=colour, linestyle=style, label=label)
    axes.set(xlim=(0, 100), xlabel="ceiling proximity of the latest window (%)")
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=2)
    over = (latest["ceiling_proximity"] > SATURATED).sum()
    headline(
        figure,
        f"{over} of {len(latest)} benchmarks end nearer than {percent(1 - SATURATED, 0)} "
        "to the ceiling",
    )
    return figure


def _describe_change(change: Mapping[Hashable, Any]) -> str:
    """Describe the test of a change in a word."""
    if pd.isna(change["p_value"]):
        return NOT_TESTED
    if not change["significant"]:
        return UNCLEAR
    return FELL if change["submitters_change"] < 0 else ROSE


def _course(axes: Axes, series: pd.DataFrame) -> None:
    """Line and band of what carries an interval; hollow marks of the rest; the paper's crosses."""
    has_submitters = series["bdi_submitters_lower"].notna()
    axes.fill_between(
        series["elapsed"],
        series["bdi_submitters_lower"],
        series["bdi_submitters_upper"],
        where=has_submitters.tolist(),
        color=BLUE,
        alpha=0.25,
        linewidth=0,
        label="interval",
    )
    axes.plot(
        series["elapsed"],
        series["bdi_submitters"].where(has_submitters),
        "o-",
        color=BLUE,
        markersize=3,
        label="each submitter once",
    )
    axes.plot(
        series["elapsed"],
        series["bdi_submitters"].where(~has_submitters),
        "o",
        color=BLUE,
        markerfacecolor="white",
        markersize=4,
        label="the same, too few for an interval",
    )
    axes.plot(
        series["elapsed"],
        series["bdi"],
        "x",
        color=BLACK,
        markersize=4,
        label="the paper's: each evaluation once",
    )
    axes.set_ylim(0.2, 1)


def _panels(table: pd.DataFrame) -> tuple[Figure, dict[str, Axes]]:
    boards = sorted(table["leaderboard"].unique())
    figure, grid = plt.subplots(
        1,
        len(boards),
        figsize=(min(0.5 * len(boards), 1) * COLUMN, 3.8),
        sharey=True,
        squeeze=False,
    )
    for board, axes in zip(boards, grid[0]):
        axes.set_title(f"leaderboard {board}", fontsize=9)
        windows = table[table["leaderboard"] == board].drop_duplicates("elapsed")
        labels = windows.sort_values("elapsed")
        axes.set_xticks(labels["elapsed"], labels["month"], rotation=60)
    grid[0][0].set_ylabel("best score of the month (%)")
    return figure, dict(zip(boards, grid[0]))


def _grid(count: int) -> tuple[Figure, Sequence[Axes]]:
    """Four panels a row."""
    columns = min(4, count)
    rows = -(-count // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(COLUMN / 4 * columns, 1.85 * rows), squeeze=False
    )
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, list(grid.flat)


def _sizes(axes: Axes, table: pd.DataFrame) -> None:
    """Write the sample size under the axis, where the months stay readable."""
    sizes = table[table["benchmark"] == table["benchmark"].iloc[0]]["n_models"]
    axes.set_xlabel(
        f"window (n = {sizes.sum():,}, {sizes.min():,} to {sizes.max():,} a window)", fontsize=7.5
    )


def _group_by_benchmark(monthly: pd.DataFrame) -> dict[Any, pd.DataFrame]:
    """Return the windows of each leaderboard's benchmarks in the order of time."""
    return {
        board: windows.sort_values("elapsed", kind="stable")
        for board, windows in monthly.groupby(BOARD, sort=False)
    }
