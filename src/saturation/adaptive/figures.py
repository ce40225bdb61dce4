"""Figures of the adaptive study."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from saturation.adaptive.model import information, probability
from saturation.drawing.style import PALETTE, footnote, headline, note

METHODS = {
    "random": ("random items, accuracy", PALETTE["orange"]),
    "random_irt": ("random items, ability", PALETTE["sky"]),
    "fluid": ("adaptive items, ability (fluid)", PALETTE["blue"]),
}
MEASURES = {
    "rank_distance": "validity: mean rank distance\nto partners (lower is better)",
    "total_variation": "variance: total variation,\nmedian model (lower is better)",
    "monotonicity": "saturation: rank correlation\nwith checkpoints (higher is better)",
}
# What a measure cannot do without.
NEEDS = {
    "rank_distance": "needs a partner benchmark",
    "total_variation": "needs several checkpoints a model",
    "monotonicity": "needs several checkpoints a model",
}


def item_curves(items: pd.DataFrame, ability: pd.Series, title: str) -> Figure:
    """Characteristic curves of three items: easy, hard, and flat (Figure 6)."""
    steep = items[items["discrimination"] >= items["discrimination"].median()]
    shown = {
        "easy": steep.loc[(steep["difficulty"] - ability.quantile(0.1)).abs().idxmin()],
        "hard": steep.loc[(steep["difficulty"] - ability.quantile(0.9)).abs().idxmin()],
        "flat": items.loc[(items["discrimination"].rank(pct=True) - 0.05).abs().idxmin()],
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


def information_map(items: pd.DataFrame, ability: pd.Series, title: str) -> Figure:
    """Information of all items along a simulated training run of 50 checkpoints (Figure 2)."""
    ordered = items.sort_values("difficulty")
    path = np.linspace(ability.min() - 0.5, ability.max() + 0.5, 50)
    info = information(path, *ordered[["discrimination", "difficulty"]].to_numpy().T).T
    share = info / info.max(axis=0)
    figure, (top, below) = plt.subplots(
        2, 1, figsize=(6.4, 4.8), sharex=True, height_ratios=[3.4, 1]
    )
    bands = np.array_split(share, min(len(share), 400))
    image = top.imshow(
        np.vstack([band.max(axis=0) for band in bands]),
        aspect="auto",
        origin="lower",
        extent=(0.5, 50.5, 0, len(ordered)),
        cmap="viridis",
    )
    top.grid(visible=False)
    figure.colorbar(image, ax=top, label="information, share of\nthe checkpoint's best item")
    top.set_ylabel("items, easy to hard")
    top.set_title(f"The items that inform move from easy to hard as a model learns\n{title}")
    below.plot(np.arange(1, 51), path, color=PALETTE["blue"])
    below.set(xlabel="simulated checkpoint", ylabel="ability θ")
    note(below, f"{len(items)} items; the trajectory is simulated, straight from weak to strong")
    return figure


def information_slice(items: pd.DataFrame, at: float, title: str) -> Figure:
    """Information of each item at one ability against its difficulty (Figure 7)."""
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


def training_curves(scores: pd.DataFrame, sizes: list[int], title: str) -> Figure:
    """Accuracy on a random subset and adaptive ability over training, by size (1c and 4)."""
    model = _learner(scores)
    figure, grid = plt.subplots(2, len(sizes), figsize=(3.1 * len(sizes), 4.6), sharex=True)
    grid = np.asarray(grid).reshape(2, -1)
    for column, size in enumerate(sizes):
        mine = scores[(scores["model"] == model) & (scores["n_items"] == size)]
        for row, method in enumerate(("random", "fluid")):
            axes, (label, colour) = grid[row, column], METHODS[method]
            part = mine[mine["method"] == method]
            for draw, one in part.sort_values("checkpoint").groupby("draw"):
                axes.plot(
                    one["checkpoint"],
                    one["score"],
                    marker="o",
                    color=colour,
                    alpha=1.0 if draw == 0 else 0.35,
                    linewidth=1.6 if draw == 0 else 0.8,
                )
            axes.set_title(f"{label}, {size} items", fontsize=8, fontweight="normal")
            axes.set_ylabel("accuracy" if method == "random" else "ability θ")
            axes.set_xticks(sorted(scores["checkpoint"].unique()))
        grid[1, column].set_xlabel("checkpoint (training order)")
    headline(figure, f"Random against adaptive:\n{model}\n{title}")
    footnote(figure, "faint: other random subsets; one adaptive test")
    return figure


def selected_items(
    administrations: pd.DataFrame, items: pd.DataFrame, first: int, title: str
) -> Figure:
    """Difficulty of the items that each respondent is given, by its ability (Figure 3)."""
    given = administrations[administrations["step"] <= first]
    final = given.groupby("respondent")["ability"].last().sort_values(kind="stable")
    place = pd.Series(np.arange(1, len(final) + 1), index=final.index)
    height = items.set_index("item")["difficulty"].rank(method="first")
    figure, axes = plt.subplots(figsize=(6.6, 3.9))
    dots = axes.scatter(
        given["respondent"].map(place),
        given["item"].map(height),
        c=given["step"],
        cmap="plasma_r",
        s=5,
        linewidths=0,
    )
    figure.colorbar(dots, ax=axes, label="step of the test")
    axes.set(xlabel="respondents, weak to strong", ylabel="items, easy to hard")
    harder = float(given["ability"].corr(given["item"].map(height), method="spearman"))
    said = "Stronger models are given harder items" if harder > 0.3 else "Items given, by ability"
    axes.set_title(f"{said}\n{title}")
    note(axes, f"first {first} items of {len(final)} adaptive tests; {len(items)} items")
    return figure


def stopping(stopped: pd.DataFrame, title: str) -> Figure:
    """Items needed until the standard error is small enough, by ability (Figure 5)."""
    figure, axes = plt.subplots(figsize=(5.8, 3.5))
    axes.scatter(stopped["ability"], stopped["n_items"], color=PALETTE["blue"], s=18)
    capped = stopped["reached_limit"]
    axes.scatter(
        stopped.loc[capped, "ability"],
        stopped.loc[capped, "n_items"],
        color=PALETTE["vermilion"],
        s=18,
        label=f"limit reached, not precise enough ({int(capped.sum())})",
    )
    if stopped["n_items"].max() > 5 * stopped["n_items"].min():
        axes.set_yscale("log")
    axes.set(xlabel="ability θ (whole bank)", ylabel="items needed")
    middle = float(stopped["n_items"].median())
    said = f"No one test length suits all: median {middle:.0f} items"
    if capped.all():
        said = "No test reached the precision asked for"
    axes.set_title(f"{said}\n{title}")
    if capped.any():
        axes.legend()
    note(axes, f"{len(stopped)} respondents; stop at the mean gap between adjacent ranks")
    return figure


def frontier(curve: pd.DataFrame, abilities: pd.Series, top: pd.Series, title: str) -> Figure:
    """Standard error that the whole bank allows, and where the respondents are."""
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


def quality(summary: pd.DataFrame, title: str) -> Figure:
    """The three measures by number of items, with intervals (Figure 1d and Table 2)."""
    figure, grid = plt.subplots(1, 3, figsize=(10.2, 3.5))
    for axes, (measure, label) in zip(grid, MEASURES.items()):
        part = summary[summary["measure"] == measure]
        if part.empty:
            _empty(axes, measure)
            continue
        for method, (name, colour) in METHODS.items():
            one = part[(part["method"] == method)].sort_values("n_items")
            axes.plot(one["n_items"], one["value"], marker="o", color=colour, label=name)
            axes.fill_between(one["n_items"], one["lower"], one["upper"], color=colour, alpha=0.12)
        whole = part.loc[part["method"] == "full_accuracy", "value"]
        if len(whole):
            axes.axhline(
                whole.mean(), color=PALETTE["black"], linestyle="--", label="accuracy, all items"
            )
        axes.set_xscale("log")
        sizes = sorted(set(part.loc[part["method"] == "random", "n_items"]))
        axes.set_xticks(sizes, list(map(str, sizes)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set(xlabel="items given", ylabel=label)
        if measure == "total_variation":
            axes.set_ylim(1, min(12, axes.get_ylim()[1]))
    drawn = next((axes for axes in grid if axes.lines), grid[0])
    figure.legend(*drawn.get_legend_handles_labels(), loc="outside right upper")
    headline(figure, f"Adaptive tests against random items\n{title}")
    units = int(summary["n_models"].max()) if len(summary) else 0
    footnote(figure, f"{units} model-benchmark pairs; bands: 95 % over models and subsets")
    return figure


def pairs(models: pd.DataFrame, title: str) -> Figure:
    """Fluid against random, model by model and benchmark by benchmark (Figure 8)."""
    figure, grid = plt.subplots(1, 2, figsize=(9.0, 4.0))
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
        for size, one in both.groupby("n_items"):
            axes.scatter(one["x"], one["y"], s=13, color=colours[size], label=f"{size} items")
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
    said = "Adaptive tests against random items, model by model"
    if shares and min(shares) > 0.5:
        said = "Most models vary less and rise more steadily under adaptive tests"
    headline(figure, f"{said}\n{title}")
    footnote(
        figure,
        "A dot is a model on a benchmark at a test length; random: median over subsets. Better is "
        "below the line on the left, above it on the right.",
    )
    return figure


def recovered(true: pd.DataFrame, found: pd.DataFrame, title: str) -> Figure:
    """Fitted against true item parameters of a synthetic bank."""
    figure, grid = plt.subplots(1, 2, figsize=(7.6, 3.7))
    for axes, name in zip(grid, ("discrimination", "difficulty")):
        x, y = true[name].to_numpy(), found[name].to_numpy()
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


def _empty(axes: Axes, measure: str) -> None:
    """Say in a panel why there is nothing in it."""
    axes.text(0.5, 0.5, f"not measured:\n{NEEDS[measure]}", ha="center", transform=axes.transAxes)
    axes.set_axis_off()


def _learner(scores: pd.DataFrame) -> str:
    """The model in the middle of those that gain: neither the ceiling nor a flat line."""
    whole = scores[scores["method"] == "full_accuracy"].sort_values("checkpoint")
    gain = whole.groupby("model")["score"].agg(lambda score: score.iloc[-1] - score.iloc[0])
    ranked = gain.sort_values(kind="stable")
    return str(ranked.index[int(0.75 * (len(ranked) - 1))])
