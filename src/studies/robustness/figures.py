"""The study's figures, of a user's predictions and of public answers: tables in, a figure out.

Colours and shapes tell datasets apart.
"""

from itertools import cycle
from math import isnan

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.arrays import Floats
from saturation.files.tables import NamedTables
from saturation.pages.templates import percent
from saturation.statistics import intervals
from studies.robustness.names import ACROSS, INPUTS
from studies.style import (
    BLACK,
    BLUE,
    COLUMN,
    CYCLE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILION,
    caption,
    headline,
    key,
)

COLOURS = [*CYCLE, BLACK]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "p", "<", ">", "h"]
# The paper's slope over 54 pairs.
PRINTED_SLOPE = 1.05
# What the paper calls a very small effect.
PRINTED_SHARE = 0.005
MEASURES = {
    "answers": "same answer",
    "verdicts": "same verdict",
    "always_right": "always right",
    INPUTS: "same answer,\ninput changed",
}
# Each data set with changed inputs: what its authors call it, its colour and mark.
LOOKS = {
    "cola": ("CoLA", BLUE, "o"),
    "csqa": ("CommonsenseQA", ORANGE, "s"),
    "mnli": ("MNLI", GREEN, "^"),
    "rte": ("RTE", VERMILION, "D"),
    "sst2": ("SST-2", PURPLE, "v"),
}


def draw_own(tables: NamedTables) -> dict[str, Figure]:
    """Figures of a user's predictions by name."""
    pairs = tables["consistency"]
    return {
        "regression": regression(pairs, tables["slopes"], tables["outliers"]),
        "consistency": consistency(pairs),
    }


def draw_public(tables: NamedTables) -> dict[str, Figure]:
    """Figures of public answers by name."""
    return {
        "variants": variants(tables["variants"], tables["trend_pairs"], tables["trends"]),
        "trends": trends(tables["trends"]),
        "prompts": prompts(tables["prompts"], tables["prompt_spreads"]),
    }


def regression(pairs: pd.DataFrame, slopes: pd.DataFrame, outliers: pd.DataFrame) -> Figure:
    """Consistency against performance, in the manner of the paper's Figure 1."""
    pairs = pairs.sort_values("performance", ascending=False)
    line = slopes[slopes["reading"] == "ols"].iloc[0]
    outlying = outliers[outliers["outlier"]]
    configurations = pairs["n_configurations"].max()
    looks = dict(zip(pairs["dataset"].unique(), cycle(zip(COLOURS, MARKERS))))
    figure, axes = plt.subplots(figsize=(COLUMN, 4.8))
    for dataset, (colour, marker) in looks.items():
        part = pairs[pairs["dataset"] == dataset]
        axes.plot(
            part["performance"],
            part["output_consistency"],
            marker,
            color=colour,
            markersize=6.5,
            markeredgecolor="white",
            markeredgewidth=0.5,
            label=dataset,
        )
    grid = np.linspace(0, 1, 401)
    least_squares = line["intercept"] + line["slope"] * grid
    axes.plot(grid, least_squares, color=BLACK, linewidth=1.2, label="least squares")
    axes.plot(
        grid,
        intervals.agreement(grid, configurations),
        "--",
        color=GREY,
        label="agreement by chance",
    )
    for pair in outlying.to_dict("records"):
        place = (pair["performance"], pair["output_consistency"])
        text = f"{pair['model']}, {pair['dataset']}"
        axes.annotate(
            text, place, xytext=(-7, -3), textcoords="offset points", fontsize=7, ha="right"
        )
    axes.set(
        xlim=(max(0.0, pairs["performance"].min() - 0.05), 1.01),
        ylim=(-0.02, 1.02),
        xlabel="performance (mean score, proportion)",
        ylabel="output consistency (share with one answer)",
    )
    remark = (
        f"n = {len(pairs)} pairs of {pairs['model'].nunique()} models and {len(looks)} datasets; "
        f"{configurations} configurations; outliers (Bonferroni) named: {len(outlying)}"
    )
    return _worded(figure, _slope_finding(line), remark, pairs, axes)


def _slope_finding(line: pd.Series) -> str:
    """Word the slope of least squares, or why there is no slope."""
    if isnan(line["slope"]):
        return f"slope {line['note']}"
    limits = "" if isnan(line["lower"]) else f" ({line['lower']:.2f} to {line['upper']:.2f})"
    return (
        f"consistency {'rises' if line['slope'] >= 0 else 'falls'} by {abs(line['slope']):.2f}"
        f"{limits} per unit of performance, R² = {line['r_squared']:.2f}"
    )


