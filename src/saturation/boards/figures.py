"""Figures of the boards: what items still show, alpha as measured, and the course over time.

Each function takes tables and returns a figure; call it inside `saturation.pages.style.style`.
"""

import textwrap
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats

from saturation.boards.alpha import GROUPS, ITEMS, WHOLE
from saturation.boards.names import BOARDS
from saturation.boards.ranked import Settings
from saturation.boards.study import ALPHA as MEASURED
from saturation.boards.study import FEWEST_MODELS, GRID, PAPER, current_boards, equal_shares
from saturation.index import standard_error_of_difference
from saturation.pages.style import PALETTE, WIDTH, footnote, headline
from saturation.statistics.intervals import LEVEL

Tables = Mapping[str, pd.DataFrame]
Row = Mapping[Any, Any]
Floats = NDArray[np.float64]

# Limits of the axis of alpha.
ALPHAS = (0.4, 1.36)
# Height of the row of all boards, below the boards'.
POOLED_AT = -1.5
# Boards of fewer quarters have no panel.
FEWEST_QUARTERS = 3


def figures(tables: Tables, settings: Settings) -> dict[str, Figure]:
    """All figures by name."""
    return {
        "overview": overview(tables["overview"], settings),
        "alpha": measured(tables, settings),
        "course": course(tables["course"], settings.k),
    }


def overview(table: pd.DataFrame, settings: Settings) -> Figure:
    """One row a board: the gap at the top, what its items do, and numbers for a slide."""
    k, alpha, z = settings.k, settings.alpha, settings.z
    rows = table.iloc[::-1].reset_index(drop=True)
    places = np.arange(len(rows))
    assumed = z * standard_error_of_difference(rows["s_1"], rows["s_k"], rows["n_items"], alpha)
    figure, (gaps, items, text) = plt.subplots(
        1, 3, figsize=(WIDTH, 0.27 * len(rows) + 1.9), sharey=True, width_ratios=[2.1, 1.4, 1.9]
    )
    gaps.barh(places, 100 * assumed, height=0.66, color="#D9D9D9",
              label=f"{z:g} errors at α = {alpha:g}")  # fmt: skip
    half = 100 * _reach(rows, "gap", "gap_lower", "gap_upper") * _widened(rows["n_models"])
    told = ~rows["kth_tied"].to_numpy()
    marks = {
        "gap by the items": (told, PALETTE["blue"]),
        "gap of a tie": (~told, "white"),
    }
    for label, (some, fill) in marks.items():
        gaps.errorbar(100 * rows["gap"][some], places[some], xerr=half[:, some], fmt="o", ms=4,
                      lw=1.4, color=PALETTE["blue"], mfc=fill, label=label)  # fmt: skip
    gaps.set_yticks(places, rows["title"], fontsize=7.5)
    gaps.set_ylim(-0.6, len(rows) - 0.4)
    gaps.set_xlim(0, None)
    gaps.set_xlabel(f"first less {_ordinal(k)} score, points")
    gaps.legend(fontsize=6.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), handlelength=1.2)
    _items(items, rows, places)
    _numbers(text, rows, places)
    current = current_boards(rows)
    headline(
        figure,
        f"Items separate first and {_ordinal(k)} on {(told & current).sum()} of {current.sum()} "
        f"leaderboards of language models with {FEWEST_MODELS} models or more",
    )
    footnote(
        figure,
        "Gap on the items that both models answered; intervals hold over all pairs of the "
        "leaderboard at once (95 %, Bonferroni), ties are by Holm's test over all pairs. Few "
        "items: smallest random subset that keeps the pairs at the top in order. Below the line, "
        "older test sets: one study's 18 encoder models of 2019 to 2021.",
    )
    return figure


