"""Specification curves; call each function inside ``studies.style.style()``."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.pages.templates import percent
from studies.multiverse.specifications import CHOICES
from studies.plateau.names import CONCLUSION_TITLES
from studies.style import BLACK, BLUE, COLUMN, GREY, VERMILION, headline

EFFECT_LABEL = "partial correlation with S"
COLUMNS = 40
# What readers call choices and values whose names are columns of tables.
WORDS = {
    "alpha": "α",
    "s_index": "S",
    "age_months": "as recorded",
    "months_at_observation": "at observation",
}


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
        color=GREY,
        alpha=0.3,
        linewidth=0,
        label="95 % of permutations",
    )
    for mask, colour, marker, size, label in (
        (~agrees, VERMILION, "x", 7, "does not"),
        (agrees, BLUE, "o", 3, "agrees with the paper"),
    ):
        axes.scatter(
            rank[mask],
            effect[mask],
            s=size,
            color=colour,
            marker=marker,
            linewidths=0.4 if marker == "x" else 0,
            zorder=3,
            rasterized=True,
            label=f"{label} ({mask.sum():,})",
        )
    axes.axhline(0, color=BLACK, linewidth=0.8)


def _shares(curve: pd.DataFrame) -> pd.DataFrame:
    """Share of each value of each choice in consecutive pieces of the curve; single values left."""
    piece = (curve["rank"] - 1) * min(COLUMNS, len(curve)) // len(curve)
    shares = {
        choice: pd.crosstab(curve[choice], piece, normalize="columns")
        for choice in CHOICES
        if len(curve[choice].unique()) > 1
    }
    return pd.concat(shares)
