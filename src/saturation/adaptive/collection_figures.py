"""Figures of a collection: the three measures, and fluid against random model by model."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from saturation.adaptive.figures import METHODS
from saturation.drawing.style import PALETTE, footnote, headline

MEASURES = {
    "rank_distance": "validity: mean rank distance\nto partners (lower is better)",
    "total_variation": "variance: total variation,\nmedian model (lower is better)",
    "monotonicity": "saturation: rank correlation\nwith checkpoints (higher is better)",
}
MARKERS = {"random": "o", "random_irt": "s", "fluid": "D"}
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
    figure, grid = plt.subplots(1, 3, figsize=(7.0, 3.6))
    for axes, (measure, label) in zip(grid, MEASURES.items()):
        values = summary[summary["measure"] == measure]
        if values.empty:
            _empty(axes, measure)
            continue
        for method, (name, colour) in METHODS.items():
            line = values[(values["method"] == method)].sort_values("n_items")
            sizes = line["n_items"]
            axes.plot(sizes, line["value"], marker=MARKERS[method], color=colour, label=name)
            axes.fill_between(sizes, line["lower"], line["upper"], color=colour, alpha=0.12)
        whole = values.loc[values["method"] == "full_accuracy", "value"]
        if len(whole):
            axes.axhline(
                whole.mean(), color=PALETTE["black"], linestyle="--", label="accuracy, all items"
            )
        axes.set_xscale("log")
        ticks = sorted(set(values.loc[values["method"] == "random", "n_items"]))
        axes.set_xticks(ticks, list(map(str, ticks)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set(xlabel="items given", ylabel=label)
        if measure == "total_variation":
            axes.set_ylim(1, min(12, axes.get_ylim()[1]))
    drawn = next((axes for axes in grid if axes.lines), grid[0])
    headline(figure, f"{_as_valid(summary)}\n{title}")
    units = int(summary["n_models"].max()) if len(summary) else 0
    figure.legend(
        *drawn.get_legend_handles_labels(), loc="outside lower center", ncols=2,
        title=f"{units} models; bands: 95 % over models and subsets",
    )  # fmt: skip
    return figure


def pairs(models: pd.DataFrame, title: str) -> Figure:
    """Fluid against random, model by model and benchmark by benchmark (Figure 8).

    Parameters
    ----------
    models
        Measures of each bank, model, method, size and draw.
    title
        What the figure is of.
    """
    figure, grid = plt.subplots(1, 2, figsize=(7.0, 3.6))
    keys = ["bank", "model", "n_items"]
    sizes = sorted(set(models.loc[models["method"] == "random", "n_items"]))
    colours = dict(zip(sizes, plt.get_cmap("viridis_r")(np.linspace(0.1, 0.95, len(sizes)))))
    shares = []
    for axes, measure, better in zip(grid, ("total_variation", "monotonicity"), ("below", "above")):
        middle = models.groupby(["method", *keys])[measure].median()
        both = pd.DataFrame({"x": middle["random"], "y": middle["fluid"]}).dropna()
        both = both[np.isfinite(both).all(axis=1)].reset_index()
        if both.empty:
            _empty(axes, measure)
            continue
        for size, dots in both.groupby("n_items"):
            axes.scatter(dots["x"], dots["y"], s=13, color=colours[size], label=f"{size} items")
        wins = both["y"] < both["x"] if better == "below" else both["y"] > both["x"]
        shares.append(wins.mean())
        limits = (1.0, 20.0) if measure == "total_variation" else (0.0, 1.02)
        axes.plot(limits, limits, color=PALETTE["black"], linewidth=0.8)
        if measure == "total_variation":
            axes.set(xscale="log", yscale="log")
        axes.set(xlim=limits, ylim=limits, xlabel="random items, accuracy", ylabel="fluid")
        axes.set_title(
            f"{measure.replace('_', ' ')}: fluid better in {wins.mean():.0%} of {len(both)}",
            fontsize=9,
        )
    if len(shares) == 2:
        grid[1].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    claim = "Adaptive tests against random items, model by model"
    if shares and min(shares) > 0.5:
        claim = "Most models vary less and rise more steadily under adaptive tests"
    headline(figure, f"{claim}\n{title}")
    footnote(
        figure,
        "A dot is a model on a benchmark at a test length; random: median over subsets. Better is "
        "below the line on the left, above it on the right.",
    )
    return figure


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
