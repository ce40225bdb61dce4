"""Figures of a bank: its items, its adaptive tests, its frontier, and what a fit recovers."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from saturation.adaptive.model import information, probability
from saturation.drawing.style import PALETTE, footnote, headline, note

METHODS = {
    "random": ("random items, accuracy", PALETTE["orange"]),
    "random_irt": ("random items, ability", PALETTE["sky"]),
    "fluid": ("adaptive items, ability (fluid)", PALETTE["blue"]),
}

# Rank correlation of ability and difficulty from which tests visibly adapt.
ADAPTS = 0.3


def item_curves(items: pd.DataFrame, ability: pd.Series, title: str) -> Figure:
    """Characteristic curves of three items: easy, hard, and flat (Figure 6).

    Parameters
    ----------
    items
        The bank's items with `discrimination` and `difficulty`.
    ability
        Abilities of the respondents.
    title
        What the figure is of.
    """
    steep = items[items["discrimination"] >= items["discrimination"].median()]
    weak, strong = (float(ability.quantile(share)) for share in (0.1, 0.9))
    shown = {
        "easy": _nearest(steep, steep["difficulty"], weak),
        "hard": _nearest(steep, steep["difficulty"], strong),
        "flat": _nearest(items, items["discrimination"].rank(pct=True), 0.05),
    }
    grid = np.linspace(ability.min() - 1, ability.max() + 1, 201)
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    for (name, item), colour in zip(shown.items(), ("green", "vermilion", "grey")):
        a, b = float(item["discrimination"]), float(item["difficulty"])
        curve = probability(grid, np.array([a]), np.array([b]))[:, 0]
        axes.plot(grid, curve, color=PALETTE[colour], label=f"{name}: a = {a:.2f}, b = {b:.2f}")
    axes.plot(ability, np.full(len(ability), -0.03), "|", color=PALETTE["black"], alpha=0.5)
    axes.set(xlabel="ability θ (standard deviations)", ylabel="probability of a right answer")
    axes.set_title(f"A steep item separates models near its difficulty\n{title}")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.06))
    note(axes, f"ticks: {len(ability)} respondents; {len(items)} items in the bank")
    return figure


def information_slice(items: pd.DataFrame, at: float, title: str) -> Figure:
    """Information of each item at one ability against its difficulty (Figure 7).

    Parameters
    ----------
    items
        The bank's items with `discrimination` and `difficulty`.
    at
        The ability.
    title
        What the figure is of.
    """
    a, b = items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
    info = information(np.array([at]), a, b)[0]
    order = np.argsort(info, kind="stable")
    figure, axes = plt.subplots(figsize=(6.0, 3.6))
    dots = axes.scatter(b[order], info[order], c=np.log10(a[order]), s=9, cmap="viridis")
    figure.colorbar(dots, ax=axes, label="log10 discrimination")
    axes.axvline(at, color=PALETTE["black"], linewidth=0.8, linestyle="--")
    low, high = np.quantile(b, [0.01, 0.99])
    axes.set_xlim(low, high)
    axes.set_yscale("log")
    axes.set_ylim(max(float(info.max()) * 1e-4, 1e-6), float(info.max()) * 2)
    axes.set(xlabel="difficulty b", ylabel=f"information at θ = {at:.1f}")
    axes.set_title(f"Few items inform at any one ability\n{title}")
    note(axes, f"{len(items)} items; the dashed line is the ability; outer 2 % not shown")
    return figure


def selected_items(
    administrations: pd.DataFrame, items: pd.DataFrame, first: int, title: str
) -> Figure:
    """Difficulty of the items that each respondent is given, by its ability (Figure 3).

    Parameters
    ----------
    administrations
        Rows `respondent, step, item, ability`.
    items
        The bank's items with `item` and `difficulty`.
    first
        Steps of each test that are drawn.
    title
        What the figure is of.
    """
    early = administrations[administrations["step"] <= first]
    final = early.groupby("respondent")["ability"].last().sort_values(kind="stable")
    place = pd.Series(np.arange(1, len(final) + 1), index=final.index)
    height = items.set_index("item")["difficulty"].rank(method="first")
    figure, axes = plt.subplots(figsize=(6.6, 3.9))
    dots = axes.scatter(
        early["respondent"].map(place),
        early["item"].map(height),
        c=early["step"],
        cmap="plasma_r",
        s=5,
        linewidths=0,
    )
    figure.colorbar(dots, ax=axes, label="step of the test")
    axes.set(xlabel="respondents, weak to strong", ylabel="items, easy to hard")
    harder = float(early["ability"].corr(early["item"].map(height), method="spearman"))
    adapts = harder > ADAPTS
    claim = "Stronger models are given harder items" if adapts else "Items given, by ability"
    axes.set_title(f"{claim}\n{title}")
    note(axes, f"first {first} items of {len(final)} adaptive tests; {len(items)} items")
    return figure


def stopping(stopped: pd.DataFrame, title: str) -> Figure:
    """Items needed until the standard error is small enough, by ability (Figure 5).

    Parameters
    ----------
    stopped
        Rows `ability, n_items, reached_limit`.
    title
        What the figure is of.
    """
    figure, axes = plt.subplots(figsize=(5.8, 3.5))
    axes.scatter(stopped["ability"], stopped["n_items"], color=PALETTE["blue"], s=18)
    capped = stopped["reached_limit"]
    axes.scatter(
        stopped.loc[capped, "ability"],
        stopped.loc[capped, "n_items"],
        color=PALETTE["vermilion"],
        marker="x",
        s=22,
        label=f"limit reached, not precise enough ({int(capped.sum())})",
    )
    if stopped["n_items"].max() > 5 * stopped["n_items"].min():
        axes.set_yscale("log")
    axes.set(xlabel="ability θ (whole bank)", ylabel="items needed")
    middle = float(stopped["n_items"].median())
    claim = f"No one test length suits all: median {middle:.0f} items"
    if capped.any():
        most = int(stopped["n_items"].max())
        claim = f"{int((~capped).sum())} of {len(capped)} tests are precise enough by {most} items"
    axes.set_title(f"{claim}\n{title}")
    if capped.any():
        axes.legend()
    note(axes, f"{len(stopped)} respondents; stop at the mean gap between adjacent ranks")
    return figure


def frontier(curve: pd.DataFrame, abilities: pd.Series, top: pd.Series, title: str) -> Figure:
    """Standard error that the whole bank allows, and where the respondents are.

    Parameters
    ----------
    curve
        Rows `ability, se`.
    abilities, top
        Abilities of all respondents, and of those at the top.
    title
        What the figure is of.
    """
    figure, axes = plt.subplots(figsize=(6.0, 3.6))
    axes.plot(curve["ability"], curve["se"], color=PALETTE["blue"])
    axes.set(xlabel="ability θ", ylabel="standard error by the whole bank")
    axes.set_ylim(0, 1.05 * curve["se"].max())
    level = 0.02 * axes.get_ylim()[1]
    axes.plot(abilities, np.full(len(abilities), level), "|", color=PALETTE["grey"], markersize=9)
    reached = np.interp(top, curve["ability"], curve["se"])
    axes.plot(top, reached, "o", color=PALETTE["vermilion"], label=f"top {len(top)} models")
    best, worst = float(curve["se"].min()), float(reached.max())
    axes.set_title(f"At the top the error is {worst / best:.1f} times the bank's best\n{title}")
    axes.legend(loc="upper center")
    note(axes, f"ticks: all {len(abilities)} respondents")
    return figure


def recovered(true: pd.DataFrame, fitted: pd.DataFrame, title: str) -> Figure:
    """Fitted against true item parameters of a synthetic bank.

    Parameters
    ----------
    true, fitted
        Items with `discrimination` and `difficulty`, in the same order.
    title
        What the figure is of.
    """
    figure, grid = plt.subplots(1, 2, figsize=(7.6, 3.7))
    for axes, name in zip(grid, ("discrimination", "difficulty")):
        x, y = true[name].to_numpy(), fitted[name].to_numpy()
        values = (np.log(x), np.log(y)) if name == "discrimination" else (x, y)
        limits = np.quantile(np.concatenate(values), [0.002, 0.998])
        axes.scatter(*values, s=6, color=PALETTE["blue"], alpha=0.5)
        axes.plot(limits, limits, color=PALETTE["black"], linewidth=0.8)
        label = "log discrimination" if name == "discrimination" else name
        correlation = np.corrcoef(*values)[0, 1]
        axes.set(xlabel=f"true {label}", ylabel=f"fitted {label}", xlim=limits, ylim=limits)
        axes.set_title(f"correlation {correlation:.2f}", fontsize=9)
    headline(figure, f"The fit recovers the synthetic truth\n{title}")
    footnote(figure, f"{len(true)} items; in a row: items that all answer alike, held by the prior")
    return figure


def _nearest(items: pd.DataFrame, values: pd.Series, target: float) -> pd.Series:
    """The first item whose value is nearest to the target."""
    return items.iloc[int(np.abs(values.to_numpy() - target).argmin())]
