"""The figure of the status; call it inside ``saturation.pages.style.style()``."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from saturation.files.tables import records
from saturation.forecast.outlook import MONTHS
from saturation.pages.style import PALETTE, footnote, headline, short
from saturation.pages.templates import percent
from saturation.status.study import EXHAUSTED, SEPARATING, STATUSES, TIED, UNDECIDED, current

WIDTH, ROW, REST = 5.5, 0.128, 1.35  # inches: the figure, a row of it, and what is not rows
SMALL = 6.5  # points: the smallest text
LETTERS = 28  # of a name
MARKS = {
    EXHAUSTED: ("vermilion", "s", True),
    TIED: ("orange", "D", True),
    SEPARATING: ("blue", "o", True),
    UNDECIDED: ("grey", "o", False),
}


def overview(status: pd.DataFrame, exhausted_from: float) -> Figure:
    """Best score and forecast of every benchmark that has one, the exhausted ones first."""
    now = pd.Period(status["as_of"].iloc[0], "M")
    parts = current(status)
    titles = {
        "exhausted": f"Exhausted: {{}} at {percent(exhausted_from, 0)} or more",
        "soon": f"Forecast by {now + 11:%B %Y}: {{}}",
        "later": "Later: {}",
    }
    total = sum(map(len, parts.values()))
    rows = total + len(parts)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, ROW * rows + REST), sharey=True, width_ratios=(5, 3)
    )
    place, names = 0, {}
    for key, part in parts.items():
        left.text(0, place, titles[key].format(len(part)), size=7.2, weight="bold", va="center")
        by = ["due_median", "not_in_two_years", "best_share"]
        ordered = part.sort_values(by, ascending=[True, True, False])
        for offset, row in enumerate(records(ordered), start=place + 1):
            _score(left, offset, row)
            _when(right, offset, row, now)
            names[offset] = short(row["benchmark"], LETTERS)
        place += len(part) + 1
    _axes(left, right, names, exhausted_from, now)
    left.set_ylim(rows - 0.3, -0.7)
    headline(
        figure,
        f"{now:%B %Y}: {len(parts['exhausted'])} of {total} benchmarks are out of headroom, "
        f"{len(parts['soon'])} more forecast to be within a year",
    )
    _key(figure, {row["status"] for part in parts.values() for row in records(part)})
    return figure


def _score(axes: Axes, place: int, row: dict[str, Any]) -> None:
    colour, mark, filled = MARKS[row["status"]]
    shade = PALETTE[colour]
    best = 100 * row["best_share"]
    axes.plot(
        [0, best], [place, place], color=shade, linewidth=2.2, alpha=0.45, solid_capstyle="butt"
    )
    axes.plot(best, place, mark, color=shade, markersize=4, mfc=shade if filled else "white")
    axes.text(
        109, place, f"{pd.Timestamp(row['date']):%b %y}", size=SMALL, color="#555555",
        va="center", ha="left", clip_on=False,
    )  # fmt: skip


def _when(axes: Axes, place: int, row: dict[str, Any], now: pd.Period) -> None:
    if row["status"] == EXHAUSTED:
        return
    months = [
        np.inf if pd.isna(row[f"due_{end}"]) else (pd.Period(row[f"due_{end}"], "M") - now).n + 1
        for end in ("earliest", "median", "latest")
    ]
    earliest, median, latest = months
    if np.isinf(earliest):
        axes.text(MONTHS, place, "not within two years", size=SMALL, va="center", ha="right")
        return
    end = min(latest, MONTHS + 0.8)
    axes.plot([earliest, end], [place, place], color=PALETTE["black"], linewidth=0.9)
    if np.isinf(latest):
        axes.plot(end, place, ">", color=PALETTE["black"], markersize=2.6)
    if np.isfinite(median):
        axes.plot(median, place, "|", color=PALETTE["black"], markersize=6, markeredgewidth=1.8)


def _axes(left: Axes, right: Axes, names: dict[int, str], threshold: float, now: pd.Period) -> None:
    left.set_yticks(list(names), list(names.values()), size=6.8)
    left.tick_params(axis="y", length=0)
    left.axvline(100 * threshold, color=PALETTE["black"], linewidth=0.8, linestyle="--")
    left.set_xlim(0, 108)
    left.set_xticks(range(0, 101, 20))
    left.set_xlabel("best score, % of usable range", size=7)
    ticks = range(0, MONTHS + 1, 12)
    right.set_xticks(ticks, [f"{now + month:%b %y}" for month in ticks])
    right.set_xlim(0, MONTHS + 1.2)
    right.set_xlabel(f"forecast: reaches {percent(threshold, 0)}", size=7)
    for axes in (left, right):
        axes.tick_params(axis="x", labelsize=SMALL)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
    right.tick_params(axis="y", length=0, labelleft=False)


def _key(figure: Figure, shown: set[str]) -> None:
    there = [status for status in STATUSES if status in shown]
    said = {UNDECIDED: "undecided (top not shown to be separated)", SEPARATING: "top separated"}
    handles = [
        Line2D([], [], linestyle="", marker=mark, color=PALETTE[colour], markersize=4,
               mfc=PALETTE[colour] if filled else "white", label=said.get(status, status))
        for status in there for colour, mark, filled in [MARKS[status]]
    ]  # fmt: skip
    footnote(
        figure,
        "Usable range: from chance to all items not known to be broken. Month: newest model "
        "scored. Line: 80 % interval, bar: median, arrow: beyond two years.",
        room=2,
    )
    figure.legend(
        handles=handles, ncols=3, loc="lower left", fontsize=SMALL + 0.2, bbox_to_anchor=(0, 0.035)
    )
