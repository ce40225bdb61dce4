"""Draw the status of benchmarks; call each function inside ``studies.style.style()``."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from saturation.files.tables import records
from saturation.forecast.names import AHEAD, HIGHEST, print_chance
from saturation.forecast.series import months_after
from saturation.leaderboard.names import EXHAUSTED, NEAR, ROOM
from saturation.pages.style import short
from saturation.pages.templates import percent
from saturation.status.names import RATED, current
from studies.style import BLACK, BLUE, COLUMN, ORANGE, SKY, SMALLEST, VERMILION, caption

ROW, REST = 0.134, 1.45  # inches: a row of the figure, and what is not rows
LETTERS = 28  # of a name
MARKS = {EXHAUSTED: (VERMILION, "s"), NEAR: (ORANGE, "D"), ROOM: (BLUE, "o")}
NEXT = 12
NAME_LETTERS = 22  # of a benchmark over its panel


def overview(status: pd.DataFrame, exhausted_from: float) -> Figure:
    """Draw the best scores of the current benchmarks, and the chance of the next year."""
    table = current(status)
    parts = {name: table[table["status"] == name] for name in RATED}
    parts = {name: part for name, part in parts.items() if len(part)}
    rows = len(table) + len(parts)
    figure, (left_axes, right) = plt.subplots(
        1, 2, figsize=(COLUMN, ROW * rows + REST), sharey=True, width_ratios=(5, 3)
    )
    place, names = 0, {}
    for name, part in parts.items():
        title = f"{name.capitalize()}: {len(part)}"
        left_axes.text(0, place, title, size=7.2, weight="bold", va="center")
        for offset, row in enumerate(records(part), start=place + 1):
            _score(left_axes, offset, row)
            _chance(right, offset, row)
            names[offset] = short(row["benchmark"], LETTERS)
        place += len(part) + 1
    _axes(left_axes, right, names, exhausted_from)
    left_axes.set_ylim(rows - 0.3, -0.7)
    done, near = (len(parts.get(name, ())) for name in (EXHAUSTED, NEAR))
    caption(
        figure,
        f"{pd.Timestamp(status['as_of'].iloc[0]):%B %Y}: of {len(table)} current benchmarks {done} "
        f"exhausted, {near} near the ceiling",
        "Range: from chance to all items right. Exhausted: lower 95 % limit of the best measured "
        f"score is at {percent(exhausted_from, 0)}; near: a score is. Month: newest score.",
        room=2,
    )
    _legend(figure)
    return figure


def outlook(status: pd.DataFrame, frontier: pd.DataFrame, chances: pd.DataFrame) -> Figure:
    """Draw the best measured score so far of the benchmarks that are most likely to follow."""
    table = current(status)
    table = table[table["next_year"].notna()].head(NEXT)
    figure, grid = plt.subplots(4, 3, figsize=(COLUMN, 6.4), sharex=True, sharey=True)
    forecasts = chances.set_index("series")
    for axes, row in zip(grid.flat, records(table)):
        course = frontier[frontier["series"] == row["history"]]
        _course(axes, row, course, forecasts.loc[row["history"]])
    for axes in grid.flat[len(table) :]:
        axes.set_visible(False)
    figure.supylabel("share of the range", fontsize=9)
    caption(
        figure,
        f"The {len(table)} current benchmarks most likely to reach 90 % next",
        "Black: best measured score so far. Bar: 80 % interval in a year, by past rises of all "
        "benchmarks. Dashed: 90 %. Over each panel: best score, and the chance of 90 % within "
        f"{AHEAD} months.",
        room=2,
    )
    return figure


def _score(axes: Axes, place: int, row: dict[str, Any]) -> None:
    colour, mark = MARKS[row["status"]]
    best = 100 * row["best_share"]
    axes.plot(
        [0, best], [place, place], color=colour, linewidth=2.2, alpha=0.45, solid_capstyle="butt"
    )
    axes.plot(best, place, mark, color=colour, markersize=4)
    if not pd.isna(row["lower"]):
        axes.plot(100 * row["lower"], place, "|", color=BLACK, markersize=5)
    if not pd.isna(row["reported_share"]):
        axes.plot(100 * row["reported_share"], place, "x", color=BLACK, markersize=3.4)
    axes.text(
        109,
        place,
        f"{pd.Timestamp(row['date']):%b %y}",
        size=SMALLEST,
        color="#555555",
        va="center",
        ha="left",
        clip_on=False,
    )


def _chance(axes: Axes, place: int, row: dict[str, Any]) -> None:
    if pd.isna(row["next_year"]):
        return
    width = 100 * min(row["next_year"], HIGHEST)
    axes.barh(place, width, 0.55, color=SKY)
    axes.text(width + 2, place, print_chance(row["next_year"]), size=SMALLEST, va="center")


def _axes(left: Axes, right: Axes, names: dict[int, str], threshold: float) -> None:
    left.set_yticks(list(names), list(names.values()), size=6.8)
    left.tick_params(axis="y", length=0)
    left.axvline(100 * threshold, color=BLACK, linewidth=0.8, linestyle="--")
    left.set_xlim(0, 108)
    left.set_xticks(range(0, 101, 20))
    left.set_xlabel("best score, % of the range", size=7)
    right.set_xticks(range(0, 51, 25), ["0", "25 %", "50 %"])
    right.set_xlim(0, 85)
    right.set_xlabel(f"chance: {percent(threshold, 0)} in a year", size=7)
    for axes in (left, right):
        axes.tick_params(axis="x", labelsize=SMALLEST)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
    right.tick_params(axis="y", length=0, labelleft=False)


def _legend(figure: Figure) -> None:
    handles = [
        Line2D([], [], linestyle="", marker=mark, color=colour, markersize=4, label=label)
        for mark, colour, label in (
            ("o", BLUE, "best measured score"),
            ("|", BLACK, "its lower 95 % limit"),
            ("x", BLACK, "best reported score"),
        )
    ]
    figure.legend(
        handles=handles,
        ncols=3,
        loc="lower left",
        fontsize=SMALLEST + 0.2,
        bbox_to_anchor=(0, 0.035),
    )


def _course(
    axes: Axes, row: dict[str, Any], course: pd.DataFrame, forecast: "pd.Series[Any]"
) -> None:
    """Draw the best score by date, and its interval in a year."""
    origin = pd.Timestamp(row["as_of"])
    end = months_after(origin, AHEAD)
    days = pd.DatetimeIndex([*course["date"], origin]).to_numpy()
    axes.step(days, [*course["best"], row["best_share"]], where="post", color=BLACK)
    axes.vlines(np.datetime64(end), forecast["q10"], forecast["q90"], color=BLUE, linewidth=3)
    axes.axhline(0.9, color=BLACK, linewidth=0.7, linestyle="--")
    axes.set_ylim(0, 1.03)
    axes.set_title(
        f"{short(row['benchmark'], NAME_LETTERS)}\n"
        f"{percent(row['best_share'], 0)}; {print_chance(row['next_year'])}",
        fontsize=7,
    )
    years = pd.date_range("2024-01-01", end, freq="2YS")
    axes.set_xticks(np.asarray(years), years.strftime("%Y"))
    axes.tick_params(labelsize=7)
