"""Consistency of every model by dataset, in the manner of the paper's Figure 2."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from saturation import figures, files, robustness_figures


def main(consistency: Path, output: Sequence[str]) -> None:
    pairs = files.read_table(consistency)
    made_up = bool(pairs["synthetic"].any())
    order = pairs.groupby("dataset")["output_consistency"].mean().sort_values(ascending=False)
    most = pairs.groupby("dataset").size().max()
    with figures.style():
        figure, axes = plt.subplots(figsize=(max(6.0, 0.17 * len(pairs)), 4.2))
        for position, dataset in enumerate(order.index):
            group = pairs[pairs["dataset"] == dataset].sort_values("performance", ascending=False)
            x = position + (np.arange(len(group)) - (len(group) - 1) / 2) * 0.8 / most
            _bars(axes, x, group, 0.7 / most, first=position == 0)
        axes.set_xticks(range(len(order)), order.index)
        axes.grid(axis="x", visible=False)
        above = (pairs["excess_lower"] > 0).sum()
        headline = f"answers agree more often than by chance in {above} of {len(pairs)} pairs"
        axes.set(
            ylim=(0, 1.02),
            ylabel="proportion of examples",
            title=robustness_figures.title(headline, made_up),
        )
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        text = (
            f"n = {len(pairs)} pairs, {pairs['n_examples'].min():,} or more examples each; one bar "
            "a model, from the best to the worst; whiskers: Wilson intervals"
        )
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


def _bars(axes, x, group, width, first):  # noqa: ANN001, ANN202
    values = group["output_consistency"]
    reach = [values - group["output_consistency_lower"], group["output_consistency_upper"] - values]
    label = (lambda text: text) if first else (lambda _: None)
    axes.bar(
        x,
        values,
        width,
        yerr=reach,
        color=figures.PALETTE["blue"],
        error_kw={"elinewidth": 0.6, "ecolor": "#555555"},
        label=label("output consistency"),
    )
    axes.bar(
        x,
        group["random_baseline"],
        width,
        color=figures.PALETTE["orange"],
        label=label("agreement by chance"),
    )
    axes.plot(
        x,
        group["performance"],
        "--",
        color=figures.PALETTE["black"],
        linewidth=1.2,
        label=label("performance"),
    )


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.consistency), list(snakemake.output))