def consistency(pairs: pd.DataFrame) -> Figure:
    """Consistency of every model by dataset, in the manner of the paper's Figure 2."""
    order = pairs.groupby("dataset")["output_consistency"].mean().sort_values(ascending=False)
    most = pairs.groupby("dataset").size().max()
    figure, axes = plt.subplots(figsize=(COLUMN, 4.0))
    for position, dataset in enumerate(order.index):
        group = pairs[pairs["dataset"] == dataset].sort_values("performance", ascending=False)
        x = position + (np.arange(len(group)) - (len(group) - 1) / 2) * 0.8 / most
        _bars(axes, x, group, 0.7 / most, named=position == 0)
    axes.set_xticks(range(len(order)), order.index)
    axes.grid(axis="x", visible=False)
    above = (pairs["excess_lower"] > 0).sum()
    finding = f"answers agree more often than by chance in {above} of {len(pairs)} pairs"
    axes.set(ylim=(0, 1.02), ylabel="proportion of examples")
    remark = (
        f"n = {len(pairs)} pairs, {pairs['n_examples'].min():,} or more examples each; one bar "
        "a model, from the best to the worst; whiskers: Wilson intervals"
    )
    return _worded(figure, finding, remark, pairs, axes)


def variants(table: pd.DataFrame, pairs: pd.DataFrame, slopes: pd.DataFrame) -> Figure:
    """Consistency against performance: three data sets in paraphrases, five with changed inputs."""
    figure, grid = plt.subplots(2, 2, figsize=(COLUMN, 6.0), sharex=True, sharey=True)
    compared = slopes.set_index(["measure", "dataset"]).loc[
        [("answers", "MATH-500"), ("verdicts", ACROSS)]
    ]
    for axes, dataset in zip(grid.flat, ["MATH-500", "TruthfulQA", "SimpleQA"]):
        group = table[table["dataset"] == dataset]
        complete = bool(group["answer_consistency"].notna().all())
        _between(axes, group, complete)
        axes.set_title(f"{dataset}: {len(group)} models")
    changed = pairs[pairs["measure"] == INPUTS]
    for name, group in changed.groupby("dataset"):
        label, colour, marker = LOOKS.get(str(name), (str(name), GREY, "o"))
        axes = grid[1, 1]
        x, y = group["performance"], group["output_consistency"]
        axes.plot(x, y, marker, color=colour, label=label, alpha=0.85)
    grid[1, 1].set_title(f"changed inputs: {changed['model'].nunique()} models")
    grid[1, 1].legend(loc="lower right", ncols=2)
    for axes in grid.flat:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    figure.supylabel("consistency (share of items)", fontsize=9)
    for axes in grid[1]:
        axes.set_xlabel("performance (share right)")
    claim = "Consistency follows performance"
    if (compared["lower"] > 0).all():
        claim = "Better models answer more consistently"
    of_answers, of_verdicts = compared["slope"]
    remark = (
        f"n = {len(table)} and {len(changed)} pairs of a model and a data set; one marker a model. "
        "Where only verdicts are known, output consistency lies between always right (lower end) "
        "and one verdict throughout (upper end). Dotted: consistency equal to performance. Slopes: "
        f"{of_answers:.2f} where answers are compared, {of_verdicts:.2f} where verdicts are."
    )
    caption(figure, claim, remark)
    return figure


def trends(slopes: pd.DataFrame) -> Figure:
    """Slope of consistency on performance, by measure, inside data sets and across them."""
    table = slopes[slopes["measure"].isin(MEASURES) & slopes["slope"].notna()]
    order = [
        row for measure in MEASURES for row in table[table["measure"] == measure].to_dict("records")
    ]
    figure, axes = plt.subplots(figsize=(COLUMN, 0.7 + 0.27 * len(order)))
    labels = []
    for place, row in enumerate(reversed(order)):
        pooled = row["dataset"] == ACROSS
        colour = VERMILION if pooled else BLUE
        axes.plot([row["lower"], row["upper"]], [place, place], color=colour)
        axes.plot(row["slope"], place, "D" if pooled else "o", color=colour)
        name, n = row["dataset"], row["n"]
        label = LOOKS[name][0] if name in LOOKS else name
        over = f"all {n} pairs" if pooled else f"{label} ({n})"
        labels.append(MEASURES[row["measure"]].replace("\n", " ") + f": {over}")
    axes.set_yticks(range(len(order)), labels)
    axes.axvline(0, color=BLACK, linewidth=0.8)
    axes.axvline(PRINTED_SLOPE, color=GREY, linestyle="--")
    top = (PRINTED_SLOPE, len(order) - 0.4)
    text = f"the paper's {PRINTED_SLOPE}"
    axes.annotate(
        text, top, xytext=(-4, 0), textcoords="offset points", fontsize=7.5, va="center", ha="right"
    )
    positive = sum(row["lower"] > 0 for row in order)
    axes.set(
        ylim=(-0.7, len(order) - 0.1),
        xlim=(-1.3, 2.0),
        xlabel="slope of consistency on performance",
    )
    finding = f"Better models are more consistent in {positive} of {len(order)} comparisons"
    remark = (
        "In brackets: models. Circles: least squares over the models of a data set (HC3); "
        "diamonds: all data sets, models and data sets as crossed random effects"
    )
    caption(figure, finding, remark)
    return figure


