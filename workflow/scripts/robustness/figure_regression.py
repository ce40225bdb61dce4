"""Consistency against performance, in the manner of the paper's Figure 1."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from saturation import chance, figures, files, robustness_figures


def main(consistency: Path, slopes: Path, outliers: Path, output: Sequence[str]) -> None:
    pairs = files.read_table(consistency).sort_values("performance", ascending=False)
    line = files.read_table(slopes).set_index("reading").loc["ols"]
    named = files.read_table(outliers).query("outlier")
    made_up = bool(pairs["synthetic"].any())
    configurations = int(pairs["n_configurations"].max())
    colours = robustness_figures.assigned(pairs["dataset"], robustness_figures.COLOURS)
    markers = robustness_figures.assigned(
        sorted(pairs["model"], key=str.lower), robustness_figures.MARKERS
    )
    with figures.style():
        figure, axes = plt.subplots(figsize=(8.4, 4.8))
        for pair in pairs.itertuples():
            axes.plot(
                pair.performance,
                pair.output_consistency,
                markers[pair.model],
                color=colours[pair.dataset],
                markeredgecolor="white",
                markeredgewidth=0.5,
                markersize=7,
            )
        grid = np.linspace(0, 1, 401)
        black, grey = figures.PALETTE["black"], figures.PALETTE["grey"]
        axes.plot(grid, line["intercept"] + line["slope"] * grid, color=black, linewidth=1.2)
        axes.plot(grid, chance.agreement(grid, configurations), "--", color=grey)
        for pair in named.itertuples():
            axes.annotate(
                f"{pair.model}, {pair.dataset}",
                (pair.performance, pair.output_consistency),
                xytext=(-7, -3),
                textcoords="offset points",
                fontsize=7,
                ha="right",
            )
        headline = (
            f"consistency rises by {line['slope']:.2f} per unit of performance, "
            f"R² = {line['r_squared']:.2f}"
        )
        axes.set(
            xlim=(max(0.0, float(pairs["performance"].min()) - 0.05), 1.01),
            ylim=(-0.02, 1.02),
            xlabel="performance (mean score, proportion)",
            ylabel="output consistency (share of examples with one answer)",
            title=robustness_figures.title(headline, made_up),
        )
        shapes = [
            Line2D([], [], color=black, linewidth=1.2, label="least squares"),
            Line2D([], [], color=grey, linestyle="--", label="agreement by chance"),
            *(
                Line2D([], [], color=colour, marker="o", linestyle="", label=name)
                for name, colour in colours.items()
            ),
            *(
                Line2D([], [], color=grey, marker=marker, linestyle="", label=name)
                for name, marker in markers.items()
            ),
        ]
        axes.legend(handles=shapes, loc="center left", bbox_to_anchor=(1.01, 0.5))
        text = (
            f"n = {len(pairs)} pairs of {len(markers)} models and {len(colours)} datasets; "
            f"{configurations} configurations; outliers (Bonferroni) named: {len(named)}"
        )
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.consistency),
            Path(snakemake.input.slopes),
            Path(snakemake.input.outliers),
            list(snakemake.output),
        )
