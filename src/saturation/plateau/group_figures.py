"""Figures 2 to 4 of the paper: saturation by group, by age and by citations.

Each function takes tables and returns a figure; call it inside `saturation.drawing.style.style`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from saturation.drawing.style import PALETTE
from saturation.plateau import groupings
from saturation.plateau.names import HYPOTHESES
from saturation.plateau.trends import (
    AGE,
    AGE_EDGES,
    CITATION_EDGES,
    RECORDED_AGE,
    age_bin,
    citation_bin,
)

S_LABEL = "saturation index S"
SHOWN_FROM = 0.05  # p above it: a difference is not shown
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

    Parameters
    ----------
    groups
        Group of each benchmark, by ``benchmark_id``.
    rates
        ``group, n, rate, rate_lower, rate_upper``, a row a group.
    title
        The hypothesis and what its test says.
    """

    groups: pd.Series
    rates: pd.DataFrame
    title: str


def panels(data: pd.DataFrame, study: Mapping[str, pd.DataFrame]) -> dict[str, Panel]:
    """What Figure 2 shows of each hypothesis that has a panel, in the reading shown.

    Parameters
    ----------
    data
        One row a benchmark, with the annotations and the recorded age.
    study
        The study's tables ``groups, bins, tests, trends``. A hypothesis without readings is shown
        by age bins, and its test is that of the trend.
    """
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
    found = "a difference" if p_values[raw] <= SHOWN_FROM else "no difference shown"
    parts = (
        f"{where} {_p(p_values[test])}"
        if np.isnan(effects[test])
        else f"{where} {effects[test]:+.2f}, {_p(p_values[test])}"
        for where, test in (("in S", raw), ("at equal age", aged))
    )
    return f"{found} ({'; '.join(parts)})".replace("-", "−")


def _trend_finding(trend: pd.Series) -> str:
    found = "S changes" if trend["p_value"] <= SHOWN_FROM else "no trend shown"
    return f"{found} (Spearman {trend['estimate']:+.2f}, {_p(trend['p_value'])})"


def _p(value: float) -> str:
    if np.isnan(value):
        return "p not defined"
    return "p < 0.001" if value < 0.001 else f"p = {value:.{3 if value < 0.01 else 2}f}"


def hypotheses(data: pd.DataFrame, shown: Mapping[str, Panel], threshold: float) -> Figure:
    """Share saturated of each group beside S over age, a row a hypothesis (Figure 2).

    Parameters
    ----------
    data
        One row a benchmark: ``benchmark_id, s_index`` and age at observation.
    shown
        What :func:`panels` returns.
    threshold
        Index from which a benchmark counts as saturated.
    """
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
    """S of every benchmark over its recorded age, and the mean of each bin (Figure 3).

    Parameters
    ----------
    data
        One row a benchmark, with ``s_index`` and the recorded age.
    bins
        Table of :func:`saturation.plateau.trends.bins`.
    trend
        Row of :func:`saturation.plateau.trends.trends`: age against the index.
    """
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
    """S of every benchmark over its citations, and the mean of each bin (Figure 4).

    Parameters
    ----------
    data
        One row a benchmark, with ``s_index, citations``.
    bins
        Table of :func:`saturation.plateau.trends.bins`.
    trend
        Row of :func:`saturation.plateau.trends.trends`: citations against the index.
    """
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
    if trend["p_value"] > SHOWN_FROM:
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
