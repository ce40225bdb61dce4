"""Figures of a bank: curves of its items, how good its adaptive tests are."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from saturation.adaptive import misfit
from saturation.adaptive.model import probability
from saturation.pages.style import COLUMN, PALETTE, headline, key
from studies.boards.names import EMBEDDED

# Each method: what it is called, its colour and mark.
METHODS = {
    "random": ("random items, accuracy", "orange", "o"),
    "random_irt": ("random items, ability", "sky", "s"),
    "fluid": ("adaptive items, ability", "blue", "D"),
}
COLLECTIONS = {"nlu": "NLU banks"}
HEIGHT = 3.6


def called(name: str) -> str:
    """Return the readers' name of a bank or collection; a user's bank keeps its name in words."""
    if name in COLLECTIONS:
        return COLLECTIONS[name]
    return EMBEDDED[name].title if name in EMBEDDED else name.replace("_", " ")


def draw_bank(bank: str, tables: Mapping[str, pd.DataFrame]) -> dict[str, Figure]:
    """Draw the figures of a bank from its tables, both by the names of their files."""
    title = f"{called(bank)} (real responses)"
    items, ability = tables["items"], tables["abilities"]["ability"]
    doubt = misfit.short(tables["misfit"], tables["floors"])
    return {"item_curves": item_curves(items, ability, title, doubt)}


def item_curves(items: pd.DataFrame, ability: pd.Series, title: str, doubt: str) -> Figure:
    """Characteristic curves of three items: easy, hard, and flat (Figure 6)."""
    steep = items[items["discrimination"] >= items["discrimination"].median()]
    ends = weak, strong = [float(ability.quantile(share)) for share in (0.1, 0.9)]
    curves = {
        "easy": _nearest(steep, steep["difficulty"], weak),
        "hard": _nearest(steep, steep["difficulty"], strong),
        "flat": _nearest(items, items["discrimination"].rank(pct=True), 0.05),
    }
    grid = np.linspace(ability.min() - 1, ability.max() + 1, 201)
    figure, axes = plt.subplots(figsize=(COLUMN, HEIGHT))
    looks = zip(curves.items(), (("green", "--"), ("vermilion", "-"), ("grey", "-.")))
    for (name, item), (colour, dashes) in looks:
        a, b = np.array([item["discrimination"]]), np.array([item["difficulty"]])
        axes.plot(
            grid,
            probability(grid, a, b)[:, 0],
            color=PALETTE[colour],
            linestyle=dashes,
            label=f"{name}: a = {a[0]:.2f}, b = {b[0]:.2f}".replace("-", "−"),
        )
    _rug(axes, ability, -0.03)
    for end in ends:
        axes.axvline(end, color=PALETTE["black"], linewidth=0.7, linestyle=":")
    axes.set(xlabel="ability θ (standard deviations)", ylabel="probability of a right answer")
    headline(figure, f"A steep item separates models, a flat one does not\n{title}")
    key(
        figure,
        axes,
        "a: discrimination, b: difficulty; dotted: weak and strong tenth of the respondents; "
        f"ticks: all {len(ability)}; {len(items)} items{f'; {doubt}' if doubt else ''}",
        columns=2,
    )
    return figure


def _rug(axes: Axes, values: pd.Series, level: float) -> None:
    """Draw a tick for each respondent."""
    axes.plot(values, np.full(len(values), level), "|", color=PALETTE["black"], alpha=0.5)


def _nearest(items: pd.DataFrame, values: pd.Series, target: float) -> pd.Series:
    """Return the first item whose value is nearest to the target."""
    return items.iloc[int(np.abs(values.to_numpy() - target).argmin())]


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
    units = int(summary["n_models"].max()) if len(summary) else 0
    key(figure, panel, f"{units} models; bars: 95 % over models and random subsets", columns=2)
    return figure


def _measure(axes: Axes, values: pd.DataFrame, measure: str) -> None:
    """One measure of each method by number of items, with intervals."""
    for method, (name, colour, marker) in METHODS.items():
        line = values[(values["method"] == method)].sort_values("n_items")
        sizes = line["n_items"] * BESIDE[method]
        axes.vlines(sizes, line["lower"], line["upper"], color=PALETTE[colour], linewidth=1)
        axes.plot(
            sizes, line["value"], marker=marker, markersize=4.5, color=PALETTE[colour], label=name
        )
    whole = values.loc[values["method"] == "full_accuracy", "value"]
    if len(whole):
        axes.axhline(
            whole.mean(), color=PALETTE["black"], linestyle="--", label="accuracy, all items"
        )
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
