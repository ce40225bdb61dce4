"""Figures of a collection of item banks: how good its adaptive tests are."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from studies.boards.names import EMBEDDED
from studies.style import BLACK, BLUE, COLUMN, ORANGE, SKY, headline, key

# Each method: what it is called, its colour and mark.
METHODS = {
    "random": ("random items, accuracy", ORANGE, "o"),
    "random_irt": ("random items, ability", SKY, "s"),
    "fluid": ("adaptive items, ability", BLUE, "D"),
}
COLLECTIONS = {"nlu": "NLU banks"}


def name_bank(name: str) -> str:
    """Return the readers' name of a bank or collection; a user's bank keeps its name in words."""
    if name in COLLECTIONS:
        return COLLECTIONS[name]
    return EMBEDDED[name].title if name in EMBEDDED else name.replace("_", " ")


# Each measure: its name, and what its axis shows.
MEASURES = {
    "rank_distance": ("validity", "mean rank distance to\npartners (lower is better)"),
    "total_variation": ("variance", "total variation, median\nmodel (lower is better)"),
    "monotonicity": ("monotonicity", "rank correlation with\ncheckpoints (higher is better)"),
}
# Marks of the methods stand beside each other at a size: factors of it.
BESIDE = dict(zip(METHODS, (0.91, 1.0, 1.1)))
# What a measure cannot do without.
NEEDS = {
    "rank_distance": "needs a partner benchmark",
    "total_variation": "needs several checkpoints a model",
    "monotonicity": "needs several checkpoints a model",
}


def quality(summary: pd.DataFrame, title: str) -> Figure:
    """Draw the three measures by number of items, with intervals (Figure 1d and Table 2)."""
    figure, grid = plt.subplots(1, 3, figsize=(COLUMN, 3.6))
    for axes, measure in zip(grid, MEASURES):
        values = summary[summary["measure"] == measure]
        if values.empty:
            _empty(axes, measure)
        else:
            _measure(axes, values, measure)
    panel = next((axes for axes in grid if axes.lines), grid[0])
    headline(figure, f"{_find_equal_validity(summary)}\n{title}")
    units = summary["n_models"].max() if len(summary) else 0
    key(figure, panel, f"{units} models; bars: 95 % over models and random subsets", columns=2)
    return figure


def _measure(axes: Axes, values: pd.DataFrame, measure: str) -> None:
    """One measure of each method by number of items, with intervals."""
    for method, (name, colour, marker) in METHODS.items():
        line = values[(values["method"] == method)].sort_values("n_items")
        sizes = line["n_items"] * BESIDE[method]
        axes.vlines(sizes, line["lower"], line["upper"], color=colour, linewidth=1)
        axes.plot(sizes, line["value"], marker=marker, markersize=4.5, color=colour, label=name)
    whole = values.loc[values["method"] == "full_accuracy", "value"]
    if len(whole):
        axes.axhline(whole.mean(), color=BLACK, linestyle="--", label="accuracy, all items")
    axes.set_xscale("log")
    ticks = sorted(set(values.loc[values["method"] == "random", "n_items"]))
    # Names of near ones would touch.
    labelled = [n for place, n in enumerate(ticks) if not place or n >= 3 * ticks[place - 1]]
    axes.set_xticks(ticks, [str(n) if n in labelled else "" for n in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())
    title, label = MEASURES[measure]
    axes.set_title(title, fontsize=9)
    axes.set_xlabel("items given")
    axes.set_ylabel(label, fontsize=8)
    if measure == "total_variation":
        axes.set_ylim(1, min(12, axes.get_ylim()[1]))


def _find_equal_validity(summary: pd.DataFrame) -> str:
    """Find the fewest adaptive items that rank about as well as the largest random subset."""
    values = summary[summary["measure"] == "rank_distance"].sort_values("n_items")
    fluid, random = (values[values["method"] == name] for name in ("fluid", "random"))
    if len(random) and len(fluid):
        most = random.iloc[-1]
        enough = fluid.loc[fluid["value"] <= most["value"], "n_items"]
        if len(enough) and enough.min() < most["n_items"]:
            n_random = most["n_items"]
            return f"{enough.min()} adaptive items rank about as well as {n_random} random ones"
    return "Adaptive tests against random items"


def _empty(axes: Axes, measure: str) -> None:
    """Explain in an empty panel why the panel is empty."""
    axes.text(0.5, 0.5, f"not measured:\n{NEEDS[measure]}", ha="center", transform=axes.transAxes)
    axes.set_axis_off()
