"""Performance drop rate by dataset beside performance, in the manner of Figure B.1."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt

from saturation import figures, files, robustness_figures


def main(consistency: Path, output: Sequence[str]) -> None:
    pairs = files.read_table(consistency)
    made_up = bool(pairs["synthetic"].any())
    measures = ["pdr", "pdr_usual", "performance"]
    means = pairs.groupby("dataset")[measures].mean().sort_values("pdr", ascending=False)
    positions = range(len(means))
    vermilion, black = figures.PALETTE["vermilion"], figures.PALETTE["black"]
    with figures.style():
        figure, axes = plt.subplots(figsize=(max(6.0, 1.1 * len(means)), 3.8))
        axes.bar(positions, means["pdr"], 0.55, color=vermilion)
        for position, dataset in enumerate(means.index):
            drops = pairs.loc[pairs["dataset"] == dataset, "pdr"]
            axes.plot([position] * len(drops), drops, "o", color=black, markersize=3, alpha=0.5)
        axes.set_xticks(list(positions), means.index)
        axes.set_ylabel("performance drop rate (proportion)", color=vermilion)
        right = axes.twinx()
        right.plot(positions, means["performance"], "--s", color=black)
        right.set(ylim=(0, 1.05), ylabel="mean performance, dashed (proportion)")
        right.grid(visible=False)
        right.spines["right"].set_visible(True)
        axes.grid(axis="x", visible=False)
        headline = f"performance drops most on {means.index[0]}, least on {means.index[-1]}"
        axes.set_title(robustness_figures.title(headline, made_up))
        text = f"n = {len(pairs)} pairs; bars: mean over models, dots: models"
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.consistency), list(snakemake.output))
