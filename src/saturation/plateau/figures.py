"""Figures of the plateau study: Figure 1 of the paper, sensitivity and intervals.

Each function takes tables and returns a figure; call it inside `saturation.pages.style.style`.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from saturation.index import BINS, annotated
from saturation.pages.style import BIN_COLOURS, PALETTE, WIDTH, footnote, headline, key
from saturation.plateau import controls, groupings
from saturation.plateau import equal_top as tops
from saturation.plateau.controls import CONCLUSIONS
from saturation.plateau.hypotheses import (
    AGE,
    AGE_EDGES,
    CITATION_EDGES,
    RECORDED_AGE,
    age_bin,
    citation_bin,
)
from saturation.plateau.names import HYPOTHESES
from saturation.statistics.intervals import LEVEL

# Where the panels of effects end: longer intervals go on.
REACH = 0.75


def effects(table: pd.DataFrame) -> Figure:
    """Every effect on the index, with the sizes dealt out, and with n taken out."""
    verdicts = controls.without_n(table)
    keys = list(zip(verdicts["conclusion"], verdicts["adjusted"], strict=True))
    places = {key: len(keys) - place for place, key in enumerate(keys)}
    sizes = [name for name in table["control"].unique() if name.startswith("same_n_")]
    common = " / ".join(name.removeprefix("same_n_") for name in sizes)
    panels = {
        "S": [controls.INDEX],
        "n dealt out\nat random": [controls.SHUFFLED],
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
        f"{verdicts['shown'].sum()} of {len(keys)} effects on S have p ≤ {LEVEL:g}; "
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
        if control == controls.SHUFFLED:
            axes.hlines(heights, rows["lower"], rows["upper"], color=PALETTE["sky"], linewidth=5)
            axes.scatter(rows["effect"], heights, s=70, marker="|", color=PALETTE["blue"], zorder=3)
            continue
        clear = (rows["p_value"] <= LEVEL).to_numpy()
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
    """How many gaps are as small as those of equal models, and each gap over the expected one."""
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


S_LABEL = "saturation index S"
# Of a difference in S: of two groups, of more.
RAW_TESTS = ("permutation", "anova")
# Halves of Figure 2.
PANELS = {
    "left": "A. Groups of about the same age, by the paper",
    "right": "B. Groups of different age, by the paper",
}
# Colour and mark of each group: neither tells them apart alone.
GROUP_LOOKS = (("blue", "o"), ("orange", "s"), ("green", "^"), ("purple", "D"),
               ("vermilion", "v"), ("sky", "P"))  # fmt: skip


@dataclass(frozen=True)
class Panel:
    """What Figure 2 shows of one hypothesis.

    - ``groups``: group of each benchmark, by ``benchmark_id``.
    - ``rates``: ``group, n, rate, rate_lower, rate_upper``, a row a group.
    - ``title``: the hypothesis and what its test says.
    """

    groups: pd.Series
    rates: pd.DataFrame
    title: str


def panels(data: pd.DataFrame, study: Mapping[str, pd.DataFrame]) -> dict[str, Panel]:
    """What Figure 2 shows of each hypothesis that has a panel, in the reading shown."""
    compared = {(row.hypothesis, row.grouping): row.groups for row in groupings.comparisons(data)}
    groups, bins = study["groups"], study["bins"]
    made = {}
    for name, row in HYPOTHESES.items():
        if row.panel is None:
            continue
        if (name, row.shown) in compared:
            rates = groups[(groups["hypothesis"] == name) & (groups["grouping"] == row.shown)]
            labels, finding = compared[name, row.shown], _group_finding(name, study["tests"])
        else:
            rates = bins[bins["binned_by"] == RECORDED_AGE].rename(columns={"bin": "group"})
            labels = age_bin(data[RECORDED_AGE]).set_axis(data["benchmark_id"])
            trends = {(row["trend"], row["reading"]): row for _, row in study["trends"].iterrows()}
            finding = _trend_finding(trends["age", "spearman_recorded"])
        made[name] = Panel(labels, rates, f"{row.title}: {finding}")
    return made


def _group_finding(name: str, tests: pd.DataFrame) -> str:
    """Difference in mean S, raw and at equal age, in words that its tests carry."""
    shown = tests[(tests["hypothesis"] == name) & (tests["grouping"] == HYPOTHESES[name].shown)]
    effects: dict[str, float] = dict(zip(shown["test"], shown["effect"], strict=True))
    p_values: dict[str, float] = dict(zip(shown["test"], shown["p_value"], strict=True))
    raw, aged = next((test for test in RAW_TESTS if test in p_values), None), "age_adjusted"
    if raw is None or aged not in p_values:
        return "nothing to compare"
    found = "a difference" if p_values[raw] <= LEVEL else "no difference shown"
    parts = (
        f"{where} {_p(p_values[test])}"
        if np.isnan(effects[test])
        else f"{where} {effects[test]:+.2f}, {_p(p_values[test])}"
        for where, test in (("in S", raw), ("at equal age", aged))
    )
    return f"{found} ({'; '.join(parts)})".replace("-", "−")


def _trend_finding(trend: pd.Series) -> str:
    found = "S changes" if trend["p_value"] <= LEVEL else "no trend shown"
    return f"{found} (Spearman {trend['estimate']:+.2f}, {_p(trend['p_value'])})"


def _p(value: float) -> str:
    if np.isnan(value):
        return "p not defined"
    return "p < 0.001" if value < 0.001 else f"p = {value:.{3 if value < 0.01 else 2}f}"


def hypotheses(data: pd.DataFrame, shown: Mapping[str, Panel], threshold: float) -> Figure:
    """Share saturated of each group beside S over age, a row a hypothesis (Figure 2)."""
    sides = {panel: [name for name in shown if HYPOTHESES[name].panel == panel] for panel in PANELS}
    halves = {panel: names for panel, names in sides.items() if names}
    heights = [len(names) for names in halves.values()]
    figure = plt.figure(figsize=(7, 1.4 * sum(heights) + 1.2))
    parts = figure.subfigures(len(halves), 1, height_ratios=heights)
    for part, (panel, names) in zip(np.atleast_1d(parts), halves.items(), strict=True):
        part.suptitle(PANELS[panel], x=0.01, ha="left", fontsize=9, color="#555555")
        grid = part.subplots(len(names), 2, width_ratios=[1, 1.3], squeeze=False)
        for (rates, scatter), name in zip(grid, names, strict=True):
            looks = dict(zip(dict.fromkeys(shown[name].rates["group"]), GROUP_LOOKS))
            _rates(rates, shown[name].rates, looks)
            _age_scatter(scatter, data, shown[name].groups, looks, threshold)
            _row_title(part, rates, shown[name].title)
        for axes in grid[:-1].ravel():
            axes.tick_params(labelbottom=False)
        grid[-1, 0].set_xlabel("saturated, % (95 % interval)", fontsize=8)
        grid[-1, 1].set_xlabel("age, months", fontsize=8)
    _fill_legend(figure, threshold)
    return figure


def _row_title(part: SubFigure, axes: Axes, text: str) -> None:
    """Title over a row of panels: it takes height, and no width from the first of them."""
    axes.set_title(" ", fontsize=8.5)
    title = axes.annotate(
        text, (0.01, 1), xytext=(0, 5), xycoords=(part.transSubfigure, axes.transAxes),
        textcoords="offset points", fontsize=8.5, weight="bold",
    )  # fmt: skip
    title.set_in_layout(False)


def _fill_legend(figure: Figure, threshold: float) -> None:
    kinds = {f"one benchmark, S ≥ {threshold:g}": "black", f"S < {threshold:g}": "none"}
    marks = [
        Line2D([], [], marker="o", linestyle="", color="black", mfc=fill, label=label)
        for label, fill in kinds.items()
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2)


def _rates(axes: Axes, rates: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    places = np.arange(len(rates))[::-1]
    for place, row in zip(places, rates.to_dict("records"), strict=True):
        colour, mark = looks[row["group"]]
        ends = 100 * row["rate_lower"], 100 * row["rate_upper"]
        axes.hlines(place, *ends, color=PALETTE[colour], linewidth=2)
        axes.plot(100 * row["rate"], place, marker=mark, color=PALETTE[colour], markersize=7)
    labels = [f"{group.replace('_', ' ')}, n = {n}" for group, n in zip(rates["group"], rates["n"])]
    axes.set_yticks(places, labels, fontsize=7.5)
    axes.set_ylim(-0.6, len(rates) - 0.4)
    axes.set_xlim(0, 100)
    axes.grid(axis="y", visible=False)


def _age_scatter(
    axes: Axes,
    data: pd.DataFrame,
    groups: pd.Series,
    looks: Mapping[str, tuple[str, str]],
    threshold: float,
) -> None:
    labelled = data.assign(group=data["benchmark_id"].map(groups)).dropna(subset=["group"])
    for group, members in labelled.groupby("group", sort=False):
        colour, mark = looks[str(group)]
        fill = np.where(members["s_index"] >= threshold, PALETTE[colour], "none")
        axes.scatter(
            members[AGE], members["s_index"],
            marker=mark, s=20, facecolors=fill, edgecolors=PALETTE[colour], linewidths=1,
        )  # fmt: skip
    axes.set_ylim(-0.06, 1.06)
    axes.set_yticks([0, 0.5, 1])
    axes.set_ylabel("S", fontsize=8)


def age_bins(data: pd.DataFrame, bins: pd.DataFrame, trend: pd.Series) -> Figure:
    """S of every benchmark over its recorded age, and the mean of each bin (Figure 3)."""
    figure, axes = plt.subplots(figsize=(5.6, 3.9))
    shown = bins[bins["binned_by"] == RECORDED_AGE]
    months = data[RECORDED_AGE]
    _binned_means(
        axes, months, data["s_index"], age_bin(months), shown, AGE_EDGES,
        lambda low, high: (low + high) / 2,
    )  # fmt: skip
    axes.set_xlabel("recorded age, months since release (above: benchmarks, share saturated)")
    axes.set_title(_trend_title("age", trend), pad=18)
    return figure


def citation_bins(data: pd.DataFrame, bins: pd.DataFrame, trend: pd.Series) -> Figure:
    """S of every benchmark over its citations, and the mean of each bin (Figure 4)."""
    figure, axes = plt.subplots(figsize=(5.6, 3.9))
    shown = bins[bins["binned_by"] == "citations"]
    citations = data["citations"].astype(float)
    # Benchmarks that nobody has cited yet stand at one citation of a logarithmic axis.
    _binned_means(
        axes, citations.clip(lower=1), data["s_index"], citation_bin(citations), shown,
        CITATION_EDGES, lambda low, high: float(np.sqrt(low * high)),
    )  # fmt: skip
    axes.set_xscale("log")
    missing = int(citations.isna().sum())
    axes.set_xlabel(
        f"citations of the benchmark's paper, {missing} without a count not shown"
        "\n(above: benchmarks, share saturated)"
    )
    axes.set_title(_trend_title("citations", trend), pad=18)
    return figure


def _trend_title(of: str, trend: pd.Series) -> str:
    """The correlation in words a title can carry."""
    if np.isnan(trend["estimate"]):
        return f"S and {of}: the correlation is not defined"
    word = "rises" if trend["estimate"] > 0 else "falls"
    found = f"S {word} with {of}"
    if trend["p_value"] > LEVEL:
        found = f"That S {word} with {of} is not shown"
    return f"{found} (Spearman {trend['estimate']:.2f}, {_p(trend['p_value'])})"


def _binned_means(
    axes: Axes,
    values: pd.Series,
    s_index: pd.Series,
    labels: pd.Series,
    bins: pd.DataFrame,
    edges: Sequence[float],
    half_way: Callable[[float, float], float],
) -> None:
    axes.scatter(values, s_index, s=14, color=PALETTE["sky"], label="one benchmark")
    colour = PALETTE["vermilion"]
    axes.plot([], [], color=colour, linewidth=2.5, label="mean of the bin")
    axes.plot([], [], color=colour, linewidth=1.2, label="its 95 % interval")
    for row in bins.to_dict("records"):
        inside = values[labels == row["bin"]]
        middle = half_way(inside.min(), inside.max())
        axes.hlines(row["mean_s"], inside.min(), inside.max(), color=colour, linewidth=2.5)
        axes.vlines(middle, row["mean_s_lower"], row["mean_s_upper"], color=colour, linewidth=1.2)
        text = f"n = {row['n']}\n{100 * row['rate']:.0f} %"
        axes.annotate(text, (middle, 1.05), fontsize=7.5, ha="center", annotation_clip=False)
    for edge in edges:
        axes.axvline(edge, color=PALETTE["grey"], linestyle=":", linewidth=1)
    axes.set_ylim(-0.04, 1.2)
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.set_ylabel(S_LABEL)
    axes.grid(axis="x", visible=False)
    axes.legend(loc="lower right", ncols=3, bbox_to_anchor=(1, 0.99))


LEAST_HEIGHT = 2.8  # inches; room for the legend beside few benchmarks
MOST_NAMED = 150  # benchmarks; of more no name could be read on a page
UNNAMED_HEIGHT = 8.0  # inches
MOST_MARKS = 500  # of one kind that stay lines and dots in a vector file
BIN_NAMES = {name: name.replace("_", " ") for name in BINS}


def figures(
    study: Mapping[str, pd.DataFrame], k: int, alpha: float, threshold: float
) -> dict[str, Figure]:
    """All figures by name."""
    benchmarks, index = study["benchmarks"], study["index"]
    names = benchmarks.set_index("benchmark_id")["name"]
    data = annotated(benchmarks, index)
    trend = {(row["trend"], row["reading"]): row for _, row in study["trends"].iterrows()}
    age, cited = trend["age", "spearman_recorded"], trend["citations", "raw"]
    drawn = {
        "figure1_overview": overview(index, study["intervals"], names, threshold),
        "figure2_hypotheses": hypotheses(data, panels(data, study), threshold),
        "figure3_age": age_bins(data, study["bins"], age),
        "figure4_citations": citation_bins(data, study["bins"], cited),
        "sensitivity": sensitivity(study["grid"], k, alpha, len(data)),
        "intervals": intervals(study["intervals"], names, threshold),
        "permuted_n": permuted_n(study["permuted_n"], len(data)),
        "equal_top": equal_top(study["equal_top"], threshold),
        "controls": effects(study["controls"]),
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
    """All benchmarks ranked by index, in their bins, with the error of n items (Figure 1)."""
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
        figure, f"Dots: S, by bin; lines: 95 % by the error of n items; dotted: S = {threshold:g}"
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
    """Index with its 95 % intervals by two errors, ranked by index."""
    table = table.sort_values(["s_index", "benchmark_id"]).reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(WIDTH, _height(len(table), 1.9)))
    above, below = table["s_lower"] >= threshold, table["s_upper"] < threshold
    assumed = (table["s_lower_index_noise"] < threshold) & (
        table["s_upper_index_noise"] >= threshold
    )
    axes.hlines(
        table.index, table["s_lower_index_noise"], table["s_upper_index_noise"],
        color=PALETTE["grey"], linewidth=0.8, label="95 % by the error that S assumes",
    )  # fmt: skip
    for chosen, colour, fill, said in (
        (above, "vermilion", PALETTE["vermilion"], "above"),
        (below, "blue", PALETTE["blue"], "below"),
        (~(above | below), "black", "white", "open"),
    ):
        some = table[chosen]
        axes.hlines(some.index, some["s_lower"], some["s_upper"], color=PALETTE[colour],
                    linewidth=3)  # fmt: skip
        axes.plot(some["s_index"], some.index, "o", color=PALETTE[colour], mfc=fill, markersize=3.5,
                  label=f"{said}: {len(some)}")  # fmt: skip
    _rows(axes, table, names)
    axes.set_xlabel(f"{S_LABEL} and its 95 % interval")
    axes.axvline(threshold, color=PALETTE["black"], linestyle=":", linewidth=1)
    headline(
        figure,
        f"Whether S ≥ {threshold:g} is open for {(~(above | below)).sum()} of {len(table)} "
        f"benchmarks by the error of n items, for {assumed.sum()} by the error that S "
        "itself assumes",
    )
    key(
        figure,
        axes,
        f"Thick: 95 % by the error of n items, which lies above {threshold:g}, below it (filled "
        "dots) or on both sides (open: hollow dots)",
    )
    return figure


def sensitivity(grid: pd.DataFrame, k: int, alpha: float, n: int) -> Figure:
    """Rank correlation, same-bin share and number saturated over k and alpha."""
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
    """Correlation with test-set size beside its null under random reassignment of n."""
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
