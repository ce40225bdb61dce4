"""Figures of the public answers; each function takes result tables and returns a figure."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.drawing.style import PALETTE, WIDTH, footnote, headline
from saturation.robustness import figures
from saturation.robustness.names import ACROSS, INPUTS

# The paper's slope over 54 pairs.
PRINTED_SLOPE = 1.05
# What the paper calls a very small effect.
PRINTED_SHARE = 0.005
MEASURES = {
    "answers": "same answer",
    "verdicts": "same verdict",
    "always_right": "always right",
    INPUTS: "same answer,\ninput changed",
}
# Each data set with changed inputs: what its authors call it, its colour and mark.
LOOKS = {
    "cola": ("CoLA", "blue", "o"),
    "csqa": ("CommonsenseQA", "orange", "s"),
    "mnli": ("MNLI", "green", "^"),
    "rte": ("RTE", "vermilion", "D"),
    "sst2": ("SST-2", "purple", "v"),
}
COMPONENTS = {
    "performance": ("performance", "blue", "o"),
    "dataset": ("data set", "orange", "s"),
    "model": ("model", "vermilion", "D"),
    "residual": ("rest", "grey", "v"),
}


def drawn(tables: Mapping[str, pd.DataFrame]) -> dict[str, Figure]:
    """All figures by name.

    Parameters
    ----------
    tables
        The study's `variants`, `trend_pairs`, `trends`, `trend_components`, `prompts`,
        `prompt_spreads`, `repeats`, `floor` and `audit_datasets`.
    """
    return {
        "variants": variants(tables["variants"], tables["trend_pairs"], tables["trends"]),
        "trends": trends(tables["trends"]),
        "components": components(tables["trend_components"]),
        "prompts": prompts(tables["prompts"], tables["prompt_spreads"]),
        "repeats": repeats(tables["repeats"], tables["floor"]),
        "audit": figures.audit(tables["audit_datasets"]),
    }


def variants(table: pd.DataFrame, pairs: pd.DataFrame, slopes: pd.DataFrame) -> Figure:
    """Consistency against performance: three data sets in paraphrases, five with changed inputs.

    Parameters
    ----------
    table
        Measures of each model and data set.
    pairs
        Pairs of every measure.
    slopes
        Slopes by measure and data set.
    """
    figure, grid = plt.subplots(2, 2, figsize=(WIDTH, 6.0), sharex=True, sharey=True)
    compared = slopes.set_index(["measure", "dataset"]).loc[
        [("answers", "MATH-500"), ("verdicts", ACROSS)]
    ]
    for axes, dataset in zip(grid.flat, ["MATH-500", "TruthfulQA", "SimpleQA"]):
        group = table[table["dataset"] == dataset]
        told = bool(group["answer_consistency"].notna().all())
        _between(axes, group, told)
        axes.set_title(f"{dataset}: {len(group)} models")
    changed = pairs[pairs["measure"] == INPUTS]
    for name, group in changed.groupby("dataset"):
        called, colour, marker = LOOKS.get(str(name), (str(name), "grey", "o"))
        axes = grid[1, 1]
        x, y = group["performance"], group["output_consistency"]
        axes.plot(x, y, marker, color=PALETTE[colour], label=called, alpha=0.85)
    grid[1, 1].set_title(f"inputs changed a little: {changed['model'].nunique()} models")
    grid[1, 1].legend(loc="lower right", ncols=2)
    for axes in grid.flat:
        axes.plot([0, 1], [0, 1], color=PALETTE["grey"], linewidth=0.8, linestyle=":")
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    figure.supylabel("consistency (share of items)", fontsize=9)
    for axes in grid[1]:
        axes.set_xlabel("performance (share right)")
    claim = "Consistency follows performance"
    if (compared["lower"] > 0).all():
        claim = "Abler models answer more consistently"
    of_answers, of_verdicts = compared["slope"]
    headline(
        figure,
        f"{claim}: by {of_answers:.2f} per unit of performance where answers are compared, "
        f"by {of_verdicts:.2f} where verdicts are",
    )
    text = (
        f"n = {len(table)} and {len(changed)} pairs of a model and a data set; one marker a model. "
        "Where only verdicts are known, output consistency lies between always right (lower end) "
        "and one verdict throughout (upper end). Dotted: consistency equal to performance"
    )
    footnote(figure, text)
    return figure


def trends(slopes: pd.DataFrame) -> Figure:
    """Slope of consistency on performance, by measure, inside data sets and across them."""
    table = slopes[slopes["measure"].isin(MEASURES) & slopes["slope"].notna()]
    order = [
        row for measure in MEASURES for row in table[table["measure"] == measure].to_dict("records")
    ]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.7 + 0.27 * len(order)))
    for place, row in enumerate(reversed(order)):
        pooled = row["dataset"] == ACROSS
        colour = PALETTE["vermilion" if pooled else "blue"]
        axes.plot([row["lower"], row["upper"]], [place, place], color=colour)
        axes.plot(row["slope"], place, "D" if pooled else "o", color=colour)
    labels = [
        f"{MEASURES[row['measure']].replace(chr(10), ' ')}: "
        + (
            f"all {row['n']} pairs"
            if row["dataset"] == ACROSS
            else f"{_called(row['dataset'])} ({row['n']})"
        )
        for row in reversed(order)
    ]
    axes.set_yticks(range(len(order)), labels)
    axes.axvline(0, color=PALETTE["black"], linewidth=0.8)
    axes.axvline(PRINTED_SLOPE, color=PALETTE["grey"], linestyle="--")
    axes.annotate(
        f"the paper's {PRINTED_SLOPE}",
        (PRINTED_SLOPE, len(order) - 0.4),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=7.5,
        va="center",
    )
    positive = sum(row["lower"] > 0 for row in order)
    axes.set(
        ylim=(-0.7, len(order) - 0.1),
        xlim=(-1.3, 2.0),
        xlabel="slope of consistency on performance, with 95 % intervals",
    )
    headline(figure, f"{positive} of {len(order)} slopes are clearly above zero")
    text = (
        "In brackets: models. Circles: least squares over the models of a data set (HC3); "
        "diamonds: all data sets, models and data sets as crossed random effects"
    )
    footnote(figure, text)
    return figure


def components(table: pd.DataFrame) -> Figure:
    """What consistency follows: shares of its variance by measure."""
    measures = [measure for measure in MEASURES if measure in set(table["measure"])]
    figure, axes = plt.subplots(figsize=(WIDTH, 3.3))
    for step, (component, (label, colour, marker)) in enumerate(COMPONENTS.items()):
        rows = table[table["component"] == component].set_index("measure").loc[measures]
        place = np.arange(len(measures))[::-1] + (1.5 - step) * 0.18
        axes.hlines(place, rows["lower"], rows["upper"], color=PALETTE[colour])
        axes.plot(rows["share"], place, marker, color=PALETTE[colour], label=label)
    axes.set_yticks(np.arange(len(measures))[::-1], [MEASURES[name] for name in measures])
    axes.set(xlim=(-0.02, 1.02), xlabel="share of the variance of consistency")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4)
    of_models = table[table["component"] == "model"]
    largest, bound = of_models["share"].max(), of_models["upper"].max()
    headline(
        figure,
        f"Beside performance, the model itself explains at most {largest:.0%} of consistency "
        f"(limits up to {bound:.0%})",
    )
    text = (
        "95 % intervals of a parametric bootstrap of the mixed model; with so few data sets they "
        "are too narrow (86 % instead of 95 % in simulations)"
    )
    footnote(figure, text)
    return figure


def prompts(tests: pd.DataFrame, spreads: pd.DataFrame) -> Figure:
    """What a paraphrased instruction explains, and how far it moves a model.

    Parameters
    ----------
    tests
        Analysis of variance of each task.
    spreads
        Spread of each task and model.
    """
    table = tests.sort_values("share_of_answers", ignore_index=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 5.6), sharey=True)
    places = np.arange(len(table))
    left.hlines(places, 0, table["share_of_answers"], color=PALETTE["blue"])
    left.plot(table["share_of_answers"], places, "o", color=PALETTE["blue"])
    left.plot(table["share_by_chance"], places, "|", color=PALETTE["black"])
    left.axvline(PRINTED_SHARE, color=PALETTE["vermilion"], linestyle="--")
    left.set_yticks(places, table["task"].str.replace("_", " "), fontsize=7)
    left.set(xlabel="share of the variance of answers", ylim=(-0.8, len(table) - 0.2))
    left.set_title("Paraphrase, over all models")
    left.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    by_task = dict(iter(spreads.groupby("task")["spread"]))
    for place, task in enumerate(table["task"]):
        values = by_task[task]
        right.plot(values, np.full(len(values), place), ".", color=PALETTE["grey"], markersize=4)
        right.plot(values.median(), place, "D", color=PALETTE["orange"])
    right.axvline(spreads["by_chance"].median(), color=PALETTE["black"], linewidth=0.8)
    right.set(xlim=(0, None), xlabel="standard deviation over paraphrases")
    right.set_title("A model's score")
    above = (table["share_of_answers"] > PRINTED_SHARE).sum()
    headline(
        figure,
        f"Rewording the instruction matters more than the paper's {PRINTED_SHARE:.1%} in {above} "
        f"of {len(table)} tasks, and moves a model's score by {spreads['spread'].median():.2f} "
        "(median)",
    )
    text = (
        f"{table['paraphrases'].min()} to {table['paraphrases'].max()} paraphrases of a task, "
        f"{table['models'].min()} to {table['models'].max()} models of 2022 and 2023, 100 items. "
        "Dashed: the largest effect that the paper allows; ticks: expected of paraphrases without "
        "effect. Right: dots are models, diamonds their median, the line is noise of 100 items"
    )
    footnote(figure, text)
    return figure


def repeats(table: pd.DataFrame, floor: pd.DataFrame) -> Figure:
    """How often repetitions of one and the same prompt agree, by model.

    Parameters
    ----------
    table
        Agreement of each model and task.
    floor
        Means by model.
    """
    models = floor[floor["model"] != "all"].sort_values("answer_consistency", ignore_index=True)
    figure, axes = plt.subplots(figsize=(WIDTH, 3.0))
    for place, row in enumerate(models.to_dict("records")):
        tasks = table[table["model"] == row["model"]].groupby("task")["answer_consistency"].mean()
        dots = np.full(len(tasks), place)
        axes.plot(tasks, dots, ".", color=PALETTE["grey"])
        axes.plot([row["lower"], row["upper"]], [place, place], color=PALETTE["blue"])
        axes.plot(row["answer_consistency"], place, "D", color=PALETTE["blue"])
    axes.set_yticks(range(len(models)), models["model"])
    axes.set(xlim=(0, 1.02), xlabel="questions with the same answer in every repetition (share)")
    low, high = models["answer_consistency"].iloc[[0, -1]]
    headline(
        figure,
        f"Asked again in the same words at temperature zero, models give one answer throughout to "
        f"{low:.0%} to {high:.0%} of the questions",
    )
    text = (
        f"{table['task'].nunique()} tasks (dots), {int(table['questions'].min())} to "
        f"{int(table['questions'].max())} questions each; diamonds: mean over tasks with its 95 % "
        "interval; mostly ten repetitions"
    )
    footnote(figure, text)
    return figure


def _called(dataset: str) -> str:
    return LOOKS[dataset][0] if dataset in LOOKS else dataset


def _between(axes: Axes, group: pd.DataFrame, told: bool) -> None:
    """Each model's consistency; where answers are not known, what it lies between."""
    x = group["performance"]
    lower = group["answer_consistency"] if told else group["always_right"]
    axes.vlines(x, lower, group["verdict_consistency"], color=PALETTE["grey"], linewidth=0.8)
    if told:
        axes.plot(x, lower, "o", color=PALETTE["blue"], label="same answer")
    else:
        axes.plot(x, lower, "v", color=PALETTE["green"], label="always right")
    upper = group["verdict_consistency"]
    axes.plot(x, upper, "^", color=PALETTE["orange"], label="same verdict", markersize=4)
    axes.legend(loc="upper left")
