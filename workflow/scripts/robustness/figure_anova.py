"""Effect of each configuration factor by dataset, with the plain and the clustered test."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from saturation import figures, files, robustness_figures


def main(anova: Path, output: Sequence[str]) -> None:
    table = files.read_table(anova)
    made_up = bool(table["synthetic"].any())
    table = table[table["anova_type"] == "II"]
    factors = list(dict.fromkeys(table["factor"]))
    datasets = list(dict.fromkeys(table["dataset"]))
    offsets = (np.arange(len(factors)) - (len(factors) - 1) / 2) * 0.8 / len(factors)
    colours = robustness_figures.assigned(factors, robustness_figures.COLOURS)
    with figures.style():
        figure, axes = plt.subplots(figsize=(max(7.0, 1.3 * len(datasets)), 3.8))
        for factor, offset in zip(factors, offsets):
            rows = table[table["factor"] == factor].set_index("dataset").loc[datasets]
            x = np.arange(len(datasets)) + offset
            eta = rows["partial_eta_sq"]
            axes.bar(x, eta, 0.7 / len(factors), color=colours[factor], label=factor)
            marked = (rows["cluster_p"] < 0.05).to_numpy()
            axes.plot(x[marked], eta[marked] + 0.00015, "*", color=figures.PALETTE["black"])
        axes.set_xticks(range(len(datasets)), datasets)
        axes.grid(axis="x", visible=False)
        plain, clustered = (table[name] < 0.05 for name in ("p", "cluster_p"))
        headline = (
            f"the strongest factor explains {table['partial_eta_sq'].max():.2%} of the variance"
        )
        axes.set(
            ylabel="partial eta squared (proportion)",
            title=robustness_figures.title(headline, made_up),
        )
        axes.legend(ncols=len(factors), loc="upper left")
        axes.margins(y=0.22)
        text = (
            f"n = {int(table['n'].min()):,} or more answers a dataset; p < 0.05: {plain.sum()} of "
            f"{len(table)} plain tests, {clustered.sum()} clustered by example (stars)"
        )
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.anova), list(snakemake.output))
