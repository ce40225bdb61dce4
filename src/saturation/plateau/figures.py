"""Figures of the plateau study: Figure 1 of the paper, sensitivity and intervals.

Each function takes tables and returns a figure; call it inside `saturation.drawing.style.style`.
"""

import itertools
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure

from saturation.drawing.style import BIN_COLOURS, PALETTE, WIDTH, footnote, headline, key
from saturation.index import BINS, annotated
from saturation.plateau import control_figures, group_figures
from saturation.plateau.group_figures import S_LABEL

LEAST_HEIGHT = 2.8  # inches; room for the legend beside few benchmarks
MOST_NAMED = 150  # benchmarks; of more no name could be read on a page
UNNAMED_HEIGHT = 8.0  # inches
MOST_MARKS = 500  # of one kind that stay lines and dots in a vector file
BIN_NAMES = {name: name.replace("_", " ") for name in BINS}


def figures(
    study: Mapping[str, pd.DataFrame], k: int, alpha: float, threshold: float
) -> dict[str, Figure]:
    """All figures by name.

    Parameters
    ----------
    study
        The study's tables by name: ``benchmarks, index, intervals, permuted_n, grid, groups, bins,
        tests, trends, controls, equal_top``.
    k, alpha
        The default setting.
    threshold
        Index from which a benchmark counts as saturated.
    """
    benchmarks, index = study["benchmarks"], study["index"]
    names = benchmarks.set_index("benchmark_id")["name"]
    data = annotated(benchmarks, index)
    trend = {(row["trend"], row["reading"]): row for _, row in study["trends"].iterrows()}
    age, cited = trend["age", "spearman_recorded"], trend["citations", "raw"]
    drawn = {
        "figure1_overview": overview(index, study["intervals"], names, threshold),
        "figure2_hypotheses": group_figures.hypotheses(
            data, group_figures.panels(data, study), threshold
        ),
        "figure3_age": group_figures.age_bins(data, study["bins"], age),
        "figure4_citations": group_figures.citation_bins(data, study["bins"], cited),
        "sensitivity": sensitivity(study["grid"], k, alpha, len(data)),
        "intervals": intervals(study["intervals"], names, threshold),
        "permuted_n": permuted_n(study["permuted_n"], len(data)),
        "equal_top": control_figures.equal_top(study["equal_top"], threshold),
        "controls": control_figures.effects(study["controls"]),
    }
    for figure in drawn.values():
        _lighten(figure)
    return drawn


def _lighten(figure: Figure) -> None:
    """Where there are too many marks to take one by one, PDF and SVG hold them as an image."""
    for marks in figure.findobj(Collection):
        if max(len(np.asarray(marks.get_offsets())), len(marks.get_paths())) > MOST_MARKS:
            marks.set_rasterized(True)


def overview(
    index: pd.DataFrame, intervals: pd.DataFrame, names: pd.Series, threshold: float
) -> Figure:
    """All benchmarks ranked by index, in their bins, with the error of n items (Figure 1).

    Parameters
    ----------
    index
        Table with ``benchmark_id, s_index, bin``.
    intervals
        Table of :func:`saturation.plateau.uncertainty.uncertainty_table`.
    names
        Display name of each benchmark, by ``benchmark_id``.
    threshold
        Index from which a benchmark counts as saturated.
    """
    table = index.merge(intervals[["benchmark_id", "s_lower", "s_upper"]], how="left")
    table = table.sort_values(["s_index", "benchmark_id"]).reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(WIDTH, _height(len(table), 1.4)))
    colours = table["bin"].map(BIN_COLOURS)
    # Lines that lie on each other let the dots be seen.
    shade, size = (1.0, 24) if len(table) <= MOST_NAMED else (0.3, 2)
    axes.hlines(
        table.index, table["s_lower"], table["s_upper"], color=colours, linewidth=1.2, alpha=shade
    )
    axes.scatter(table["s_index"], table.index, color=colours, s=size, zorder=3)
    _rows(axes, table, names)
    axes.set_xlim(-0.01, 1.02)
    axes.set_xlabel(f"{S_LABEL} (0 = top models clearly apart, 1 = indistinguishable)")
    axes.axvline(threshold, color=PALETTE["black"], linestyle=":", linewidth=1)
    for name, rows in table.groupby("bin"):
        # Each bin is named beside its rows, and set off from the next.
        middle = (rows.index[0] + rows.index[-1]) / 2
        axes.text(1.02, middle, f"{BIN_NAMES[str(name)]}: {len(rows)}", va="center", fontsize=8,
                  transform=axes.get_yaxis_transform())  # fmt: skip
        if rows.index[0]:
            axes.axhline(rows.index[0] - 0.5, color=PALETTE["grey"], linewidth=0.6)
    saturated = int((table["s_index"] >= threshold).sum())
    headline(figure, f"{saturated} of {len(table)} benchmarks are saturated (S ≥ {threshold:g})")
    footnote(
        figure,
        f"Dots: S, by bin; lines: 95 % by the error of n items; dotted: S = {threshold:g}",
    )
    return figure


