"""Specification curves; call each function inside ``saturation.drawing.style.style()``."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.drawing.style import PALETTE
from saturation.multiverse.choices import CHOICES
from saturation.multiverse.names import TITLES

EFFECT_LABEL = "partial correlation with saturation"
COLUMNS = 40
EXPECTED = {
    "none": "no significant association",
    "positive": "significantly positive",
    "negative": "significantly negative",
    "higher": "positive",
}


def overview(curve: pd.DataFrame, joint: pd.DataFrame) -> Figure:
    """The curve of every conclusion, with the share that agrees with the paper.

    Parameters
    ----------
    curve
        Tables of :func:`saturation.multiverse.joint.curve`, one under the other.
    joint
        Rows of :func:`saturation.multiverse.joint.joint_test` by ``conclusion``.
    """
    names = list(joint.index)
    figure, grid = plt.subplots(
        -(-len(names) // 5), 5, figsize=(12, 5.6), sharey=True, squeeze=False
    )
    for axes, name in zip(grid.flat, names):
        row = joint.loc[name]
        _draw(axes, curve[curve["conclusion"] == name])
        axes.set_title(
            f"{TITLES[name]}: {row['agreement']:.0%} agree\n"
            f"paper: {EXPECTED[row['expected']]}\njoint p = {row['p_median_holm']:.2g}",
            fontsize=8.5,
        )
        axes.set_xlabel(f"{row['specifications']} specifications")
    for axes in grid[:, 0]:
        axes.set_ylabel(EFFECT_LABEL)
    grid.flat[0].legend(loc="upper left", fontsize=7)
    held = int((joint["agreement"] > 0.5).sum())
    figure.suptitle(
        f"{held} of {len(joint)} conclusions hold in most of the defensible analyses",
        fontweight="bold",
    )
    return figure


def one_curve(curve: pd.DataFrame, joint: pd.DataFrame, conclusion: str) -> Figure:
    """The curve of one conclusion above the choices that lead to each part of it.

    Parameters
    ----------
    curve, joint
        As for :func:`overview`.
    conclusion
        Its name.
    """
    curve = curve[curve["conclusion"] == conclusion]
    row = joint.loc[[conclusion]].iloc[0]
    rows = _shares(curve)
    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(8, 3.2 + 0.16 * len(rows)), height_ratios=[3, 0.16 * len(rows)], sharex=True
    )
    _draw(top, curve)
    top.set_ylabel(EFFECT_LABEL)
    top.legend(loc="upper left")
    top.set_title(
        f"{TITLES[conclusion]}: {row['agreement']:.0%} of {len(curve)} "
        "specifications agree that\n"
        f"{row['statement']}\n"
        f"(joint p = {row['p_median_holm']:.2g})"
    )
    image = bottom.imshow(
        rows.to_numpy(),
        aspect="auto",
        cmap="Blues",
        vmin=0,
        extent=(0.5, len(curve) + 0.5, len(rows) - 0.5, -0.5),
        interpolation="nearest",
    )
    labels = [f"{choice.replace('_', ' ')}: {value}" for choice, value in rows.index]
    bottom.set_yticks(range(len(rows)), labels, fontsize=6.5)
    bottom.grid(visible=False)
    bottom.set_xlabel("specifications, from the smallest effect to the largest")
    figure.colorbar(image, ax=bottom, label="share of the specifications here", pad=0.01)
    return figure


def _draw(axes: Axes, curve: pd.DataFrame) -> None:
    rank, effect, agrees = curve["rank"], curve["effect"], curve["agrees"]
    axes.fill_between(
        rank,
        curve["null_lower"],
        curve["null_upper"],
        color=PALETTE["grey"],
        alpha=0.3,
        linewidth=0,
        label="95 % of permutations",
    )
    # Drawn in an order that mixes the colours, or the last drawn would hide the other.
    mixed = np.random.default_rng(0).permutation(len(curve))
    colours = np.where(agrees, PALETTE["blue"], PALETTE["vermilion"])
    axes.scatter(
        rank.iloc[mixed],
        effect.iloc[mixed],
        s=3,
        color=colours[mixed],
        linewidths=0,
        zorder=3,
        rasterized=True,
    )
    for colour, label in (("blue", "agrees with the paper"), ("vermilion", "does not")):
        axes.scatter([], [], s=12, color=PALETTE[colour], label=label)
    axes.axhline(0, color=PALETTE["black"], linewidth=0.8)


def _shares(curve: pd.DataFrame) -> pd.DataFrame:
    """Share of each value of each choice in consecutive pieces of the curve; single values left."""
    piece = (curve["rank"] - 1) * min(COLUMNS, len(curve)) // len(curve)
    shares = {
        choice: pd.crosstab(curve[choice], piece, normalize="columns")
        for choice in CHOICES
        if len(curve[choice].unique()) > 1
    }
    return pd.concat(shares)
