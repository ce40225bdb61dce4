"""Figures of the leaderboards: the gap at the top with its errors, and alpha as measured.

Each function takes tables and returns a figure; call it inside `studies.style.style`.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.files.tables import NamedTables, Row, records
from studies.boards.alpha import GROUPS, ITEMS
from studies.boards.names import BOARDS
from studies.boards.noise import FEWEST_MODELS
from studies.boards.ranked import Settings
from studies.style import BLACK, BLUE, COLUMN, GREY, SMALLEST, VERMILION, caption

# Where the axis of gaps ends, points.
LIMIT = 32
# Limits of the axis of alpha.
ALPHAS = (0.4, 1.55)
# Height of the row of all boards, below the boards'.
POOLED_AT = -1.5


def figures(tables: NamedTables, settings: Settings) -> dict[str, Figure]:
    """All figures by name."""
    return {"overview": overview(tables["noise"], settings.k), "alpha": measured(tables, settings)}


def overview(table: pd.DataFrame, k: int) -> Figure:
    """One row a leaderboard of recent models: the gap at the top and its two errors."""
    rows = table[table["recent"]].assign(least=table["gap"] - table["times"] * table["one_run"])
    rows = rows.sort_values("least", ignore_index=True)
    places = np.arange(len(rows))
    figure, axes = plt.subplots(figsize=(COLUMN, 0.2 * len(rows) + 1.5))
    parts = rows["items"].notna()
    gap, half = 100 * rows["gap"], 100 * rows["times"] * rows["one_run"]
    items = 100 * rows["times"] * rows["items"]
    bars = {
        "items and one run": (half, parts, "#A9CBE3", ""),
        "items alone": (items, parts, BLUE, ""),
        "only their sum is known": (half, ~parts, "#E4E4E4", "////"),
    }
    for label, (reach, some, colour, hatch) in bars.items():
        axes.barh(
            places[some],
            2 * reach[some],
            left=(gap - reach)[some],
            height=0.64,
            lw=0.4,
            color=colour,
            hatch=hatch,
            edgecolor=GREY,
            label=label,
        )
    fills = np.where(rows["one_run_separated"], "black", "white")
    axes.scatter(gap, places, s=13, c=fills, edgecolor="black", linewidth=0.8, zorder=3)
    for side in (-1, 1):
        cut_bars = places[side * gap + half > LIMIT]
        ends = np.full(len(cut_bars), side * (LIMIT - 0.6))
        axes.plot(ends, cut_bars, ">" if side > 0 else "<", color="black", ms=4)
    axes.axvline(0, color="black", lw=0.9)
    names = [f"{row.title}  {row.n_models}, {str(row.newest)[:7]}" for row in rows.itertuples()]
    axes.set_yticks(places, names, fontsize=SMALLEST)
    axes.tick_params(axis="x", labelsize=SMALLEST)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(-LIMIT, LIMIT)
    axes.set_xlabel(f"first less {_ordinal(k)} score, points", fontsize=7.5)
    axes.legend(fontsize=SMALLEST, loc="upper left", handlelength=1.4)
    single_run, without_runs = (rows["one_run_separated"].sum(), rows["items_separated"].sum())
    caption(
        figure,
        f"One run separates first and {_ordinal(k)} on {single_run} of {len(rows)} recent "
        f"leaderboards; without the error of runs, at least {without_runs}",
        "Beside the name: models, and the release of the newest with a known date. Bars: 95 % "
        "intervals that hold for all pairs of a leaderboard's models at once; filled dots: zero "
        f"lies outside. At least {FEWEST_MODELS} models; arrows: the bar goes on.",
    )
    return figure


def _ordinal(k: int) -> str:
    return {2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(k, f"{k}th")


def measured(tables: NamedTables, settings: Settings) -> Figure:
    """Alpha of each board beside the paper's, and pooled."""
    (pooled,) = records(tables["pooled"])
    known = tables["alpha"][tables["alpha"]["reason"].isna()]
    figure, forest = plt.subplots(figsize=(COLUMN, 0.2 * known["board"].nunique() + 1.6))
    _forest(forest, known, settings.alpha)
    _pooled(forest, pooled)
    caption(
        figure,
        f"Item answers imply α = {pooled['value']:.2f} ({pooled['lower']:.2f} to "
        f"{pooled['upper']:.2f}), not {settings.alpha:g}",
        f"Mean over all pairs of the best {settings.k} models. Bar of all boards: mean, 95 %; thin "
        "line: a new board, 95 %.",
    )
    return figure


def _forest(axes: Axes, known: pd.DataFrame, alpha: float) -> None:
    """Alpha of each board, with other items drawn and with other groups of items."""
    items = known[known["sample"] == ITEMS].sort_values("alpha", ignore_index=True)
    groups = known[known["sample"] == GROUPS]
    place = {board: place for place, board in enumerate(items["board"])}
    marks = {
        "other items drawn, 95 %": (items, "o", BLUE, BLUE),
        "other tasks drawn, 95 %": (groups, "s", VERMILION, "white"),
    }
    for label, (rows, mark, colour, fill) in marks.items():
        axes.errorbar(
            rows["alpha"],
            rows["board"].map(place),
            xerr=(rows["alpha"] - rows["lower"], rows["upper"] - rows["alpha"]),
            fmt=mark,
            ms=4,
            color=colour,
            mfc=fill,
            label=label,
        )
    axes.plot(
        items["alpha_split"],
        items.index,
        "|",
        ms=9,
        color=BLACK,
        label="top chosen on other items",
    )
    axes.axvline(alpha, color=BLACK, lw=1.4)
    axes.axvline(1, color=BLACK, lw=0.8, ls=":")
    axes.set_xlim(*ALPHAS)
    axes.set_ylim(POOLED_AT - 0.9, len(items) + 0.3)
    for value, text in ((alpha, "paper"), (1, "independent\nanswers")):
        axes.annotate(
            text,
            (value, 1.0),
            xycoords=("data", "axes fraction"),
            fontsize=7,
            ha="center",
            va="bottom",
        )
    labels = [BOARDS[name].title for name in items["board"]]
    axes.set_yticks([*place.values(), POOLED_AT], [*labels, "all boards"], fontsize=7)
    axes.get_yticklabels()[-1].set_fontweight("bold")
    axes.set_xlabel("α")
    axes.legend(fontsize=SMALLEST, loc="center left", bbox_to_anchor=(0.09, 0.38))


def _pooled(axes: Axes, pooled: Row) -> None:
    row, colour = [POOLED_AT] * 2, BLACK
    axes.plot([pooled["predicted_lower"], pooled["predicted_upper"]], row, color=colour, lw=1)
    axes.plot([pooled["lower"], pooled["upper"]], row, color=colour, lw=3, solid_capstyle="butt")
    axes.plot([pooled["value"]], [POOLED_AT], "o", color=colour, ms=5)
    axes.axhline(POOLED_AT / 2, color=GREY, lw=0.6)
