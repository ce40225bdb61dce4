"""Figures of the plateau study (Figures 1-4 of the paper, sensitivity and intervals).

Each function takes tables and returns a figure; call it inside `saturation.drawing.style.style`.
"""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from saturation.drawing.style import BIN_COLOURS, PALETTE, headline, note
from saturation.index import BINS, annotated
from saturation.plateau import control_figures, groupings
from saturation.plateau.names import HYPOTHESES
from saturation.plateau.trends import AGE, RECORDED_AGE, age_bin, citation_bin

S_LABEL = "saturation index S"
LEAST_HEIGHT = 2.8  # inches; room for the legend beside few benchmarks
BIN_NAMES = {name: name.replace("_", " ") for name in BINS}
# Columns of Figure 2.
PANELS = {
    "left": "A. age-balanced in the paper",
    "right": "B. age-confounded in the paper",
}
GROUP_COLOURS = ("blue", "orange", "green", "purple", "vermilion", "sky")
# Correlations below these are called weak, and modest.
WEAK, MODEST = 0.2, 0.4


def figures(
    study: Mapping[str, pd.DataFrame], k: int, alpha: float, threshold: float
) -> dict[str, Figure]:
    """All figures by name.

    Parameters
    ----------
    study
        The study's tables by name: ``benchmarks, index, intervals, permuted_n, grid, groups, bins,
        trends, controls, equal_top``.
    k, alpha
        The default setting.
    threshold
        Index from which a benchmark counts as saturated.
    """
    benchmarks, index = study["benchmarks"], study["index"]
    names = benchmarks.set_index("benchmark_id")["name"]
    data = annotated(benchmarks, index)
    groups, rates = panels(data, study["groups"], study["bins"])
    citations = citation_bin(data["citations"])
    trend = {(row["trend"], row["reading"]): row for _, row in study["trends"].iterrows()}
    age, cited = trend["age", "spearman_recorded"], trend["citations", "raw"]
    return {
        "figure1_overview": overview(index, names),
        "figure2_hypotheses": hypotheses(data, groups, rates, threshold),
        "figure3_age": age_bins(data, study["bins"], age),
        "figure4_citations": citation_bins(data, study["bins"], citations, cited),
        "sensitivity": sensitivity(study["grid"], k, alpha, len(data)),
        "intervals": intervals(study["intervals"], names, threshold),
        "permuted_n": permuted_n(study["permuted_n"], len(data)),
        "equal_top": control_figures.equal_top(study["equal_top"], threshold),
        "controls": control_figures.effects(study["controls"]),
    }


def panels(
    data: pd.DataFrame, groups: pd.DataFrame, bins: pd.DataFrame
) -> tuple[dict[str, pd.Series], pd.DataFrame]:
    """The groups and rates that Figure 2 shows, each hypothesis in the reading shown.

    Parameters
    ----------
    data
        One row a benchmark, with the annotations and the recorded age.
    groups, bins
        The study's tables of these names.

    Returns
    -------
    labels
        Group of each benchmark (by ``benchmark_id``) for each hypothesis that has a panel. A
        hypothesis without readings is shown by age bins.
    rates
        ``hypothesis, group, n, rate, rate_lower, rate_upper``.
    """
    shown = {name: row.shown for name, row in HYPOTHESES.items() if row.panel}
    labels = {
        comparison.hypothesis: comparison.groups
        for comparison in groupings.comparisons(data)
        if shown.get(comparison.hypothesis) == comparison.grouping
    }
    by_age = [name for name in shown if name not in labels]
    ages = age_bin(data[RECORDED_AGE]).set_axis(data["benchmark_id"])
    age_rates = bins[bins["binned_by"] == RECORDED_AGE].rename(columns={"bin": "group"})
    chosen = groups[groups["grouping"] == groups["hypothesis"].map(shown)]
    rates = pd.concat(
        [chosen, *(age_rates.assign(hypothesis=name) for name in by_age)], ignore_index=True
    )
    return labels | dict.fromkeys(by_age, ages), rates


