"""Figures of the controls: effects without n, and gaps of an all-equal top.

Each function takes tables and returns a figure; call it inside `saturation.drawing.style.style`.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from saturation.drawing.style import PALETTE, WIDTH, headline
from saturation.plateau import controls
from saturation.plateau import equal_top as tops
from saturation.plateau.conclusions import CONCLUSIONS

# Where the panels of effects end: longer intervals go on.
REACH = 0.75


def effects(table: pd.DataFrame) -> Figure:
    """Every effect on the index, with the sizes dealt out, and with n taken out.

    Parameters
    ----------
    table
        Table of :func:`saturation.plateau.controls.controls`.
    """
    verdicts = controls.without_n(table)
    keys = list(zip(verdicts["conclusion"], verdicts["adjusted"], strict=True))
    places = {key: len(keys) - place for place, key in enumerate(keys)}
    sizes = [name for name in table["control"].unique() if name.startswith("same_n_")]
    common = " / ".join(name.removeprefix("same_n_") for name in sizes)
    panels = {
        "S": [controls.INDEX],
        "n dealt out\nat random": [controls.DEALT],
        f"one n for all:\n{common}": sizes,
        "ranks of the\nraw gap": [controls.GAP_RANK],
    }
    figure, grid = plt.subplots(
        1, len(panels) + 1, figsize=(WIDTH, 0.19 * len(keys) + 1.9), sharey=True,
        width_ratios=[1] * len(panels) + [0.5],
    )  # fmt: skip
    for axes, (title, shown) in zip(grid, panels.items()):
        _panel(axes, table, shown, places)
        axes.set_title(title, fontsize=8, weight="normal")
        unit = "share of the ranks" if shown == [controls.GAP_RANK] else "mean S"
        axes.set_xlabel(f"difference in\n{unit},\nor rank correlation", fontsize=7)
    for row in verdicts.itertuples():
        if row.shown:
            grid[-1].annotate(
                "stays" if row.kept else "goes",
                (0, places[row.conclusion, row.adjusted]),
                fontsize=8, va="center", weight="bold" if row.kept else "normal",
            )  # fmt: skip
    grid[-1].set_axis_off()
    grid[-1].set_title("without n", fontsize=7.5, weight="normal", loc="left")
    grid[0].set_yticks(list(places.values()), [_label(*key) for key in keys], fontsize=7)
    grid[0].set_ylim(0.3, len(keys) + 0.7)
    headline(
        figure,
        f"{verdicts['shown'].sum()} of {len(keys)} effects on S have p ≤ {controls.LEVEL:g}; "
        f"{verdicts['kept'].sum()} of them without test-set size",
    )
    figure.legend(handles=_marks(), loc="outside lower center", ncols=3, fontsize=7)
    return figure


def _label(conclusion: str, adjusted: str) -> str:
    label = CONCLUSIONS[conclusion].label.replace(" - ", " − ")
    return label if adjusted == "none" else "at equal age"


def _panel(
    axes: Axes, table: pd.DataFrame, shown: list[str], places: dict[tuple[str, str], int]
) -> None:
    offsets = np.linspace(0.22, -0.22, len(shown)) if len(shown) > 1 else np.zeros(1)
    for offset, control in zip(offsets, shown):
        rows = table[(table["control"] == control) & table["effect"].notna()]
        keys = zip(rows["conclusion"], rows["adjusted"], strict=True)
        heights = np.array([places[key] + offset for key in keys])
        if control == controls.DEALT:
            axes.hlines(heights, rows["lower"], rows["upper"], color=PALETTE["sky"], linewidth=5)
            axes.scatter(rows["effect"], heights, s=70, marker="|", color=PALETTE["blue"], zorder=3)
            continue
        clear = (rows["p_value"] <= controls.LEVEL).to_numpy()
        for chosen, colour, face in (
            (~clear, PALETTE["grey"], "white"),
            (clear, PALETTE["vermilion"], PALETTE["vermilion"]),
        ):
            ends = rows[chosen]
            axes.hlines(heights[chosen], ends["lower"], ends["upper"], color=colour, linewidth=1.2)
            axes.scatter(
                ends["effect"], heights[chosen], s=14, zorder=3, edgecolors=colour, facecolors=face
            )
    axes.axvline(0, color=PALETTE["black"], linewidth=0.7)
    axes.set_xlim(-REACH, REACH)
    axes.set_xticks([-0.5, 0, 0.5])
    axes.tick_params(labelsize=7)
    axes.grid(axis="y", visible=False)
    for (_, adjusted), place in places.items():
        if adjusted == "none":
            axes.axhline(place + 0.5, color=PALETTE["grey"], linewidth=0.4, alpha=0.5)


def _marks() -> list[Line2D]:
    def dot(colour: str, face: str, label: str) -> Line2D:
        return Line2D([], [], color=colour, marker="o", mfc=face, markersize=4, label=label)

    return [
        dot(PALETTE["vermilion"], PALETTE["vermilion"], "effect, bootstrap 95 %: p ≤ 0.05"),
        dot(PALETTE["grey"], "white", "p > 0.05"),
        Line2D([], [], color=PALETTE["sky"], linewidth=5,
               label="mean and 95 % over deals of n"),
    ]  # fmt: skip


def equal_top(table: pd.DataFrame, threshold: float) -> Figure:
    """How many gaps are as small as those of equal models, and the gaps beside the expected ones.

    Parameters
    ----------
    table
        Table of :func:`saturation.plateau.equal_top.equal_top`.
    threshold
        Index from which a benchmark counts as saturated.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.6), width_ratios=[1.15, 1])
    counts = tops.counted(table[table["errors"] == tops.ITEMS], threshold)
    n_saturated = _as_small(left, counts[counts["saturated"]], threshold)
    widest = counts[counts["saturated"] & (counts["dependence"] == counts["dependence"].min())]
    _gaps(right, table, threshold)
    most = (widest["n"] - widest["larger"]).max()
    headline(
        figure,
        "No benchmark is saturated"
        if widest.empty
        else f"At most {most} of {n_saturated} saturated benchmarks have a gap that equal models"
        " give",
    )
    return figure


