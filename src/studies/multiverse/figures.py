"""Specification curves; call each function inside ``studies.style.style()``."""

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.pages.style import PALETTE
from saturation.pages.templates import percent
from studies.multiverse.specifications import CHOICES
from studies.plateau.names import CONCLUSION_TITLES
from studies.style import COLUMN, headline

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
EFFECT_LABEL = "partial correlation with S"
COLUMNS = 40
# What readers call choices and values whose names are columns of tables.
WORDS = {
    "alpha": "α",
    "s_index": "S",
    "age_months": "as recorded",
    "months_at_observation": "at observation",
}
EXPECTED = {
    "none": "no significant association",
    "positive": "significantly positive",
    "negative": "significantly negative",
    "higher": "positive",
}


def overview(joint: pd.DataFrame) -> Figure:
    """Draw the share of analyses that side with the paper, and the spread of effects."""
    places = np.arange(len(joint))[::-1]
    figure, (shares, effects) = plt.subplots(
        1, 2, figsize=(COLUMN, 0.4 * len(joint) + 1.5), sharey=True
    )
    sided = (joint["agreement"] > 0.5).to_numpy()
    _agreement(shares, joint, sided, places)
    _effects(effects, joint, places)
    for axes in (shares, effects):
        axes.grid(axis="y", visible=False)
    headline(
        figure,
        f"Most defensible analyses side with the paper on {sided.sum()} of {len(joint)} "
        "conclusions",
    )
    figure.legend(loc="outside lower right", ncols=2)
    return figure


def _agreement(shares: Axes, joint: pd.DataFrame, sided: Flags, places: Ints) -> None:
    """Draw bars of the share of analyses that agree, filled for a majority."""
    for mask, fill in ((sided, PALETTE["blue"]), (~sided, "white")):
        shares.barh(
            places[mask],
            100 * joint["agreement"][mask],
            color=fill,
            height=0.6,
            edgecolor=PALETTE["blue"],
        )
    for place, agreement in zip(places, joint["agreement"]):
        shares.annotate(
            percent(agreement, 0),
            (100 * agreement, place),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            bbox={"fc": "white", "ec": "none", "pad": 0.6},
        )
    shares.axvline(50, color=PALETTE["black"], linestyle=":", linewidth=1)
    shares.set(xlim=(0, 115), xticks=range(0, 101, 25), xlabel="analyses that agree, %")
    shares.set_yticks(
        places,
        [
            f"{CONCLUSION_TITLES[name]}\npaper: {EXPECTED[expected]}"
            for name, expected in zip(joint.index, joint["expected"])
        ],
        fontsize=7.5,
    )


def _effects(effects: Axes, joint: pd.DataFrame, places: Ints) -> None:
    """Draw the central 95 % and the median of each conclusion's effects."""
    effects.hlines(
        places,
        joint["effect_lower"],
        joint["effect_upper"],
        color=PALETTE["sky"],
        linewidth=5,
        label="central 95 % of the analyses",
    )
    effects.plot(joint["median_effect"], places, "o", color=PALETTE["black"], label="median")
    effects.axvline(0, color=PALETTE["black"], linewidth=0.8)
    end = joint[["effect_lower", "effect_upper"]].abs().to_numpy().max()
    effects.set(xlim=(-1.1 * end, 1.1 * end), xlabel=EFFECT_LABEL)
    for place, p in zip(places, joint["p_median_holm"]):
        effects.text(
            1.03,
            place,
            f"joint p = {p:.2g}",
            transform=effects.get_yaxis_transform(),
            va="center",
            fontsize=7.5,
        )


def draw_curve(curve: pd.DataFrame, joint: pd.DataFrame, conclusion: str) -> Figure:
    """Draw a conclusion's curve above the choices that lead to each part of the curve."""
    curve = curve[curve["conclusion"] == conclusion]
    row = joint.loc[[conclusion]].iloc[0]
    rows = _shares(curve)
    figure, (top, bottom) = plt.subplots(
        2,
        1,
        figsize=(COLUMN, 3.2 + 0.16 * len(rows)),
        height_ratios=[3, 0.16 * len(rows)],
        sharex=True,
    )
    _draw(top, curve)
    top.set_ylabel(EFFECT_LABEL)
    top.legend(loc="upper left", markerscale=2)
    headline(
        figure,
        f"{CONCLUSION_TITLES[conclusion]}: {percent(row['agreement'], 0)} of {len(curve)} "
        f"specifications agree that {row['statement']} "
        f"(joint p = {row['p_median_holm']:.2g})",
    )
    image = bottom.imshow(
        rows.to_numpy(),
        aspect="auto",
        cmap="Blues",
        vmin=0,
        extent=(0.5, len(curve) + 0.5, len(rows) - 0.5, -0.5),
        interpolation="nearest",
    )
    labels = [
        f"{_describe_conclusion(choice)}: {_describe_conclusion(value)}"
        for choice, value in rows.index
    ]
    bottom.set_yticks(range(len(rows)), labels, fontsize=6.5)
    bottom.grid(visible=False)
    bottom.set_xlabel("specifications, from the smallest effect to the largest")
    figure.colorbar(image, ax=bottom, label="share of the specifications here", pad=0.01)
    return figure


def _describe_conclusion(name: object) -> str:
    return WORDS.get(str(name), str(name).replace("_", " "))


def _draw(axes: Axes, curve: pd.DataFrame) -> None:
    rank, effect, agrees = curve["rank"], curve["effect"], curve["agrees"].astype(bool)
    axes.fill_between(
        rank,
        curve["null_lower"],
        curve["null_upper"],
        color=PALETTE["grey"],
        alpha=0.3,
        linewidth=0,
        label="95 % of permutations",
    )
    for mask, colour, marker, size, label in (
        (~agrees, "vermilion", "x", 7, "does not"),
        (agrees, "blue", "o", 3, "agrees with the paper"),
    ):
        axes.scatter(
            rank[mask],
            effect[mask],
            s=size,
            color=PALETTE[colour],
            marker=marker,
            linewidths=0.4 if marker == "x" else 0,
            zorder=3,
            rasterized=True,
            label=f"{label} ({mask.sum():,})",
        )
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