def overview(index: pd.DataFrame, names: pd.Series) -> Figure:
    """All benchmarks ranked by index and coloured by bin (Figure 1).

    Parameters
    ----------
    index
        Table with ``benchmark_id, s_index, bin``.
    names
        Display name of each benchmark, by ``benchmark_id``.
    """
    table = index.sort_values(["s_index", "benchmark_id"]).reset_index(drop=True)
    height = max(0.155 * len(table) + 1.2, LEAST_HEIGHT)
    figure, axes = plt.subplots(figsize=(7, height))
    colours = table["bin"].map(BIN_COLOURS)
    axes.hlines(table.index, 0, table["s_index"], color=colours, linewidth=2)
    axes.scatter(table["s_index"], table.index, color=colours, s=22, zorder=3)
    axes.set_yticks(table.index, names.loc[table["benchmark_id"]], fontsize=7)
    axes.set_ylim(-1, len(table))
    axes.set_xlim(-0.01, 1.02)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(f"{S_LABEL} (0 = top models clearly apart, 1 = indistinguishable)")
    counts = table["bin"].value_counts()
    for name in reversed(BINS):
        axes.scatter(
            [], [], color=BIN_COLOURS[name], label=f"{BIN_NAMES[name]}: {counts.get(name, 0)}"
        )
    axes.legend(loc="lower right", title="bin: benchmarks", alignment="left")
    saturated = int(counts.get("high", 0) + counts.get("very_high", 0))
    axes.set_title(f"{saturated} of {len(table)} benchmarks are highly or very highly saturated")
    return figure


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
    height = max(0.155 * len(table) + 1.8, LEAST_HEIGHT)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(7.6, height), sharey=True, width_ratios=[2.2, 1]
    )
    assumed, items = (
        (table["s_lower_index_noise"], table["s_upper_index_noise"]),
        (table["s_lower"], table["s_upper"]),
    )
    decided = [
        int(((low >= threshold) | (high < threshold)).sum()) for low, high in (items, assumed)
    ]
    rows, grey = table.index, PALETTE["grey"]
    left.hlines(rows, *assumed, color=grey, linewidth=0.8, label="by the error that S assumes")
    left.hlines(rows, *items, color=PALETTE["blue"], linewidth=3.2, label="by the error of n items")
    left.scatter(table["s_index"], rows, color=PALETTE["black"], s=12, zorder=3, label="S")
    left.set_yticks(rows, names.loc[table["benchmark_id"]], fontsize=7)
    left.set_ylim(-1, len(table))
    left.set_xlabel(f"{S_LABEL} and its 95 % interval")
    low, high = table["p_saturated_lowest"], table["p_saturated_highest"]
    right.hlines(rows, low, high, color=PALETTE["blue"], linewidth=1.2)
    right.scatter(table["p_saturated"], rows, color=PALETTE["black"], s=12, zorder=3)
    right.set_xlim(-0.03, 1.03)
    right.set_xlabel(f"P(true S ≥ {threshold:g}); line: range\nover numbers of models")
    left.axvline(threshold, color=PALETTE["black"], linestyle=":", linewidth=1)
    for axes in (left, right):
        axes.grid(axis="y", visible=False)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=3)
    headline(
        figure,
        f"By the error of n items {decided[0]} of {len(table)} benchmarks are clearly above or "
        f"below {threshold:g};\nby the error that the index itself assumes {decided[1]} are",
    )
    return figure