# Dependence from none to strong: lines with marks of their own.
_LINES = (("blue", "o", "-"), ("orange", "s", "--"), ("vermilion", "^", ":"), ("green", "D", "-."))


def _as_small(axes: Axes, counts: pd.DataFrame, threshold: float) -> int:
    """Saturated benchmarks whose gap equal models give too, over the number of models."""
    n = int(counts["n"].max()) if len(counts) else 0
    lines = counts.groupby("dependence", sort=True)
    for (_, line), (colour, marker, dashes) in zip(lines, itertools.cycle(_LINES)):
        shared = float(line["dependence"].iloc[0])
        label = f"answers correlate {shared:g}" if shared else "independent answers"
        axes.plot(
            line["models"], line["n"] - line["larger"], color=PALETTE[colour], marker=marker,
            linestyle=dashes, label=label, clip_on=False,
        )  # fmt: skip
    axes.axhline(n, color=PALETTE["grey"], linewidth=0.8)
    axes.annotate(f"all {n} with S ≥ {threshold:g}", (0.02, n), xycoords=("axes fraction", "data"),
                  xytext=(0, -9), textcoords="offset points", fontsize=7.5)  # fmt: skip
    axes.set_xscale("log")
    sizes = sorted(counts["models"].unique())
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(0, max(n, 1) * 1.05)
    axes.set_xlabel("models that the top is picked from")
    axes.set_ylabel("saturated benchmarks whose gap\nequal models give (p > 0.05)")
    if len(counts):
        axes.legend(fontsize=7.5)
    return n


def _gaps(axes: Axes, table: pd.DataFrame, threshold: float) -> None:
    """Observed gap over the gap expected of independent equal models, at a middling number."""
    sizes = sorted(table["models"].unique())
    if not sizes:
        return
    middle = sizes[(len(sizes) - 1) // 2]
    shown = table[(table["errors"] == tops.ITEMS) & (table["models"] == middle)]
    shown = shown[shown["dependence"] == shown["dependence"].min()]
    saturated = shown["s_index"] >= threshold
    for chosen, colour, marker, label in (
        (saturated, "vermilion", "o", f"S ≥ {threshold:g}"),
        (~saturated, "blue", "x", f"S < {threshold:g}"),
    ):
        gaps = shown[chosen]
        axes.scatter(
            100 * gaps["expected_gap"], 100 * gaps["gap"], s=16, color=PALETTE[colour],
            marker=marker, label=label,
        )  # fmt: skip
    positive = 100 * shown[["expected_gap", "gap"]].to_numpy()
    ends = positive[positive > 0].min(initial=1.0), positive.max(initial=1.0)
    axes.plot(ends, ends, color=PALETTE["black"], linewidth=0.8, label="as equal models give")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
    axes.set_xlabel(f"gap expected of {middle:g} equal models, points")
    axes.set_ylabel("observed gap first to last, points")
    axes.legend(fontsize=7.5)
