"""Figures of the plateau study: Figure 1 of the paper, sensitivity and intervals.

Each function takes tables and returns a figure; call it inside `studies.style.style`.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from saturation.files.tables import NamedTables
from saturation.index import annotated
from saturation.statistics.intervals import ALPHA
from studies.plateau import controls, groupings
from studies.plateau.controls import CONCLUSIONS
from studies.plateau.hypotheses import CITATION_EDGES, RECORDED_AGE, age_bin, citation_bin
from studies.plateau.names import HYPOTHESES
from studies.style import (
    BIN_COLOURS,
    BLACK,
    BLUE,
    COLUMN,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    caption,
)

S_LABEL = "saturation index S"
# Of a difference in S: of two groups, of more.
RAW_TESTS = ("permutation", "anova")
GROUP_COLOURS = (BLUE, ORANGE, GREEN, PURPLE)


@dataclass(frozen=True)
class Panel:
    """Panel of Figure 2: a hypothesis.

    - ``rates``: ``group, n, rate, rate_lower, rate_upper``, a row a group.
    - ``groups``: group of each benchmark (index ``benchmark_id``).
    - ``title``: the hypothesis and whether its test rejects.
    - ``numbers``: effects and p-values, the last with one n for all benchmarks.
    - ``significant``: whether the raw p-value is at most 0.05.
    - ``without_n``: whether the effect is shown without n; None where this is not tested.
    """

    rates: pd.DataFrame
    groups: "pd.Series[str]"
    title: str
    numbers: str
    significant: bool
    without_n: bool | None


def panels(study: NamedTables, data: pd.DataFrame) -> list[Panel]:
    """Return the panels of Figure 2, H1 to H6, each in the reading shown."""
    compared = {(row.hypothesis, row.grouping): row for row in groupings.comparisons(data)}
    aged = study["trends"].query("trend == 'age' and reading == 'spearman_recorded'").iloc[0]
    panel_list = []
    for name, row in HYPOTHESES.items():
        if not row.numbered:
            continue
        rates = study["groups"].query("hypothesis == @name and grouping == @row.shown")
        comparison = compared.get((name, row.shown))
        if comparison is None:
            ages = age_bin(data.set_index("benchmark_id")[RECORDED_AGE])
            rates = (
                study["bins"].query("binned_by == @RECORDED_AGE").rename(columns={"bin": "group"})
            )
            panel_list.append(_describe_trend(rates, ages, aged, study["controls"]))
        elif len(rates):
            panel_list.append(_describe_groups(name, rates, comparison.groups, study))
    return panel_list


def _describe_trend(
    rates: pd.DataFrame, ages: "pd.Series[str]", trend: pd.Series, control: pd.DataFrame
) -> Panel:
    """Describe H5: the rank correlation of S with age."""
    significant = trend["p_value"] <= ALPHA
    finding = "S changes" if significant else "no trend shown"
    one_n, survives = _describe_without_n(control, "age")
    numbers = f"Spearman {trend['estimate']:+.2f} ({_p(trend['p_value'])}){one_n}"
    return Panel(
        rates, ages, f"{HYPOTHESES['h5'].title}: {finding}", _minus(numbers), significant, survives
    )


def _describe_groups(
    name: str, rates: pd.DataFrame, groups: "pd.Series[str]", study: NamedTables
) -> Panel:
    """Describe a hypothesis on groups: the difference in mean S, raw and at equal age."""
    shown, title = HYPOTHESES[name].shown, HYPOTHESES[name].title
    tests = study["tests"].query("hypothesis == @name and grouping == @shown").set_index("test")
    raw = next((test for test in RAW_TESTS if test in tests.index), None)
    if raw is None or "age_adjusted" not in tests.index:
        return Panel(rates, groups, f"{title}: nothing to compare", "", False, None)
    effects, p_values = tests["effect"].to_dict(), tests["p_value"].to_dict()
    significant = p_values[raw] <= ALPHA
    finding = "a difference" if significant else "no difference shown"
    parts = (
        f"{where} ({_p(p_values[test])})"
        if np.isnan(effects[test])
        else f"{where} {effects[test]:+.2f} ({_p(p_values[test])})"
        for where, test in (("difference", raw), ("at equal age", "age_adjusted"))
    )
    one_n, survives = "", None
    if name in CONCLUSIONS and CONCLUSIONS[name].grouping == shown:
        one_n, survives = _describe_without_n(study["controls"], name)
    numbers = _minus("; ".join(parts) + one_n)
    return Panel(rates, groups, f"{title}: {finding}", numbers, significant, survives)


def _describe_without_n(table: pd.DataFrame, conclusion: str) -> tuple[str, bool | None]:
    """Describe an effect with one n for all benchmarks, and whether it is shown without n."""
    table = table[(table["conclusion"] == conclusion) & (table["adjusted"] == "none")]
    rows = table[table["control"].str.startswith("same_n_")].dropna(subset=["effect", "p_value"])
    if rows.empty:
        return "", None
    effects = _range(f"{value:+.2f}" for value in sorted(rows["effect"]))
    p_values = _range(map(_p, sorted(rows["p_value"]))).replace("to p = ", "to ")
    survives = bool(controls.judge_without_n(table)["kept"].iloc[0])
    return f"; with one n {effects} ({p_values})", survives


def _range(values: Iterable[str]) -> str:
    """Join the first and the last of sorted values, once where they are equal."""
    first, *_, last = (*(ordered := list(values)), ordered[-1])
    return first if first == last else f"{first} to {last}"


def _minus(text: str) -> str:
    """Write minus signs in place of hyphens."""
    return text.replace("-", "−")


def _p(value: float) -> str:
    if np.isnan(value):
        return "p not defined"
    return "p < 0.001" if value < 0.001 else f"p = {value:.{3 if value < 0.01 else 2}f}"


def hypotheses(shown: Sequence[Panel], data: pd.DataFrame, threshold: float) -> Figure:
    """Share saturated of each group, and S by age, a row a hypothesis (Figure 2)."""
    heights = [len(panel.rates) + 2 for panel in shown]
    figure, grid = plt.subplots(
        len(shown),
        2,
        figsize=(COLUMN, 0.24 * sum(heights) + 1.3),
        height_ratios=heights,
        width_ratios=(1.25, 1),
        sharex="col",
        squeeze=False,
    )
    for panel, (bars, points) in zip(shown, grid, strict=True):
        colours = dict(zip(panel.rates["group"], GROUP_COLOURS))
        _draw_rates(bars, panel.rates, colours)
        _scatter_ages(points, panel.groups, data, colours, threshold)
        # From the edge of the figure: the title takes no width from its panel.
        for text, height, weight in ((panel.title, 12, "bold"), (panel.numbers, 3, "normal")):
            title = bars.annotate(
                text,
                (0.01, 1),
                xytext=(0, height),
                xycoords=(figure.transFigure, bars.transAxes),
                textcoords="offset points",
                fontsize=7.5 if weight == "bold" else 7,
                weight=weight,
            )
            title.set_in_layout(False)
        bars.set_title(" \n ", fontsize=8.5)
    grid[-1, 0].set_xlabel("benchmarks saturated, %")
    grid[-1, 1].set_xlabel("age (months)")
    caption(
        figure,
        _summarise_panels(shown),
        "Bars: share saturated, 95 % interval and number of benchmarks; right: S by age in the "
        f"colours of the groups, × saturated (S ≥ {threshold:g}), ○ not",
    )
    return figure


def _summarise_panels(shown: Sequence[Panel]) -> str:
    """Count the hypotheses with a difference, and those of them shown without n too."""
    significant = [panel for panel in shown if panel.significant]
    verb = "shows" if len(significant) == 1 else "show"
    text = f"{len(significant)} of {len(shown)} hypotheses {verb} a difference (p ≤ {ALPHA:g})"
    if not any(panel.without_n is False for panel in significant):
        return text
    survivors = sum(panel.without_n is not False for panel in significant)
    return f"{text}, {survivors or 'none'} without test-set size"


def _draw_rates(axes: Axes, rates: pd.DataFrame, colours: Mapping[str, str]) -> None:
    places = np.arange(len(rates))[::-1]
    faces = [colours[group] for group in rates["group"]]
    axes.barh(places, 100 * rates["rate"], height=0.7, color=faces, alpha=0.55)
    ends = 100 * rates["rate_lower"], 100 * rates["rate_upper"]
    axes.hlines(places, *ends, color=BLACK, linewidth=1)
    labels = [f"{group.replace('_', ' ')} ({n})" for group, n in zip(rates["group"], rates["n"])]
    axes.set_yticks(places, labels, fontsize=7.5)
    axes.set_ylim(-0.6, len(rates) - 0.4)
    axes.set_xlim(0, 100)
    axes.grid(axis="y", visible=False)


def _scatter_ages(
    axes: Axes,
    groups: "pd.Series[str]",
    data: pd.DataFrame,
    colours: Mapping[str, str],
    threshold: float,
) -> None:
    """Draw S over age; crosses are saturated."""
    members = data.assign(group=data["benchmark_id"].map(groups))
    for group, colour in colours.items():
        rows = members[members["group"] == group]
        saturated = rows["s_index"] >= threshold
        for part, marker in ((rows[saturated], "x"), (rows[~saturated], "o")):
            axes.plot(
                part[RECORDED_AGE],
                part["s_index"],
                marker,
                color=colour,
                markersize=3.6,
                markerfacecolor="none",
            )
    axes.set_ylim(-0.08, 1.08)
    axes.set_yticks([0, 1], ["0", "1"], fontsize=7)
    axes.set_yticks([threshold], minor=True)
    axes.tick_params(labelsize=7.5)


def citation_bins(data: pd.DataFrame, bins: pd.DataFrame, trend: pd.Series) -> Figure:
    """S of every benchmark over its citations, and the mean of each bin (Figure 4)."""
    figure, axes = plt.subplots(figsize=(COLUMN, 3.9))
    citations = data["citations"].astype(float)
    labels = citation_bin(citations)
    # Benchmarks that nobody has cited yet stand at one citation of a logarithmic axis.
    values = citations.clip(lower=1)
    axes.scatter(values, data["s_index"], s=14, color=SKY, label="one benchmark")
    colour = VERMILION
    axes.plot([], [], color=colour, linewidth=2.5, label="mean of the bin")
    axes.plot([], [], color=colour, linewidth=1.2, label="its 95 % interval")
    for row in bins[bins["binned_by"] == "citations"].to_dict("records"):
        inside = values[labels == row["bin"]]
        middle = np.sqrt(inside.min() * inside.max())
        axes.hlines(row["mean_s"], inside.min(), inside.max(), color=colour, linewidth=2.5)
        axes.vlines(middle, row["mean_s_lower"], row["mean_s_upper"], color=colour, linewidth=1.2)
        text = f"n = {row['n']}\n{100 * row['rate']:.0f} %"
        axes.annotate(text, (middle, 1.05), fontsize=7.5, ha="center", annotation_clip=False)
    axes.set_ylim(-0.04, 1.2)
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.set_ylabel(S_LABEL)
    axes.grid(axis="x", visible=False)
    axes.legend(loc="lower right", ncols=3, bbox_to_anchor=(1, 0.99))
    for edge in CITATION_EDGES:
        axes.axvline(edge, color=GREY, linestyle=":", linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel(
        f"citations of the benchmark's paper, {citations.isna().sum()} without a count not shown"
        "\n(above: benchmarks, share saturated)"
    )
    axes.set_title(_describe_citations(trend), pad=18)
    return figure


def _describe_citations(trend: pd.Series) -> str:
    """Write the correlation in words that fit a title."""
    if np.isnan(trend["estimate"]):
        return "S and citations: the correlation is not defined"
    title = f"S {'rises' if trend['estimate'] > 0 else 'falls'} with citations"
    if trend["p_value"] > ALPHA:
        title = f"No evidence that {title}"
    return f"{title} (Spearman {trend['estimate']:.2f}, {_p(trend['p_value'])})"


LEAST_HEIGHT = 2.8  # inches; room for the legend beside few benchmarks
MOST_NAMED = 150  # benchmarks; of more no name could be read on a page
UNNAMED_HEIGHT = 8.0  # inches


def figures(study: NamedTables, k: int, alpha: float, threshold: float) -> dict[str, Figure]:
    """All figures by name."""
    benchmarks, index = study["benchmarks"], study["index"]
    names = benchmarks.set_index("benchmark_id")["name"]
    data = annotated(benchmarks, index)
    cited = study["trends"].query("trend == 'citations' and reading == 'raw'").iloc[0]
    return {
        "figure1_overview": overview(index, study["intervals"], names, threshold),
        "figure2_hypotheses": hypotheses(panels(study, data), data, threshold),
        "figure4_citations": citation_bins(data, study["bins"], cited),
        "sensitivity": sensitivity(study["grid"], k, alpha, len(data)),
    }


def overview(
    index: pd.DataFrame, intervals: pd.DataFrame, names: pd.Series, threshold: float
) -> Figure:
    """All benchmarks ranked by index, in their bins, with the error of n items (Figure 1)."""
    table = index.merge(intervals[["benchmark_id", "s_lower", "s_upper"]], how="left")
    table = table.sort_values(["s_index", "benchmark_id"], ignore_index=True)
    named = len(table) <= MOST_NAMED
    height = max(0.145 * len(table) + 1.4, LEAST_HEIGHT) if named else UNNAMED_HEIGHT
    figure, axes = plt.subplots(figsize=(COLUMN, height))
    colours = table["bin"].map(BIN_COLOURS)
    # Lines that lie on each other let the dots be seen.
    shade, size = (1.0, 24) if named else (0.3, 2)
    axes.hlines(
        table.index, table["s_lower"], table["s_upper"], color=colours, linewidth=1.2, alpha=shade
    )
    axes.scatter(table["s_index"], table.index, color=colours, s=size, zorder=3)
    if named:
        axes.set_yticks(table.index, names.loc[table["benchmark_id"]], fontsize=7)
    else:
        axes.set_ylabel(f"{len(table):,} benchmarks, by S")
    axes.set_ylim(-1, len(table))
    axes.grid(axis="y", visible=False)
    axes.set_xlim(-0.01, 1.02)
    axes.set_xlabel(f"{S_LABEL} (0: top models separated, 1: indistinguishable)")
    axes.axvline(threshold, color=BLACK, linestyle=":", linewidth=1)
    for name, rows in table.groupby("bin"):
        # Each bin is named beside its rows, and set off from the next.
        middle = (rows.index[0] + rows.index[-1]) / 2
        axes.text(
            1.02,
            middle,
            f"{str(name).replace('_', ' ')}: {len(rows)}",
            va="center",
            fontsize=8,
            transform=axes.get_yaxis_transform(),
        )
        if rows.index[0]:
            axes.axhline(rows.index[0] - 0.5, color=GREY, linewidth=0.6)
    saturated = (table["s_index"] >= threshold).sum()
    certain = (table["s_lower"] >= threshold).sum()
    caption(
        figure,
        f"S ≥ {threshold:g} for {saturated} of {len(table)} benchmarks; "
        f"for {certain} by the whole interval",
        f"Dots: S, by bin; lines: 95 % by the error of n items; dotted: S = {threshold:g}",
    )
    return figure


def sensitivity(grid: pd.DataFrame, k: int, alpha: float, n: int) -> Figure:
    """Draw the number of saturated benchmarks over k and alpha."""
    figure, axes = plt.subplots(figsize=(COLUMN, 3.2))
    colours = itertools.cycle((SKY, GREEN, ORANGE, VERMILION, PURPLE))
    looks = zip(colours, itertools.cycle("os^DvP"))
    for (value, line), (colour, mark) in zip(grid.groupby("k"), looks):
        axes.plot(
            line["alpha"],
            line["n_saturated"],
            color=colour,
            marker=mark,
            markevery=2,
            label=f"k = {value}",
            clip_on=False,
        )
    axes.axvline(alpha, color=GREY, linestyle=":", linewidth=1)
    axes.set_xlabel("α: a test of n items counts as n to the power α")
    axes.set_ylabel(f"benchmarks saturated, of {n}")
    axes.set_ylim(0, n)
    default = grid[(grid["k"] == k) & np.isclose(grid["alpha"], alpha)]
    for n_saturated in default["n_saturated"]:
        axes.annotate(
            f"the paper's: {n_saturated}",
            (alpha, n_saturated),
            xytext=(0.03, 0.06),
            textcoords="axes fraction",
            arrowprops={"arrowstyle": "-", "color": GREY, "shrinkB": 0},
        )
    low, high = grid["n_saturated"].min(), grid["n_saturated"].max()
    caption(
        figure,
        f"Between {low} and {high} of {n} benchmarks are saturated, depending on k and α",
        "k: models compared, the first with the k-th; dotted: the paper's α",
    )
    axes.legend(loc="upper right")
    return figure