def hypotheses(
    data: pd.DataFrame, groups: dict[str, pd.Series], rates: pd.DataFrame, threshold: float
) -> Figure:
    """Saturation rate of each group beside the index over age, by hypothesis (Figure 2).

    Parameters
    ----------
    data
        One row a benchmark: ``benchmark_id, s_index`` and age at observation.
    groups
        Group of each benchmark (by ``benchmark_id``) for each hypothesis.
    rates
        ``hypothesis, group, n, rate, rate_lower, rate_upper``.
    threshold
        Index from which a benchmark counts as saturated.
    """
    columns = {
        panel: [name for name, row in HYPOTHESES.items() if row.panel == panel] for panel in PANELS
    }
    n_rows = max(map(len, columns.values()))
    figure = plt.figure(
        figsize=(12, 8.4 * n_rows / 3), layout=ConstrainedLayoutEngine(rect=(0, 0, 1, 0.96))
    )
    grid = figure.subplots(n_rows, 2 * len(PANELS), width_ratios=[1, 1.1] * len(PANELS))
    for side, (panel, heading) in enumerate(PANELS.items()):
        for row in range(n_rows):
            bars, scatter = grid[row, 2 * side], grid[row, 2 * side + 1]
            if row >= len(columns[panel]):
                bars.set_axis_off()
                scatter.set_axis_off()
                continue
            name = columns[panel][row]
            shown = rates[rates["hypothesis"] == name]
            order = list(dict.fromkeys(shown["group"]))
            colours = dict(zip(order, (PALETTE[colour] for colour in GROUP_COLOURS)))
            _rate_bars(bars, shown, colours)
            _age_scatter(scatter, data, groups[name], colours, threshold)
            bars.set_title(HYPOTHESES[name].title)
        title = grid[0, 2 * side].annotate(heading, (0, 1.2), xycoords="axes fraction", fontsize=11)
        title.set_in_layout(False)
    marks = [
        Line2D([], [], marker="x", linestyle="", color="black", label=f"S ≥ {threshold:g}"),
        Line2D(
            [], [], marker="o", linestyle="", color="black", mfc="none", label=f"S < {threshold:g}"
        ),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2, title="scatter marks")
    return figure


def _rate_bars(axes: Axes, rates: pd.DataFrame, colours: Mapping[str, str]) -> None:
    positions = np.arange(len(rates))
    error = [rates["rate"] - rates["rate_lower"], rates["rate_upper"] - rates["rate"]]
    axes.bar(
        positions,
        100 * rates["rate"],
        yerr=100 * np.array(error).clip(0),
        color=rates["group"].map(colours),
        width=0.65,
        error_kw={"linewidth": 1, "ecolor": PALETTE["black"]},
    )
    labels = [f"{group.replace('_', ' ')}\nn = {n}" for group, n in zip(rates["group"], rates["n"])]
    axes.set_xticks(positions, labels, fontsize=7)
    axes.set_ylim(0, 100)
    axes.set_ylabel("saturated, % (95 % Wilson)")
    axes.grid(axis="x", visible=False)


def _age_scatter(
    axes: Axes, data: pd.DataFrame, groups: pd.Series, colours: Mapping[str, str], threshold: float
) -> None:
    labelled = data.assign(group=data["benchmark_id"].map(groups)).dropna(subset=["group"])
    for group, members in labelled.groupby("group", sort=False):
        colour = colours.get(str(group), PALETTE["grey"])
        saturated = members["s_index"] >= threshold
        high, low = members[saturated], members[~saturated]
        axes.scatter(high[AGE], high["s_index"], marker="x", color=colour, s=22)
        axes.scatter(
            low[AGE], low["s_index"], marker="o", facecolors="none", edgecolors=colour, s=22
        )
    axes.set_ylim(-0.04, 1.04)
    axes.set_xlabel("age, months")
    axes.set_ylabel("S")


def age_bins(data: pd.DataFrame, bins: pd.DataFrame, trend: pd.Series) -> Figure:
    """Mean index by recorded age, SD bars, with every benchmark behind it (Figure 3).

    Parameters
    ----------
    data
        One row a benchmark, with ``s_index`` and the recorded age.
    bins
        Table of :func:`saturation.plateau.trends.bins`.
    trend
        Row of :func:`saturation.plateau.trends.trends`: age against the index.
    """
    shown = bins[bins["binned_by"] == RECORDED_AGE]
    figure, axes = plt.subplots(figsize=(5.6, 3.9))
    _binned_means(axes, data["s_index"], age_bin(data[RECORDED_AGE]), shown)
    axes.set_xlabel("recorded age, months since release")
    axes.set_title(f"Saturation and age: {_strength(trend)}", pad=18)
    return figure


