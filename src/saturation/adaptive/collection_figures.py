"""Figures of a collection: the three measures, and fluid against random model by model."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from saturation.adaptive.figures import METHODS
from saturation.drawing.style import PALETTE, WIDTH, footnote, headline, key

# Each measure: its name, and what its axis shows.
MEASURES = {
    "rank_distance": ("validity", "mean rank distance to\npartners (lower is better)"),
    "total_variation": ("variance", "total variation, median\nmodel (lower is better)"),
    "monotonicity": ("monotonicity", "rank correlation with\ncheckpoints (higher is better)"),
}
# Marks of the methods stand beside each other at a size: factors of it.
BESIDE = dict(zip(METHODS, (0.91, 1.0, 1.1)))
# Each measure of pairs: what better is called, its axis, and whether lower is better.
PAIRED = {
    "total_variation": (
        "vary less", "total variation: adaptive / random\n(below 1 is better)", True,
    ),
    "monotonicity": (
        "rise more steadily", "monotonicity: adaptive − random\n(above 0 is better)", False,
    ),
}  # fmt: skip
# What a measure cannot do without.
NEEDS = {
    "rank_distance": "needs a partner benchmark",
    "total_variation": "needs several checkpoints a model",
    "monotonicity": "needs several checkpoints a model",
}


def quality(summary: pd.DataFrame, title: str) -> Figure:
    """The three measures by number of items, with intervals (Figure 1d and Table 2).

    Parameters
    ----------
    summary
        Rows `method, n_items, measure, value, lower, upper, n_models`.
    title
        What the figure is of.
    """
    figure, grid = plt.subplots(1, 3, figsize=(WIDTH, 3.6))
    for axes, measure in zip(grid, MEASURES):
        values = summary[summary["measure"] == measure]
        if values.empty:
            _empty(axes, measure)
        else:
            _measure(axes, values, measure)
    drawn = next((axes for axes in grid if axes.lines), grid[0])
    headline(figure, f"{_as_valid(summary)}\n{title}")
    units = int(summary["n_models"].max()) if len(summary) else 0
    key(figure, drawn, f"{units} models; bars: 95 % over models and random subsets", columns=2)
    return figure


def _measure(axes: Axes, values: pd.DataFrame, measure: str) -> None:
    """One measure of each method by number of items, with intervals."""
    for method, (name, colour, marker) in METHODS.items():
        line = values[(values["method"] == method)].sort_values("n_items")
        sizes = line["n_items"] * BESIDE[method]
        axes.vlines(sizes, line["lower"], line["upper"], color=PALETTE[colour], linewidth=1)
        axes.plot(sizes, line["value"], marker=marker, markersize=4.5, color=PALETTE[colour],
                  label=name)  # fmt: skip
    whole = values.loc[values["method"] == "full_accuracy", "value"]
    if len(whole):
        axes.axhline(
            whole.mean(), color=PALETTE["black"], linestyle="--", label="accuracy, all items"
        )
    axes.set_xscale("log")
    ticks = sorted(set(values.loc[values["method"] == "random", "n_items"]))
    axes.set_xticks(ticks, list(map(str, ticks)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    title, label = MEASURES[measure]
    axes.set_title(title, fontsize=9)
    axes.set_xlabel("items given")
    axes.set_ylabel(label, fontsize=8)
    if measure == "total_variation":
        axes.set_ylim(1, min(12, axes.get_ylim()[1]))


def pairs(models: pd.DataFrame, title: str) -> Figure:
    """Fluid against random, model by model and benchmark by benchmark (Figure 8).

    Parameters
    ----------
    models
        Measures of each bank, model, method, size and draw.
    title
        What the figure is of.
    """
    figure, grid = plt.subplots(1, 2, figsize=(WIDTH, 3.6))
    keys = ["bank", "model", "n_items"]
    found = []
    for axes, (measure, (said, label, low)) in zip(grid, PAIRED.items()):
        middle = models.groupby(["method", *keys])[measure].median()
        both = pd.DataFrame({"random": middle["random"], "fluid": middle["fluid"]})
        both = both.replace([np.inf, -np.inf], np.nan).dropna()
        if both.empty:
            _empty(axes, measure)
            continue
        change = both["fluid"] / both["random"] if low else both["fluid"] - both["random"]
        better = change < 1 if low else change > 0
        _boxes(axes, change, better)
        if low:
            axes.set_yscale("log", base=2)
            axes.yaxis.set_major_formatter("{x:g}")
        axes.axhline(1 if low else 0, color=PALETTE["vermilion"], linewidth=1, linestyle="--")
        axes.set(xlabel="items given", ylabel=label)
        found.append(f"{said} in {better.mean():.0%}")
        axes.set_title(f"{len(both)} pairs", fontsize=8.5, weight="normal", pad=16)
    claim = "Adaptive tests against random items, model by model"
    if found:
        claim = f"Adaptive tests {', '.join(found)} of pairs"
    headline(figure, f"{claim}\n{title}")
    footnote(
        figure,
        "A pair is a model on a benchmark at a test length: its adaptive test against the median "
        "of random subsets scored by accuracy. Box: middle half of the pairs, line: median, "
        "whiskers: central 95 %; dashed: no difference; above: share of pairs that are better.",
    )
    return figure


def _boxes(axes: Axes, change: "pd.Series[float]", better: "pd.Series[bool]") -> None:
    """The changes of all pairs at each test length, and the share that is better."""
    sizes = sorted(set(change.index.get_level_values("n_items")))
    by_size = [change.xs(size, level="n_items").to_numpy() for size in sizes]
    axes.boxplot(
        by_size, whis=(2.5, 97.5), tick_labels=list(map(str, sizes)), showfliers=False,
        widths=0.55, medianprops={"color": PALETTE["blue"], "linewidth": 2},
    )  # fmt: skip
    for place, size in enumerate(sizes, start=1):
        share = better.xs(size, level="n_items").mean()
        axes.annotate(f"{share:.0%}", (place, 1), xycoords=("data", "axes fraction"),
                      fontsize=8, ha="center", va="bottom")  # fmt: skip


def _as_valid(summary: pd.DataFrame) -> str:
    """How few adaptive items are as valid as the most random ones that were drawn."""
    values = summary[summary["measure"] == "rank_distance"].sort_values("n_items")
    fluid, random = (values[values["method"] == name] for name in ("fluid", "random"))
    if len(random) and len(fluid):
        most = random.iloc[-1]
        enough = fluid.loc[fluid["value"] <= most["value"], "n_items"]
        if len(enough) and enough.min() < most["n_items"]:
            return f"{enough.min()} adaptive items are as valid as {most['n_items']} random ones"
    return "Adaptive tests against random items"


def _empty(axes: Axes, measure: str) -> None:
    """Say in a panel why there is nothing in it."""
    axes.text(0.5, 0.5, f"not measured:\n{NEEDS[measure]}", ha="center", transform=axes.transAxes)
    axes.set_axis_off()
