"""Figures of a bank: its items, its adaptive tests, its frontier, and what a fit recovers."""

import textwrap
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from saturation.adaptive import misfit
from saturation.adaptive.model import information, probability
from saturation.boards.names import EMBEDDED
from saturation.pages.style import PALETTE, WIDTH, footnote, headline, key

# Each method: what it is called, its colour and mark.
METHODS = {
    "random": ("random items, accuracy", "orange", "o"),
    "random_irt": ("random items, ability", "sky", "s"),
    "fluid": ("adaptive items, ability", "blue", "D"),
}
COLLECTIONS = {"nlu": "NLU banks"}
# Rank correlation of ability and difficulty from which tests visibly adapt.
ADAPTS = 0.3
# Steps of a test that still look for the ability.
FIRST_STEPS = 3
# Steps of each test that are drawn.
SELECTED = 50
# Characters a line.
TITLE_WIDTH = 58
HEIGHT = 3.6


def called(name: str) -> str:
    """What readers call a bank or a collection; one of the user's own keeps its name in words."""
    if name in COLLECTIONS:
        return COLLECTIONS[name]
    return EMBEDDED[name].title if name in EMBEDDED else name.replace("_", " ")


def of_bank(bank: str, tables: Mapping[str, pd.DataFrame]) -> dict[str, Figure]:
    """The figures of a bank from its tables, both by the names of their files."""
    title = f"{called(bank)} (real responses)"
    items, ability = tables["items"], tables["abilities"]["ability"]
    doubt = misfit.short(tables["misfit"], tables["floors"])
    if doubt:
        title += f"\n{textwrap.fill(doubt, TITLE_WIDTH)}"
    return {
        "item_curves": item_curves(items, ability, title),
        "information_slice": information_slice(items, 0.0, title),
        "selected_items": selected_items(tables["administrations"], items, SELECTED, title),
        "stopping": stopping(tables["stopping"], title),
        "frontier": frontier(tables["frontier"], ability, tables["top"]["ability"], title),
    }


def item_curves(items: pd.DataFrame, ability: pd.Series, title: str) -> Figure:
    """Characteristic curves of three items: easy, hard, and flat (Figure 6)."""
    steep = items[items["discrimination"] >= items["discrimination"].median()]
    ends = weak, strong = [float(ability.quantile(share)) for share in (0.1, 0.9)]
    shown = {
        "easy": _nearest(steep, steep["difficulty"], weak),
        "hard": _nearest(steep, steep["difficulty"], strong),
        "flat": _nearest(items, items["discrimination"].rank(pct=True), 0.05),
    }
    grid = np.linspace(ability.min() - 1, ability.max() + 1, 201)
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    rises = {}
    looks = zip(shown.items(), (("green", "--"), ("vermilion", "-"), ("grey", "-.")))
    for (name, item), (colour, dashes) in looks:
        a, b = np.array([item["discrimination"]]), np.array([item["difficulty"]])
        axes.plot(
            grid, probability(grid, a, b)[:, 0], color=PALETTE[colour], linestyle=dashes,
            label=f"{name}: a = {a[0]:.2f}, b = {b[0]:.2f}".replace("-", "−"),
        )  # fmt: skip
        low, high = probability(np.array(ends), a, b)[:, 0]
        rises[name] = high - low
    _rug(axes, ability, -0.03)
    for end in ends:
        axes.axvline(end, color=PALETTE["black"], linewidth=0.7, linestyle=":")
    axes.set(xlabel="ability θ (standard deviations)", ylabel="probability of a right answer")
    headline(
        figure,
        f"Weak to strong, the hard item rises by {rises['hard']:.2f}, the flat one by "
        f"{rises['flat']:.2f}\n{title}",
    )
    key(
        figure,
        axes,
        "a: discrimination, b: difficulty; dotted: weak and strong tenth of the respondents; "
        f"ticks: all {len(ability)}; {len(items)} items",
    )
    return figure


def _rug(axes: Axes, values: pd.Series, level: float) -> None:
    """A tick for each respondent."""
    axes.plot(values, np.full(len(values), level), "|", color=PALETTE["black"], alpha=0.5)


def information_slice(items: pd.DataFrame, at: float, title: str) -> Figure:
    """Information of each item at one ability against its difficulty (Figure 7)."""
    a, b = items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
    info = information(np.array([at]), a, b)[0]
    order = np.argsort(-info, kind="stable")
    half = 1 + int(np.searchsorted(np.cumsum(info[order]), info.sum() / 2))
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    most, rest = order[:half], order[half:]
    axes.scatter(b[most], info[most], s=11, color=PALETTE["blue"],
                 label=f"half of the information ({half} items)")  # fmt: skip
    axes.scatter(b[rest], info[rest], s=11, marker="x", linewidths=0.7, color=PALETTE["grey"],
                 label=f"the other half ({len(rest)} items)")  # fmt: skip
    axes.axvline(at, color=PALETTE["black"], linewidth=0.8, linestyle="--")
    axes.set_xlim(*np.quantile(b, [0.01, 0.99]))
    axes.set_ylim(bottom=0)
    axes.set(xlabel="difficulty b", ylabel=f"information at θ = {at:.1f}")
    headline(
        figure,
        f"{half / len(items):.0%} of the items give half of the information at one ability"
        f"\n{title}",
    )
    key(figure, axes, "dashed: the ability; outer 2 % of difficulties not shown")
    return figure


