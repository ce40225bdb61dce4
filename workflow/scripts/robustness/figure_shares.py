"""What consistency follows: variance shares, and the slope inside datasets and inside models."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from saturation import figures, files, robustness_figures

READINGS = {
    "ols": "all pairs",
    "within_model": "inside models\n(datasets differ)",
    "within_dataset": "inside datasets\n(models differ)",
    "mixed": "mixed model",
}
COMPONENTS = {
    "performance": "performance",
    "dataset": "dataset, given performance",
    "model": "model, given performance",
    "residual": "rest",
}


def main(slopes: Path, shares: Path, output: Sequence[str]) -> None:
    lines = files.read_table(slopes).set_index("reading").loc[list(READINGS)]
    parts = files.read_table(shares).set_index("component").loc[list(COMPONENTS)]
    made_up = bool(lines["synthetic"].any())
    with figures.style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2))
        _intervals(left, lines, "slope", READINGS.values(), "blue")
        left.axvline(0, color=figures.PALETTE["grey"], linewidth=0.8)
        left.set(xlabel="slope of consistency on performance", title="Slope, with intervals")
        _intervals(right, parts, "share", COMPONENTS.values(), "green")
        right.set(
            xlim=(-0.02, 1.02), xlabel="share of the variance", title="Variance, with intervals"
        )
        headline = robustness_figures.title("what consistency follows", made_up)
        figures.headline(figure, headline)
        text = f"n = {int(lines['n'].iloc[0])} pairs of a model and a dataset"
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


def _intervals(axes, table, value, labels, colour):  # noqa: ANN001, ANN202
    y = np.arange(len(table))[::-1]
    reach = [table[value] - table["lower"], table["upper"] - table[value]]
    axes.errorbar(
        table[value], y, xerr=np.clip(reach, 0, None), fmt="o", color=figures.PALETTE[colour]
    )
    for position, number in zip(y, table[value]):
        axes.annotate(
            f"{number:.2f}",
            (number, position),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_yticks(y, list(labels))
    axes.set_ylim(-0.6, len(table) - 0.4)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.slopes), Path(snakemake.input.shares), list(snakemake.output))
