"""Figures of the joint regression (Figures 5 and 6 of the plateau paper, and what they leave out).

Each function takes tables or draws and returns a figure; call it inside
``studies.style.style()``.
"""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.statistics.intervals import ALPHA
from studies.regression.priors import Specification
from studies.regression.study import Tables
from studies.regression.validation import FOLDS, IN_SAMPLE
from studies.style import BLACK, BLUE, COLUMN, GREY, VERMILION, caption, headline, key

PAPER_R2 = 0.884
PAPER_AUROC = 0.98
# What readers call the models of the shipped config.
NAMES = {
    "main": "main effects",
    "interaction": "with interactions",
    "onehot": "one column per category",
    "exploded": "one row per tag",
}
# Each side of a fit: what it is called, its colour, mark and filling, and its place in its row.
SIDES = {
    IN_SAMPLE: ("in sample", BLUE, "o", BLUE, 0.14),
    FOLDS: ("held out in folds", VERMILION, "s", "white", -0.14),
}


def all_figures(
    specifications: Mapping[str, Specification], tables: Tables, saturated_from: float
) -> dict[str, Figure]:
    """Every figure of the default run by name; the fit is drawn for the Beta models, if any ran."""
    models = tables["models"]
    alike = [name for name in models if specifications[name].likelihood == "beta"] or list(models)
    fit = tables["fit"][tables["fit"]["model"].isin(alike)]
    # The model with the paper's interactions, if it ran.
    model_name = "interaction" if "interaction" in models else next(iter(models))
    model = models[model_name]
    return {
        "overfitting": overfitting(fit, saturated_from),
        "forest": forest(model["coefficients"], model["validation"]["rows"].iloc[0], model_name),
    }


def overfitting(fit: pd.DataFrame, saturated_from: float) -> Figure:
    """R2 twice and AUROC of each model, in sample and held out in folds; a panel a measure."""
    columns = fit.groupby("model")["columns"].first().sort_values(ascending=False)
    figure, panels = plt.subplots(1, 3, figsize=(COLUMN, 0.42 * len(columns) + 1.7), sharey=True)
    for axes, label, measure, paper, no_skill in (
        (panels[0], "R² of the mean\npredictions", "r2_prediction", None, 0.0),
        (panels[1], "Bayesian R²\n(realised residuals)", "r2_residual", PAPER_R2, None),
        (panels[2], f"AUROC of S ≥ {saturated_from:g}", "auroc", PAPER_AUROC, 0.5),
    ):
        for data, (side, colour, marker, fill, shift) in SIDES.items():
            points = _points(fit, measure, data).set_index("model").reindex(columns.index)
            places = np.arange(len(columns)) + shift
            axes.hlines(places, points["lower"], points["upper"], color=colour, linewidth=1.4)
            axes.plot(points["value"], places, marker, color=colour, mfc=fill, label=side)
        if no_skill is not None:
            axes.axvline(no_skill, color=GREY, linewidth=0.8)
        if paper is not None:
            _paper(axes, paper)
        axes.set_xlabel(label)
        axes.grid(axis="y", visible=False)
    panels[0].set_xlim(left=max(-1.6, panels[0].get_xlim()[0]), right=1.05)
    panels[1].set_xlim(0, 1.05)
    panels[2].set_xlim(min(0.4, panels[2].get_xlim()[0]), 1.05)
    labels = [f"{_model(str(name))}\n({count} columns)" for name, count in columns.items()]
    panels[0].set_yticks(range(len(columns)), labels)
    panels[0].set_ylim(-0.5, len(columns) - 0.3)
    seen, held_out_points = (_points(fit, "r2_prediction", data)["value"].max() for data in SIDES)
    finding = f"at most {seen:.2f} in sample, {held_out_points:.2f} on unseen benchmarks"
    headline(figure, f"R² of the predictions: {finding}")
    smallest, largest = fit["rows"].min(), fit["rows"].max()
    rows = f"{smallest}" if smallest == largest else f"{smallest} ({largest} where they repeat)"
    remark = (
        f"rows: {rows}; bars: 95 % intervals; grey line: no skill. A Bayesian R² cannot be "
        "negative: held out it measures spread, not skill"
    )
    key(figure, panels[0], remark)
    return figure


def _paper(axes: Axes, value: float) -> None:
    axes.axvline(value, color=BLACK, linestyle="--", linewidth=1.1)
    axes.annotate(
        f"paper: {value}",
        (value, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-3, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=7.5,
    )


def forest(coefficients: pd.DataFrame, rows: int, model: str) -> Figure:
    """Posterior means with 50 % inside 95 % highest-density intervals (Figure 5)."""
    table = coefficients[coefficients["column"] != "Intercept"].iloc[::-1].reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(COLUMN, 0.2 * len(table) + 1.3))
    colours = np.where(table["excludes_zero"], VERMILION, BLUE)
    fills = np.where(table["excludes_zero"], VERMILION, "white")
    axes.hlines(table.index, table["lower_95"], table["upper_95"], color=colours, linewidth=1)
    axes.hlines(table.index, table["lower_50"], table["upper_50"], color=colours, linewidth=3.2)
    axes.scatter(table["mean"], table.index, color=fills, edgecolor=colours, s=20, zorder=3)
    axes.axvline(0, color=BLACK, linewidth=0.9)
    labels = table["column"].map(_column)
    axes.set_yticks(table.index, labels, fontsize=7.5)
    for label, clear in zip(axes.get_yticklabels(), table["excludes_zero"]):
        label.set_fontweight("bold" if clear else "normal")
    axes.set_ylim(-0.8, len(table) - 0.2)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("coefficient on the logit of S\n(numeric predictors: per standard deviation)")
    clear = labels[table["excludes_zero"]].tolist()[::-1]
    verb = "is" if len(clear) == 1 else "are"
    sentence = f"{len(clear)} of {len(table)} coefficients {verb} clear of zero"
    by_chance = f" By chance: up to about {ALPHA * len(table):.0f}."
    names_text = f": {', '.join(clear)}" if 0 < len(clear) <= 4 else ""
    caption(
        figure,
        sentence + names_text,
        f"Model: {_model(model)}, n = {rows} rows. Thick: 50 %, thin: 95 % highest-density "
        f"interval; filled, bold: the latter excludes zero.{by_chance} n: test-set size",
    )
    return figure


def _points(fit: pd.DataFrame, measure: str, data: str) -> pd.DataFrame:
    return fit[(fit["measure"] == measure) & (fit["data"] == data)]


def _model(name: str) -> str:
    return NAMES.get(name, name.replace("_", " "))


def _column(name: str) -> str:
    """Describe a column of the design: interactions with a cross, levels after a colon."""
    levels = name.replace(":", " × ").replace("[", ": ").replace("]", "").replace(";", ", ")
    return levels.replace("_", " ").replace(" llm", " LLM")