def selected_items(
    administrations: pd.DataFrame, items: pd.DataFrame, first: int, title: str
) -> Figure:
    """Difficulty of the items that each respondent is given, by its ability (Figure 3)."""
    early = administrations[administrations["step"] <= first]
    final = early.groupby("respondent")["ability"].last().sort_values(kind="stable")
    place = early["respondent"].map(pd.Series(np.arange(1, len(final) + 1), index=final.index))
    height = early["item"].map(items.set_index("item")["difficulty"].rank(method="first"))
    looking = (early["step"] <= FIRST_STEPS).to_numpy()
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    axes.plot(place[~looking], height[~looking], ".", color=PALETTE["sky"], markersize=2.5,
              label=f"items {FIRST_STEPS + 1} to {first}")  # fmt: skip
    axes.plot(place[looking], height[looking], "x", color=PALETTE["vermilion"], markersize=3.5,
              label=f"items 1 to {FIRST_STEPS}")  # fmt: skip
    axes.set(xlabel="respondents, weak to strong", ylabel="items, easy to hard")
    # Spearman's, by ranks: pandas would import scipy.stats for it.
    harder = float(early["ability"].rank().corr(height.rank()))
    claim = "Stronger models are given harder items" if harder > ADAPTS else "Items by ability"
    said = f"{harder:.2f}".replace("-", "−")
    headline(figure, f"{claim} (rank correlation {said})\n{title}")
    key(figure, axes, f"first {first} items of {len(final)} adaptive tests; {len(items)} items")
    return figure


def stopping(stopped: pd.DataFrame, title: str) -> Figure:
    """Items needed until the standard error is small enough, by ability (Figure 5).

    Those that reach the limit have no such number: they stand apart, above the axis.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    capped, most = stopped["reached_limit"], int(stopped["n_items"].max())
    enough = stopped[~capped]
    axes.plot(enough["ability"], enough["n_items"], "o", color=PALETTE["blue"], markersize=4.5)
    least = int(stopped["n_items"].min())
    axes.set_ylim(0, 1.05 * most)
    if most > 5 * least:
        axes.set_yscale("log")
        axes.set_ylim(0.8 * least, 1.1 * most)
    if capped.any():
        # Above the axis, so that they cannot be read as numbers of items.
        axes.plot(
            stopped.loc[capped, "ability"], np.full(int(capped.sum()), 1.04), "|", markersize=8,
            color=PALETTE["vermilion"], transform=axes.get_xaxis_transform(), clip_on=False,
        )  # fmt: skip
        axes.annotate(
            f"not precise enough with {most} items: {int(capped.sum())} tests", (0, 1.09),
            xycoords="axes fraction", fontsize=8, color=PALETTE["vermilion"],
        )  # fmt: skip
    axes.set(xlabel="ability θ (whole bank)", ylabel="items needed")
    middle = float(stopped["n_items"].median())
    claim = f"No one test length suits all: median {middle:.0f} items"
    if capped.any():
        claim = f"{len(enough)} of {len(capped)} tests are precise enough by {most} items"
    headline(figure, f"{claim}\n{title}")
    footnote(
        figure,
        f"{len(stopped)} respondents; a test is precise enough when its standard error is the "
        "mean gap between adjacent ranks",
    )
    return figure


def frontier(curve: pd.DataFrame, abilities: pd.Series, top: pd.Series, title: str) -> Figure:
    """Standard error that the whole bank allows, and where the respondents are."""
    # Where there is no respondent the bank measures nobody, well or badly.
    inside = curve[curve["ability"].between(abilities.min(), abilities.max())]
    best = inside.iloc[int(inside["se"].argmin())]
    reached = np.interp(top, curve["ability"], curve["se"])
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT))
    axes.plot(inside["ability"], inside["se"], color=PALETTE["blue"])
    axes.plot(best["ability"], best["se"], "D", color=PALETTE["black"], markerfacecolor="white",
              label=f"the bank's best: {best['se']:.2g}")  # fmt: skip
    axes.plot(top, reached, "o", color=PALETTE["vermilion"],
              label=f"top {len(top)} models: up to {reached.max():.2g}")  # fmt: skip
    axes.set(xlabel="ability θ", ylabel="standard error by the whole bank")
    axes.set_ylim(0, 1.05 * max(float(inside["se"].max()), float(reached.max())))
    _rug(axes, abilities, 0.02 * axes.get_ylim()[1])
    headline(
        figure,
        f"At the top the error is {reached.max() / best['se']:.1f} times the bank's best\n{title}",
    )
    key(figure, axes, f"ticks: all {len(abilities)} respondents")
    return figure


def _nearest(items: pd.DataFrame, values: pd.Series, target: float) -> pd.Series:
    """The first item whose value is nearest to the target."""
    return items.iloc[int(np.abs(values.to_numpy() - target).argmin())]


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
    """The three measures by number of items, with intervals (Figure 1d and Table 2)."""
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
    """Fluid against random, model by model and benchmark by benchmark (Figure 8)."""
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