def prompts(tests: pd.DataFrame, spreads: pd.DataFrame) -> Figure:
    """Draw the variance share of paraphrased instructions, and each model's spread over them."""
    table = tests.sort_values("share_of_answers", ignore_index=True)
    figure, (left_axes, right) = plt.subplots(1, 2, figsize=(COLUMN, 5.6), sharey=True)
    places = np.arange(len(table))
    left_axes.hlines(places, 0, table["share_of_answers"], color=BLUE)
    left_axes.plot(table["share_of_answers"], places, "o", color=BLUE)
    left_axes.plot(table["share_by_chance"], places, "|", color=BLACK)
    left_axes.axvline(PRINTED_SHARE, color=VERMILION, linestyle="--")
    left_axes.set_yticks(places, table["task"].str.replace("_", " "), fontsize=7)
    left_axes.set(
        xlabel="share of variance that\nparaphrases explain", ylim=(-0.8, len(table) - 0.2)
    )
    left_axes.set_title("all models", fontsize=9)
    left_axes.xaxis.set_major_formatter(lambda value, _: percent(value, 0))
    by_task = dict(iter(spreads.groupby("task")["spread"]))
    for place, task in enumerate(table["task"]):
        values = by_task[task]
        right.plot(values, np.full(len(values), place), ".", color=GREY, markersize=4)
        right.plot(values.median(), place, "D", color=ORANGE)
    right.axvline(spreads["by_chance"].median(), color=BLACK, linewidth=0.8)
    right.set(xlim=(0, None), xlabel="standard deviation\nover paraphrases")
    right.set_title("one model's score", fontsize=9)
    above = (table["share_of_answers"] > PRINTED_SHARE).sum()
    finding = f"Rewording exceeds the paper's largest effect on {above} of {len(table)} tasks"
    remark = (
        f"{table['paraphrases'].min()} to {table['paraphrases'].max()} paraphrases of a task, "
        f"{table['models'].min()} to {table['models'].max()} models of 2022 and 2023, 100 items. "
        f"Dashed: the paper's largest effect, {percent(PRINTED_SHARE)}; ticks: expected of "
        "paraphrases without effect. Right: dots are models, diamonds their median (over all "
        f"{spreads['spread'].median():.2f}), the line is noise of 100 items"
    )
    caption(figure, finding, remark)
    return figure


def _worded(figure: Figure, finding: str, remark: str, table: pd.DataFrame, axes: Axes) -> Figure:
    """Title and remark, with a key to the marks of `axes`; what is made up is called so first."""
    if table["synthetic"].any():
        finding = f"SYNTHETIC DATA: {finding}"
        remark = f"{remark}; synthetic predictions, drawn with a known truth"
    headline(figure, finding[:1].upper() + finding[1:])
    key(figure, axes, remark)
    return figure


def _bars(axes: Axes, x: Floats, group: pd.DataFrame, width: float, named: bool) -> None:
    """Draw a dataset's models: consistency, chance agreement in front of the bars, performance."""
    values = group["output_consistency"]
    reach = [values - group["output_consistency_lower"], group["output_consistency_upper"] - values]
    labels = ["output consistency", "agreement by chance", "performance"] if named else [""] * 3
    thin = {"elinewidth": 0.6, "ecolor": "#555555"}
    axes.bar(x, values, width, yerr=reach, color=BLUE, error_kw=thin, label=labels[0])
    axes.bar(x, group["random_baseline"], width, color=ORANGE, label=labels[1])
    axes.plot(x, group["performance"], "--", color=BLACK, linewidth=1.2, label=labels[2])


def _between(axes: Axes, group: pd.DataFrame, told: bool) -> None:
    """Draw each model's consistency, with bounds where answers are unknown."""
    x = group["performance"]
    column, colour, mark, label = (
        ("answer_consistency", BLUE, "o", "same answer")
        if told
        else ("always_right", GREEN, "v", "always right")
    )
    axes.vlines(x, group[column], group["verdict_consistency"], color=GREY, linewidth=0.8)
    axes.plot(x, group[column], mark, color=colour, label=label)
    upper = group["verdict_consistency"]
    axes.plot(x, upper, "^", color=ORANGE, label="same verdict", markersize=4)
    axes.legend(loc="upper left")