def _height(rows: int, around: float) -> float:
    """Inches of a figure with so many rows, and room around them."""
    return max(0.145 * rows + around, LEAST_HEIGHT) if rows <= MOST_NAMED else UNNAMED_HEIGHT


def _rows(axes: Axes, table: pd.DataFrame, names: pd.Series) -> None:
    """A row a benchmark, with its name where there is room for it."""
    if len(table) <= MOST_NAMED:
        axes.set_yticks(table.index, names.loc[table["benchmark_id"]], fontsize=7)
    else:
        axes.set_ylabel(f"{len(table):,} benchmarks, by S")
    axes.set_ylim(-1, len(table))
    axes.grid(axis="y", visible=False)


def intervals(table: pd.DataFrame, names: pd.Series, threshold: float) -> Figure:
    """Index with its 95 % intervals by two errors, and P(saturated), ranked by index.

    Parameters
    ----------
    table
        Table of :func:`saturation.plateau.uncertainty.uncertainty_table`.
    names
        Display name of each benchmark, by ``benchmark_id``.
    threshold
        Index from which a benchmark counts as saturated.
    """
    table = table.sort_values(["s_index", "benchmark_id"]).reset_index(drop=True)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, _height(len(table), 1.9)), sharey=True, width_ratios=[2.2, 1]
    )
    above, below = table["s_lower"] >= threshold, table["s_upper"] < threshold
    assumed = (table["s_lower_index_noise"] < threshold) & (
        table["s_upper_index_noise"] >= threshold
    )
    left.hlines(
        table.index, table["s_lower_index_noise"], table["s_upper_index_noise"],
        color=PALETTE["grey"], linewidth=0.8, label="95 % by the error that S assumes",
    )  # fmt: skip
    for chosen, colour, fill, said in (
        (above, "vermilion", PALETTE["vermilion"], "above"),
        (below, "blue", PALETTE["blue"], "below"),
        (~(above | below), "black", "white", "open"),
    ):
        some = table[chosen]
        left.hlines(some.index, some["s_lower"], some["s_upper"], color=PALETTE[colour],
                    linewidth=3)  # fmt: skip
        for axes, value in ((left, "s_index"), (right, "p_saturated")):
            axes.plot(some[value], some.index, "o", color=PALETTE[colour], mfc=fill, markersize=3.5,
                      label=f"{said}: {len(some)}")  # fmt: skip
    _rows(left, table, names)
    left.set_xlabel(f"{S_LABEL} and its 95 % interval")
    low, high = table["p_saturated_lowest"], table["p_saturated_highest"]
    right.hlines(table.index, low, high, color=PALETTE["black"], linewidth=1, zorder=1)
    right.set_xlim(-0.03, 1.03)
    right.set_xticks([0, 0.5, 1])
    right.grid(axis="y", visible=False)
    right.set_xlabel(f"P(true S ≥ {threshold:g}); line: range\nover numbers of models", fontsize=8)
    left.axvline(threshold, color=PALETTE["black"], linestyle=":", linewidth=1)
    headline(
        figure,
        f"Whether S ≥ {threshold:g} is open for {(~(above | below)).sum()} of {len(table)} "
        f"benchmarks by the error of n items, for {assumed.sum()} by the error that S "
        "itself assumes",
    )
    key(
        figure,
        left,
        f"Thick: 95 % by the error of n items, which lies above {threshold:g}, below it (filled "
        "dots) or on both sides (open: hollow dots)",
    )
    return figure