def citation_bins(
    data: pd.DataFrame, bins: pd.DataFrame, labels: pd.Series, trend: pd.Series
) -> Figure:
    """Mean index by citation count, SD bars, with every benchmark behind it (Figure 4).

    Parameters
    ----------
    data
        One row a benchmark, with ``s_index``.
    bins
        Table of :func:`saturation.plateau.trends.bins`.
    labels
        Citation bin of each row of `data`.
    trend
        Row of :func:`saturation.plateau.trends.trends`: citations against the index.
    """
    shown = bins[bins["binned_by"] == "citations"]
    figure, axes = plt.subplots(figsize=(5.6, 3.9))
    _binned_means(axes, data["s_index"], labels, shown)
    missing = int(labels.isna().sum())
    axes.set_xlabel(f"citations of the benchmark's paper ({missing} without a count not shown)")
    axes.set_title(f"Saturation and citations: {_strength(trend)}", pad=18)
    return figure


def _strength(trend: pd.Series) -> str:
    """The correlation in words a title can carry."""
    if np.isnan(trend["estimate"]):
        return "the correlation is not defined"
    strength = abs(trend["estimate"])
    word = "weak" if strength < WEAK else "modest" if strength < MODEST else "strong"
    return f"{word} (Spearman {trend['estimate']:.2f}, p = {trend['p_value']:.2f})"


def _binned_means(axes: Axes, s_index: pd.Series, labels: pd.Series, bins: pd.DataFrame) -> None:
    positions = np.arange(len(bins))
    for place, label in enumerate(bins["bin"]):
        values = s_index[labels == label].to_numpy()
        spread = np.linspace(-0.16, 0.16, len(values)) if len(values) > 1 else np.zeros(1)
        axes.scatter(place + spread, np.sort(values), s=12, color=PALETTE["sky"], alpha=0.8)
    axes.errorbar(
        positions,
        bins["mean_s"],
        yerr=bins["sd_s"],
        fmt="o",
        markersize=8,
        color=PALETTE["vermilion"],
        capsize=4,
        zorder=4,
        label="mean ± SD",
    )
    axes.scatter([], [], s=12, color=PALETTE["sky"], label="one benchmark")
    text = [
        f"{label}\nn = {n}\n{100 * rate:.0f} % saturated"
        for label, n, rate in zip(bins["bin"], bins["n"], bins["rate"])
    ]
    axes.set_xticks(positions, text)
    axes.set_xlim(-0.5, max(len(bins), 1) - 0.5)
    axes.set_ylim(-0.04, 1.12)
    axes.set_ylabel(S_LABEL)
    axes.grid(axis="x", visible=False)
    axes.legend(loc="lower right", ncols=2, bbox_to_anchor=(1, 0.98))


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
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.5))
    low, high = grid["n_saturated"].min(), grid["n_saturated"].max()
    measures = (
        ("spearman", 1, "Spearman correlation", f"Ranks: {grid['spearman'].min():.2f} to 1"),
        ("same_bin", 100, "benchmarks in the same bin, %",
         f"Bins: down to {100 * grid['same_bin'].min():.0f} % unchanged"),
        ("n_saturated", 1, f"benchmarks saturated, of {n}", f"Saturated: {low} to {high}"),
    )  # fmt: skip
    shades = _shades(grid["k"].nunique())
    for panel, (column, factor, label, title) in zip(axes, measures):
        for colour, (value, line) in zip(shades, grid.groupby("k", sort=True), strict=True):
            panel.plot(line["alpha"], factor * line[column], color=colour, label=f"k = {value}")
        panel.axvline(alpha, color=PALETTE["grey"], linestyle=":", linewidth=1)
        panel.set_xlabel("α (effective test-set size $n^α$)")
        panel.set_ylabel(label)
        panel.set_title(title)
    axes[0].set_ylim(0, 1.02)
    axes[1].set_ylim(0, 102)
    axes[2].set_ylim(0, n)
    default = grid[(grid["k"] == k) & np.isclose(grid["alpha"], alpha)]
    axes[2].scatter(default["alpha"], default["n_saturated"], color=PALETTE["black"], zorder=4)
    for n_saturated in default["n_saturated"]:
        axes[2].annotate(
            f"default: {n_saturated}",
            (alpha, n_saturated),
            xytext=(8, 6),
            textcoords="offset points",
            fontsize=8,
        )
    axes[0].legend(loc="lower right")
    note(axes[0], f"Compared with k = {k}, α = {alpha:g}; n = {n} benchmarks.")
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
    axes.set_title("Does S fall with test-set size more than its formula makes it?")
    figure.legend(loc="outside lower center", ncols=3)
    return figure
