"""How many observations each printed analysis of variance rests on, against the design."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from saturation import figures, files


def main(datasets: Path, output: Sequence[str]) -> None:
    table = files.read_table(datasets).sort_values("n_low", ignore_index=True)
    design = int(table["n_design"].iloc[0])
    y = np.arange(len(table))
    colours = np.where(table["n_fits"], figures.PALETTE["blue"], figures.PALETTE["vermilion"])
    with figures.style():
        figure, axes = plt.subplots(figsize=(7.6, 3.4))
        axes.axvline(design, color=figures.PALETTE["black"], linewidth=1)
        axes.annotate(
            f"design: {design:,}",
            (design, len(table) - 0.35),
            xytext=(-4, 0),
            textcoords="offset points",
            ha="right",
            fontsize=8,
        )
        for row, position, colour in zip(table.itertuples(), y, colours):
            axes.plot([row.n_low, row.n_high], [position] * 2, color=colour, linewidth=5)
            levels = f"; {row.levels_differ}" if isinstance(row.levels_differ, str) else ""
            axes.annotate(
                f"{row.n_low:,} to {row.n_high:,}{levels}",
                (row.n_high, position),
                xytext=(8, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        axes.set_yticks(y, table["dataset"])
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set(
            xlim=(table["n_low"].min() - 100, table["n_high"].max() + 900),
            ylim=(-0.6, len(table) - 0.1),
            xlabel="observations implied by the printed F, sums of squares and effect sizes",
            title=f"{(~table['n_fits']).sum()} of {len(table)} printed analyses do not rest on "
            f"the design's {design:,} answers",
        )
        figures.footnote(
            figure,
            f"n = {table['n_rows'].sum()} printed rows (Tables C.1 and C.2); bars: every number "
            "of observations with which a dataset's rows agree; red: not the design's",
        )
        files.write_figure(figure, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.datasets), list(snakemake.output))