def _widened(models: pd.Series) -> Floats:
    """How much wider an interval is that holds for all pairs of so many models at once."""
    pairs = models.to_numpy(float) * (models.to_numpy(float) - 1) / 2
    one, all_pairs = stats.norm.ppf([1 - LEVEL / 2]), stats.norm.ppf(1 - LEVEL / 2 / pairs)
    widened: Floats = all_pairs / one
    return widened


def _reach(rows: pd.DataFrame, middle: str, lower: str, upper: str) -> Floats:
    """How far intervals reach to both sides, shape (2, n)."""
    ends = rows[[lower, upper]].to_numpy() - rows[[middle]].to_numpy()
    return np.asarray(np.abs(ends).T)


def _ordinal(k: int) -> str:
    return {2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(k, f"{k}th")


def _items(axes: Axes, rows: pd.DataFrame, places: np.ndarray) -> None:
    """Shares of items: dead, alive with a top that is alike, and deciding."""
    dead = (rows["all_right"] + rows["all_wrong"]) / rows["n_items"]
    deciding = rows["deciding"] / rows["n_items"]
    parts = {
        "the top differs": (deciding, PALETTE["blue"], ""),
        "the top is alike": (1 - dead - deciding, "#BFD9EA", ""),
        "all models alike": (dead, "white", "////"),
    }
    start = np.zeros(len(rows))
    for label, (width, colour, hatch) in parts.items():
        axes.barh(places, 100 * width, left=100 * start, height=0.66, color=colour, hatch=hatch,
                  edgecolor=PALETTE["grey"], lw=0.4, label=label)  # fmt: skip
        start = start + width
    axes.set_xlim(0, 100)
    axes.set_xlabel("items, %")
    axes.legend(
        fontsize=6.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=1, handlelength=1.2
    )


def _numbers(axes: Axes, rows: pd.DataFrame, places: np.ndarray) -> None:
    columns = {
        "models": rows["n_models"].map("{:.0f}".format),
        "items": rows["n_items"].map("{:,.0f}".format),
        "tied": rows["n_tied"].map("{:.0f}".format),
        "few\nitems": rows["smallest_random"].map(lambda n: "–" if np.isnan(n) else f"{n:,.0f}"),
    }
    ends = np.cumsum([1.0, 1.25, 0.8, 0.95])
    for end, (name, cells) in zip(ends, columns.items()):
        axes.text(end, len(rows) - 0.35, name, fontsize=7, ha="right", va="bottom", weight="bold")
        for row, cell in zip(places, cells):
            axes.text(end, row, cell, fontsize=7.5, ha="right", va="center")
    axes.set_xlim(0, ends[-1])
    axes.set_axis_off()


def measured(tables: Tables, settings: Settings) -> Figure:
    """Alpha of each board beside the paper's, pooled; and what the published benchmarks come to."""
    pooled = next(
        row
        for row in tables["pooled"].to_dict("records")
        if (row["what"], row["over"]) == ("alpha", "all boards")
    )
    table = tables["alpha"]
    known = table[(table["task"] == WHOLE) & table["reason"].isna()]
    figure, (forest, counts) = plt.subplots(
        1, 2, figsize=(WIDTH, 0.24 * known["board"].nunique() + 2.1), width_ratios=[1.6, 1]
    )
    _forest(forest, known, settings.alpha)
    _pooled(forest, pooled)
    saturated = _counted(counts, tables["published"], pooled, settings)
    equal_saturated, equal_similar = equal_shares(settings.k, settings.z, settings.saturated_from)
    headline(
        figure,
        f"Items imply α = {pooled['value']:.2f} ({pooled['lower']:.2f} to {pooled['upper']:.2f}): "
        f"{saturated}",
    )
    footnote(
        figure,
        f"Mean over all pairs of the best {settings.k} models. Bar of all boards: mean, 95 %; thin "
        f"line: a new board, 95 %. * small models. A gap within {settings.z:g} errors is the "
        f"paper's own test: if the errors are right, {settings.k} equal models pass it in "
        f"{equal_similar:.0%} of benchmarks, and reach S = {settings.saturated_from:g} in "
        f"{equal_saturated:.0%}.",
    )
    return figure


def _forest(axes: Axes, known: pd.DataFrame, alpha: float) -> None:
    """Alpha of each board, with other items drawn and with other groups of items."""
    items = known[known["sample"] == ITEMS].sort_values("alpha", ignore_index=True)
    groups = known[known["sample"] == GROUPS]
    place = {board: place for place, board in enumerate(items["board"])}
    marks = {
        "other items drawn, 95 %": (items, "o", PALETTE["blue"], PALETTE["blue"]),
        "other tasks drawn, 95 %": (groups, "s", PALETTE["vermilion"], "white"),
    }
    for label, (rows, mark, colour, fill) in marks.items():
        reach = _reach(rows, "alpha", "lower", "upper")
        axes.errorbar(rows["alpha"], rows["board"].map(place), xerr=reach, fmt=mark, ms=4,
                      color=colour, mfc=fill, label=label)  # fmt: skip
    axes.plot(items["alpha_split"], items.index, "|", ms=9, color=PALETTE["black"],
              label="top chosen on other items")  # fmt: skip
    axes.axvline(alpha, color=PALETTE["black"], lw=1.4)
    axes.axvline(1, color=PALETTE["black"], lw=0.8, ls=":")
    axes.set_xlim(*ALPHAS)
    axes.set_ylim(POOLED_AT - 0.9, len(items) + 0.3)
    for value, text in ((alpha, "paper"), (1, "independent\nanswers")):
        axes.annotate(text, (value, 1.0), xycoords=("data", "axes fraction"), fontsize=7,
                      ha="center", va="bottom")  # fmt: skip
    labels = [BOARDS[name].title for name in items["board"]]
    axes.set_yticks([*place.values(), POOLED_AT], [*labels, "all boards"], fontsize=7.5)
    axes.get_yticklabels()[-1].set_fontweight("bold")
    axes.set_xlabel("α")
    axes.legend(fontsize=6.5, loc="lower left", bbox_to_anchor=(0.11, 0.16))


def _pooled(axes: Axes, pooled: Row) -> None:
    row, colour = [POOLED_AT] * 2, PALETTE["black"]
    axes.plot([pooled["predicted_lower"], pooled["predicted_upper"]], row, color=colour, lw=1)
    axes.plot([pooled["lower"], pooled["upper"]], row, color=colour, lw=5, solid_capstyle="butt")
    axes.plot([pooled["value"]], [POOLED_AT], "D", color="white", ms=3.5)
    axes.axhline(POOLED_AT / 2, color=PALETTE["grey"], lw=0.6)


def _counted(axes: Axes, table: pd.DataFrame, pooled: Row, settings: Settings) -> str:
    """Benchmarks by alpha; what the title says of them."""
    grid = table[table["reading"] == GRID]
    axes.axvspan(pooled["predicted_lower"], pooled["predicted_upper"], color="#E8E8E8", lw=0)
    axes.plot(grid["alpha"], grid["n_similar"], color=PALETTE["orange"], ls="--")
    axes.plot(grid["alpha"], grid["n_saturated"], color=PALETTE["blue"])
    rows = {row["reading"]: row for row in table.to_dict("records")}
    for row in (rows[PAPER], rows[MEASURED]):
        axes.plot([row["alpha"]], [row["n_saturated"]], "o", color=PALETTE["blue"])
        interval = ""
        if row["saturated_upper"] >= 0:
            interval = f" ({row['saturated_lower']:.0f}–{row['saturated_upper']:.0f})"
        axes.annotate(f"{row['n_saturated']:.0f}{interval}", (row["alpha"], row["n_saturated"]),
                      (-14, 3) if interval else (4, 5), textcoords="offset points",
                      fontsize=8.5, weight="bold", color=PALETTE["blue"],
                      ha="right" if interval else "left")  # fmt: skip
    n, threshold = int(table["n_benchmarks"].iloc[0]), settings.saturated_from
    axes.annotate(
        f"gap within\n{settings.z:g} errors", (0.62, 0.73 * n), fontsize=7, color="#8A5A00"
    )
    axes.annotate(
        f"saturated\n(S ≥ {threshold:g})", (0.02, 0.6 * n), fontsize=7, color=PALETTE["blue"]
    )
    axes.annotate("α of a\nnew board", (pooled["value"], n), fontsize=7, ha="center", va="top")
    axes.axvline(settings.alpha, color=PALETTE["black"], lw=1.4)
    axes.set_ylim(0, None)
    axes.set_xlim(0, 1.3)
    axes.set_xlabel("α")
    axes.set_ylabel(f"of {n} published benchmarks")
    here, there = rows[MEASURED]["n_saturated"], rows[PAPER]["n_saturated"]
    return f"{here:.0f} of {n} benchmarks saturated; at the paper's {settings.alpha:g}, {there:.0f}"


def course(table: pd.DataFrame, k: int) -> Figure:
    """Gap at the top and the smallest one that the items could show, by quarter."""
    quarters = table.groupby("board", sort=False).size()
    boards = list(quarters.index[quarters >= FEWEST_QUARTERS])
    width = max(len(boards), 1)
    figure, grid = plt.subplots(1, width, figsize=(WIDTH, 2.8), squeeze=False)
    close = 0
    for axes, board in zip(grid[0], boards):
        own = table[table["board"] == board]
        _course(axes, own)
        apart = own["gap"].iloc[-1] >= own["detectable"].iloc[-1]
        close += not apart
        name = textwrap.fill(BOARDS[board].title.partition(",")[0], 20)
        axes.set_title(f"{name}:\nnow {'apart' if apart else 'too close'}", fontsize=8)
    grid[0][0].set_ylabel(f"first less {_ordinal(k)} score, points")
    headline(
        figure, f"On {close} of {len(boards)} boards the top is now closer than the items can show"
    )
    footnote(
        figure,
        "Models released by the end of each quarter; boards of at least "
        f"{FEWEST_QUARTERS} quarters. Dots: gap, with the number of models tied with the first; "
        "hollow: closer than the items can show. Grey: gaps that a test at 95 % finds in less "
        "than 80 %.",
    )
    return figure


def _course(axes: Axes, rows: pd.DataFrame) -> None:
    """Gap and smallest detectable gap of one board, quarter by quarter."""
    place = np.arange(len(rows))
    gap, detectable = 100 * rows["gap"].to_numpy(), 100 * rows["detectable"].to_numpy()
    axes.fill_between(place, 0, detectable, color="#E3E3E3", lw=0)
    axes.plot(place, gap, color=PALETTE["blue"], lw=1.2)
    fills = np.where(gap < detectable, "white", PALETTE["blue"])
    axes.scatter(place, gap, s=18, color=fills, edgecolor=PALETTE["blue"], zorder=3)
    for x, height, tied in zip(place.tolist(), gap, rows["n_tied"]):
        axes.annotate(
            f"{tied}", (x, height), (0, 5), fontsize=6.5, textcoords="offset points", ha="center",
            bbox={"fc": "white", "ec": "none", "pad": 0.4, "alpha": 0.75},
        )  # fmt: skip
    when = pd.PeriodIndex(rows["until"], freq="Q")
    # The year stands under its first quarter.
    years = [
        f"’{year % 100}" if year != last else "" for year, last in zip(when.year, [0, *when.year])
    ]
    axes.set_xticks(place, [f"Q{q}\n{year}" for q, year in zip(when.quarter, years)], fontsize=6.5)
    axes.set_ylim(0, 1.15 * axes.get_ylim()[1])
    axes.margins(x=0.1)