def sensitivity(grid: pd.DataFrame, k: int, alpha: float, n: int) -> Figure:
    """Rank correlation, same-bin share and number saturated over k and alpha.

    Parameters
    ----------
    grid
        Table of :func:`saturation.plateau.sensitivity.grid_summary`.
    k, alpha
        The default setting, with which each setting is compared.
    n
        Number of benchmarks.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 3))
    measures = (
        ("spearman", 1, "rank correlation\nwith the default"),
        ("same_bin", 100, "benchmarks in the bin\nof the default, %"),
        ("n_saturated", 1, f"benchmarks saturated,\nof {n}"),
    )
    looks = list(zip(_shades(grid["k"].nunique()), itertools.cycle("os^Dv")))
    for panel, (column, factor, title) in zip(axes, measures):
        for (colour, mark), (value, line) in zip(looks, grid.groupby("k", sort=True)):
            panel.plot(
                line["alpha"], factor * line[column],
                color=colour, marker=mark, markevery=2, markersize=4, label=f"k = {value}",
                clip_on=False,
            )  # fmt: skip
        panel.axvline(alpha, color=PALETTE["grey"], linestyle=":", linewidth=1)
        panel.set_xlabel("α")
        panel.set_title(title, fontsize=8, weight="normal")
    axes[1].set_ylim(0, 102)
    axes[2].set_ylim(0, n)
    default = grid[(grid["k"] == k) & np.isclose(grid["alpha"], alpha)]
    for n_saturated in default["n_saturated"]:
        axes[2].annotate(
            f"default: {n_saturated}",
            (alpha, n_saturated),
            xytext=(0.03, 0.04),
            textcoords="axes fraction",
            fontsize=7.5,
            arrowprops={"arrowstyle": "-", "color": PALETTE["grey"], "shrinkB": 0},
        )
    low, high = grid["n_saturated"].min(), grid["n_saturated"].max()
    headline(
        figure,
        f"The choice of k and α decides: {low} to {high} of {n} saturated,"
        f" ranks agree {grid['spearman'].min():.2f} to 1 with the default",
    )
    footnote(
        figure,
        f"Default: k = {k}, α = {alpha:g} (dotted). k: models compared; "
        "α: the test-set size counts as n to the power α",
    )
    axes[0].legend(loc="lower right", fontsize=7)
    return figure


def _shades(n: int) -> list[Any]:
    """A colour for each of n lines: the palette's as far as they go, else along a scale."""
    named = [PALETTE[name] for name in ("sky", "green", "orange", "vermilion", "purple")]
    return named[:n] if n <= len(named) else list(plt.colormaps["viridis"](np.linspace(0, 0.9, n)))


def permuted_n(control: pd.DataFrame, n: int) -> Figure:
    """Correlation with test-set size beside its null under random reassignment of n.

    Parameters
    ----------
    control
        Table of :func:`saturation.plateau.uncertainty.permuted_n_control`.
    n
        Number of benchmarks.
    """
    names = {"s_index": "saturation index S", "top_gap": "raw gap $s_1 - s_k$"}
    figure, axes = plt.subplots(figsize=(6.6, 2.5))
    places = np.arange(len(control))[::-1]
    axes.hlines(places, control["null_lower"], control["null_upper"],
                color=PALETTE["sky"], linewidth=9, alpha=0.7,
                label="n dealt at random: central 95 %")  # fmt: skip
    axes.scatter(control["null_mean"], places, marker="|", s=130, color=PALETTE["blue"],
                 label="n dealt at random: mean", zorder=3)  # fmt: skip
    axes.scatter(control["spearman"], places, color=PALETTE["vermilion"], s=45,
                 label="observed", zorder=4)  # fmt: skip
    for place, p in zip(places, control["p_value"]):
        text = "not defined" if np.isnan(p) else f"p = {p:.2f}"
        axes.annotate(text, (0.62, place), fontsize=8, va="center")
    axes.axvline(0, color=PALETTE["grey"], linewidth=0.8)
    axes.set_yticks(places, [names[outcome] for outcome in control["outcome"]])
    axes.set_ylim(-0.6, len(control) - 0.4)
    axes.set_xlim(-1, 1)
    axes.set_xlabel(f"Spearman correlation with test-set size ({n} benchmarks)")
    axes.set_title(_size_title(control))
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _size_title(control: pd.DataFrame) -> str:
    """Whether S falls with size more than its formula makes it, as far as the null says."""
    row = control.set_index("outcome").loc["s_index"]
    if np.isnan(row["p_value"]):
        return "S and test-set size: the correlation is not defined"
    if row["spearman"] < row["null_lower"]:
        return "S falls with test-set size more than its formula makes it"
    if row["spearman"] > row["null_upper"]:
        return "S falls with test-set size less than its formula makes it"
    word = "falls" if row["spearman"] <= 0 else "rises"
    return f"That S {word} with test-set size is what its formula makes it do"
